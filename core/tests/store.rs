//! Storing an imported course: completely or not at all.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use futures_util::TryStreamExt as _;
use kurso_core::access::Right;
use kurso_core::drafts::store::store;
use kurso_core::learning::view::{CourseView, content as content_of};
use kurso_core::testing::TestKurso;
use kurso_core::{both, files};
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::{CourseDraft, FileDraft, LessonDraft, ModuleDraft, PageDraft, Report};
use serde_json::json;

const BYTES: &[u8] = b"the bytes of a picture";

/// A course with one module, one lesson, and one page that shows one file.
fn draft(kurso: &TestKurso) -> CourseDraft {
    let path = kurso.folder.path().join("picture.png");
    std::fs::write(&path, BYTES).unwrap();
    let file = FileDraft {
        key: "0123456789abcdef0123456789abcdef".into(),
        path,
        filename: "схема 1.png".into(),
        content_type: "image/png",
        size: 22,
        width: Some(4),
        height: Some(3),
    };
    let image = json!({"type": "image", "attrs": {"src": file.address(), "alt": "схема"}});
    let content = json!({"type": "doc", "content": [image]});
    let page = PageDraft::new(Some("Страница".into()), content, "src/page.md");
    let module = ModuleDraft::new("Модуль", vec![LessonDraft::new("Урок", vec![page])]);
    CourseDraft {
        files: vec![file],
        ..CourseDraft::new("Книга", vec![module])
    }
}

async fn count(kurso: &TestKurso, text: &'static str) -> i64 {
    sql!(text).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
}

fn stored_files(kurso: &TestKurso) -> usize {
    let folders = std::fs::read_dir(kurso.folder.path().join("files")).unwrap();
    folders
        .map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().count())
        .sum()
}

both! {
    async fn a_draft_is_stored_with_its_files(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let stored = store(&kurso, owner.id(), draft(&kurso), &mut Report::default()).await.unwrap();
        let view = CourseView::load(&kurso, &owner, stored.course_id, Right::Edit).await.unwrap();
        assert_eq!(view.course.share_code.as_deref(), stored.share_code.as_deref());
        assert_eq!((view.course.title.as_str(), view.sizes()), ("Книга", (1, 1, 1)));

        let text = content_of(&kurso, view.page(0).id, false).await.unwrap().content;
        let document = content::parse(&text).unwrap();
        let src = document["content"][0]["attrs"]["src"].as_str().unwrap();
        let key = src.split('/').nth(2).unwrap();
        let file = files::at_address(&kurso, key, "схема 1.png", None).await.unwrap();
        assert_eq!((file.url().as_str(), file.filename.as_str(), file.width), (src, "схема 1.png", Some(4)));
        let bytes: Vec<_> = kurso.files.get(key, None).await.unwrap().try_collect().await.unwrap();
        assert_eq!(bytes.concat(), BYTES);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM page_files").await, 1);
    }

    async fn a_failed_draft_leaves_nothing(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let mut broken = draft(&kurso);
        broken.pages_mut().for_each(|page| page.content = json!({"type": "doc", "content": [{"type": "marquee"}]}).into());
        let mut missing = draft(&kurso);
        let mut second = missing.files[0].clone();
        second.path = kurso.folder.path().join("gone.png");
        missing.files.push(second);
        let mut untitled = draft(&kurso);
        untitled.modules[0].lessons[0].title = String::new();
        for draft in [broken, missing, untitled] {
            assert!(store(&kurso, owner.id(), draft, &mut Report::default()).await.is_err());
            for text in ["SELECT COUNT(*) FROM courses", "SELECT COUNT(*) FROM modules", "SELECT COUNT(*) FROM files"] {
                assert_eq!(count(&kurso, text).await, 0, "{text}");
            }
            assert_eq!(stored_files(&kurso), 0);
        }
    }
}
