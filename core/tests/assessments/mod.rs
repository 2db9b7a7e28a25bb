//! Answers to open questions, on both databases: waiting, grading, release, concurrent graders, and the removal of learners, pages and accounts.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod files;
mod graders;
mod pins;
mod races;
mod rubrics;

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::{AttemptId, CourseId, EnrollmentId, PageId};
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Viewer};
use kurso_core::assessments::{self, AnswerFilter, AnswerId, AnswerState, Assessed, GradingQueue, OpenAnswer};
use kurso_core::auth::Origin;
use kurso_core::check::{self, Depth, Rule};
use kurso_core::courses::groups::GroupFilter;
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::courses::{self, page, team};
use kurso_core::gradebook::{self, Source};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, my_progress};
use kurso_core::students::{Results, heat_map};
use kurso_core::testing::{TestKurso, command, submission};
use kurso_core::{attempts, both, users};
use kurso_db::sql;
use kurso_formats::quiz;
use serde_json::{Value, json};

/// A course of one quiz with a numeric question of one point and an essay of three, and its people.
pub struct Class {
    pub owner: Viewer,
    pub teacher: Viewer,
    pub editor: Viewer,
    pub course: CourseId,
    pub page: PageId,
    pub quiz: quiz::Quiz,
    pub code: String,
}

pub fn questions(release: &str) -> Value {
    json!({"pass_percent": 60, "release": release, "questions": [
        {"type": "numeric", "prompt": "?", "value": 4},
        {"type": "essay", "prompt": "Why?", "points": 3, "guide": "Look for a reason."},
    ]})
}

pub async fn class(kurso: &TestKurso, quiz: &Value) -> Class {
    let (owner, teacher, editor) = (
        kurso.person("owner").await,
        kurso.person("teacher").await,
        kurso.person("editor").await,
    );
    let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
    for (person, role) in [(&teacher, "teacher"), (&editor, "editor")] {
        kurso.collaborator(course, person, role).await;
    }
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    let page = tree.pages[0].id;
    let quiz = kurso.set_quiz(page, quiz).await;
    Class {
        code: shared.share_code.unwrap(),
        owner,
        teacher,
        editor,
        course,
        page,
        quiz,
    }
}

impl Class {
    pub async fn learner(&self, kurso: &TestKurso, name: &str) -> (Viewer, EnrollmentId) {
        let learner = kurso.person(name).await;
        let course = enroll(kurso, &learner, &Origin::default(), &self.code).await.unwrap();
        (learner, course.enrollment.unwrap().id)
    }

    /// Answers the numeric question correctly and the essay with these words.
    pub async fn submit(&self, kurso: &TestKurso, learner: &Viewer, words: &str) -> attempts::Attempt {
        let answers = json!({"answers": [
            {"question_id": self.quiz.questions[0].id, "number": 4},
            {"question_id": self.quiz.questions[1].id, "content": words},
        ]});
        let submitted = attempts::submit(kurso, learner, self.page, submission(&answers)).await;
        submitted.unwrap().attempt
    }

    pub fn answer(&self, attempt: AttemptId) -> AnswerId {
        AnswerId {
            attempt,
            question: self.quiz.questions[1].id,
        }
    }

    pub async fn queue(&self, kurso: &TestKurso, state: AnswerState) -> GradingQueue {
        let filter = AnswerFilter::default();
        let queue = assessments::grading_queue(kurso, &self.teacher, self.course, &filter, state, Page::default());
        queue.await.unwrap()
    }

    pub async fn assess(
        &self,
        kurso: &TestKurso,
        attempt: AttemptId,
        version: i64,
        points: f64,
    ) -> Result<Assessed, Error> {
        let body = json!({"version": version, "points": points, "comment": format!("{points} points")});
        assessments::assess(kurso, &self.teacher, self.answer(attempt), command(body)).await
    }

    async fn cell(&self, kurso: &TestKurso) -> gradebook::Cell {
        let query = gradebook::Query::default();
        let book = gradebook::gradebook(kurso, &self.teacher, self.course, &query, Page::default());
        book.await.unwrap().rows.data[0].grades.cells.0[0]
    }
}

fn stored(assessed: Result<Assessed, Error>) -> OpenAnswer {
    match assessed.unwrap() {
        Assessed::Stored(answer) => answer,
        Assessed::Stale(answer) => panic!("stale: {answer:?}"),
    }
}

async fn own(kurso: &TestKurso, class: &Class, enrollment: EnrollmentId) -> attempts::Attempt {
    let mut found = attempts::attempts_of(kurso, enrollment, class.page).await.unwrap();
    found.pop().unwrap()
}

async fn assert_consistent(kurso: &TestKurso) {
    let report = check::check(kurso, Depth::default()).await.unwrap();
    assert_eq!(report.problems, 0, "{:?}", report.findings);
}

both! {
    async fn an_essay_waits_until_a_person_grades_it(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (learner, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &learner, "Because of the tides.").await;
        assert_eq!((attempt.score, attempt.max_score, attempt.percent, attempt.passed), (1.0, 4.0, 25, false));
        assert_eq!(attempt.waiting_answers, 1);
        let essay = &attempt.results[1];
        assert_eq!((essay.is_waiting, essay.points, essay.correct, &essay.comment), (true, None, None, &None));
        let cell = class.cell(&kurso).await;
        assert_eq!((cell.source, cell.percent, cell.automatic), (Source::Waiting, None, Some(2500)));

        let queue = class.queue(&kurso, AnswerState::Waiting).await;
        assert_eq!((queue.total, queue.waiting, queue.unreleased, queue.is_blind), (1, 1, 0, false));
        assert_eq!((queue.questions.len(), queue.questions[0].prompt.as_str()), (1, "Why?"));
        let row = &queue.answers[0];
        assert_eq!((row.attempt_id, row.number, row.max_points.as_f64()), (attempt.id, 2, 3.0));
        assert_eq!(row.student.as_ref().unwrap().id, learner.id());
        let answer = assessments::open_answer(&kurso, &class.editor, class.answer(attempt.id)).await.unwrap();
        assert_eq!((answer.words, answer.version, answer.state), (4, 0, AnswerState::Waiting));
        assert_eq!(kurso_formats::content::text(answer.content.as_ref().unwrap()), "Because of the tides.");
        assert_eq!(kurso_formats::content::text(answer.guide.as_ref().unwrap()), "Look for a reason.");
        assert_consistent(&kurso).await;

        let answer = stored(class.assess(&kurso, attempt.id, 0, 2.5).await);
        assert_eq!((answer.state, answer.version, answer.points.unwrap().as_f64()), (AnswerState::Released, 1, 2.5));
        assert_eq!(answer.history[0].by.as_ref().unwrap().id, class.teacher.id());
        let attempt = own(&kurso, &class, enrollment).await;
        assert_eq!((attempt.score, attempt.percent, attempt.passed, attempt.waiting_answers), (3.5, 87, true, 0));
        let essay = &attempt.results[1];
        assert_eq!((essay.is_waiting, essay.points, essay.correct), (false, Some(2.5), Some(false)));
        assert_eq!(essay.comment.as_deref(), Some("2.5 points"));
        assert_eq!(class.queue(&kurso, AnswerState::Waiting).await.total, 0);
        let cell = class.cell(&kurso).await;
        assert_eq!((cell.source, cell.percent), (Source::Automatic, Some(8700)));
        // The passed attempt completes the course without a request of the learner.
        let (completed,) = sql!("SELECT completed_at IS NOT NULL FROM enrollments").fetch_one::<(bool,)>(&kurso.db).await.unwrap();
        assert!(completed);

        // A new assessment replaces it. The attempt is then no longer passed, but the course stays completed.
        let answer = stored(class.assess(&kurso, attempt.id, 1, 0.0).await);
        assert_eq!((answer.version, answer.history.len()), (2, 2));
        let attempt = own(&kurso, &class, enrollment).await;
        assert_eq!((attempt.score, attempt.percent, attempt.passed), (1.0, 25, false));
        let progress = my_progress(&kurso, &learner, class.course).await.unwrap().progress;
        assert_eq!((progress.percent(), progress.completed_at.is_some()), (0, true));
        assert_consistent(&kurso).await;
    }

    async fn learners_see_nothing_until_points_are_released_together(kurso: TestKurso) {
        let class = class(&kurso, &questions("together")).await;
        let (anna, first) = class.learner(&kurso, "anna").await;
        let (boris, second) = class.learner(&kurso, "boris").await;
        let (vera, third) = class.learner(&kurso, "vera").await;
        let one = class.submit(&kurso, &anna, "One").await;
        let two = class.submit(&kurso, &boris, "Two").await;
        class.submit(&kurso, &vera, "Three").await;
        let before = own(&kurso, &class, first).await;
        let answer = stored(class.assess(&kurso, one.id, 0, 3.0).await);
        assert_eq!(answer.state, AnswerState::Graded);
        stored(class.assess(&kurso, two.id, 0, 1.0).await);
        assert_eq!(own(&kurso, &class, first).await, before, "nothing has changed for the learner");
        assert_eq!(class.cell(&kurso).await.source, Source::Waiting);
        let queue = class.queue(&kurso, AnswerState::Graded).await;
        assert_eq!((queue.total, queue.waiting, queue.unreleased), (2, 1, 2));

        let released = assessments::release(&kurso, &class.teacher, class.page).await.unwrap();
        assert_eq!(released.answers, 2);
        let now = own(&kurso, &class, first).await;
        assert_eq!((now.percent, now.passed, now.waiting_answers), (100, true, 0));
        assert_eq!((own(&kurso, &class, second).await.percent, own(&kurso, &class, third).await.waiting_answers), (50, 1));
        let again = assessments::release(&kurso, &class.teacher, class.page).await.unwrap();
        assert_eq!(again.answers, 0);
        // A correction of released points is shown at once.
        stored(class.assess(&kurso, one.id, 1, 2.0).await);
        assert_eq!(own(&kurso, &class, first).await.percent, 75);
        assert_consistent(&kurso).await;
    }

    async fn a_stale_assessment_changes_nothing_and_returns_what_is_stored(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        stored(class.assess(&kurso, attempt.id, 0, 3.0).await);
        match class.assess(&kurso, attempt.id, 0, 1.0).await.unwrap() {
            Assessed::Stale(answer) => {
                assert_eq!((answer.version, answer.points.unwrap().as_f64()), (1, 3.0));
                assert_eq!(answer.comment.as_deref(), Some("3 points"));
            }
            Assessed::Stored(answer) => panic!("{answer:?}"),
        }
        assert_eq!(own(&kurso, &class, enrollment).await.percent, 100);
        let refused = class.assess(&kurso, attempt.id, 1, 3.5).await;
        let Err(Error::Invalid(errors)) = refused else { panic!("{refused:?}") };
        assert_eq!(errors[0].message, Message::GivenTooMuch("3".into()));
    }

    async fn an_answer_left_empty_does_not_wait(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "  ").await;
        assert_eq!((attempt.waiting_answers, attempt.results[1].points), (0, Some(0.0)));
        assert_eq!(class.queue(&kurso, AnswerState::Waiting).await.total, 0);
        assert_consistent(&kurso).await;
    }

    async fn points_of_graders_lose_what_a_late_attempt_loses(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let due = kurso.clock.now() + Duration::days(1);
        let late = json!({"due_at": due, "late_until": due + Duration::days(9), "late_penalty_per_day": 10, "late_penalty_max": 50});
        page::update(&kurso, &class.owner, class.page, None, command(late)).await.unwrap();
        kurso.clock.advance(Duration::days(2) + Duration::hours(1));
        let attempt = class.submit(&kurso, &anna, "Late").await;
        assert_eq!((attempt.penalty_percent, attempt.percent), (20, 20));
        stored(class.assess(&kurso, attempt.id, 0, 3.0).await);
        let attempt = own(&kurso, &class, enrollment).await;
        assert_eq!((attempt.percent, attempt.results[1].points), (80, Some(3.0)));
    }

    async fn only_owner_and_teachers_grade(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let stranger = kurso.person("stranger").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let id = class.answer(attempt.id);
        let filter = AnswerFilter::default();
        for (who, sees) in [(&class.editor, true), (&anna, false), (&stranger, false)] {
            let read = assessments::open_answer(&kurso, who, id).await;
            let queue = assessments::grading_queue(&kurso, who, class.course, &filter, AnswerState::Waiting, Page::default()).await;
            assert_eq!((read.is_ok(), queue.is_ok()), (sees, sees));
            let body = json!({"version": 0, "points": 1});
            let denied = [
                assessments::assess(&kurso, who, id, command(body)).await.map(drop),
                assessments::claim(&kurso, who, id).await.map(drop),
                assessments::claim_next(&kurso, who, class.course, &filter).await.map(drop),
                assessments::release(&kurso, who, class.page).await.map(drop),
            ];
            let is_stranger = who.id() == stranger.id();
            for result in denied {
                let error = result.unwrap_err();
                assert!(matches!((is_stranger, &error), (true, Error::NotFound(_)) | (false, Error::Forbidden(_))), "{error}");
            }
        }
        let unknown = AnswerId { attempt: AttemptId::new(), ..id };
        let missing = assessments::open_answer(&kurso, &class.teacher, unknown).await;
        assert!(matches!(missing, Err(Error::NotFound(Message::AnswerNotFound))));
    }

    async fn blind_grading_shows_no_names(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        gradebook::update_settings(&kurso, &class.teacher, class.course, command(json!({"is_blind": true}))).await.unwrap();
        let queue = class.queue(&kurso, AnswerState::Waiting).await;
        let next = assessments::claim_next(&kurso, &class.teacher, class.course, &AnswerFilter::default()).await.unwrap().unwrap();
        let graded = stored(class.assess(&kurso, attempt.id, 0, 1.0).await);
        assert!(queue.is_blind);
        for text in [format!("{queue:?}"), format!("{next:?}"), format!("{graded:?}")] {
            for secret in [anna.id().to_string(), "anna".to_owned(), "Anna".to_owned()] {
                assert!(!text.contains(&secret), "{secret} in {text}");
            }
        }
    }

    async fn answers_of_a_learner_who_left_return_with_them(kurso: TestKurso) {
        let class = class(&kurso, &questions("together")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        stored(class.assess(&kurso, attempt.id, 0, 2.0).await);
        let second = class.submit(&kurso, &anna, "Two").await;
        team::leave(&kurso, &anna, class.course).await.unwrap();
        let gone = class.assess(&kurso, second.id, 0, 2.0).await;
        assert!(matches!(gone, Err(Error::NotFound(Message::AnswerNotFound))), "{gone:?}");
        let queue = class.queue(&kurso, AnswerState::Waiting).await;
        assert_eq!((queue.total, queue.waiting, queue.unreleased), (0, 0, 0));
        assert_eq!(assessments::release(&kurso, &class.teacher, class.page).await.unwrap().answers, 0);
        assert_consistent(&kurso).await;

        let back = enroll(&kurso, &anna, &Origin::default(), &class.code).await.unwrap();
        let enrollment = back.enrollment.unwrap().id;
        let queue = class.queue(&kurso, AnswerState::Waiting).await;
        assert_eq!((queue.total, queue.unreleased), (1, 1));
        assert_eq!(assessments::release(&kurso, &class.teacher, class.page).await.unwrap().answers, 1);
        stored(class.assess(&kurso, second.id, 0, 3.0).await);
        let attempts = attempts::attempts_of(&kurso, enrollment, class.page).await.unwrap();
        assert_eq!(attempts.iter().map(|attempt| attempt.percent).collect::<Vec<_>>(), [75, 25]);
        assert_consistent(&kurso).await;
    }

    async fn answers_go_with_attempts_pages_and_accounts(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let (boris, _) = class.learner(&kurso, "boris").await;
        let first = class.submit(&kurso, &anna, "One").await;
        let of_boris = class.submit(&kurso, &boris, "Two").await;
        stored(class.assess(&kurso, first.id, 0, 1.0).await);
        stored(class.assess(&kurso, of_boris.id, 0, 1.0).await);
        assert_eq!(attempts::reset(&kurso, &class.teacher, enrollment, class.page).await.unwrap(), 1);
        let gone = class.assess(&kurso, first.id, 1, 1.0).await;
        assert!(matches!(gone, Err(Error::NotFound(Message::AnswerNotFound))), "{gone:?}");
        assert_consistent(&kurso).await;

        // When the account of a grader is deleted, the assessments stay without the name.
        users::delete_me(&kurso, &class.teacher).await.unwrap();
        let answer = assessments::open_answer(&kurso, &class.owner, class.answer(of_boris.id)).await.unwrap();
        assert_eq!((answer.history.len(), &answer.history[0].by), (1, &None));
        let second = class.submit(&kurso, &anna, "Three").await;
        users::delete_me(&kurso, &boris).await.unwrap();
        let (left,) = sql!("SELECT COUNT(*) FROM open_answers").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(left, 1);
        assert_consistent(&kurso).await;
        page::delete(&kurso, &class.owner, class.page).await.unwrap();
        let body = json!({"version": 0, "points": 1});
        let gone = assessments::assess(&kurso, &class.owner, class.answer(second.id), command(body)).await;
        assert!(matches!(gone, Err(Error::NotFound(Message::AnswerNotFound))), "{gone:?}");
        assert_consistent(&kurso).await;
    }

    async fn a_changed_quiz_keeps_the_question_that_was_answered(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let mut other = questions("at_once");
        other["questions"][1] = json!({"type": "essay", "prompt": "How?", "points": 7, "guide": "Look elsewhere."});
        other["questions"][1]["id"] = json!(class.quiz.questions[1].id);
        kurso.set_quiz(class.page, &other).await;
        let answer = assessments::open_answer(&kurso, &class.teacher, class.answer(attempt.id)).await.unwrap();
        assert_eq!((kurso_formats::content::text(&answer.prompt).as_str(), answer.max_points.as_f64()), ("Why?", 3.0));
        assert_eq!(kurso_formats::content::text(answer.guide.as_ref().unwrap()), "Look elsewhere.", "graders read the present note");
        stored(class.assess(&kurso, attempt.id, 0, 3.0).await);
        assert_eq!(own(&kurso, &class, enrollment).await.percent, 100);
    }

    async fn damage_is_found(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        stored(class.assess(&kurso, attempt.id, 0, 1.0).await);
        assert_consistent(&kurso).await;
        for (change, back) in [
            ("UPDATE attempts SET waiting = 2", "UPDATE attempts SET waiting = 0"),
            ("UPDATE open_answers SET points = 30001", "UPDATE open_answers SET points = 10000"),
            ("UPDATE open_answers SET version = 2", "UPDATE open_answers SET version = 1"),
            ("UPDATE open_answers SET comment = 'no'", "UPDATE open_answers SET comment = '1 points'"),
            ("UPDATE assessments SET version = 2", "UPDATE assessments SET version = 1"),
        ] {
            sql!(change).execute(&kurso.db).await.unwrap();
            let report = check::check(&kurso, Depth::default()).await.unwrap();
            assert!(report.findings.iter().any(|found| found.rule == Rule::Assessments), "{change}: {:?}", report.findings);
            sql!(back).execute(&kurso.db).await.unwrap();
        }
        assert_consistent(&kurso).await;
        sql!("DELETE FROM attempts").execute(&kurso.db).await.unwrap();
        let report = check::check(&kurso, Depth::default()).await.unwrap();
        assert!(report.findings.iter().any(|found| found.problem == "its attempt is missing"), "{:?}", report.findings);
    }

    async fn the_queue_is_filtered_by_question_and_group(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        class.submit(&kurso, &anna, "One").await;
        let count = async |filter: AnswerFilter| {
            let queue = assessments::grading_queue(&kurso, &class.teacher, class.course, &filter, AnswerState::Waiting, Page::default());
            let queue = queue.await.unwrap();
            assert_eq!(queue.answers.len() as i64, queue.total);
            queue.total
        };
        let all = AnswerFilter::default();
        assert_eq!(count(AnswerFilter { page: Some(class.page), ..all }).await, 1);
        assert_eq!(count(AnswerFilter { page: Some(PageId::new()), ..all }).await, 0);
        assert_eq!(count(AnswerFilter { question: Some(class.quiz.questions[1].id), ..all }).await, 1);
        assert_eq!(count(AnswerFilter { question: Some(class.quiz.questions[0].id), ..all }).await, 0);
        assert_eq!(count(AnswerFilter { group: GroupFilter::Without, ..all }).await, 1);
        assert_eq!(count(AnswerFilter { group: GroupFilter::In(kurso_base::ids::GroupId::new()), ..all }).await, 0);
    }

    async fn averages_and_exports_leave_out_attempts_that_wait(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let (boris, _) = class.learner(&kurso, "boris").await;
        let attempt = class.submit(&kurso, &anna, "Because.").await;
        class.submit(&kurso, &boris, "No idea").await;
        stored(class.assess(&kurso, attempt.id, 0, 3.0).await);
        let map = heat_map::find(&kurso, &class.teacher, class.course, GroupFilter::All).await.unwrap();
        let page = map.page(0);
        assert_eq!((page.tried, page.waiting, page.average_percent(), page.passed_percent()), (2, 1, Some(100), Some(100)));
        let mut results = Results::of(&kurso, &class.teacher, class.course, GroupFilter::All, Lang::Ru).await.unwrap();
        let text = String::from_utf8(results.part(&kurso.db).await.unwrap().unwrap()).unwrap();
        let last = |line: &str| line.rsplit(',').next().unwrap().to_owned();
        let cells: Vec<_> = text.lines().skip(1).map(last).collect();
        assert_eq!(cells, ["\"100\"", "\"ждёт проверки\""]);
    }
}
