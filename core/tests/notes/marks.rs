//! Bookmarks and ticks.

use kurso_core::notes::Kept;

use super::*;

fn list(items: &[&str]) -> Value {
    let items: Vec<Value> = items
        .iter()
        .map(|words| json!({"type": "taskItem", "attrs": {"checked": false}, "content": [paragraph(words)]}))
        .collect();
    json!({"type": "taskList", "content": items})
}

impl World {
    async fn tick(&self, by: &Viewer, version: i64, task: usize, is_ticked: bool) -> Result<Kept, Error> {
        let tick = command(json!({"version": version, "task": task, "is_ticked": is_ticked}));
        notes::tick(&self.kurso, by, self.page, tick).await
    }

    async fn ticked(&self, of: &Viewer) -> Vec<usize> {
        let mut kept = notes::kept_of(&self.kurso, of.id(), &[self.page], false).await.unwrap();
        kept.remove(&self.page).unwrap_or_default().ticked
    }
}

both! {
    async fn ticks_are_remembered_for_each_reader(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.write(&[list(&["Read", "Write", "Read"])]).await;
        assert_eq!(world.tick(&world.anna, 3, 2, true).await.unwrap().ticked, [2]);
        assert_eq!(world.tick(&world.anna, 3, 1, true).await.unwrap().ticked, [1, 2]);
        assert_eq!(world.tick(&world.anna, 3, 1, true).await.unwrap().ticked, [1, 2]);
        assert_eq!(world.ticked(&world.boris).await, Vec::<usize>::new());
        assert_eq!(world.ticked(&world.owner).await, Vec::<usize>::new());
        // They follow their items, and those of changed items are gone.
        world.write(&[list(&["New", "Write", "Read it", "Read"])]).await;
        assert_eq!(world.ticked(&world.anna).await, [1]);
        world.write(&[list(&["Write"]), list(&["Read", "Read"])]).await;
        assert_eq!(world.ticked(&world.anna).await, [0, 2]);
        assert_eq!(world.tick(&world.anna, 5, 0, false).await.unwrap().ticked, [2]);
        let beyond = world.tick(&world.anna, 5, 3, true).await;
        assert!(matches!(beyond, Err(Error::Invalid(_))), "{beyond:?}");
        let old = world.tick(&world.anna, 4, 0, true).await;
        assert!(matches!(old, Err(Error::Conflict(Message::PageChanged))), "{old:?}");
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn bookmarks_are_listed_in_the_order_of_the_course(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let set = |page, is_bookmarked| {
            let set = command(json!({ "is_bookmarked": is_bookmarked }));
            notes::set_bookmark(&world.kurso, &world.anna, page, set)
        };
        assert!(set(world.other, true).await.unwrap().is_bookmarked);
        assert!(set(world.page, true).await.unwrap().is_bookmarked);
        assert!(set(world.page, true).await.unwrap().is_bookmarked);
        assert_eq!(world.in_course(&world.anna, NoteFilter::default()).await.unwrap().bookmarks, [0, 1]);
        assert_eq!(world.in_course(&world.boris, NoteFilter::default()).await.unwrap().bookmarks, Vec::<usize>::new());
        world.update(json!({"published": false})).await;
        assert_eq!(world.in_course(&world.anna, NoteFilter::default()).await.unwrap().bookmarks, [1]);
        assert!(!set(world.other, false).await.unwrap().is_bookmarked);
        assert_eq!(world.in_course(&world.anna, NoteFilter::default()).await.unwrap().bookmarks, Vec::<usize>::new());
    }
}
