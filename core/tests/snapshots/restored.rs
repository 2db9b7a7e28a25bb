//! What restoring a snapshot brings back, and when it is refused.

use kurso_base::error::Error;
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_core::both;
use kurso_core::check::{self, Depth};
use kurso_core::courses::{course, lesson, module, page};
use kurso_core::drafts::{self, Stored};
use kurso_core::learning::mark_page_visited;
use kurso_core::snapshots::{self, Changes, SnapshotReason};
use kurso_core::testing::command;
use kurso_db::sql;
use kurso_formats::CourseDraft;
use serde_json::json;

use super::{World, document, numeric};
use crate::trash::world::{self, dump};

impl World {
    /// The course with and without its drafts.
    async fn drafts(&self) -> [CourseDraft; 2] {
        let load = |drafts| {
            let stored = Stored {
                course: self.course,
                drafts,
            };
            drafts::load_without_bytes(&self.kurso, stored, self.owner.id())
        };
        [load(false).await.unwrap(), load(true).await.unwrap()]
    }

    async fn assert_consistent(&self) {
        let report = check::check(&self.kurso, Depth::default()).await.unwrap();
        assert_eq!(report.findings, []);
    }
}

/// Tables that a change of the course and its restoring add to.
const ADDED_TO: [&str; 8] = [
    "course_snapshots",
    "snapshot_texts",
    "snapshot_files",
    "trash_entries",
    "trash_rows",
    "trash_files",
    "search_documents",
    "prerequisites", // they have new ids
];

both! {
    async fn everything_returns_to_what_it_was(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let (modules, lessons, pages) = (w.modules().await, w.lessons().await, w.pages().await);
        w.save(pages[2], json!({"draft": true, "content": document("черновик"), "title": "Ч"})).await;
        w.save(pages[3], json!({"draft": true, "quiz": numeric(7)})).await;
        lesson::update(&w.kurso, &w.owner, lessons[3], command(json!({"prerequisites": [lessons[0]]}))).await.unwrap();
        let before = w.drafts().await;
        let id = w.take("x").await;

        course::update(&w.kurso, &w.owner, w.course, command(json!({"title": "Т", "description": "О", "time_zone": "Europe/Berlin", "hide_locked_titles": true}))).await.unwrap();
        lesson::update(&w.kurso, &w.owner, lessons[3], command(json!({"prerequisites": []}))).await.unwrap();
        module::update(&w.kurso, &w.owner, modules[0], command(json!({"position": 1, "title": "М", "due_at": "2027-01-01"}))).await.unwrap();
        lesson::update(&w.kurso, &w.owner, lessons[0], command(json!({"module_id": modules[1], "title": "У"}))).await.unwrap();
        w.save(pages[0], json!({"content": document("другое"), "title": "Имя", "published": false})).await;
        w.save(pages[1], json!({"quiz": numeric(5), "due_at": "2027-01-01", "late_until": "2027-02-01"})).await;
        page::draft::discard(&w.kurso, &w.owner, pages[2], 2).await.unwrap();
        w.save(pages[3], json!({"draft": true, "quiz": numeric(8)})).await;
        w.save(pages[4], json!({"draft": true, "content": document("лишний")})).await;
        page::delete(&w.kurso, &w.owner, pages[5]).await.unwrap();
        lesson::delete(&w.kurso, &w.owner, lessons[3]).await.unwrap();
        let new = lesson::create(&w.kurso, &w.owner, modules[1], command(json!({"title": "Новый"}))).await.unwrap().id;
        w.save(pages[2], json!({"lesson_id": new, "position": 0})).await;
        let changed = w.drafts().await;

        let restored = w.restore(id).await;
        assert_eq!(w.drafts().await, before);
        assert_eq!((restored.before.reason, restored.unpublished.len()), (SnapshotReason::BeforeRestore, 0));
        assert!(w.changes(id, None).await.changed.is_empty());
        w.assert_consistent().await;
        // Restoring the automatic snapshot undoes the restore.
        w.restore(restored.before.id).await;
        assert_eq!(w.drafts().await, changed);
        w.assert_consistent().await;
        w.restore(id).await;
        assert_eq!(w.drafts().await, before);
        w.assert_consistent().await;
    }

    async fn deleted_parts_return_with_everything_that_belonged_to_them(kurso: TestKurso) {
        let world = world::World::of(&kurso).await;
        let w = World { owner: world.owner.clone(), course: world.course, kurso };
        let id = w.take("x").await;
        let before = dump(&w.kurso.db).await;
        page::delete(&w.kurso, &w.owner, world.pages[world::QUIZ]).await.unwrap();
        lesson::delete(&w.kurso, &w.owner, world.lessons[1]).await.unwrap();
        module::delete(&w.kurso, &w.owner, world.modules[1]).await.unwrap();
        let new = module::create(&w.kurso, &w.owner, w.course, command(json!({"title": "Новый"}))).await.unwrap().id;
        let lesson = lesson::create(&w.kurso, &w.owner, new, command(json!({"title": "Новый"}))).await.unwrap().id;
        let made = page::create(&w.kurso, &w.owner, lesson, command(json!({"title": "Новая"}))).await.unwrap().id;
        // A page of the snapshot goes to the trash inside of a lesson that the snapshot does not have.
        w.save(world.pages[world::ASSIGNMENT], json!({"lesson_id": lesson})).await;
        lesson::delete(&w.kurso, &w.owner, lesson).await.unwrap();
        w.restore(id).await;
        let (mut before, mut after) = (before, dump(&w.kurso.db).await);
        for table in ADDED_TO {
            before.remove(table);
            after.remove(table);
        }
        world::assert_same("the course", &before, &after);
        let left: Vec<_> = world.entries(&w.kurso).await.into_iter().map(|entry| entry.title).collect();
        assert_eq!(left, [Some("Новый".to_owned())], "the new module with the new lesson and the new page");
        let entries = world.entries(&w.kurso).await;
        assert_eq!(entries[0].page_count, 1, "{made}");
    }

    async fn what_the_trash_does_not_have_returns_without_learners(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let before = w.drafts().await;
        let pages = w.pages().await;
        let id = w.take("x").await;
        for module in w.modules().await {
            module::delete(&w.kurso, &w.owner, module).await.unwrap();
        }
        sql!("DELETE FROM trash_entries").execute(&w.kurso.db).await.unwrap();
        w.restore(id).await;
        assert_eq!(w.drafts().await, before);
        w.assert_consistent().await;
        // A text of the same number is another one now.
        w.save(pages[0], json!({"content": document("другое")})).await;
        let second = w.take("y").await;
        sql!("DELETE FROM pages WHERE id = $1", pages[0]).execute(&w.kurso.db).await.unwrap();
        w.kurso.clock.advance(chrono::Duration::seconds(1));
        w.restore(id).await;
        w.save(pages[0], json!({"content": document("третье")})).await;
        let changes = w.changes(second, None).await;
        assert_eq!(changes.changed.iter().map(|change| change.id).collect::<Vec<_>>(), [pages[0].0]);
    }

    async fn a_course_that_changed_since_is_not_restored(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let pages = w.pages().await;
        let id = w.take("x").await;
        w.save(pages[0], json!({"title": "Имя"})).await;
        let digest = async || w.changes(id, None).await.digest.unwrap();
        let changes: [(&str, PageId, serde_json::Value); 3] = [
            ("a text", pages[0], json!({"content": document("другое")})),
            ("a draft", pages[2], json!({"draft": true, "content": document("другое")})),
            ("a date", pages[4], json!({"available_from": "2027-01-01"})),
        ];
        for (what, page, body) in changes {
            let shown = digest().await;
            w.save(page, body).await;
            let refused = snapshots::restore(&w.kurso, &w.owner, id, &shown).await;
            assert!(matches!(refused, Err(Error::Conflict(Message::SnapshotOutdated))), "{what}: {refused:?}");
        }
        assert_eq!(w.list().await.len(), 1, "nothing was done");
        // What learners do is no change.
        let shown = digest().await;
        let learner = w.kurso.person("learner").await;
        let code = kurso_core::courses::generate_share_code(&w.kurso, &w.owner, w.course).await.unwrap().share_code.unwrap();
        kurso_core::learning::enroll(&w.kurso, &learner, &Default::default(), &code).await.unwrap();
        mark_page_visited(&w.kurso, &learner, pages[6]).await.unwrap();
        snapshots::restore(&w.kurso, &w.owner, id, &shown).await.unwrap();
        let other = w.take("y").await;
        let refused = snapshots::restore(&w.kurso, &w.owner, other, &shown).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::SnapshotOutdated))), "{refused:?}");
    }

    async fn a_quiz_without_its_bank_is_restored_unpublished(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let bank = w.kurso.bank(&w.owner).await;
        w.kurso.bank_question(bank, &json!({"type": "numeric", "prompt": "2 + 2?", "value": 4}), &[]).await;
        let quiz = w.pages().await[1];
        w.save(quiz, json!({"quiz": {"questions": [{"type": "draw", "bank_id": bank, "count": 1, "points": 1}]}})).await;
        let id = w.take("x").await;
        w.save(quiz, json!({"quiz": numeric(4)})).await;
        kurso_core::banks::delete(&w.kurso, &w.owner, kurso_base::ids::BankId(bank)).await.unwrap();
        let restored = w.restore(id).await;
        assert_eq!(restored.unpublished, [quiz]);
        let content = snapshots::content(&w.kurso, &w.owner, id).await.unwrap();
        let left = Changes::to(&w.kurso, &w.owner, &content, None).await.unwrap();
        assert_eq!(left.changed.iter().map(|change| (change.id, change.fields.as_slice())).collect::<Vec<_>>(), [(quiz.0, &[snapshots::Field::Published][..])]);
    }
}
