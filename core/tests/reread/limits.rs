//! Whose texts a learner can get: the one that they have read, and no other.

use kurso_core::learning::mark_page_visited_by_token;
use kurso_core::preview::{self, Preview};

use super::*;

both! {
    async fn a_visit_notes_the_version_that_was_shown(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.boris, Some(7)).await;
        assert_eq!(w.read_version(&w.boris).await, Some(1), "no version of the future");
        w.write("b", None).await;
        w.visit(&w.anna, Some(1)).await;
        let change = w.change(&w.anna).await.unwrap();
        assert_eq!((change.version, change.before), (2, None), "it was replaced while she read");
        assert_eq!(w.before(&w.boris).await, Some((1, "a".to_owned())));
        w.visit(&w.anna, None).await;
        assert!(w.change(&w.anna).await.is_some());
        w.reread(&w.anna, 2).await.unwrap();
        assert_eq!(w.change(&w.anna).await, None);
        w.write("c", None).await;
        assert_eq!(w.before(&w.anna).await, Some((2, "b".to_owned())));
    }

    async fn a_claimed_version_returns_no_text(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.write("withdrawn", None).await;
        assert_eq!(w.write_draft("secret").await, 3);
        w.write("d", None).await;
        w.save(w.page, json!({"published": false, "title": "hidden", "content": document("hidden")})).await;
        w.save(w.page, json!({"published": true, "title": "d", "content": document("d")})).await;
        let present = page::get(&w.kurso, &w.owner, w.page).await.unwrap().version;
        for version in 0..present {
            let learner = w.kurso.person(&format!("learner{version}")).await;
            w.enroll(&learner).await;
            w.visit(&learner, Some(version)).await;
            assert_eq!(w.read_version(&learner).await, Some(version));
            // The response does not even reveal whether the text of that version equals the present text.
            let change = w.change(&learner).await.unwrap();
            assert_eq!((change.version, change.before), (present, None), "{version}");
            for earlier in 0..present {
                w.reread(&learner, earlier).await.unwrap();
                assert_eq!(w.read_version(&learner).await, Some(version), "nor by reading it again");
            }
        }
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn reading_again_never_goes_back_or_ahead(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        w.write("b", None).await;
        w.write("c", None).await;
        w.visit(&w.boris, None).await;
        w.reread(&w.anna, 2).await.unwrap();
        let change = w.change(&w.anna).await.unwrap();
        assert_eq!(change.version, 3, "what is newer is still to be read");
        assert_eq!(w.before(&w.anna).await, Some((1, "a".to_owned())));
        for future in [4, i64::MAX] {
            assert!(matches!(w.reread(&w.anna, future).await, Err(Error::NotFound(Message::VersionNotFound))));
        }
        w.reread(&w.anna, 3).await.unwrap();
        w.reread(&w.anna, 1).await.unwrap();
        assert_eq!((w.read_version(&w.anna).await, w.read_version(&w.boris).await), (Some(3), Some(3)));
        w.write("d", None).await;
        w.reread(&w.anna, 4).await.unwrap();
        assert_eq!(w.read_version(&w.boris).await, Some(3), "each learner has their own");
        assert_eq!(w.before(&w.boris).await, Some((3, "c".to_owned())));
    }

    async fn only_learners_of_an_open_page_are_told(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        w.visit(&w.boris, None).await;
        w.write("b", None).await;
        let stranger = w.kurso.person("stranger").await;
        assert!(matches!(w.reread(&stranger, 2).await, Err(Error::NotFound(Message::PageNotFound))));
        assert!(matches!(w.reread(&w.owner, 2).await, Err(Error::Forbidden(Message::NotEnrolled))));
        assert_eq!(w.change(&w.owner).await, None);
        // Staff see nothing of it in a preview, whoever they preview as.
        let anna = w.enroll(&w.anna).await;
        for enrollment_id in [Some(anna), None] {
            let preview = Preview { enrollment_id, ..Preview::default() };
            let (view, place) = preview::page(&w.kurso, &w.owner, w.page, preview).await.unwrap();
            assert_eq!(view.reading(place), None);
        }
        // A teacher who learns too is told as a learner.
        w.enroll(&w.owner).await;
        w.visit(&w.owner, None).await;
        w.write("c", None).await;
        assert_eq!(w.before(&w.owner).await, Some((2, "b".to_owned())));
        let drafted = CourseView::load_by_drafted_page(&w.kurso, &w.owner, w.page).await.unwrap();
        assert_eq!(drafted.0.reading(drafted.1), None);
        w.save(w.page, json!({"available_from": w.now() + Duration::minutes(10)})).await;
        assert_eq!(w.change(&w.anna).await, None, "it is locked");
        assert!(matches!(w.reread(&w.anna, 3).await, Err(Error::Locked { .. })));
        w.wait(20);
        assert!(w.change(&w.anna).await.is_some());
        let view = CourseView::load(&w.kurso, &w.anna, w.course, Right::Read).await.unwrap();
        let place = view.tree.place(w.page).unwrap();
        let reading = view.reading(place).unwrap();
        w.save(w.page, json!({"published": false})).await;
        assert!(reading::changes(&w.kurso, &[reading]).await.unwrap().is_empty());
    }

    async fn visits_in_a_batch_keep_what_each_learner_was_shown(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let mut learners = Vec::new();
        for number in 0..20 {
            let account = w.kurso.account(&format!("learner{number}"), false).await;
            let viewer = w.kurso.viewer(&account).await;
            w.enroll(&viewer).await;
            learners.push((viewer, w.kurso.token(&account.email).await));
        }
        w.visit(&w.anna, None).await; // numbers the pages
        w.wait(1);
        w.write("b", None).await;
        w.write("c", None).await;
        let shown = |number: usize| [None, Some(1), Some(2), Some(3), Some(9)][number % 5];
        let visits = learners.iter().enumerate().map(|(number, (_, token))| {
            let opened = Opened { page: w.page, version: shown(number) };
            mark_page_visited_by_token(&w.kurso, token, opened)
        });
        let visited = futures_util::future::join_all(visits).await;
        assert!(visited.iter().all(Option::is_some));
        for (number, (learner, _)) in learners.iter().enumerate() {
            let expected = shown(number).filter(|version| *version < 3).unwrap_or(3);
            assert_eq!(w.read_version(learner).await, Some(expected), "{number}");
        }
        assert_eq!(w.problems().await, [""; 0]);
    }
}
