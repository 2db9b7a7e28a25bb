//! Learners who leave a course and enroll again, on both databases.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;

use futures_util::TryStreamExt as _;
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_core::access::Right;
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, team};
use kurso_core::learning::places::keep_place;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::students::{self, Query};
use kurso_core::testing::{TestKurso, command, submission};
use kurso_core::{attempts, both, users};
use kurso_db::sql;
use kurso_db::tables::{Value as Field, tables};
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

    async fn a_returning_learner_gets_every_column_back(kurso: TestKurso) {
        let (owner, anna) = (kurso.person("owner").await, kurso.person("anna").await);
        let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
        let view = CourseView::load(&kurso, &owner, course, Right::ReadAsAuthor).await.unwrap();
        let pages = [0, 1].map(|place| view.page(place).id);
        let once = json!({"pass_percent": 100, "max_attempts": 1,
            "questions": [{"type": "short_text", "prompt": "?", "accepted": ["да"]}]});
        let quiz = kurso.set_quiz(pages[1], &once).await;
        let code = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
        let enrolled = learning::enroll(&kurso, &anna, &Origin::default(), &code).await.unwrap();
        mark_page_visited(&kurso, &anna, pages[0]).await.unwrap();
        let place = command(json!({"version": 1, "block": 3, "part": 250, "heading": "стек"}));
        keep_place(&kurso, &anna, pages[0], place).await.unwrap();
        for answer in ["нет", "да"] {
            let body = json!({"submission_id": uuid::Uuid::now_v7(),
                "answers": [{"question_id": quiz.questions[0].id, "text": answer}]});
            attempts::submit(&kurso, &anna, pages[1], submission(&body)).await.unwrap();
            if answer == "нет" {
                attempts::grant(&kurso, &owner, enrolled.enrollment.as_ref().unwrap().id, pages[1]).await.unwrap();
            }
        }
        let before = rows(&kurso).await;
        assert!(before.values().all(|rows| !rows.is_empty()), "{before:?}");
        team::leave(&kurso, &anna, course).await.unwrap();
        assert!(rows(&kurso).await.values().all(Vec::is_empty));
        kurso.clock.advance(chrono::Duration::days(1));
        learning::enroll(&kurso, &anna, &Origin::default(), &code).await.unwrap();
        assert_eq!(rows(&kurso).await, before);
    }
}

/// All rows of the tables that belong to enrollments, as the catalogue describes them, without the time of the last activity.
async fn rows(kurso: &TestKurso) -> BTreeMap<String, Vec<String>> {
    let mut snapshot = kurso.db.snapshot().await.unwrap();
    let mut found = BTreeMap::new();
    for table in tables(&mut snapshot).await.unwrap() {
        if !["enrollments", "visits", "attempts", "extra_attempts"].contains(&table.name.as_str()) {
            continue;
        }
        let rows: Vec<_> = table.rows(&mut snapshot).unwrap().try_collect().await.unwrap();
        let named = |row: Vec<Field>| {
            let fields = table
                .columns
                .iter()
                .zip(row)
                .filter(|(column, _)| column.name != "last_activity_at");
            fields
                .map(|(column, field)| format!("{}: {field:?}", column.name))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let texts = rows.into_iter().map(named).collect();
        found.insert(table.name.clone(), texts);
    }
    found
}
