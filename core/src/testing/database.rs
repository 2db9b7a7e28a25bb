//! Test databases. Each is a copy of a migrated template, because running all migrations takes longer than most tests.

use std::path::{Path, PathBuf};

use kurso_base::random;
use kurso_db::{Db, fingerprint, sql};

use super::Backend;

/// The database of one test. It dereferences to its URL, and is deleted on drop.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    /// The name of the PostgreSQL database to drop. An SQLite file is deleted with its folder.
    dropped: Option<String>,
}

impl std::ops::Deref for TestDatabase {
    type Target = str;
    fn deref(&self) -> &str {
        &self.url
    }
}

impl Drop for TestDatabase {
    /// Drops the database now, because hundreds of them would fill the disk.
    fn drop(&mut self) {
        let Some(name) = self.dropped.take() else { return };
        // A separate thread, because the caller may be inside an async runtime.
        let drop = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let cluster = cluster().await;
                execute(&cluster, format!("DROP DATABASE {name} WITH (FORCE)")).await;
                cluster.close().await;
            });
        });
        let _ = drop.join(); // a panic has been printed, and another one in a drop would abort all tests of the process
    }
}

impl TestDatabase {
    /// With all tables, or without any. SQLite's file lies in `folder`.
    pub(super) async fn new(backend: Backend, folder: &Path, migrated: bool) -> Self {
        match backend {
            Backend::Sqlite => sqlite(folder, migrated).await,
            Backend::Postgres => postgres(migrated).await,
        }
    }
}

async fn sqlite(folder: &Path, migrated: bool) -> TestDatabase {
    let file = folder.join("kurso.db");
    if migrated {
        std::fs::copy(sqlite_template().await, &file).expect("a copy of the template");
    }
    TestDatabase {
        url: format!("sqlite:{}", file.display()),
        dropped: None,
    }
}

/// The path of the migrated template, beside the test binary. The first test creates it.
async fn sqlite_template() -> PathBuf {
    let binary = std::env::current_exe().expect("the path of the test binary");
    let path = binary.with_file_name(format!("kurso-template-{}.db", fingerprint()));
    if !path.exists() {
        let folder = tempfile::tempdir_in(binary.parent().expect("its folder")).expect("a temporary folder");
        let new = folder.path().join("new.db");
        migrate(&format!("sqlite:{}", new.display())).await;
        // If several tests create it at once, they write the same file.
        std::fs::rename(new, &path).expect("the template");
    }
    path
}

async fn postgres(migrated: bool) -> TestDatabase {
    let cluster = cluster().await;
    let template = if migrated {
        postgres_template(&cluster).await
    } else {
        "template1".to_owned()
    };
    let name = format!("test_{}", random::key());
    execute(&cluster, format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
    cluster.close().await;
    TestDatabase {
        url: url_of(&name),
        dropped: Some(name),
    }
}

/// The name of the migrated template. The first test creates it.
async fn postgres_template(cluster: &Db) -> String {
    let name = format!("kurso_template_{}", fingerprint());
    let exists = async || {
        let found = sql!("SELECT COUNT(*) FROM pg_database WHERE datname = $1", &name);
        found.fetch_one::<(i64,)>(cluster).await.expect("the databases").0 > 0
    };
    if !exists().await {
        let new = format!("new_{}", random::key());
        execute(cluster, format!("CREATE DATABASE {new}")).await;
        migrate(&url_of(&new)).await;
        // If several tests create it at once, one of them succeeds.
        let renamed = sql!(leaked(format!("ALTER DATABASE {new} RENAME TO {name}")));
        if let Err(error) = renamed.execute(cluster).await {
            assert!(exists().await, "{error}");
            execute(cluster, format!("DROP DATABASE {new}")).await;
        }
    }
    name
}

async fn migrate(url: &str) {
    let db = Db::connect(url).await.expect("the template");
    db.migrate().await.expect("the migrations");
    db.close().await;
}

/// Connects to the database from which the others are created.
async fn cluster() -> Db {
    Db::connect(&cluster_url()).await.expect("the test cluster")
}

fn cluster_url() -> String {
    std::env::var("KURSO_TEST_POSTGRES_URL").expect(
        "KURSO_TEST_POSTGRES_URL names no PostgreSQL to test on; `make test` starts one, and so does scripts/with-postgres.sh",
    )
}

/// The URL of a database in the cluster, with the options of the given URL.
fn url_of(name: &str) -> String {
    let url = cluster_url();
    let (address, options) = url.split_once('?').map_or((url.as_str(), None), |(a, o)| (a, Some(o)));
    let (server, _) = address
        .rsplit_once('/')
        .expect("the name of a database in KURSO_TEST_POSTGRES_URL");
    let options = options.map(|options| format!("?{options}")).unwrap_or_default();
    format!("{server}/{name}{options}")
}

async fn execute(cluster: &Db, statement: String) {
    sql!(leaked(statement))
        .execute(cluster)
        .await
        .expect("a statement of the test cluster");
}

/// Statements must be static. A test leaks only a few of them.
fn leaked(statement: String) -> &'static str {
    Box::leak(statement.into_boxed_str())
}
