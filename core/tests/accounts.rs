//! Accounts over both databases: signup, login, sessions (contract 8).
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use chrono::Duration;
use kurso_core::auth::{self, Origin};
use kurso_core::both;
use kurso_core::error::Error;
use kurso_core::messages::Message;
use kurso_core::sql;
use kurso_core::testing::PASSWORD;
use kurso_core::users::{self, NewUser};
use serde_json::json;

fn new_user(email: &str) -> NewUser {
    NewUser::from_signup(&json!({"email": email, "password": PASSWORD, "full_name": "Анна"})).unwrap()
}

both! {
    async fn an_account_signs_in_whatever_the_case_of_its_email(kurso: TestKurso) {
        let user = users::signup(&kurso, &Origin::default(), new_user("Ann@Example.com")).await.unwrap();
        assert_eq!(user.email, "Ann@example.com");
        assert!(!user.is_superuser && user.is_active);
        let token = kurso.token("ANN@EXAMPLE.COM").await;
        let viewer = auth::authenticate(&kurso, &token).await.unwrap();
        assert_eq!(viewer.user, user);
    }

    async fn an_email_is_taken_in_any_case(kurso: TestKurso) {
        users::signup(&kurso, &Origin::default(), new_user("ann@example.com")).await.unwrap();
        let again = users::signup(&kurso, &Origin::default(), new_user("ANN@example.com")).await;
        assert!(matches!(again, Err(Error::BadRequest(Message::EmailTaken))), "{again:?}");
    }

    async fn two_signups_at_once_make_one_account(kurso: TestKurso) {
        let signup = || users::signup(&kurso, &ORIGIN, new_user("ann@example.com"));
        let (a, b, c) = tokio::join!(signup(), signup(), signup());
        let made = [&a, &b, &c].into_iter().filter(|r| r.is_ok()).count();
        assert_eq!(made, 1);
        let refused = [a, b, c].into_iter().filter(|r| matches!(r, Err(Error::BadRequest(Message::EmailTaken))));
        assert_eq!(refused.count(), 2);
    }

    async fn a_wrong_password_and_an_unknown_email_are_alike(kurso: TestKurso) {
        kurso.account("ann", false).await;
        for (email, password) in [("ann@example.com", "wrong"), ("nobody@example.com", PASSWORD), ("no email", PASSWORD)] {
            let refused = auth::login(&kurso, &Origin::default(), email, password.into()).await;
            assert!(matches!(refused, Err(Error::BadRequest(Message::WrongLogin))), "{email}: {refused:?}");
        }
    }

    async fn inactive_people_are_told_only_with_the_right_password(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let token = kurso.token("ann@example.com").await;
        sql!("UPDATE users SET is_active = FALSE WHERE id = $1", ann.id()).execute(&kurso.db).await.unwrap();
        let login = async |password: &str| {
            auth::login(&kurso, &Origin::default(), "ann@example.com", password.into()).await
        };
        assert!(matches!(login(PASSWORD).await, Err(Error::BadRequest(Message::InactiveUser))));
        assert!(matches!(login("wrong").await, Err(Error::BadRequest(Message::WrongLogin))));
        let refused = auth::authenticate(&kurso, &token).await;
        assert!(matches!(refused, Err(Error::BadRequest(Message::InactiveUser))), "{refused:?}");
    }

    async fn tokens_end_with_their_session_their_time_and_their_user(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let other = kurso.token("ann@example.com").await;
        let token = kurso.tokens.issue(ann.id(), ann.session, kurso.clock.now()).unwrap();
        assert!(auth::authenticate(&kurso, &token).await.is_ok());
        auth::logout(&kurso, &ann).await.unwrap();
        assert!(matches!(auth::authenticate(&kurso, &token).await, Err(Error::BadCredentials)));
        assert!(auth::authenticate(&kurso, &other).await.is_ok(), "the other session goes on");

        sql!("DELETE FROM users WHERE id = $1", ann.id()).execute(&kurso.db).await.unwrap();
        assert!(matches!(auth::authenticate(&kurso, &other).await, Err(Error::NotFound(Message::UserGone))));
        kurso.clock.advance(Duration::days(8));
        assert!(matches!(auth::authenticate(&kurso, &other).await, Err(Error::BadCredentials)));
    }

    async fn a_session_says_when_it_was_last_seen(kurso: TestKurso) {
        let token = { kurso.account("ann", false).await; kurso.token("ann@example.com").await };
        let before = kurso.db.statements();
        let viewer = auth::authenticate(&kurso, &token).await.unwrap();
        assert_eq!(kurso.db.statements() - before, 1);
        kurso.clock.advance(Duration::minutes(6));
        auth::authenticate(&kurso, &token).await.unwrap();
        let (seen,) = sql!("SELECT last_seen_at FROM sessions WHERE id = $1", viewer.session)
            .fetch_one::<(chrono::DateTime<chrono::Utc>,)>(&kurso.db)
            .await
            .unwrap();
        assert_eq!(seen, kurso.clock.now());
    }

    async fn guessing_passwords_is_limited(kurso: TestKurso) {
        kurso.account("ann", false).await;
        let login = async |password: &str| {
            auth::login(&kurso, &Origin::default(), "ann@example.com", password.into()).await
        };
        for _ in 0..20 {
            assert!(matches!(login("wrong").await, Err(Error::BadRequest(_))));
        }
        assert!(matches!(login(PASSWORD).await, Err(Error::RateLimited { retry_after: 600 })));
        kurso.clock.advance(Duration::minutes(10));
        assert!(login(PASSWORD).await.is_ok());
    }
}

static ORIGIN: Origin = Origin {
    address: None,
    device: String::new(),
};
