//! Quizzes on both databases: submitting answers, the limit on attempts, concurrent submissions.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod formulas;
mod showing;

use chrono::Duration;
use futures_util::future::join_all;
use kurso_base::error::{Error, Loc};
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::attempts::Submitted;
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses;
use kurso_core::courses::tree::PageKind::{self, Content, Quiz};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited, my_progress};
use kurso_core::testing::{TestKurso, command, submission};
use kurso_db::sql;
use kurso_formats::quiz;
use kurso_formats::quiz::Submission;
use serde_json::{Value, json};
use uuid::Uuid;

/// Two questions of one point each. Tests search responses for the texts of their answers and explanations.
fn two_questions() -> Value {
    json!({"pass_percent": 100, "questions": [
        {"type": "short_text", "prompt": "Столица?", "accepted": ["Москва", "Moscow"], "explanation": "Со времён Ивана III."},
        {"type": "numeric", "prompt": "6 × 7?", "value": 42, "explanation": "Потому что."},
    ]})
}

/// The answers to [`two_questions`].
fn answers(quiz: &quiz::Quiz, text: &str, number: &str) -> Value {
    json!({"answers": [
        {"question_id": quiz.questions[0].id, "text": text},
        {"question_id": quiz.questions[1].id, "number": number},
    ]})
}

struct Class {
    owner: Viewer,
    learner: Viewer,
    course: CourseId,
    enrollment: EnrollmentId,
    pages: Vec<PageId>,
}

/// A course of one lesson with these pages, and a learner enrolled in it.
async fn class(kurso: &TestKurso, pages: &[PageKind]) -> Class {
    let (owner, learner) = (kurso.person("owner").await, kurso.person("anna").await);
    let course = kurso.course(&owner, &[&[pages]]).await;
    let enrollment = join(kurso, &owner, course, &learner).await;
    let view = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap();
    let pages = view.tree.pages.iter().map(|page| page.id).collect();
    Class {
        owner,
        learner,
        course,
        enrollment,
        pages,
    }
}

async fn join(kurso: &TestKurso, owner: &Viewer, course: CourseId, who: &Viewer) -> EnrollmentId {
    let shared = courses::generate_share_code(kurso, owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    let course = enroll(kurso, who, &Origin::default(), &code).await.unwrap();
    course.enrollment.unwrap().id
}

impl Class {
    async fn submit(&self, kurso: &TestKurso, body: &Value) -> Result<Submitted, Error> {
        attempts::submit(kurso, &self.learner, self.pages[0], Submission::read(body)?).await
    }

    async fn page(&self, kurso: &TestKurso) -> attempts::QuizPage {
        let page = self.pages[0];
        let mut found = attempts::for_learner(kurso, Some(self.enrollment), &[page])
            .await
            .unwrap();
        found.remove(&page).unwrap()
    }

    async fn attempts_left(&self, kurso: &TestKurso) -> Option<i64> {
        my_progress(kurso, &self.learner, self.course)
            .await
            .unwrap()
            .attempts_left(0)
    }

    async fn attempts(&self, kurso: &TestKurso) -> Vec<attempts::Attempt> {
        attempts::attempts_of(kurso, self.enrollment, self.pages[0])
            .await
            .unwrap()
    }
}

async fn attempts_stored(kurso: &TestKurso) -> i64 {
    sql!("SELECT COUNT(*) FROM attempts")
        .fetch_one::<(i64,)>(&kurso.db)
        .await
        .unwrap()
        .0
}

both! {
    /// Attempts keep their order and numbers, and the stored data stays consistent.
    async fn attempts_stay_in_order_when_the_clock_jumps(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz, Content]).await;
        let quiz = kurso.set_quiz(class.pages[0], &two_questions()).await;
        let jumps = [Duration::days(400), Duration::days(-800), Duration::hours(-1), Duration::minutes(1), Duration::days(30)];
        for (n, jump) in (1..).zip(jumps) {
            kurso.clock.advance(jump);
            let taken = class.submit(&kurso, &answers(&quiz, "Рим", &n.to_string())).await.unwrap();
            assert_eq!((taken.attempt.attempt_no, taken.attempt.submitted_at), (n, kurso.clock.now()));
        }
        // A time before the enrollment.
        kurso.clock.advance(Duration::days(-3000));
        mark_page_visited(&kurso, &class.learner, class.pages[1]).await.unwrap();
        let whole = class.submit(&kurso, &answers(&quiz, "Москва", "42")).await.unwrap();
        assert_eq!((whole.attempt.attempt_no, whole.view.progress.percent()), (6, 100));
        let numbers: Vec<_> = class.attempts(&kurso).await.iter().map(|attempt| attempt.attempt_no).collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [1, 2, 3, 4, 5, 6], "{numbers:?}");
        assert!(numbers.is_sorted() || numbers.iter().rev().is_sorted(), "{numbers:?}");

        // The session is still valid at the present time.
        let again = kurso_core::auth::revalidate(&kurso, &class.learner).await.unwrap();
        assert_eq!(again.0.id(), class.learner.id());
        kurso.clock.advance(Duration::days(4000));
        let late = kurso.clock.now();
        let view = my_progress(&kurso, &class.learner, class.course).await.unwrap();
        assert!(view.progress.completed_at.unwrap() < late);
        let report = kurso_core::check::check(&kurso, kurso_core::check::Depth::default()).await.unwrap();
        assert_eq!(report.problems, 0, "{:?}", report.findings);
    }

    async fn passing_the_last_quiz_completes_the_course(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz, Content]).await;
        let quiz = kurso.set_quiz(class.pages[0], &two_questions()).await;
        mark_page_visited(&kurso, &class.learner, class.pages[1]).await.unwrap();
        kurso.clock.advance(Duration::minutes(1));

        let half = class.submit(&kurso, &answers(&quiz, " москва ", "41")).await.unwrap();
        assert_eq!((half.attempt.attempt_no, half.attempt.score, half.attempt.max_score), (1, 1.0, 2.0));
        assert_eq!((half.attempt.percent, half.attempt.passed, half.attempts_left), (50, false, None));
        assert_eq!(half.view.progress.percent(), 50);

        kurso.clock.advance(Duration::minutes(1));
        let now = kurso.clock.now();
        let whole = class.submit(&kurso, &answers(&quiz, "Moscow", "42,0")).await.unwrap();
        assert_eq!((whole.attempt.attempt_no, whole.attempt.percent, whole.attempt.passed), (2, 100, true));
        assert_eq!(whole.attempt.submitted_at, now);
        assert_eq!(whole.view.progress.completed_at, Some(now));
        let view = my_progress(&kurso, &class.learner, class.course).await.unwrap();
        assert_eq!((view.progress.percent(), view.progress.completed_at), (100, Some(now)));
        assert_eq!(view.course.enrollment.unwrap().last_activity_at, now);

        // Attempts after a passed one are possible, and the best one counts.
        class.submit(&kurso, &json!({"answers": []})).await.unwrap();
        let page = class.page(&kurso).await;
        assert_eq!((page.best_percent, page.passed, class.attempts_left(&kurso).await), (Some(100), true, None));
        assert_eq!(my_progress(&kurso, &class.learner, class.course).await.unwrap().progress.percent(), 100);
        let percents: Vec<_> = class.attempts(&kurso).await.iter().map(|a| a.percent).collect();
        assert_eq!(percents, [50, 100, 0]);
    }

    async fn only_enrolled_learners_submit_to_published_quizzes(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz, Content, Quiz]).await;
        let quiz = kurso.set_quiz(class.pages[0], &two_questions()).await;
        let stranger = kurso.person("boris").await;
        let body = answers(&quiz, "Москва", "42");
        let refused = attempts::submit(&kurso, &class.owner, class.pages[0], submission(&body)).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::NotEnrolled))), "{refused:?}");
        let refused = attempts::submit(&kurso, &stranger, class.pages[0], submission(&body)).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::PageNotFound))), "{refused:?}");
        let refused = attempts::submit(&kurso, &class.learner, class.pages[1], submission(&body)).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::NoQuiz))), "a content page: {refused:?}");
        let refused = attempts::submit(&kurso, &class.learner, class.pages[2], submission(&json!({"answers": []}))).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::NoQuiz))), "an empty quiz: {refused:?}");

        // Enrolled staff submit like other learners. An unpublished page is not found.
        join(&kurso, &class.owner, class.course, &class.owner).await;
        assert!(attempts::submit(&kurso, &class.owner, class.pages[0], submission(&body)).await.unwrap().attempt.passed);
        sql!("UPDATE pages SET published = FALSE").execute(&kurso.db).await.unwrap();
        sql!("UPDATE courses SET structure_version = structure_version + 1").execute(&kurso.db).await.unwrap();
        for person in [&class.learner, &class.owner] {
            let refused = attempts::submit(&kurso, person, class.pages[0], submission(&body)).await;
            assert!(matches!(refused, Err(Error::NotFound(Message::PageNotFound))), "{refused:?}");
        }
        assert_eq!(attempts_stored(&kurso).await, 1);
    }

    async fn refused_answers_use_no_attempt(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let quiz = kurso.set_quiz(class.pages[0], &two_questions()).await;
        let id = quiz.questions[0].id;
        for (body, loc) in [
            (json!([]), vec![]),
            (json!({"answers": [{"question_id": Uuid::now_v7(), "text": "x"}]}), vec!["answers", "0", "question_id"]),
            (json!({"answers": [{"question_id": id, "number": 1}]}), vec!["answers", "0", "number"]),
            (json!({"answers": [{"question_id": id, "text": "x"}, {"question_id": id, "text": "y"}]}), vec!["answers", "1", "question_id"]),
        ] {
            let Err(Error::Invalid(errors)) = class.submit(&kurso, &body).await else { panic!("{body}") };
            let found: Vec<_> = errors[0].loc[1..].iter().map(|step| match step {
                Loc::Name(name) => name.clone(),
                Loc::Index(index) => index.to_string(),
            }).collect();
            assert_eq!(found, loc, "{body}");
        }
        assert_eq!(attempts_stored(&kurso).await, 0);
    }

    async fn a_submission_sent_again_uses_no_attempt(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz, Quiz]).await;
        let mut settings = two_questions();
        settings["max_attempts"] = json!(2);
        let quiz = kurso.set_quiz(class.pages[0], &settings).await;
        let mut body = answers(&quiz, "Москва", "41");
        body["submission_id"] = json!(Uuid::now_v7());
        let first = class.submit(&kurso, &body).await.unwrap();

        // Sending it again returns the same attempt, also after the question was removed.
        let again = class.submit(&kurso, &body).await.unwrap();
        assert_eq!((&again.attempt, again.attempts_left), (&first.attempt, Some(1)));
        let mut other = two_questions();
        other["questions"].as_array_mut().unwrap().remove(0);
        kurso.set_quiz(class.pages[0], &other).await;
        body["version"] = json!(2);
        let again = class.submit(&kurso, &body).await.unwrap();
        assert_eq!(again.attempt, first.attempt);
        assert_eq!(attempts_stored(&kurso).await, 1);

        let quiz = kurso.set_quiz(class.pages[1], &two_questions()).await;
        let mut elsewhere = answers(&quiz, "Москва", "42");
        elsewhere["submission_id"] = body["submission_id"].clone();
        let refused = attempts::submit(&kurso, &class.learner, class.pages[1], submission(&elsewhere)).await;
        let Err(Error::Invalid(errors)) = refused else { panic!("{refused:?}") };
        assert_eq!(errors[0].loc, [Loc::from("body"), Loc::from("submission_id")]);
    }

    async fn concurrent_duplicates_of_a_submission_are_one_attempt(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let quiz = kurso.set_quiz(class.pages[0], &two_questions()).await;
        let mut body = answers(&quiz, "Москва", "42");
        body["submission_id"] = json!(Uuid::now_v7());
        let sent = join_all((0..8).map(|_| class.submit(&kurso, &body))).await;
        let ids: Vec<_> = sent.into_iter().map(|result| result.unwrap().attempt.id).collect();
        assert!(ids.windows(2).all(|pair| pair[0] == pair[1]), "{ids:?}");
        assert_eq!(attempts_stored(&kurso).await, 1);
    }

    /// A concurrent duplicate gets the committed attempt, never a part of it.
    async fn concurrent_duplicates_of_a_submission_get_the_same_response(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let mut settings = two_questions();
        settings["max_attempts"] = json!(30);
        let quiz = kurso.set_quiz(class.pages[0], &settings).await;
        for left in (0..30).rev() {
            let mut body = answers(&quiz, "Москва", "42");
            body["submission_id"] = json!(Uuid::now_v7());
            let sent = join_all((0..6).map(|_| class.submit(&kurso, &body))).await;
            let first = sent[0].as_ref().unwrap().attempt.clone();
            assert!(first.results.iter().all(|result| result.explanation.is_some()), "{first:?}");
            for answer in sent {
                let Submitted { attempt, attempts_left, .. } = answer.unwrap();
                assert_eq!((attempt, attempts_left), (first.clone(), Some(left)));
            }
        }
    }

    async fn concurrent_submissions_do_not_exceed_the_limit(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let mut settings = two_questions();
        settings["max_attempts"] = json!(3);
        let quiz = kurso.set_quiz(class.pages[0], &settings).await;
        assert_eq!(class.attempts_left(&kurso).await, Some(3));
        let body = answers(&quiz, "Москва", "41");
        let sent = join_all((0..10).map(|_| class.submit(&kurso, &body))).await;
        let mut taken: Vec<_> = sent.iter().flatten().map(|s| (s.attempt.attempt_no, s.attempts_left)).collect();
        taken.sort_unstable();
        assert_eq!(taken, [(1, Some(2)), (2, Some(1)), (3, Some(0))]);
        let refused = sent.iter().filter(|result| matches!(result, Err(Error::Conflict(Message::OutOfAttempts))));
        assert_eq!(refused.count(), 7);
        assert_eq!(attempts_stored(&kurso).await, 3);
        assert_eq!(class.attempts_left(&kurso).await, Some(0));

        // A changed limit applies at once; a lower one deletes no attempts.
        for (max, left) in [(5, 2), (1, 0)] {
            settings["max_attempts"] = json!(max);
            kurso.set_quiz(class.pages[0], &settings).await;
            assert_eq!(class.attempts_left(&kurso).await, Some(left));
        }
        assert_eq!(class.attempts(&kurso).await.len(), 3);
    }

    async fn answers_to_an_older_version_are_refused_with_the_current_page(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        kurso.set_quiz(class.pages[0], &two_questions()).await;
        let mut changed = two_questions();
        changed["max_attempts"] = json!(3);
        let quiz = kurso.set_quiz(class.pages[0], &changed).await;
        let mut body = answers(&quiz, "Москва", "42");
        body["version"] = json!(2);
        let Err(Error::Stale { message, page }) = class.submit(&kurso, &body).await else { panic!("stale") };
        assert_eq!(message, Message::PageChanged);
        assert_eq!((&page["version"], &page["kind"], &page["id"]), (&json!(3), &json!("quiz"), &json!(class.pages[0])));
        assert_eq!((&page["attempts_left"], &page["best_percent"]), (&json!(3), &Value::Null));
        assert_eq!(page["quiz"]["questions"][0]["id"], json!(quiz.questions[0].id));
        assert!(page["content"]["type"] == "doc" && !page.to_string().contains("Москва"), "{page}");
        assert_eq!(attempts_stored(&kurso).await, 0);
        body["version"] = json!(3);
        assert!(class.submit(&kurso, &body).await.unwrap().attempt.passed);
    }

    async fn a_new_title_does_not_make_answers_stale(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let quiz = kurso.set_quiz(class.pages[0], &two_questions()).await;
        let mut body = answers(&quiz, "Москва", "42");
        body["version"] = json!(2);
        let title = json!({"title": "Без опечатки"});
        courses::page::update(&kurso, &class.owner, class.pages[0], None, command(&title)).await.unwrap();
        assert!(class.submit(&kurso, &body).await.unwrap().attempt.passed);
        body["version"] = json!(4);
        assert!(matches!(class.submit(&kurso, &body).await, Err(Error::Stale { .. })), "this version does not exist");
    }
}
