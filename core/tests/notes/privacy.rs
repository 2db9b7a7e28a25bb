//! Nobody reads what others keep, and nobody reads by notes what they may not read.

use super::*;

both! {
    async fn nobody_reads_or_changes_notes_of_others(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let note = world.of_owner().await;
        let superuser = world.kurso.superuser("root").await;
        let teacher = world.kurso.person("teacher").await;
        world.kurso.collaborator(world.course, &teacher, "teacher").await;
        let stranger = world.kurso.person("stranger").await;
        for other in [&world.owner, &teacher, &world.boris, &superuser] {
            assert_eq!(world.on_page(other).await.unwrap(), vec![]);
            let listed = world.in_course(other, NoteFilter::default()).await.unwrap();
            assert_eq!((listed.notes.count, listed.bookmarks.len()), (0, 0));
            let text = notes::markdown(&world.kurso, other, world.course, Lang::Ru).await.unwrap();
            assert!(!text.contains("Only one!"), "{text}");
        }
        for other in [&world.owner, &teacher, &world.boris, &superuser, &stranger] {
            let change = command(json!({"version": 1, "body": "x"}));
            let changed = notes::update(&world.kurso, other, note.id, change).await;
            assert!(matches!(changed, Err(Error::NotFound(Message::NoteNotFound))), "{changed:?}");
            let deleted = notes::delete(&world.kurso, other, note.id).await;
            assert!(matches!(deleted, Err(Error::NotFound(Message::NoteNotFound))), "{deleted:?}");
        }
        assert!(matches!(world.on_page(&stranger).await, Err(Error::NotFound(_))));
        assert!(matches!(world.in_course(&stranger, NoteFilter::default()).await, Err(Error::NotFound(_))));
        assert_eq!(world.on_page(&world.anna).await.unwrap(), [note]);
    }

    async fn words_of_a_page_that_closed_are_withheld(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let note = world.of_owner().await;
        let opens = (world.kurso.clock.now() + chrono::Duration::days(1)).to_rfc3339();
        for (closing, opening) in [
            (json!({"published": false}), json!({"published": true})),
            (json!({"available_from": opens}), json!({"available_from": null})),
        ] {
            world.update(closing.clone()).await;
            assert!(world.on_page(&world.anna).await.is_err(), "{closing}");
            let listed = world.in_course(&world.anna, NoteFilter::default()).await.unwrap();
            assert_eq!((&listed.notes.data[0].about, listed.notes.data[0].body.as_str()), (&About::Withheld, "Only one!"), "{closing}");
            // Searching does not tell the words either.
            let search = NoteFilter { color: None, search: Some(kurso_base::values::NoteSearch::parse("owner").unwrap()) };
            assert_eq!(world.in_course(&world.anna, search).await.unwrap().notes.count, 0, "{closing}");
            let text = notes::markdown(&world.kurso, &world.anna, world.course, Lang::Ru).await.unwrap();
            assert!(text.contains("Only one!") && !text.contains("owner"), "{text}");
            assert!(world.note(&world.anna, json!({"body": "More"})).await.is_err(), "{closing}");
            world.update(opening).await;
            assert_eq!(world.on_page(&world.anna).await.unwrap(), std::slice::from_ref(&note), "{closing}");
        }
    }

    async fn who_has_left_keeps_their_own_words(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let note = world.of_owner().await;
        kurso_core::courses::team::leave(&world.kurso, &world.anna, world.course).await.unwrap();
        let listed = world.in_course(&world.anna, NoteFilter::default()).await.unwrap();
        assert!(listed.view.is_none());
        let courses = notes::noted_courses(&world.kurso, &world.anna).await.unwrap();
        let left: Vec<_> = courses.iter().map(|course| (course.id, course.notes, course.has_left)).collect();
        assert_eq!(left, [(world.course, 1, true)]);
        assert_eq!((&listed.notes.data[0].about, listed.notes.data[0].body.as_str()), (&About::Withheld, "Only one!"));
        let change = command(json!({"version": 1, "body": "Changed"}));
        let changed = notes::update(&world.kurso, &world.anna, note.id, change).await.unwrap();
        assert_eq!((&changed.about, changed.body.as_str()), (&About::Withheld, "Changed"));
        let text = notes::markdown(&world.kurso, &world.anna, world.course, Lang::En).await.unwrap();
        assert!(text.contains("Changed") && !text.contains("owner"), "{text}");
        notes::delete(&world.kurso, &world.anna, note.id).await.unwrap();
        assert!(matches!(world.in_course(&world.anna, NoteFilter::default()).await, Err(Error::NotFound(Message::CourseNotFound))));
    }

    async fn courses_with_notes_are_listed_only_for_the_author_of_the_notes(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let listed = async |viewer: &Viewer| {
            let courses = notes::noted_courses(&world.kurso, viewer).await.unwrap();
            courses.into_iter().map(|course| (course.id, course.notes, course.has_left)).collect::<Vec<_>>()
        };
        assert_eq!(listed(&world.anna).await, []);
        world.note(&world.anna, json!({"body": "Mine"})).await.unwrap();
        world.note(&world.anna, json!({"body": "Mine"})).await.unwrap();
        assert_eq!(listed(&world.anna).await, [(world.course, 2, false)]);
        assert_eq!(listed(&world.owner).await, []);
    }

    async fn learners_quote_only_texts_that_they_have_read(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let opened = learning::Opened { page: world.page, version: Some(2) };
        learning::mark_page_visited(&world.kurso, &world.anna, opened).await.unwrap();
        world.write(&[paragraph("Something else")]).await;
        world.write(&[paragraph("And again")]).await;
        let words = |version: i64, quote: &str| json!({"version": version, "block": 0, "quote": quote});
        // The last one that was read, the published one, and one in between.
        assert_eq!(place(&world.note(&world.anna, words(2, "a set of rules")).await.unwrap()), None);
        assert_eq!(place(&world.note(&world.anna, words(4, "again")).await.unwrap()), at(0, 4, 9));
        let between = world.note(&world.anna, words(3, "else")).await;
        assert!(matches!(between, Err(Error::Conflict(Message::PageChanged))), "{between:?}");
    }
}
