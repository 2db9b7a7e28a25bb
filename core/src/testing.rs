//! Test support: temporary databases, a settable clock, accounts and fixtures. Tests fail if PostgreSQL is not
//! available.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod banks;
pub mod bucket;
mod commands;
mod database;
pub mod exam;
mod imports;
mod notices;
mod search;

use std::sync::Arc;

use bytes::Bytes;
use chrono::{TimeZone as _, Utc};
use tempfile::TempDir;

use crate::Kurso;
use crate::access::{User, Viewer};
use crate::auth::passwords::Passwords;
use crate::auth::{self, Origin};
use crate::courses::tree::{PageKind, Tree};
use crate::files::{self, File, FileStore};
use crate::learning::view::CourseView;
use crate::mail::{Destination, Mail};
use crate::mailer;
use crate::users::{self, CreateUser};
pub use commands::{command, import_plan, submission};
pub use database::TestDatabase;
pub use imports::{begin_import, import_when, settled_import};
use kurso_base::clock::Clock;
use kurso_base::email::Email;
use kurso_base::ids::{CourseId, FileId, LessonId, ModuleId, PageId, UserId};
use kurso_base::random;
use kurso_base::values::{FullName, Password};
use kurso_db::Db;
use kurso_db::sql;
use kurso_formats::quiz;
use kurso_formats::quiz::Quiz;
pub use notices::About;

/// The database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Sqlite,
    Postgres,
}

/// A server on a new database and an empty folder, both deleted on drop.
pub struct TestKurso {
    pub kurso: Arc<Kurso>,
    pub folder: TempDir,
    pub url: TestDatabase,
}

impl std::ops::Deref for TestKurso {
    type Target = Kurso;
    fn deref(&self) -> &Kurso {
        &self.kurso
    }
}

/// Defines a test for both databases: `both! { async fn name(kurso: TestKurso) { … } }`.
#[macro_export]
macro_rules! both {
    ($($(#[$meta:meta])* async fn $name:ident($kurso:ident: TestKurso) $body:block)*) => {$(
        $(#[$meta])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            async fn run($kurso: $crate::testing::TestKurso) $body
            #[tokio::test]
            async fn sqlite() {
                run($crate::testing::TestKurso::new($crate::testing::Backend::Sqlite).await).await
            }
            #[tokio::test]
            async fn postgres() {
                run($crate::testing::TestKurso::new($crate::testing::Backend::Postgres).await).await
            }
        }
    )*};
}

pub const PASSWORD: &str = "correct horse battery";

/// Installs the TLS provider, which test clients need because the file store enables TLS without one.
pub fn provide_tls() {
    let _ = rustls::crypto::ring::default_provider().install_default(); // fails harmlessly if installed
}

impl TestKurso {
    pub async fn new(backend: Backend) -> Self {
        Self::on(backend, true).await
    }

    /// On a database without tables.
    pub async fn empty(backend: Backend) -> Self {
        Self::on(backend, false).await
    }

    async fn on(backend: Backend, migrated: bool) -> Self {
        provide_tls();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let url = TestDatabase::new(backend, folder.path(), migrated).await;
        let clock = Clock::set(Utc.with_ymd_and_hms(2026, 11, 21, 9, 0, 0).unwrap());
        let kurso = node(&url, &folder, clock).await;
        TestKurso {
            kurso: Arc::new(kurso),
            folder,
            url,
        }
    }

    /// The same server, changed by `configure`. No other node or task may hold it yet.
    pub fn configured(self, configure: impl FnOnce(Kurso) -> Kurso) -> Self {
        let kurso = Arc::into_inner(self.kurso).expect("the only reference");
        TestKurso {
            kurso: Arc::new(configure(kurso)),
            ..self
        }
    }

    /// Another node of the same server: the same database, files and clock.
    pub async fn another_node(&self) -> Arc<Kurso> {
        Arc::new(node(&self.url, &self.folder, self.clock.clone()).await)
    }

    /// Another node that sends mails through `mail`.
    pub async fn node_with(&self, mail: Mail) -> Arc<Kurso> {
        let clock = self.clock.clone();
        Arc::new(node_of(&self.url, &self.folder, clock, mail).await)
    }

    /// Creates an account and logs it in. The password of all accounts is [`PASSWORD`].
    pub async fn person(&self, name: &str) -> Viewer {
        let user = self.account(name, false).await;
        self.viewer(&user).await
    }

    pub async fn superuser(&self, name: &str) -> Viewer {
        let user = self.account(name, true).await;
        self.viewer(&user).await
    }

    /// Stores a file, as an upload does.
    pub async fn file(&self, owner: UserId, filename: &str, content_type: &str, bytes: impl Into<Bytes>) -> File {
        let bytes = bytes.into();
        let file = File {
            id: FileId::new(),
            key: random::key(),
            filename: filename.to_owned(),
            content_type: content_type.to_owned(),
            size: i64::try_from(bytes.len()).unwrap(),
            width: None,
            height: None,
            sha256: None,
            is_private: false,
            created_at: self.clock.now(),
        };
        self.files.put(&file.key, bytes).await.unwrap();
        files::insert(&self.db, &file, owner).await.unwrap();
        file
    }

    pub async fn account(&self, name: &str, is_superuser: bool) -> User {
        let new = CreateUser {
            email: Email::parse(&format!("{name}@example.com")).unwrap(),
            password: Password::parse(PASSWORD).unwrap(),
            full_name: Some(FullName::parse(name).unwrap()),
            is_active: true,
            is_superuser,
        };
        users::create(self, new).await.expect("an account")
    }

    pub async fn token(&self, email: &str) -> String {
        auth::login(self, &Origin::default(), email, PASSWORD.to_owned())
            .await
            .expect("a token")
    }

    pub async fn viewer(&self, user: &User) -> Viewer {
        let token = self.token(&user.email).await;
        auth::authenticate(self, &token).await.expect("a viewer")
    }

    /// The mails sent so far, in the order they were rendered.
    pub async fn mails(&self) -> Vec<Received> {
        mailer::send_due(&self.kurso).await.expect("the queue of mails");
        let mut files: Vec<_> = std::fs::read_dir(self.folder.path().join("outbox"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files
            .iter()
            .map(|file| Received::read(&std::fs::read(file).unwrap()))
            .collect()
    }

    /// Creates a course of `shape`: modules of lessons of pages.
    pub async fn course(&self, owner: &Viewer, shape: &[&[&[PageKind]]]) -> CourseId {
        let (id, now) = (CourseId::new(), self.clock.now());
        sql!(
            "INSERT INTO courses (id, owner_id, title, structure_version, created_at, updated_at)
             VALUES ($1, $2, 'Курс', 1, $3, $3)",
            id,
            owner.id(),
            now
        )
        .execute(&self.db)
        .await
        .unwrap();
        for (m, lessons) in shape.iter().enumerate() {
            let module = ModuleId::new();
            sql!(
                "INSERT INTO modules (id, course_id, title, position, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $5)",
                module,
                id,
                format!("Модуль {}", m + 1),
                m as i64,
                now
            )
            .execute(&self.db)
            .await
            .unwrap();
            for (l, pages) in lessons.iter().enumerate() {
                let lesson = LessonId::new();
                sql!(
                    "INSERT INTO lessons (id, module_id, course_id, title, position, created_at, updated_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $6)",
                    lesson,
                    module,
                    id,
                    format!("Урок {}.{}", m + 1, l + 1),
                    l as i64,
                    now
                )
                .execute(&self.db)
                .await
                .unwrap();
                for (p, kind) in pages.iter().enumerate() {
                    self.page(id, lesson, p as i64, *kind, true).await;
                }
            }
        }
        id
    }

    /// Gives a person a role in the team of a course: `editor` or `teacher`.
    pub async fn collaborator(&self, course: CourseId, person: &Viewer, role: &'static str) {
        sql!(
            "INSERT INTO collaborators (course_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)",
            course,
            person.id(),
            role,
            self.clock.now()
        )
        .execute(&self.db)
        .await
        .unwrap();
    }

    /// Adds a page; its content is one paragraph with its position.
    pub async fn page(
        &self,
        course: CourseId,
        lesson: LessonId,
        position: i64,
        kind: PageKind,
        published: bool,
    ) -> PageId {
        let (id, now) = (PageId::new(), self.clock.now());
        sql!(
            "INSERT INTO pages (id, lesson_id, course_id, title, kind, position, published, version, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8)",
            id, lesson, course, Some(format!("Стр. {position}")).filter(|_| position > 0), kind, position, published, now
        )
        .execute(&self.db)
        .await
        .unwrap();
        let text = format!(
            r#"{{"type":"doc","content":[{{"type":"paragraph","content":[{{"type":"text","text":"Page {position}"}}]}}]}}"#
        );
        let quiz = (kind == PageKind::Assignment).then(|| Quiz::assignment().to_text().expect("a text"));
        sql!(
            "INSERT INTO page_contents (page_id, content, quiz) VALUES ($1, $2, $3)",
            id,
            text,
            quiz
        )
        .execute(&self.db)
        .await
        .unwrap();
        sql!(
            "UPDATE courses SET structure_version = structure_version + 1 WHERE id = $1",
            course
        )
        .execute(&self.db)
        .await
        .unwrap();
        self.index(id).await;
        id
    }
}

impl TestKurso {
    /// Stores a quiz, given as its author's JSON, on a quiz page.
    pub async fn set_quiz(&self, page: PageId, quiz: &serde_json::Value) -> Quiz {
        let quiz = quiz::read(quiz).expect("a quiz");
        quiz::require_complete(&quiz).expect("a quiz that may be published");
        let text = quiz.to_text().expect("a text");
        sql!("UPDATE page_contents SET quiz = $2 WHERE page_id = $1", page, &text)
            .execute(&self.db)
            .await
            .unwrap();
        if quiz.has_draws() {
            let mut tx = self.db.begin().await.unwrap();
            crate::draws::follow(&mut tx, page, Some(&text), Some(&text))
                .await
                .unwrap();
            tx.commit().await.unwrap();
        }
        let limit = quiz.max_attempts.map(i64::from);
        sql!(
            "UPDATE pages SET version = version + 1, quiz_version = version + 1, max_attempts = $2 WHERE id = $1",
            page,
            limit
        )
        .execute(&self.db)
        .await
        .unwrap();
        sql!(
            "UPDATE courses SET structure_version = structure_version + 1
             WHERE id = (SELECT course_id FROM pages WHERE id = $1)",
            page
        )
        .execute(&self.db)
        .await
        .unwrap();
        self.index(page).await;
        quiz
    }
}

async fn node(url: &str, folder: &TempDir, clock: Clock) -> Kurso {
    let outbox = Destination::Outbox(folder.path().join("outbox"));
    let mail = Mail::new(outbox, "school@example.com", "https://kurso.example").expect("the mail");
    node_of(url, folder, clock, mail).await
}

async fn node_of(url: &str, folder: &TempDir, clock: Clock, mail: Mail) -> Kurso {
    let db = Db::connect(url).await.expect("the test database");
    let files = FileStore::folder(&folder.path().join("files")).expect("the file store");
    let secret = b"a test's secret key of 32+ bytes";
    let kurso = Kurso::new(db, files, mail, clock, secret, true).expect("a product");
    kurso.with_passwords(Passwords::weak())
}

/// A received mail.
#[derive(Debug)]
pub struct Received {
    pub from: String,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
}

impl Received {
    pub fn read(message: &[u8]) -> Self {
        use mailparse::MailHeaderMap as _;
        let mail = mailparse::parse_mail(message).expect("a MIME message");
        let header = |name: &str| mail.headers.get_first_value(name).unwrap_or_default();
        let kinds: Vec<_> = mail.subparts.iter().map(|part| part.ctype.mimetype.as_str()).collect();
        assert_eq!(kinds, ["text/plain", "text/html"]);
        let part = |n: usize| mail.subparts[n].get_body().unwrap().replace("\r\n", "\n");
        Received {
            from: header("From"),
            to: header("To"),
            subject: header("Subject"),
            text: part(0),
            html: part(1),
        }
    }

    /// The token of the link in it, which must be the same in both parts.
    pub fn token(&self) -> String {
        let (_, rest) = self.text.split_once("?token=").expect("a link");
        let token = rest.split_whitespace().next().unwrap().to_owned();
        assert!(self.html.contains(&token));
        token
    }
}

/// A deterministic pseudo-random generator.
pub struct Dice(u64);

impl Dice {
    /// `seed` must not be 0.
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }
}

/// A tree of one module with lessons of pages `(kind, published)`.
pub fn tree_of(lessons: &[Vec<(PageKind, bool)>]) -> Tree {
    Tree::from_shape(lessons)
}

/// Asserts that the positions of all siblings are 0, 1, 2, … without a gap.
pub fn assert_dense(view: &CourseView) {
    let dense = |positions: Vec<i64>| assert_eq!(positions, (0..positions.len() as i64).collect::<Vec<_>>());
    dense(view.tree.modules.iter().map(|m| m.position).collect());
    for module in &view.tree.modules {
        dense(
            view.tree.lessons[module.lessons.clone()]
                .iter()
                .map(|l| l.position)
                .collect(),
        );
    }
    for lesson in &view.tree.lessons {
        dense(
            view.tree.pages[lesson.pages.clone()]
                .iter()
                .map(|p| p.position)
                .collect(),
        );
    }
}
