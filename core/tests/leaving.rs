//! Learners who leave a course and enroll again, on both databases.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_core::access::Right;
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, team};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::students::{self, Query};
use kurso_core::testing::submission;
use kurso_core::{attempts, both, users};
use kurso_db::sql;
use serde_json::json;

both! {
    async fn leaving_and_enrolling_again_gains_no_attempts(kurso: TestKurso) {
        let (owner, anna) = (kurso.person("owner").await, kurso.person("anna").await);
        let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
        let view = CourseView::load(&kurso, &owner, course, Right::ReadAsAuthor).await.unwrap();
        let pages = [0, 1].map(|place| view.page(place).id);
        let once = json!({"pass_percent": 100, "max_attempts": 1,
            "questions": [{"type": "short_text", "prompt": "?", "accepted": ["да"]}]});
        let quiz = kurso.set_quiz(pages[1], &once).await;
        let submit = async |text: &str| {
            let answers = json!({"answers": [{"question_id": quiz.questions[0].id, "text": text}]});
            attempts::submit(&kurso, &anna, pages[1], submission(&answers)).await
        };
        let code = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
        let enroll = async || learning::enroll(&kurso, &anna, &Origin::default(), &code).await.unwrap();
        let list = async || students::list(&kurso, &owner, course, &Query::default(), Page::default()).await.unwrap().data;
        enroll().await;
        mark_page_visited(&kurso, &anna, pages[0]).await.unwrap();
        let first = submit("нет").await.unwrap().attempt;
        for _ in 0..2 {
            team::leave(&kurso, &anna, course).await.unwrap();
            assert!(list().await.is_empty());
            enroll().await;
            let again = submit("да").await;
            assert!(matches!(again, Err(Error::Conflict(Message::OutOfAttempts))), "{again:?}");
        }
        let student = list().await.remove(0);
        assert_eq!(student.progress.percent(), 50);
        let kept = attempts::attempts_of(&kurso, student.enrollment_id, pages[1]).await.unwrap();
        assert_eq!(kept.iter().map(|attempt| attempt.id).collect::<Vec<_>>(), [first.id]);
        // Nothing is left behind, and deleting the account removes what was set aside.
        let left = async || {
            let count = sql!("SELECT (SELECT COUNT(*) FROM ended_enrollments) + (SELECT COUNT(*) FROM ended_visits)
                              + (SELECT COUNT(*) FROM ended_attempts)");
            count.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
        };
        assert_eq!(left().await, 0);
        team::leave(&kurso, &anna, course).await.unwrap();
        assert_eq!(left().await, 3);
        users::delete_me(&kurso, &anna).await.unwrap();
        assert_eq!(left().await, 0);
    }
}
