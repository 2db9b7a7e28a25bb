//! Checks, backups, restores and moves, on both databases and between them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod scheduled;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use chrono::Duration;
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::backup::{self, Error, Manifest};
use kurso_core::both;
use kurso_core::certificates;
use kurso_core::check::{self, Depth, Report, Rule};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, page};
use kurso_core::files::upload::{Sink as _, Upload};
use kurso_core::files::{File, FileStore, cleanup};
use kurso_core::gradebook;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::snapshots;
use kurso_core::testing::{Backend, TestKurso, command, submission};
use kurso_db::sql;
use kurso_db::{Db, Version};
use serde_json::json;

fn silent(_: &str) {}

/// A school with data in every table that people fill.
struct School {
    course: CourseId,
    pages: Vec<PageId>,
    owner: Viewer,
    learner: Viewer,
    shown: File,
    /// A file that nothing refers to.
    unused: File,
}

async fn upload(kurso: &TestKurso, who: &Viewer, bytes: Vec<u8>) -> File {
    let mut upload = Upload::begin(&kurso.kurso, who, None).await.unwrap();
    upload.write(Bytes::from(bytes)).await.unwrap();
    upload.finish("картинка.bin").await.unwrap()
}

async fn school(kurso: &TestKurso) -> School {
    let owner = kurso.person("owner").await;
    let learner = kurso.person("learner").await;
    let course = kurso
        .course(&owner, &[&[&[Content, Quiz, Content], &[Content]], &[&[Content]]])
        .await;
    let view = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap();
    let pages: Vec<_> = view.tree.pages.iter().map(|page| page.id).collect();
    let asked = json!({"questions": [{"type": "short_text", "prompt": "Да?", "accepted": ["да"], "points": 0.1}]});
    let asked = kurso.set_quiz(pages[1], &asked).await;
    let shown = upload(kurso, &owner, (0..300_000_u32).map(|i| (i % 251) as u8).collect()).await;
    let unused = upload(kurso, &owner, b"nobody shows it".to_vec()).await;
    let content = json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": shown.url()}}]});
    for content in [
        content,
        json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "«Ещё» \\ \n \u{1f4d8}"}]}]}),
    ] {
        kurso.clock.advance(Duration::minutes(20));
        page::update(kurso, &owner, pages[0], None, command(json!({"content": content})))
            .await
            .unwrap();
        let name = command(json!({"name": "Снимок"}));
        snapshots::take(kurso, &owner, course, name).await.unwrap();
    }
    let code = courses::generate_share_code(kurso, &owner, course)
        .await
        .unwrap()
        .share_code
        .unwrap();
    let learnt = learning::enroll(kurso, &learner, &Origin::default(), &code)
        .await
        .unwrap();
    grade(kurso, &owner, course, pages[1], learnt.enrollment.unwrap().id).await;
    kurso.clock.advance(Duration::microseconds(1_234_567));
    for page in [pages[0], pages[2]] {
        mark_page_visited(kurso, &learner, page).await.unwrap();
    }
    for text in ["нет", "да"] {
        let answers = json!({"answers": [{"question_id": asked.questions[0].id, "text": text}]});
        attempts::submit(kurso, &learner, pages[1], submission(&answers))
            .await
            .unwrap();
    }
    let design = command(json!({"is_on": true, "basis": "grade", "min_percent": 0, "has_grade": true}));
    certificates::design::set(kurso, &owner, course, design).await.unwrap();
    let first = certificates::issue(kurso, &learner, course).await.unwrap();
    let mut renamed = learner.clone();
    renamed.user.full_name = Some("Ученик".to_owned());
    certificates::reissue(kurso, &renamed, first.id).await.unwrap();
    // Makes the key of the server.
    certificates::status_list(kurso, &Origin::default(), 1).await.unwrap();
    School {
        course,
        pages,
        owner,
        learner,
        shown,
        unused,
    }
}

/// A row in each table of the gradebook.
async fn grade(kurso: &TestKurso, owner: &Viewer, course: CourseId, quiz: PageId, enrollment: EnrollmentId) {
    let settings = command(json!({"scheme": "pass_fail", "thresholds": ["40.5"]}));
    gradebook::update_settings(kurso, owner, course, settings)
        .await
        .unwrap();
    let category = command(json!({"title": "Тесты", "weight": "12.5"}));
    let (category, _) = gradebook::create_category(kurso, owner, course, category)
        .await
        .unwrap();
    let items = command(json!({"page_ids": [quiz], "category_id": category, "points": "0.5"}));
    gradebook::set_items(kurso, owner, course, items).await.unwrap();
    for (version, points) in [(0, "0.25"), (1, "0.5")] {
        let decision = json!({"page_id": quiz, "version": version, "kind": "override", "points": points, "reason": "Устный ответ"});
        gradebook::decide(kurso, owner, enrollment, command(decision))
            .await
            .unwrap();
    }
}

async fn checked(kurso: &TestKurso) -> Report {
    check::check(kurso, Depth { bytes: true }).await.unwrap()
}

fn violated_rules(report: &Report) -> Vec<Rule> {
    let mut rules: Vec<_> = report.findings.iter().map(|finding| finding.rule).collect();
    rules.dedup();
    rules
}

async fn change(kurso: &TestKurso, text: &'static str) {
    assert!(sql!(text).execute(&kurso.db).await.unwrap() > 0, "{text}");
}

fn other(kurso: &TestKurso) -> Backend {
    if kurso.db.name() == "sqlite" {
        Backend::Postgres
    } else {
        Backend::Sqlite
    }
}

/// An empty database of the given kind, and an empty store.
async fn empty(backend: Backend) -> (TestKurso, Db, FileStore) {
    let fresh = TestKurso::empty(backend).await;
    let files = FileStore::folder(&fresh.folder.path().join("files")).unwrap();
    let db = fresh.db.clone();
    (fresh, db, files)
}

async fn make_backup(kurso: &TestKurso, name: &str) -> (PathBuf, Manifest) {
    let path = kurso.folder.path().join(name);
    let made = backup::backup(kurso, &path, "test", &silent).await.unwrap();
    assert_eq!(made.warnings, Vec::<String>::new());
    (path, made.manifest)
}

/// The tables of a backup, for comparing two databases.
fn tables(manifest: &Manifest) -> Vec<(String, u64, String)> {
    manifest
        .tables
        .iter()
        .map(|t| (t.name.clone(), t.rows, t.sha256.clone()))
        .collect()
}

both! {
    async fn data_written_by_the_server_passes_the_check(kurso: TestKurso) {
        let school = school(&kurso).await;
        courses::duplicate::course(&kurso, &school.owner, school.course, Default::default()).await.unwrap();
        page::delete(&kurso, &school.owner, school.pages[2]).await.unwrap();
        let report = checked(&kurso).await;
        assert_eq!(report.findings, []);
        let rules: Vec<_> = report.checked.iter().map(|(rule, _)| *rule).collect();
        for rule in Rule::ALL {
            assert!(rules.contains(&rule) || rule == Rule::Database, "{rule:?} was not looked at");
        }
        assert_eq!(report.without_hash, 0);
    }

    async fn damage_is_found_and_derived_data_is_repaired(kurso: TestKurso) {
        let school = school(&kurso).await;
        assert!(checked(&kurso).await.is_clean());
        for (text, rule) in [
            ("UPDATE pages SET position = position + 1 WHERE position = 1", Rule::Positions),
            ("UPDATE modules SET position = 0", Rule::Positions),
            ("UPDATE courses SET mark_nos = 1", Rule::MarkNumbers),
            ("UPDATE pages SET mark_no = 0", Rule::MarkNumbers),
            ("DELETE FROM visits", Rule::Marks),
            ("UPDATE attempts SET passed = false", Rule::Marks),
            ("UPDATE pages SET max_attempts = 3 WHERE kind = 'quiz'", Rule::Texts),
            ("DELETE FROM page_files", Rule::PageFiles),
        ] {
            // Deleted marks are derived again.
            mark_page_visited(&kurso, &school.learner, school.pages[2]).await.unwrap();
            change(&kurso, text).await;
            let report = checked(&kurso).await;
            assert!(violated_rules(&report).contains(&rule), "{text}: {report:?}");
            assert!(check::repair(&kurso, &report).await.unwrap() > 0, "{text}");
            let again = checked(&kurso).await;
            assert!(again.is_clean(), "{text}: {again:?}");
        }
        mark_page_visited(&kurso, &school.learner, school.pages[3]).await.unwrap();
        assert!(checked(&kurso).await.is_clean());
    }

    async fn irreparable_damage_is_reported(kurso: TestKurso) {
        let school = school(&kurso).await;
        for (text, rule) in [
            ("UPDATE courses SET share_code = 'ILOU1234'", Rule::ShareCodes),
            ("UPDATE lessons SET key = 'Key'", Rule::Keys),
            ("UPDATE pages SET version = 1, quiz_version = 3 WHERE kind = 'quiz'", Rule::Versions),
            ("UPDATE attempts SET attempt_no = attempt_no + 5", Rule::Attempts),
            ("DELETE FROM taken_quizzes", Rule::Companions),
            ("UPDATE enrollments SET completed_at = '2020-01-01T00:00:00+00:00'", Rule::Completion),
            ("UPDATE page_contents SET content = '{\"type\":\"doc\"' WHERE quiz IS NULL", Rule::Texts),
            ("UPDATE page_contents SET quiz = '{}' WHERE quiz IS NOT NULL", Rule::Texts),
            ("UPDATE attempts SET answers = '['", Rule::Texts),
            ("UPDATE certificates SET accent = 'green'", Rule::Certificates),
            ("UPDATE certificates SET accent = '#112233', issued_at = '2020-01-01T00:00:00+00:00'", Rule::Certificates),
            ("DELETE FROM revoked_statuses", Rule::Certificates),
            ("UPDATE status_lists SET taken = 1", Rule::Certificates),
            ("UPDATE signing_keys SET public_jwk = '{}'", Rule::Certificates),
            ("DELETE FROM snapshot_files", Rule::Snapshots),
            ("UPDATE course_snapshots SET page_count = 77", Rule::Snapshots),
            ("DELETE FROM snapshot_texts", Rule::Snapshots),
        ] {
            change(&kurso, text).await;
            let report = checked(&kurso).await;
            assert!(violated_rules(&report).contains(&rule), "{text}: {report:?}");
            check::repair(&kurso, &report).await.unwrap();
            assert!(violated_rules(&checked(&kurso).await).contains(&rule), "{text}");
        }
        kurso.files.put(&school.shown.key, Bytes::from_static(b"short")).await.unwrap();
        kurso.files.delete(&school.unused.key).await.unwrap();
        let report = check::check(&kurso, Depth::default()).await.unwrap();
        let problems: Vec<_> = report.findings.iter().filter(|f| f.rule == Rule::Files).map(|f| f.problem.as_str()).collect();
        assert_eq!(problems.len(), 2, "{report:?}");
        assert!(problems.contains(&"its bytes are not stored") && problems.contains(&"5 bytes are stored, 300000 are expected"));
        let same_size = vec![1; 300_000];
        kurso.files.put(&school.shown.key, same_size.into()).await.unwrap();
        let by_size = check::check(&kurso, Depth::default()).await.unwrap();
        let by_hash = checked(&kurso).await;
        assert_eq!(by_hash.problems, by_size.problems + 1);
    }

    async fn a_backup_round_trips_through_the_other_database(kurso: TestKurso) {
        let school = school(&kurso).await;
        let (path, manifest) = make_backup(&kurso, "first.zip").await;
        assert!(manifest.rows() > 20 && manifest.files.count == 2, "{manifest:?}");
        // Changes after the backup are not in it.
        mark_page_visited(&kurso, &school.learner, school.pages[3]).await.unwrap();

        let (fresh, db, files) = empty(other(&kurso)).await;
        let restored = backup::restore(&db, &files, &path, &silent).await.unwrap();
        assert_eq!(restored.files_existing, 0);
        let there = TestKurso { kurso: fresh.kurso, folder: fresh.folder, url: fresh.url };
        let (second, again) = make_backup(&there, "second.zip").await;
        assert_eq!(tables(&again), tables(&manifest));
        assert_eq!(again.files, manifest.files);
        assert!(checked(&there).await.is_clean());
        // The restored server works, not only its rows.
        let token = there.token("learner@example.com").await;
        let learner = kurso_core::auth::authenticate(&there, &token).await.unwrap();
        let (view, _) = mark_page_visited(&there, &learner, school.pages[4]).await.unwrap();
        assert_eq!(view.progress.pages_done, 4);

        let (home, db, files) = empty(other(&there)).await;
        backup::restore(&db, &files, &second, &silent).await.unwrap();
        let home = TestKurso { kurso: home.kurso, folder: home.folder, url: home.url };
        assert_eq!(tables(&make_backup(&home, "third.zip").await.1), tables(&manifest));
    }

    async fn a_restore_rejects_damaged_backups_and_used_databases(kurso: TestKurso) {
        let school = school(&kurso).await;
        let (path, _) = make_backup(&kurso, "a.zip").await;
        let again = backup::backup(&kurso, &path, "test", &silent).await;
        assert!(matches!(again, Err(Error::Refused(_))), "{again:?}");
        let own = backup::restore(&kurso.db, &kurso.files, &path, &silent).await;
        assert!(matches!(&own, Err(Error::Refused(why)) if why.contains("not empty")), "{own:?}");

        let whole = std::fs::read(&path).unwrap();
        let (fresh, db, files) = empty(other(&kurso)).await;
        let damaged = fresh.folder.path().join("damaged.zip");
        let needle = b"nobody shows it";
        let at = whole.windows(needle.len()).position(|bytes| bytes == needle).unwrap();
        let mut changed = whole.clone();
        changed[at] ^= 1;
        for bytes in [&whole[..whole.len() / 2], &changed, b"no zip"] {
            std::fs::write(&damaged, bytes).unwrap();
            let refused = backup::restore(&db, &files, &damaged, &silent).await;
            assert!(matches!(refused, Err(Error::Damaged(_))), "{refused:?}");
            assert_eq!(db.version().await.unwrap(), Version::None, "nothing was written");
        }
        assert_eq!(files.size(&school.shown.key).await.unwrap(), None);
        backup::restore(&db, &files, &path, &silent).await.unwrap();
    }

    /// A backup made by an older binary.
    async fn a_backup_of_an_older_version_is_migrated(kurso: TestKurso) {
        let (_fresh, old, _) = empty(if kurso.db.name() == "sqlite" { Backend::Sqlite } else { Backend::Postgres }).await;
        let newest = match kurso.db.version().await.unwrap() { Version::Current(v) => v, other => panic!("{other:?}") };
        old.migrate_to(9).await.unwrap();
        assert_eq!(old.version().await.unwrap(), Version::Older(9));
        sql!("INSERT INTO users (id, email, email_key, password_hash, is_active, is_superuser, created_at)
              VALUES ($1, 'a@b.c', 'a@b.c', '', true, false, $2)", uuid::Uuid::now_v7(), kurso.clock.now())
            .execute(&old).await.unwrap();
        let TestKurso { kurso: product, folder, url } = kurso;
        let mut product = Arc::into_inner(product).unwrap();
        product.db = old;
        let path = folder.path().join("old.zip");
        let made = backup::backup(&product, &path, "0.0.9", &silent).await.unwrap();
        assert_eq!((made.manifest.migration, made.manifest.rows()), (9, 1));
        let kurso = TestKurso { kurso: Arc::new(product), folder, url };
        let (_target, db, files) = empty(other(&kurso)).await;
        backup::restore(&db, &files, &path, &silent).await.unwrap();
        assert_eq!(db.version().await.unwrap(), Version::Current(newest));
    }

    async fn a_file_deleted_during_the_backup_is_left_out(kurso: TestKurso) {
        let school = school(&kurso).await;
        // The file was uploaded as an answer but not submitted, so its row in `answer_files` is deleted with it.
        sql!("INSERT INTO answer_files (file_id, page_id, user_id) VALUES ($1, $2, $3)", school.unused.id, school.pages[1], school.learner.id())
            .execute(&kurso.db).await.unwrap();
        assert_eq!(cleanup::delete_unused(&kurso).await.unwrap(), 0);
        kurso.clock.advance(kurso.uploads.limits.grace);
        // The cleanup runs after the snapshot and before the files are read, triggered by that progress message.
        let cleaned_up = AtomicU64::new(0);
        let at_files = |what: &str| {
            if what == "files" {
                let cleanup_run = || {
                    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                    runtime.block_on(async { cleanup::delete_unused(&*kurso.another_node().await).await.unwrap() })
                };
                let gone = std::thread::scope(|scope| scope.spawn(cleanup_run).join().unwrap());
                cleaned_up.fetch_add(gone, Ordering::SeqCst); // the table of this name is reported as well
            }
        };
        let path = kurso.folder.path().join("a.zip");
        let made = backup::backup(&kurso, &path, "test", &at_files).await.unwrap();
        assert_eq!(cleaned_up.load(Ordering::SeqCst), 1);
        assert_eq!((made.manifest.files.count, made.manifest.missing.len(), made.warnings.len()), (1, 0, 0));
        let (_fresh, db, files) = empty(other(&kurso)).await;
        backup::restore(&db, &files, &path, &silent).await.unwrap();
        assert_eq!(files.size(&school.unused.key).await.unwrap(), None);

        kurso.files.delete(&school.shown.key).await.unwrap();
        let made = backup::backup(&kurso, &kurso.folder.path().join("b.zip"), "test", &silent).await.unwrap();
        assert_eq!(made.manifest.missing, std::slice::from_ref(&school.shown.key));
    }

    async fn a_move_is_verified_resumable_and_rejects_foreign_targets(kurso: TestKurso) {
        let school = school(&kurso).await;
        let (_fresh, target, files) = empty(other(&kurso)).await;
        let moved = backup::move_all(&kurso.db, &target, "here", &silent).await.unwrap();
        assert!(target.has_unfinished_move().await.unwrap(), "until it is said to be done");
        assert!(moved.changed > 20);
        assert_eq!(backup::move_all(&kurso.db, &target, "here", &silent).await.unwrap().changed, 0);
        let elsewhere = backup::move_all(&kurso.db, &target, "elsewhere", &silent).await;
        assert!(matches!(elsewhere, Err(Error::Refused(_))), "{elsewhere:?}");

        // Changes after the first run: attempts were deleted and repeated, a page and an account deleted.
        let enrollment = CourseView::load(&kurso, &school.learner, school.course, Right::Read).await.unwrap();
        let enrollment = enrollment.course.enrollment.unwrap().id;
        assert_eq!(attempts::reset(&kurso, &school.owner, enrollment, school.pages[1]).await.unwrap(), 2);
        let asked = attempts::for_author(&kurso.db, &[school.pages[1]]).await.unwrap().remove(&school.pages[1]).unwrap();
        let asked: serde_json::Value = serde_json::from_str(&asked).unwrap();
        let answers = json!({"answers": [{"question_id": asked["questions"][0]["id"], "text": "да"}]});
        attempts::submit(&kurso, &school.learner, school.pages[1], submission(&answers)).await.unwrap();
        page::delete(&kurso, &school.owner, school.pages[2]).await.unwrap();
        kurso.person("newcomer").await;
        let moved = backup::move_all(&kurso.db, &target, "here", &silent).await.unwrap();
        assert!((2..100).contains(&moved.changed), "{}", moved.changed);
        let (count, _) = backup::move_files(&kurso.db, &kurso.files, &files, &silent).await.unwrap();
        assert_eq!((count, files.size(&school.shown.key).await.unwrap()), (2, Some(300_000)));
        backup::finish_move(&target).await.unwrap();
        let again = backup::move_all(&kurso.db, &target, "here", &silent).await;
        assert!(matches!(&again, Err(Error::Refused(why)) if why.contains("not empty")), "{again:?}");
        let (_, manifest) = make_backup(&kurso, "source.zip").await;
        let shown: Vec<_> = moved.tables.iter().map(|(name, rows, hash)| (name.clone(), *rows, hash.clone())).collect();
        let mut expected = tables(&manifest);
        expected.sort();
        let mut shown = shown;
        shown.sort();
        assert_eq!(shown, expected);
    }
}
