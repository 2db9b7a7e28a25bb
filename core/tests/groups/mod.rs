//! Groups of a course's learners, on both databases: their changes, who may make them, codes, and what leaving, copies and deletions
//! do to them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod moves;

use chrono::Duration;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId};
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_base::values::Checked as _;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::check::{self, Depth, Rule};
use kurso_core::courses::groups::{self, Group, GroupFilter, MAX_GROUPS};
use kurso_core::courses::team::{self, NewOwner};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, duplicate};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::students::{self, Query};
use kurso_core::testing::{Dice, TestKurso, command};
use kurso_core::{both, users};
use kurso_db::sql;
use serde_json::json;

/// A course with groups «А» and «Б», and learners.
struct Class {
    owner: Viewer,
    learners: Vec<Viewer>,
    course: CourseId,
    a: GroupId,
    b: GroupId,
    code: String,
}

impl Class {
    async fn new(kurso: &TestKurso, learners: &[&str]) -> Self {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
        let code = courses::generate_share_code(kurso, &owner, course).await.unwrap();
        let mut class = Class {
            a: create(kurso, &owner, course, "А").await.unwrap().id,
            b: create(kurso, &owner, course, "Б").await.unwrap().id,
            learners: vec![],
            code: code.share_code.unwrap(),
            course,
            owner,
        };
        for name in learners {
            kurso.clock.advance(Duration::seconds(1));
            let learner = kurso.person(name).await;
            enroll(kurso, &learner, &class.code).await.unwrap();
            class.learners.push(learner);
        }
        class
    }

    /// The enrollment of a learner.
    async fn enrollment(&self, kurso: &TestKurso, learner: usize) -> EnrollmentId {
        let course = courses::find(&kurso.db, &self.learners[learner], self.course, Right::Read).await;
        course.unwrap().enrollment.unwrap().id
    }

    async fn put(&self, kurso: &TestKurso, learner: usize, group: Option<GroupId>) {
        let id = self.enrollment(kurso, learner).await;
        let moved = move_to(kurso, &self.owner, self.course, &[id], group).await.unwrap();
        assert_eq!(moved.not_found, []);
    }

    async fn code_of(&self, kurso: &TestKurso, group: GroupId) -> String {
        let group = groups::generate_code(kurso, &self.owner, group).await.unwrap();
        group.share_code.unwrap()
    }

    /// The names of the learners that the filter selects.
    async fn names(&self, kurso: &TestKurso, group: GroupFilter) -> Vec<String> {
        let query = Query {
            group,
            ..Query::default()
        };
        let found = students::list(kurso, &self.owner, self.course, &query, Page::default())
            .await
            .unwrap();
        assert_eq!(found.count, i64::try_from(found.data.len()).unwrap());
        found
            .data
            .into_iter()
            .map(|student| student.full_name.unwrap())
            .collect()
    }
}

async fn create(kurso: &TestKurso, by: &Viewer, course: CourseId, title: &str) -> Result<Group> {
    groups::create(kurso, by, course, command(json!({"title": title}))).await
}

async fn enroll(kurso: &TestKurso, who: &Viewer, code: &str) -> Result<courses::Course> {
    learning::enroll(kurso, who, &Origin::default(), code).await
}

async fn move_to(
    kurso: &TestKurso,
    by: &Viewer,
    course: CourseId,
    ids: &[EnrollmentId],
    group: Option<GroupId>,
) -> Result<groups::Moved<EnrollmentId>> {
    let fields = json!({"enrollment_ids": ids, "group_id": group});
    groups::move_students(kurso, by, course, command(fields))
        .await
        .and_then(groups::MoveOutcome::done)
}

/// The title of the viewer's own group.
async fn own(kurso: &TestKurso, who: &Viewer, course: CourseId) -> Option<String> {
    let course = courses::find(&kurso.db, who, course, Right::Read).await.unwrap();
    course.enrollment.unwrap().group.map(|group| group.title)
}

async fn titles(kurso: &TestKurso, who: &Viewer, course: CourseId) -> Vec<String> {
    let groups = groups::list(kurso, who, course).await.unwrap();
    let positions: Vec<_> = groups.iter().map(|group| group.position).collect();
    assert_eq!(positions, (0..).take(groups.len()).collect::<Vec<_>>());
    groups.into_iter().map(|group| group.title).collect()
}

both! {
    async fn groups_are_created_renamed_moved_and_deleted(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna"]).await;
        let (owner, course) = (&class.owner, class.course);
        let first = groups::create(&kurso, owner, course, command(json!({"title": "0", "position": 0}))).await.unwrap();
        assert_eq!((first.position, first.students, first.share_code), (0, 0, None));
        assert_eq!(titles(&kurso, owner, course).await, ["0", "А", "Б"]);
        let change = async |id, fields: serde_json::Value| groups::update(&kurso, owner, id, command(fields)).await.unwrap();
        let moved = change(first.id, json!({"position": 99})).await;
        assert_eq!((moved.position, moved.title.as_str()), (2, "0"));
        change(class.b, json!({"title": "Бета", "position": 0})).await;
        assert_eq!(change(class.a, json!({})).await.position, 1, "nothing changes");
        assert_eq!(titles(&kurso, owner, course).await, ["Бета", "А", "0"]);
        class.put(&kurso, 0, Some(class.a)).await;
        assert_eq!(groups::delete(&kurso, owner, class.a).await.unwrap(), course);
        assert_eq!(titles(&kurso, owner, course).await, ["Бета", "0"]);
        assert_eq!(own(&kurso, &class.learners[0], course).await, None, "its learners stay in the course");
        for gone in [
            groups::delete(&kurso, owner, class.a).await.map(|_| ()),
            groups::update(&kurso, owner, class.a, command(json!({}))).await.map(|_| ()),
            groups::generate_code(&kurso, owner, class.a).await.map(|_| ()),
            groups::remove_code(&kurso, owner, class.a).await.map(|_| ()),
        ] {
            assert!(matches!(gone, Err(Error::NotFound(Message::GroupNotFound))), "{gone:?}");
        }
    }

    async fn a_course_has_a_limited_number_of_groups(kurso: TestKurso) {
        let class = Class::new(&kurso, &[]).await;
        for n in 2..MAX_GROUPS {
            let full = format!("INSERT INTO groups (id, course_id, title, position, created_at) VALUES ($1, $2, '{n}', {n}, $3)");
            sql!(Box::leak(full.into_boxed_str()) as &'static str, GroupId::new(), class.course, kurso.clock.now())
                .execute(&kurso.db).await.unwrap();
        }
        let refused = create(&kurso, &class.owner, class.course, "Ещё").await;
        assert!(matches!(refused, Err(Error::Conflict(Message::TooManyGroups(MAX_GROUPS)))), "{refused:?}");
        assert_eq!(titles(&kurso, &class.owner, class.course).await.len() as i64, MAX_GROUPS);
    }

    async fn owner_and_teachers_manage_groups_and_staff_see_them(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna"]).await;
        let (course, a) = (class.course, class.a);
        let code = class.code_of(&kurso, a).await;
        let id = class.enrollment(&kurso, 0).await;
        let [teacher, editor, stranger] = [kurso.person("teacher").await, kurso.person("editor").await, kurso.person("stranger").await];
        kurso.collaborator(course, &teacher, "teacher").await;
        kurso.collaborator(course, &editor, "editor").await;
        let admin = kurso.superuser("root").await;
        let learner = &class.learners[0];
        // 200, 403 and 404 of reading and of each change.
        for (who, reads, sees_code, writes) in [
            (&class.owner, 200, true, 200),
            (&teacher, 200, true, 200),
            (&editor, 200, true, 403),
            (&admin, 200, false, 403),
            (learner, 403, false, 403),
            (&stranger, 404, false, 404),
        ] {
            let status = |result: Result<()>| match result {
                Ok(()) => 200,
                Err(Error::Forbidden(_)) => 403,
                Err(Error::NotFound(_)) => 404,
                Err(other) => panic!("{other:?}"),
            };
            let read = groups::list(&kurso, who, course).await;
            let seen = read.as_ref().is_ok_and(|groups| groups[0].share_code.as_ref() == Some(&code));
            assert_eq!((status(read.map(|_| ())), seen), (reads, sees_code));
            let another = create(&kurso, who, course, "В").await;
            let other = another.as_ref().map_or(a, |group| group.id);
            let emails = json!({"emails": "anna@example.com", "group_id": null, "preview": false});
            for result in [
                another.map(|_| ()),
                groups::update(&kurso, who, other, command(json!({"title": "Г"}))).await.map(|_| ()),
                groups::generate_code(&kurso, who, other).await.map(|_| ()),
                groups::remove_code(&kurso, who, other).await.map(|_| ()),
                move_to(&kurso, who, course, &[id], None).await.map(|_| ()),
                groups::move_by_email(&kurso, who, course, command(emails)).await.map(|_| ()),
                groups::delete(&kurso, who, other).await.map(|_| ()),
            ] {
                assert_eq!(status(result), writes);
            }
        }
        assert_eq!(titles(&kurso, &class.owner, course).await, ["А", "Б"]);
    }

    async fn a_groups_code_enrolls_and_joins_but_never_moves(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna"]).await;
        let (course, anna) = (class.course, &class.learners[0]);
        let (a, b) = (class.code_of(&kurso, class.a).await, class.code_of(&kurso, class.b).await);
        let boris = kurso.person("boris").await;
        let joined = enroll(&kurso, &boris, &a.to_lowercase().replace('-', " ")).await.unwrap();
        assert_eq!(joined.id, course);
        assert_eq!(own(&kurso, &boris, course).await.as_deref(), Some("А"), "a new learner is in the group");
        // An enrolled learner without a group joins; one in a group stays there.
        for (code, group) in [(&class.code, None), (&b, Some("Б")), (&a, Some("Б")), (&class.code, Some("Б"))] {
            enroll(&kurso, anna, code).await.unwrap();
            assert_eq!(own(&kurso, anna, course).await.as_deref(), group);
        }
        // A renewed or removed code ends at once.
        let renewed = class.code_of(&kurso, class.a).await;
        assert_ne!(renewed, a);
        let removed = groups::remove_code(&kurso, &class.owner, class.b).await.unwrap();
        assert_eq!(removed.share_code, None);
        let vera = kurso.person("vera").await;
        for code in [&a, &b] {
            let refused = enroll(&kurso, &vera, code).await;
            assert!(matches!(refused, Err(Error::NotFound(Message::UnknownShareCode))), "{refused:?}");
        }
        // A group that is deleted takes its code along.
        groups::delete(&kurso, &class.owner, class.a).await.unwrap();
        assert!(enroll(&kurso, &vera, &renewed).await.is_err());
    }

    async fn guesses_of_group_codes_are_limited(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna"]).await;
        let code = class.code_of(&kurso, class.a).await;
        let anna = &class.learners[0];
        let wrong = async || enroll(&kurso, anna, "ZZZZ-ZZZZ").await;
        let mut tries = 0;
        while matches!(wrong().await, Err(Error::NotFound(_))) {
            tries += 1;
            assert!(tries < 100);
        }
        assert!(matches!(enroll(&kurso, anna, &code).await, Err(Error::RateLimited { .. })));
    }

    async fn leaving_keeps_the_group(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris"]).await;
        let course = class.course;
        let [anna, boris] = [&class.learners[0], &class.learners[1]];
        let (a, b) = (class.code_of(&kurso, class.a).await, class.code_of(&kurso, class.b).await);
        class.put(&kurso, 0, Some(class.a)).await;
        for (code, group) in [(&class.code, "А"), (&b, "А")] {
            team::leave(&kurso, anna, course).await.unwrap();
            assert_eq!(class.names(&kurso, GroupFilter::In(class.a)).await, [""; 0]);
            enroll(&kurso, anna, code).await.unwrap();
            assert_eq!(own(&kurso, anna, course).await.as_deref(), Some(group), "leaving is no way to change the group");
        }
        // Without a group, or after its end, the code's group is joined.
        team::leave(&kurso, boris, course).await.unwrap();
        enroll(&kurso, boris, &a).await.unwrap();
        assert_eq!(own(&kurso, boris, course).await.as_deref(), Some("А"));
        let id = class.enrollment(&kurso, 0).await;
        students::remove(&kurso, &class.owner, id).await.unwrap();
        groups::delete(&kurso, &class.owner, class.a).await.unwrap();
        enroll(&kurso, anna, &class.code).await.unwrap();
        assert_eq!(own(&kurso, anna, course).await, None);
        assert_eq!(class.enrollment(&kurso, 0).await, id, "the same enrollment");
    }

    async fn a_copied_course_has_the_groups_without_learners_and_codes(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna"]).await;
        class.put(&kurso, 0, Some(class.a)).await;
        class.code_of(&kurso, class.a).await;
        let copy = duplicate::course(&kurso, &class.owner, class.course, Default::default()).await.unwrap().id;
        assert_eq!(titles(&kurso, &class.owner, copy).await, ["А", "Б"]);
        for group in groups::list(&kurso, &class.owner, copy).await.unwrap() {
            assert_eq!((group.students, group.share_code), (0, None));
            assert_ne!(group.id, class.a);
        }
        assert_eq!(class.names(&kurso, GroupFilter::In(class.a)).await, ["anna"]);
    }

    async fn groups_survive_a_transfer_and_end_with_the_course(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris"]).await;
        class.put(&kurso, 0, Some(class.a)).await;
        class.put(&kurso, 1, Some(class.a)).await;
        users::delete_me(&kurso, &class.learners[1]).await.unwrap();
        let heir = kurso.person("heir").await;
        let to = NewOwner::User(heir.id());
        team::hand_over(&kurso, &class.owner, &Origin::default(), Lang::Ru, class.course, to).await.unwrap();
        let kept = groups::list(&kurso, &heir, class.course).await.unwrap();
        assert_eq!(kept.iter().map(|group| group.students).collect::<Vec<_>>(), [1, 0]);
        course::delete(&kurso, &heir, class.course).await.unwrap();
        let left = sql!("SELECT COUNT(*) FROM groups").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(left.0, 0);
    }

    async fn the_check_finds_broken_groups_and_repairs_their_order(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris"]).await;
        class.put(&kurso, 1, Some(class.a)).await;
        team::leave(&kurso, &class.learners[1], class.course).await.unwrap();
        class.code_of(&kurso, class.a).await;
        let found = async || {
            let report = check::check(&kurso, Depth::default()).await.unwrap();
            let rules: Vec<_> = report.findings.iter().map(|finding| (finding.rule, finding.at.split(' ').next().unwrap().to_owned())).collect();
            (report, rules)
        };
        assert_eq!(found().await.1, []);
        let other = kurso.course(&class.owner, &[]).await;
        let foreign = create(&kurso, &class.owner, other, "Чужая").await.unwrap().id;
        for broken in [
            "UPDATE groups SET position = 7 WHERE id = $1",
            "UPDATE courses SET share_code = (SELECT share_code FROM groups WHERE id = $1) WHERE id = (SELECT course_id FROM groups WHERE id = $1)",
        ] {
            sql!(broken, class.a).execute(&kurso.db).await.unwrap();
        }
        for broken in ["UPDATE enrollments SET group_id = $1", "UPDATE ended_enrollments SET group_id = $1"] {
            sql!(broken, foreign).execute(&kurso.db).await.unwrap();
        }
        let (report, rules) = found().await;
        let expected = [
            (Rule::Positions, "courses"),
            (Rule::ShareCodes, "groups"),
            (Rule::Companions, "enrollments"),
            (Rule::Companions, "ended_enrollments"),
        ];
        assert_eq!(rules, expected.map(|(rule, table)| (rule, table.to_owned())));
        assert_eq!(check::repair(&kurso, &report).await.unwrap(), 1);
        assert_eq!(titles(&kurso, &class.owner, class.course).await, ["Б", "А"]);
    }

    /// After any sequence of changes, positions are dense, every learner is in one group of the course or in none, and the
    /// check is clean.
    async fn any_sequence_of_changes_leaves_consistent_groups(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris", "vera"]).await;
        let (owner, course) = (&class.owner, class.course);
        let mut dice = Dice::new(20_261_124);
        for step in 0..60 {
            kurso.clock.advance(Duration::seconds(1));
            let all = groups::list(&kurso, owner, course).await.unwrap();
            let chosen = all.get(dice.roll(all.len())).cloned();
            let learner = &class.learners[dice.roll(3)];
            match (dice.roll(8), chosen) {
                (0, _) | (_, None) => { create(&kurso, owner, course, &format!("Группа {step}")).await.unwrap(); }
                (1, Some(group)) => { groups::delete(&kurso, owner, group.id).await.unwrap(); }
                (2, Some(group)) => {
                    groups::update(&kurso, owner, group.id, command(json!({"position": dice.roll(5)}))).await.unwrap();
                }
                (3, Some(group)) => { groups::generate_code(&kurso, owner, group.id).await.unwrap(); }
                (4, Some(group)) => {
                    let code = group.share_code.unwrap_or_else(|| class.code.clone());
                    let before = own(&kurso, learner, course).await;
                    enroll(&kurso, learner, &code).await.unwrap();
                    let after = own(&kurso, learner, course).await;
                    assert!(before.is_none() || before == after, "step {step}");
                }
                (5, Some(_)) => {
                    team::leave(&kurso, learner, course).await.unwrap();
                    enroll(&kurso, learner, &class.code).await.unwrap();
                }
                (_, Some(group)) => {
                    let ids = [class.enrollment(&kurso, 0).await, class.enrollment(&kurso, dice.roll(3)).await];
                    move_to(&kurso, owner, course, &ids, Some(group.id).filter(|_| dice.roll(4) > 0)).await.unwrap();
                }
            }
            titles(&kurso, owner, course).await;
        }
        let counted: i64 = groups::list(&kurso, owner, course).await.unwrap().iter().map(|group| group.students).sum();
        assert_eq!(counted + class.names(&kurso, GroupFilter::Without).await.len() as i64, 3);
        let report = check::check(&kurso, Depth::default()).await.unwrap();
        assert!(report.is_clean(), "{:?}", report.findings);
    }

    /// Teachers who change groups at once lose nothing, and learners who read meanwhile disturb nobody.
    async fn concurrent_changes_of_groups_are_all_kept(kurso: TestKurso) {
        let class = Class::new(&kurso, &["anna", "boris", "vera"]).await;
        let ids = [class.enrollment(&kurso, 0).await, class.enrollment(&kurso, 1).await, class.enrollment(&kurso, 2).await];
        let page = CourseView::load(&kurso, &class.owner, class.course, Right::Read).await.unwrap().page(0).id;
        let changes = (0..10).map(|n| {
            let (kurso, class, ids) = (&kurso, &class, &ids);
            async move {
                create(kurso, &class.owner, class.course, &format!("В{n}")).await.unwrap();
                let group = [class.a, class.b][n % 2];
                move_to(kurso, &class.owner, class.course, ids, Some(group)).await.unwrap();
                mark_page_visited(kurso, &class.learners[n % 3], page).await.unwrap();
            }
        });
        futures_util::future::join_all(changes).await;
        let groups = groups::list(&kurso, &class.owner, class.course).await.unwrap();
        assert_eq!(groups.len(), 12);
        titles(&kurso, &class.owner, class.course).await;
        let mut sizes: Vec<_> = groups[..2].iter().map(|group| group.students).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [0, 3], "each move is whole");
    }
}

#[test]
fn a_filter_is_a_groups_id_or_none() {
    let id = GroupId::new();
    for filter in [GroupFilter::Without, GroupFilter::In(id)] {
        assert_eq!(GroupFilter::check(filter.to_string()), Ok(filter));
    }
    assert_eq!(GroupFilter::check("x".to_owned()).unwrap_err().kind, "uuid_parsing");
}
