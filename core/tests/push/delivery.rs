//! What is pushed, when, and to whom.

use chrono::Duration;
use kurso_base::messages::Lang;
use kurso_base::schedule::{DayTime, QuietHours, TimeZone};
use kurso_core::notice_mails::preferences::{ResetNotices, SetNoticeSettings};
use kurso_core::testing::{command, submission};
use kurso_core::{attempts, both, inbox, students};
use serde_json::json;

use super::service::{time, verified};
use super::*;

both! {
    async fn a_push_is_encrypted_and_signed(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let id = school.change(1).await;
        school.later(9).await;
        assert_eq!(school.received(), [] as [Value; 0], "it is not due yet");
        school.later(1).await;
        let page = school.pages[1];
        let tag = id.simple().to_string();
        assert_eq!(
            school.received(),
            [json!({
                "title": "Важное изменение страницы",
                "body": "Стр. 1 · Основы Rust",
                "url": format!("/view-page/{page}"),
                "tag": tag,
                "lang": "ru",
            })]
        );
        let requests = school.service.requests();
        let headers = ["topic", "ttl", "urgency", "content-encoding"].map(|name| requests[0].header(name).to_owned());
        assert_eq!(headers, [tag, "86400".to_owned(), "normal".to_owned(), "aes128gcm".to_owned()]);
        let key = push::devices::get(&school.kurso, &school.anna).await.unwrap().public_key.unwrap();
        let claims = verified(&requests[0], &key);
        assert_eq!(claims["aud"], format!("http://{}", school.service.address));
        assert_eq!(claims["sub"], "https://kurso.example");
        let expires = time(&claims["exp"]) - school.kurso.clock.now();
        assert!(expires > Duration::hours(1) && expires <= Duration::hours(24), "{expires}");
        school.later(3600).await;
        assert_eq!((school.received().len(), school.pending().await), (1, 0), "a push is sent once");
    }

    async fn events_are_pushed_and_undone_ones_are_not(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let (kurso, owner) = (&school.kurso, &school.owner);
        let found = sql!("SELECT id FROM enrollments").fetch_one::<(kurso_base::ids::EnrollmentId,)>(&kurso.db);
        let (enrollment,) = found.await.unwrap();
        let nudge = command(json!({"enrollment_ids": [enrollment], "text": "Вперёд!"}));
        students::nudge(kurso, owner, school.course, nudge).await.unwrap();
        school.later(10).await;
        let received = school.received();
        assert_eq!((received.len(), &received[0]["title"]), (1, &json!("Напоминание преподавателя")));
        assert_eq!(received[0]["body"], "Основы Rust · owner\nВперёд!");
        // The attempt is taken back within the pause.
        let page = kurso.page(school.course, lesson(&school).await, 2, kurso_core::courses::tree::PageKind::Quiz, true).await;
        let question = "0198f000-0000-7000-8000-0000000000e1";
        let quiz = json!({"max_attempts": 1, "questions": [{"type": "numeric", "prompt": "?", "value": 4, "id": question}]});
        kurso.set_quiz(page, &quiz).await;
        // Another attempt is granted to whoever has none left.
        let wrong = submission(&json!({"answers": [{"question_id": question, "number": 1}]}));
        attempts::submit(kurso, &school.anna, page, wrong).await.unwrap();
        let due = async || sql!("SELECT COUNT(*) FROM notices WHERE push_at IS NOT NULL").fetch_one::<(i64,)>(&kurso.db).await.unwrap().0;
        let grant = attempts::grant(kurso, owner, enrollment, page).await.unwrap();
        assert_eq!(due().await, 1);
        attempts::take_back(kurso, owner, enrollment, page, Some(grant)).await.unwrap();
        assert_eq!(due().await, 0);
        school.later(60).await;
        assert_eq!(school.received().len(), 1);
    }

    async fn several_notices_share_a_push_and_all_devices_receive_it(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let phone = school.service.browser("phone");
        push::devices::add(&school.kurso, &school.anna, &phone.subscription()).await.unwrap();
        school.change(0).await;
        let newest = school.change(1).await;
        school.later(10).await;
        let both = json!({
            "title": "2 новых уведомления",
            "body": "Основы Rust",
            "url": "/notices",
            "tag": newest.simple().to_string(),
            "lang": "ru",
        });
        assert_eq!(school.received(), std::slice::from_ref(&both));
        assert_eq!(school.service.received(&phone), [both]);
    }

    async fn nothing_is_pushed_for_what_was_read_withdrawn_or_hidden(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let kurso = &school.kurso;
        let id = school.change(0).await;
        inbox::mark_read(kurso, &school.anna, &[id.into()]).await.unwrap();
        school.later(10).await;
        assert_eq!(school.pending().await, 0);
        // Each of these happens between queueing and sending.
        for undo in ["UPDATE notices SET read_at = happened_at", "DELETE FROM notices", "UPDATE pages SET published = FALSE", "UPDATE users SET is_active = FALSE", "DELETE FROM enrollments"] {
            sql!("DELETE FROM notices").execute(&kurso.db).await.unwrap();
            school.change(0).await;
            kurso.clock.advance(Duration::seconds(10));
            assert_eq!(queue::queue_due(kurso).await.unwrap(), 1, "{undo}");
            sql!(undo).execute(&kurso.db).await.unwrap();
            sending::send_due(kurso).await.unwrap();
            assert_eq!((school.received().len(), school.pending().await), (0, 0), "{undo}");
            sql!("UPDATE pages SET published = TRUE").execute(&kurso.db).await.unwrap();
            sql!("UPDATE users SET is_active = TRUE").execute(&kurso.db).await.unwrap();
        }
    }

    async fn choices_decide_by_kind_and_course(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let kurso = &school.kurso;
        let chosen = async || {
            let found = preferences::get(kurso, &school.anna).await.unwrap();
            let own = found.choices.iter().find(|choice| choice.kind == Kind::ImportantChange).unwrap().delivery.push;
            let of_course = found.courses[0].choices.first().map(|choice| choice.delivery.push);
            (own, of_course)
        };
        assert_eq!(chosen().await, (true, None));
        school.choose(None, None).await;
        assert_eq!(chosen().await, (true, None), "a choice that leaves pushes open keeps them");
        school.choose(Some(school.course), None).await;
        assert_eq!(chosen().await, (true, Some(true)), "and follows that for all courses");
        // A push that is not due yet is dropped.
        school.change(0).await;
        school.choose(Some(school.course), Some(false)).await;
        assert_eq!(chosen().await, (true, Some(false)));
        school.change(1).await;
        school.later(10).await;
        assert_eq!((school.received().len(), school.pending().await), (0, 0));
        let reset = ResetNotices { course_id: Some(school.course), kind: Kind::ImportantChange };
        preferences::reset(kurso, &school.anna, reset).await.unwrap();
        // It is turned off between queueing and sending.
        sql!("DELETE FROM notices").execute(&kurso.db).await.unwrap();
        school.change(0).await;
        kurso.clock.advance(Duration::seconds(10));
        queue::queue_due(kurso).await.unwrap();
        school.choose(None, Some(false)).await;
        sending::send_due(kurso).await.unwrap();
        assert_eq!((school.received().len(), school.pending().await), (0, 0));
    }

    async fn quiet_hours_postpone_pushes(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let kurso = &school.kurso;
        school.change(0).await;
        let time = |hours: i32| DayTime::of_minutes(hours * 60).unwrap();
        let new = SetNoticeSettings {
            language: Lang::En,
            time_zone: TimeZone::named("Europe/Moscow").unwrap(),
            quiet_hours: QuietHours::new(time(11), time(14)),
        };
        // It is noon in Moscow.
        preferences::set_settings(kurso, &school.anna, new).await.unwrap();
        school.later(119 * 60).await;
        assert_eq!(school.received().len(), 0);
        school.later(60).await;
        assert_eq!(school.received()[0]["title"], "Important change of a page");
        // The push service was down until the next quiet hours.
        school.change(1).await;
        school.service.answer(503, "Retry-After: 18000\r\n");
        school.later(16 * 3600).await;
        school.later(5 * 3600).await;
        school.later(2 * 3600).await;
        assert_eq!(school.service.requests().len(), 2, "it is quiet");
        school.later(3600).await;
        assert_eq!(school.service.requests().len(), 3);
    }

    async fn a_person_receives_a_limited_number_of_pushes(kurso: TestKurso) {
        let school = School::of(kurso).await;
        for _ in 0..65 {
            sql!("DELETE FROM notices WHERE push_at IS NULL").execute(&school.kurso.db).await.unwrap();
            let subject = Uuid::now_v7();
            let page = school.pages[0];
            let about = About { kind: Kind::ImportantChange, subject, course: Some(school.course), page: Some(page), actor: None };
            school.kurso.notice(school.anna.id(), about).await;
            school.later(10).await;
        }
        assert_eq!(school.received().len(), 60);
        school.later(3600).await;
        let received = school.received();
        assert_eq!((received.len(), &received[60]["title"]), (61, &json!("5 новых уведомлений")));
    }
}

async fn lesson(school: &School) -> kurso_base::ids::LessonId {
    let found = sql!("SELECT id FROM lessons").fetch_one::<(kurso_base::ids::LessonId,)>(&school.kurso.db);
    found.await.unwrap().0
}
