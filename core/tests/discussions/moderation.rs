//! Hiding, reporting, locking, moving, deleting; who is told of what.

use kurso_core::inbox::{self, Wanted};

use super::*;

impl World {
    async fn kinds(&self, of: &Viewer) -> Vec<&'static str> {
        let wanted = Wanted {
            first: 100,
            ..Wanted::default()
        };
        let list = inbox::list(&self.kurso, of, wanted).await.unwrap();
        list.items.iter().map(|notice| notice.kind.name()).collect()
    }

    async fn acts(&self) -> Vec<String> {
        let rows = sql!(
            "SELECT kind FROM audit WHERE kind LIKE 'post_%' OR (kind LIKE 'discussion_%' AND kind <> 'discussion_settings_changed') ORDER BY id"
        );
        let rows = rows.fetch_all::<(String,)>(&self.kurso.db).await.unwrap();
        rows.into_iter().map(|(act,)| act).collect()
    }
}

both! {
    async fn hiding_the_newest_answer_leaves_the_notice_of_the_one_before(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await.id;
        let useful = world.reply(&world.vera, asked, "Because").await.unwrap().post.id;
        world.wait();
        let spam = world.reply(&world.boris, asked, "Spam").await.unwrap().post.id;
        let hide = json!({"action": "hide", "reason": "x"});
        world.moderate(&world.teacher, spam, hide.clone()).await.unwrap();
        let unread = Wanted { first: 10, unread_only: true, ..Wanted::default() };
        let list = inbox::list(&world.kurso, &world.anna, unread).await.unwrap();
        let told: Vec<_> = list.items.iter().map(|notice| (notice.subject, notice.actor.as_ref().unwrap().id)).collect();
        assert_eq!(told, [(useful.0, world.vera.id())]);
        world.moderate(&world.teacher, useful, hide).await.unwrap();
        assert!(inbox::list(&world.kurso, &world.anna, unread).await.unwrap().items.is_empty());
    }

    async fn reported_posts_are_hidden_with_a_reason_and_shown_again(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await.id;
        let answered = world.reply(&world.boris, asked, "Rude").await.unwrap();
        let rude = answered.post.id;
        for reason in ["Rude", "Very rude"] {
            discussions::report(&world.kurso, &world.anna, rude, command(json!({"reason": reason}))).await.unwrap();
        }
        let own = discussions::report(&world.kurso, &world.boris, rude, command(json!({"reason": "x"}))).await;
        assert_eq!(conflict(own), Message::OwnPost);
        assert_eq!(world.in_course(&world.teacher, DiscussionFilter::Reported).await, [asked]);
        assert_eq!(world.in_course(&world.editor, DiscussionFilter::Reported).await, []);
        for (by, count) in [(&world.teacher, 1), (&world.editor, 0), (&world.anna, 0)] {
            assert_eq!(world.get(by, asked).await.unwrap().report_count, count);
        }
        let seen = world.posts(&world.teacher, asked).await;
        assert_eq!(seen[1].reports.iter().map(|report| report.reason.as_str()).collect::<Vec<_>>(), ["Very rude"]);
        assert!(world.posts(&world.editor, asked).await[1].reports.is_empty());
        assert!(world.kinds(&world.teacher).await.contains(&"reported"));
        assert!(is_forbidden(&world.moderate(&world.editor, rude, json!({"action": "hide", "reason": "x"})).await));
        assert_eq!(invalid(world.moderate(&world.teacher, rude, json!({"action": "hide"})).await), Message::ReasonNeeded);
        let hidden = world.moderate(&world.teacher, rude, json!({"action": "hide", "reason": "Be kind"})).await.unwrap();
        assert_eq!((hidden.discussion.reply_count, hidden.discussion.waiting_since.is_some()), (0, true));
        assert_eq!(hidden.post.hidden.as_ref().unwrap().by.as_ref().unwrap().id, world.teacher.id());
        assert_eq!(world.posts(&world.anna, asked).await.len(), 1);
        let own = world.posts(&world.boris, asked).await.remove(1).hidden.unwrap();
        assert_eq!((own.reason.as_str(), own.by), ("Be kind", None));
        let edit = command(json!({"body": body("Kind")}));
        assert_eq!(conflict(discussions::edit(&world.kurso, &world.boris, rude, edit).await), Message::PostHidden);
        assert_eq!(world.kinds(&world.anna).await, [] as [&str; 0], "the notice of the answer is withdrawn");
        assert!(!world.kinds(&world.teacher).await.contains(&"reported"));
        assert_eq!(world.in_course(&world.teacher, DiscussionFilter::Reported).await, []);
        world.moderate(&world.owner, rude, json!({"action": "show"})).await.unwrap();
        assert_eq!(world.posts(&world.anna, asked).await.len(), 2);
        assert_eq!(world.acts().await, ["post_hidden", "post_shown"]);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn locked_and_moved_discussions(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.start(&world.anna, json!({"version": 2, "block": 1})).await.unwrap();
        for change in [json!({"is_locked": true}), json!({"is_pinned": true}), json!({"page_id": world.other})] {
            for by in [&world.anna, &world.editor] {
                assert!(is_forbidden(&world.change(by, asked.id, change.clone()).await));
            }
        }
        assert!(world.change(&world.teacher, asked.id, json!({"is_locked": true})).await.unwrap().is_locked);
        assert_eq!(conflict(world.reply(&world.anna, asked.id, "x").await), Message::DiscussionLocked);
        world.reply(&world.teacher, asked.id, "Done").await.unwrap();
        let elsewhere = world.kurso.course(&world.owner, &[&[&[Content]]]).await;
        let foreign = CourseView::load(&world.kurso, &world.owner, elsewhere, Right::Edit).await.unwrap().page(0).id;
        assert_eq!(invalid(world.change(&world.owner, asked.id, json!({"page_id": foreign})).await), Message::UnknownPage);
        let moved = world.change(&world.owner, asked.id, json!({"page_id": world.other})).await.unwrap();
        assert!(moved.page_id == world.other && moved.moved_at.is_some() && moved.anchor.is_none());
        assert_eq!(world.listed(&world.vera, DiscussionFilter::All).await, []);
        assert_eq!(world.kinds(&world.anna).await, ["answered"]);
        assert_eq!(world.acts().await, ["discussion_moved"]);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn deleted_questions_keep_their_place_when_answered(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let alone = world.ask(&world.anna).await;
        world.reply(&world.anna, alone.id, "Anybody?").await.unwrap();
        assert!(is_forbidden(&discussions::delete(&world.kurso, &world.boris, alone.question.id).await));
        let (page, left) = discussions::delete(&world.kurso, &world.anna, alone.question.id).await.unwrap();
        assert_eq!((page, left), (world.page, None));
        assert_eq!(world.kinds(&world.teacher).await, [] as [&str; 0]);
        let asked = world.ask(&world.anna).await;
        let answered = world.reply(&world.boris, asked.id, "So").await.unwrap();
        let (_, left) = discussions::delete(&world.kurso, &world.anna, asked.question.id).await.unwrap();
        let left = left.unwrap();
        assert_eq!((left.reply_count, &left.question.body), (1, &None));
        let (_, left) = discussions::delete(&world.kurso, &world.teacher, answered.post.id).await.unwrap();
        assert_eq!((left.unwrap().reply_count, world.acts().await), (0, vec!["post_deleted".to_owned()]));
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn participants_and_followers_are_told_of_answers(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await.id;
        for of in [&world.owner, &world.teacher] {
            assert_eq!(world.kinds(of).await, ["asked"]);
        }
        assert_eq!(world.kinds(&world.editor).await, [] as [&str; 0]);
        let follow = |follows: bool| command(json!({"follows": follows}));
        discussions::note(&world.kurso, &world.vera, asked, follow(true)).await.unwrap();
        world.reply(&world.boris, asked, "One").await.unwrap();
        world.reply(&world.boris, asked, "Two").await.unwrap();
        for of in [&world.anna, &world.vera] {
            assert_eq!(world.kinds(of).await, ["answered"], "one notice per discussion");
        }
        assert_eq!(world.kinds(&world.boris).await, [] as [&str; 0]);
        discussions::note(&world.kurso, &world.anna, asked, follow(false)).await.unwrap();
        world.reply(&world.vera, asked, "Three").await.unwrap();
        assert_eq!(world.kinds(&world.anna).await, [] as [&str; 0], "whoever does not follow is not told");
        assert_eq!(world.kinds(&world.boris).await, ["answered"]);
    }
}
