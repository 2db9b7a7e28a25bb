//! `kurso check` finds penalties, overrides and calendar feeds that no server writes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::slice;

use kurso_base::ids::{LessonId, PageId};
use kurso_base::messages::Lang;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::calendar::feed;
use kurso_core::check::{self, Depth, Finding, Rule};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, overrides};
use kurso_core::learning::enroll;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command, submission};
use kurso_db::sql;
use kurso_formats::quiz;
use serde_json::{Value, json};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;
use std::str::FromStr as _;

/// A course of a lesson with a content page and a quiz, which a learner has taken, an override of the quiz, and a calendar feed.
struct Class {
    learner: Viewer,
    lesson: LessonId,
    pages: Vec<PageId>,
}

async fn class(kurso: &TestKurso) -> Class {
    let (owner, learner) = (kurso.person("owner").await, kurso.person("anna").await);
    let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
    let code = courses::generate_share_code(kurso, &owner, course)
        .await
        .unwrap()
        .share_code
        .unwrap();
    let course = enroll(kurso, &learner, &Origin::default(), &code).await.unwrap();
    let tree = CourseView::load(kurso, &owner, course.id, Right::Read)
        .await
        .unwrap()
        .tree;
    let pages: Vec<PageId> = tree.pages.iter().map(|page| page.id).collect();
    let question = json!({"type": "numeric", "prompt": "?", "value": 4});
    kurso
        .set_quiz(pages[1], &json!({"pass_percent": 60, "questions": [question]}))
        .await;
    let texts = kurso_core::attempts::for_author(&kurso.db, &[pages[1]]).await.unwrap();
    let question = quiz::Quiz::from_text(&texts[&pages[1]]).unwrap().questions[0].id;
    let answers = json!({"answers": [{"question_id": question, "number": 4}]});
    kurso_core::attempts::submit(kurso, &learner, pages[1], submission(&answers))
        .await
        .unwrap();
    let enrollment = course.enrollment.unwrap().id;
    let more = json!({"enrollment_id": enrollment, "page_id": pages[1], "extra_attempts": 1, "due_at": "2026-12-01", "available_until": null});
    overrides::set(kurso, &owner, course.id, command(&more)).await.unwrap();
    feed::create(kurso, &learner, Lang::Ru).await.unwrap();
    Class {
        learner,
        lesson: tree.lessons[0].id,
        pages,
    }
}

async fn found(kurso: &TestKurso) -> Vec<Finding> {
    check::check(kurso, Depth::default()).await.unwrap().findings
}

/// Makes a change, expects one finding with this problem, and takes the change back.
async fn damage(kurso: &TestKurso, change: &'static str, back: &'static str, rule: Rule, problem: &str) {
    assert!(sql!(change).execute(&kurso.db).await.unwrap() > 0, "{change}");
    let findings = found(kurso).await;
    let seen: Vec<_> = findings
        .iter()
        .filter(|found| found.rule == rule)
        .map(|found| found.problem.as_str())
        .collect();
    assert_eq!(seen, [problem], "{change}: {findings:?}");
    sql!(back).execute(&kurso.db).await.unwrap();
    assert_eq!(found(kurso).await, [], "{back}");
}

both! {
    async fn penalties_that_are_no_percents_are_found(kurso: TestKurso) {
        class(&kurso).await;
        let of_page = "its penalty for late attempts is not between 0 and 100 percent";
        let back = "UPDATE pages SET late_penalty_per_day = NULL, late_penalty_max = NULL";
        for change in [
            "UPDATE pages SET late_penalty_per_day = 101 WHERE kind = 'quiz'",
            "UPDATE pages SET late_penalty_per_day = -1 WHERE kind = 'quiz'",
            "UPDATE pages SET late_penalty_per_day = 5, late_penalty_max = 1000 WHERE kind = 'quiz'",
        ] {
            damage(&kurso, change, back, Rule::Dates, of_page).await;
        }
        let of_attempt = "the penalty that it lost is not between 0 and 100 percent";
        damage(&kurso, "UPDATE attempts SET penalty_percent = 101", "UPDATE attempts SET penalty_percent = 0", Rule::Dates, of_attempt).await;
        sql!("UPDATE pages SET late_penalty_per_day = 100, late_penalty_max = 0").execute(&kurso.db).await.unwrap();
        assert_eq!(found(&kurso).await, [], "the bounds themselves");
    }

    async fn overrides_that_contradict_themselves_or_their_part_are_found(kurso: TestKurso) {
        let class = class(&kurso).await;
        assert_eq!(found(&kurso).await, []);
        let both = "it both sets and lifts a field";
        for (change, back) in [
            ("UPDATE schedule_overrides SET due_at_lifted = TRUE", "UPDATE schedule_overrides SET due_at_lifted = FALSE"),
            ("UPDATE schedule_overrides SET extra_attempts_lifted = TRUE", "UPDATE schedule_overrides SET extra_attempts_lifted = FALSE"),
            (
                "UPDATE schedule_overrides SET available_until = '2026-12-01T00:00:00+00:00'",
                "UPDATE schedule_overrides SET available_until = NULL",
            ),
        ] {
            damage(&kurso, change, back, Rule::Dates, both).await;
        }
        let problems = async |part: &'static str, id: Option<uuid::Uuid>| -> Vec<Value> {
            sql!("UPDATE schedule_overrides SET page_id = NULL, lesson_id = NULL").execute(&kurso.db).await.unwrap();
            if let Some(id) = id {
                sql!(part, id).execute(&kurso.db).await.unwrap();
            }
            found(&kurso).await.into_iter().map(|found| json!([found.rule, found.problem])).collect()
        };
        let (page, lesson) = ("UPDATE schedule_overrides SET page_id = $1", "UPDATE schedule_overrides SET lesson_id = $1");
        let no_quiz = json!(["dates", "it gives attempts or late attempts to something that is no quiz"]);
        assert_eq!(problems(page, Some(class.pages[0].0)).await, slice::from_ref(&no_quiz));
        assert_eq!(problems(lesson, Some(class.lesson.0)).await, slice::from_ref(&no_quiz));
        let due = json!(["dates", "it gives the course itself a due date"]);
        assert_eq!(problems(page, None).await, [no_quiz, due]);
        assert_eq!(problems(page, Some(class.pages[1].0)).await, [] as [Value; 0]);
        sql!("UPDATE schedule_overrides SET extra_attempts = NULL, time_factor = 2").execute(&kurso.db).await.unwrap();
        let time = json!(["dates", "it gives more time to a page that is no quiz"]);
        assert_eq!(problems(page, Some(class.pages[0].0)).await, [time]);
        assert_eq!(problems(lesson, Some(class.lesson.0)).await, [] as [Value; 0], "the quizzes of the lesson get more time");
        sql!("UPDATE schedule_overrides SET due_at = NULL, time_factor = NULL, available_until_lifted = FALSE").execute(&kurso.db).await.unwrap();
        assert_eq!(problems(lesson, Some(class.lesson.0)).await, [json!(["dates", "it overrides nothing"])]);
    }

    async fn damaged_calendar_feeds_are_found(kurso: TestKurso) {
        let class = class(&kurso).await;
        assert_eq!(found(&kurso).await, []);
        let whole = "UPDATE calendar_feeds SET token_hash = LOWER(token_hash), lang = 'ru', last_read_at = NULL, revision = 0, fingerprint = ''";
        for (change, problem) in [
            ("UPDATE calendar_feeds SET token_hash = REPLACE(UPPER(token_hash), '1', 'A')", "the hash of its address is none"),
            ("UPDATE calendar_feeds SET lang = 'de'", "its language is unknown"),
            ("UPDATE calendar_feeds SET revision = -1", "its revision and the hash of its events do not go together"),
            ("UPDATE calendar_feeds SET revision = 3", "its revision and the hash of its events do not go together"),
            ("UPDATE calendar_feeds SET fingerprint = 'x'", "its revision and the hash of its events do not go together"),
        ] {
            damage(&kurso, change, whole, Rule::Feeds, problem).await;
        }
        sql!("UPDATE calendar_feeds SET token_hash = NULL, last_read_at = created_at").execute(&kurso.db).await.unwrap();
        assert_eq!(found(&kurso).await[0].problem, "it was read but has no address");
        sql!("UPDATE calendar_feeds SET last_read_at = NULL").execute(&kurso.db).await.unwrap();
        assert_eq!(found(&kurso).await, [], "a revoked address");
        // The foreign key is dropped first, because it deletes a feed together with its owner.
        if kurso.db.name() == "sqlite" {
            let options = SqliteConnectOptions::from_str(&kurso.url).unwrap().foreign_keys(false);
            let mut connection = options.connect().await.unwrap();
            sqlx::query("UPDATE calendar_feeds SET user_id = randomblob(16)").execute(&mut connection).await.unwrap();
        } else {
            sql!("ALTER TABLE calendar_feeds DROP CONSTRAINT calendar_feeds_user_id_fkey").execute(&kurso.db).await.unwrap();
            sql!("UPDATE calendar_feeds SET user_id = gen_random_uuid()").execute(&kurso.db).await.unwrap();
        }
        let findings = found(&kurso).await;
        assert!(findings.iter().any(|found| found.rule == Rule::Feeds && found.problem == "its owner does not exist"), "{findings:?}");
        assert!(!findings.iter().any(|found| found.at.contains(&class.learner.id().to_string())));
    }
}
