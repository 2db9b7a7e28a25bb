//! Concurrent marks and limits.

use futures_util::future::join_all;

use super::*;

both! {
    async fn concurrent_useful_marks_count_once_per_person(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await;
        let post = asked.posts[0].id;
        let useful = || command(json!({"is_useful": true}));
        let people = [&world.boris, &world.vera, &world.gleb, &world.teacher];
        let marks = (0..4).flat_map(|_| people).map(|by| discussions::mark(&world.kurso, by, post, useful()));
        for marked in join_all(marks).await {
            marked.unwrap();
        }
        let seen = world.get(&world.boris, asked.id).await.unwrap();
        assert_eq!((seen.posts[0].useful_count, seen.posts[0].is_useful), (4, true));
        discussions::mark(&world.kurso, &world.boris, post, command(json!({"is_useful": false}))).await.unwrap();
        assert_eq!(world.get(&world.anna, asked.id).await.unwrap().posts[0].useful_count, 3);
        assert_eq!(conflict(discussions::mark(&world.kurso, &world.anna, post, useful()).await), Message::OwnPost);
    }

    async fn concurrent_posts_of_a_learner_do_not_exceed_the_limit(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = join_all((0..35).map(|_| world.start(&world.anna, json!({})))).await;
        let stored = asked.iter().filter(|asked| asked.is_ok()).count();
        let refused = asked.iter().filter(|asked| matches!(asked, Err(Error::RateLimited { .. }))).count();
        assert_eq!((stored, refused), (30, 5));
        assert_eq!(world.listed(&world.anna, DiscussionFilter::All).await.len(), 30);
        for _ in 0..35 {
            world.start(&world.teacher, json!({})).await.unwrap();
        }
        world.kurso.clock.advance(Duration::hours(1));
        world.ask(&world.anna).await;
    }

    async fn reading_takes_as_many_statements_for_many_as_for_one(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let mut costs = vec![];
        for _ in 0..2 {
            let asked = world.start(&world.anna, json!({"version": 2, "block": 1})).await.unwrap();
            world.reply(&world.boris, asked.id, "So").await.unwrap();
            for by in [&world.anna, &world.teacher] {
                world.listed(by, DiscussionFilter::All).await;
                let before = world.kurso.db.statements();
                world.listed(by, DiscussionFilter::All).await;
                costs.push(world.kurso.db.statements() - before);
            }
        }
        assert_eq!(costs[..2], costs[2..]);
        assert!(costs.iter().all(|cost| *cost <= 10), "{costs:?}");
    }
}
