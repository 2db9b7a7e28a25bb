//! Saving pages on both databases: versions, open editors, conflicts, history.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_base::values::EditorSession;
use kurso_core::access::{Right, Viewer};
use kurso_core::both;
use kurso_core::courses::page::versions::{self, Version};
use kurso_core::courses::page::{self, PageRead, UpdateError};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::quiz;
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

    async fn save(&self, who: &Viewer, session: Option<&str>, body: Value) -> Result<PageRead, UpdateError> {
        let session = session.map(|name| EditorSession::parse(name).unwrap());
        page::update(&self.kurso, who, self.page, session, command(&body)).await
    }

    async fn history(&self) -> Vec<Version> {
        let listed = versions::list(&self.kurso, &self.owner, self.page).await.unwrap();
        assert_eq!(listed.count, listed.data.len() as i64);
        listed.data
    }

    async fn titles(&self) -> Vec<(i64, Option<String>)> {
        self.history().await.into_iter().map(|v| (v.version, v.title)).collect()
    }

    async fn stored(&self) -> PageRead {
        page::get(&self.kurso, &self.owner, self.page).await.unwrap()
    }

    async fn structure_version(&self) -> i64 {
        sql!("SELECT structure_version FROM courses WHERE id = $1", self.course)
            .fetch_one::<(i64,)>(&self.kurso.db)
            .await
            .unwrap()
            .0
    }

    async fn kept_files(&self) -> i64 {
        sql!("SELECT COUNT(*) FROM page_files WHERE page_id = $1", self.page)
            .fetch_one::<(i64,)>(&self.kurso.db)
            .await
            .unwrap()
            .0
    }
}

fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

fn conflict(result: Result<PageRead, UpdateError>) -> PageRead {
    match result {
        Err(UpdateError::Conflict(page)) => *page,
        other => panic!("no conflict: {other:?}"),
    }
}

fn some(title: &str) -> Option<String> {
    Some(title.to_owned())
}

both! {
    async fn only_title_content_and_quiz_raise_the_version(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let save = |body| w.save(&w.owner, None, body);
        assert_eq!(save(json!({"title": "a"})).await.unwrap().version, 2);
        assert_eq!(save(json!({"content": document("b")})).await.unwrap().version, 3);
        // The same document with its fields in another order is no change.
        let same: Value = content::parse(r#"{"content":[{"content":[{"text":"b","type":"text"}],"type":"paragraph"}],"type":"doc"}"#).unwrap();
        w.kurso.clock.advance(Duration::minutes(1));
        let again = save(json!({"title": "a", "content": same})).await.unwrap();
        assert_eq!((again.version, w.history().await.len()), (3, 3));
        assert!(again.updated_at < w.kurso.clock.now());
        assert_eq!(save(json!({"published": false, "position": 1})).await.unwrap().version, 3);
        let hide = json!({"published": false});
        assert!(!page::update(&w.kurso, &w.owner, w.quiz, None, command(&hide)).await.unwrap().published);
        let publish = json!({"published": true});
        page::update(&w.kurso, &w.owner, w.quiz, None, command(json!({"published": false}))).await.unwrap();
        let incomplete = page::update(&w.kurso, &w.owner, w.quiz, None, command(&publish)).await;
        assert!(matches!(incomplete, Err(UpdateError::Refused(Error::Invalid(_)))), "{incomplete:?}");
        let question = json!({"type": "numeric", "prompt": "2 + 2?", "value": 4});
        let quiz = json!({"quiz": {"questions": [question], "pass_percent": 50}});
        let saved = page::update(&w.kurso, &w.owner, w.quiz, None, command(&quiz)).await.unwrap();
        let stored = quiz::Quiz::from_text(saved.quiz.as_deref().unwrap()).unwrap();
        assert_eq!((saved.version, stored.pass_percent, stored.questions.len()), (2, 50, 1));
        let same = json!({"quiz": stored.to_json().unwrap()});
        assert_eq!(page::update(&w.kurso, &w.owner, w.quiz, None, command(&same)).await.unwrap().version, 2);
        let published = page::update(&w.kurso, &w.owner, w.quiz, None, command(&publish)).await.unwrap();
        assert!(published.published && published.version == 2);
        // A published page must not have an empty quiz; an unpublished one may.
        for empty in [json!({"quiz": null}), json!({"quiz": {"questions": []}})] {
            let refused = page::update(&w.kurso, &w.owner, w.quiz, None, command(&empty)).await;
            assert!(matches!(refused, Err(UpdateError::Refused(Error::Invalid(_)))), "{refused:?}");
        }
        let emptied = json!({"quiz": null, "published": false});
        let emptied = page::update(&w.kurso, &w.owner, w.quiz, None, command(&emptied)).await.unwrap();
        assert_eq!(emptied.quiz, Some(quiz::Quiz::default().to_text().unwrap()));
    }

    async fn only_changes_that_the_tree_shows_raise_the_structure_version(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let mut last = w.structure_version().await;
        for (body, raises) in [
            (json!({"content": document("a")}), false), (json!({"title": "a", "content": document("b")}), true),
            (json!({"title": "a"}), false), (json!({"published": false}), true), (json!({"published": false}), false),
            (json!({"position": 1}), true), (json!({"position": 1}), false),
        ] {
            w.save(&w.owner, Some("tab"), body.clone()).await.unwrap();
            let now = w.structure_version().await;
            assert_eq!(now > last, raises, "{body}");
            last = now;
        }
    }

    async fn a_stale_save_is_refused_with_the_stored_page(kurso: TestKurso) {
        let w = World::new(kurso).await;
        assert_eq!(w.save(&w.owner, Some("a"), json!({"title": "1", "version": 1})).await.unwrap().version, 2);
        let stored = conflict(w.save(&w.editor, Some("b"), json!({"title": "2", "version": 1})).await);
        assert_eq!((stored.version, stored.title.as_deref(), stored.id), (2, Some("1"), w.page));
        assert_eq!(w.stored().await.title.as_deref(), Some("1"));
        // A session name belongs to one person, and a save without a session never matches.
        conflict(w.save(&w.editor, Some("a"), json!({"title": "2", "version": 1})).await);
        conflict(w.save(&w.owner, Some("b"), json!({"content": document("2"), "version": 1})).await);
        conflict(w.save(&w.owner, None, json!({"title": "2", "version": 1})).await);
        conflict(w.save(&w.owner, Some("b"), json!({"title": "2", "version": 3})).await);
        // The editor that saved the stored version may name an older one.
        assert_eq!(w.save(&w.owner, Some("a"), json!({"title": "3", "version": 1})).await.unwrap().version, 3);
        assert_eq!(w.save(&w.editor, Some("b"), json!({"title": "4", "version": 3})).await.unwrap().version, 4);
        conflict(w.save(&w.owner, Some("a"), json!({"title": "5", "version": 3})).await);
        // Without a version a save never conflicts, and the replaced text stays in the history.
        assert_eq!(w.save(&w.owner, Some("a"), json!({"title": "5"})).await.unwrap().version, 5);
        let titles: Vec<_> = w.titles().await;
        assert_eq!(titles, [(5, some("5")), (4, some("4")), (3, some("3")), (1, None)]);
        // A stale save conflicts even if its text equals the stored one, so that the editor learns who wrote it.
        conflict(w.save(&w.editor, Some("b"), json!({"title": "5", "version": 4})).await);
    }

    async fn of_concurrent_saves_of_one_version_one_succeeds(kurso: TestKurso) {
        let w = World::new(kurso).await;
        for round in 0..5 {
            let version = w.stored().await.version;
            let saves = ["a", "b", "c", "d"].map(|session| {
                let title = format!("{session}{round}");
                w.save(&w.owner, Some(session), json!({"title": title, "content": document(&title), "version": version}))
            });
            let results = futures_util::future::join_all(saves).await;
            let won: Vec<_> = results.iter().filter_map(|result| result.as_ref().ok()).collect();
            assert_eq!(won.len(), 1);
            let stored = w.stored().await;
            assert_eq!((stored.version, &stored.title), (version + 1, &won[0].title));
            for lost in results.into_iter().filter(Result::is_err) {
                assert_eq!(conflict(lost).version, stored.version);
            }
        }
        let blind = ["a", "b", "c"].map(|session| w.save(&w.owner, Some(session), json!({"title": session})));
        let versions = futures_util::future::join_all(blind).await.into_iter().map(|saved| saved.unwrap().version);
        let mut versions: Vec<_> = versions.collect();
        versions.sort_unstable();
        assert_eq!(versions, [7, 8, 9], "no save is lost");
    }

    async fn saves_of_one_editor_share_an_entry_for_ten_minutes(kurso: TestKurso) {
        let w = World::new(kurso).await;
        assert_eq!(w.titles().await, [(1, None)], "the history of a new page has its first text");
        let started = w.kurso.clock.now();
        for (minutes, title) in [(0, "a"), (4, "b"), (5, "c")] {
            w.kurso.clock.advance(Duration::minutes(minutes));
            w.save(&w.owner, Some("tab"), json!({"title": title})).await.unwrap();
        }
        let history = w.history().await;
        assert_eq!(history.iter().map(|v| v.version).collect::<Vec<_>>(), [4, 1]);
        assert_eq!((history[0].started_at, history[0].saved_at), (started, w.kurso.clock.now()));
        assert_eq!((history[0].editor_id, history[0].editor_full_name.as_deref()), (Some(w.owner.id()), Some("owner")));
        // Ten minutes after the first save of an entry, the next save starts another one.
        w.kurso.clock.advance(Duration::minutes(1));
        w.save(&w.owner, Some("tab"), json!({"title": "d"})).await.unwrap();
        w.save(&w.owner, Some("other"), json!({"title": "e"})).await.unwrap();
        w.save(&w.owner, None, json!({"title": "f"})).await.unwrap();
        w.save(&w.owner, None, json!({"title": "g"})).await.unwrap();
        w.save(&w.editor, Some("other"), json!({"title": "h"})).await.unwrap();
        w.save(&w.owner, Some("other"), json!({"title": "i"})).await.unwrap();
        let titles: Vec<_> = w.titles().await.into_iter().map(|(_, title)| title.unwrap_or_default()).collect();
        assert_eq!(titles, ["i", "h", "g", "f", "e", "d", "c", ""]);
    }

    async fn the_last_fifty_entries_are_kept(kurso: TestKurso) {
        let w = World::new(kurso).await;
        for n in 0..60 {
            w.save(&w.owner, None, json!({"title": n.to_string()})).await.unwrap();
        }
        let versions: Vec<_> = w.history().await.into_iter().map(|v| v.version).collect();
        assert_eq!(versions, (12..=61).rev().collect::<Vec<_>>());
        let gone = versions::restore(&w.kurso, &w.owner, w.page, 11, false).await;
        assert!(matches!(gone, Err(Error::NotFound(Message::VersionNotFound))));
    }

    async fn restoring_creates_a_new_version(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let first = w.stored().await;
        w.save(&w.owner, Some("tab"), json!({"title": "a", "content": document("a")})).await.unwrap();
        w.save(&w.editor, Some("tab"), json!({"title": "b", "content": document("b")})).await.unwrap();
        let structure = w.structure_version().await;
        let restored = versions::restore(&w.kurso, &w.editor, w.page, 2, false).await.unwrap();
        assert_eq!((restored.version, restored.title.as_deref()), (4, Some("a")));
        assert_eq!(content::parse(&restored.content).unwrap(), document("a"));
        assert!(w.structure_version().await > structure, "the title is in the tree");
        assert_eq!(w.titles().await, [(4, some("a")), (3, some("b")), (2, some("a")), (1, None)]);
        // A restored version was saved by no open editor, so every stale save conflicts with it.
        conflict(w.save(&w.editor, Some("tab"), json!({"title": "c", "version": 3})).await);
        let restored = versions::restore(&w.kurso, &w.owner, w.page, 1, false).await.unwrap();
        assert_eq!((restored.version, &restored.title, &restored.content), (5, &first.title, &first.content));
        for same in [5, 1] {
            assert_eq!(versions::restore(&w.kurso, &w.owner, w.page, same, false).await.unwrap().version, 5);
        }
        assert_eq!(w.history().await.len(), 5);
        assert!(matches!(versions::restore(&w.kurso, &w.owner, w.page, 99, false).await, Err(Error::NotFound(Message::VersionNotFound))));
    }

    async fn files_are_kept_while_the_history_shows_them(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let mut shown = Vec::new();
        for _ in 0..2 {
            let file = w.kurso.file(w.owner.id(), "a.png", "image/png", &b"a"[..]).await;
            shown.push(json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": file.url()}}]}));
        }
        w.save(&w.owner, Some("tab"), json!({"content": shown[0]})).await.unwrap();
        assert_eq!(w.kept_files().await, 1);
        // A file that was added and removed within one entry is released.
        w.save(&w.owner, Some("tab"), json!({"content": shown[1]})).await.unwrap();
        assert_eq!(w.kept_files().await, 1);
        // An entry that shows a file keeps it until the entry is deleted.
        w.save(&w.owner, None, json!({"content": document("0")})).await.unwrap();
        assert_eq!(w.kept_files().await, 1);
        for n in 1..49 {
            w.save(&w.owner, None, json!({"content": document(&n.to_string())})).await.unwrap();
        }
        assert_eq!(w.kept_files().await, 1);
        w.save(&w.owner, None, json!({"content": document("49")})).await.unwrap();
        assert_eq!(w.kept_files().await, 0);
    }
}
