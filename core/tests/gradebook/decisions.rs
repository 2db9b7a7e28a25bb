//! Decisions of teachers: what is refused, the history, and teachers who decide at the same time.

use futures_util::future::join_all;
use kurso_core::audit::{self, Act, Filter};
use kurso_core::gradebook::{CellRead, DecisionKind, MAX_CHANGES};
use kurso_core::users;
use kurso_db::args;

use super::*;

both! {
    async fn decisions_that_make_no_sense_are_refused(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        class.set_items(&kurso, &[0], json!({"points": "5"})).await.unwrap();
        let field = |name: &str, message| vec![(name.to_owned(), message)];
        for (quiz, body, expected) in [
            (Some(0), json!({"kind": "override", "reason": "П"}), field("points", Message::PointsRequired)),
            (Some(0), json!({"kind": "override", "points": "5"}), field("reason", Message::ReasonRequired)),
            (Some(0), json!({"kind": "excused", "points": "5", "reason": "П"}), field("points", Message::PointsNotHere)),
            (Some(0), json!({"kind": "removed", "points": "5"}), field("points", Message::PointsNotHere)),
            (Some(0), json!({"kind": "override", "points": "50.01", "reason": "П"}), field("points", Message::GivenTooMuch("50".to_owned()))),
            (None, json!({"kind": "override", "points": "1000.01", "reason": "П"}), field("points", Message::GivenTooMuch("1000".to_owned()))),
            (None, json!({"kind": "excused", "reason": "П"}), field("kind", Message::ExcusedFromCourse)),
        ] {
            assert_eq!(refused(class.decide(&kurso, 0, quiz, body.clone()).await), expected, "{body}");
        }
        class.decide(&kurso, 0, Some(0), json!({"kind": "override", "points": "50", "reason": "П"})).await.unwrap();
        let decide = async |page: PageId| {
            let body = json!({"page_id": page, "version": 0, "kind": "excused", "reason": "П"});
            gradebook::decide(&kurso, &class.owner, class.enrollments[0], command(body)).await
        };
        assert_eq!(refused(decide(class.content).await), field("page_id", Message::NotGraded));
        class.date(&kurso, 1, json!({"published": false})).await;
        assert_eq!(refused(decide(class.quizzes[1]).await), field("page_id", Message::NotGraded));
        let gone = gradebook::read_cell(&kurso, &class.owner, class.enrollments[0], Some(class.quizzes[1])).await;
        assert!(matches!(gone, Err(Error::NotFound(Message::PageNotFound))), "{gone:?}");
    }

    async fn every_decision_is_kept_with_who_when_and_why(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let root = kurso.superuser("root").await;
        let decisions = [
            json!({"kind": "override", "points": "70", "reason": "Устный ответ"}),
            json!({"kind": "excused", "reason": "Болела"}),
            json!({"kind": "removed"}),
            json!({"kind": "removed"}),
        ];
        for body in decisions {
            kurso.clock.advance(Duration::minutes(1));
            class.decide(&kurso, 0, Some(0), body).await.unwrap();
        }
        let read = async || gradebook::read_cell(&kurso, &class.owner, class.enrollments[0], Some(class.quizzes[0])).await.unwrap();
        let cell = read().await;
        let kept: Vec<_> = cell.history.iter().map(|d| (d.version, d.kind, d.points, d.reason.as_deref())).collect();
        assert_eq!(kept, [
            (3, DecisionKind::Removed, None, None),
            (2, DecisionKind::Excused, None, Some("Болела")),
            (1, DecisionKind::Override, Some(7000), Some("Устный ответ")),
        ], "taking back nothing is no decision");
        assert!(cell.history.iter().all(|decision| decision.by.as_ref().unwrap().full_name.as_deref() == Some("teacher")));
        assert_eq!(kurso.clock.now() - cell.history[0].at, Duration::minutes(1));
        let filter = Filter { act: Some(Act::GradeDecided), ..Filter::default() };
        let entries = audit::list(&kurso, &root, &filter, Page::default()).await.unwrap().data;
        let details: Vec<_> = entries.iter().map(|entry| entry.detail.as_deref().unwrap()).collect();
        assert_eq!(details, ["removed", "excused", "override"]);
        assert_eq!(entries[0].person.as_ref().unwrap().id, class.learners[0].id());
        users::delete(&kurso, &root, class.teacher.id()).await.unwrap();
        assert!(read().await.history.iter().all(|decision| decision.by.is_none() && decision.version > 0), "the history stays");
        team::leave(&kurso, &class.learners[0], class.course).await.unwrap();
        let gone = gradebook::read_cell(&kurso, &class.owner, class.enrollments[0], None).await;
        assert!(matches!(gone, Err(Error::NotFound(Message::StudentNotFound))), "{gone:?}");
        users::delete(&kurso, &root, class.learners[0].id()).await.unwrap();
        let (left,) = sql!("SELECT COUNT(*) FROM grade_decisions").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(left, 0, "what is about a person goes with the account");
    }

    async fn a_stale_decision_changes_nothing_and_shows_what_is_stored(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let on = |version: i64, points: &str, by: &'static str| {
            json!({"page_id": class.quizzes[0], "version": version, "kind": "override", "points": points, "reason": by})
        };
        let decide = async |viewer: &Viewer, body: Value| gradebook::decide(&kurso, viewer, class.enrollments[0], command(body)).await.unwrap();
        assert!(matches!(decide(&class.owner, on(0, "60", "первый")).await, Decided::Stored(_)));
        let Decided::Stale(stored) = decide(&class.teacher, on(0, "90", "второй")).await else { panic!("stored") };
        let shown = |read: &CellRead| (read.cell.unwrap().points, read.cell.unwrap().version, read.history[0].reason.clone().unwrap());
        assert_eq!(shown(&stored), (Some(6000), 1, "первый".to_owned()));
        let Decided::Stale(_) = decide(&class.teacher, on(2, "90", "из будущего")).await else { panic!("stored") };
        let Decided::Stored(stored) = decide(&class.teacher, on(1, "90", "второй")).await else { panic!("stale") };
        assert_eq!(shown(&stored), (Some(9000), 2, "второй".to_owned()));
        assert_eq!(stored.row.grades.total.percent, Some(9000), "the row is that after the decision");
    }

    /// Each teacher decides on every cell and retries after a conflict until the decision is stored: the history has every decision once.
    async fn ten_teachers_at_once_lose_no_decision(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let mut teachers = vec![];
        for n in 0..10 {
            let teacher = kurso.person(&format!("teacher-{n}")).await;
            kurso.collaborator(class.course, &teacher, "teacher").await;
            teachers.push(teacher);
        }
        let (kurso, class) = (&kurso, &class);
        let works = teachers.iter().enumerate().map(|(n, teacher)| async move {
            let mut conflicts = 0;
            for quiz in [None, Some(0), Some(1)] {
                let page = quiz.map(|quiz: usize| class.quizzes[quiz]);
                let mut version = 0;
                loop {
                    let body = json!({"page_id": page, "version": version,
                        "kind": "override", "points": n.to_string(), "reason": format!("{n}")});
                    match gradebook::decide(kurso, teacher, class.enrollments[0], command(body)).await.unwrap() {
                        Decided::Stored(_) => break,
                        Decided::Stale(read) => {
                            conflicts += 1;
                            version = read.history[0].version;
                        }
                    }
                }
            }
            conflicts
        });
        let conflicts: usize = join_all(works).await.into_iter().sum();
        assert!(conflicts > 0, "they do meet");
        for quiz in [None, Some(0), Some(1)] {
            let page = quiz.map(|quiz: usize| class.quizzes[quiz]);
            let read = gradebook::read_cell(kurso, &class.owner, class.enrollments[0], page).await.unwrap();
            let mut by: Vec<usize> = read.history.iter().map(|decision| decision.reason.as_ref().unwrap().parse().unwrap()).collect();
            assert_eq!(read.history.iter().map(|decision| decision.version).collect::<Vec<_>>(), (1..=10).rev().collect::<Vec<_>>());
            by.sort_unstable();
            assert_eq!(by, (0..10).collect::<Vec<_>>());
        }
    }

    async fn a_cell_has_a_limit_of_decisions(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let (user, now) = (class.learners[0].id(), kurso.clock.now());
        let versions: Vec<i64> = (1..MAX_CHANGES).collect();
        for some in versions.chunks(100) {
            sql!("INSERT INTO grade_decisions (id, course_id, user_id, version, is_current, kind, points, reason, decided_at) VALUES ")
                .push_rows(some, |version| {
                    let id = kurso_base::ids::GradeDecisionId::new();
                    args![id, class.course, user, *version, *version == MAX_CHANGES - 1, "override", *version, "П", now]
                })
                .execute(&kurso.db).await.unwrap();
        }
        class.decide(&kurso, 0, None, json!({"kind": "override", "points": "7", "reason": "П"})).await.unwrap();
        let more = class.decide(&kurso, 0, None, json!({"kind": "override", "points": "8", "reason": "П"})).await;
        assert!(matches!(more, Err(Error::Conflict(Message::TooManyGradeChanges(MAX_CHANGES)))), "{more:?}");
        assert_eq!(class.grades(&kurso, 0).await.total.percent, Some(700));
    }
}
