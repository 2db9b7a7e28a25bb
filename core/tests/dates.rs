//! Dates on both databases: storing them, and what they withhold, refuse and say.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use chrono::{DateTime, Duration, Utc};
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::check::{self, Depth};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, lesson, module, page};
use kurso_core::finding;
use kurso_core::learning::progress::Reason;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited, my_progress};
use kurso_core::schedule::State;
use kurso_core::testing::{TestKurso, command, submission};
use kurso_db::sql;
use kurso_formats::quiz;
use serde_json::{Value, json};

/// A course of one module: a lesson with a content page and a quiz, and a lesson with a content page.
struct Class {
    owner: Viewer,
    learner: Viewer,
    course: CourseId,
    module: ModuleId,
    lessons: Vec<LessonId>,
    pages: Vec<PageId>,
    code: String,
}

async fn class(kurso: &TestKurso) -> Class {
    let (owner, learner) = (kurso.person("owner").await, kurso.person("anna").await);
    let course = kurso.course(&owner, &[&[&[Content, Quiz], &[Content]]]).await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    enroll(kurso, &learner, &Origin::default(), &code).await.unwrap();
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    let pages: Vec<PageId> = tree.pages.iter().map(|page| page.id).collect();
    let question = json!({"type": "numeric", "prompt": "?", "value": 4});
    kurso
        .set_quiz(pages[1], &json!({"pass_percent": 60, "questions": [question]}))
        .await;
    Class {
        owner,
        learner,
        course,
        module: tree.modules[0].id,
        lessons: tree.lessons.iter().map(|lesson| lesson.id).collect(),
        pages,
        code,
    }
}

impl Class {
    async fn view(&self, kurso: &TestKurso) -> CourseView {
        my_progress(kurso, &self.learner, self.course).await.unwrap()
    }

    async fn change_page(
        &self,
        kurso: &TestKurso,
        page: usize,
        body: Value,
    ) -> Result<page::PageRead, page::UpdateError> {
        page::update(kurso, &self.owner, self.pages[page], None, command(&body)).await
    }

    async fn submit(&self, kurso: &TestKurso, more: Value) -> Result<attempts::Attempt, Error> {
        let texts = attempts::for_author(&kurso.db, &[self.pages[1]]).await.unwrap();
        let quiz = quiz::Quiz::from_text(&texts[&self.pages[1]]).unwrap();
        let mut body = json!({"answers": [{"question_id": quiz.questions[0].id, "number": 4}]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let submitted = attempts::submit(kurso, &self.learner, self.pages[1], submission(&body)).await;
        submitted.map(|submitted| submitted.attempt)
    }
}

fn at(text: &str) -> Option<DateTime<Utc>> {
    Some(text.parse().unwrap())
}

/// The names of the invalid fields.
fn fields(error: &Error) -> Vec<String> {
    let Error::Invalid(errors) = error else {
        panic!("{error}")
    };
    errors
        .iter()
        .map(|error| {
            serde_json::to_value(&error.loc[1])
                .unwrap()
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect()
}

/// The code of a refusal by the schedule, and its time.
fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> (&'static str, Option<DateTime<Utc>>) {
    match result {
        Err(Error::Locked { opens_at, .. }) => ("LOCKED", opens_at),
        Err(Error::Closed { closed_at, .. }) => ("CLOSED", closed_at),
        other => panic!("{other:?}"),
    }
}

/// The clock of the tests stands at 2026-11-21T09:00:00Z.
const TOMORROW: &str = "2026-11-22T09:00:00Z";

both! {
    async fn dates_are_stored_changed_and_cleared(kurso: TestKurso) {
        let class = class(&kurso).await;
        let body = json!({"time_zone": "Asia/Yekaterinburg", "starts_at": "2026-09-01", "ends_at": "2027-05-31",
            "enroll_until": "2026-09-15T12:00", "hide_locked_titles": true});
        let changed = course::update(&kurso, &class.owner, class.course, command(&body)).await.unwrap();
        assert_eq!(changed.dates.starts_at, at("2026-08-31T19:00:00Z"));
        assert_eq!(changed.dates.ends_at, at("2027-05-31T18:59:00Z"));
        assert_eq!(changed.dates.enroll_until, at("2026-09-15T07:00:00Z"));
        assert_eq!(changed.dates.time_zone.as_deref(), Some("Asia/Yekaterinburg"));
        assert!(changed.dates.hide_locked_titles);

        let window = json!({"available_from": "2026-10-01", "available_until": "2026-12-01", "due_at": "2026-11-30T23:00:00+05:00"});
        let module = module::update(&kurso, &class.owner, class.module, command(&window)).await.unwrap();
        let lesson = lesson::update(&kurso, &class.owner, class.lessons[0], command(&window)).await.unwrap();
        let page = class.change_page(&kurso, 0, window.clone()).await.unwrap();
        for dates in [module.dates, lesson.dates, page.dates] {
            assert_eq!(dates.available_from, at("2026-09-30T19:00:00Z"));
            assert_eq!(dates.available_until, at("2026-12-01T18:59:00Z"));
            assert_eq!(dates.due_at, at("2026-11-30T18:00:00Z"));
        }
        let view = CourseView::load(&kurso, &class.owner, class.course, Right::Read).await.unwrap();
        assert_eq!(view.module(0).own_dates(), module.dates);
        assert_eq!(view.lesson(0).own_dates(), lesson.dates);
        assert_eq!(view.page(0).own_dates().0, page.dates);
        let lesson = lesson::get(&kurso, &class.owner, class.lessons[0]).await.unwrap();
        assert_eq!(lesson.pages[0].dates, page.dates, "a lesson lists its pages with their dates");

        let late = json!({"due_at": "2026-11-30", "late_until": "2026-12-05", "late_penalty_per_day": 10, "late_penalty_max": 50});
        let page = class.change_page(&kurso, 1, late).await.unwrap();
        assert_eq!(page.late.late_until, at("2026-12-05T18:59:00Z"));
        assert_eq!((page.late.late_penalty_per_day, page.late.late_penalty_max), (Some(10), Some(50)));
        let page = class.change_page(&kurso, 1, json!({"late_until": null, "late_penalty_max": null})).await.unwrap();
        assert_eq!((page.late.late_until, page.late.late_penalty_per_day), (None, Some(10)));

        let cleared = json!({"available_from": null, "available_until": null, "due_at": null});
        let module = module::update(&kurso, &class.owner, class.module, command(&cleared)).await.unwrap();
        let lesson = lesson::update(&kurso, &class.owner, class.lessons[0], command(&cleared)).await.unwrap();
        let page = class.change_page(&kurso, 0, cleared).await.unwrap();
        for dates in [module.dates, lesson.dates, page.dates] {
            assert_eq!(dates, Default::default());
        }
        let body = json!({"time_zone": null, "starts_at": null, "ends_at": null, "enroll_until": null, "hide_locked_titles": false});
        let cleared = course::update(&kurso, &class.owner, class.course, command(&body)).await.unwrap();
        assert_eq!(cleared.dates, Default::default());
    }

    async fn new_parts_take_dates(kurso: TestKurso) {
        let class = class(&kurso).await;
        let body = json!({"title": "T", "time_zone": "Europe/Moscow", "starts_at": "2026-09-01"});
        let made = course::create(&kurso, &class.owner, command(&body)).await.unwrap();
        assert_eq!(made.dates.starts_at, at("2026-08-31T21:00:00Z"));
        let window = json!({"title": "T", "available_from": "2026-10-01", "available_until": "2026-12-01", "due_at": "2026-11-30"});
        let module = module::create(&kurso, &class.owner, made.id, command(&window)).await.unwrap();
        let lesson = lesson::create(&kurso, &class.owner, module.id, command(&window)).await.unwrap();
        let mut body = window.clone();
        body.as_object_mut().unwrap().extend(json!({"kind": "quiz", "published": false, "late_penalty_per_day": 5}).as_object().unwrap().clone());
        let page = page::create(&kurso, &class.owner, lesson.id, command(&body)).await.unwrap();
        for dates in [module.dates, lesson.dates, page.dates] {
            assert_eq!(dates.available_from, at("2026-09-30T21:00:00Z"));
            assert_eq!(dates.due_at, at("2026-11-30T20:59:00Z"));
        }
        assert_eq!(page.late.late_penalty_per_day, Some(5));
        let wrong = json!({"title": "T", "available_from": "2026-10-01", "due_at": "2026-09-01"});
        let refused = lesson::create(&kurso, &class.owner, module.id, command(&wrong)).await.unwrap_err();
        assert_eq!(fields(&refused), ["due_at"]);
    }

    async fn dates_out_of_order_and_misplaced_policies_change_nothing(kurso: TestKurso) {
        let class = class(&kurso).await;
        let body = json!({"available_from": "2026-10-01", "available_until": "2026-12-01"});
        class.change_page(&kurso, 1, body).await.unwrap();
        for (body, field) in [
            (json!({"available_until": "2026-09-01"}), "available_until"),
            (json!({"available_from": "2026-12-02"}), "available_until"),
            (json!({"due_at": "2026-09-01"}), "due_at"),
            (json!({"due_at": "2026-12-02"}), "available_until"),
            (json!({"due_at": "2026-11-01", "late_until": "2026-10-31"}), "late_until"),
        ] {
            let Err(page::UpdateError::Refused(error)) = class.change_page(&kurso, 1, body.clone()).await else { panic!("{body}") };
            assert_eq!(fields(&error), [field], "{body}");
        }
        let Err(page::UpdateError::Refused(error)) = class.change_page(&kurso, 0, json!({"late_penalty_max": 10})).await else {
            panic!("a content page takes no attempts");
        };
        assert_eq!(fields(&error), ["late_penalty_max"]);
        let body = json!({"starts_at": "2026-10-01", "ends_at": "2026-09-01", "title": "Другое"});
        let error = course::update(&kurso, &class.owner, class.course, command(&body)).await.unwrap_err();
        assert_eq!(fields(&error), ["ends_at"]);
        let stored = courses::find(&kurso.db, &class.owner, class.course, Right::Edit).await.unwrap();
        assert_eq!((stored.title.as_str(), stored.dates.starts_at), ("Курс", None));
    }

    async fn a_locked_page_is_withheld_until_it_opens(kurso: TestKurso) {
        let class = class(&kurso).await;
        lesson::update(&kurso, &class.owner, class.lessons[0], command(json!({"available_from": TOMORROW}))).await.unwrap();
        let visited = mark_page_visited(&kurso, &class.learner, class.pages[0]).await.map(|(_, place)| place);
        assert_eq!(refusal(visited), ("LOCKED", at(TOMORROW)));
        assert_eq!(refusal(class.submit(&kurso, json!({})).await), ("LOCKED", at(TOMORROW)));
        let view = class.view(&kurso).await;
        assert_eq!(refusal(view.require_readable(0)), ("LOCKED", at(TOMORROW)));
        assert!(view.require_readable(2).is_ok());
        let staff = CourseView::load(&kurso, &class.owner, class.course, Right::Read).await.unwrap();
        assert!(staff.require_readable(0).is_ok(), "staff are never locked out");
        assert_eq!(staff.timeline().page(0).opens_at, at(TOMORROW));

        kurso.clock.advance(Duration::days(1) - Duration::microseconds(1));
        assert!(mark_page_visited(&kurso, &class.learner, class.pages[0]).await.is_err());
        kurso.clock.advance(Duration::microseconds(1));
        mark_page_visited(&kurso, &class.learner, class.pages[0]).await.unwrap();
        assert_eq!(class.submit(&kurso, json!({})).await.unwrap().penalty_percent, 0);
    }

    async fn a_visit_by_token_of_a_locked_page_writes_nothing(kurso: TestKurso) {
        let class = class(&kurso).await;
        let token = kurso.token("anna@example.com").await;
        mark_page_visited(&kurso, &class.learner, class.pages[0]).await.unwrap();
        let by_token = || kurso_core::learning::mark_page_visited_by_token(&kurso, &token, class.pages[2]);
        class.change_page(&kurso, 2, json!({"available_from": TOMORROW})).await.unwrap();
        assert!(by_token().await.is_none());
        assert!(!class.view(&kurso).await.marks.is_visited(2));
        class.change_page(&kurso, 2, json!({"available_from": null})).await.unwrap();
        assert!(by_token().await.is_some());
    }

    async fn after_the_close_a_quiz_is_read_but_takes_no_attempts(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.change_page(&kurso, 1, json!({"due_at": TOMORROW})).await.unwrap();
        let id = "0198f000-0000-7000-8000-0000000000c1";
        let first = class.submit(&kurso, json!({"submission_id": id})).await.unwrap();
        kurso.clock.advance(Duration::days(1));
        class.submit(&kurso, json!({})).await.unwrap();
        kurso.clock.advance(Duration::microseconds(1));
        assert_eq!(refusal(class.submit(&kurso, json!({})).await), ("CLOSED", at(TOMORROW)));
        let view = class.view(&kurso).await;
        assert_eq!(view.timeline().page(1).state, State::Closed);
        assert!(view.require_readable(1).is_ok());
        let again = class.submit(&kurso, json!({"submission_id": id})).await.unwrap();
        assert_eq!(again.id, first.id, "a repeated submission returns the stored attempt");
    }

    async fn a_late_attempt_keeps_its_penalty(kurso: TestKurso) {
        let class = class(&kurso).await;
        let body = json!({"due_at": "2026-11-20T09:00:00Z", "late_penalty_per_day": 25});
        class.change_page(&kurso, 1, body).await.unwrap();
        let late = class.submit(&kurso, json!({})).await.unwrap();
        assert_eq!((late.penalty_percent, late.percent, late.passed), (25, 75, true));
        assert!((late.score - 0.75).abs() < 1e-9 && (late.max_score - 1.0).abs() < 1e-9, "{late:?}");
        kurso.clock.advance(Duration::microseconds(1));
        let later = class.submit(&kurso, json!({})).await.unwrap();
        assert_eq!((later.penalty_percent, later.percent, later.passed), (50, 50, false));
        class.change_page(&kurso, 1, json!({"due_at": null})).await.unwrap();
        let view = class.view(&kurso).await;
        let stored = attempts::attempts_of(&kurso, view.course.enrollment.unwrap().id, class.pages[1]).await.unwrap();
        let penalties: Vec<_> = stored.iter().map(|attempt| attempt.penalty_percent).collect();
        assert_eq!(penalties, [25, 50], "as of submission");
    }

    async fn a_page_that_closes_before_it_opens_says_that_it_never_opens(kurso: TestKurso) {
        let class = class(&kurso).await;
        let body = json!({"available_until": "2026-11-20"});
        lesson::update(&kurso, &class.owner, class.lessons[1], command(&body)).await.unwrap();
        class.change_page(&kurso, 2, json!({"available_from": TOMORROW})).await.unwrap();
        let said = |result: Result<_, Error>| match result {
            Err(error @ Error::Locked { opens_at: None, .. }) => error.message(),
            other => panic!("{other:?}"),
        };
        let visit = async || mark_page_visited(&kurso, &class.learner, class.pages[2]).await;
        assert_eq!(said(visit().await), Message::PageNeverOpens);
        lesson::update(&kurso, &class.owner, class.lessons[1], command(json!({"prerequisites": [class.lessons[0]]}))).await.unwrap();
        assert_eq!(said(visit().await), Message::PageLocked, "what must be done first is named");
    }

    async fn damaged_dates_are_found(kurso: TestKurso) {
        let class = class(&kurso).await;
        course::update(&kurso, &class.owner, class.course, command(json!({"time_zone": "Europe/Moscow", "starts_at": "2000-01-01"}))).await.unwrap();
        class.change_page(&kurso, 1, json!({"due_at": "2026-12-01", "late_until": "2099-12-31"})).await.unwrap();
        let found = async || {
            let report = check::check(&kurso, Depth::default()).await.unwrap();
            let found = report.findings.into_iter().map(|found| format!("{} {}", found.at.split(' ').next().unwrap(), found.problem));
            found.collect::<Vec<_>>()
        };
        assert!(found().await.is_empty());
        sql!("UPDATE courses SET time_zone = 'Europe/Kitezh', ends_at = starts_at, starts_at = $1", at("2026-11-01T00:00:00Z"))
            .execute(&kurso.db).await.unwrap();
        sql!("UPDATE lessons SET due_at = $1", at("1871-03-18T00:00:00Z")).execute(&kurso.db).await.unwrap();
        sql!("UPDATE pages SET late_until = $1 WHERE id = $2", at("2026-11-01T00:00:00Z"), class.pages[1]).execute(&kurso.db).await.unwrap();
        assert_eq!(found().await, [
            "courses its time zone \"Europe/Kitezh\" is unknown",
            "courses its dates are out of order: ends_at",
            "lessons its date 1871-03-18 00:00:00 UTC is not between 2000 and 2099",
            "lessons its date 1871-03-18 00:00:00 UTC is not between 2000 and 2099",
            "pages its dates are out of order: late_until",
        ]);
    }

    async fn enrollment_ends_for_newcomers_only(kurso: TestKurso) {
        let class = class(&kurso).await;
        let body = json!({"enroll_until": "2026-11-21T09:00:00Z"});
        course::update(&kurso, &class.owner, class.course, command(&body)).await.unwrap();
        let (boris, vera) = (kurso.person("boris").await, kurso.person("vera").await);
        enroll(&kurso, &boris, &Origin::default(), &class.code).await.unwrap();
        kurso.clock.advance(Duration::microseconds(1));
        let refused = enroll(&kurso, &vera, &Origin::default(), &class.code).await;
        assert_eq!(refusal(refused), ("CLOSED", at("2026-11-21T09:00:00Z")));
        enroll(&kurso, &class.learner, &Origin::default(), &class.code).await.unwrap();
        courses::team::leave(&kurso, &boris, class.course).await.unwrap();
        let again = enroll(&kurso, &boris, &Origin::default(), &class.code).await;
        assert_eq!(refusal(again).0, "CLOSED", "whoever left is a newcomer");
    }

    async fn progress_counts_locked_pages_and_says_when_they_open(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.change_page(&kurso, 0, json!({"available_from": TOMORROW})).await.unwrap();
        let view = class.view(&kurso).await;
        assert_eq!(view.progress.pages_total, 3);
        assert_eq!(view.reason(0), Some(Reason::Locked { opens_at: at(TOMORROW), needs: vec![] }));
        assert!(matches!(view.reason(1), Some(Reason::QuizNotPassed { .. })));
        assert_eq!(view.next_to_do(), Some(1), "an open page comes first");
        class.submit(&kurso, json!({})).await.unwrap();
        mark_page_visited(&kurso, &class.learner, class.pages[2]).await.unwrap();
        assert_eq!(class.view(&kurso).await.next_to_do(), Some(0), "then a locked one");
    }

    async fn an_ended_course_is_closed_and_one_to_come_is_locked(kurso: TestKurso) {
        let class = class(&kurso).await;
        let update = async |body: Value| course::update(&kurso, &class.owner, class.course, command(&body)).await.unwrap();
        update(json!({"starts_at": TOMORROW})).await;
        let view = class.view(&kurso).await;
        assert_eq!((view.timeline().course().state, view.timeline().page(2).state), (State::Locked, State::Locked));
        update(json!({"starts_at": null, "ends_at": "2026-11-20"})).await;
        let view = class.view(&kurso).await;
        assert_eq!((view.timeline().course().state, view.timeline().page(2).state), (State::Closed, State::Closed));
        assert_eq!(refusal(class.submit(&kurso, json!({})).await).0, "CLOSED");
    }

    async fn hidden_titles_reach_no_learner(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.change_page(&kurso, 2, json!({"title": "Разгадка"})).await.unwrap();
        let body = json!({"title": "Тайный урок", "available_from": TOMORROW});
        lesson::update(&kurso, &class.owner, class.lessons[1], command(&body)).await.unwrap();
        let found = async |who: &Viewer, words: &str| {
            let search = Search::of(words);
            finding::search(&kurso, who, &search, Page::new(0, 10)).await.unwrap().count
        };
        assert_eq!(class.view(&kurso).await.lesson(1).title, "Тайный урок");
        assert_eq!(found(&class.learner, "тайный").await, 1);
        course::update(&kurso, &class.owner, class.course, command(json!({"hide_locked_titles": true}))).await.unwrap();
        let view = class.view(&kurso).await;
        assert_eq!((view.lesson(1).title.as_str(), view.page(2).title.as_deref()), ("…", None));
        assert_eq!(view.lesson(0).title, "Урок 1.1", "only locked titles are hidden");
        assert_eq!((found(&class.learner, "тайный").await, found(&class.learner, "разгадка").await), (0, 0));
        assert_eq!((found(&class.owner, "тайный").await, found(&class.owner, "разгадка").await), (1, 1));
        kurso.clock.advance(Duration::days(1));
        assert_eq!(class.view(&kurso).await.lesson(1).title, "Тайный урок");
        assert_eq!(found(&class.learner, "разгадка").await, 1);
    }
}
