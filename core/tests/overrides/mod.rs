//! Overrides of dates and attempts on both databases: what they change for whom, and what is refused.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod granted;
mod mixed;
mod together;

use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, LessonId, ModuleId, OverrideId, PageId};
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts::{self, grant, reset};
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::check::{self, Depth};
use kurso_core::courses::overrides::{self, Part, StoredOverride, Target, TargetFilter};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, duplicate, groups, lesson, module, page, team};
use kurso_core::finding;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited, my_progress};
use kurso_core::schedule::State;
use kurso_core::students;
use kurso_core::testing::{TestKurso, command, submission};
use kurso_db::{args, sql};
use kurso_formats::quiz;
use serde_json::{Value, json};

/// A course of one module with a lesson of a content page and a quiz, and two learners; the first one is in a group.
struct Class {
    owner: Viewer,
    learners: [Viewer; 2],
    enrollments: [EnrollmentId; 2],
    group: GroupId,
    course: CourseId,
    pages: Vec<PageId>,
    code: String,
}

async fn class(kurso: &TestKurso) -> Class {
    let owner = kurso.person("owner").await;
    let learners = [kurso.person("anna").await, kurso.person("boris").await];
    let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    let mut enrollments = vec![];
    for learner in &learners {
        let learnt = enroll(kurso, learner, &Origin::default(), &code).await.unwrap();
        enrollments.push(learnt.enrollment.unwrap().id);
    }
    let group = groups::create(kurso, &owner, course, command(json!({"title": "А"})))
        .await
        .unwrap()
        .id;
    let to = command(json!({"enrollment_ids": [enrollments[0]], "group_id": group}));
    groups::move_students(kurso, &owner, course, to).await.unwrap();
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    let pages: Vec<PageId> = tree.pages.iter().map(|page| page.id).collect();
    let question = json!({"type": "numeric", "prompt": "?", "value": 4});
    let limited = json!({"pass_percent": 60, "max_attempts": 1, "questions": [question]});
    kurso.set_quiz(pages[1], &limited).await;
    Class {
        owner,
        learners,
        enrollments: enrollments.try_into().unwrap(),
        group,
        course,
        pages,
        code,
    }
}

impl Class {
    async fn set(&self, kurso: &TestKurso, body: Value) -> Result<StoredOverride, Error> {
        overrides::set(kurso, &self.owner, self.course, command(body))
            .await
            .and_then(overrides::Changed::done)
    }

    async fn for_group(&self, kurso: &TestKurso, mut body: Value) -> OverrideId {
        body["group_id"] = json!(self.group);
        self.set(kurso, body).await.unwrap().id
    }

    async fn for_learner(&self, kurso: &TestKurso, mut body: Value) -> OverrideId {
        body["enrollment_id"] = json!(self.enrollments[0]);
        self.set(kurso, body).await.unwrap().id
    }

    async fn view(&self, kurso: &TestKurso, learner: usize) -> CourseView {
        my_progress(kurso, &self.learners[learner], self.course).await.unwrap()
    }

    /// The states of the quiz for both learners.
    async fn states(&self, kurso: &TestKurso) -> [State; 2] {
        let mut states = vec![];
        for learner in 0..2 {
            states.push(self.view(kurso, learner).await.timeline().page(1).state);
        }
        states.try_into().unwrap()
    }

    async fn attempts_left(&self, kurso: &TestKurso, learner: usize) -> Option<i64> {
        let left = self.view(kurso, learner).await.attempts_left(1);
        let detail = students::detail(kurso, &self.owner, self.enrollments[learner])
            .await
            .unwrap();
        assert_eq!(detail.attempts_left(1), left, "staff read the same number");
        left
    }

    async fn submit(&self, kurso: &TestKurso, learner: usize) -> Result<attempts::Submitted, Error> {
        let texts = attempts::for_author(&kurso.db, &[self.pages[1]]).await.unwrap();
        let quiz = quiz::Quiz::from_text(&texts[&self.pages[1]]).unwrap();
        let body = json!({"answers": [{"question_id": quiz.questions[0].id, "number": 5}]});
        attempts::submit(kurso, &self.learners[learner], self.pages[1], submission(&body)).await
    }

    async fn list(&self, kurso: &TestKurso, filter: TargetFilter) -> Vec<StoredOverride> {
        let found = overrides::list(kurso, &self.owner, self.course, filter, Page::default())
            .await
            .unwrap();
        assert_eq!(found.count, i64::try_from(found.data.len()).unwrap());
        found.data
    }

    async fn date_quiz(&self, kurso: &TestKurso, body: Value) {
        page::update(kurso, &self.owner, self.pages[1], None, command(body))
            .await
            .unwrap();
    }
}

/// The messages of a refusal with 422, by field.
fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> Vec<(String, Message)> {
    let Err(Error::Invalid(errors)) = result else {
        panic!("{result:?}")
    };
    let field = |error: &kurso_base::error::FieldError| {
        let loc = serde_json::to_value(&error.loc).unwrap();
        loc[1].as_str().unwrap_or_default().to_owned()
    };
    errors
        .iter()
        .map(|error| (field(error), error.message.clone()))
        .collect()
}

fn is_closed<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Closed { .. }))
}

fn is_locked<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Locked { .. }))
}

// The clock of the tests stands at 2026-11-21T09:00:00Z.
const YESTERDAY: &str = "2026-11-20T09:00:00Z";
const TOMORROW: &str = "2026-11-22T09:00:00Z";

both! {
    async fn an_override_of_a_learner_precedes_the_group_which_precedes_the_course(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.date_quiz(&kurso, json!({"available_until": YESTERDAY})).await;
        assert_eq!(class.states(&kurso).await, [State::Closed, State::Closed]);
        assert!(is_closed(&class.submit(&kurso, 0).await));
        let page = class.pages[1];
        let group = class.for_group(&kurso, json!({"page_id": page, "available_until": null, "available_from": TOMORROW})).await;
        assert_eq!(class.states(&kurso).await, [State::Locked, State::Closed], "only the group");
        assert!(is_locked(&class.submit(&kurso, 0).await));
        assert!(is_locked(&mark_page_visited(&kurso, &class.learners[0], page).await));
        let own = class.for_learner(&kurso, json!({"page_id": page, "available_from": YESTERDAY})).await;
        assert_eq!(class.states(&kurso).await, [State::Open, State::Closed], "the end is inherited from the group");
        class.submit(&kurso, 0).await.unwrap();
        assert!(is_closed(&class.submit(&kurso, 1).await));
        overrides::delete(&kurso, &class.owner, group, None).await.unwrap();
        assert_eq!(class.states(&kurso).await, [State::Closed, State::Closed]);
        overrides::delete(&kurso, &class.owner, own, None).await.unwrap();
        assert!(class.list(&kurso, TargetFilter::All).await.is_empty());
        let again = overrides::delete(&kurso, &class.owner, own, None).await;
        assert!(matches!(again, Err(Error::NotFound(Message::OverrideNotFound))), "{again:?}");
    }

    async fn an_override_replaces_the_one_of_the_same_part_and_is_listed_with_names(kurso: TestKurso) {
        let class = class(&kurso).await;
        let page = class.pages[0];
        let first = class.set(&kurso, json!({"enrollment_id": class.enrollments[0], "page_id": page, "due_at": "2026-12-01", "available_from": null}))
            .await.unwrap();
        assert_eq!(first.part, Part::Page(page));
        let Target::Student(student) = &first.target else { panic!("{first:?}") };
        assert_eq!((student.enrollment_id, student.email.as_str()), (class.enrollments[0], "anna@example.com"));
        let zoned = command(json!({"time_zone": "Asia/Yekaterinburg"}));
        course::update(&kurso, &class.owner, class.course, zoned).await.unwrap();
        let second = class.set(&kurso, json!({"enrollment_id": class.enrollments[0], "page_id": page, "available_until": "2026-12-01", "due_at": null}))
            .await.unwrap();
        assert_eq!(second.id, first.id);
        assert_eq!(second.values.available_until.value(), Some("2026-12-01T18:59:00Z".parse().unwrap()), "in the zone of the course");
        assert_eq!(overrides::lifted(&second.values), ["due_at"], "nothing of the first one stays");
        let of_group = class.set(&kurso, json!({"group_id": class.group, "available_from": "2026-11-01", "time_factor": 5})).await.unwrap();
        assert_eq!(class.list(&kurso, TargetFilter::All).await, [of_group.clone(), second.clone()], "groups first");
        assert_eq!(class.list(&kurso, TargetFilter::Group(class.group)).await, [of_group]);
        assert_eq!(class.list(&kurso, TargetFilter::Student(class.enrollments[0])).await, [second]);
        assert!(class.list(&kurso, TargetFilter::Student(class.enrollments[1])).await.is_empty());
        let page_two = overrides::list(&kurso, &class.owner, class.course, TargetFilter::All, Page::new(1, 1)).await.unwrap();
        assert_eq!((page_two.count, page_two.data.len()), (2, 1));
        let reading = overrides::list(&kurso, &class.learners[0], class.course, TargetFilter::All, Page::default()).await;
        assert!(matches!(reading, Err(Error::Forbidden(_))), "{reading:?}");
    }

    async fn extra_attempts_add_to_the_limit_and_to_granted_ones(kurso: TestKurso) {
        let class = class(&kurso).await;
        let (page, enrollment) = (class.pages[1], class.enrollments[0]);
        class.submit(&kurso, 0).await.unwrap();
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(0));
        class.for_group(&kurso, json!({"page_id": page, "extra_attempts": 1})).await;
        assert_eq!((class.attempts_left(&kurso, 0).await, class.attempts_left(&kurso, 1).await), (Some(1), Some(1)));
        let early = grant(&kurso, &class.owner, enrollment, page).await;
        assert!(matches!(early, Err(Error::Conflict(Message::AttemptsRemain))), "{early:?}");
        assert_eq!(class.submit(&kurso, 0).await.unwrap().attempts_left, Some(0));
        let over = class.submit(&kurso, 0).await;
        assert!(matches!(over, Err(Error::Conflict(Message::OutOfAttempts))), "{over:?}");
        grant(&kurso, &class.owner, enrollment, page).await.unwrap();
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(1), "one beyond the limit with its extra attempt");
        class.for_learner(&kurso, json!({"page_id": page, "extra_attempts": 3})).await;
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(3), "in place of that of the group");
        class.for_learner(&kurso, json!({"page_id": page, "extra_attempts": null})).await;
        assert_eq!(class.attempts_left(&kurso, 0).await, None);
        assert_eq!(class.submit(&kurso, 0).await.unwrap().attempts_left, None);
        let unlimited = grant(&kurso, &class.owner, enrollment, page).await;
        assert!(matches!(unlimited, Err(Error::Conflict(Message::AttemptsRemain))), "{unlimited:?}");
        reset(&kurso, &class.owner, enrollment, page).await.unwrap();
        assert_eq!(class.list(&kurso, TargetFilter::All).await.len(), 2, "a reset removes no override");
    }

    async fn dates_of_the_course_and_of_parts_above_are_overridden(kurso: TestKurso) {
        let class = class(&kurso).await;
        let view = class.view(&kurso, 0).await;
        let (module, lesson) = (view.module(0).id, view.lesson(0).id);
        let ended = command(json!({"ends_at": YESTERDAY, "hide_locked_titles": true}));
        course::update(&kurso, &class.owner, class.course, ended).await.unwrap();
        assert_eq!(class.states(&kurso).await, [State::Closed; 2]);
        class.for_group(&kurso, json!({"available_until": TOMORROW})).await;
        assert_eq!(class.states(&kurso).await, [State::Open, State::Closed]);
        assert_eq!(class.view(&kurso, 0).await.timeline().course().closes_at, Some(TOMORROW.parse().unwrap()));
        class.for_learner(&kurso, json!({"module_id": module, "available_from": TOMORROW})).await;
        let view = class.view(&kurso, 0).await;
        assert_eq!(view.timeline().module(0).state, State::Locked);
        assert_eq!((view.module(0).title.as_str(), view.timeline().lesson(0).state), ("…", State::Locked));
        let found = finding::search(&kurso, &class.learners[0], &Search::of("урок"), Page::default()).await.unwrap();
        assert_eq!(found.count, 0, "hidden from the search of the learner");
        assert!(finding::search(&kurso, &class.learners[1], &Search::of("урок"), Page::default()).await.unwrap().count > 0);
        let due = command(json!({"due_at": YESTERDAY}));
        lesson::update(&kurso, &class.owner, lesson, due).await.unwrap();
        assert_eq!(class.view(&kurso, 0).await.timeline().page(1).due_at, Some(YESTERDAY.parse().unwrap()));
        class.for_learner(&kurso, json!({"page_id": class.pages[1], "due_at": null})).await;
        assert_eq!(class.view(&kurso, 0).await.timeline().page(1).due_at, None, "lifted with that of the lesson");
        let staff = CourseView::load(&kurso, &class.owner, class.course, Right::Read).await.unwrap();
        assert_eq!(staff.timeline().page(1).state, State::Open);
    }

    async fn late_attempts_are_overridden_and_keep_their_penalty(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.date_quiz(&kurso, json!({"due_at": YESTERDAY})).await;
        assert!(is_closed(&class.submit(&kurso, 0).await));
        class.for_learner(&kurso, json!({"page_id": class.pages[1], "late_until": null})).await;
        let timing = class.view(&kurso, 0).await.timeline().page(1);
        assert_eq!((timing.state, timing.late_until, timing.penalty_percent), (State::Open, None, 0));
        class.date_quiz(&kurso, json!({"late_until": "2026-11-20T10:00:00Z", "late_penalty_per_day": 30})).await;
        class.for_learner(&kurso, json!({"page_id": class.pages[1], "late_until": TOMORROW})).await;
        let taken = class.submit(&kurso, 0).await.unwrap();
        assert_eq!(taken.attempt.penalty_percent, 30);
        assert!(is_closed(&class.submit(&kurso, 1).await));
    }

    async fn a_due_date_may_be_extended_beyond_the_end_of_late_attempts(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.date_quiz(&kurso, json!({"due_at": YESTERDAY, "late_until": YESTERDAY, "late_penalty_per_day": 30})).await;
        assert!(is_closed(&class.submit(&kurso, 0).await));
        class.for_learner(&kurso, json!({"page_id": class.pages[1], "due_at": TOMORROW})).await;
        let timing = class.view(&kurso, 0).await.timeline().page(1);
        let tomorrow = Some(TOMORROW.parse().unwrap());
        assert_eq!((timing.due_at, timing.late_until, timing.penalty_percent), (tomorrow, tomorrow, 0));
        assert_eq!(class.submit(&kurso, 0).await.unwrap().attempt.penalty_percent, 0);
    }

    async fn senseless_overrides_are_refused(kurso: TestKurso) {
        let class = class(&kurso).await;
        let other = self::other_course(&kurso).await;
        let view = class.view(&kurso, 0).await;
        let (module, lesson, page, quiz) = (view.module(0).id, view.lesson(0).id, class.pages[0], class.pages[1]);
        let (group, enrollment) = (class.group, class.enrollments[0]);
        class.date_quiz(&kurso, json!({"available_from": YESTERDAY, "available_until": TOMORROW})).await;
        let one = |field: &str, message: Message| vec![(field.to_owned(), message)];
        for (body, expected) in [
            (json!({"due_at": null}), one("group_id", Message::OverrideForWhom)),
            (json!({"group_id": group, "enrollment_id": enrollment, "time_factor": 2}), one("enrollment_id", Message::OverrideForWhom)),
            (json!({"group_id": group, "module_id": module, "lesson_id": lesson}), one("lesson_id", Message::OverrideOfWhat)),
            (json!({"group_id": group, "lesson_id": lesson, "page_id": page}), one("page_id", Message::OverrideOfWhat)),
            (json!({"group_id": group}), one("", Message::OverrideEmpty)),
            (json!({"group_id": group, "due_at": null}), one("due_at", Message::OverrideNotHere)),
            (json!({"group_id": group, "page_id": page, "late_until": null, "extra_attempts": 1}),
                vec![("late_until".to_owned(), Message::OverrideNotHere), ("extra_attempts".to_owned(), Message::OverrideNotHere)]),
            (json!({"group_id": group, "lesson_id": lesson, "extra_attempts": 0}), one("extra_attempts", Message::OverrideNotHere)),
            (json!({"group_id": group, "page_id": page, "time_factor": 2}), one("time_factor", Message::OverrideNotHere)),
            (json!({"group_id": group, "page_id": page, "time_factor": null}), one("time_factor", Message::OverrideNotHere)),
            (json!({"group_id": other.group, "time_factor": 2}), one("group_id", Message::UnknownGroup)),
            (json!({"enrollment_id": other.enrollment, "time_factor": 2}), one("enrollment_id", Message::UnknownStudent)),
            (json!({"group_id": group, "module_id": other.module, "time_factor": 2}), one("module_id", Message::UnknownModule)),
            (json!({"group_id": group, "lesson_id": other.lesson, "time_factor": 2}), one("lesson_id", Message::UnknownLesson)),
            (json!({"group_id": group, "page_id": other.page, "due_at": null}), one("page_id", Message::UnknownPage)),
            (json!({"group_id": group, "available_from": TOMORROW, "available_until": YESTERDAY}), one("available_until", Message::DatesOutOfOrder)),
            (json!({"group_id": group, "page_id": quiz, "due_at": "2026-12-01"}), one("available_until", Message::DatesOutOfOrder)),
            (json!({"group_id": group, "page_id": quiz, "due_at": TOMORROW, "late_until": YESTERDAY}), one("late_until", Message::DatesOutOfOrder)),
        ] {
            assert_eq!(refused(class.set(&kurso, body.clone()).await), expected, "{body}");
        }
        assert!(class.list(&kurso, TargetFilter::All).await.is_empty(), "nothing is half done");
        // The end of the group makes room for the due date of its learner.
        class.for_group(&kurso, json!({"page_id": quiz, "available_until": "2026-12-31"})).await;
        class.for_learner(&kurso, json!({"page_id": quiz, "due_at": "2026-12-01"})).await;
        let learner = overrides::set(&kurso, &class.learners[0], class.course, command(json!({"group_id": group, "time_factor": 2}))).await;
        assert!(matches!(learner, Err(Error::Forbidden(_))), "{learner:?}");
    }

    async fn overrides_go_with_their_group_part_and_account_but_return_with_the_learner(kurso: TestKurso) {
        let class = class(&kurso).await;
        let second = command(json!({"title": "М"}));
        let second = module::create(&kurso, &class.owner, class.course, second).await.unwrap().id;
        class.date_quiz(&kurso, json!({"available_until": YESTERDAY})).await;
        class.for_learner(&kurso, json!({"page_id": class.pages[1], "available_until": null})).await;
        class.for_learner(&kurso, json!({"module_id": second, "available_until": TOMORROW})).await;
        class.for_group(&kurso, json!({"time_factor": 2})).await;
        module::delete(&kurso, &class.owner, second).await.unwrap();
        assert_eq!(class.list(&kurso, TargetFilter::All).await.len(), 2);
        groups::delete(&kurso, &class.owner, class.group).await.unwrap();
        assert_eq!(class.list(&kurso, TargetFilter::All).await.len(), 1);
        team::leave(&kurso, &class.learners[0], class.course).await.unwrap();
        assert!(class.list(&kurso, TargetFilter::All).await.is_empty(), "strangers are not listed");
        enroll(&kurso, &class.learners[0], &Origin::default(), &class.code).await.unwrap();
        assert_eq!(class.states(&kurso).await, [State::Open, State::Closed], "leaving changes nothing");
        let copy = duplicate::course(&kurso, &class.owner, class.course, Default::default()).await.unwrap();
        let copied = overrides::list(&kurso, &class.owner, copy.id, TargetFilter::All, Page::default()).await.unwrap();
        assert_eq!((copied.count, copy.has_overrides), (0, false), "a copy has none");
        assert_eq!(check::check(&kurso, Depth::default()).await.unwrap().findings, []);
        sql!("DELETE FROM users WHERE id = $1", class.learners[0].id()).execute(&kurso.db).await.unwrap();
        let (left,) = sql!("SELECT COUNT(*) FROM schedule_overrides").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(left, 0);
    }

    async fn overrides_take_no_statement_of_their_own_while_the_tree_is_cached(kurso: TestKurso) {
        let class = class(&kurso).await;
        let cost = async || {
            let before = kurso.db.statements();
            class.view(&kurso, 0).await;
            kurso.db.statements() - before
        };
        cost().await;
        let without = cost().await;
        class.for_group(&kurso, json!({"page_id": class.pages[1], "extra_attempts": 2})).await;
        let cold = cost().await;
        assert_eq!(cold, without + 4, "the tree in three statements and its overrides in one");
        assert_eq!(cost().await, without);
    }

    async fn a_course_has_a_limit_of_overrides(kurso: TestKurso) {
        let class = class(&kurso).await;
        let (user, now) = (class.learners[1].id(), kurso.clock.now());
        let modules: Vec<ModuleId> = (0..overrides::MAX_OVERRIDES).map(|_| ModuleId::new()).collect();
        for some in modules.chunks(100) {
            sql!("INSERT INTO modules (id, course_id, title, position, created_at, updated_at) VALUES ")
                .push_rows(some, |id| args![*id, class.course, "М", 1_i64, now, now])
                .execute(&kurso.db).await.unwrap();
            sql!(
                "INSERT INTO schedule_overrides (id, course_id, user_id, module_id, available_from_lifted, available_until_lifted,
                   due_at_lifted, late_until_lifted, extra_attempts_lifted, time_factor_lifted, updated_at) VALUES "
            )
                .push_rows(some, |id| args![*id, class.course, user, *id, true, false, false, false, false, false, now])
                .execute(&kurso.db).await.unwrap();
        }
        team::leave(&kurso, &class.learners[1], class.course).await.unwrap();
        class.for_group(&kurso, json!({"time_factor": 2})).await;
        assert_eq!(class.list(&kurso, TargetFilter::All).await.len(), 1, "those of a learner who left do not count");
        enroll(&kurso, &class.learners[1], &Origin::default(), &class.code).await.unwrap();
        let one_more = class.set(&kurso, json!({"group_id": class.group, "time_factor": 2})).await;
        assert!(matches!(one_more, Err(Error::Conflict(Message::TooManyOverrides(overrides::MAX_OVERRIDES)))), "{one_more:?}");
        overrides::delete(&kurso, &class.owner, class.list(&kurso, TargetFilter::Group(class.group)).await[0].id, None).await.unwrap();
        let returned = overrides::list(&kurso, &class.owner, class.course, TargetFilter::All, Page::default()).await.unwrap();
        assert_eq!(returned.count, overrides::MAX_OVERRIDES);
        let Target::Student(student) = &returned.data[0].target else { panic!("{:?}", returned.data[0]) };
        let replaced = json!({"enrollment_id": student.enrollment_id, "module_id": modules[0], "time_factor": 2});
        class.set(&kurso, replaced).await.unwrap();
    }

    async fn damaged_overrides_are_found(kurso: TestKurso) {
        let class = class(&kurso).await;
        let other = self::other_course(&kurso).await;
        let own = class.for_learner(&kurso, json!({"page_id": class.pages[1], "extra_attempts": 1})).await;
        let problems = async || check::check(&kurso, Depth::default()).await.unwrap().findings;
        assert_eq!(problems().await, []);
        sql!("UPDATE schedule_overrides SET page_id = $1", other.page).execute(&kurso.db).await.unwrap();
        assert!(problems().await.iter().any(|found| found.at.contains(&own.to_string())));
        sql!("UPDATE schedule_overrides SET page_id = $1, user_id = $2", class.pages[1], class.owner.id()).execute(&kurso.db).await.unwrap();
        assert!(problems().await.iter().any(|found| found.at.contains(&own.to_string())));
        sql!("UPDATE schedule_overrides SET user_id = NULL, group_id = $1", class.group).execute(&kurso.db).await.unwrap();
        assert_eq!(problems().await, []);
        sql!("UPDATE schedule_overrides SET group_id = $1", other.group).execute(&kurso.db).await.unwrap();
        assert!(problems().await.iter().any(|found| found.at.contains(&own.to_string())), "a group of another course");
    }
}

/// Parts of a course with a group and a learner, which has nothing to do with the class.
struct Other {
    group: GroupId,
    enrollment: EnrollmentId,
    module: ModuleId,
    lesson: LessonId,
    page: PageId,
}

async fn other_course(kurso: &TestKurso) -> Other {
    let owner = kurso.person("head").await;
    let course = kurso.course(&owner, &[&[&[Content]]]).await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let learner = kurso.person("clara").await;
    let learnt = enroll(kurso, &learner, &Origin::default(), &shared.share_code.unwrap())
        .await
        .unwrap();
    let group = groups::create(kurso, &owner, course, command(json!({"title": "Б"})))
        .await
        .unwrap();
    let view = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap();
    Other {
        group: group.id,
        enrollment: learnt.enrollment.unwrap().id,
        module: view.module(0).id,
        lesson: view.lesson(0).id,
        page: view.page(0).id,
    }
}
