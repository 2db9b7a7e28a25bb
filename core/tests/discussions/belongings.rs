//! What becomes of discussions with their pages, courses and people.

use kurso_core::courses::duplicate;
use kurso_core::{trash, users};

use super::*;

impl World {
    async fn restored(&self) {
        let entry = trash::of_course(&self.kurso, &self.owner, self.course)
            .await
            .unwrap()
            .remove(0);
        let restored = trash::restore(&self.kurso, &self.owner, entry.id, command(json!({})));
        restored.await.unwrap();
    }
}

both! {
    async fn a_deleted_page_gets_its_questions_back(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.start(&world.anna, json!({"version": 2, "block": 1})).await.unwrap();
        world.reply(&world.boris, asked.id, "So").await.unwrap();
        let before = world.get(&world.vera, asked.id).await.unwrap();
        page::delete(&world.kurso, &world.owner, world.page).await.unwrap();
        assert!(is_missing(&world.get(&world.vera, asked.id).await));
        world.restored().await;
        assert_eq!(world.get(&world.vera, asked.id).await.unwrap(), before);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn copies_have_the_settings_and_no_questions(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.ask(&world.anna).await;
        world.set(json!({"allows_anonymous": true, "words": ["spam"]})).await;
        let off = command(json!({"is_on": false}));
        discussions::set_page(&world.kurso, &world.owner, world.other, off).await.unwrap();
        let copy = duplicate::course(&world.kurso, &world.owner, world.course, command(json!({}))).await.unwrap();
        let settings = discussions::settings(&world.kurso, &world.owner, copy.id).await.unwrap();
        assert_eq!(settings, discussions::settings(&world.kurso, &world.owner, world.course).await.unwrap());
        let view = CourseView::load(&world.kurso, &world.owner, copy.id, Right::Edit).await.unwrap();
        let rules = [0, 1].map(|place| view.page(place).id);
        let rules = discussions::rules_of(&world.kurso.db, &rules).await.unwrap();
        assert_eq!([rules[&view.page(0).id].is_on, rules[&view.page(1).id].is_on], [true, false]);
        let all = discussions::in_course(&world.kurso, &world.owner, copy.id, DiscussionFilter::All, Page::new(0, 10));
        assert_eq!(all.await.unwrap().count, 0);
        let single = duplicate::page(&world.kurso, &world.owner, world.other).await.unwrap();
        assert!(!discussions::rules_of(&world.kurso.db, &[single.id]).await.unwrap()[&single.id].is_on);
    }

    async fn a_deleted_account_takes_its_words_along(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let alone = world.ask(&world.anna).await.id;
        world.reply(&world.anna, alone, "Anybody?").await.unwrap();
        let answered = world.ask(&world.anna).await.id;
        world.reply(&world.boris, answered, "So").await.unwrap();
        world.reply(&world.anna, answered, "Thanks").await.unwrap();
        let of_boris = world.ask(&world.boris).await.id;
        world.reply(&world.anna, of_boris, "I know").await.unwrap();
        users::delete_me(&world.kurso, &world.anna).await.unwrap();
        assert!(is_missing(&world.get(&world.teacher, alone).await));
        let left = world.get(&world.teacher, answered).await.unwrap();
        assert_eq!((left.posts.len(), &left.posts[0].author, &left.posts[0].body), (2, &None, &None));
        let left = world.get(&world.teacher, of_boris).await.unwrap();
        assert_eq!((left.posts.len(), left.reply_count, left.waiting_since.is_some()), (1, 0, true));
        let (words,) = sql!("SELECT COUNT(*) FROM discussion_posts WHERE body LIKE '%Thanks%' OR body LIKE '%Anybody%' OR body LIKE '%know%'")
            .fetch_one::<(i64,)>(&world.kurso.db)
            .await
            .unwrap();
        assert_eq!((words, world.problems().await), (0, vec![]));
    }

    async fn words_of_a_deleted_account_do_not_come_back_from_the_trash(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let alone = world.ask(&world.anna).await.id;
        let answered = world.ask(&world.anna).await.id;
        world.reply(&world.boris, answered, "So").await.unwrap();
        let of_boris = world.ask(&world.boris).await.id;
        world.reply(&world.anna, of_boris, "I know").await.unwrap();
        page::delete(&world.kurso, &world.owner, world.page).await.unwrap();
        users::delete_me(&world.kurso, &world.anna).await.unwrap();
        world.restored().await;
        assert!(is_missing(&world.get(&world.teacher, alone).await));
        assert_eq!(world.get(&world.teacher, answered).await.unwrap().posts[0].body, None);
        assert_eq!(world.get(&world.teacher, of_boris).await.unwrap().posts.len(), 1);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn pictures_are_kept_as_long_as_their_posts(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let file = world.kurso.file(world.anna.id(), "a.png", "image/png", &b"x"[..]).await;
        let picture = json!({"body": {"type": "doc", "content": [{"type": "image", "attrs": {"src": file.url()}}]}});
        let asked = world.start(&world.anna, picture).await.unwrap();
        let is_there = async || {
            kurso_core::files::cleanup::delete_unused(&world.kurso).await.unwrap();
            world.kurso.clock.advance(Duration::days(60));
            kurso_core::files::cleanup::delete_unused(&world.kurso).await.unwrap();
            let count = sql!("SELECT COUNT(*) FROM files").fetch_one::<(i64,)>(&world.kurso.db).await.unwrap();
            count.0 == 1
        };
        assert!(is_there().await);
        discussions::delete(&world.kurso, &world.anna, asked.posts[0].id).await.unwrap();
        assert!(!is_there().await);
    }

    async fn damage_is_found(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await;
        world.reply(&world.boris, asked.id, "So").await.unwrap();
        for (damage, repair, problem) in [
            ("UPDATE discussions SET reply_count = 7", "UPDATE discussions SET reply_count = 1", "it has another number of answers"),
            ("UPDATE discussion_posts SET body = '{' WHERE is_opening", "UPDATE discussion_posts SET body = '{}' WHERE is_opening", "its text cannot be read"),
            ("UPDATE discussion_posts SET author_id = NULL WHERE is_opening", "DELETE FROM discussions", "its author is gone, but not its text"),
        ] {
            sql!(damage).execute(&world.kurso.db).await.unwrap();
            let problems = world.problems().await;
            assert!(problems.len() == 1 && problems[0].ends_with(problem), "{problems:?}");
            sql!(repair).execute(&world.kurso.db).await.unwrap();
        }
        assert_eq!(world.problems().await, Vec::<String>::new());
    }
}
