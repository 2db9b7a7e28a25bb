//! Notice mails, notice preferences, and unsubscribing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod histories;
mod reference;
pub mod world;

use chrono::Duration;
use kurso_base::email::Email;
use kurso_base::error::Error;
use kurso_base::ids::{CommentId, CourseId, PageId, ThreadId};
use kurso_base::messages::{Lang, Message};
use kurso_base::schedule::{DayTime, QuietHours, TimeZone};
use kurso_base::values::LinkToken;
use kurso_core::access::{Right, Viewer};
use kurso_core::check::{self, Depth, Rule};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::learning::view::CourseView;
use kurso_core::mail::queue;
use kurso_core::notice_mails::digest;
use kurso_core::notice_mails::preferences::{self, ChooseNotices, ResetNotices, SetNoticeSettings};
use kurso_core::notice_mails::unsubscribe::{self, UnsubscribeNotices};
use kurso_core::notices::{Kind, NoticeMail};
use kurso_core::testing::{About, TestKurso};
use kurso_core::users::{self, UpdateMe};
use kurso_core::{both, mailer};
use kurso_db::sql;
use uuid::Uuid;

use crate::mail::server::{Behaviour, Server};

/// A course with two pages, and a person who both teaches and learns in it.
struct School {
    anna: Viewer,
    owner: Viewer,
    course: CourseId,
    pages: Vec<PageId>,
}

impl School {
    async fn of(kurso: &TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let anna = kurso.person("anna").await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        sql!("UPDATE courses SET title = 'Основы Rust' WHERE id = $1", course)
            .execute(&kurso.db)
            .await
            .unwrap();
        kurso.collaborator(course, &anna, "teacher").await;
        sql!(
            "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
            Uuid::now_v7(),
            course,
            anna.id(),
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
        let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
        School {
            anna,
            owner,
            course,
            pages: tree.pages.iter().map(|page| page.id).collect(),
        }
    }

    /// An important change of the page with this number.
    fn change(&self, page: usize) -> About {
        About {
            kind: Kind::ImportantChange,
            subject: self.pages[page].0,
            course: Some(self.course),
            page: Some(self.pages[page]),
            actor: Some(self.owner.id()),
        }
    }

    async fn choose(&self, kurso: &TestKurso, course: Option<CourseId>, kind: Kind, mail: NoticeMail) {
        let choice = ChooseNotices {
            course_id: course,
            kind,
            in_app: true,
            mail,
            push: None,
        };
        preferences::choose(kurso, &self.anna, choice).await.unwrap();
    }

    /// The mail frequencies of important changes: for all courses, and for this course.
    async fn mails(&self, kurso: &TestKurso) -> (NoticeMail, Option<NoticeMail>) {
        let found = preferences::get(kurso, &self.anna).await.unwrap();
        let own = found.choices.iter().find(|choice| choice.kind == Kind::ImportantChange);
        let course = found
            .courses
            .iter()
            .find(|course| course.course == self.course)
            .unwrap();
        let of_course = course
            .choices
            .iter()
            .find(|choice| choice.kind == Kind::ImportantChange);
        (own.unwrap().delivery.mail, of_course.map(|choice| choice.delivery.mail))
    }

    /// Sends the mail of a notice about the course, and returns its token.
    async fn token(&self, kurso: &TestKurso) -> String {
        self.choose(kurso, Some(self.course), Kind::ImportantChange, NoticeMail::Once)
            .await;
        kurso.notice(self.anna.id(), self.change(1)).await;
        kurso.clock.advance(Duration::minutes(2));
        digest::queue_due(kurso).await.unwrap();
        let mails = kurso.mails().await;
        let (_, rest) = mails.last().unwrap().text.split_once("/unsubscribe/").unwrap();
        rest.split_whitespace().next().unwrap().to_owned()
    }
}

fn stop(token: &str, kind: Option<Kind>, course_id: Option<CourseId>) -> UnsubscribeNotices {
    UnsubscribeNotices {
        token: LinkToken(token.to_owned()),
        kind,
        course_id,
    }
}

async fn waiting(kurso: &TestKurso) -> i64 {
    let counted = sql!("SELECT COUNT(*) FROM mails").fetch_one::<(i64,)>(&kurso.db);
    counted.await.unwrap().0
}

both! {
    async fn several_notices_become_one_mail_that_names_them_by_course(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        for kind in [Kind::ImportantChange, Kind::CourseCompleted] {
            school.choose(&kurso, None, kind, NoticeMail::Once).await;
        }
        kurso.notice(school.anna.id(), school.change(1)).await;
        kurso.clock.advance(Duration::minutes(1));
        kurso.notice(school.anna.id(), school.change(0)).await;
        kurso.clock.advance(Duration::minutes(1));
        let server = Server::start(Behaviour::Takes).await;
        let node = kurso.node_with(server.mail("")).await;
        assert_eq!(digest::queue_due(&node).await.unwrap(), 1, "the first notice is due, the second is not");
        mailer::send_due(&node).await.unwrap();
        let taken = server.received();
        let head = String::from_utf8(taken[0].data.clone()).unwrap();
        let read = kurso_core::testing::Received::read(&taken[0].data);
        assert_eq!((read.to.as_str(), read.subject.as_str()), ("anna@example.com", "Важное изменение страницы: Основы Rust"));
        assert!(read.text.contains("«Стр. 1»") && !read.text.contains("Стр. 0"), "{}", read.text);
        let token = read.text.split_once("/unsubscribe/").unwrap().1.split_whitespace().next().unwrap();
        for header in [
            format!("List-Unsubscribe: <https://kurso.example/api/v1/notices/unsubscribe/{token}>\r\n"),
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n".to_owned(),
            "Auto-Submitted: auto-generated\r\n".to_owned(),
        ] {
            assert!(head.contains(&header), "{header} in {head}");
        }
        // The remaining notices come in one mail.
        let completed = About { kind: Kind::CourseCompleted, subject: Uuid::now_v7(), page: None, ..school.change(0) };
        kurso.notice(school.anna.id(), completed).await;
        kurso.clock.advance(Duration::minutes(2));
        assert_eq!(digest::queue_due(&node).await.unwrap(), 1);
        assert_eq!(digest::queue_due(&node).await.unwrap(), 0, "each notice is in one mail");
    }

    async fn read_and_unreadable_notices_are_left_out_of_mails(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        school.choose(&kurso, None, Kind::ImportantChange, NoticeMail::Once).await;
        let (first, _) = kurso.notice(school.anna.id(), school.change(0)).await;
        kurso.notice(school.anna.id(), school.change(1)).await;
        kurso.clock.advance(Duration::minutes(2));
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 1);
        sql!("UPDATE notices SET read_at = $2 WHERE id = $1", first, kurso.clock.now()).execute(&kurso.db).await.unwrap();
        let mails = kurso.mails().await;
        assert_eq!(mails.len(), 1);
        assert!(mails[0].text.contains("«Стр. 1»") && mails[0].subject.starts_with("Важное изменение"), "{:?}", mails[0]);
        sql!("UPDATE notices SET read_at = NULL, mail_at = $1", kurso.clock.now()).execute(&kurso.db).await.unwrap();
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 1);
        sql!("DELETE FROM enrollments").execute(&kurso.db).await.unwrap();
        sql!("DELETE FROM collaborators").execute(&kurso.db).await.unwrap();
        assert_eq!((kurso.mails().await.len(), waiting(&kurso).await), (1, 0), "nothing is left to say");
    }

    async fn deleted_and_inactive_accounts_get_no_mail(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        school.choose(&kurso, None, Kind::ImportantChange, NoticeMail::Once).await;
        kurso.notice(school.anna.id(), school.change(0)).await;
        kurso.clock.advance(Duration::minutes(2));
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 1);
        users::delete_me(&kurso, &school.anna).await.unwrap();
        assert_eq!((kurso.mails().await.len(), waiting(&kurso).await), (0, 0));
        for table in ["SELECT COUNT(*) FROM notices", "SELECT COUNT(*) FROM notice_choices", "SELECT COUNT(*) FROM notice_settings"] {
            assert_eq!(sql!(table).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0, 0, "{table}");
        }
    }

    async fn a_full_queue_leaves_notices_due(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        school.choose(&kurso, None, Kind::ImportantChange, NoticeMail::Once).await;
        kurso.notice(school.anna.id(), school.change(0)).await;
        kurso.clock.advance(Duration::minutes(2));
        let now = kurso.clock.now();
        for _ in 0..queue::MAX_PENDING_NOTICES / 1_000 {
            sql!("INSERT INTO mails (id, kind, about, lang, free_at, created_at) VALUES ")
                .push_values(0..1_000, |sql, _| sql.push_bind(Uuid::now_v7()).push(", 'notices', '{}', 'en', ").push_bind(now).push(", ").push_bind(now))
                .execute(&kurso.db).await.unwrap();
        }
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 0);
        sql!("DELETE FROM mails").execute(&kurso.db).await.unwrap();
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 1);
    }

    async fn the_mail_of_a_mention_quotes_the_comment(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        let (thread, comment, now) = (ThreadId::new(), CommentId::new(), kurso.clock.now());
        sql!("INSERT INTO comment_threads (id, page_id, started_by, created_at, active_at) VALUES ($1, $2, $3, $4, $4)",
            thread, school.pages[1], school.owner.id(), now).execute(&kurso.db).await.unwrap();
        let text = format!("@[Анна](user:{}), посмотрите!", school.anna.id());
        sql!("INSERT INTO page_comments (id, thread_id, author_id, text, created_at) VALUES ($1, $2, $3, $4, $5)",
            comment, thread, school.owner.id(), text, now).execute(&kurso.db).await.unwrap();
        sql!("INSERT INTO comment_mentions (comment_id, user_id) VALUES ($1, $2)", comment, school.anna.id())
            .execute(&kurso.db).await.unwrap();
        let mention = About { kind: Kind::Mention, subject: comment.0, ..school.change(1) };
        kurso.notice(school.anna.id(), mention).await;
        let answer = About { kind: Kind::Comment, subject: comment.0, ..school.change(1) };
        school.choose(&kurso, None, Kind::Comment, NoticeMail::Once).await;
        kurso.notice(school.anna.id(), answer).await;
        kurso.clock.advance(Duration::minutes(2));
        digest::queue_due(&kurso).await.unwrap();
        let mails = kurso.mails().await;
        let text = &mails[0].text;
        assert_eq!(text.matches("> @Анна, посмотрите!").count(), 2, "{text}");
        assert_eq!(text.matches(&format!("/edit-page/{}?thread={thread}", school.pages[1])).count(), 2, "{text}");
        assert!(text.contains("Вас упомянули в комментарии: «Стр. 1» (owner)"), "{text}");
        assert_eq!(mails[0].subject, "2 новых уведомления: Основы Rust");
        // No mail is sent if the comment no longer mentions the person.
        sql!("DELETE FROM comment_mentions").execute(&kurso.db).await.unwrap();
        sql!("UPDATE notices SET mail_at = $1 WHERE kind = 'mention'", kurso.clock.now()).execute(&kurso.db).await.unwrap();
        digest::queue_due(&kurso).await.unwrap();
        assert_eq!((kurso.mails().await.len(), waiting(&kurso).await), (1, 0));
    }

    async fn a_course_choice_overrides_the_general_choice_and_the_default(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        let found = preferences::get(&kurso, &school.anna).await.unwrap();
        assert!(!found.is_stored && found.choices.iter().all(|choice| choice.is_default && choice.delivery.in_app));
        assert_eq!(found.choices.iter().map(|choice| choice.kind).collect::<Vec<_>>(), Kind::ALL);
        assert_eq!((found.courses.len(), found.courses[0].title.as_str(), found.courses[0].choices.len()), (1, "Основы Rust", 0));
        assert_eq!(school.mails(&kurso).await, (NoticeMail::Daily, None));
        school.choose(&kurso, Some(school.course), Kind::ImportantChange, NoticeMail::Off).await;
        school.choose(&kurso, None, Kind::ImportantChange, NoticeMail::Weekly).await;
        school.choose(&kurso, None, Kind::ImportantChange, NoticeMail::Once).await;
        assert_eq!(school.mails(&kurso).await, (NoticeMail::Once, Some(NoticeMail::Off)));
        let (_, told) = kurso.notice(school.anna.id(), school.change(0)).await;
        assert_eq!(told.mail_at, None);
        let reset = |course_id| ResetNotices { course_id, kind: Kind::ImportantChange };
        preferences::reset(&kurso, &school.anna, reset(Some(school.course))).await.unwrap();
        preferences::reset(&kurso, &school.anna, reset(Some(school.course))).await.unwrap();
        assert_eq!(school.mails(&kurso).await, (NoticeMail::Once, None));
        let (_, told) = kurso.notice(school.anna.id(), school.change(1)).await;
        assert_eq!(told.mail_at, Some(kurso.clock.now() + Duration::minutes(2)));
        preferences::reset(&kurso, &school.anna, reset(None)).await.unwrap();
        assert_eq!(school.mails(&kurso).await, (NoticeMail::Daily, None));
        let stranger = kurso.person("stranger").await;
        let choice = ChooseNotices { course_id: Some(school.course), kind: Kind::Graded, in_app: true, mail: NoticeMail::Off, push: None };
        let refused = preferences::choose(&kurso, &stranger, choice).await.unwrap_err();
        assert!(matches!(refused, Error::NotFound(_)), "{refused}");
        let refused = preferences::reset(&kurso, &stranger, reset(Some(school.course))).await.unwrap_err();
        assert!(matches!(refused, Error::NotFound(_)), "{refused}");
    }

    async fn mails_follow_the_language_and_quiet_hours_of_a_person(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        school.choose(&kurso, None, Kind::ImportantChange, NoticeMail::Once).await;
        kurso.notice(school.anna.id(), school.change(0)).await;
        let time = |hours: i32| DayTime::of_minutes(hours * 60).unwrap();
        let new = SetNoticeSettings {
            language: Lang::En,
            time_zone: TimeZone::named("Europe/Moscow").unwrap(),
            quiet_hours: QuietHours::new(time(11), time(14)),
        };
        let found = preferences::set_settings(&kurso, &school.anna, new).await.unwrap();
        assert!(found.is_stored && found.settings.lang == Lang::En && found.settings.hours.quiet == new.quiet_hours);
        // It is noon in Moscow.
        kurso.clock.advance(Duration::minutes(119));
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 0);
        kurso.clock.advance(Duration::minutes(1));
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 1);
        assert_eq!(kurso.mails().await[0].subject, "Important change of a page: Основы Rust");
        // The worker was delayed, and it is quiet hours by now: it sends nothing.
        sql!("UPDATE notices SET mail_at = $1", kurso.clock.now()).execute(&kurso.db).await.unwrap();
        kurso.clock.advance(Duration::hours(22));
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 0);
        kurso.clock.advance(Duration::hours(2));
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 1);
    }

    async fn a_link_unsubscribes_only_from_what_it_names(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        let token = school.token(&kurso).await;
        let found = unsubscribe::get(&kurso, None, &token).await.unwrap();
        assert_eq!((found.email.as_str(), found.kinds), ("a***@example.com", vec![Kind::ImportantChange]));
        assert_eq!(found.course, Some((school.course, "Основы Rust".to_owned())));
        assert_eq!(school.mails(&kurso).await, (NoticeMail::Daily, Some(NoticeMail::Once)), "reading changes nothing");
        let kind = Some(Kind::ImportantChange);
        for _ in 0..2 {
            unsubscribe::unsubscribe(&kurso, None, &stop(&token, kind, Some(school.course))).await.unwrap();
            assert_eq!(school.mails(&kurso).await, (NoticeMail::Daily, Some(NoticeMail::Off)));
        }
        school.choose(&kurso, Some(school.course), Kind::ImportantChange, NoticeMail::Weekly).await;
        unsubscribe::unsubscribe(&kurso, None, &stop(&token, kind, None)).await.unwrap();
        assert_eq!(school.mails(&kurso).await, (NoticeMail::Off, Some(NoticeMail::Off)));
        let mailed = |found: &preferences::Preferences| {
            found.choices.iter().filter(|choice| choice.delivery.mail != NoticeMail::Off).count()
        };
        let found = preferences::get(&kurso, &school.anna).await.unwrap();
        assert_eq!(mailed(&found), 13, "invitations and imports have no mails anyway");
        unsubscribe::unsubscribe(&kurso, None, &stop(&token, None, None)).await.unwrap();
        let found = preferences::get(&kurso, &school.anna).await.unwrap();
        assert_eq!(mailed(&found), 0);
        assert!(found.choices.iter().all(|choice| choice.delivery.in_app), "the list stays as it is");
        let refused = unsubscribe::unsubscribe(&kurso, None, &stop(&token, kind, Some(CourseId::new()))).await.unwrap_err();
        assert!(matches!(refused, Error::NotFound(Message::CourseNotFound)), "{refused}");
        let other = preferences::get(&kurso, &school.owner).await.unwrap();
        assert_eq!(mailed(&other), 14);
        // A deleted course sends nothing.
        kurso_core::courses::course::delete(&kurso, &school.owner, school.course).await.unwrap();
        unsubscribe::unsubscribe(&kurso, None, &stop(&token, kind, Some(school.course))).await.unwrap();
        assert_eq!(unsubscribe::get(&kurso, None, &token).await.unwrap().course, None);
    }

    async fn pending_notices_are_not_mailed_after_unsubscribing(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        let token = school.token(&kurso).await;
        kurso.notice(school.anna.id(), school.change(0)).await;
        kurso.clock.advance(Duration::minutes(2));
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 1);
        let later = About { subject: Uuid::now_v7(), ..school.change(0) };
        kurso.notice(school.anna.id(), later).await;
        unsubscribe::unsubscribe(&kurso, None, &stop(&token, None, None)).await.unwrap();
        assert_eq!((kurso.mails().await.len(), waiting(&kurso).await), (1, 0), "the queued mail is dropped");
        kurso.clock.advance(Duration::days(9));
        assert_eq!(digest::queue_due(&kurso).await.unwrap(), 0);
    }

    async fn a_link_expires_after_180_days_and_with_its_address(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        let token = school.token(&kurso).await;
        let is_good = async |token: &str| match unsubscribe::get(&kurso, None, token).await {
            Ok(_) => true,
            Err(Error::NotFound(Message::NoticeLinkGone)) => false,
            Err(error) => panic!("{error}"),
        };
        let signed_in = kurso.token("anna@example.com").await;
        for bad in ["", "x", "a.b.c", &signed_in, &token[..token.len() - 2]] {
            assert!(!is_good(bad).await, "{bad}");
        }
        kurso.clock.advance(Duration::days(179));
        assert!(is_good(&token).await);
        let moved = UpdateMe { email: Some(Email::parse("anna@example.org").unwrap()), ..UpdateMe::default() };
        users::update_me(&kurso, &school.anna, Lang::En, moved).await.unwrap();
        assert!(!is_good(&token).await, "the address is another one");
        let back = UpdateMe { email: Some(Email::parse("Anna@Example.com").unwrap()), ..UpdateMe::default() };
        users::update_me(&kurso, &school.anna, Lang::En, back).await.unwrap();
        assert!(is_good(&token).await, "the address is the same");
        kurso.clock.advance(Duration::days(2));
        assert!(!is_good(&token).await, "it is old");
    }

    async fn invalid_links_are_rate_limited_and_valid_ones_are_not(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        let token = school.token(&kurso).await;
        let address = Some("192.0.2.7".parse().unwrap());
        for _ in 0..300 {
            let refused = unsubscribe::get(&kurso, address, "a.b.c").await;
            assert!(matches!(refused, Err(Error::NotFound(_))), "{refused:?}");
        }
        let refused = unsubscribe::unsubscribe(&kurso, address, &stop("a.b.c", None, None)).await;
        assert!(matches!(refused, Err(Error::RateLimited { .. })), "{refused:?}");
        unsubscribe::unsubscribe(&kurso, address, &stop(&token, None, None)).await.unwrap();
    }

    async fn damaged_preferences_are_found(kurso: TestKurso) {
        let school = School::of(&kurso).await;
        school.choose(&kurso, None, Kind::Graded, NoticeMail::Off).await;
        let new = SetNoticeSettings { language: Lang::Ru, time_zone: TimeZone::UTC, quiet_hours: None };
        preferences::set_settings(&kurso, &school.anna, new).await.unwrap();
        let found = check::check(&kurso, Depth::default()).await.unwrap();
        assert!(found.findings.is_empty(), "{:?}", found.findings);
        for (damage, problem) in [
            ("UPDATE notice_settings SET lang = 'de'", "its language is unknown"),
            ("UPDATE notice_settings SET lang = 'ru', time_zone = 'Europe/Kitezh'", "its time zone is unknown"),
            ("UPDATE notice_settings SET time_zone = 'UTC', quiet_from = 60, quiet_until = 60", "its quiet hours are invalid"),
            ("UPDATE notice_choices SET kind = 'weather'", "its kind is unknown"),
        ] {
            sql!(damage).execute(&kurso.db).await.unwrap();
            let found = check::check(&kurso, Depth::default()).await.unwrap().findings;
            let found = found.iter().any(|found| found.rule == Rule::NoticePreferences && found.problem == problem);
            assert!(found, "{damage}");
        }
    }
}
