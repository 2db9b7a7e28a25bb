//! The audit log on both databases: which actions are recorded, with which data, and who may read it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use chrono::Duration;
use kurso_base::dates_entries::DatesEntries;
use kurso_base::email::Email;
use kurso_base::error::Error;
use kurso_base::messages::Lang;
use kurso_base::pagination::Page;
use kurso_base::values::{Checked as _, Password};
use kurso_core::access::Viewer;
use kurso_core::audit::{self, Act, Filter, StoredEntry};
use kurso_core::auth::{self, Origin, sessions};
use kurso_core::both;
use kurso_core::calendar::feed;
use kurso_core::courses::set_dates::{self, SetDates};
use kurso_core::courses::team::{self, NewOwner};
use kurso_core::courses::{self, tree::PageKind::Content};
use kurso_core::courses::{course, groups, overrides, visibility};
use kurso_core::exports::{self, Format, Request};
use kurso_core::testing::{PASSWORD, TestKurso, command};
use kurso_core::users::{self, CreateUser};
use kurso_core::{learning, students};
use serde_json::json;

/// The newest entry.
async fn newest(kurso: &TestKurso, root: &Viewer) -> StoredEntry {
    let listed = audit::list(kurso, root, &Filter::default(), Page::new(0, 1))
        .await
        .unwrap();
    listed.data.into_iter().next().expect("an entry")
}

async fn of(kurso: &TestKurso, root: &Viewer, filter: Filter) -> Vec<Act> {
    let listed = audit::list(kurso, root, &filter, Page::default()).await.unwrap();
    assert_eq!(listed.count, i64::try_from(listed.data.len()).unwrap());
    listed.data.into_iter().map(|written| written.act).collect()
}

both! {
    async fn exports_are_recorded_with_their_actor(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let (ann, bob) = (kurso.person("ann").await, kurso.person("bob").await);
        let course = kurso.course(&ann, &[&[&[Content]]]).await;
        for format in Format::ALL {
            kurso.clock.advance(Duration::seconds(1));
            exports::export(&kurso, &ann, Request::of(course, format), Lang::En).await.unwrap();
            assert!(exports::export(&kurso, &bob, Request::of(course, format), Lang::En).await.is_err());
            let found = newest(&kurso, &root).await;
            assert_eq!((found.act, found.detail.as_deref()), (Act::CourseExported, Some(format.name())));
            assert_eq!(found.actor.as_ref().map(|named| named.id), Some(ann.id()), "{found:?}");
            assert_eq!(found.course.as_ref().map(|named| named.id), Some(course), "{found:?}");
        }
    }

    async fn acts_are_recorded_with_actor_and_person(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let ann = kurso.person("ann").await;
        let bob = kurso.person("bob").await;
        // Each action happens later than the one before.
        let tick = || kurso.clock.advance(Duration::seconds(1));
        let mut expected = Vec::new();
        macro_rules! done {
            ($act:ident, $actor:expr, $person:expr, $detail:expr) => {{
                let found = newest(&kurso, &root).await;
                let ids = |named: &Option<audit::Named<_>>| named.as_ref().map(|named| named.id);
                assert_eq!(found.act, Act::$act);
                assert_eq!((ids(&found.actor), ids(&found.person)), ($actor, $person), "{found:?}");
                assert_eq!(found.detail.as_deref(), $detail, "{found:?}");
                expected.push(Act::$act);
                tick();
            }};
        }
        tick();
        let wrong = auth::login(&kurso, &Origin::default(), "ann@example.com", "not the password".into()).await;
        assert!(wrong.is_err());
        done!(SignInFailed, None, Some(ann.id()), None);
        let change = command(json!({"current_password": PASSWORD, "new_password": "another password"}));
        users::change_password(&kurso, &ann, change).await.unwrap();
        done!(PasswordChanged, Some(ann.id()), Some(ann.id()), None);
        let changes = command(json!({"email": "anna@example.com"}));
        users::update_me(&kurso, &ann, Lang::En, changes).await.unwrap();
        done!(EmailChanged, Some(ann.id()), Some(ann.id()), None);
        let changes = command(json!({"is_superuser": false, "is_active": true}));
        users::update(&kurso, &root, Lang::En, bob.id(), changes).await.unwrap();
        done!(UserChanged, Some(root.id()), Some(bob.id()), Some("active, no superuser"));

        let carol = CreateUser::ordinary(Email::parse("carol@example.com").unwrap(), Password::parse(PASSWORD).unwrap(), None);
        let carol = users::signup(&kurso, &Origin::default(), carol).await.unwrap();
        done!(UserCreated, Some(carol.id), Some(carol.id), None);

        let course = kurso.course(&ann, &[&[&[Content]]]).await;
        let shared = courses::generate_share_code(&kurso, &ann, course).await.unwrap();
        assert_eq!(newest(&kurso, &root).await.course.unwrap().id, course);
        done!(ShareCodeRenewed, Some(ann.id()), None, None);
        visibility::set(&kurso, &ann, course, command(json!({"visibility": "link"}))).await.unwrap();
        done!(VisibilityChanged, Some(ann.id()), None, Some("link"));
        let code = shared.share_code.unwrap();
        let enrolled = learning::enroll(&kurso, &bob, &Origin::default(), &code).await.unwrap();
        let enrollment = enrolled.enrollment.unwrap().id;
        let group = groups::create(&kurso, &ann, course, command(json!({"title": "А"}))).await.unwrap().id;
        groups::generate_code(&kurso, &ann, group).await.unwrap();
        done!(GroupCodeRenewed, Some(ann.id()), None, None);
        groups::remove_code(&kurso, &ann, group).await.unwrap();
        done!(GroupCodeRemoved, Some(ann.id()), None, None);
        groups::remove_code(&kurso, &ann, group).await.unwrap(); // nothing to record
        let to = |group| command(json!({"enrollment_ids": [enrollment], "group_id": group}));
        for _ in 0..2 {
            groups::move_students(&kurso, &ann, course, to(Some(group))).await.unwrap(); // the second time moves nobody
        }
        done!(StudentsMoved, Some(ann.id()), Some(bob.id()), None);
        let longer = command(json!({"enrollment_id": enrollment, "time_factor": 1.5}));
        let longer = overrides::set(&kurso, &ann, course, longer).await.unwrap().done().unwrap();
        done!(OverrideSet, Some(ann.id()), Some(bob.id()), None);
        overrides::delete(&kurso, &ann, longer.id, None).await.unwrap();
        done!(OverrideDeleted, Some(ann.id()), Some(bob.id()), None);
        let dates = DatesEntries::check(json!([{"starts_at": "2026-09-01"}])).unwrap();
        set_dates::set_dates(&kurso, &ann, course, SetDates { dates, shift_days: None }).await.unwrap();
        done!(DatesSet, Some(ann.id()), None, Some("1"));
        groups::delete(&kurso, &ann, group).await.unwrap();
        done!(GroupDeleted, Some(ann.id()), None, Some("1"));
        students::remove(&kurso, &ann, enrollment).await.unwrap();
        done!(StudentRemoved, Some(ann.id()), Some(bob.id()), None);
        team::hand_over(&kurso, &ann, &Origin::default(), Lang::En, course, NewOwner::User(bob.id())).await.unwrap();
        done!(CourseHandedOver, Some(ann.id()), Some(bob.id()), None);
        team::leave(&kurso, &ann, course).await.unwrap();
        done!(MemberLeft, Some(ann.id()), Some(ann.id()), None);
        course::delete(&kurso, &bob, course).await.unwrap();
        let gone = newest(&kurso, &root).await.course.unwrap();
        assert_eq!((gone.id, gone.name), (course, None), "the entry outlives the course");
        done!(CourseDeleted, Some(bob.id()), None, Some("0"));
        for _ in 0..2 {
            feed::create(&kurso, &bob, Lang::Ru).await.unwrap();
            done!(CalendarFeedCreated, Some(bob.id()), Some(bob.id()), None);
        }
        feed::revoke(&kurso, &bob).await.unwrap();
        done!(CalendarFeedRevoked, Some(bob.id()), Some(bob.id()), None);
        assert!(feed::revoke(&kurso, &bob).await.is_err()); // nothing to record
        sessions::end(&kurso, &bob, bob.session).await.unwrap();
        done!(SessionEnded, Some(bob.id()), Some(bob.id()), None);
        users::delete(&kurso, &root, bob.id()).await.unwrap();
        done!(UserDeleted, Some(root.id()), Some(bob.id()), None);
        let found = newest(&kurso, &root).await;
        assert_eq!(found.person.unwrap().name, None, "the entry outlives the person");
        assert_eq!(found.actor.unwrap().name.as_deref(), Some("root"));

        expected.reverse();
        expected.extend([Act::UserCreated; 3]);
        assert_eq!(of(&kurso, &root, Filter::default()).await, expected);
        // Filters.
        let filter = Filter { act: Some(Act::CourseDeleted), ..Filter::default() };
        assert_eq!(of(&kurso, &root, filter).await, [Act::CourseDeleted]);
        let filter = Filter { person: Some(root.id()), ..Filter::default() };
        assert_eq!(of(&kurso, &root, filter).await, [Act::UserDeleted, Act::UserChanged, Act::UserCreated]);
        let filter = Filter { since: Some(found.at), ..Filter::default() };
        assert_eq!(of(&kurso, &root, filter).await, [Act::UserDeleted]);
        let filter = Filter { until: Some(found.at), ..Filter::default() };
        assert_eq!(of(&kurso, &root, filter).await, expected[1..]);
        let far = chrono::DateTime::<chrono::Utc>::MAX_UTC;
        let filter = Filter { since: Some(chrono::DateTime::<chrono::Utc>::MIN_UTC), until: Some(far), ..Filter::default() };
        assert_eq!(of(&kurso, &root, filter).await, expected);
    }

    async fn failed_acts_are_not_recorded(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let (ann, bob) = (kurso.person("ann").await, kurso.person("bob").await);
        let course = kurso.course(&ann, &[&[&[Content]]]).await;
        let before = of(&kurso, &root, Filter::default()).await;
        assert!(course::delete(&kurso, &bob, course).await.is_err());
        assert!(courses::generate_share_code(&kurso, &bob, course).await.is_err());
        let unknown = NewOwner::Email(Email::parse("nobody@example.com").unwrap());
        assert!(team::hand_over(&kurso, &ann, &Origin::default(), Lang::En, course, unknown).await.is_err());
        assert!(users::delete(&kurso, &ann, bob.id()).await.is_err());
        let taken = command(json!({"email": "bob@example.com"}));
        assert!(users::update_me(&kurso, &ann, Lang::En, taken).await.is_err());
        assert_eq!(of(&kurso, &root, Filter::default()).await, before);
    }

    async fn password_guessing_does_not_grow_the_log(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let ann = kurso.person("ann").await;
        let failures = Filter { act: Some(Act::SignInFailed), ..Filter::default() };
        for guess in 0..5 {
            for email in ["ann@example.com", "nobody@example.com", "no address"] {
                let refused = auth::login(&kurso, &Origin::default(), email, format!("guess number {guess}")).await;
                assert!(refused.is_err());
            }
        }
        assert_eq!(of(&kurso, &root, failures.clone()).await.len(), 2, "one of hers, one of nobody's");
        let hers = Filter { person: Some(ann.id()), ..failures.clone() };
        assert_eq!(of(&kurso, &root, hers).await.len(), 1);
        kurso.clock.advance(Duration::minutes(11));
        let _ = auth::login(&kurso, &Origin::default(), "ann@example.com", "guess again".into()).await;
        assert_eq!(of(&kurso, &root, failures).await.len(), 3);
    }

    async fn only_superusers_read_it_and_old_entries_are_deleted(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let ann = kurso.person("ann").await;
        let refused = audit::list(&kurso, &ann, &Filter::default(), Page::default()).await;
        assert!(matches!(refused, Err(Error::Forbidden(_))));
        assert_eq!(audit::delete_old(&kurso, Duration::days(365)).await.unwrap(), 0);
        kurso.clock.advance(Duration::days(366));
        kurso.person("bob").await;
        assert_eq!(audit::delete_old(&kurso, Duration::days(365)).await.unwrap(), 2);
        assert_eq!(of(&kurso, &root, Filter::default()).await, [Act::UserCreated]);
    }
}
