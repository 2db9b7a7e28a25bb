//! Who is named, and what learners may quote.

use kurso_core::discussions::DiscussionsWatch;

use super::*;

impl World {
    async fn version(&self) -> i64 {
        let version = sql!("SELECT version FROM pages WHERE id = $1", self.page);
        version.fetch_one::<(i64,)>(&self.kurso.db).await.unwrap().0
    }
}

both! {
    async fn an_asker_with_a_name_cannot_answer_anonymously(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.set(json!({"allows_anonymous": true})).await;
        let asked = world.ask(&world.anna).await.id;
        let hidden = |by| discussions::reply(&world.kurso, by, asked, command(json!({"body": body("Me"), "is_anonymous": true})));
        assert_eq!(invalid(hidden(&world.anna).await), Message::AskedWithName);
        assert!(hidden(&world.boris).await.unwrap().post.is_anonymous);
    }

    async fn an_anonymous_asker_who_joins_the_staff_is_not_revealed(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.set(json!({"allows_anonymous": true})).await;
        let asked = world.start(&world.anna, json!({"is_anonymous": true})).await.unwrap().id;
        world.kurso.collaborator(world.course, &world.anna, "editor").await;
        world.reply(&world.anna, asked, "So").await.unwrap();
        let seen = world.posts(&world.boris, asked).await;
        assert_eq!((&seen[0].author, seen[0].by_asker), (&None, true));
        assert!(seen[1].author.is_some() && seen[1].by_staff && !seen[1].by_asker);
    }

    async fn editors_ask_the_teachers_and_read_their_own_question(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.start(&world.editor, json!({"to_teachers": true})).await.unwrap().id;
        world.reply(&world.teacher, asked, "So").await.unwrap();
        assert_eq!(world.posts(&world.editor, asked).await.len(), 2);
        assert!(world.listed(&world.editor, DiscussionFilter::All).await.contains(&asked));
        assert!(world.get(&world.anna, asked).await.is_err());
    }

    async fn learners_quote_only_the_text_that_they_may_read(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let old = world.version().await;
        let text: Vec<Value> = ["Delta", "Epsilon\nand more"].map(paragraph).into();
        world.update(json!({"content": {"type": "doc", "content": text}})).await;
        let about = |version: i64, quote: &str| json!({"version": version, "block": 1, "quote": quote});
        let refused = world.start(&world.anna, about(old, "Beta")).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::PageChanged))), "an earlier text");
        let now = world.version().await;
        let quote = async |by: &Viewer, quote: &str| world.start(by, about(now, quote)).await.unwrap().anchor.unwrap().quote;
        assert_eq!(quote(&world.anna, "Epsilon and").await, "Epsilon and");
        assert_eq!(quote(&world.anna, "You fool").await, "Epsilon and more");
        // The staff may have selected words of several blocks.
        assert_eq!(quote(&world.teacher, "Delta Epsilon").await, "Delta Epsilon");
    }

    async fn hidden_posts_leave_no_trace(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await;
        world.kurso.clock.advance(Duration::minutes(1));
        let answer = world.reply(&world.boris, asked.id, "Spam").await.unwrap().post.id;
        let hide = json!({"action": "hide", "reason": "x"});
        world.moderate(&world.teacher, answer, hide.clone()).await.unwrap();
        assert_eq!(world.get(&world.vera, asked.id).await.unwrap().active_at, asked.active_at);
        world.moderate(&world.teacher, answer, json!({"action": "show"})).await.unwrap();
        assert!(world.get(&world.vera, asked.id).await.unwrap().active_at > asked.active_at);

        let mut watch = DiscussionsWatch::start(&world.kurso, &world.vera, world.course, Some(world.page)).await.unwrap();
        world.moderate(&world.teacher, asked.question.id, hide).await.unwrap();
        world.reply(&world.teacher, asked.id, "Hidden").await.unwrap();
        let other = world.ask(&world.boris).await;
        let mut told = async || watch.next(&world.kurso).await.unwrap().unwrap().discussion;
        assert_eq!(told().await, asked.id, "it disappears");
        assert_eq!(told().await, other.id, "later changes of a hidden question are not told");
        world.moderate(&world.teacher, asked.question.id, json!({"action": "show"})).await.unwrap();
        assert_eq!(told().await, asked.id, "it is there again");
    }

    async fn a_question_is_reopened_under_the_page_that_it_moves_to(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await.id;
        world.change(&world.teacher, asked, json!({"is_resolved": true})).await.unwrap();
        let fill = "INSERT INTO discussions (id, page_id, audience, created_at, active_at, reply_count) VALUES ";
        let (page, now) = (world.other, world.kurso.clock.now());
        let rows = (0..discussions::MAX_OPEN).map(|_| DiscussionId::new());
        let fill = sql!(fill).push_values(rows, |sql, id| {
            let sql = sql.push_bind(id).push(", ").push_bind(page).push(", 'course', ").push_bind(now);
            sql.push(", ").push_bind(now).push(", 0")
        });
        fill.execute(&world.kurso.db).await.unwrap();
        let both = json!({"page_id": page, "is_resolved": false});
        let refused = world.change(&world.teacher, asked, both).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::TooManyDiscussions(_)))), "{refused:?}");
    }
}
