//! Unpublished changes of published pages, on both databases.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod copies;
mod publishing;
mod sequences;

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_base::page_draft_entries::{PageDraftEntries, PageDraftEntry};
use kurso_base::values::EditorSession;
use kurso_core::access::{Right, Viewer};
use kurso_core::both;
use kurso_core::check::{self, Depth};
use kurso_core::courses::page::draft::{self, PageDraft};
use kurso_core::courses::page::publishing::{DraftState, PublishError, publish};
use kurso_core::courses::page::versions::{self, Version};
use kurso_core::courses::page::{self, Importance, PageRead, UpdateError};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::{Value, json};

struct World {
    kurso: TestKurso,
    owner: Viewer,
    editor: Viewer,
    course: CourseId,
    page: PageId,
    quiz: PageId,
}

impl World {
    async fn new(kurso: TestKurso) -> Self {
        let (owner, editor) = (kurso.person("owner").await, kurso.person("editor").await);
        let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
        kurso.collaborator(course, &editor, "editor").await;
        let view = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap();
        let (page, quiz) = (view.page(0).id, view.page(1).id);
        World {
            kurso,
            owner,
            editor,
            course,
            page,
            quiz,
        }
    }

    async fn save(&self, page: PageId, session: Option<&str>, body: Value) -> Result<PageRead, UpdateError> {
        let session = session.map(|name| EditorSession::parse(name).unwrap());
        page::update(&self.kurso, &self.owner, page, session, command(&body)).await
    }

    async fn draft(&self, page: PageId) -> Option<PageDraft> {
        match draft::get(&self.kurso, &self.owner, page).await {
            Ok(draft) => Some(draft),
            Err(Error::NotFound(Message::PageDraftNotFound)) => None,
            Err(error) => panic!("{error:?}"),
        }
    }

    async fn stored(&self, page: PageId) -> PageRead {
        page::get(&self.kurso, &self.owner, page).await.unwrap()
    }

    async fn publish(&self, pages: &[(PageId, i64, i64)]) -> Result<Vec<DraftState>, PublishError> {
        let entry = |(page_id, version, page_version): &(PageId, i64, i64)| PageDraftEntry {
            page_id: *page_id,
            version: *version,
            page_version: *page_version,
        };
        let entries = PageDraftEntries(pages.iter().map(entry).collect());
        publish(&self.kurso, &self.owner, self.course, &entries, Importance::Correction).await
    }

    async fn history(&self, page: PageId) -> Vec<Version> {
        versions::list(&self.kurso, &self.owner, page).await.unwrap().data
    }

    /// The versions of the history, and whether learners could ever read them.
    async fn numbers(&self, page: PageId) -> Vec<(i64, bool)> {
        let history = self.history(page).await.into_iter();
        history
            .map(|version| (version.version, version.published_at.is_some()))
            .collect()
    }

    async fn course_row(&self) -> (i64, chrono::DateTime<chrono::Utc>) {
        let row = sql!(
            "SELECT structure_version, updated_at FROM courses WHERE id = $1",
            self.course
        );
        row.fetch_one(&self.kurso.db).await.unwrap()
    }

    async fn kept_files(&self) -> i64 {
        let rows = sql!("SELECT COUNT(*) FROM page_files WHERE page_id = $1", self.page);
        rows.fetch_one::<(i64,)>(&self.kurso.db).await.unwrap().0
    }

    /// What `kurso check` finds.
    async fn problems(&self) -> Vec<String> {
        let report = check::check(&self.kurso, Depth::default()).await.unwrap();
        let findings = report.findings.into_iter();
        findings
            .map(|finding| format!("{}: {}", finding.at, finding.problem))
            .collect()
    }
}

fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

fn picture(src: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": src}}]})
}

fn incomplete_quiz() -> Value {
    json!({"questions": [{"type": "single_choice", "prompt": "?", "options": []}]})
}

fn conflict<T: std::fmt::Debug>(result: Result<T, UpdateError>) -> PageRead {
    match result {
        Err(UpdateError::Conflict(page)) => *page,
        other => panic!("no conflict: {other:?}"),
    }
}

both! {
    async fn a_draft_does_not_change_what_learners_read(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let before = (w.stored(w.page).await, w.course_row().await);
        w.kurso.clock.advance(Duration::minutes(1));
        let body = json!({"draft": true, "title": "Новое", "content": document("a"), "version": 1});
        let saved = w.save(w.page, None, body).await.unwrap();
        assert_eq!((saved.is_draft, saved.version, saved.title.as_deref()), (true, 2, Some("Новое")));
        assert_eq!(saved.updated_at, w.kurso.clock.now());
        let after = (w.stored(w.page).await, w.course_row().await);
        assert_eq!(format!("{before:?}"), format!("{after:?}"), "neither the page nor its course has changed");
        let draft = w.draft(w.page).await.unwrap().summary;
        assert_eq!((draft.version, draft.base_version, draft.is_behind()), (2, 1, false));
        let listed = draft::list(&w.kurso, &w.editor, w.course).await.unwrap();
        assert_eq!(listed.iter().map(|draft| draft.page_id).collect::<Vec<_>>(), [w.page]);
        assert_eq!(w.numbers(w.page).await, [(2, false), (1, true)]);
        // A field that is left out is that of the draft.
        let saved = w.save(w.page, None, json!({"draft": true, "content": document("b")})).await.unwrap();
        assert_eq!((saved.version, saved.title.as_deref()), (3, Some("Новое")));
        for nothing in [json!({"draft": true, "content": document("b")}), json!({"draft": true})] {
            let same = w.save(w.page, None, nothing).await.unwrap();
            assert_eq!((same.version, same.is_draft), (3, true));
        }
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn a_draft_equal_to_the_published_text_is_deleted(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let page = w.stored(w.page).await;
        w.save(w.page, None, json!({"draft": true, "title": "x"})).await.unwrap();
        let undone = w.save(w.page, None, json!({"draft": true, "title": page.title})).await.unwrap();
        assert_eq!((undone.is_draft, undone.version), (false, 1));
        assert!(w.draft(w.page).await.is_none());
        let saved = w.save(w.page, None, json!({"title": "y"})).await.unwrap();
        assert_eq!(saved.version, 3, "the number of a text is never given again");
        assert_eq!(w.numbers(w.page).await, [(3, true), (2, false), (1, true)]);
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn a_stale_save_of_a_draft_conflicts_with_the_draft(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.save(w.page, Some("a"), json!({"draft": true, "title": "x", "version": 1})).await.unwrap();
        let stored = conflict(w.save(w.page, Some("b"), json!({"draft": true, "title": "y", "version": 1})).await);
        assert_eq!((stored.version, stored.is_draft, stored.title.as_deref()), (2, true, Some("x")));
        // The open editor that wrote the draft never conflicts with itself.
        let own = w.save(w.page, Some("a"), json!({"draft": true, "title": "z", "version": 1})).await.unwrap();
        assert_eq!(own.version, 3);
        assert_eq!(w.numbers(w.page).await, [(3, false), (1, true)], "it shares its entry of the history");
        // A direct save compares with what learners read.
        let direct = w.save(w.page, None, json!({"title": "direct", "version": 1})).await.unwrap();
        assert_eq!((direct.version, direct.is_draft), (4, false));
        let draft = w.draft(w.page).await.unwrap().summary;
        assert_eq!((draft.version, draft.is_behind()), (3, true));
        // A merge with the page ends that, also if it changes no text.
        let merged = json!({"draft": true, "title": "z", "version": 3, "base_version": 4});
        w.save(w.page, None, merged).await.unwrap();
        let draft = w.draft(w.page).await.unwrap().summary;
        assert_eq!((draft.version, draft.base_version, draft.is_behind()), (5, 4, false));
    }

    async fn a_direct_rename_renames_the_draft(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.save(w.page, None, json!({"draft": true, "content": document("a")})).await.unwrap();
        w.save(w.page, None, json!({"title": "Renamed"})).await.unwrap();
        let draft = w.draft(w.page).await.unwrap();
        assert_eq!((draft.summary.title.as_deref(), draft.summary.is_behind()), (Some("Renamed"), false));
        assert!(draft.content.contains("\"a\""));
        assert_eq!(w.numbers(w.page).await, [(4, false), (3, true), (2, false), (1, true)]);
        // A draft with a title of its own keeps it.
        w.save(w.page, None, json!({"draft": true, "title": "Own"})).await.unwrap();
        w.save(w.page, None, json!({"title": "Renamed again"})).await.unwrap();
        let draft = w.draft(w.page).await.unwrap().summary;
        assert_eq!((draft.title.as_deref(), draft.is_behind()), (Some("Own"), true));
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn a_draft_has_only_text(kurso: TestKurso) {
        let w = World::new(kurso).await;
        for other in [json!({"published": true}), json!({"position": 0}), json!({"due_at": "2027-01-01"})] {
            let mut body = json!({"draft": true, "title": "x"});
            body.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
            let refused = w.save(w.page, None, body).await;
            assert!(matches!(refused, Err(UpdateError::Refused(Error::Invalid(_)))), "{refused:?}");
        }
    }

    async fn an_unpublished_page_is_changed_itself(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.save(w.page, None, json!({"published": false})).await.unwrap();
        let (_, changed_at) = w.course_row().await;
        w.kurso.clock.advance(Duration::minutes(1));
        let saved = w.save(w.page, None, json!({"draft": true, "title": "x", "version": 1})).await.unwrap();
        assert_eq!((saved.is_draft, saved.version), (false, 2));
        assert!(w.draft(w.page).await.is_none());
        assert_ne!(w.course_row().await.1, changed_at);
        w.kurso.clock.advance(Duration::minutes(1));
        w.save(w.page, None, json!({"published": true})).await.unwrap();
        let history = w.history(w.page).await;
        assert_eq!((history[0].version, history[0].published_at), (2, Some(w.kurso.clock.now())));
    }

    async fn discarding_keeps_the_texts_in_the_history(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.save(w.page, None, json!({"draft": true, "title": "a"})).await.unwrap();
        let stored = conflict(draft::discard(&w.kurso, &w.editor, w.page, 1).await);
        assert_eq!((stored.version, stored.is_draft), (2, true));
        let page = draft::discard(&w.kurso, &w.editor, w.page, 2).await.unwrap();
        assert_eq!((page.version, page.is_draft), (1, false));
        let again = draft::discard(&w.kurso, &w.editor, w.page, 2).await;
        assert!(matches!(again, Err(UpdateError::Refused(Error::NotFound(Message::PageDraftNotFound)))));
        assert_eq!(w.numbers(w.page).await, [(2, false), (1, true)]);
        let restored = versions::restore(&w.kurso, &w.owner, w.page, 2, true).await.unwrap();
        assert_eq!((restored.version, restored.is_draft, restored.title.as_deref()), (3, true, Some("a")));
        // Restoring the published text into the draft ends it.
        let restored = versions::restore(&w.kurso, &w.owner, w.page, 1, true).await.unwrap();
        assert_eq!((restored.version, restored.is_draft), (1, false));
        let direct = versions::restore(&w.kurso, &w.owner, w.page, 2, false).await.unwrap();
        assert_eq!((direct.version, direct.is_draft, direct.title.as_deref()), (4, false, Some("a")));
    }

    async fn unpublishing_makes_the_draft_the_text(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.save(w.page, None, json!({"draft": true, "title": "a", "content": document("draft")})).await.unwrap();
        let page = w.save(w.page, None, json!({"published": false, "title": "b"})).await.unwrap();
        assert_eq!((page.published, page.title.as_deref(), page.version), (false, Some("b"), 3));
        assert!(page.content.contains("draft"));
        assert!(w.draft(w.page).await.is_none());
        assert_eq!(w.numbers(w.page).await, [(3, false), (2, false), (1, true)]);
        // An incomplete quiz is not in the way.
        w.save(w.quiz, None, json!({"draft": true, "quiz": incomplete_quiz()})).await.unwrap();
        assert_eq!(w.save(w.quiz, None, json!({"published": false})).await.unwrap().version, 2);
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn the_history_keeps_the_base_of_a_draft_and_its_files(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let base = w.kurso.file(w.owner.id(), "base.png", "image/png", "1").await;
        let drawn = w.kurso.file(w.owner.id(), "draft.png", "image/png", "2").await;
        w.save(w.page, None, json!({"content": picture(&base.url())})).await.unwrap();
        w.save(w.page, None, json!({"draft": true, "content": picture(&drawn.url())})).await.unwrap();
        assert_eq!(w.kept_files().await, 2);
        for number in 0..60 {
            let body = json!({"title": format!("{number}"), "content": document("x")});
            w.save(w.page, None, body).await.unwrap();
        }
        let numbers: Vec<_> = w.history(w.page).await.iter().map(|version| version.version).collect();
        assert_eq!((numbers.len(), &numbers[50..]), (52, &[3, 2][..]));
        assert_eq!(w.kept_files().await, 2);
        assert_eq!(w.problems().await, [""; 0]);
        draft::discard(&w.kurso, &w.owner, w.page, 3).await.unwrap();
        w.save(w.page, None, json!({"title": "last"})).await.unwrap();
        assert_eq!((w.history(w.page).await.len(), w.kept_files().await), (50, 0));
        // A text that its editor replaced at once no longer keeps its file.
        w.save(w.page, Some("tab"), json!({"draft": true, "content": picture(&drawn.url())})).await.unwrap();
        assert_eq!(w.kept_files().await, 1);
        w.save(w.page, Some("tab"), json!({"draft": true, "content": document("y")})).await.unwrap();
        assert_eq!(w.kept_files().await, 0);
    }

    async fn staff_without_the_right_to_edit_see_no_draft(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let (teacher, admin) = (w.kurso.person("teacher").await, w.kurso.superuser("admin").await);
        let stranger = w.kurso.person("stranger").await;
        w.kurso.collaborator(w.course, &teacher, "teacher").await;
        w.save(w.page, None, json!({"draft": true, "title": "secret"})).await.unwrap();
        for viewer in [&teacher, &admin] {
            assert!(matches!(draft::get(&w.kurso, viewer, w.page).await, Err(Error::Forbidden(_))));
            assert!(matches!(draft::list(&w.kurso, viewer, w.course).await, Err(Error::Forbidden(_))));
            let history = versions::list(&w.kurso, viewer, w.page).await.unwrap();
            assert_eq!((history.count, history.data[0].version), (1, 1));
            let text = versions::get(&w.kurso, viewer, w.page, 2).await;
            assert!(matches!(text, Err(Error::NotFound(Message::VersionNotFound))));
        }
        assert!(matches!(draft::get(&w.kurso, &stranger, w.page).await, Err(Error::NotFound(_))));
        assert_eq!(versions::get(&w.kurso, &w.editor, w.page, 2).await.unwrap().title.as_deref(), Some("secret"));
        w.publish(&[(w.page, 2, 1)]).await.unwrap();
        assert_eq!(versions::get(&w.kurso, &teacher, w.page, 2).await.unwrap().title.as_deref(), Some("secret"));
    }
}
