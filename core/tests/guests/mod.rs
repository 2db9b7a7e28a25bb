//! Guests: starting without an account, what needs one, and moving everything to an account, on both databases.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod histories;
mod tables;

use chrono::Duration;
use kurso_base::email::Email;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::{self, Origin};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, visibility};
use kurso_core::guests::{self, Door, StartAsGuest};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::testing::{TestKurso, command, submission};
use kurso_core::{announcements, attempts, both, check, notes, users};
use kurso_db::sql;
use serde_json::json;
use uuid::Uuid;

/// A course of two pages, two quizzes and a quiz with a time limit that allows guests.
pub struct World {
    pub owner: Viewer,
    pub course: CourseId,
    pub code: String,
    pub pages: Vec<PageId>,
    pub question: Uuid,
    pub limited: Uuid,
}

/// The quizzes among the pages: one without a limit, one with two attempts, one with a time limit.
const FREE: usize = 2;
const LIMITED: usize = 3;
const TIMED: usize = 4;

impl World {
    pub async fn of(kurso: &TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Content, Quiz, Quiz, Quiz]]]).await;
        let view = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap();
        let pages: Vec<PageId> = (0..5).map(|place| view.page(place).id).collect();
        let questions = json!([{"type": "numeric", "prompt": "2 + 2?", "value": 4}]);
        let free = kurso
            .set_quiz(
                pages[FREE],
                &json!({"reveal": "after_submit", "pass_percent": 100, "questions": questions}),
            )
            .await;
        let limited = json!({"reveal": "after_submit", "pass_percent": 100, "max_attempts": 2, "questions": questions});
        let limited = kurso.set_quiz(pages[LIMITED], &limited).await;
        let timed = json!({"time_limit_seconds": 600, "questions": questions});
        kurso.set_quiz(pages[TIMED], &timed).await;
        let to = command(json!({"visibility": "link", "allows_guests": true}));
        visibility::set(kurso, &owner, course, to).await.unwrap();
        let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
        World {
            owner,
            course,
            code: shared.share_code.unwrap(),
            pages,
            question: free.questions[0].id,
            limited: limited.questions[0].id,
        }
    }

    /// A new guest with the token.
    pub async fn guest(&self, kurso: &TestKurso) -> (Viewer, String) {
        let by = StartAsGuest {
            course_id: Some(self.course),
            share_code: None,
        };
        let started = guests::start(kurso, &Origin::default(), by, Lang::Ru).await.unwrap();
        assert_eq!(started.course, self.course);
        (auth::authenticate(kurso, &started.token).await.unwrap(), started.token)
    }

    /// Submits an answer to one of the first two quizzes.
    pub async fn submit(&self, kurso: &TestKurso, by: &Viewer, quiz: usize, value: i64) -> Result<bool, Error> {
        let question = if quiz == FREE { self.question } else { self.limited };
        let answer = submission(&json!({"answers": [{"question_id": question, "number": value.to_string()}]}));
        let done = attempts::submit(kurso, by, self.pages[quiz], answer).await?;
        Ok(done.attempt.passed)
    }

    pub async fn view(&self, kurso: &TestKurso, viewer: &Viewer) -> CourseView {
        learning::my_progress(kurso, viewer, self.course).await.unwrap()
    }
}

async fn require_sound(kurso: &TestKurso) {
    let report = check::check(kurso, check::Depth::default()).await.unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

async fn count(kurso: &TestKurso, statement: &'static str) -> i64 {
    sql!(statement).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
}

fn by_code(code: &str) -> StartAsGuest {
    StartAsGuest {
        course_id: None,
        share_code: Some(code.to_owned()),
    }
}

both! {
    async fn guests_start_by_the_page_or_a_code_where_the_course_allows_them(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let origin = Origin::default();
        let (guest, _) = world.guest(&kurso).await;
        assert!(guest.user.is_guest && guest.user.full_name.as_ref().unwrap().starts_with("Гость "));
        let typed = world.code.to_lowercase();
        let shown = guests::course(&kurso, &origin, &Door::Code(typed.clone())).await.unwrap();
        assert_eq!(shown.id, world.course);
        guests::start(&kurso, &origin, by_code(&typed), Lang::En).await.unwrap();
        // A private course can be started by its code, but has no page.
        let to = command(json!({"visibility": "private"}));
        let kept = visibility::set(&kurso, &world.owner, world.course, to).await.unwrap();
        assert!(kept.allows_guests, "absent: as before");
        guests::start(&kurso, &origin, by_code(&typed), Lang::En).await.unwrap();
        let by_page = StartAsGuest { course_id: Some(world.course), share_code: None };
        let refused = guests::start(&kurso, &origin, by_page.clone(), Lang::Ru).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::CourseNotFound))), "{refused:?}");
        // Without permission nothing is revealed: neither by the page nor by the code.
        let to = command(json!({"visibility": "public", "allows_guests": false}));
        visibility::set(&kurso, &world.owner, world.course, to).await.unwrap();
        let refused = guests::start(&kurso, &origin, by_page, Lang::Ru).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::CourseNotFound))), "{refused:?}");
        for code in [world.code.as_str(), "AAAA-AAAA", "x"] {
            let refused = guests::course(&kurso, &origin, &Door::Code(code.to_owned())).await;
            assert!(matches!(refused, Err(Error::NotFound(Message::UnknownShareCode))), "{refused:?}");
        }
        let neither = StartAsGuest { course_id: None, share_code: None };
        assert!(matches!(guests::start(&kurso, &origin, neither, Lang::Ru).await, Err(Error::Invalid(_))));
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM users WHERE is_guest").await, 3);
        require_sound(&kurso).await;
    }

    async fn guests_do_what_learners_do_but_nothing_that_needs_an_account(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let (guest, _) = world.guest(&kurso).await;
        mark_page_visited(&kurso, &guest, world.pages[0]).await.unwrap();
        assert!(world.submit(&kurso, &guest, FREE, 4).await.unwrap());
        notes::create(&kurso, &guest, world.pages[0], command(json!({"color": "green", "body": "x"}))).await.unwrap();
        let needs_account = |refused: Error| assert!(matches!(refused, Error::Forbidden(Message::AccountNeeded)), "{refused:?}");
        needs_account(course::create(&kurso, &guest, command(json!({"title": "x"}))).await.unwrap_err());
        needs_account(users::update_me(&kurso, &guest, Lang::Ru, command(json!({"full_name": "x"}))).await.unwrap_err());
        needs_account(guests::merge(&kurso, &guest, "x").await.unwrap_err());
        // Another course admits the guest only if it allows guests.
        let other = kurso.course(&world.owner, &[&[&[Content]]]).await;
        let shared = courses::generate_share_code(&kurso, &world.owner, other).await.unwrap().share_code.unwrap();
        let refused = learning::enroll(&kurso, &guest, &Origin::default(), &shared).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::NoGuests))), "{refused:?}");
        let to = command(json!({"visibility": "private", "allows_guests": true}));
        visibility::set(&kurso, &world.owner, other, to).await.unwrap();
        learning::enroll(&kurso, &guest, &Origin::default(), &shared).await.unwrap();
    }

    async fn guests_are_no_accounts_for_superusers_and_sign_ins(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let (guest, _) = world.guest(&kurso).await;
        let superuser = kurso.superuser("root").await;
        for search in ["", "Гость", "guest.example"] {
            let found = users::list(&kurso, &superuser, &Search::of(search), Page::default()).await.unwrap();
            assert!(found.data.iter().all(|user| !user.is_guest), "{search}");
            assert_eq!(found.count, if search.is_empty() { 2 } else { 0 }, "the owner and the superuser");
        }
        assert!(matches!(users::get(&kurso, &superuser, guest.id()).await, Err(Error::NotFound(_))));
        assert!(matches!(users::delete(&kurso, &superuser, guest.id()).await, Err(Error::NotFound(_))));
        let shown = Email::parse(&guest.user.email).unwrap();
        assert!(users::by_email(&kurso.db, &shown).await.unwrap().is_none());
        let refused = auth::login(&kurso, &Origin::default(), &guest.user.email, String::new()).await;
        assert!(matches!(refused, Err(Error::BadRequest(Message::WrongLogin))), "{refused:?}");
        let to = courses::team::NewOwner::User(guest.id());
        let refused = courses::team::hand_over(&kurso, &world.owner, &Origin::default(), Lang::Ru, world.course, to).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
    }

    async fn an_account_that_was_not_enrolled_gets_everything_as_it_is(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let (guest, token) = world.guest(&kurso).await;
        for page in &world.pages[..2] {
            mark_page_visited(&kurso, &guest, *page).await.unwrap();
        }
        for value in [3, 4] {
            world.submit(&kurso, &guest, LIMITED, value).await.unwrap();
        }
        notes::create(&kurso, &guest, world.pages[0], command(json!({"color": "green", "body": "x"}))).await.unwrap();
        notes::set_bookmark(&kurso, &guest, world.pages[1], command(json!({"is_bookmarked": true}))).await.unwrap();
        let running = attempts::running::start(&kurso, &guest, world.pages[TIMED]).await.unwrap();
        let place = command(json!({"version": 1, "block": 0, "part": 10}));
        learning::places::keep_place(&kurso, &guest, world.pages[1], place).await.unwrap();
        let before = world.view(&kurso, &guest).await;
        let anna = kurso.person("anna").await;
        let merged = guests::merge(&kurso, &anna, &token).await.unwrap();
        assert_eq!((merged.courses, merged.uncounted_attempts), (vec![world.course], 0));
        let after = world.view(&kurso, &anna).await;
        assert_eq!(after.marks, before.marks);
        let (own, its) = (after.course.enrollment.clone().unwrap(), before.course.enrollment.clone().unwrap());
        assert_eq!((own.id, own.place, own.enrolled_at), (its.id, its.place, its.enrolled_at));
        assert_eq!(notes::of_page(&kurso, &anna, world.pages[0]).await.unwrap().len(), 1);
        let kept = notes::kept_of(&kurso, anna.id(), &[world.pages[1]], false).await.unwrap();
        assert!(kept[&world.pages[1]].is_bookmarked);
        let goes_on = attempts::running::start(&kurso, &anna, world.pages[TIMED]).await.unwrap();
        assert_eq!(goes_on.attempt.ends_at, running.attempt.ends_at);
        // The guest is gone, and asking again moves nothing.
        assert!(matches!(auth::authenticate(&kurso, &token).await, Err(Error::NotFound(Message::UserGone))));
        assert_eq!(guests::merge(&kurso, &anna, &token).await.unwrap(), guests::Merged::default());
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM users WHERE is_guest").await, 0);
        require_sound(&kurso).await;
    }

    async fn attempts_are_added_up_to_the_limit_and_running_ones_end(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let anna = kurso.person("anna").await;
        learning::enroll(&kurso, &anna, &Origin::default(), &world.code).await.unwrap();
        world.submit(&kurso, &anna, LIMITED, 3).await.unwrap();
        let (guest, token) = world.guest(&kurso).await;
        for value in [5, 4] {
            world.submit(&kurso, &guest, LIMITED, value).await.unwrap();
        }
        world.submit(&kurso, &guest, FREE, 4).await.unwrap();
        attempts::running::start(&kurso, &guest, world.pages[TIMED]).await.unwrap();
        let merged = guests::merge(&kurso, &anna, &token).await.unwrap();
        assert_eq!(merged.uncounted_attempts, 1);
        let enrollment = world.view(&kurso, &anna).await.course.enrollment.unwrap().id;
        let attempts_at = async |page: usize| attempts::attempts_of(&kurso, enrollment, world.pages[page]).await.unwrap();
        let limited = attempts_at(LIMITED).await;
        let shown: Vec<_> = limited.iter().map(|attempt| (attempt.attempt_no, attempt.passed)).collect();
        assert_eq!(shown, [(1, false), (2, false)], "the earliest of the guest is added");
        assert_eq!(attempts_at(FREE).await.len(), 1);
        assert_eq!(attempts_at(TIMED).await.len(), 1, "the running attempt has ended");
        let refused = world.submit(&kurso, &anna, LIMITED, 4).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::OutOfAttempts))), "{refused:?}");
        require_sound(&kurso).await;
    }

    async fn an_enrollment_that_ended_returns_with_its_attempts(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let anna = kurso.person("anna").await;
        learning::enroll(&kurso, &anna, &Origin::default(), &world.code).await.unwrap();
        for value in [3, 3] {
            world.submit(&kurso, &anna, LIMITED, value).await.unwrap();
        }
        courses::team::leave(&kurso, &anna, world.course).await.unwrap();
        let (guest, token) = world.guest(&kurso).await;
        world.submit(&kurso, &guest, LIMITED, 4).await.unwrap();
        mark_page_visited(&kurso, &guest, world.pages[0]).await.unwrap();
        let merged = guests::merge(&kurso, &anna, &token).await.unwrap();
        assert_eq!(merged.uncounted_attempts, 1, "leaving the course gains no attempts");
        assert!(world.view(&kurso, &anna).await.marks.is_visited(0));
        require_sound(&kurso).await;
    }

    async fn of_two_merges_at_once_one_moves_the_guest(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let anna = kurso.person("anna").await;
        learning::enroll(&kurso, &anna, &Origin::default(), &world.code).await.unwrap();
        let (one, first) = world.guest(&kurso).await;
        let (two, second) = world.guest(&kurso).await;
        for guest in [&one, &two] {
            world.submit(&kurso, guest, FREE, 4).await.unwrap();
        }
        let merge = |token| guests::merge(&kurso, &anna, token);
        let done = tokio::join!(merge(&first), merge(&second), merge(&first), merge(&second));
        for merged in [done.0, done.1, done.2, done.3] {
            assert_eq!(merged.unwrap().uncounted_attempts, 0);
        }
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM attempts").await, 2);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM enrollments").await, 1);
        require_sound(&kurso).await;
    }

    async fn only_the_token_of_a_guest_with_an_open_session_is_merged(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let (anna, boris) = (kurso.person("anna").await, kurso.person("boris").await);
        let (guest, token) = world.guest(&kurso).await;
        let of_boris = kurso.tokens.issue(boris.id(), boris.session, kurso.clock.now()).unwrap();
        auth::logout(&kurso, &guest).await.unwrap();
        for token in [token.as_str(), &of_boris, "", "x"] {
            let refused = guests::merge(&kurso, &anna, token).await;
            assert!(matches!(refused, Err(Error::BadRequest(Message::NotAGuest))), "{refused:?}");
        }
    }

    async fn guests_who_stay_away_are_deleted_after_thirty_days(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let (stays, token) = world.guest(&kurso).await;
        let (leaves, _) = world.guest(&kurso).await;
        world.submit(&kurso, &leaves, FREE, 4).await.unwrap();
        kurso.clock.advance(Duration::days(20));
        auth::authenticate(&kurso, &token).await.unwrap();
        kurso.clock.advance(Duration::days(11));
        assert_eq!(guests::delete_old(&kurso).await.unwrap(), 1);
        let left = sql!("SELECT id FROM users WHERE is_guest").fetch_all::<(Uuid,)>(&kurso.db).await.unwrap();
        assert_eq!(left, [(stays.id().0,)]);
        // The token of a guest outlives that of an account.
        auth::authenticate(&kurso, &token).await.unwrap();
        assert_eq!(guests::delete_old(&kurso).await.unwrap(), 0);
        require_sound(&kurso).await;
    }

    async fn attempts_that_do_not_count_complete_no_course(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        for page in [FREE, TIMED] {
            courses::page::delete(&kurso, &world.owner, world.pages[page]).await.unwrap();
        }
        let anna = kurso.person("anna").await;
        learning::enroll(&kurso, &anna, &Origin::default(), &world.code).await.unwrap();
        for _ in 0..2 {
            world.submit(&kurso, &anna, LIMITED, 3).await.unwrap();
        }
        let (guest, token) = world.guest(&kurso).await;
        for page in &world.pages[..2] {
            mark_page_visited(&kurso, &guest, *page).await.unwrap();
        }
        world.submit(&kurso, &guest, LIMITED, 4).await.unwrap();
        let completed = async |who: &Viewer| world.view(&kurso, who).await.course.enrollment.unwrap().completed_at;
        assert!(completed(&guest).await.is_some());
        assert_eq!(guests::merge(&kurso, &anna, &token).await.unwrap().uncounted_attempts, 1);
        assert_eq!(completed(&anna).await, None);
        require_sound(&kurso).await;
    }

    async fn two_halves_complete_a_course(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        for page in [FREE, LIMITED, TIMED] {
            courses::page::delete(&kurso, &world.owner, world.pages[page]).await.unwrap();
        }
        let anna = kurso.person("anna").await;
        learning::enroll(&kurso, &anna, &Origin::default(), &world.code).await.unwrap();
        mark_page_visited(&kurso, &anna, world.pages[0]).await.unwrap();
        let (guest, token) = world.guest(&kurso).await;
        mark_page_visited(&kurso, &guest, world.pages[1]).await.unwrap();
        guests::merge(&kurso, &anna, &token).await.unwrap();
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM enrollments WHERE completed_at IS NOT NULL").await, 1);
        require_sound(&kurso).await;
    }

    async fn limits_hold_for_running_attempts_overrides_and_guests_who_left(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let timed = json!({"time_limit_seconds": 600, "max_attempts": 1,
            "questions": [{"type": "numeric", "prompt": "2 + 2?", "value": 4}]});
        kurso.set_quiz(world.pages[TIMED], &timed).await;
        let start = async |who: &Viewer| attempts::running::start(&kurso, who, world.pages[TIMED]).await;
        let anna = kurso.person("anna").await;
        learning::enroll(&kurso, &anna, &Origin::default(), &world.code).await.unwrap();
        // The running attempt of the account takes the place of the guest's, which ends here.
        start(&anna).await.unwrap();
        let (guest, token) = world.guest(&kurso).await;
        start(&guest).await.unwrap();
        assert_eq!(guests::merge(&kurso, &anna, &token).await.unwrap().uncounted_attempts, 1);
        // A guest who left with a running attempt hands over none.
        let (leaves, token) = world.guest(&kurso).await;
        start(&leaves).await.unwrap();
        courses::team::leave(&kurso, &leaves, world.course).await.unwrap();
        guests::merge(&kurso, &anna, &token).await.unwrap();
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM running_attempts").await, 1);
        // What a teacher gave the guest holds for the account.
        let (given, token) = world.guest(&kurso).await;
        let enrollment = world.view(&kurso, &given).await.course.enrollment.unwrap().id;
        let more = command(json!({"enrollment_id": enrollment, "page_id": world.pages[LIMITED], "extra_attempts": 1}));
        courses::overrides::set(&kurso, &world.owner, world.course, more).await.unwrap();
        for _ in 0..3 {
            world.submit(&kurso, &given, LIMITED, 3).await.unwrap();
        }
        assert_eq!(guests::merge(&kurso, &anna, &token).await.unwrap().uncounted_attempts, 0);
        require_sound(&kurso).await;
    }

    async fn a_merge_and_the_requests_of_the_guest_may_meet(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let anna = kurso.person("anna").await;
        for _ in 0..10 {
            let (guest, token) = world.guest(&kurso).await;
            let merge = guests::merge(&kurso, &anna, &token);
            let submit = world.submit(&kurso, &guest, FREE, 4);
            let origin = Origin::default();
            let enroll = learning::enroll(&kurso, &anna, &origin, &world.code);
            let visit = mark_page_visited(&kurso, &guest, world.pages[0]);
            let (merged, submitted, enrolled, _) = tokio::join!(merge, submit, enroll, visit);
            merged.unwrap();
            enrolled.unwrap();
            if let Err(error) = submitted {
                assert!(!matches!(error, Error::Internal(_)), "{error:?}");
            }
        }
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM users WHERE is_guest").await, 0);
        require_sound(&kurso).await;
    }

    async fn guests_are_told_in_the_app_only(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let (guest, _) = world.guest(&kurso).await;
        let text = json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "x"}]}]});
        let announcement = command(json!({"title": "x", "content": text}));
        announcements::create(&kurso, &world.owner, world.course, announcement).await.unwrap();
        announcements::publish::publish_due(&kurso).await.unwrap();
        let notices = sql!("SELECT COUNT(*), COUNT(mail_at) FROM notices WHERE user_id = $1", guest.id());
        let (in_app, mailed) = notices.fetch_one::<(i64, i64)>(&kurso.db).await.unwrap();
        assert_eq!((in_app, mailed), (1, 0));
    }
}
