//! What becomes of notes with their pages, courses and people.

use kurso_core::courses::duplicate;
use kurso_core::{trash, users};

use super::*;

impl World {
    /// Bookmarks the page and ticks its only task for Anna.
    async fn mark(&self) {
        let item = json!({"type": "taskItem", "content": [paragraph("Read")]});
        let mut blocks = TEXT.map(paragraph).to_vec();
        blocks.push(json!({"type": "taskList", "content": [item]}));
        self.write(&blocks).await;
        let set = command(json!({"is_bookmarked": true}));
        notes::set_bookmark(&self.kurso, &self.anna, self.page, set)
            .await
            .unwrap();
        let tick = command(json!({"version": 3, "task": 0, "is_ticked": true}));
        notes::tick(&self.kurso, &self.anna, self.page, tick).await.unwrap();
    }

    async fn rows(&self) -> [i64; 3] {
        let mut counts = vec![];
        for count in [
            "SELECT COUNT(*) FROM notes",
            "SELECT COUNT(*) FROM bookmarks",
            "SELECT COUNT(*) FROM task_ticks",
        ] {
            counts.push(sql!(count).fetch_one::<(i64,)>(&self.kurso.db).await.unwrap().0);
        }
        counts.try_into().unwrap()
    }
}

both! {
    async fn a_deleted_page_gets_back_what_readers_kept(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.of_owner().await;
        world.mark().await;
        let before = world.on_page(&world.anna).await.unwrap();
        page::delete(&world.kurso, &world.owner, world.page).await.unwrap();
        assert_eq!(world.rows().await, [0, 0, 0]);
        let entry = trash::of_course(&world.kurso, &world.owner, world.course).await.unwrap().remove(0);
        trash::restore(&world.kurso, &world.owner, entry.id, command(json!({}))).await.unwrap();
        assert_eq!(world.rows().await, [1, 1, 1]);
        assert_eq!(world.on_page(&world.anna).await.unwrap(), before);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn copies_leave_behind_what_readers_kept(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.of_owner().await;
        world.mark().await;
        duplicate::course(&world.kurso, &world.owner, world.course, command(json!({}))).await.unwrap();
        duplicate::page(&world.kurso, &world.owner, world.page).await.unwrap();
        assert_eq!(world.rows().await, [1, 1, 1]);
    }

    async fn a_deleted_account_takes_along_what_it_kept(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.of_owner().await;
        world.mark().await;
        world.note(&world.boris, json!({"body": "Mine"})).await.unwrap();
        users::delete_me(&world.kurso, &world.anna).await.unwrap();
        assert_eq!(world.rows().await, [1, 0, 0]);
        assert_eq!(world.on_page(&world.boris).await.unwrap().len(), 1);
    }

    async fn the_check_finds_notes_of_versions_that_never_were(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.of_owner().await;
        sql!("UPDATE notes SET text_version = 99").execute(&world.kurso.db).await.unwrap();
        let problems = world.problems().await;
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("never had"), "{problems:?}");
    }
}
