//! Overrides together with groups, roles and dates that are out of order, on both databases.

use kurso_base::ids::GroupId;
use kurso_base::messages::Message;
use kurso_core::both;
use kurso_core::courses::{course, groups};
use kurso_core::schedule::State;
use kurso_core::testing::command;
use serde_json::json;

use super::{TOMORROW, YESTERDAY, class, refused};

both! {
    async fn an_order_that_was_wrong_before_refuses_only_dates(kurso: TestKurso) {
        let class = class(&kurso).await;
        let quiz = class.pages[1];
        class.for_group(&kurso, json!({"page_id": quiz, "due_at": "2026-12-10"})).await;
        class.date_quiz(&kurso, json!({"available_until": "2026-12-01"})).await;
        class.for_learner(&kurso, json!({"page_id": quiz, "extra_attempts": 2})).await;
        class.for_learner(&kurso, json!({"page_id": quiz, "extra_attempts": 2, "late_until": null})).await;
        let own = json!({"enrollment_id": class.enrollments[0], "page_id": quiz, "extra_attempts": 2, "available_from": "2026-11-01"});
        assert_eq!(refused(class.set(&kurso, own).await), [("available_until".to_owned(), Message::DatesOutOfOrder)]);
    }

    async fn staff_who_are_enrolled_see_the_dates_of_the_course(kurso: TestKurso) {
        let class = class(&kurso).await;
        let page = class.pages[1];
        kurso.collaborator(class.course, &class.learners[0], "teacher").await;
        let times = json!({"available_until": TOMORROW, "due_at": TOMORROW, "late_until": "2026-11-23"});
        class.date_quiz(&kurso, times).await;
        let ends = command(json!({"ends_at": TOMORROW}));
        course::update(&kurso, &class.owner, class.course, ends).await.unwrap();
        class.for_group(&kurso, json!({"available_until": null})).await;
        class.for_learner(&kurso, json!({"page_id": page, "available_until": null, "due_at": null, "extra_attempts": 2})).await;
        let view = class.view(&kurso, 0).await;
        let (whole, quiz, end) = (view.timeline().course(), view.timeline().page(1), Some(TOMORROW.parse().unwrap()));
        assert_eq!((whole.closes_at, quiz.closes_at, quiz.due_at, quiz.state), (end, end, end, State::Open));
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(3), "their attempts are limited as those of learners");
        assert_eq!(class.submit(&kurso, 0).await.unwrap().attempts_left, Some(2));
    }

    async fn each_learner_has_the_override_of_the_present_group(kurso: TestKurso) {
        let class = class(&kurso).await;
        let page = class.pages[1];
        class.date_quiz(&kurso, json!({"available_until": YESTERDAY})).await;
        let second = groups::create(&kurso, &class.owner, class.course, command(json!({"title": "Б"}))).await.unwrap().id;
        class.for_group(&kurso, json!({"page_id": page, "available_until": null, "extra_attempts": 1})).await;
        class.set(&kurso, json!({"group_id": second, "page_id": page, "available_from": TOMORROW, "available_until": null})).await.unwrap();
        class.for_learner(&kurso, json!({"page_id": page, "due_at": "2026-12-01"})).await;
        let put = async |group: Option<GroupId>| {
            let to = command(json!({"enrollment_ids": [class.enrollments[0]], "group_id": group}));
            groups::move_students(&kurso, &class.owner, class.course, to).await.unwrap();
        };
        let due = Some("2026-12-01T23:59:00Z".parse().unwrap());
        for (group, state, left) in [
            (Some(class.group), State::Open, 2), (Some(second), State::Locked, 1), (None, State::Closed, 1),
            (Some(class.group), State::Open, 2),
        ] {
            put(group).await;
            assert_eq!(class.states(&kurso).await, [state, State::Closed], "{group:?}");
            assert_eq!(class.attempts_left(&kurso, 0).await, Some(left), "{group:?}");
            let timing = class.view(&kurso, 0).await.timeline().page(1);
            assert_eq!(timing.due_at, due, "that of the learner stays");
        }
    }
}
