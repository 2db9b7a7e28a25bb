//! The calendar and its feed on both databases.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, LessonId, ModuleId, PageId};
use kurso_base::messages::Lang;
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::calendar::{self, Span, feed};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, lesson, module, overrides, page, team};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited};
use kurso_core::testing::{TestKurso, command};
use kurso_core::users;
use kurso_db::sql;
use serde_json::{Value, json};

mod readers;

/// A course of one module: a lesson with a content page, a quiz and a draft, and a lesson with a content page.
struct Class {
    owner: Viewer,
    learner: Viewer,
    course: CourseId,
    module: ModuleId,
    lessons: Vec<LessonId>,
    pages: Vec<PageId>,
    draft: PageId,
}

async fn class(kurso: &TestKurso) -> Class {
    let (owner, learner) = (kurso.person("owner").await, kurso.person("anna").await);
    let course = kurso.course(&owner, &[&[&[Content, Quiz], &[Content]]]).await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    enroll(kurso, &learner, &Origin::default(), &code).await.unwrap();
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    let lessons: Vec<LessonId> = tree.lessons.iter().map(|lesson| lesson.id).collect();
    let draft = kurso.page(course, lessons[0], 2, Content, false).await;
    Class {
        owner,
        learner,
        course,
        module: tree.modules[0].id,
        lessons,
        pages: tree.pages.iter().map(|page| page.id).collect(),
        draft,
    }
}

impl Class {
    async fn enrollment(&self, kurso: &TestKurso) -> EnrollmentId {
        let course = courses::find(&kurso.db, &self.learner, self.course, Right::Read).await;
        course.unwrap().enrollment.unwrap().id
    }

    async fn set_course(&self, kurso: &TestKurso, body: Value) {
        course::update(kurso, &self.owner, self.course, command(&body))
            .await
            .unwrap();
    }

    async fn set_lesson(&self, kurso: &TestKurso, lesson: usize, body: Value) {
        lesson::update(kurso, &self.owner, self.lessons[lesson], command(&body))
            .await
            .unwrap();
    }

    async fn set_page(&self, kurso: &TestKurso, page: PageId, body: Value) {
        let changed = page::update(kurso, &self.owner, page, None, command(&body)).await;
        assert!(changed.is_ok());
    }
}

/// All events of a person as `kind title time`.
async fn events(kurso: &TestKurso, viewer: &Viewer, span: Span) -> Vec<String> {
    let listed = calendar::list(kurso, viewer, span, Page::default()).await.unwrap();
    assert_eq!(listed.count, listed.data.len() as i64);
    let events = listed.data.iter();
    events
        .map(|event| {
            format!(
                "{} {} {}",
                event.kind.name(),
                event.title(),
                event.at.format("%d.%m %H:%M")
            )
        })
        .collect()
}

/// The secret of a new feed.
async fn new_feed(kurso: &TestKurso, viewer: &Viewer) -> String {
    let (_, url) = feed::create(kurso, viewer, Lang::Ru).await.unwrap();
    let secret = url.strip_prefix("https://kurso.example/api/v1/calendar/").unwrap();
    secret.strip_suffix("/kurso.ics").unwrap().to_owned()
}

/// The feed: the ETag, and each event by its UID as its other properties.
async fn read(kurso: &TestKurso, secret: &str) -> (String, BTreeMap<String, BTreeMap<String, String>>) {
    let published = feed::read(kurso, None, secret, |_| false).await.unwrap();
    let text = published.text.unwrap().replace("\r\n ", "");
    let mut events = BTreeMap::new();
    let mut event = BTreeMap::new();
    for line in text.split_terminator("\r\n") {
        let (name, value) = line.split_once(':').unwrap();
        match line {
            "BEGIN:VEVENT" => event = BTreeMap::new(),
            "END:VEVENT" => {
                let before = events.insert(event.remove("UID").unwrap(), std::mem::take(&mut event));
                assert!(before.is_none(), "two events with one UID");
            }
            _ => drop(event.insert(name.to_owned(), value.to_owned())),
        }
    }
    (published.etag, events)
}

fn sequence(event: &BTreeMap<String, String>) -> i64 {
    event["SEQUENCE"].parse().unwrap()
}

both! {
    async fn everyone_has_the_dates_of_their_courses(kurso: TestKurso) {
        let class = class(&kurso).await;
        assert!(events(&kurso, &class.learner, Span::default()).await.is_empty());
        class.set_course(&kurso, json!({"starts_at": "2026-11-01", "ends_at": "2026-12-31"})).await;
        let window = json!({"available_from": "2026-11-01", "available_until": "2026-12-20", "due_at": "2026-12-10"});
        module::update(&kurso, &class.owner, class.module, command(&window)).await.unwrap();
        class.set_lesson(&kurso, 0, json!({"title": "Слова", "available_from": "2026-11-10", "due_at": "2026-12-01"})).await;
        class.set_page(&kurso, class.pages[1], json!({"title": "Тест", "due_at": "2026-11-30", "late_until": "2026-12-05"})).await;
        class.set_page(&kurso, class.draft, json!({"title": "Черновик", "due_at": "2026-11-25"})).await;
        let own = [
            "starts Курс 01.11 00:00", // the module opens at the same time
            "opens Слова 10.11 00:00",
            "due Тест 30.11 23:59",
            "due Слова 01.12 23:59",
            "closes Тест 05.12 23:59",
            "due Модуль 1 10.12 23:59",
            "closes Модуль 1 20.12 23:59",
            "ends Курс 31.12 23:59",
        ];
        assert_eq!(events(&kurso, &class.learner, Span::default()).await, own);
        let mut staff = own.map(str::to_owned).to_vec();
        staff.insert(2, "due Черновик 25.11 23:59".to_owned());
        assert_eq!(events(&kurso, &class.owner, Span::default()).await, staff);
        let stranger = kurso.superuser("root").await;
        assert!(events(&kurso, &stranger, Span::default()).await.is_empty(), "superusers have no part in the course");
        let at = |text: &str| Some(text.parse::<DateTime<Utc>>().unwrap());
        let span = Span { from: at("2026-11-10T00:00:00Z"), until: at("2026-12-01T23:59:00Z") };
        assert_eq!(events(&kurso, &class.learner, span).await, own[1..3]);

        let listed = calendar::list(&kurso, &class.owner, Span::default(), Page::new(2, 2)).await.unwrap();
        assert_eq!((listed.count, listed.data.len(), listed.data[0].title()), (9, 2, "Черновик"));
        assert!(listed.data[0].is_teaching() && !listed.data[0].is_done && !listed.data[0].is_overdue);
        team::leave(&kurso, &class.learner, class.course).await.unwrap();
        assert!(events(&kurso, &class.learner, Span::default()).await.is_empty());
    }

    async fn an_opening_stays_in_the_calendar_when_something_must_be_completed_first(kurso: TestKurso) {
        let class = class(&kurso).await;
        let dated = json!({"title": "Слова", "available_from": "2026-11-25", "prerequisites": [class.lessons[0]]});
        class.set_lesson(&kurso, 1, dated).await;
        let opening = ["opens Слова 25.11 00:00"];
        assert_eq!(events(&kurso, &class.learner, Span::default()).await, opening);
        kurso.clock.advance(Duration::days(30));
        assert_eq!(events(&kurso, &class.learner, Span::default()).await, opening, "its time has come, the prerequisite is unmet");
    }

    async fn a_title_that_the_course_hides_is_in_no_calendar(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.set_course(&kurso, json!({"hide_locked_titles": true})).await;
        class.set_lesson(&kurso, 1, json!({"title": "Тайна", "available_from": "2026-11-22T09:00:00Z", "due_at": "2026-12-01"})).await;
        let page = class.pages[2];
        class.set_page(&kurso, page, json!({"title": "Разгадка", "due_at": "2026-11-30"})).await;
        let secret = new_feed(&kurso, &class.learner).await;
        let uid = format!("due-{page}@kurso");
        let (_, hidden) = read(&kurso, &secret).await;
        assert_eq!(hidden[&uid]["SUMMARY"], "Срок: …");
        assert_eq!(events(&kurso, &class.learner, Span::default()).await, [
            "opens … 22.11 09:00", "due … 30.11 23:59", "due … 01.12 23:59",
        ]);
        kurso.clock.advance(Duration::days(1));
        let (_, shown) = read(&kurso, &secret).await;
        assert_eq!(shown[&uid]["SUMMARY"], "Срок: Разгадка");
        assert_eq!(sequence(&shown[&uid]), sequence(&hidden[&uid]) + 1, "time alone has changed the title");
    }

    async fn upcoming_has_what_a_learner_has_to_do(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.set_page(&kurso, class.pages[0], json!({"due_at": "2026-11-20"})).await;
        class.set_page(&kurso, class.pages[1], json!({"due_at": "2026-11-19", "late_penalty_per_day": 10})).await;
        class.set_lesson(&kurso, 1, json!({"due_at": "2026-11-25"})).await;
        let titles = |events: &[calendar::Event]| events.iter().map(|event| event.title().to_owned()).collect::<Vec<_>>();
        let upcoming = calendar::upcoming(&kurso, &class.learner, 5).await.unwrap();
        assert_eq!(titles(&upcoming.overdue), ["Урок 1.1", "Стр. 1"], "a page without a title has that of its lesson");
        assert_eq!(titles(&upcoming.next), ["Урок 1.2"]);
        assert!(upcoming.overdue.iter().all(|event| event.is_overdue && !event.is_teaching()));
        mark_page_visited(&kurso, &class.learner, class.pages[0]).await.unwrap();
        mark_page_visited(&kurso, &class.learner, class.pages[2]).await.unwrap();
        let upcoming = calendar::upcoming(&kurso, &class.learner, 5).await.unwrap();
        assert_eq!((titles(&upcoming.overdue), upcoming.overdue_count, upcoming.next.len()), (vec!["Стр. 1".to_owned()], 1, 0));
        class.set_page(&kurso, class.pages[1], json!({"late_penalty_per_day": null})).await;
        let upcoming = calendar::upcoming(&kurso, &class.learner, 5).await.unwrap();
        assert_eq!(upcoming.overdue_count, 0, "the quiz takes no attempts any more");
        let upcoming = calendar::upcoming(&kurso, &class.owner, 5).await.unwrap();
        assert_eq!((upcoming.overdue_count, upcoming.next.len()), (0, 0), "staff have nothing to do");
    }

    async fn a_lesson_and_a_module_are_due_for_the_pages_that_are_due_with_them(kurso: TestKurso) {
        let class = class(&kurso).await;
        let [text, quiz, other] = class.pages[..] else { panic!() };
        let due = json!({"due_at": "2026-11-20"});
        class.set_lesson(&kurso, 0, due.clone()).await;
        let overdue = async || {
            let upcoming = calendar::upcoming(&kurso, &class.learner, 5).await.unwrap();
            let titles = |events: &[calendar::Event]| events.iter().map(|event| event.title().to_owned()).collect::<Vec<_>>();
            (titles(&upcoming.overdue), titles(&upcoming.next))
        };
        let lesson = || "Урок 1.1".to_owned();
        assert_eq!(overdue().await, (vec![lesson()], vec![]));
        mark_page_visited(&kurso, &class.learner, text).await.unwrap();
        assert_eq!(overdue().await, (vec![], vec![]), "all that is left is a quiz that has closed");
        class.set_page(&kurso, quiz, json!({"late_penalty_per_day": 10})).await;
        assert_eq!(overdue().await, (vec![lesson()], vec![]), "the quiz takes late attempts");
        let enrollment = class.enrollment(&kurso).await;
        let extended = command(json!({"enrollment_id": enrollment, "page_id": quiz, "due_at": "2026-11-30"}));
        let extended = overrides::set(&kurso, &class.owner, class.course, extended).await.unwrap().done().unwrap();
        assert_eq!(overdue().await, (vec![], vec!["Стр. 1".to_owned()]), "the quiz is due later");
        let lifted = command(json!({"enrollment_id": enrollment, "page_id": quiz, "due_at": null}));
        overrides::set(&kurso, &class.owner, class.course, lifted).await.unwrap();
        assert_eq!(overdue().await, (vec![], vec![]), "the quiz is never due");
        let listed = calendar::list(&kurso, &class.learner, Span::default(), Page::default()).await.unwrap().data;
        assert_eq!(listed.iter().map(|event| (event.title(), event.is_done)).collect::<Vec<_>>(), [("Урок 1.1", true)]);
        class.set_page(&kurso, text, json!({"due_at": "2026-11-29"})).await;
        let listed = calendar::list(&kurso, &class.learner, Span::default(), Page::default()).await.unwrap().data;
        let states: Vec<_> = listed.iter().map(|event| (event.title(), event.is_done, event.is_overdue)).collect();
        assert_eq!(states, [("Урок 1.1", false, false), ("Урок 1.1", true, false)], "no page is due with the lesson");
        class.set_page(&kurso, text, json!({"due_at": null})).await;
        overrides::delete(&kurso, &class.owner, extended.id, None).await.unwrap();
        assert_eq!(overdue().await.0, [lesson()]);

        // The module is due for what has no due date of its own: the other lesson.
        module::update(&kurso, &class.owner, class.module, command(json!({"due_at": "2026-11-19"}))).await.unwrap();
        assert_eq!(overdue().await.0, [lesson(), "Модуль 1".to_owned()]);
        mark_page_visited(&kurso, &class.learner, other).await.unwrap();
        assert_eq!(overdue().await.0, [lesson()]);
        class.set_lesson(&kurso, 1, due).await;
        assert_eq!(overdue().await.0, [lesson()], "nothing is due with the module");
    }

    async fn what_takes_no_work_is_not_upcoming(kurso: TestKurso) {
        let class = class(&kurso).await;
        let [text, quiz, other] = class.pages[..] else { panic!() };
        let next = async || {
            let upcoming = calendar::upcoming(&kurso, &class.learner, 5).await.unwrap();
            let ids = |events: &[calendar::Event]| events.iter().map(|event| event.page().unwrap()).collect::<Vec<_>>();
            (ids(&upcoming.overdue), ids(&upcoming.next))
        };
        let enrollment = class.enrollment(&kurso).await;
        let set = async |page: PageId, body: Value| {
            let mut body = body;
            body["enrollment_id"] = json!(enrollment);
            body["page_id"] = json!(page);
            overrides::set(&kurso, &class.owner, class.course, command(body)).await.unwrap();
        };
        class.set_page(&kurso, text, json!({"due_at": "2026-11-30"})).await;
        class.set_page(&kurso, quiz, json!({"due_at": "2026-11-28"})).await;
        class.set_page(&kurso, other, json!({"due_at": "2026-11-20"})).await;
        assert_eq!(next().await, (vec![other], vec![quiz, text]));
        set(quiz, json!({"available_from": "2026-11-25"})).await;
        assert_eq!(next().await.1, [quiz, text], "it will open");
        class.set_lesson(&kurso, 0, json!({"prerequisites": [class.lessons[1]]})).await;
        assert_eq!(next().await.1, [quiz, text], "what must be done first can be done");
        class.set_lesson(&kurso, 1, json!({"available_from": "2026-11-19", "available_until": "2026-11-20"})).await;
        assert_eq!(next().await, (vec![], vec![quiz, text]), "what has closed takes no work");
        class.set_lesson(&kurso, 0, json!({"available_until": "2026-11-24"})).await;
        assert_eq!(next().await.1, [text], "the quiz opens after its lesson has closed, that is never");
        kurso.clock.advance(Duration::days(4));
        assert_eq!(next().await.1, [], "all have closed before their due dates");
    }

    async fn an_event_of_a_course_or_module_leads_to_the_course(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.set_course(&kurso, json!({"ends_at": "2026-12-31"})).await;
        module::update(&kurso, &class.owner, class.module, command(json!({"due_at": "2026-12-01"}))).await.unwrap();
        let secret = new_feed(&kurso, &class.learner).await;
        let (_, events) = read(&kurso, &secret).await;
        let course = format!("https://kurso.example/view-course/{}", class.course);
        for uid in [format!("ends-{}@kurso", class.course), format!("due-{}@kurso", class.module)] {
            assert_eq!(events[&uid]["URL"], course, "{uid}");
        }
        assert_eq!(events.len(), 2);
    }

    /// Counted with nothing cached, on another node.
    async fn the_events_of_courses_take_six_statements(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.set_course(&kurso, json!({"ends_at": "2026-12-31"})).await;
        let more = json!({"enrollment_id": class.enrollment(&kurso).await, "due_at": "2026-12-01", "page_id": class.pages[0]});
        overrides::set(&kurso, &class.owner, class.course, command(more)).await.unwrap();
        sql!("UPDATE enrollments SET marks = NULL").execute(&kurso.db).await.unwrap();
        let node = kurso.another_node().await;
        for expected in [6, 2] {
            let before = node.db.statements();
            calendar::list(&node, &class.learner, Span::default(), Page::default()).await.unwrap();
            assert_eq!(node.db.statements() - before, expected);
        }
    }

    async fn readers_of_one_feed_at_once_get_one_revision(kurso: TestKurso) {
        let class = class(&kurso).await;
        let secret = new_feed(&kurso, &class.learner).await;
        let mut last = 0;
        for round in 1..=5 {
            class.set_page(&kurso, class.pages[1], json!({"title": format!("Тест {round}"), "due_at": "2026-11-30"})).await;
            kurso.clock.advance(Duration::minutes(1));
            let read = futures_util::future::join_all((0..8).map(|_| read(&kurso, &secret))).await;
            assert!(read.iter().all(|one| *one == read[0]), "{read:?}");
            let now = read[0].1.values().map(sequence).max().unwrap();
            assert_eq!(now, last + 1);
            last = now;
        }
    }

    async fn courses_without_dates_cost_one_statement(kurso: TestKurso) {
        let class = class(&kurso).await;
        for _ in 0..3 {
            kurso.course(&class.owner, &[&[&[Content]]]).await;
        }
        calendar::list(&kurso, &class.owner, Span::default(), Page::default()).await.unwrap();
        for viewer in [&class.owner, &class.learner] {
            let before = kurso.db.statements();
            calendar::list(&kurso, viewer, Span::default(), Page::default()).await.unwrap();
            calendar::upcoming(&kurso, viewer, 5).await.unwrap();
            assert_eq!(kurso.db.statements() - before, 2);
        }
    }

    async fn a_feed_keeps_its_uids_and_its_sequence_grows_with_each_change(kurso: TestKurso) {
        let class = class(&kurso).await;
        let page = class.pages[1];
        class.set_page(&kurso, page, json!({"title": "Тест", "due_at": "2026-11-30"})).await;
        let secret = new_feed(&kurso, &class.learner).await;
        let uid = format!("due-{page}@kurso");
        let (etag, first) = read(&kurso, &secret).await;
        assert_eq!(first[&uid]["DTSTART"], "20261130T235900Z");
        assert_eq!(first[&uid]["URL"], format!("https://kurso.example/view-page/{page}"));
        kurso.clock.advance(Duration::hours(5));
        assert_eq!(read(&kurso, &secret).await, (etag.clone(), first.clone()), "time alone changes nothing");
        let known = feed::read(&kurso, None, &secret, |known| known == etag).await.unwrap();
        assert_eq!((known.text, known.etag), (None, etag));
        let mut last = sequence(&first[&uid]);
        for (body, summary) in [
            (json!({"due_at": "2026-11-29"}), "Срок: Тест"),
            (json!({"title": "Зачёт"}), "Срок: Зачёт"),
            (json!({"due_at": "2026-11-30"}), "Срок: Зачёт"),
        ] {
            class.set_page(&kurso, page, body).await;
            let (_, events) = read(&kurso, &secret).await;
            assert_eq!((events[&uid]["SUMMARY"].as_str(), sequence(&events[&uid])), (summary, last + 1));
            last += 1;
        }
        // A new address goes on with the sequence, also after a revocation.
        feed::revoke(&kurso, &class.learner).await.unwrap();
        let secret = new_feed(&kurso, &class.learner).await;
        class.set_page(&kurso, page, json!({"title": "Тест"})).await;
        let (_, events) = read(&kurso, &secret).await;
        assert_eq!(sequence(&events[&uid]), last + 1);
        class.set_page(&kurso, page, json!({"due_at": null})).await;
        assert!(read(&kurso, &secret).await.1.is_empty());
    }

    async fn only_a_current_address_of_an_active_account_is_read(kurso: TestKurso) {
        let class = class(&kurso).await;
        let refused = async |secret: &str| feed::read(&kurso, None, secret, |_| false).await.unwrap_err();
        assert!(!feed::get(&kurso, &class.learner).await.unwrap().is_active);
        let old = new_feed(&kurso, &class.learner).await;
        let secret = new_feed(&kurso, &class.learner).await;
        assert_eq!(secret.len(), 64);
        let stored: (String,) = sql!("SELECT token_hash FROM calendar_feeds").fetch_one(&kurso.db).await.unwrap();
        assert_ne!(stored.0, secret, "only a hash is stored");
        for wrong in [old.as_str(), "", &stored.0, &secret[1..], "\u{0}", &"я".repeat(9000)] {
            assert!(matches!(refused(wrong).await, Error::NotFound(_)), "{wrong:.80}");
        }
        let unread = feed::get(&kurso, &class.learner).await.unwrap();
        assert_eq!((unread.is_active, unread.created_at, unread.last_read_at), (true, Some(kurso.clock.now()), None));
        read(&kurso, &secret).await;
        let at = kurso.clock.now();
        kurso.clock.advance(Duration::minutes(59));
        read(&kurso, &secret).await;
        assert_eq!(feed::get(&kurso, &class.learner).await.unwrap().last_read_at, Some(at), "accurate to an hour");
        kurso.clock.advance(Duration::minutes(1));
        read(&kurso, &secret).await;
        assert_eq!(feed::get(&kurso, &class.learner).await.unwrap().last_read_at, Some(kurso.clock.now()));

        let root = kurso.superuser("root").await;
        let active = |active: bool| command(json!({"is_active": active}));
        users::update(&kurso, &root, Lang::En, class.learner.id(), active(false)).await.unwrap();
        assert!(matches!(refused(&secret).await, Error::NotFound(_)));
        users::update(&kurso, &root, Lang::En, class.learner.id(), active(true)).await.unwrap();
        read(&kurso, &secret).await;
        while !matches!(refused("wrong").await, Error::RateLimited { .. }) {}
        read(&kurso, &secret).await; // a working address is not refused
        kurso.clock.advance(Duration::minutes(10));
        feed::revoke(&kurso, &class.learner).await.unwrap();
        assert!(matches!(refused(&secret).await, Error::NotFound(_)));
        assert_eq!(feed::get(&kurso, &class.learner).await.unwrap(), feed::Feed::default());
        assert!(matches!(feed::revoke(&kurso, &class.learner).await, Err(Error::NotFound(_))));
        let secret = new_feed(&kurso, &class.learner).await;
        users::delete(&kurso, &root, class.learner.id()).await.unwrap();
        assert!(matches!(refused(&secret).await, Error::NotFound(_)));
    }

    async fn fifty_changes_of_dates_zones_and_clocks_lose_no_event(kurso: TestKurso) {
        let class = class(&kurso).await;
        let zones = ["Europe/Moscow", "Australia/Lord_Howe", "Africa/Casablanca", "America/St_Johns", "Pacific/Apia"];
        let secret = new_feed(&kurso, &class.learner).await;
        let (mut last, mut most) = (0, 0);
        for round in 0..50_i64 {
            let day = |day: i64| format!("2026-{:02}-{:02}T{:02}:30", 1 + (round + day) % 12, 1 + (round * 7 + day) % 28, (round + day) % 24);
            class.set_course(&kurso, json!({"time_zone": zones[round as usize % 5], "ends_at": "2026-12-31"})).await;
            class.set_lesson(&kurso, 0, json!({"due_at": day(3)})).await;
            class.set_lesson(&kurso, 1, json!({"available_from": day(5), "title": format!("Урок {round}")})).await;
            let due = if round % 3 == 0 { Value::Null } else { json!(day(9)) };
            class.set_page(&kurso, class.pages[1], json!({"due_at": due, "late_penalty_per_day": 5})).await;
            // Every other jump is back.
            kurso.clock.advance(Duration::days(if round % 2 == 0 { 40 } else { -33 }));
            let listed = calendar::list(&kurso, &class.learner, Span::default(), Page::default()).await.unwrap().data;
            let expected: BTreeMap<_, _> =
                listed.iter().map(|event| (event.uid(), event.at.format("%Y%m%dT%H%M%SZ").to_string())).collect();
            assert_eq!(expected.len(), listed.len());
            let (_, events) = read(&kurso, &secret).await;
            let found: BTreeMap<_, _> = events.iter().map(|(uid, event)| (uid.clone(), event["DTSTART"].clone())).collect();
            assert_eq!(found, expected, "round {round}");
            readers::write(&kurso, &secret, round, &listed).await;
            let now = events.values().map(sequence).max().unwrap();
            assert!(now > last, "the sequence grows though the clock is set back");
            (last, most) = (now, most.max(found.len()));
        }
        assert_eq!(most, 4);
    }
}
