//! Snapshots of courses on both databases: what they keep, when they are taken by themselves, and what restoring one brings back.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod automatic;
mod compared;
mod restored;

use kurso_base::error::Error;
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId, SnapshotId};
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Viewer};
use kurso_core::audit::{self, Filter};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, duplicate, page};
use kurso_core::files::cleanup;
use kurso_core::learning::view::CourseView;
use kurso_core::snapshots::{self, Changes, MAX_NAMED, Restored, Snapshot, SnapshotReason};
use kurso_core::testing::{TestKurso, command};
use kurso_core::{both, users};
use kurso_db::sql;
use serde_json::{Value, json};

/// A course with two modules of two lessons, of two pages each, the second of which is a quiz.
pub struct World {
    pub kurso: TestKurso,
    pub owner: Viewer,
    pub course: CourseId,
}

impl World {
    pub async fn new(kurso: TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let pages: &[_] = &[Content, Quiz];
        let course = kurso.course(&owner, &[&[pages, pages], &[pages, pages]]).await;
        let world = World { kurso, owner, course };
        for page in world.pages().await.into_iter().skip(1).step_by(2) {
            world.kurso.set_quiz(page, &numeric(4)).await;
        }
        world
    }

    pub async fn view(&self) -> CourseView {
        CourseView::load(&self.kurso, &self.owner, self.course, Right::Read)
            .await
            .unwrap()
    }

    pub async fn modules(&self) -> Vec<ModuleId> {
        self.view().await.tree.modules.iter().map(|module| module.id).collect()
    }

    pub async fn lessons(&self) -> Vec<LessonId> {
        self.view().await.tree.lessons.iter().map(|lesson| lesson.id).collect()
    }

    pub async fn pages(&self) -> Vec<PageId> {
        self.view().await.tree.pages.iter().map(|page| page.id).collect()
    }

    pub async fn take(&self, name: &str) -> SnapshotId {
        let taken = snapshots::take(&self.kurso, &self.owner, self.course, command(json!({"name": name})));
        taken.await.unwrap().id
    }

    pub async fn list(&self) -> Vec<Snapshot> {
        snapshots::of_course(&self.kurso, &self.owner, self.course)
            .await
            .unwrap()
    }

    pub async fn changes(&self, id: SnapshotId, since: Option<SnapshotId>) -> Changes {
        let content = snapshots::content(&self.kurso, &self.owner, id).await.unwrap();
        Changes::to(&self.kurso, &self.owner, &content, since).await.unwrap()
    }

    pub async fn restore(&self, id: SnapshotId) -> Restored {
        let digest = self.changes(id, None).await.digest.unwrap();
        snapshots::restore(&self.kurso, &self.owner, id, &digest).await.unwrap()
    }

    pub async fn save(&self, page: PageId, body: Value) {
        page::update(&self.kurso, &self.owner, page, None, command(body))
            .await
            .unwrap();
    }
}

pub fn numeric(value: i64) -> Value {
    json!({"questions": [{"type": "numeric", "prompt": "2 + 2?", "value": value}]})
}

pub fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

both! {
    async fn a_snapshot_shows_the_course_as_it_was(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let pages = w.pages().await;
        w.save(pages[2], json!({"draft": true, "title": "Потом", "content": document("потом")})).await;
        let id = w.take("До правок").await;
        let taken = w.list().await.remove(0);
        assert_eq!((taken.id, taken.name.as_deref(), taken.reason, taken.expires_at), (id, Some("До правок"), SnapshotReason::Named, None));
        assert_eq!((taken.module_count, taken.lesson_count, taken.page_count), (2, 4, 8));
        assert_eq!((taken.taken_by.unwrap().id, taken.taken_at), (w.owner.id(), w.kurso.clock.now()));
        assert!(taken.size > 0);

        w.save(pages[0], json!({"title": "Другая", "content": document("другое")})).await;
        w.save(pages[1], json!({"quiz": numeric(5)})).await;
        page::delete(&w.kurso, &w.owner, pages[2]).await.unwrap();
        let content = snapshots::content(&w.kurso, &w.owner, id).await.unwrap();
        assert_eq!(content.title, "Курс");
        let lines: Vec<_> = content.modules.iter().flat_map(|module| &module.lessons).flat_map(|lesson| &lesson.pages).collect();
        assert_eq!(lines.iter().map(|page| page.id).collect::<Vec<_>>(), pages);
        assert_eq!(lines.iter().map(|page| page.has_draft).collect::<Vec<_>>(), [false, false, true, false, false, false, false, false]);
        let page = |id| snapshots::page(&w.kurso, &content, id);
        let text = page(pages[0]).await.unwrap().unwrap();
        assert!(text.content.contains("Page 0") && text.line.title.is_none() && text.quiz.is_none() && text.draft.is_none());
        let quiz: Value = serde_json::from_str(&page(pages[1]).await.unwrap().unwrap().quiz.unwrap()).unwrap();
        assert_eq!(quiz["questions"][0]["value"], json!(4));
        let draft = page(pages[2]).await.unwrap().unwrap().draft.unwrap();
        assert_eq!(draft.title.as_deref(), Some("Потом"));
        assert!(draft.content.contains("потом"));
        assert_eq!(page(PageId::new()).await.unwrap(), None);
    }

    async fn snapshots_are_named_and_deleted(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let (first, second) = (w.take("Первый").await, w.take("Второй").await);
        assert_eq!(w.list().await.iter().map(|one| one.id).collect::<Vec<_>>(), [second, first]);
        let renamed = snapshots::rename(&w.kurso, &w.owner, first, command(json!({"name": "Иной"}))).await.unwrap();
        assert_eq!(renamed.name.as_deref(), Some("Иной"));
        snapshots::delete(&w.kurso, &w.owner, second).await.unwrap();
        assert_eq!(w.list().await.len(), 1);
        let gone = snapshots::delete(&w.kurso, &w.owner, second).await;
        assert!(matches!(gone, Err(Error::NotFound(Message::SnapshotNotFound))), "{gone:?}");
        for n in 1..MAX_NAMED {
            w.take(&n.to_string()).await;
        }
        let full = snapshots::take(&w.kurso, &w.owner, w.course, command(json!({"name": "x"}))).await;
        assert!(matches!(full, Err(Error::Conflict(Message::TooManySnapshots(50)))), "{full:?}");
        // A named one may be renamed still, and an automatic one may not be named.
        snapshots::rename(&w.kurso, &w.owner, first, command(json!({"name": "x"}))).await.unwrap();
        let automatic = w.automatic().await;
        let full = snapshots::rename(&w.kurso, &w.owner, automatic, command(json!({"name": "x"}))).await;
        assert!(matches!(full, Err(Error::Conflict(Message::TooManySnapshots(50)))), "{full:?}");
        let acts = audit::list(&w.kurso, &w.kurso.superuser("head").await, &Filter::default(), Page { limit: 200, ..Page::default() }).await.unwrap();
        let named = |name: &str| acts.data.iter().filter(|entry| entry.act.name() == name).count();
        assert_eq!((named("snapshot_taken"), named("snapshot_deleted")), (51, 1));
    }

    async fn only_those_who_edit_the_course_see_its_snapshots(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let id = w.take("x").await;
        let (teacher, editor, stranger) = (w.kurso.person("teacher").await, w.kurso.person("editor").await, w.kurso.person("stranger").await);
        w.kurso.collaborator(w.course, &teacher, "teacher").await;
        w.kurso.collaborator(w.course, &editor, "editor").await;
        assert!(matches!(snapshots::content(&w.kurso, &teacher, id).await, Err(Error::Forbidden(_))));
        assert!(matches!(snapshots::content(&w.kurso, &stranger, id).await, Err(Error::NotFound(Message::SnapshotNotFound))));
        let content = snapshots::content(&w.kurso, &editor, id).await.unwrap();
        // Snapshots of other courses are not compared.
        let other = w.kurso.course(&editor, &[&[&[Content]]]).await;
        let other = snapshots::take(&w.kurso, &editor, other, command(json!({"name": "x"}))).await.unwrap().id;
        let refused = Changes::to(&w.kurso, &editor, &content, Some(other)).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::SnapshotNotFound))), "{refused:?}");
    }

    async fn a_snapshot_keeps_its_files_and_goes_with_its_course(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let page = w.pages().await[0];
        let (file, other) = (w.kurso.file(w.owner.id(), "a.png", "image/png", "a").await, w.kurso.file(w.owner.id(), "b.png", "image/png", "b").await);
        let shown = json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": file.url(), "alt": "a"}}]});
        w.save(page, json!({"content": shown})).await;
        sql!("UPDATE modules SET avatar_file_id = $2 WHERE course_id = $1 AND position = 0", w.course, other.id).execute(&w.kurso.db).await.unwrap();
        let id = w.take("x").await;
        // Neither the page nor the trash has them any more.
        sql!("DELETE FROM pages WHERE id = $1", page).execute(&w.kurso.db).await.unwrap();
        sql!("UPDATE modules SET avatar_file_id = NULL").execute(&w.kurso.db).await.unwrap();
        let clean = async || {
            cleanup::delete_unused(&w.kurso).await.unwrap();
            w.kurso.clock.advance(w.kurso.uploads.limits.grace);
            cleanup::delete_unused(&w.kurso).await.unwrap()
        };
        assert_eq!(clean().await, 0);

        let copy = duplicate::course(&w.kurso, &w.owner, w.course, Default::default()).await.unwrap().id;
        assert_eq!(snapshots::of_course(&w.kurso, &w.owner, copy).await.unwrap(), [], "a copy has no snapshots");
        course::delete(&w.kurso, &w.owner, w.course).await.unwrap();
        assert_eq!(clean().await, 0, "the trash keeps them");
        let entry = kurso_core::trash::deleted_courses(&w.kurso, &w.owner).await.unwrap().remove(0).id;
        kurso_core::trash::restore(&w.kurso, &w.owner, entry, Default::default()).await.unwrap();
        assert_eq!(w.list().await[0].id, id);
        w.restore(id).await;
        assert_eq!(clean().await, 0);
        let module = courses::module::get(&w.kurso, &w.owner, w.modules().await[0]).await.unwrap();
        assert!(module.avatar_url.is_some());
        for snapshot in w.list().await {
            snapshots::delete(&w.kurso, &w.owner, snapshot.id).await.unwrap();
        }
        page::delete(&w.kurso, &w.owner, page).await.unwrap();
        sql!("UPDATE modules SET avatar_file_id = NULL").execute(&w.kurso.db).await.unwrap();
        sql!("DELETE FROM trash_entries").execute(&w.kurso.db).await.unwrap();
        assert_eq!(clean().await, 2);
    }

    async fn a_deleted_account_leaves_its_snapshots_nameless(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let editor = w.kurso.person("editor").await;
        w.kurso.collaborator(w.course, &editor, "editor").await;
        snapshots::take(&w.kurso, &editor, w.course, command(json!({"name": "x"}))).await.unwrap();
        let head = w.kurso.superuser("head").await;
        users::delete(&w.kurso, &head, editor.id()).await.unwrap();
        assert_eq!(w.list().await[0].taken_by, None);
    }
}
