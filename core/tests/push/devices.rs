//! Turning pushes on and off for devices.

use kurso_base::error::Error;
use kurso_base::ids::DeviceId;
use kurso_base::messages::Message;
use kurso_base::values::{PushEndpoint, PushKey};
use kurso_core::auth::sessions;
use kurso_core::check::{self, Depth};
use kurso_core::push::devices::{self, AddDevice, MAX_DEVICES};
use kurso_core::{both, users};

use super::*;

async fn count(school: &School, table: &'static str) -> i64 {
    let counted = sql!("SELECT COUNT(*) FROM ")
        .push(table)
        .fetch_one::<(i64,)>(&school.kurso.db);
    counted.await.unwrap().0
}

both! {
    async fn an_endpoint_must_be_at_an_allowed_push_service(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let good = school.service.browser("other").subscription();
        for endpoint in ["http://127.0.0.2:80/a", "http://localhost/a", "https://169.254.169.254/latest", "https://fcm.googleapis.com/a", "file:///etc/passwd", "x"] {
            let bad = AddDevice { endpoint: PushEndpoint::parse(endpoint).unwrap(), ..good.clone() };
            let Error::Invalid(errors) = devices::add(&school.kurso, &school.anna, &bad).await.unwrap_err() else { panic!("{endpoint}") };
            assert_eq!(errors[0].message, Message::PushServiceNotAllowed, "{endpoint}");
        }
        let bad = AddDevice { p256dh: PushKey::parse("BAAA").unwrap(), ..good.clone() };
        let Error::Invalid(errors) = devices::add(&school.kurso, &school.anna, &bad).await.unwrap_err() else { panic!() };
        assert_eq!((errors[0].message.clone(), errors[0].loc[1].clone()), (Message::BadPushKey, "p256dh".into()));
        assert_eq!(count(&school, "push_devices").await, 1);
    }

    async fn a_browser_that_subscribes_again_keeps_its_device(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let again = devices::add(&school.kurso, &school.anna, &school.browser.subscription()).await.unwrap();
        assert_eq!(again, school.device);
        assert_eq!(devices::get(&school.kurso, &school.anna).await.unwrap().devices, [again]);
    }

    async fn a_shared_browser_moves_to_the_account_that_turns_pushes_on(kurso: TestKurso) {
        let school = School::of(kurso).await;
        school.change(0).await;
        school.kurso.clock.advance(Duration::seconds(10));
        queue::queue_due(&school.kurso).await.unwrap();
        let boris = school.kurso.person("boris").await;
        let moved = devices::add(&school.kurso, &boris, &school.browser.subscription()).await.unwrap();
        assert_ne!(moved.id, school.device.id);
        assert_eq!(devices::get(&school.kurso, &school.anna).await.unwrap().devices, []);
        sending::send_due(&school.kurso).await.unwrap();
        assert_eq!((school.received().len(), school.pending().await), (0, 0), "boris must not read it");
        school.change(1).await;
        let due = sql!("SELECT COUNT(*) FROM notices WHERE push_at IS NOT NULL").fetch_one::<(i64,)>(&school.kurso.db);
        assert_eq!(due.await.unwrap().0, 0, "anna has no device");
    }

    async fn an_endpoint_alone_does_not_take_a_device_over(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let boris = school.kurso.person("boris").await;
        let own = school.service.browser("phone of boris").subscription();
        let stolen = AddDevice { endpoint: school.browser.subscription().endpoint, ..own };
        let refused = devices::add(&school.kurso, &boris, &stolen).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::DeviceOfAnother))), "{refused:?}");
        assert_eq!(devices::get(&school.kurso, &school.anna).await.unwrap().devices, std::slice::from_ref(&school.device));
    }

    async fn the_same_address_in_another_spelling_is_the_same_device(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let subscription = school.browser.subscription();
        let other = subscription.endpoint.as_str().replace("http://", "HTTP://");
        let other = AddDevice { endpoint: PushEndpoint::parse(&other).unwrap(), ..subscription };
        assert_eq!(devices::add(&school.kurso, &school.anna, &other).await.unwrap(), school.device);
        // Characters that take more bytes in a URL do not fit.
        let long = format!("{}/{}", other.endpoint.as_str(), "я".repeat(400));
        let long = AddDevice { endpoint: PushEndpoint::parse(&long).unwrap(), ..school.service.browser("long").subscription() };
        assert!(matches!(devices::add(&school.kurso, &school.anna, &long).await, Err(Error::Invalid(_))));
    }

    async fn devices_that_nobody_uses_are_deleted(kurso: TestKurso) {
        let school = School::of(kurso).await;
        school.kurso.clock.advance(Duration::days(100));
        devices::add(&school.kurso, &school.anna, &school.browser.subscription()).await.unwrap();
        school.kurso.clock.advance(Duration::days(100));
        assert_eq!(devices::delete_old(&school.kurso).await.unwrap(), 0);
        school.kurso.clock.advance(Duration::days(80));
        assert_eq!((devices::delete_old(&school.kurso).await.unwrap(), count(&school, "push_devices").await), (1, 0));
    }

    async fn the_oldest_of_too_many_devices_is_replaced(kurso: TestKurso) {
        let school = School::of(kurso).await;
        for number in 0..MAX_DEVICES {
            school.kurso.clock.advance(Duration::seconds(1));
            let browser = school.service.browser(&format!("browser{number}"));
            devices::add(&school.kurso, &school.anna, &browser.subscription()).await.unwrap();
        }
        let kept = devices::get(&school.kurso, &school.anna).await.unwrap().devices;
        assert_eq!(kept.len() as i64, MAX_DEVICES);
        assert!(kept.iter().all(|device| device.id != school.device.id));
    }

    async fn devices_are_removed_by_their_owner_only(kurso: TestKurso) {
        let school = School::of(kurso).await;
        for (who, id) in [(&school.owner, school.device.id), (&school.anna, DeviceId::new())] {
            let refused = devices::remove(&school.kurso, who, id).await.unwrap_err();
            assert!(matches!(refused, Error::NotFound(Message::DeviceNotFound)), "{refused}");
            let refused = devices::test(&school.kurso, who, id).await.unwrap_err();
            assert!(matches!(refused, Error::NotFound(Message::DeviceNotFound)), "{refused}");
        }
        devices::test(&school.kurso, &school.anna, school.device.id).await.unwrap();
        sending::send_due(&school.kurso).await.unwrap();
        assert_eq!(school.received()[0]["title"], "Проверка Kurso");
        devices::remove(&school.kurso, &school.anna, school.device.id).await.unwrap();
        assert_eq!(count(&school, "push_devices").await, 0);
        let again = devices::add(&school.kurso, &school.anna, &school.browser.subscription()).await.unwrap();
        let mut sent = 1;
        while devices::test(&school.kurso, &school.anna, again.id).await.is_ok() {
            sent += 1;
        }
        assert_eq!(sent, 20, "tests are limited");
    }

    async fn a_session_that_ends_takes_its_device_with_it(kurso: TestKurso) {
        let school = School::of(kurso).await;
        let other = school.kurso.viewer(&school.anna.user).await;
        let phone = school.service.browser("phone");
        let phone = devices::add(&school.kurso, &other, &phone.subscription()).await.unwrap();
        sessions::end(&school.kurso, &other, school.anna.session).await.unwrap();
        assert_eq!(devices::get(&school.kurso, &other).await.unwrap().devices, [phone]);
        let refused = devices::add(&school.kurso, &school.anna, &school.browser.subscription()).await;
        assert!(matches!(refused, Err(Error::BadCredentials)), "{refused:?}");
        // An expired session leaves its device, until all sessions are ended.
        sql!("DELETE FROM sessions WHERE id = $1", other.session).execute(&school.kurso.db).await.unwrap();
        assert_eq!(count(&school, "push_devices").await, 1);
        let third = school.kurso.viewer(&school.anna.user).await;
        let change = kurso_core::testing::command(serde_json::json!({
            "current_password": kurso_core::testing::PASSWORD, "new_password": "another horse battery"
        }));
        users::change_password(&school.kurso, &third, change).await.unwrap();
        assert_eq!(count(&school, "push_devices").await, 0);
    }

    async fn a_deleted_account_has_no_devices(kurso: TestKurso) {
        let school = School::of(kurso).await;
        devices::test(&school.kurso, &school.anna, school.device.id).await.unwrap();
        users::delete_me(&school.kurso, &school.anna).await.unwrap();
        assert_eq!((count(&school, "push_devices").await, count(&school, "pushes").await), (0, 0));
    }

    async fn damaged_rows_are_found(kurso: TestKurso) {
        let school = School::of(kurso).await;
        school.change(0).await;
        let found = check::check(&school.kurso, Depth::default()).await.unwrap();
        assert!(found.findings.is_empty(), "{:?}", found.findings);
        for (damage, problem) in [
            ("UPDATE notices SET read_at = happened_at", "it was read, but a push for it is due"),
            ("UPDATE push_devices SET p256dh = 'x'", "its keys are invalid"),
        ] {
            sql!(damage).execute(&school.kurso.db).await.unwrap();
            let found = check::check(&school.kurso, Depth::default()).await.unwrap().findings;
            assert!(found.iter().any(|found| found.problem == problem), "{damage}");
        }
    }
}
