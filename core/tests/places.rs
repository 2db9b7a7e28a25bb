//! The page that a learner opened last and the place in it, on both databases.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses;
use kurso_core::courses::enrollment::ReadingPlace;
use kurso_core::courses::page;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::learning::places::keep_place;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited, my_progress};
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::json;

async fn keep(kurso: &TestKurso, learner: &Viewer, page: PageId, block: i64) -> Result<CourseView, Error> {
    let place = command(json!({"version": 1, "block": block, "part": 250, "heading": "стек-и-куча"}));
    keep_place(kurso, learner, page, place).await
}

async fn join(kurso: &TestKurso, owner: &Viewer, learner: &Viewer, course: CourseId) {
    let shared = courses::generate_share_code(kurso, owner, course).await.unwrap();
    learning::enroll(kurso, learner, &Origin::default(), &shared.share_code.unwrap())
        .await
        .unwrap();
}

both! {
    async fn one_place_per_course_is_kept_and_read_with_the_course(kurso: TestKurso) {
        let (owner, anna) = (kurso.person("owner").await, kurso.person("anna").await);
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        join(&kurso, &owner, &anna, course).await;
        let view = CourseView::load(&kurso, &anna, course, Right::Read).await.unwrap();
        let pages = [0, 1].map(|place| view.page(place).id);
        let place = async || {
            let view = CourseView::load(&kurso, &anna, course, Right::Read).await.unwrap();
            view.course.enrollment.unwrap().place
        };
        assert_eq!(place().await, None);

        let kept = keep(&kurso, &anna, pages[1], 7).await.unwrap().course.enrollment.unwrap().place;
        let expected = ReadingPlace {
            page: pages[1],
            version: 1,
            block: 7,
            part: 250,
            heading: Some("стек-и-куча".into()),
            at: kurso.clock.now(),
        };
        assert_eq!((kept.as_ref(), place().await.as_ref()), (Some(&expected), Some(&expected)));

        keep(&kurso, &anna, pages[0], 2).await.unwrap();
        let now = place().await.unwrap();
        assert_eq!((now.page, now.block), (pages[0], 2), "only the page opened last");
    }

    async fn only_learners_of_an_open_page_keep_a_place(kurso: TestKurso) {
        let (owner, anna) = (kurso.person("owner").await, kurso.person("anna").await);
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        join(&kurso, &owner, &anna, course).await;
        let view = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap();
        let pages = [0, 1].map(|place| view.page(place).id);

        let refused = keep(&kurso, &owner, pages[0], 1).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::NotEnrolled))));
        let stranger = kurso.person("stranger").await;
        let refused = keep(&kurso, &stranger, pages[0], 1).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::PageNotFound))));
        sql!("UPDATE pages SET published = FALSE WHERE id = $1", pages[1]).execute(&kurso.db).await.unwrap();
        sql!("UPDATE courses SET structure_version = structure_version + 1 WHERE id = $1", course)
            .execute(&kurso.db)
            .await
            .unwrap();
        let refused = keep(&kurso, &anna, pages[1], 1).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::PageNotFound))), "{refused:?}");
    }

    async fn learning_continues_at_the_page_opened_last(kurso: TestKurso) {
        let (owner, anna) = (kurso.person("owner").await, kurso.person("anna").await);
        let course = kurso.course(&owner, &[&[&[Content, Content, Content, Content]]]).await;
        join(&kurso, &owner, &anna, course).await;
        let view = CourseView::load(&kurso, &anna, course, Right::Read).await.unwrap();
        let pages = [0, 1, 2, 3].map(|place| view.page(place).id);
        let next = async || my_progress(&kurso, &anna, course).await.unwrap().next_to_do();
        let minute = || kurso.clock.advance(Duration::minutes(1));

        mark_page_visited(&kurso, &anna, pages[0]).await.unwrap();
        assert_eq!(next().await, Some(1));
        minute();
        let view = keep(&kurso, &anna, pages[2], 5).await.unwrap();
        assert_eq!((view.next_to_do(), next().await), (Some(2), Some(2)), "a page that was begun");
        minute();
        mark_page_visited(&kurso, &anna, pages[2]).await.unwrap();
        assert_eq!(next().await, Some(3), "read to its end");
        minute();
        keep(&kurso, &anna, pages[0], 0).await.unwrap();
        assert_eq!(next().await, Some(1), "from a page that is done to the first one after it that is not");
        minute();
        mark_page_visited(&kurso, &anna, pages[3]).await.unwrap();
        assert_eq!(next().await, Some(1), "a later visit counts again: from the end to the start");
        minute();
        keep(&kurso, &anna, pages[2], 1).await.unwrap();
        page::delete(&kurso, &owner, pages[2]).await.unwrap();
        assert_eq!(next().await, Some(1), "a deleted page means the start of the course");
    }

    async fn a_damaged_reading_place_is_ignored(kurso: TestKurso) {
        let (owner, anna) = (kurso.person("owner").await, kurso.person("anna").await);
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        join(&kurso, &owner, &anna, course).await;
        for text in ["", "{}", "no JSON"] {
            sql!("UPDATE enrollments SET reading_place = $1", text).execute(&kurso.db).await.unwrap();
            let view = CourseView::load(&kurso, &anna, course, Right::Read).await.unwrap();
            assert_eq!(view.course.enrollment.as_ref().unwrap().place, None, "{text}");
            assert_eq!(view.next_to_do(), Some(0));
        }
    }
}
