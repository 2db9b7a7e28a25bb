//! Connections and transactions on both databases: what is not committed is not there, and nothing that goes wrong with one
//! statement is felt by the next.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::time::Duration;

use futures_util::future::join_all;
use kurso_core::db::migrate::MigrateError;
use kurso_core::db::{Db, Tx, Version};
use kurso_core::testing::{Backend, TestKurso};
use kurso_core::{both, sql};
use tokio::time::timeout;
use uuid::Uuid;

async fn insert(tx: &mut Tx, owner: Uuid, title: &str) {
    sql!(
        "INSERT INTO items (id, owner_id, title, created_at) VALUES ($1, $2, $3, $4)",
        Uuid::now_v7(),
        owner,
        title.to_owned(),
        chrono::Utc::now()
    )
    .execute(tx)
    .await
    .unwrap();
}

async fn titles(db: &Db) -> Vec<String> {
    let rows = sql!("SELECT title FROM items ORDER BY title").fetch_all::<(String,)>(db);
    rows.await.unwrap().into_iter().map(|(title,)| title).collect()
}

both! {
    async fn what_is_not_committed_is_not_there(kurso: TestKurso) {
        let owner = kurso.person("owner").await.id().0;
        let mut tx = kurso.db.begin().await.unwrap();
        insert(&mut tx, owner, "kept").await;
        tx.commit().await.unwrap();
        for _ in 0..20 {
            let mut tx = kurso.db.begin().await.unwrap();
            insert(&mut tx, owner, "dropped").await;
            drop(tx);
        }
        let mut tx = kurso.db.begin().await.unwrap();
        let failed = sql!("INSERT INTO items (id) VALUES ($1)", Uuid::now_v7()).execute(&mut tx).await;
        assert!(failed.is_err());
        drop(tx);
        let mut tx = kurso.db.begin().await.unwrap();
        insert(&mut tx, owner, "last").await;
        tx.commit().await.unwrap();
        assert_eq!(titles(&kurso.db).await, ["kept", "last"]);
    }

    /// A client that goes away takes its request with it, wherever that stands.
    async fn what_is_dropped_on_its_way_harms_nobody(kurso: TestKurso) {
        let owner = kurso.person("owner").await.id().0;
        for microseconds in (0..3_000).step_by(75) {
            let writing = async {
                let mut tx = kurso.db.begin().await.unwrap();
                insert(&mut tx, owner, "half").await;
                titles(&kurso.db).await;
                insert(&mut tx, owner, "done").await;
                drop(tx);
            };
            let _ = timeout(Duration::from_micros(microseconds), writing).await;
            let reading = timeout(Duration::from_micros(microseconds), titles(&kurso.db)).await;
            assert!(reading.is_err() || reading.is_ok_and(|titles| titles.is_empty()));
        }
        for _ in 0..30 {
            assert_eq!(titles(&kurso.db).await, Vec::<String>::new());
        }
        let mut tx = kurso.db.begin().await.unwrap();
        insert(&mut tx, owner, "whole").await;
        tx.commit().await.unwrap();
        assert_eq!(titles(&kurso.db).await, ["whole"]);
    }


    /// Those who write at once may be committed together; each is still whole or not there, and who is told that it is
    /// written finds it.
    async fn what_is_told_to_be_written_is_written(kurso: TestKurso) {
        let owner = kurso.person("owner").await.id().0;
        let write = async |n: usize| -> Option<String> {
            let title = format!("{n:03}");
            let mut tx = kurso.db.begin().await.unwrap();
            insert(&mut tx, owner, &title).await;
            match n % 5 {
                0 => return None, // dropped
                1 => {
                    let failed = sql!("INSERT INTO items (id) VALUES ($1)", Uuid::now_v7()).execute(&mut tx).await;
                    assert!(failed.is_err());
                    return None;
                }
                2 => tokio::task::yield_now().await,
                _ => {}
            }
            insert(&mut tx, owner, &format!("{title} too")).await;
            tx.commit().await.unwrap();
            let found = sql!("SELECT COUNT(*) FROM items WHERE title LIKE $1", format!("{title}%"));
            assert_eq!(found.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0, 2);
            Some(title)
        };
        let alone = async |n: usize| {
            let changed = sql!("UPDATE users SET full_name = $1", n.to_string()).execute(&kurso.db).await.unwrap();
            assert_eq!(changed, 1);
            let failed = sql!("INSERT INTO items (id) VALUES ($1)", Uuid::now_v7()).execute(&kurso.db).await;
            assert!(failed.is_err());
        };
        let writers = join_all((0..200).map(write));
        let (written, _) = tokio::join!(writers, join_all((0..50).map(alone)));
        let mut expected: Vec<String> = written.into_iter().flatten().flat_map(|t| [format!("{t} too"), t]).collect();
        expected.sort();
        assert_eq!(expected.len(), 240);
        assert_eq!(titles(&kurso.db).await, expected);
    }

    /// Who undoes what they wrote may tell of what they read: everybody else sees it, too.
    async fn what_was_read_before_an_undo_is_there(kurso: TestKurso) {
        let owner = kurso.person("owner").await.id().0;
        let read = async |n: usize| {
            let mut tx = kurso.db.begin().await.unwrap();
            let before = sql!("SELECT COUNT(*) FROM items").fetch_one::<(i64,)>(&mut tx).await.unwrap().0;
            insert(&mut tx, owner, "undone").await;
            if n.is_multiple_of(2) {
                insert(&mut tx, owner, "kept").await;
                sql!("DELETE FROM items WHERE title = 'undone'").execute(&mut tx).await.unwrap();
                return tx.commit().await.unwrap();
            }
            tx.undo().await.unwrap();
            let after = sql!("SELECT COUNT(*) FROM items").fetch_one::<(i64,)>(&kurso.db).await.unwrap().0;
            assert!(after >= before, "{before} were read, {after} are there");
        };
        join_all((0..100).map(read)).await;
        assert_eq!(titles(&kurso.db).await, vec!["kept"; 50]);
    }

    /// Somebody who goes away before the commit takes nobody else along, and leaves nothing open.
    async fn who_goes_away_keeps_nobody_waiting(kurso: TestKurso) {
        let owner = kurso.person("owner").await.id().0;
        let write = async |n: usize| {
            let writing = async {
                let mut tx = kurso.db.begin().await.unwrap();
                insert(&mut tx, owner, &format!("{n:03}")).await;
                tx.commit().await.unwrap();
            };
            if n.is_multiple_of(2) {
                let _ = timeout(Duration::from_micros(150 * n as u64), writing).await;
            } else {
                timeout(Duration::from_secs(60), writing).await.unwrap();
            }
        };
        join_all((0..100).map(write)).await;
        let found = titles(&kurso.db).await;
        for n in (1..100).step_by(2) {
            assert!(found.contains(&format!("{n:03}")), "{n}");
        }
    }
}

/// A file ends no connections.
#[tokio::test]
async fn a_server_that_ends_its_connections_is_found_again() {
    let kurso = TestKurso::new(Backend::Postgres).await;
    kurso.person("owner").await;
    let ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE pid <> pg_backend_pid() AND application_name = 'kurso' AND query LIKE '%ended by this test%'";
    // Two connections at least that say so.
    let mark = || sql!("SELECT 1 /* ended by this test */ FROM pg_sleep(0.05)").fetch_all::<(i32,)>(&kurso.db);
    let (a, b, c) = tokio::join!(mark(), mark(), mark());
    assert!(a.is_ok() && b.is_ok() && c.is_ok());
    sql!(ended).fetch_all::<(bool,)>(&kurso.db).await.unwrap();
    // One that was in use a moment ago is not tested: at most each of those may fail, once.
    let mut failures = 0;
    for _ in 0..10 {
        failures += usize::from(
            sql!("SELECT COUNT(*) FROM users")
                .fetch_one::<(i64,)>(&kurso.db)
                .await
                .is_err(),
        );
    }
    assert!(failures <= 3, "{failures}");
    for _ in 0..10 {
        assert!(
            sql!("SELECT COUNT(*) FROM users")
                .fetch_one::<(i64,)>(&kurso.db)
                .await
                .is_ok()
        );
    }
}

/// Nodes that start at the same moment on a database without tables: one makes them, all go on.
async fn start_at_once(backend: Backend) {
    let kurso = TestKurso::empty(backend).await;
    let starts = (0..6).map(|_| async {
        let db = Db::connect(&kurso.url).await.unwrap();
        db.migrate().await.unwrap();
        db.version().await.unwrap()
    });
    let versions = join_all(starts).await;
    assert!(
        versions.iter().all(|version| matches!(version, Version::Current(_))),
        "{versions:?}"
    );
    kurso.db.migrate().await.unwrap();

    // A newer binary was here.
    sql!("UPDATE _sqlx_migrations SET version = 9999 WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)")
        .execute(&kurso.db)
        .await
        .unwrap();
    let refused = kurso.db.migrate().await;
    assert!(
        matches!(refused, Err(MigrateError::VersionMissing(9999))),
        "{refused:?}"
    );
    assert_eq!(kurso.db.version().await.unwrap(), Version::Newer(9999));
    // The refusal holds no lock: another one is refused as fast.
    let again = timeout(Duration::from_secs(5), kurso.another_node().await.db.migrate()).await;
    assert!(matches!(again.unwrap(), Err(MigrateError::VersionMissing(9999))));
}

#[tokio::test]
async fn nodes_that_start_at_once_migrate_once_on_sqlite() {
    start_at_once(Backend::Sqlite).await;
}

#[tokio::test]
async fn nodes_that_start_at_once_migrate_once_on_postgres() {
    start_at_once(Backend::Postgres).await;
}

/// What the planner was told of an empty school would decide how a large one is read (decision 62).
#[tokio::test]
async fn sqlite_keeps_no_statistics_of_a_school_that_was_small() {
    let kurso = TestKurso::new(Backend::Sqlite).await;
    kurso.person("one").await;
    let count = async || {
        let found = sql!("SELECT COUNT(*) FROM sqlite_master WHERE name LIKE 'sqlite_stat%'");
        found.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
    };
    // As earlier versions left a file.
    sql!("ANALYZE").execute(&kurso.db).await.unwrap();
    assert!(count().await > 0);
    sql!("DELETE FROM _sqlx_migrations WHERE version = 14")
        .execute(&kurso.db)
        .await
        .unwrap();
    kurso.db.migrate().await.unwrap();
    assert_eq!(count().await, 0);
    // And whoever closes it leaves none.
    let other = Db::connect(&kurso.url).await.unwrap();
    sql!("UPDATE users SET full_name = full_name WHERE email_key = 'one@example.com'")
        .execute(&other)
        .await
        .unwrap();
    other.close().await;
    assert_eq!(count().await, 0);
}
