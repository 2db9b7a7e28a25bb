//! Uploads, quotas and the cleanup of files, on both databases.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use chrono::Duration;
use futures_util::TryStreamExt as _;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::Viewer;
use kurso_core::courses::page::UpdateError;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{avatar, course, duplicate, page};
use kurso_core::files::upload::{Sink as _, Upload};
use kurso_core::files::{self, File, FileLimits, cleanup};
use kurso_core::testing::{TestKurso, command};
use kurso_core::{Kurso, both, trash};
use kurso_db::sql;
use serde_json::{Value, json};

async fn upload(kurso: &TestKurso, who: &Viewer, bytes: &[u8]) -> Result<File, Error> {
    let mut upload = Upload::begin(&kurso.kurso, who, None).await?;
    for part in bytes.chunks(1000) {
        upload.write(Bytes::copy_from_slice(part)).await?;
    }
    upload.finish("a.png").await
}

/// All files in the store's folder, including incomplete ones.
fn stored(kurso: &TestKurso) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(kurso.folder.path().join("files")).unwrap();
    let folders = folders.map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
    files.map(|entry| entry.unwrap().path()).collect()
}

/// Waits because dropped uploads are deleted by another thread.
async fn wait_until_stored(kurso: &TestKurso, count: usize) {
    for _ in 0..200 {
        if stored(kurso).len() == count {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("{count} files are expected: {:?}", stored(kurso));
}

async fn count(kurso: &TestKurso, text: &'static str) -> i64 {
    sql!(text).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
}

async fn bytes(kurso: &Kurso, file: &File) -> Result<Vec<u8>, Error> {
    files::at_address(kurso, &file.key, &file.filename, None).await?;
    let parts: Vec<Bytes> = kurso.files.get(&file.key, None).await?.try_collect().await?;
    Ok(parts.concat())
}

async fn is_stored(kurso: &Kurso, file: &File) -> bool {
    match bytes(kurso, file).await {
        Ok(_) => true,
        Err(Error::NotFound(Message::FileNotFound)) => false,
        Err(error) => panic!("{error}"),
    }
}

fn showing(file: &File) -> Value {
    json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": file.url()}}]})
}

fn saying(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

async fn first_page(kurso: &TestKurso, course: CourseId) -> PageId {
    sql!(
        "SELECT id FROM pages WHERE course_id = $1 ORDER BY position LIMIT 1",
        course
    )
    .fetch_one::<(PageId,)>(&kurso.db)
    .await
    .unwrap()
    .0
}

/// Lets the time of everything in the trash pass.
async fn empty_trash(kurso: &TestKurso) {
    kurso.clock.advance(trash::retention());
    assert!(trash::delete_expired(kurso).await.unwrap() > 0);
}

/// Runs the cleanup, advances past the grace period, runs it again. Returns the number of deleted files.
async fn cleanup_after_grace(kurso: &TestKurso) -> u64 {
    assert_eq!(cleanup::delete_unused(kurso).await.unwrap(), 0);
    kurso.clock.advance(kurso.uploads.limits.grace);
    cleanup::delete_unused(kurso).await.unwrap()
}

fn is_too_large(result: Result<impl std::fmt::Debug, Error>, why: &Message) {
    match result {
        Err(Error::TooLarge(message)) if message == *why => {}
        other => panic!("{other:?}"),
    }
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03\x08\x02\0\0\0";

both! {
    async fn an_upload_becomes_a_file(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let mut content = PNG.to_vec();
        content.resize(300_000, 7);
        let file = upload(&kurso, &ann, &content).await.unwrap();
        assert_eq!((file.content_type.as_str(), file.size, file.width, file.height), ("image/png", 300_000, Some(2), Some(3)));
        assert_eq!(bytes(&kurso, &file).await.unwrap(), content);
        let part = kurso.files.get(&file.key, Some(100_000..250_000)).await.unwrap();
        let part: Vec<Bytes> = part.try_collect().await.unwrap();
        assert_eq!(part.concat(), &content[100_000..250_000]);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM files").await, 1);
        let other = upload(&kurso, &ann, &content).await.unwrap();
        assert_ne!(file.key, other.key);
    }

    async fn unfinished_uploads_leave_nothing(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let mut unfinished = Upload::begin(&kurso.kurso, &ann, None).await.unwrap();
        unfinished.write(Bytes::from(vec![1; 200_000])).await.unwrap();
        assert_eq!(stored(&kurso).len(), 1);
        assert!(stored(&kurso)[0].to_string_lossy().contains('#'), "nobody sees it");
        drop(unfinished);
        wait_until_stored(&kurso, 0).await;
        let empty = upload(&kurso, &ann, b"").await;
        assert!(matches!(&empty, Err(Error::Invalid(errors)) if errors[0].message == Message::EmptyFile), "{empty:?}");
        wait_until_stored(&kurso, 0).await;
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM files").await, 0);
    }

    async fn a_file_may_be_as_large_as_the_limit(kurso: TestKurso) {
        let kurso = kurso.configured(|kurso| kurso.with_file_limits(FileLimits { max_size: 100_000, ..FileLimits::default() }));
        let ann = kurso.person("ann").await;
        upload(&kurso, &ann, &[1; 100_000]).await.unwrap();
        let why = Message::FileTooLarge(100_000);
        is_too_large(upload(&kurso, &ann, &[1; 100_001]).await, &why);
        is_too_large(Upload::begin(&kurso.kurso, &ann, Some(200_000)).await.map(drop), &why);
        wait_until_stored(&kurso, 1).await;
    }

    async fn the_quota_holds_for_concurrent_uploads(kurso: TestKurso) {
        let kurso = Arc::new(kurso.configured(|kurso| kurso.with_file_limits(FileLimits { quota: 350_000, ..FileLimits::default() })));
        let (ann, bob) = (kurso.person("ann").await, kurso.person("bob").await);
        let tasks: Vec<_> = (0..8).map(|_| {
            let (kurso, ann) = (kurso.clone(), ann.clone());
            tokio::spawn(async move { upload(&kurso, &ann, &[1; 100_000]).await })
        }).collect();
        let mut stored_files = 0;
        for task in tasks {
            match task.await.unwrap() {
                Ok(_) => stored_files += 1,
                refused => is_too_large(refused, &Message::QuotaFull),
            }
        }
        assert!((1..=3).contains(&stored_files), "{stored_files}");
        while stored_files < 3 {
            upload(&kurso, &ann, &[1; 100_000]).await.unwrap();
            stored_files += 1;
        }
        is_too_large(upload(&kurso, &ann, &[1; 100_000]).await, &Message::QuotaFull);
        upload(&kurso, &ann, &[1; 50_000]).await.unwrap();
        is_too_large(Upload::begin(&kurso.kurso, &ann, None).await.map(drop), &Message::QuotaFull);
        upload(&kurso, &bob, &[1; 350_000]).await.unwrap();
        wait_until_stored(&kurso, 5).await;
    }

    async fn unused_files_are_deleted_after_the_grace_period(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let course = kurso.course(&ann, &[&[&[Content]]]).await;
        let id = first_page(&kurso, course).await;
        let [shown, unused, late] = [1, 2, 3].map(|n| vec![n; 100]);
        let shown = upload(&kurso, &ann, &shown).await.unwrap();
        let unused = upload(&kurso, &ann, &unused).await.unwrap();
        let late = upload(&kurso, &ann, &late).await.unwrap();
        page::update(&kurso, &ann, id, None, command(json!({"content": showing(&shown)}))).await.unwrap();
        assert_eq!(cleanup::delete_unused(&kurso).await.unwrap(), 0);
        kurso.clock.advance(Duration::days(6));
        assert_eq!(cleanup::delete_unused(&kurso).await.unwrap(), 0);
        // Referenced within the grace period.
        page::update(&kurso, &ann, id, None, command(json!({"content": showing(&late)}))).await.unwrap();
        kurso.clock.advance(Duration::days(1));
        assert_eq!(cleanup::delete_unused(&kurso).await.unwrap(), 1);
        assert!(!is_stored(&kurso, &unused).await);
        assert!(is_stored(&kurso, &shown).await, "the history shows it");
        assert!(is_stored(&kurso, &late).await);
        // The grace period starts when the last page that shows the file is deleted, and the trash keeps it for longer.
        kurso.clock.advance(Duration::days(30));
        page::delete(&kurso, &ann, id).await.unwrap();
        assert_eq!(cleanup_after_grace(&kurso).await, 0, "the trash keeps them");
        empty_trash(&kurso).await;
        assert_eq!(cleanup_after_grace(&kurso).await, 2);
        wait_until_stored(&kurso, 0).await;
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM files").await, 0);
    }

    async fn a_copied_course_keeps_files_its_original_dropped(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let id = kurso.course(&ann, &[&[&[Content]]]).await;
        let shown = upload(&kurso, &ann, b"shown").await.unwrap();
        let pictured = upload(&kurso, &ann, b"pictured").await.unwrap();
        let shows = json!({"content": showing(&shown)});
        page::update(&kurso, &ann, first_page(&kurso, id).await, None, command(&shows)).await.unwrap();
        sql!("UPDATE modules SET avatar_file_id = $1", pictured.id).execute(&kurso.db).await.unwrap();
        let copy = duplicate::course(&kurso, &ann, id, Default::default()).await.unwrap().id;
        course::delete(&kurso, &ann, id).await.unwrap();
        assert_eq!(cleanup_after_grace(&kurso).await, 0);
        assert_eq!(bytes(&kurso, &shown).await.unwrap(), b"shown");
        assert_eq!(bytes(&kurso, &pictured).await.unwrap(), b"pictured");
        course::delete(&kurso, &ann, copy).await.unwrap();
        empty_trash(&kurso).await;
        assert_eq!(cleanup_after_grace(&kurso).await, 2);
        assert!(!is_stored(&kurso, &shown).await && !is_stored(&kurso, &pictured).await);
    }

    async fn an_original_course_keeps_files_its_copy_dropped(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let id = kurso.course(&ann, &[&[&[Content]]]).await;
        let shown = upload(&kurso, &ann, b"shown").await.unwrap();
        let shows = json!({"content": showing(&shown)});
        page::update(&kurso, &ann, first_page(&kurso, id).await, None, command(&shows)).await.unwrap();
        let copy = duplicate::course(&kurso, &ann, id, Default::default()).await.unwrap().id;
        course::delete(&kurso, &ann, copy).await.unwrap();
        assert_eq!(cleanup_after_grace(&kurso).await, 0);
        assert!(is_stored(&kurso, &shown).await);
    }

    async fn an_attempt_keeps_the_files_of_its_quiz(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let course = kurso.course(&ann, &[&[&[Quiz]]]).await;
        let id = first_page(&kurso, course).await;
        let file = upload(&kurso, &ann, b"asked about").await.unwrap();
        let asks = |prompt: Value| json!({"published": false, "quiz": {"questions": [
            {"type": "numeric", "prompt": prompt, "value": 1}
        ]}});
        page::update(&kurso, &ann, id, None, command(asks(showing(&file)))).await.unwrap();
        let enrollment = EnrollmentId::new();
        sql!("INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
            enrollment, course, ann.id(), kurso.clock.now()).execute(&kurso.db).await.unwrap();
        sql!("INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, quiz_version, answers, results, score, max_score,
              percent, passed, submitted_at) VALUES ($1, $2, $3, 1, 2, '[]', '[]', 0, 1, 0, FALSE, $4)",
            enrollment.0, enrollment, id, kurso.clock.now()).execute(&kurso.db).await.unwrap();
        sql!("INSERT INTO taken_quizzes (page_id, version, quiz) SELECT page_id, 2, quiz FROM page_contents WHERE page_id = $1", id)
            .execute(&kurso.db).await.unwrap();
        for n in 0..60 {
            page::update(&kurso, &ann, id, None, command(asks(saying(&n.to_string())))).await.unwrap();
        }
        assert_eq!(cleanup_after_grace(&kurso).await, 0);
        assert!(is_stored(&kurso, &file).await);
    }

    async fn stray_bytes_are_deleted_and_files_kept(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let file = upload(&kurso, &ann, b"a file").await.unwrap();
        kurso.files.put("0123456789abcdef0123456789abcdef", Bytes::from_static(b"no row")).await.unwrap();
        let broken_off = stored(&kurso)[0].with_file_name("fedcba9876543210fedcba9876543210#1");
        std::fs::write(&broken_off, b"half of it").unwrap();
        kurso.clock.advance(Duration::days(-3650));
        assert_eq!(cleanup::delete_strays(&kurso).await.unwrap(), 0, "they may be on their way");
        kurso.clock.advance(Duration::days(2 * 3650));
        assert_eq!(cleanup::delete_strays(&kurso).await.unwrap(), 2);
        assert_eq!(stored(&kurso).len(), 1);
        assert!(is_stored(&kurso, &file).await);
    }

    async fn concurrent_cleanups_delete_each_file_once(kurso: TestKurso) {
        let kurso = Arc::new(kurso);
        let ann = kurso.person("ann").await;
        for n in 0..40_u8 {
            upload(&kurso, &ann, &[n; 10]).await.unwrap();
        }
        cleanup::delete_unused(&kurso).await.unwrap();
        kurso.clock.advance(Duration::days(7));
        let cleanups: Vec<_> = (0..4).map(|_| {
            let kurso = kurso.clone();
            tokio::spawn(async move { cleanup::delete_unused(&kurso).await.unwrap() })
        }).collect();
        let mut removed = 0;
        for cleanup_task in cleanups {
            removed += cleanup_task.await.unwrap();
        }
        assert_eq!((removed, stored(&kurso).len()), (40, 0));
    }

    async fn a_file_referenced_during_cleanup_is_kept(kurso: TestKurso) {
        let kurso = Arc::new(kurso);
        let ann = kurso.person("ann").await;
        let course = kurso.course(&ann, &[&[&[Content]]]).await;
        let id = first_page(&kurso, course).await;
        for round in 0..10_u8 {
            let file = upload(&kurso, &ann, &[round; 10]).await.unwrap();
            cleanup::delete_unused(&kurso).await.unwrap();
            kurso.clock.advance(Duration::days(7));
            let cleanup_task = { let kurso = kurso.clone(); tokio::spawn(async move { cleanup::delete_unused(&kurso).await.unwrap() }) };
            let saved = page::update(&kurso, &ann, id, None, command(json!({"content": showing(&file)}))).await;
            cleanup_task.await.unwrap();
            match saved {
                Ok(_) => assert!(is_stored(&kurso, &file).await, "a page shows it"),
                Err(UpdateError::Refused(Error::Invalid(errors))) => assert!(matches!(errors[0].message, Message::UnknownFile(_))),
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// As every change of a course: otherwise an upload and another change of the same author wait for each other.
    async fn an_avatar_locks_the_course_before_its_author(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let course = kurso.course(&ann, &[&[&[Content]]]).await;
        let (module,) = sql!("SELECT id FROM modules").fetch_one::<(ModuleId,)>(&kurso.db).await.unwrap();
        let mut change = kurso.db.begin().await.unwrap();
        sql!("UPDATE courses SET title = title WHERE id = $1", course).execute(&mut change).await.unwrap();
        let mut upload = avatar::AvatarUpload::begin(&kurso.kurso, &ann, module, None).await.unwrap();
        upload.write(Bytes::from_static(include_bytes!("pictures/grey.avif"))).await.unwrap();
        let mut stored = tokio::spawn(upload.finish());
        let waits = tokio::time::timeout(std::time::Duration::from_secs(1), &mut stored).await;
        assert!(waits.is_err());
        let author = sql!("UPDATE users SET full_name = full_name WHERE id = $1", ann.id());
        author.execute(&mut change).await.unwrap();
        change.commit().await.unwrap();
        assert!(stored.await.unwrap().unwrap().avatar_url.is_some());
    }

    async fn a_removed_avatar_is_deleted(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        kurso.course(&ann, &[&[&[Content]]]).await;
        let (module,) = sql!("SELECT id FROM modules").fetch_one::<(ModuleId,)>(&kurso.db).await.unwrap();
        let picture = upload(&kurso, &ann, b"pictured").await.unwrap();
        sql!("UPDATE modules SET avatar_file_id = $1", picture.id).execute(&kurso.db).await.unwrap();
        assert_eq!(cleanup_after_grace(&kurso).await, 0);
        let module = avatar::remove(&kurso, &ann, module).await.unwrap();
        assert_eq!(module.avatar_url, None);
        assert_eq!(cleanup_after_grace(&kurso).await, 1);
    }
}
