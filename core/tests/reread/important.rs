//! The important changes of all courses of a learner.

use kurso_core::courses::team;
use kurso_core::learning::reading::important_changes;

use super::*;

impl World {
    /// Titles and times of the listed changes.
    async fn listed(&self, who: &Viewer) -> Vec<(String, DateTime<Utc>)> {
        let found = important_changes(&self.kurso, who).await.unwrap();
        let changes = found.changes.iter().map(|change| {
            let page = found.views[change.view].page(change.place);
            (page.title.clone().unwrap(), change.changed_at)
        });
        changes.collect()
    }

    async fn titles(&self, who: &Viewer) -> Vec<String> {
        self.listed(who).await.into_iter().map(|(title, _)| title).collect()
    }

    /// Another course of the owner with a page that the learner has read. Returns the page.
    async fn another_course(&self, who: &Viewer, title: &str) -> (CourseId, PageId) {
        let course = self.kurso.course(&self.owner, &[&[&[Content]]]).await;
        let shared = courses::generate_share_code(&self.kurso, &self.owner, course)
            .await
            .unwrap();
        let code = shared.share_code.unwrap();
        learning::enroll(&self.kurso, who, &Origin::default(), &code)
            .await
            .unwrap();
        let view = CourseView::load(&self.kurso, who, course, Right::Read).await.unwrap();
        let page = view.page(0).id;
        mark_page_visited(&self.kurso, who, page).await.unwrap();
        let body = json!({"title": title, "content": document(title), "importance": "important"});
        self.save(page, body).await;
        (course, page)
    }
}

both! {
    async fn the_changes_of_what_was_read_are_listed_newest_first(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        w.write("b", None).await;
        assert!(w.titles(&w.anna).await.is_empty(), "a correction is not listed");
        w.write("c", Some(Importance::Important)).await;
        let first = w.now();
        w.wait(1);
        w.write("d", None).await;
        assert_eq!(w.listed(&w.anna).await, [("d".to_owned(), first)], "the time is that of the important version");
        w.wait(1);
        w.another_course(&w.anna, "other").await;
        assert_eq!(w.listed(&w.anna).await, [("other".to_owned(), w.now()), ("d".to_owned(), first)]);
        assert!(w.titles(&w.boris).await.is_empty(), "he has read nothing");
        assert!(w.titles(&w.owner).await.is_empty());
        w.reread(&w.anna, 4).await.unwrap();
        assert_eq!(w.titles(&w.anna).await, ["other"]);
        w.write("e", Some(Importance::Important)).await;
        w.write("d", None).await;
        assert_eq!(w.titles(&w.anna).await, ["other"], "it is again as she has read it");
    }

    async fn only_pages_that_can_be_read_now_are_listed(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        w.write("b", Some(Importance::Important)).await;
        let (left, _) = w.another_course(&w.anna, "other").await;
        assert_eq!(w.titles(&w.anna).await.len(), 2);
        team::leave(&w.kurso, &w.anna, left).await.unwrap();
        assert_eq!(w.titles(&w.anna).await, ["b"]);
        w.save(w.page, json!({"available_from": w.now() + Duration::minutes(10)})).await;
        assert!(w.titles(&w.anna).await.is_empty(), "it is locked");
        w.wait(20);
        assert_eq!(w.titles(&w.anna).await, ["b"]);
        w.save(w.page, json!({"published": false})).await;
        assert!(w.titles(&w.anna).await.is_empty());
        w.save(w.page, json!({"published": true})).await;
        page::delete(&w.kurso, &w.owner, w.page).await.unwrap();
        assert!(w.titles(&w.anna).await.is_empty());
    }

    async fn locked_changes_do_not_hide_others_and_fifty_are_listed(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let lesson = CourseView::load(&w.kurso, &w.owner, w.course, Right::Read).await.unwrap().lesson(0).id;
        let mut pages = Vec::new();
        for number in 0..60 {
            let body = json!({"title": format!("page {number}")});
            pages.push(page::create(&w.kurso, &w.owner, lesson, command(body)).await.unwrap().id);
        }
        for page in &pages {
            mark_page_visited(&w.kurso, &w.anna, *page).await.unwrap();
        }
        for page in &pages {
            w.wait(1);
            w.save(*page, json!({"content": document("new"), "importance": "important"})).await;
        }
        let newest = |from: usize| (from - 49..=from).rev().map(|number| format!("page {number}")).collect::<Vec<_>>();
        assert_eq!(w.titles(&w.anna).await, newest(59));
        let opens = w.now() + Duration::minutes(10);
        for page in &pages[55..] {
            w.save(*page, json!({"available_from": opens})).await;
        }
        assert_eq!(w.titles(&w.anna).await, newest(54));
    }

    async fn the_list_takes_few_statements_for_any_number_of_courses(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        let used = async || {
            w.titles(&w.anna).await; // the trees are known afterwards
            let before = w.kurso.db.statements();
            let listed = w.titles(&w.anna).await.len();
            (listed, w.kurso.db.statements() - before)
        };
        assert_eq!(used().await, (0, 1));
        w.write("b", Some(Importance::Important)).await;
        assert_eq!(used().await, (1, 2));
        for title in ["c", "d", "e"] {
            w.another_course(&w.anna, title).await;
        }
        assert_eq!(used().await, (4, 2));
        let view = CourseView::load(&w.kurso, &w.anna, w.course, Right::Read).await.unwrap();
        let reading = view.reading(view.tree.place(w.page).unwrap()).unwrap();
        let before = w.kurso.db.statements();
        reading::changes(&w.kurso, &[reading, reading]).await.unwrap();
        reading::changes(&w.kurso, &[]).await.unwrap();
        assert_eq!(w.kurso.db.statements() - before, 1);
    }
}
