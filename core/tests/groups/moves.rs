//! Moves of learners between groups, and what filters by group show, on both databases.

use kurso_base::error::Error;
use kurso_base::ids::{EnrollmentId, GroupId};
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_core::access::Right;
use kurso_core::courses::groups::{self, ExpectedGroups, GroupFilter, MoveOutcome, MoveStudents, Moved};
use kurso_core::courses::{self, team};
use kurso_core::learning::mark_page_visited;
use kurso_core::learning::view::CourseView;
use kurso_core::students::{self, Query, Results, heat_map};
use kurso_core::subscriptions::{CourseWatch, GroupsWatch};
use kurso_core::testing::{command, submission};
use kurso_core::{attempts, both};
use serde_json::json;

use super::{Class, create, enroll, move_to};

both! {
    async fn learners_are_moved_together_or_not_at_all(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris", "vera"]).await;
        let (owner, course) = (&class.owner, class.course);
        let ids = [class.enrollment(&kurso, 0).await, class.enrollment(&kurso, 1).await, class.enrollment(&kurso, 2).await];
        class.put(&kurso, 1, Some(class.a)).await;
        let unknown = EnrollmentId::new();
        let moved = move_to(&kurso, owner, course, &[ids[2], ids[0], ids[0], ids[1], unknown], Some(class.a)).await.unwrap();
        assert_eq!((moved.moved, moved.unchanged, moved.not_found), (vec![ids[2], ids[0]], vec![ids[1]], vec![unknown]));
        assert_eq!(class.names(&kurso, GroupFilter::In(class.a)).await, ["anna", "boris", "vera"]);
        // A group or learners of another course.
        let other = kurso.course(owner, &[]).await;
        let foreign = create(&kurso, owner, other, "Чужая").await.unwrap().id;
        for group in [foreign, GroupId::new()] {
            let refused = move_to(&kurso, owner, course, &ids, Some(group)).await;
            let Err(Error::Invalid(errors)) = refused else { panic!("{refused:?}") };
            assert_eq!((errors[0].message.clone(), errors.len()), (Message::UnknownGroup, 1));
        }
        let moved = move_to(&kurso, owner, other, &ids, Some(foreign)).await.unwrap();
        assert_eq!((moved.moved, moved.not_found), (vec![], ids.to_vec()));
        assert_eq!(class.names(&kurso, GroupFilter::In(class.a)).await.len(), 3);
        move_to(&kurso, owner, course, &ids[..2], None).await.unwrap();
        assert_eq!(class.names(&kurso, GroupFilter::Without).await, ["anna", "boris"]);
    }

    async fn a_move_from_another_group_than_the_stored_one_moves_nobody(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris"]).await;
        let (owner, course) = (&class.owner, class.course);
        let [anna, boris] = [class.enrollment(&kurso, 0).await, class.enrollment(&kurso, 1).await];
        let send = async |to: Option<GroupId>, expected: Option<GroupId>| {
            let fields = json!({"enrollment_ids": [anna, boris], "group_id": to, "expected_group_id": expected});
            groups::move_students(&kurso, owner, course, command(fields)).await.unwrap()
        };
        let done = |moved: Vec<EnrollmentId>, unchanged: Vec<EnrollmentId>| {
            MoveOutcome::Done(Moved { moved, unchanged, not_found: vec![] })
        };
        assert_eq!(send(Some(class.a), None).await, done(vec![anna, boris], vec![]));
        assert_eq!(send(Some(class.b), None).await, MoveOutcome::Stale(vec![(anna, Some(class.a)), (boris, Some(class.a))]));
        move_to(&kurso, owner, course, &[boris], Some(class.b)).await.unwrap(); // a later move by somebody else
        assert_eq!(send(None, Some(class.a)).await, MoveOutcome::Stale(vec![(boris, Some(class.b))]));
        assert_eq!(class.names(&kurso, GroupFilter::Without).await, [""; 0], "nobody was moved");
        assert_eq!(send(Some(class.b), Some(class.a)).await, done(vec![anna], vec![boris]), "who is there already is no conflict");
        assert_eq!(send(Some(class.a), Some(class.b)).await, done(vec![anna, boris], vec![]));
        assert_eq!(class.names(&kurso, GroupFilter::In(class.a)).await, ["anna", "boris"]);
    }

    async fn a_move_names_the_group_of_each_learner(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris", "vera"]).await;
        let (owner, course) = (&class.owner, class.course);
        let [anna, boris, vera] = [class.enrollment(&kurso, 0).await, class.enrollment(&kurso, 1).await, class.enrollment(&kurso, 2).await];
        class.put(&kurso, 0, Some(class.a)).await;
        class.put(&kurso, 2, Some(class.b)).await;
        let send = async |expected: &[(EnrollmentId, Option<GroupId>)]| {
            let fields = json!({"enrollment_ids": [anna, boris, anna, vera], "group_id": class.b});
            let mut command: MoveStudents = command(fields);
            command.expected_groups = Some(ExpectedGroups(expected.to_vec()));
            groups::move_students(&kurso, owner, course, command).await.unwrap()
        };
        let stale = MoveOutcome::Stale(vec![(anna, Some(class.a)), (boris, None)]);
        assert_eq!(send(&[(anna, None), (boris, Some(class.a)), (vera, None)]).await, stale, "who is there already is no conflict");
        let anna_only = MoveOutcome::Stale(vec![(anna, Some(class.a))]);
        assert_eq!(send(&[(anna, Some(class.a)), (anna, None)]).await, anna_only, "entries that contradict each other");
        assert_eq!(class.names(&kurso, GroupFilter::In(class.b)).await, ["vera"], "nobody was moved");
        let stranger = (EnrollmentId::new(), Some(class.b));
        let done = Moved { moved: vec![anna, boris], unchanged: vec![vera], not_found: vec![] };
        assert_eq!(send(&[(anna, Some(class.a)), (boris, None), stranger]).await, MoveOutcome::Done(done));
    }

    async fn a_pasted_list_moves_the_learners_it_names(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris", "vera"]).await;
        let (owner, course) = (&class.owner, class.course);
        class.put(&kurso, 1, Some(class.b)).await;
        kurso.person("stranger").await;
        let pasted = "Анна <ANNA@Example.com>, boris@example.com\nanna@example.com\nstranger@example.com; nobody\n@@\nvera@EXAMPLE.com";
        let fields = |preview, group| json!({"emails": pasted, "group_id": group, "preview": preview});
        for (preview, before) in [(true, 1), (false, 1)] {
            assert_eq!(class.names(&kurso, GroupFilter::In(class.b)).await.len(), before);
            let moved = groups::move_by_email(&kurso, owner, course, command(fields(preview, class.b))).await.unwrap();
            assert_eq!(moved.moved, ["ANNA@Example.com", "vera@EXAMPLE.com"]);
            assert_eq!(moved.unchanged, ["boris@example.com"]);
            assert_eq!(moved.not_found, ["stranger@example.com", "@@"]);
        }
        assert_eq!(class.names(&kurso, GroupFilter::In(class.b)).await, ["anna", "boris", "vera"]);
        let refused = groups::move_by_email(&kurso, owner, course, command(fields(true, GroupId::new()))).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "a preview refuses what the move would: {refused:?}");
        let many: String = (0..1001).map(|n| format!("s{n}@example.com\n")).collect();
        for emails in [many.as_str(), " \n"] {
            let fields = json!({"emails": emails, "group_id": class.b, "preview": false});
            let refused = groups::move_by_email(&kurso, owner, course, command(fields)).await;
            let Err(Error::Invalid(errors)) = refused else { panic!("{refused:?}") };
            assert!(matches!(errors[0].message, Message::TooManyItems(1000) | Message::TooFewItems(1)));
        }
    }

    async fn lists_heat_map_results_and_questions_filter_by_group(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris", "vera"]).await;
        let (owner, course) = (&class.owner, class.course);
        class.put(&kurso, 0, Some(class.a)).await;
        class.put(&kurso, 1, Some(class.b)).await;
        let view = CourseView::load(&kurso, owner, course, Right::ReadAsAuthor).await.unwrap();
        let pages = [0, 1].map(|place| view.page(place).id);
        let asked = json!({"questions": [{"type": "short_text", "prompt": "?", "accepted": ["да"]}]});
        kurso.set_quiz(pages[1], &asked).await;
        mark_page_visited(&kurso, &class.learners[0], pages[0]).await.unwrap();
        attempts::submit(&kurso, &class.learners[1], pages[1], submission(&json!({"answers": []}))).await.unwrap();
        let foreign = kurso.course(owner, &[]).await;
        let foreign = create(&kurso, owner, foreign, "Чужая").await.unwrap().id;
        for (filter, names, visited, hardest) in [
            (GroupFilter::All, vec!["anna", "boris", "vera"], [1, 1], 1),
            (GroupFilter::In(class.a), vec!["anna"], [1, 0], 0),
            (GroupFilter::In(class.b), vec!["boris"], [0, 1], 1),
            (GroupFilter::Without, vec!["vera"], [0, 0], 0),
            (GroupFilter::In(foreign), vec![], [0, 0], 0),
        ] {
            assert_eq!(class.names(&kurso, filter).await, names);
            let read = courses::find(&kurso.db, owner, course, Right::SeeStudents).await.unwrap();
            let roster = students::Roster::of_all(&kurso, &[read]).await.unwrap().remove(0);
            let listed = roster.page(&Query { group: filter, ..Query::default() }, None, Page::default());
            let listed: Vec<_> = listed.data.into_iter().map(|student| student.full_name.unwrap()).collect();
            assert_eq!(listed, names, "both lists are equal");
            let map = heat_map::find(&kurso, owner, course, filter).await.unwrap();
            assert_eq!((map.students, [0, 1].map(|place| map.page(place).visited)), (names.len(), visited));
            assert_eq!(map.hardest_questions(&kurso).await.unwrap().len(), hardest);
            let mut results = Results::of(&kurso, owner, course, filter, Lang::Ru).await.unwrap();
            assert_eq!(results.left(), names.len());
            let text = String::from_utf8(results.part(&kurso.db).await.unwrap().unwrap()).unwrap();
            assert!(text.lines().next().unwrap().contains(r#","Курс пройден","Группа","#), "{text}");
            assert_eq!(text.contains(r#","А","#), names.contains(&"anna"), "{text}");
        }
        let student = students::detail(&kurso, owner, class.enrollment(&kurso, 0).await).await.unwrap().student;
        assert_eq!(student.group.unwrap().title, "А");
    }

    async fn live_activity_filters_by_the_current_group(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris"]).await;
        let (owner, course) = (&class.owner, class.course);
        class.put(&kurso, 0, Some(class.a)).await;
        let page = CourseView::load(&kurso, owner, course, Right::Read).await.unwrap().page(0).id;
        let mut watch = CourseWatch::start(&kurso, owner, course, GroupFilter::In(class.a)).await.unwrap();
        let mut changes = GroupsWatch::start(&kurso, owner, course).await.unwrap();
        let learner = GroupsWatch::start(&kurso, &class.learners[0], course).await;
        assert!(matches!(learner, Err(Error::Forbidden(_))), "{learner:?}");
        mark_page_visited(&kurso, &class.learners[1], page).await.unwrap();
        mark_page_visited(&kurso, &class.learners[0], page).await.unwrap();
        let first = watch.next(&kurso).await.unwrap().unwrap();
        assert_eq!((first.student.full_name.as_deref(), first.student.group.unwrap().id), (Some("anna"), class.a));
        class.put(&kurso, 1, Some(class.a)).await;
        assert_eq!(changes.next(&kurso).await.unwrap().unwrap().id, course);
        // Whoever enrolls into a group or leaves changes its number of learners.
        let code = class.code_of(&kurso, class.b).await;
        assert!(changes.next(&kurso).await.unwrap().is_some(), "a new code");
        let vera = kurso.person("vera").await;
        enroll(&kurso, &vera, &code).await.unwrap();
        assert!(changes.next(&kurso).await.unwrap().is_some(), "a learner in the group");
        team::leave(&kurso, &vera, course).await.unwrap();
        assert!(changes.next(&kurso).await.unwrap().is_some(), "a learner less");
    }
}
