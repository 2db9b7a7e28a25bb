//! Thousands of answers to one question, read in windows.

use kurso_core::discussions::MAX_ANSWERS;

use super::*;

impl World {
    /// Stores answers of Boris beside the API, as many as a question can have.
    async fn fill(&self, discussion: DiscussionId, count: i64) -> Vec<PostId> {
        let ids: Vec<PostId> = (0..count).map(|_| PostId::new()).collect();
        let (author, now, text) = (self.boris.id(), self.kurso.clock.now(), body("So").to_string());
        for ids in ids.chunks(1_000) {
            let rows = sql!(
                "INSERT INTO discussion_posts (id, discussion_id, author_id, is_opening, by_asker, by_staff, is_anonymous, body, created_at) VALUES "
            );
            let rows = rows.push_values(ids, |sql, id| {
                let sql = sql
                    .push_bind(*id)
                    .push(", ")
                    .push_bind(discussion)
                    .push(", ")
                    .push_bind(author);
                let sql = sql.push(", FALSE, FALSE, FALSE, FALSE, ").push_bind(text.clone());
                sql.push(", ").push_bind(now)
            });
            rows.execute(&self.kurso.db).await.unwrap();
        }
        ids
    }

    /// The total number of answers, and the numbers and IDs of a window of 50.
    async fn window(&self, by: &Viewer, id: DiscussionId, from: AnswersFrom) -> (i64, Vec<(i64, PostId)>) {
        let window = AnswersWindow { limit: 50, from };
        let answers = discussions::answers(&self.kurso, by, id, window).await.unwrap();
        (
            answers.count,
            answers.data.iter().map(|post| (post.number, post.id)).collect(),
        )
    }
}

both! {
    async fn ten_thousand_answers_are_read_in_windows(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await.id;
        let first = world.fill(asked, 60).await;
        let hidden = first[10];
        world.moderate(&world.teacher, hidden, json!({"action": "hide", "reason": "x"})).await.unwrap();
        let posts = [first, world.fill(asked, MAX_ANSWERS - 60).await].concat();
        let numbered = |posts: &[PostId], from: i64| (from..).zip(posts.iter().copied()).collect::<Vec<_>>();
        let whole = i64::try_from(posts.len()).unwrap();
        assert_eq!(world.window(&world.teacher, asked, AnswersFrom::Skip(9_980)).await, (whole, numbered(&posts[9_980..], 9_981)));
        assert_eq!(world.window(&world.teacher, asked, AnswersFrom::Skip(whole)).await, (whole, vec![]));
        assert_eq!(world.window(&world.teacher, asked, AnswersFrom::With(posts[5_049])).await, (whole, numbered(&posts[5_000..5_050], 5_001)));
        // Others do not count the hidden one.
        let shown = [&posts[..10], &posts[11..]].concat();
        assert_eq!(world.window(&world.anna, asked, AnswersFrom::Skip(0)).await, (whole - 1, numbered(&shown[..50], 1)));
        assert_eq!(world.window(&world.anna, asked, AnswersFrom::With(posts[5_050])).await, (whole - 1, numbered(&shown[5_000..5_050], 5_001)));
        assert_eq!(world.window(&world.anna, asked, AnswersFrom::With(hidden)).await.1[0], (1, shown[0]), "it is not told where a hidden one is");
        assert_eq!(world.window(&world.boris, asked, AnswersFrom::With(hidden)).await.1[10], (11, hidden));
        assert!(world.get(&world.anna, asked).await.unwrap().is_unread);
        let full = world.reply(&world.teacher, asked, "One more").await;
        assert_eq!(conflict(full), Message::TooManyPosts(MAX_ANSWERS));
    }

    async fn a_discussion_is_found_by_its_posts(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await;
        let answer = world.reply(&world.boris, asked.id, "So").await.unwrap().post.id;
        let by_id = |by, id| discussions::get(&world.kurso, by, id);
        for id in [asked.id.0, asked.question.id.0, answer.0] {
            assert_eq!(by_id(&world.vera, id).await.unwrap().id, asked.id);
        }
        world.moderate(&world.teacher, answer, json!({"action": "hide", "reason": "x"})).await.unwrap();
        assert!(is_missing(&by_id(&world.vera, answer.0).await) && by_id(&world.boris, answer.0).await.is_ok());
        let private = world.start(&world.anna, json!({"to_teachers": true})).await.unwrap();
        assert!(is_missing(&by_id(&world.boris, private.question.id.0).await));
    }
}
