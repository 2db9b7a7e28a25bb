//! Who reads which announcements, in which order, and how many have read them.

use kurso_core::announcements::counts_of;
use kurso_core::courses::team;
use kurso_core::students;

use super::*;

both! {
    async fn learners_read_what_is_published_to_the_course_and_to_their_group(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let all = world.announce("All", None).await;
        let evening = world.announce("Evening", Some(world.groups[0])).await;
        let later = json!({"title": "Later", "content": document("x"), "publish_at": "2026-12-01T09:00:00Z"});
        let later = world.create(&world.owner, later).await.unwrap().id;
        for (who, seen) in [
            (&world.owner, &["Later", "Evening", "All"][..]),
            (&world.teacher, &["Later", "Evening", "All"]),
            (&world.editor, &["Evening", "All"]),
            (&world.reviewer, &["Evening", "All"]),
            (&world.kurso.superuser("root").await, &["Evening", "All"]),
            (&world.anna, &["Evening", "All"]),
            (&world.boris, &["All"]),
            (&world.vera, &["All"]),
        ] {
            let list = world.list(who).await;
            let titles: Vec<&str> = list.items.iter().map(|item| item.title.as_str()).collect();
            assert_eq!(titles, seen, "{}", who.user.email);
            assert_eq!(list.count, seen.len());
            for (id, title) in [(all, "All"), (evening, "Evening"), (later, "Later")] {
                let found = announcements::find(&world.kurso, who, id).await;
                assert_eq!(found.is_ok(), seen.contains(&title), "{} {title}", who.user.email);
            }
        }
        assert!(is_missing(announcements::list(&world.kurso, &world.stranger, world.course, Wanted::default()).await));
        for id in [all, evening, later, AnnouncementId::new()] {
            assert!(is_missing(announcements::find(&world.kurso, &world.stranger, id).await));
        }
    }

    async fn changing_an_unreadable_announcement_fails_with_404(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let evening = world.announce("Evening", Some(world.groups[0])).await;
        let later = json!({"title": "Later", "content": document("x"), "publish_at": "2026-12-01T09:00:00Z"});
        let later = world.create(&world.owner, later).await.unwrap().id;
        for (who, id, is_known) in [
            (&world.anna, evening, true), (&world.boris, evening, false), (&world.stranger, evening, false), (&world.editor, evening, true),
            (&world.anna, later, false), (&world.editor, later, false), (&world.reviewer, later, false),
        ] {
            let refused = if is_known { is_forbidden } else { is_missing };
            assert!(refused(world.update(who, id, json!({"version": 1, "title": "x"})).await), "{}", who.user.email);
            let refused = if is_known { is_forbidden } else { is_missing };
            assert!(refused(announcements::delete(&world.kurso, who, id).await), "{}", who.user.email);
        }
        assert_eq!(world.count("announcements").await, 2);
    }

    async fn only_reads_of_current_learners_are_counted(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let all = world.announce("All", None).await;
        let evening = world.announce("Evening", Some(world.groups[0])).await;
        let counts = async || {
            let found = counts_of(&world.kurso, &[all, evening]).await.unwrap();
            [all, evening].map(|id| (found[&id].readers, found[&id].receivers))
        };
        assert_eq!(counts().await, [(0, 3), (0, 1)]);
        assert_eq!(world.list(&world.anna).await.unread, 2);
        assert_eq!(world.mark(&world.anna, &[all, evening]).await.unwrap(), 0);
        assert_eq!(world.mark(&world.anna, &[all]).await.unwrap(), 0);
        // Staff, and learners who may not read it, do not count.
        assert_eq!(world.mark(&world.boris, &[evening]).await.unwrap(), 1);
        assert_eq!(world.mark(&world.editor, &[all, evening]).await.unwrap(), 0);
        assert_eq!(counts().await, [(1, 3), (1, 1)]);
        assert!(world.list(&world.anna).await.items.iter().all(|item| item.is_read));
        assert!(world.list(&world.teacher).await.items.iter().all(|item| item.is_read), "the author has read them");
        assert_eq!(world.list(&world.owner).await.unread, 2);
        let anna = world.enrollment(&world.anna).await;
        students::remove(&world.kurso, &world.owner, anna).await.unwrap();
        assert_eq!(counts().await, [(0, 2), (0, 0)]);
        assert!(is_missing(world.mark(&world.stranger, &[all]).await));
        assert_eq!(world.problems().await, texts(&[]));
    }

    async fn reading_an_announcement_reads_its_notice(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let all = world.announce("All", None).await;
        assert_eq!(world.told(&world.anna).await, (texts(&["All"]), 1));
        world.mark(&world.anna, &[all]).await.unwrap();
        assert_eq!(world.told(&world.anna).await, (texts(&["All"]), 0));
        assert_eq!(world.told(&world.boris).await, (texts(&["All"]), 1));
    }

    async fn cursors_continue_the_list(kurso: TestKurso) {
        let world = World::new(kurso).await;
        for number in 0..5 {
            let new = json!({"title": number.to_string(), "content": document("x"), "is_pinned": number == 1});
            world.create(&world.owner, new).await.unwrap();
            world.kurso.clock.advance(chrono::Duration::minutes(1));
        }
        let (mut seen, mut after) = (vec![], None);
        loop {
            let wanted = Wanted { first: 2, after, skip: 0 };
            let list = announcements::list(&world.kurso, &world.anna, world.course, wanted).await.unwrap();
            seen.extend(list.items.into_iter().map(|item| item.title));
            after = list.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen, texts(&["1", "4", "3", "2", "0"]));
        let wanted = Wanted { first: 2, after: None, skip: 3 };
        let list = announcements::list(&world.kurso, &world.anna, world.course, wanted).await.unwrap();
        assert_eq!(list.items.len(), 2);
        assert!(list.next.is_none());
    }

    async fn a_list_takes_three_statements_for_any_number(kurso: TestKurso) {
        let world = World::new(kurso).await;
        for number in 0..12 {
            world.announce(&number.to_string(), None).await;
        }
        let before = world.kurso.db.statements();
        assert_eq!(world.list(&world.anna).await.items.len(), 12);
        assert_eq!(world.kurso.db.statements() - before, 3);
    }

    async fn learners_who_left_the_course_read_nothing_until_they_return(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let all = world.announce("All", None).await;
        team::leave(&world.kurso, &world.anna, world.course).await.unwrap();
        assert!(is_missing(announcements::find(&world.kurso, &world.anna, all).await));
        assert_eq!(world.told(&world.anna).await, (texts(&[]), 0));
        world.enroll(&world.anna, None).await;
        assert_eq!(world.titles(&world.anna).await, texts(&["All"]));
        assert_eq!(world.told(&world.anna).await, (texts(&["All"]), 1));
    }

    async fn a_learner_who_changes_groups_reads_those_of_the_new_group(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.announce("Evening", Some(world.groups[0])).await;
        let body = command(json!({"enrollment_ids": [world.enrollment(&world.anna).await], "group_id": world.groups[1]}));
        groups::move_students(&world.kurso, &world.owner, world.course, body).await.unwrap();
        assert_eq!(world.titles(&world.anna).await, texts(&[]));
        assert_eq!(world.told(&world.anna).await, (texts(&[]), 0));
        let body = command(json!({"enrollment_ids": [world.enrollment(&world.vera).await], "group_id": world.groups[0]}));
        groups::move_students(&world.kurso, &world.owner, world.course, body).await.unwrap();
        assert_eq!(world.titles(&world.vera).await, texts(&["Evening"]));
        assert_eq!(world.told(&world.vera).await, (texts(&[]), 0), "who joins later reads it without a notice");
    }
}
