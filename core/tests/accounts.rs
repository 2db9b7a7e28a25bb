//! Accounts on both databases: signup, login, sessions, deletion, and concurrency.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use chrono::Duration;
use kurso_base::email::Email;
use kurso_base::error::Error;
use kurso_base::ids::{EnrollmentId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_base::values::{FullName, LinkToken, Password};
use kurso_core::auth::passwords::Passwords;
use kurso_core::auth::{self, Origin, recovery, sessions};
use kurso_core::both;
use kurso_core::items;
use kurso_core::testing::{PASSWORD, command};
use kurso_core::users::{self, CreateUser, UpdateMe, UpdateUser};
use kurso_db::sql;
use serde_json::json;

fn new_user(email: &str) -> CreateUser {
    let full_name = Some(FullName::parse("Анна").unwrap());
    CreateUser::ordinary(
        Email::parse(email).unwrap(),
        Password::parse(PASSWORD).unwrap(),
        full_name,
    )
}

both! {
    async fn login_ignores_the_case_of_the_address(kurso: TestKurso) {
        let user = users::signup(&kurso, &Origin::default(), new_user("Ann@Example.com")).await.unwrap();
        assert_eq!(user.email, "Ann@example.com");
        assert!(!user.is_superuser && user.is_active);
        let token = kurso.token("ANN@EXAMPLE.COM").await;
        let viewer = auth::authenticate(&kurso, &token).await.unwrap();
        assert_eq!(viewer.user, user);
    }

    async fn addresses_are_unique_regardless_of_case(kurso: TestKurso) {
        users::signup(&kurso, &Origin::default(), new_user("ann@example.com")).await.unwrap();
        let again = users::signup(&kurso, &Origin::default(), new_user("ANN@example.com")).await;
        assert!(matches!(again, Err(Error::BadRequest(Message::EmailTaken))), "{again:?}");
    }

    async fn concurrent_signups_create_one_account(kurso: TestKurso) {
        let signup = || users::signup(&kurso, &ORIGIN, new_user("ann@example.com"));
        let (a, b, c) = tokio::join!(signup(), signup(), signup());
        let made = [&a, &b, &c].into_iter().filter(|r| r.is_ok()).count();
        assert_eq!(made, 1);
        let refused = [a, b, c].into_iter().filter(|r| matches!(r, Err(Error::BadRequest(Message::EmailTaken))));
        assert_eq!(refused.count(), 2);
    }

    async fn a_wrong_password_and_an_unknown_address_are_indistinguishable(kurso: TestKurso) {
        kurso.account("ann", false).await;
        for (email, password) in [("ann@example.com", "wrong"), ("nobody@example.com", PASSWORD), ("no email", PASSWORD)] {
            let refused = auth::login(&kurso, &Origin::default(), email, password.into()).await;
            assert!(matches!(refused, Err(Error::BadRequest(Message::WrongLogin))), "{email}: {refused:?}");
        }
    }

    async fn a_bcrypt_hash_is_accepted_and_replaced(kurso: TestKurso) {
        let kurso = kurso.configured(|kurso| kurso.with_passwords(Passwords::default())); // as strong as those of the product
        let ann = kurso.account("ann", false).await;
        // perl -e 'print crypt("correct horse battery", q($2b$10$Kt5pCw1Ff8rRAVvD0oHcYe))'
        let old = "$2b$10$Kt5pCw1Ff8rRAVvD0oHcYeArk2v4JN37Vl5mPWxCiNVbsWMyNeZk6";
        sql!("UPDATE users SET password_hash = $2 WHERE id = $1", ann.id, old).execute(&kurso.db).await.unwrap();
        let stored = async || {
            let hash = sql!("SELECT password_hash FROM users WHERE id = $1", ann.id);
            hash.fetch_one::<(String,)>(&kurso.db).await.unwrap().0
        };
        let login = async |password: &str| auth::login(&kurso, &ORIGIN, "ann@example.com", password.into()).await;
        let refused = login("wrong").await;
        assert!(matches!(refused, Err(Error::BadRequest(Message::WrongLogin))), "{refused:?}");
        assert_eq!(stored().await, old, "a failed login changes nothing");
        let token = login(PASSWORD).await.unwrap();
        assert!(auth::authenticate(&kurso, &token).await.is_ok());
        let new = stored().await;
        assert!(new.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{new}");
        login(PASSWORD).await.unwrap();
        assert_eq!(stored().await, new, "a hash that is as it should be stays");
    }

    async fn a_search_for_accounts_reads_the_table_in_parts(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        for n in 0..25 {
            kurso.clock.advance(Duration::seconds(1));
            let now = kurso.clock.now();
            let rows = sql!("INSERT INTO users (id, email, email_key, password_hash, full_name, is_active, is_superuser, created_at) VALUES ");
            let row = |row: kurso_db::Sql<'static>, i| {
                let (id, email) = (UserId::new(), format!("p{n}-{i}@example.com"));
                let name = if i == 99 { "Пётр Алёшин" } else { "Анна" };
                let row = row.push_bind(id).push(", ").push_bind(email.clone()).push(", ").push_bind(email);
                row.push(", '', ").push_bind(name).push(", TRUE, FALSE, ").push_bind(now)
            };
            rows.push_values(0..100, row).execute(&kurso.db).await.unwrap();
        }
        let before = kurso.db.statements();
        let found = users::list(&kurso, &root, &Search::of("алешин ПЕТР"), Page { skip: 0, limit: 2 }).await.unwrap();
        assert_eq!(kurso.db.statements() - before, 4);
        let emails: Vec<_> = found.data.iter().map(|user| user.email.as_str()).collect();
        assert_eq!((found.count, emails), (25, vec!["p24-99@example.com", "p23-99@example.com"]));
        let rest = users::list(&kurso, &root, &Search::of("example"), Page { skip: 2_500, limit: 100 }).await.unwrap();
        assert_eq!((rest.count, rest.data.iter().map(|user| user.id).collect::<Vec<_>>()), (2_501, vec![root.id()]));
    }

    async fn inactivity_is_revealed_only_with_the_correct_password(kurso: TestKurso) {
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

    async fn tokens_end_with_their_session_lifetime_or_user(kurso: TestKurso) {
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

    async fn sessions_record_their_last_use(kurso: TestKurso) {
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

    async fn recovery_costs_the_same_with_and_without_an_account(kurso: TestKurso) {
        kurso.account("ann", false).await;
        let mut costs = Vec::new();
        for email in ["ann@example.com", "nobody@example.com"] {
            let before = kurso.db.statements();
            recovery::request(&kurso, &Origin::default(), Lang::En, email).await.unwrap();
            costs.push(kurso.db.statements() - before);
        }
        assert_eq!(costs, [1, 1]);
        assert_eq!(kurso.mails().await.len(), 1);
    }

    async fn one_client_network_cannot_fill_the_queue_of_recovery_mails(kurso: TestKurso) {
        kurso.account("ann", false).await;
        let from = |address: &str| Origin { address: Some(address.parse().unwrap()), ..Origin::default() };
        let mut refused = 0;
        for n in 0..300 {
            let asked = recovery::request(&kurso, &from("192.0.2.1"), Lang::En, &format!("{n}@example.com")).await;
            refused += usize::from(matches!(asked, Err(Error::RateLimited { .. })));
        }
        assert_eq!(refused, 200);
        recovery::request(&kurso, &from("192.0.2.2"), Lang::En, "ann@example.com").await.unwrap();
        assert_eq!(kurso.mails().await.len(), 1);
    }

    async fn a_claimed_address_goes_to_whoever_reads_its_mail(kurso: TestKurso) {
        let squatter = kurso.person("victim").await;
        let moved = UpdateMe { email: Some(Email::parse("squatter@example.com").unwrap()), ..UpdateMe::default() };
        users::update_me(&kurso, &squatter, Lang::En, moved).await.unwrap();
        let sent = kurso.mails().await.len();
        let taken = users::signup(&kurso, &Origin::default(), new_user("victim@example.com")).await;
        assert!(matches!(taken, Err(Error::BadRequest(Message::EmailTaken))));
        recovery::request(&kurso, &Origin::default(), Lang::En, "victim@example.com").await.unwrap();
        let mails = kurso.mails().await;
        assert_eq!(mails.len(), sent + 1);
        users::email_change::undo(&kurso, &LinkToken(mails.last().unwrap().token())).await.unwrap();
        let owned = users::by_email(&kurso.db, &Email::parse("victim@example.com").unwrap()).await.unwrap();
        assert_eq!(owned.unwrap().id, squatter.id());
        assert!(auth::revalidate(&kurso, &squatter).await.is_err(), "the squatter is signed out");
    }

    async fn a_superuser_may_give_a_claimed_address_to_another_account(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let squatter = kurso.person("victim").await;
        let moved = UpdateMe { email: Some(Email::parse("squatter@example.com").unwrap()), ..UpdateMe::default() };
        users::update_me(&kurso, &squatter, Lang::En, moved).await.unwrap();
        let link = kurso.mails().await.last().unwrap().token();
        users::add(&kurso, &root, Lang::En, new_user("victim@example.com")).await.unwrap();
        assert!(users::email_change::undo(&kurso, &LinkToken(link)).await.is_err());
    }

    async fn of_superusers_who_demote_each_other_at_once_one_remains(kurso: TestKurso) {
        for round in 0..5 {
            let a = kurso.superuser(&format!("a{round}")).await;
            let b = kurso.superuser(&format!("b{round}")).await;
            let demoted = || UpdateUser { is_superuser: Some(false), ..UpdateUser::default() };
            let (first, second) = tokio::join!(
                users::update(&kurso, &a, Lang::En, b.id(), demoted()),
                users::update(&kurso, &b, Lang::En, a.id(), demoted()),
            );
            assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
            let c = kurso.superuser(&format!("c{round}")).await;
            let d = kurso.superuser(&format!("d{round}")).await;
            let (first, second) = tokio::join!(users::delete(&kurso, &c, d.id()), users::delete(&kurso, &d, c.id()));
            assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
        }
    }

    async fn a_login_overtaken_by_a_password_change_fails(kurso: TestKurso) {
        let ann = kurso.account("ann", false).await;
        // The new password is set while the old one is being verified; the login must notice it.
        let login = auth::login(&kurso, &ORIGIN, "ann@example.com", PASSWORD.to_owned());
        let set = users::set_password(&kurso, ann.id, Password::parse("a new password").unwrap());
        let (token, set) = tokio::join!(login, set);
        set.unwrap();
        if let Ok(token) = token {
            let refused = auth::authenticate(&kurso, &token).await;
            assert!(matches!(refused, Err(Error::BadCredentials)), "{refused:?}");
        }
        let page = Page::default();
        let new = auth::login(&kurso, &ORIGIN, "ann@example.com", "a new password".to_owned()).await.unwrap();
        let viewer = auth::authenticate(&kurso, &new).await.unwrap();
        assert_eq!(sessions::list(&kurso, &viewer, page).await.unwrap().count, 1);
    }

    async fn accounts_can_be_deleted_while_active(kurso: TestKurso) {
        let admin = kurso.superuser("admin").await;
        let ann = kurso.person("ann").await;
        let make = async || {
            for n in 0..20 {
                let new = command(json!({"title": n.to_string()}));
                match items::create(&kurso, &ann, new).await {
                    Ok(_) | Err(Error::NotFound(Message::UserGone)) => {}
                    Err(other) => panic!("{other}"),
                }
            }
        };
        let (deleted, ()) = tokio::join!(users::delete(&kurso, &admin, ann.id()), make());
        deleted.unwrap();
        assert_eq!(items::list(&kurso, &admin, Page::default()).await.unwrap().count, 0);
    }

    async fn a_course_passes_to_the_first_editor_or_else_the_oldest_superuser(kurso: TestKurso) {
        let oldest = kurso.superuser("oldest").await;
        kurso.clock.advance(Duration::seconds(1));
        let younger = kurso.superuser("younger").await;
        let (owner, learner) = (kurso.person("owner").await, kurso.person("learner").await);
        let (first, second) = (kurso.person("first").await, kurso.person("second").await);
        let mut courses_of = Vec::new();
        for (helpers, learnt) in [(vec![&second, &first], true), (vec![], true), (vec![&first], false)] {
            let course = kurso.course(&owner, &[]).await;
            for (n, helper) in (0..).zip(&helpers) {
                let since = kurso.clock.now() - Duration::seconds(n);
                sql!("INSERT INTO collaborators (course_id, user_id, role, created_at) VALUES ($1, $2, 'editor', $3)",
                    course, helper.id(), since).execute(&kurso.db).await.unwrap();
            }
            // The owner's own enrollment is ignored.
            for student in [&owner, &learner].into_iter().take(if learnt { 2 } else { 1 }) {
                sql!("INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
                    EnrollmentId::new(), course, student.id(), kurso.clock.now()).execute(&kurso.db).await.unwrap();
            }
            courses_of.push(course);
        }
        users::delete(&kurso, &younger, owner.id()).await.unwrap();
        let owner_of = async |n: usize| {
            sql!("SELECT owner_id FROM courses WHERE id = $1", courses_of[n])
                .fetch_optional::<(UserId,)>(&kurso.db).await.unwrap().map(|(id,)| id)
        };
        assert_eq!(owner_of(0).await, Some(first.id()), "an editor since before the second");
        assert_eq!(owner_of(1).await, Some(oldest.id()));
        assert_eq!(owner_of(2).await, None, "nobody else learnt it");
        let role = sql!("SELECT role FROM collaborators WHERE user_id = $1", first.id());
        assert!(role.fetch_all::<(String,)>(&kurso.db).await.unwrap().is_empty(), "an owner is no collaborator");
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
