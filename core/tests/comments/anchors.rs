//! Where threads find their blocks.

use super::*;

fn place(thread: &Thread) -> (Option<usize>, &str) {
    let anchor = thread.anchor.as_ref().unwrap();
    (anchor.block, anchor.quote.as_str())
}

both! {
    async fn a_thread_follows_its_block(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let thread = world.at(&world.reviewer, 1).await;
        assert_eq!(place(&thread), (Some(1), "Beta"));
        world.write(&["New", "Alpha", "Other", "Beta", "Gamma"], false).await;
        assert_eq!(place(&world.thread(&world.reviewer).await), (Some(3), "Beta"));
        world.write(&["Alpha", "Gamma"], false).await;
        assert_eq!(place(&world.thread(&world.reviewer).await), (None, "Beta"));
        world.write(&["Beta"], false).await;
        assert_eq!(place(&world.thread(&world.owner).await), (Some(0), "Beta"));
    }

    async fn the_place_is_one_of_the_text_that_the_reader_sees(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.at(&world.teacher, 2).await;
        world.write(&["Gamma", "Secret"], true).await;
        for (person, block) in [(&world.owner, 0), (&world.editor, 0), (&world.reviewer, 0), (&world.teacher, 2)] {
            assert_eq!(place(&world.thread(person).await), (Some(block), "Gamma"), "{}", person.user.email);
        }
        let thread = world.at(&world.reviewer, 1).await;
        assert_eq!(place(&thread), (Some(1), "Secret"));
        assert_eq!(place(&world.threads(&world.teacher).await[1]).0, None);
    }

    async fn a_block_is_named_in_a_version_of_the_history(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let old = world.stored().await.version;
        world.write(&["New", "Alpha", "Beta"], false).await;
        let draft = world.write(&["Draft"], true).await.version;
        world.write(&["Later draft"], true).await;
        let new = |version: i64, block: usize| json!({"text": "x", "version": version, "block": block});
        let thread = world.start(&world.teacher, new(old, 1)).await.unwrap();
        assert_eq!(place(&thread), (Some(2), "Beta"));
        assert_eq!(place(&world.start(&world.reviewer, new(draft, 0)).await.unwrap()), (Some(0), "Draft"));
        // Teachers read no drafts, not even to quote them.
        for refused in [world.start(&world.teacher, new(draft, 0)).await, world.start(&world.owner, new(999, 0)).await] {
            assert!(matches!(refused, Err(Error::Conflict(Message::PageChanged))), "{refused:?}");
        }
        for body in [json!({"text": "x", "block": 0}), new(old, 3), json!({"text": "x", "suggestion": []})] {
            let refused = world.start(&world.owner, body).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
        }
    }

    async fn the_selected_words_are_the_quote(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let version = world.stored().await.version;
        let thread = world.start(&world.owner, json!({"text": "x", "version": version, "block": 0, "quote": " lph "})).await.unwrap();
        assert_eq!(place(&thread), (Some(0), "lph"));
    }
}
