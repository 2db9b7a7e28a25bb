//! Push services that fail, and workers that die: a push is neither lost nor repeated under another tag.

use std::collections::BTreeSet;

use kurso_core::both;
use kurso_core::push::devices;
use kurso_core::testing::Dice;

use super::*;
use crate::notice_mails::world::killed_after;

both! {
    async fn a_device_that_is_gone_is_deleted(kurso: TestKurso) {
        for status in [404, 410] {
            let school = School::of(TestKurso::new(backend(&kurso)).await).await;
            school.change(0).await;
            school.service.answer(status, "");
            school.later(10).await;
            assert_eq!((school.service.requests().len(), school.pending().await), (1, 0));
            assert_eq!(devices::get(&school.kurso, &school.anna).await.unwrap().devices, []);
        }
    }

    async fn temporary_failures_are_retried_and_permanent_ones_are_not(kurso: TestKurso) {
        let school = School::of(kurso).await;
        school.change(0).await;
        for (status, headers, wait) in [(500, "", 10), (429, "Retry-After: 120\r\n", 120), (503, "Retry-After: Sat, 21 Nov 2026 09:10:00 GMT\r\n", 460), (408, "", 270)] {
            school.service.answer(status, headers);
            let before = school.service.requests().len();
            school.later(if before == 0 { 10 } else { 0 }).await;
            assert_eq!(school.service.requests().len(), before + 1, "{status}");
            school.later(wait - 1).await;
            assert_eq!(school.service.requests().len(), before + 1, "{status} waits");
            school.kurso.clock.advance(Duration::seconds(1));
        }
        school.later(0).await;
        let requests = school.service.requests();
        assert_eq!((requests.len(), school.pending().await), (5, 0));
        let topics: BTreeSet<&str> = requests.iter().map(|request| request.header("topic")).collect();
        assert_eq!(topics.len(), 1, "a push service replaces a repeated push");
        for (page, status, headers) in [(1, 400, ""), (0, 403, ""), (1, 413, ""), (0, 301, "Location: http://127.0.0.1/\r\n")] {
            sql!("DELETE FROM notices").execute(&school.kurso.db).await.unwrap();
            school.change(page).await;
            school.service.answer(status, headers);
            school.later(10).await;
            assert_eq!(school.pending().await, 0, "{status}");
        }
        assert_eq!(school.service.requests().len(), 9, "redirects are not followed");
        assert_eq!(devices::get(&school.kurso, &school.anna).await.unwrap().devices.len(), 1);
    }

    async fn a_push_is_given_up_after_a_day(kurso: TestKurso) {
        let school = School::of(kurso).await;
        school.change(0).await;
        for _ in 0..100 {
            school.service.answer(503, "");
        }
        school.later(10).await;
        let mut hours = 0;
        while school.pending().await > 0 {
            school.later(3600).await;
            hours += 1;
        }
        assert!((22..=25).contains(&hours), "{hours}");
        let ttl: Vec<i64> = school.service.requests().iter().map(|request| request.header("ttl").parse().unwrap()).collect();
        assert!(ttl.is_sorted_by(|one, next| one > next) && ttl[0] == 86_400 && *ttl.last().unwrap() >= 0, "{ttl:?}");
    }

    async fn an_unreachable_push_service_is_retried(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let nowhere = crate::mail::server::nowhere().await;
        sql!("UPDATE push_devices SET endpoint = $1", format!("http://{nowhere}/a")).execute(&school.kurso.db).await.unwrap();
        school.change(0).await;
        school.later(10).await;
        assert_eq!(school.pending().await, 1);
        sql!("UPDATE push_devices SET endpoint = $1", &school.browser.endpoint).execute(&school.kurso.db).await.unwrap();
        school.later(10).await;
        assert_eq!((school.received().len(), school.pending().await), (1, 0));
    }

    async fn an_endpoint_that_is_no_longer_allowed_receives_nothing(kurso: TestKurso) {
        let school = School::of(kurso).await;
        school.change(0).await;
        sql!("UPDATE push_devices SET endpoint = 'http://127.0.0.2:1/a'").execute(&school.kurso.db).await.unwrap();
        school.later(10).await;
        assert_eq!((school.service.requests().len(), school.pending().await), (0, 0));
    }

    async fn dying_workers_neither_lose_nor_double_pushes(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let mut dice = Dice::new(11);
        let mut tags = BTreeSet::new();
        for _ in 0..25 {
            sql!("DELETE FROM notices").execute(&school.kurso.db).await.unwrap();
            tags.insert(school.change(0).await.simple().to_string());
            school.kurso.clock.advance(Duration::seconds(10));
            for _ in 0..3 {
                killed_after(dice.roll(40), queue::queue_due(&school.kurso)).await;
                killed_after(dice.roll(60), sending::send_due(&school.kurso)).await;
            }
            // Two workers compete for the rest.
            let (one, two) = tokio::join!(queue::queue_due(&school.kurso), queue::queue_due(&school.kurso));
            one.unwrap();
            two.unwrap();
            school.kurso.clock.advance(queue::LEASE);
            let (one, two) = tokio::join!(sending::send_due(&school.kurso), sending::send_due(&school.kurso));
            one.unwrap();
            two.unwrap();
            assert_eq!(school.pending().await, 0);
        }
        let received: BTreeSet<String> = school.received().iter().map(|push| push["tag"].as_str().unwrap().to_owned()).collect();
        assert_eq!(received, tags);
    }
}

fn backend(kurso: &TestKurso) -> kurso_core::testing::Backend {
    if kurso.url.starts_with("sqlite") {
        kurso_core::testing::Backend::Sqlite
    } else {
        kurso_core::testing::Backend::Postgres
    }
}
