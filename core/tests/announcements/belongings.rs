//! Announcements when their courses, groups and accounts are deleted or copied.

use kurso_core::courses::{course, duplicate};
use kurso_core::students;
use kurso_core::{trash, users};

use super::*;

impl World {
    async fn filled(kurso: TestKurso) -> Self {
        let world = World::new(kurso).await;
        let all = world.announce("All", None).await;
        world.announce("Evening", Some(world.groups[0])).await;
        world.mark(&world.anna, &[all]).await.unwrap();
        let nudge = command(json!({"enrollment_ids": [world.enrollment(&world.boris).await], "text": "Go on"}));
        students::nudge(&world.kurso, &world.teacher, world.course, nudge)
            .await
            .unwrap();
        world
    }
}

both! {
    async fn a_deleted_course_gets_its_announcements_back(kurso: TestKurso) {
        let world = World::filled(kurso).await;
        let kurso = &world.kurso;
        let before = (world.list(&world.anna).await.items, world.told(&world.boris).await);
        course::delete(kurso, &world.owner, world.course).await.unwrap();
        assert_eq!((world.count("announcements").await, world.count("nudges").await), (0, 0));
        let entry = trash::deleted_courses(kurso, &world.owner).await.unwrap().remove(0);
        trash::restore(kurso, &world.owner, entry.id, command(json!({}))).await.unwrap();
        assert_eq!((world.list(&world.anna).await.items, world.told(&world.boris).await), before);
        assert_eq!(world.problems().await, texts(&[]));
    }

    async fn a_copy_of_a_course_has_no_announcements(kurso: TestKurso) {
        let world = World::filled(kurso).await;
        let copy = duplicate::course(&world.kurso, &world.owner, world.course, command(json!({}))).await.unwrap();
        let list = announcements::list(&world.kurso, &world.owner, copy.id, Wanted::default()).await.unwrap();
        assert_eq!((list.count, world.count("announcements").await, world.count("nudges").await), (0, 2, 1));
    }

    async fn announcements_stay_without_their_deleted_author_and_readers(kurso: TestKurso) {
        let world = World::filled(kurso).await;
        for gone in [&world.teacher, &world.anna] {
            users::delete_me(&world.kurso, gone).await.unwrap();
        }
        let list = world.list(&world.owner).await;
        assert_eq!(list.items.iter().map(|item| (item.title.as_str(), &item.author)).collect::<Vec<_>>(), [("Evening", &None), ("All", &None)]);
        assert_eq!(world.count("announcement_reads").await, 0);
        assert_eq!(world.told(&world.boris).await, (texts(&["Go on", "All"]), 2));
        users::delete_me(&world.kurso, &world.boris).await.unwrap();
        assert_eq!(world.count("nudges").await, 0);
        assert_eq!(world.problems().await, texts(&[]));
    }

    async fn announcements_to_a_group_go_with_it(kurso: TestKurso) {
        let world = World::filled(kurso).await;
        groups::delete(&world.kurso, &world.owner, world.groups[0]).await.unwrap();
        assert_eq!(world.titles(&world.owner).await, texts(&["All"]));
        assert_eq!(world.told(&world.anna).await, (texts(&["All"]), 0));
        assert_eq!(world.problems().await, texts(&[]));
    }

    async fn damage_is_found(kurso: TestKurso) {
        let world = World::filled(kurso).await;
        assert_eq!(world.problems().await, texts(&[]));
        let other = world.kurso.course(&world.owner, &[]).await;
        let group = groups::create(&world.kurso, &world.owner, other, command(json!({"title": "x"}))).await.unwrap().id;
        sql!("UPDATE announcements SET group_id = $1, content = '{}' WHERE title = 'Evening'", group)
            .execute(&world.kurso.db)
            .await
            .unwrap();
        let problems = world.problems().await;
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems.iter().any(|problem| problem == "its group is of another course"));
        assert!(problems.iter().any(|problem| problem.starts_with("its content cannot be read")));
    }
}
