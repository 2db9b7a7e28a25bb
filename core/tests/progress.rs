//! Progress on both databases: reasons for missing progress, its facts, and its consistency under changes by authors.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::audit::{self, Act};
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::{self, Content, Quiz};
use kurso_core::courses::{self, duplicate, lesson, module, page};
use kurso_core::learning::completion::{self, Change, Rederived};
use kurso_core::learning::facts::{self, PageFacts};
use kurso_core::learning::progress::Reason;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited, my_progress};
use kurso_core::students;
use kurso_core::testing::{TestKurso, command, submission};
use kurso_db::sql;
use kurso_formats::quiz;
use serde_json::{Value, json};

struct Class {
    owner: Viewer,
    learner: Viewer,
    course: CourseId,
    enrollment: EnrollmentId,
    modules: Vec<ModuleId>,
    lessons: Vec<LessonId>,
    pages: Vec<PageId>,
}

async fn class(kurso: &TestKurso, shape: &[&[&[PageKind]]]) -> Class {
    let (owner, learner) = (kurso.person("owner").await, kurso.person("anna").await);
    let course = kurso.course(&owner, shape).await;
    let enrollment = join(kurso, &owner, course, &learner).await;
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    Class {
        owner,
        learner,
        course,
        enrollment,
        modules: tree.modules.iter().map(|module| module.id).collect(),
        lessons: tree.lessons.iter().map(|lesson| lesson.id).collect(),
        pages: tree.pages.iter().map(|page| page.id).collect(),
    }
}

async fn join(kurso: &TestKurso, owner: &Viewer, course: CourseId, who: &Viewer) -> EnrollmentId {
    let shared = courses::generate_share_code(kurso, owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    let course = enroll(kurso, who, &Origin::default(), &code).await.unwrap();
    course.enrollment.unwrap().id
}

async fn collaborator(kurso: &TestKurso, course: CourseId, role: &'static str) -> Viewer {
    let viewer = kurso.person(role).await;
    kurso.collaborator(course, &viewer, role).await;
    viewer
}

impl Class {
    async fn view(&self, kurso: &TestKurso) -> CourseView {
        my_progress(kurso, &self.learner, self.course).await.unwrap()
    }

    async fn percent(&self, kurso: &TestKurso) -> u8 {
        self.view(kurso).await.progress.percent()
    }

    async fn visit(&self, kurso: &TestKurso, page: usize) -> CourseView {
        mark_page_visited(kurso, &self.learner, self.pages[page])
            .await
            .unwrap()
            .0
    }

    async fn save(&self, kurso: &TestKurso, page: usize, body: Value) {
        page::update(kurso, &self.owner, self.pages[page], None, command(&body))
            .await
            .unwrap();
    }

    /// Submits the quiz of a page with this answer.
    async fn submit(&self, kurso: &TestKurso, page: usize, number: i64) -> attempts::Submitted {
        let texts = attempts::for_author(&kurso.db, &[self.pages[page]]).await.unwrap();
        let quiz = quiz::Quiz::from_text(&texts[&self.pages[page]]).unwrap();
        let body = json!({"answers": [{"question_id": quiz.questions[0].id, "number": number}]});
        attempts::submit(kurso, &self.learner, self.pages[page], submission(&body))
            .await
            .unwrap()
    }

    async fn reason(&self, kurso: &TestKurso, page: usize) -> Option<Reason> {
        let view = self.view(kurso).await;
        view.reason(view.tree.place(self.pages[page]).unwrap())
    }
}

/// A quiz whose answer is 42.
fn one_question(max_attempts: Option<u32>) -> Value {
    json!({"max_attempts": max_attempts, "questions": [{"type": "numeric", "prompt": "?", "value": 42}]})
}

fn not_passed(best_percent: Option<i64>, attempts_left: Option<i64>) -> Option<Reason> {
    Some(Reason::QuizNotPassed {
        best_percent,
        attempts_left,
        is_waiting: false,
        is_returned: false,
    })
}

both! {
    async fn the_first_visit_may_complete_the_course(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Content]]]).await;
        let view = class.visit(&kurso, 0).await;
        let now = kurso.clock.now();
        assert_eq!((view.progress.percent(), view.progress.completed_at), (100, Some(now)));
        let stored = sql!("SELECT completed_at FROM enrollments WHERE id = $1", class.enrollment);
        let (stored,) = stored.fetch_one::<(Option<chrono::DateTime<chrono::Utc>>,)>(&kurso.db).await.unwrap();
        assert_eq!(stored, Some(now));
    }

    async fn every_unfinished_page_has_a_reason(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Content, Quiz], &[Content]]]).await;
        kurso.set_quiz(class.pages[1], &one_question(Some(3))).await;
        assert_eq!(class.reason(&kurso, 0).await, Some(Reason::NotVisited));
        assert_eq!(class.reason(&kurso, 1).await, not_passed(None, Some(3)));
        class.visit(&kurso, 0).await;
        class.visit(&kurso, 1).await;
        assert_eq!(class.reason(&kurso, 0).await, None);
        assert_eq!(class.reason(&kurso, 1).await, not_passed(None, Some(3)), "a visited quiz is not a passed one");

        // Both the response to the submission and later reads show it.
        let failed = class.submit(&kurso, 1, 41).await;
        assert_eq!(failed.view.reason(failed.place), not_passed(Some(0), Some(2)));
        assert_eq!(class.reason(&kurso, 1).await, not_passed(Some(0), Some(2)));
        let view = class.view(&kurso).await;
        let open: Vec<_> = view.unfinished(view.lesson(0)).collect();
        assert_eq!(open, [(1, not_passed(Some(0), Some(2)).unwrap())]);
        assert_eq!(view.unfinished(view.lesson(1)).collect::<Vec<_>>(), [(2, Reason::NotVisited)]);
        let passed = class.submit(&kurso, 1, 42).await;
        assert_eq!((passed.view.reason(passed.place), class.reason(&kurso, 1).await), (None, None));
        assert_eq!(passed.attempts_left, Some(1));
    }

    async fn the_tree_has_the_attempt_limit_of_the_quiz(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Quiz]]]).await;
        for max in [Some(2), None, Some(5)] {
            class.save(&kurso, 0, json!({"quiz": one_question(max)})).await;
            assert_eq!(class.reason(&kurso, 0).await, not_passed(None, max.map(i64::from)), "the next request sees it");
        }
        page::versions::restore(&kurso, &class.owner, class.pages[0], 2, false).await.unwrap();
        assert_eq!(class.reason(&kurso, 0).await, not_passed(None, Some(2)));
        let made = json!({"kind": "quiz", "quiz": one_question(Some(7))});
        let made = page::create(&kurso, &class.owner, class.lessons[0], command(&made)).await.unwrap();
        let copy = duplicate::page(&kurso, &class.owner, made.id).await.unwrap();
        let tree = class.view(&kurso).await.tree;
        for page in [made.id, copy.id] {
            assert_eq!(tree.page(tree.place(page).unwrap()).max_attempts, Some(7));
        }
    }

    async fn debug_progress_lists_the_facts(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Content, Quiz, Content]]]).await;
        kurso.set_quiz(class.pages[1], &one_question(None)).await;
        kurso.clock.advance(Duration::minutes(1));
        let visited_at = Some(kurso.clock.now());
        class.visit(&kurso, 0).await;
        class.submit(&kurso, 1, 41).await;
        class.save(&kurso, 2, json!({"published": false})).await;
        let (view, facts) = facts::debug(&kurso, &class.learner, class.course).await.unwrap();
        assert_eq!(view.progress.percent(), 50);
        assert_eq!(facts, [
            PageFacts { place: 0, visited_at, attempts: 0, best_percent: None, passed: false, done: true, reason: None },
            PageFacts {
                place: 1, visited_at: None, attempts: 1, best_percent: Some(0), passed: false, done: false,
                reason: not_passed(Some(0), None),
            },
        ], "a learner is told of published pages only");
        let refused = facts::debug(&kurso, &class.owner, class.course).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::NotEnrolled))), "{refused:?}");
        join(&kurso, &class.owner, class.course, &class.owner).await;
        let before = kurso.db.statements();
        let (_, facts) = facts::debug(&kurso, &class.owner, class.course).await.unwrap();
        assert!(kurso.db.statements() - before <= 6);
        assert_eq!((facts.len(), facts[2].reason.clone()), (3, None), "staff see all; what is not published counts nowhere");
    }

    async fn structure_changes_apply_immediately_and_lose_nothing(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Content, Quiz], &[Content]], &[&[Content]]]).await;
        kurso.set_quiz(class.pages[1], &one_question(None)).await;
        class.visit(&kurso, 0).await;
        class.submit(&kurso, 1, 42).await;
        assert_eq!(class.percent(&kurso).await, 50);

        for page in [0, 1] {
            class.save(&kurso, page, json!({"published": false})).await;
            assert_eq!(class.percent(&kurso).await, 33);
            class.save(&kurso, page, json!({"published": true})).await;
            assert_eq!(class.percent(&kurso).await, 50, "published again, the visit and the attempt are there");
        }
        // After a move to another lesson the pages stay done, and the lessons' progress follows.
        class.save(&kurso, 0, json!({"lesson_id": class.lessons[2]})).await;
        class.save(&kurso, 1, json!({"lesson_id": class.lessons[1], "position": 0})).await;
        let view = class.view(&kurso).await;
        let counts: Vec<_> = view.progress.lessons.iter().map(|l| (l.pages_done, l.pages_total)).collect();
        assert_eq!((view.progress.percent(), counts), (50, vec![(0, 0), (1, 2), (1, 2)]));
        assert_eq!(view.progress.lessons_total, 2, "a lesson without pages counts nowhere");
        lesson::update(&kurso, &class.owner, class.lessons[2], command(json!({"module_id": class.modules[0]}))).await.unwrap();
        assert_eq!(class.percent(&kurso).await, 50);

        page::delete(&kurso, &class.owner, class.pages[2]).await.unwrap();
        assert_eq!(class.percent(&kurso).await, 66);
        page::delete(&kurso, &class.owner, class.pages[0]).await.unwrap();
        assert_eq!(class.percent(&kurso).await, 50);
        lesson::delete(&kurso, &class.owner, class.lessons[2]).await.unwrap();
        let view = class.view(&kurso).await;
        assert_eq!((view.progress.percent(), view.progress.completed_at), (100, Some(kurso.clock.now())));
        module::delete(&kurso, &class.owner, class.modules[0]).await.unwrap();
        let view = class.view(&kurso).await;
        assert_eq!((view.progress.percent(), view.progress.pages_total), (0, 0), "nothing to do is not all done");
        assert!(view.progress.completed_at.is_some());
    }

    async fn completion_time_survives_changes_of_the_course(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Content, Content, Quiz]]]).await;
        kurso.set_quiz(class.pages[2], &one_question(None)).await;
        class.visit(&kurso, 0).await;
        class.submit(&kurso, 2, 42).await;
        kurso.clock.advance(Duration::days(1));
        let finished = Some(kurso.clock.now());
        assert_eq!(class.visit(&kurso, 1).await.progress.completed_at, finished);
        kurso.clock.advance(Duration::days(1));
        let state = async || {
            let view = class.view(&kurso).await;
            (view.progress.percent(), view.progress.completed_at)
        };
        page::create(&kurso, &class.owner, class.lessons[0], command(json!({}))).await.unwrap();
        assert_eq!(state().await, (75, finished));
        page::delete(&kurso, &class.owner, class.pages[0]).await.unwrap();
        assert_eq!(state().await, (66, finished));
        attempts::reset(&kurso, &class.owner, class.enrollment, class.pages[2]).await.unwrap();
        assert_eq!(state().await, (33, finished));
        let fixed = completion::rederive(&kurso, &class.learner, class.course).await.unwrap();
        assert_eq!(fixed, Rederived { checked: 1, changed: vec![] });
        assert_eq!(state().await, (33, finished));
    }

    async fn completion_caused_by_an_author_is_recorded_on_the_next_read(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Content, Content]]]).await;
        class.visit(&kurso, 0).await;
        page::delete(&kurso, &class.owner, class.pages[1]).await.unwrap();
        kurso.clock.advance(Duration::hours(1));
        let seen = kurso.clock.now();
        let view = class.view(&kurso).await;
        assert_eq!(view.course.enrollment.unwrap().completed_at, Some(seen));
        kurso.clock.advance(Duration::hours(1));
        let before = kurso.db.statements();
        assert_eq!(class.view(&kurso).await.progress.completed_at, Some(seen));
        assert_eq!(kurso.db.statements() - before, 1, "noted once: what is left is the course, with the marks");
    }

    async fn progress_is_rederived_for_oneself_or_for_all(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Content]]]).await;
        let [boris, vera] = [kurso.person("boris").await, kurso.person("vera").await];
        let (b, v) = (join(&kurso, &class.owner, class.course, &boris).await, join(&kurso, &class.owner, class.course, &vera).await);
        for person in [&class.learner, &boris] {
            mark_page_visited(&kurso, person, class.pages[0]).await.unwrap();
        }
        let lose = async || { sql!("UPDATE enrollments SET completed_at = NULL").execute(&kurso.db).await.unwrap(); };
        lose().await;
        kurso.clock.advance(Duration::hours(1));
        let now = Some(kurso.clock.now());
        let changed = |enrollment| Change { enrollment, before: None, after: now };

        let own = completion::rederive(&kurso, &class.learner, class.course).await.unwrap();
        assert_eq!(own, Rederived { checked: 1, changed: vec![changed(class.enrollment)] });
        let again = completion::rederive(&kurso, &class.learner, class.course).await.unwrap();
        assert_eq!(again, Rederived { checked: 1, changed: vec![] });
        let rest = completion::rederive(&kurso, &class.owner, class.course).await.unwrap();
        assert_eq!(rest, Rederived { checked: 3, changed: vec![changed(b)] }, "only what was not stored rightly");
        assert!(!rest.changed.iter().any(|change| change.enrollment == v));

        let (editor, teacher) = (collaborator(&kurso, class.course, "editor").await, collaborator(&kurso, class.course, "teacher").await);
        for person in [&editor, &teacher] {
            lose().await;
            let before = kurso.db.statements();
            let all = completion::rederive(&kurso, person, class.course).await.unwrap();
            assert_eq!((all.checked, all.changed.len()), (3, 2));
            // Three of them notify teachers of learners who have completed the course.
            assert!(kurso.db.statements() - before <= 10);
        }
        let root = kurso.superuser("root").await;
        let refused = completion::rederive(&kurso, &root, class.course).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::NotEnrolled))), "{refused:?}");
        let stranger = kurso.person("galya").await;
        let refused = completion::rederive(&kurso, &stranger, class.course).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::CourseNotFound))), "{refused:?}");
    }

    async fn one_more_attempt_is_given_when_none_is_left(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Quiz, Quiz, Content]]]).await;
        for page in [0, 1] {
            kurso.set_quiz(class.pages[page], &one_question(Some(1))).await;
            class.submit(&kurso, page, 41).await;
        }
        let (e, page) = (class.enrollment, class.pages[0]);
        let boris = kurso.person("vera").await;
        join(&kurso, &class.owner, class.course, &boris).await;
        let stranger = kurso.person("boris").await;
        for (person, page, expected) in [
            (&class.learner, page, Error::Forbidden(Message::CourseForbidden)),
            (&boris, page, Error::Forbidden(Message::CourseForbidden)),
            (&stranger, page, Error::NotFound(Message::EnrollmentNotFound)),
            (&class.owner, class.pages[2], Error::NotFound(Message::NoQuiz)),
            (&class.owner, PageId::new(), Error::NotFound(Message::PageNotFound)),
        ] {
            let refused = attempts::grant(&kurso, person, e, page).await.unwrap_err();
            assert_eq!(format!("{refused:?}"), format!("{expected:?}"));
        }
        let teacher = collaborator(&kurso, class.course, "teacher").await;
        attempts::grant(&kurso, &teacher, e, page).await.unwrap();
        let again = attempts::grant(&kurso, &teacher, e, page).await;
        assert!(matches!(again, Err(Error::Conflict(Message::AttemptsRemain))), "sent twice, it gives one attempt: {again:?}");
        assert_eq!(class.reason(&kurso, 0).await, not_passed(Some(0), Some(1)));
        assert_eq!(class.reason(&kurso, 1).await, not_passed(Some(0), Some(0)), "the other quiz has none left");
        sql!("UPDATE enrollments SET marks = NULL").execute(&kurso.db).await.unwrap();
        assert_eq!(class.reason(&kurso, 0).await, not_passed(Some(0), Some(1)), "the stored progress is derived again");
        let detail = students::detail(&kurso, &teacher, e).await.unwrap();
        assert_eq!([0, 1, 2].map(|place| detail.attempts_left(place)), [Some(1), Some(0), None]);
        let (_, facts) = facts::debug(&kurso, &class.learner, class.course).await.unwrap();
        assert_eq!(facts[0].attempts, 1);

        let taken = class.submit(&kurso, 0, 42).await;
        assert_eq!((taken.attempt.attempt_no, taken.attempt.passed, taken.attempts_left), (2, true, Some(0)));
        let refused = attempts::submit(&kurso, &class.learner, page, submission(&json!({"answers": []}))).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::OutOfAttempts))), "{refused:?}");

        // The limit is lowered below the attempts used, then one more is given, and the reset takes all back.
        kurso.set_quiz(class.pages[1], &one_question(Some(2))).await;
        class.submit(&kurso, 1, 41).await;
        kurso.set_quiz(class.pages[1], &one_question(Some(1))).await;
        attempts::grant(&kurso, &class.owner, e, class.pages[1]).await.unwrap();
        assert_eq!(class.reason(&kurso, 1).await, not_passed(Some(0), Some(1)));
        attempts::reset(&kurso, &class.owner, e, class.pages[1]).await.unwrap();
        assert_eq!(class.reason(&kurso, 1).await, not_passed(None, Some(1)));
        kurso.set_quiz(class.pages[1], &one_question(None)).await;
        let unlimited = attempts::grant(&kurso, &class.owner, e, class.pages[1]).await;
        assert!(matches!(unlimited, Err(Error::Conflict(Message::AttemptsRemain))), "{unlimited:?}");

        let root = kurso.superuser("root").await;
        let log = audit::list(&kurso, &root, &audit::Filter::default(), Page::default()).await.unwrap();
        let given: Vec<_> = log.data.iter().filter(|entry| entry.act == Act::AttemptGranted).collect();
        assert_eq!(given.len(), 2);
        let pages: Vec<_> = given.iter().map(|entry| entry.page.as_ref().unwrap().id).collect();
        assert!(pages.contains(&page) && given[0].person.as_ref().unwrap().id == class.learner.id());
        assert!(given[0].page.as_ref().unwrap().name.is_some());
    }

    async fn only_authorised_people_reset_attempts(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Quiz, Quiz, Content]]]).await;
        for page in [0, 1] {
            kurso.set_quiz(class.pages[page], &one_question(Some(1))).await;
            class.submit(&kurso, page, 41).await;
        }
        let (e, page) = (class.enrollment, class.pages[0]);
        let [stranger, boris] = [kurso.person("boris").await, kurso.person("vera").await];
        join(&kurso, &class.owner, class.course, &boris).await;
        let root = kurso.superuser("root").await;
        for person in [&class.learner, &boris, &root] {
            let refused = attempts::reset(&kurso, person, e, page).await;
            assert!(matches!(refused, Err(Error::Forbidden(Message::CourseForbidden))), "{refused:?}");
        }
        let elsewhere = kurso.course(&class.owner, &[&[&[Quiz]]]).await;
        let elsewhere = CourseView::load(&kurso, &class.owner, elsewhere, Right::Read).await.unwrap().tree.pages[0].id;
        for (person, enrollment, page, message) in [
            (&stranger, e, page, Message::EnrollmentNotFound),
            (&class.owner, EnrollmentId::new(), page, Message::EnrollmentNotFound),
            (&class.owner, e, PageId::new(), Message::PageNotFound),
            (&class.owner, e, elsewhere, Message::PageNotFound),
            (&class.owner, e, class.pages[2], Message::NoQuiz),
        ] {
            let refused = attempts::reset(&kurso, person, enrollment, page).await;
            assert!(matches!(&refused, Err(Error::NotFound(found)) if *found == message), "{refused:?}");
        }
        let activity = class.view(&kurso).await.course.enrollment.unwrap().last_activity_at;
        kurso.clock.advance(Duration::hours(1));
        let teacher = collaborator(&kurso, class.course, "teacher").await;
        assert_eq!(attempts::reset(&kurso, &teacher, e, page).await.unwrap(), 1);
        assert_eq!(attempts::reset(&kurso, &teacher, e, page).await.unwrap(), 0);
        assert_eq!(class.reason(&kurso, 0).await, not_passed(None, Some(1)));
        assert_eq!(class.reason(&kurso, 1).await, not_passed(Some(0), Some(0)), "the other quiz keeps its attempt");
        assert_eq!(class.view(&kurso).await.course.enrollment.unwrap().last_activity_at, activity);
        assert_eq!(class.submit(&kurso, 0, 42).await.attempt.attempt_no, 1);
    }

    async fn a_page_lists_the_last_hundred_attempts(kurso: TestKurso) {
        let class = class(&kurso, &[&[&[Quiz, Quiz]]]).await;
        kurso.set_quiz(class.pages[0], &one_question(None)).await;
        kurso.set_quiz(class.pages[1], &one_question(None)).await;
        let first = class.submit(&kurso, 0, 42).await.attempt;
        class.submit(&kurso, 1, 41).await;
        for no in 2..=102_i64 {
            sql!(
                "INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent,
                   passed, submitted_at)
                 SELECT $1, enrollment_id, page_id, $2, quiz_version, '[]', results, 0, 1, 0, FALSE, submitted_at
                 FROM attempts WHERE id = $3",
                kurso_base::ids::AttemptId::new(), no, first.id
            ).execute(&kurso.db).await.unwrap();
        }
        let before = kurso.db.statements();
        let taken: Vec<_> = class.pages.iter().map(|page| (*page, class.enrollment)).collect();
        let found = attempts::attempts_of_each(&kurso, &taken).await.unwrap();
        assert_eq!(kurso.db.statements() - before, 4);
        let numbers: Vec<_> = found[&class.pages[0]].iter().map(|attempt| attempt.attempt_no).collect();
        assert_eq!((numbers.len(), numbers[0], numbers[99]), (100, 3, 102));
        assert!(found[&class.pages[0]][0].results[0].correct_answer.is_some(), "the one that passed is not among them");
        assert_eq!(found[&class.pages[1]].len(), 1);

        let detail = students::detail(&kurso, &class.owner, class.enrollment).await.unwrap();
        let numbers: Vec<_> = detail.attempts(0).iter().map(|taken| taken.attempt.attempt_no).collect();
        assert_eq!((numbers.len(), numbers[0], numbers[99]), (100, 3, 102));
        assert!(detail.is_done(0), "the attempt that passed counts");
        kurso.set_quiz(class.pages[0], &one_question(Some(110))).await;
        let detail = students::detail(&kurso, &class.owner, class.enrollment).await.unwrap();
        assert_eq!(detail.attempts_left(0), Some(8), "all attempts count");
    }
}
