//! Concurrent marks and limits.

use futures_util::future::join_all;

use super::*;

both! {
    async fn concurrent_useful_marks_count_once_per_person(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await;
        let post = asked.question.id;
        let useful = || command(json!({"is_useful": true}));
        let people = [&world.boris, &world.vera, &world.gleb, &world.teacher];
        let marks = (0..4).flat_map(|_| people).map(|by| discussions::mark(&world.kurso, by, post, useful()));
        for marked in join_all(marks).await {
            marked.unwrap();
        }
        let seen = world.get(&world.boris, asked.id).await.unwrap();
        assert_eq!((seen.question.useful_count, seen.question.is_useful), (4, true));
        discussions::mark(&world.kurso, &world.boris, post, command(json!({"is_useful": false}))).await.unwrap();
        assert_eq!(world.get(&world.anna, asked.id).await.unwrap().question.useful_count, 3);
        assert_eq!(conflict(discussions::mark(&world.kurso, &world.anna, post, useful()).await), Message::OwnPost);
    }

    async fn two_moderators_at_once_leave_one_consistent_state(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await;
        let answers = join_all((0..4).map(|_| world.reply(&world.boris, asked.id, "So"))).await;
        let answers: Vec<PostId> = answers.into_iter().map(|answer| answer.unwrap().post.id).collect();
        for post in &answers {
            discussions::report(&world.kurso, &world.vera, *post, command(json!({"reason": "Rude"}))).await.unwrap();
        }
        let decide = async |by: &Viewer, post: PostId, action: &str| {
            world.moderate(by, post, json!({"action": action, "reason": "x"})).await.map(|_| ())
        };
        let both = answers.iter().flat_map(|post| {
            let [hide, show] = [("hide", &world.teacher), ("show", &world.owner)];
            [hide, show, hide].map(|(action, by)| decide(by, *post, action))
        });
        for decided in join_all(both).await {
            decided.unwrap();
        }
        let (accepted, locked) = futures_util::join!(
            world.change(&world.teacher, asked.id, json!({"accepted_post_id": answers[3]})),
            world.change(&world.owner, asked.id, json!({"is_locked": true, "is_resolved": true})),
        );
        locked.unwrap();
        let seen = world.get(&world.owner, asked.id).await.unwrap();
        let posts = world.posts(&world.owner, asked.id).await;
        let shown = posts[1..].iter().filter(|post| post.hidden.is_none()).count();
        assert_eq!((usize::try_from(seen.reply_count), seen.report_count), (Ok(shown), 0));
        assert!(seen.is_locked && seen.resolved_at.is_some());
        // A hidden answer is not accepted.
        assert_eq!(seen.accepted_post_id.is_some(), accepted.is_ok());
        let deletions = join_all([&world.teacher, &world.owner].map(|by| discussions::delete(&world.kurso, by, answers[0]))).await;
        let (done, late): (Vec<_>, Vec<_>) = deletions.into_iter().partition(Result::is_ok);
        assert_eq!((done.len(), late.iter().all(is_missing)), (1, true));
        assert_eq!(world.problems().await, Vec::<String>::new());
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
