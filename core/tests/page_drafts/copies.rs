//! Drafts in copies, exports, previews and imports.

use kurso_base::error::Error;
use kurso_core::courses::duplicate;
use kurso_core::drafts::{self, Stored};
use kurso_core::preview::{self, Preview};

use super::*;

/// The texts of the first page of a loaded course.
async fn exported(w: &World, drafts: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    let stored = Stored {
        course: w.course,
        drafts,
    };
    let draft = drafts::load(&w.kurso, stored, None, folder.path()).await.unwrap();
    let page = draft.pages().next().unwrap();
    format!("{:?} {:?}", page.title, page.content.read())
}

both! {
    async fn a_copy_has_the_draft_with_its_links_and_files(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let file = w.kurso.file(w.owner.id(), "a.png", "image/png", "1").await;
        let link = json!([{"type": "link", "attrs": {"href": format!("page:{}", w.quiz)}}]);
        let text = json!({"type": "text", "text": "x", "marks": link});
        let content = json!({"type": "doc", "content": [
            {"type": "paragraph", "content": [text]}, {"type": "image", "attrs": {"src": file.url()}},
        ]});
        w.save(w.page, None, json!({"title": "published"})).await.unwrap();
        w.save(w.page, None, json!({"draft": true, "title": "draft", "content": content})).await.unwrap();
        let copy = duplicate::course(&w.kurso, &w.editor, w.course, duplicate::DuplicateCourse::default()).await.unwrap();
        let view = CourseView::load(&w.kurso, &w.editor, copy.id, Right::Edit).await.unwrap();
        assert_eq!(view.page(0).title.as_deref(), Some("published"));
        let draft = draft::get(&w.kurso, &w.editor, view.page(0).id).await.unwrap();
        assert_eq!((draft.summary.version, draft.summary.base_version, draft.summary.is_behind()), (2, 1, false));
        assert_eq!(draft.summary.title.as_deref(), Some("draft"));
        let quiz = view.page(1).id.to_string();
        assert!(draft.content.contains(&quiz) && !draft.content.contains(&w.quiz.to_string()));
        let page = duplicate::page(&w.kurso, &w.editor, w.page).await.unwrap();
        let draft = draft::get(&w.kurso, &w.editor, page.id).await.unwrap();
        assert_eq!(draft.summary.title.as_deref(), Some("draft (копия)"));
        assert_eq!(w.numbers(page.id).await, [(2, false), (1, true)]);
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn an_export_has_drafts_only_when_asked(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let body = json!({"draft": true, "title": "secret", "content": document("secret")});
        w.save(w.page, None, body).await.unwrap();
        assert!(!exported(&w, false).await.contains("secret"));
        assert_eq!(exported(&w, true).await.matches("secret").count(), 2);
    }

    async fn a_preview_has_drafts_only_when_an_editor_asks(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let teacher = w.kurso.person("teacher").await;
        w.kurso.collaborator(w.course, &teacher, "teacher").await;
        w.save(w.page, None, json!({"draft": true, "title": "secret"})).await.unwrap();
        let title = async |viewer: &Viewer, drafts: bool| {
            let preview = Preview { drafts, ..Preview::default() };
            let view = preview::course(&w.kurso, viewer, w.course, preview).await?;
            Ok::<_, Error>(view.page(0).title.clone())
        };
        assert_ne!(title(&w.editor, false).await.unwrap().as_deref(), Some("secret"));
        assert_eq!(title(&w.editor, true).await.unwrap().as_deref(), Some("secret"));
        assert_ne!(title(&teacher, false).await.unwrap().as_deref(), Some("secret"));
        assert!(matches!(title(&teacher, true).await, Err(Error::Forbidden(_))));
        // The tree that everybody shares has no draft.
        let view = CourseView::load(&w.kurso, &w.owner, w.course, Right::Edit).await.unwrap();
        assert_ne!(view.page(0).title.as_deref(), Some("secret"));
    }
}
