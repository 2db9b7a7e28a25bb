//! What differs between a snapshot and the course, or two snapshots.

use kurso_core::both;
use kurso_core::courses::{course, lesson, module, page};
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::snapshots::{Field, Part, PartChange};
use kurso_core::testing::command;
use serde_json::json;
use uuid::Uuid;

use super::{World, document, numeric};

fn parts(changes: &[PartChange]) -> Vec<(Part, Uuid)> {
    changes.iter().map(|change| (change.part, change.id)).collect()
}

both! {
    async fn each_kind_of_change_is_named(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let (modules, lessons, pages) = (w.modules().await, w.lessons().await, w.pages().await);
        let id = w.take("x").await;
        let same = w.changes(id, None).await;
        assert_eq!((same.course, same.added.len(), same.removed.len(), same.changed.len(), same.moved.len()), (vec![], 0, 0, 0, 0));

        let settings = json!({"title": "Другой", "starts_at": "2027-01-01", "sequential": true});
        course::update(&w.kurso, &w.owner, w.course, command(settings)).await.unwrap();
        module::update(&w.kurso, &w.owner, modules[1], command(json!({"title": "М", "description": "О", "position": 0}))).await.unwrap();
        lesson::update(&w.kurso, &w.owner, lessons[0], command(json!({"due_at": "2027-02-02"}))).await.unwrap();
        w.save(pages[0], json!({"content": document("другое"), "title": "Имя"})).await;
        w.save(pages[1], json!({"quiz": numeric(5), "published": false})).await;
        w.save(pages[2], json!({"draft": true, "content": document("черновик")})).await;
        w.save(pages[3], json!({"lesson_id": lessons[3]})).await;
        page::delete(&w.kurso, &w.owner, pages[4]).await.unwrap();
        let new = page::create(&w.kurso, &w.owner, lessons[1], command(json!({"title": "Новая"}))).await.unwrap().id;
        let learner = w.kurso.person("learner").await;
        let code = kurso_core::courses::generate_share_code(&w.kurso, &w.owner, w.course).await.unwrap().share_code.unwrap();
        learning::enroll(&w.kurso, &learner, &Default::default(), &code).await.unwrap();
        w.save(new, json!({"published": true})).await;
        course::update(&w.kurso, &w.owner, w.course, command(json!({"starts_at": null, "sequential": false}))).await.unwrap();
        mark_page_visited(&w.kurso, &learner, new).await.unwrap();

        let changes = w.changes(id, None).await;
        assert_eq!(changes.course, [Field::Title]);
        assert_eq!(parts(&changes.added), [(Part::Page, pages[4].0)]);
        assert_eq!((changes.added[0].path.as_slice(), changes.added[0].number), (&["Модуль 2".to_owned(), "Урок 2.1".to_owned()][..], 1));
        assert_eq!(parts(&changes.removed), [(Part::Page, new.0)]);
        assert_eq!(changes.removed[0].title.as_deref(), Some("Новая"));
        assert_eq!(changes.learners_affected, 1);
        let changed: Vec<_> = changes.changed.iter().map(|change| (change.id, change.fields.clone())).collect();
        assert_eq!(changed, [
            (lessons[0].0, vec![Field::Dates]),
            (pages[0].0, vec![Field::Title, Field::Content]),
            (pages[1].0, vec![Field::Published, Field::Quiz]),
            (pages[2].0, vec![Field::Draft]),
            (modules[1].0, vec![Field::Title, Field::Description]),
        ]);
        let moved = parts(&changes.moved);
        assert!(moved.contains(&(Part::Page, pages[3].0)), "{moved:?}");
        assert_eq!(moved.iter().filter(|(part, _)| *part == Part::Module).count(), 1, "{moved:?}");
        assert_eq!(moved.len(), 2, "{moved:?}");

        // From the first snapshot to a second one, the same the other way round.
        let second = w.take("y").await;
        let later = w.changes(second, Some(id)).await;
        assert_eq!((later.digest, later.learners_affected), (None, 0));
        assert_eq!((parts(&later.added), parts(&later.removed)), (parts(&changes.removed), parts(&changes.added)));
        let mut fields: Vec<_> = later.changed.iter().map(|change| (change.id, change.fields.clone())).collect();
        let mut expected = changed;
        fields.sort_by_key(|(id, _)| *id);
        expected.sort_by_key(|(id, _)| *id);
        assert_eq!(fields, expected);
    }
}
