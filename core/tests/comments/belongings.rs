//! What becomes of comments with their pages, courses and people.

use kurso_base::ids::UserId;
use kurso_core::courses::duplicate;
use kurso_core::{trash, users};

use super::*;

both! {
    async fn a_deleted_page_gets_its_comments_back(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let thread = world.at(&world.reviewer, 1).await;
        comments::mark_read(kurso, &world.owner, thread.id, thread.comments[0].id).await.unwrap();
        let before = world.threads(&world.owner).await;
        page::delete(kurso, &world.owner, world.page).await.unwrap();
        assert_eq!(world.count("comment_threads").await, 0);
        let entry = trash::of_course(kurso, &world.owner, world.course).await.unwrap().remove(0);
        trash::restore(kurso, &world.owner, entry.id, command(json!({}))).await.unwrap();
        assert_eq!(world.threads(&world.owner).await, before);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn copies_have_no_comments(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        world.at(&world.reviewer, 1).await;
        let copy = duplicate::page(kurso, &world.owner, world.page).await.unwrap();
        assert_eq!(comments::of_page(kurso, &world.owner, copy.id, None).await.unwrap(), []);
        assert_eq!(world.count("comment_threads").await, 1);
    }

    async fn comments_of_a_deleted_account_stay_without_their_author(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let text = format!("@[teacher](user:{}) Hm", world.teacher.id());
        let thread = world.start(&world.reviewer, json!({"text": text})).await.unwrap();
        comments::mark_read(kurso, &world.teacher, thread.id, thread.comments[0].id).await.unwrap();
        comments::resolve(kurso, &world.reviewer, thread.id).await.unwrap();
        let gone: [UserId; 2] = [world.reviewer.id(), world.teacher.id()];
        for viewer in [&world.reviewer, &world.teacher] {
            users::delete_me(kurso, viewer).await.unwrap();
        }
        let left = world.thread(&world.owner).await;
        assert_eq!((&left.started_by, &left.comments[0].author, &left.comments[0].text), (&None, &None, &text));
        assert_eq!((left.resolved.unwrap().by, left.comments[0].mentions.len()), (None, 0));
        assert_eq!((world.count("comment_mentions").await, world.count("thread_reads").await), (0, 0));
        assert_eq!(comments::commenters(kurso, &world.owner, world.course).await.unwrap().iter().filter(|one| gone.contains(&one.id)).count(), 0);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn a_thread_without_comments_is_found(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.at(&world.reviewer, 1).await;
        sql!("DELETE FROM page_comments").execute(&world.kurso.db).await.unwrap();
        let problems = world.problems().await;
        assert!(problems.len() == 1 && problems[0].ends_with("it has no comment"), "{problems:?}");
    }

    async fn a_suggestion_that_cannot_be_read_is_found(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let version = world.stored().await.version;
        world.start(&world.owner, json!({"text": "x", "version": version, "block": 0, "suggestion": []})).await.unwrap();
        assert_eq!(world.problems().await, Vec::<String>::new());
        sql!("UPDATE comment_threads SET old_blocks = '[]'").execute(&world.kurso.db).await.unwrap();
        let problems = world.problems().await;
        assert!(problems.len() == 1 && problems[0].ends_with("cannot be read"), "{problems:?}");
    }
}
