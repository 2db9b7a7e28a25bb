//! Writing, changing and deleting announcements.

use kurso_core::announcements::{MAX_ANNOUNCEMENTS, MAX_CONTENT};
use kurso_core::files::cleanup;

use super::*;

fn is_invalid<T: std::fmt::Debug>(result: Result<T, Error>) -> bool {
    matches!(result.unwrap_err(), Error::Invalid(_))
}

both! {
    async fn only_the_owner_and_teachers_write_announcements(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let new = || json!({"title": "Hello", "content": document("x")});
        for who in [&world.owner, &world.teacher] {
            let made = world.create(who, new()).await.unwrap();
            assert_eq!((made.version, made.is_read, made.author.unwrap().id), (1, true, who.id()));
            assert!(made.state.published_at().is_some());
        }
        for who in [&world.editor, &world.reviewer, &world.anna, &world.kurso.superuser("root").await] {
            assert!(is_forbidden(world.create(who, new()).await), "{}", who.user.email);
        }
        assert!(is_missing(world.create(&world.stranger, new()).await));
        assert_eq!(world.count("announcements").await, 2);
    }

    async fn a_change_with_an_outdated_version_is_refused(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let id = world.announce("One", None).await;
        let changed = world.update(&world.owner, id, json!({"version": 1, "title": "Two", "is_pinned": true})).await.unwrap();
        assert_eq!((changed.title.as_str(), changed.is_pinned, changed.version), ("Two", true, 2));
        assert_eq!(changed.excerpt, "One", "what is left out stays");
        assert!(is_conflict(world.update(&world.teacher, id, json!({"version": 1, "title": "Three"})).await));
        let changed = world.update(&world.teacher, id, json!({"version": 2, "content": document("New")})).await.unwrap();
        assert_eq!((changed.excerpt.as_str(), changed.title.as_str()), ("New", "Two"));
        let contents = announcements::contents_of(&world.kurso, &[id]).await.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&contents[&id]).unwrap(), document("New"));
        publish::publish_due(&world.kurso).await.unwrap();
        assert_eq!(world.told(&world.anna).await, (texts(&["Two"]), 1), "a change notifies nobody again");
    }

    async fn a_published_announcement_cannot_be_scheduled(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let id = world.announce("One", None).await;
        let later = json!({"version": 1, "publish_at": "2026-12-01T09:00:00Z"});
        assert!(is_conflict(world.update(&world.owner, id, later).await));
        let same = world.update(&world.owner, id, json!({"version": 1, "publish_at": null})).await.unwrap();
        assert!(same.state.published_at().is_some());
    }

    async fn deleting_withdraws_all_notices(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let (one, two) = (world.announce("One", None).await, world.announce("Two", None).await);
        world.mark(&world.anna, &[one]).await.unwrap();
        assert_eq!(announcements::delete(&world.kurso, &world.owner, one).await.unwrap(), world.course);
        for who in [&world.anna, &world.boris] {
            assert_eq!(world.told(who).await, (texts(&["Two"]), 1));
        }
        assert_eq!((world.count("notices").await, world.count("announcement_reads").await), (3, 0));
        assert!(is_missing(announcements::delete(&world.kurso, &world.owner, one).await));
        assert!(is_missing(world.update(&world.owner, one, json!({"version": 1})).await));
        assert_eq!(world.mark(&world.boris, &[one, two]).await.unwrap(), 0, "a deleted one is ignored");
    }

    async fn a_group_of_another_course_is_refused(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let other = world.kurso.course(&world.owner, &[]).await;
        let group = groups::create(&world.kurso, &world.owner, other, command(json!({"title": "x"}))).await.unwrap().id;
        let new = json!({"title": "x", "content": document("x"), "group_id": group});
        assert!(is_invalid(world.create(&world.owner, new).await));
    }

    async fn too_long_content_is_refused(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let new = json!({"title": "x", "content": document(&"x".repeat(MAX_CONTENT))});
        assert!(is_invalid(world.create(&world.owner, new).await));
        let id = world.announce("x", None).await;
        let change = json!({"version": 1, "content": document(&"x".repeat(MAX_CONTENT))});
        assert!(is_invalid(world.update(&world.owner, id, change).await));
    }

    async fn the_numbers_per_course_and_per_day_are_limited(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let new = || json!({"title": "x", "content": document("x")});
        for _ in 0..50 {
            world.create(&world.owner, new()).await.unwrap();
        }
        assert!(matches!(world.create(&world.teacher, new()).await, Err(Error::RateLimited { .. })));
        assert_eq!(world.count("announcements").await, 50);
        world.kurso.clock.advance(chrono::Duration::days(1));
        let now = world.kurso.clock.now();
        for _ in 50..MAX_ANNOUNCEMENTS {
            sql!(
                "INSERT INTO announcements (id, course_id, title, content, excerpt, created_at, updated_at, published_at) VALUES ($1, $2, 'x', '{}', '', $3, $3, $3)",
                AnnouncementId::new(), world.course, now
            )
            .execute(&world.kurso.db)
            .await
            .unwrap();
        }
        assert!(is_conflict(world.create(&world.owner, new()).await));
    }

    async fn files_of_announcements_are_kept_and_foreign_files_are_refused(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let own = kurso.file(world.teacher.id(), "a.png", "image/png", "a").await;
        let foreign = kurso.file(world.stranger.id(), "b.png", "image/png", "b").await;
        let shown = |address: String| json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": address}}]});
        let new = |address: String| json!({"title": "x", "content": shown(address)});
        assert!(is_invalid(world.create(&world.teacher, new(foreign.url())).await));
        let made = world.create(&world.teacher, new(own.url())).await.unwrap();
        let swept = async || {
            cleanup::delete_unused(kurso).await.unwrap();
            kurso.clock.advance(kurso.uploads.limits.grace + chrono::Duration::hours(1));
            cleanup::delete_unused(kurso).await.unwrap();
            world.count("files").await
        };
        assert_eq!(swept().await, 1, "the file of the announcement is kept");
        let text = json!({"type": "paragraph", "content": [{"type": "text", "text": "See"}]});
        let image = json!({"type": "image", "attrs": {"src": own.url()}});
        let content = json!({"type": "doc", "content": [text, image]});
        world.update(&world.owner, made.id, json!({"version": 1, "content": content})).await.unwrap();
        assert_eq!(world.problems().await, texts(&[]));
        sql!("DELETE FROM announcement_files").execute(&kurso.db).await.unwrap();
        let report = check::check(kurso, Depth::default()).await.unwrap();
        assert_eq!(report.problems, 1, "{:?}", report.findings);
        assert_eq!(check::repair(kurso, &report).await.unwrap(), 1);
        assert_eq!(world.problems().await, texts(&[]));
        world.update(&world.owner, made.id, json!({"version": 2, "content": document("x")})).await.unwrap();
        assert_eq!(swept().await, 0, "nothing shows the file any more");
    }
}
