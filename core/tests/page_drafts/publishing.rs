//! Drafts become what learners read.

use chrono::Duration;
use kurso_base::error::{Error, Loc};
use kurso_base::ids::{PageId, UserId};
use kurso_base::messages::Message;
use kurso_core::both;
use kurso_core::courses::page::publishing::{DraftState, PublishError};
use kurso_core::learning::view;
use kurso_db::sql;
use serde_json::json;

use super::{World, document, incomplete_quiz};

/// The fields that are refused.
fn places(result: Result<Vec<DraftState>, PublishError>) -> Vec<String> {
    let Err(PublishError::Refused(Error::Invalid(errors))) = result else {
        panic!("no 422: {result:?}")
    };
    let step = |loc: &Loc| match loc {
        Loc::Name(name) => name.clone(),
        Loc::Index(index) => index.to_string(),
    };
    errors
        .iter()
        .map(|error| error.loc.iter().map(step).collect::<Vec<_>>().join("."))
        .collect()
}

fn changed(result: Result<Vec<DraftState>, PublishError>) -> Vec<DraftState> {
    match result {
        Err(PublishError::Conflict(changed)) => changed,
        other => panic!("no conflict: {other:?}"),
    }
}

both! {
    async fn publishing_shows_the_draft_to_learners(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let body = json!({"draft": true, "title": "Новое", "content": document("a")});
        w.save(w.page, Some("tab"), body).await.unwrap();
        let tree = w.course_row().await.0;
        w.kurso.clock.advance(Duration::minutes(1));
        let published = w.publish(&[(w.page, 2, 1)]).await.unwrap();
        assert_eq!(published, [DraftState { page_id: w.page, version: None, page_version: 2 }]);
        let page = w.stored(w.page).await;
        assert_eq!((page.version, page.title.as_deref(), page.updated_at), (2, Some("Новое"), w.kurso.clock.now()));
        assert!(w.draft(w.page).await.is_none());
        assert_eq!(w.course_row().await.0, tree + 1, "the title is part of the tree");
        let history = w.history(w.page).await;
        assert_eq!((history[0].version, history[0].published_at), (2, Some(w.kurso.clock.now())));
        assert_eq!(history[0].editor_id, Some(w.owner.id()));
        // The open editor goes on without a conflict, and what was published stays in the history.
        let next = json!({"draft": true, "content": document("b"), "version": 1});
        assert_eq!(w.save(w.page, Some("tab"), next).await.unwrap().version, 3);
        w.publish(&[(w.page, 3, 2)]).await.unwrap();
        w.save(w.page, Some("tab"), json!({"content": document("c")})).await.unwrap();
        assert_eq!(w.numbers(w.page).await, [(4, true), (3, true), (2, true), (1, true)]);
        let audited = sql!("SELECT actor_id, page_id FROM audit WHERE kind = 'changes_published'");
        let audited = audited.fetch_all::<(UserId, Option<PageId>)>(&w.kurso.db).await.unwrap();
        assert_eq!(audited, [(w.owner.id(), Some(w.page)), (w.owner.id(), Some(w.page))]);
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn a_draft_that_is_behind_gets_a_new_number(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.save(w.page, None, json!({"draft": true, "title": "draft"})).await.unwrap();
        w.save(w.page, None, json!({"title": "direct"})).await.unwrap();
        let published = w.publish(&[(w.page, 2, 3)]).await.unwrap();
        assert_eq!(published[0].page_version, 4);
        assert_eq!(w.numbers(w.page).await, [(4, true), (3, true), (1, true)]);
        assert_eq!(w.stored(w.page).await.title.as_deref(), Some("draft"));
    }

    async fn pages_are_published_together_or_not_at_all(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.save(w.page, None, json!({"draft": true, "title": "a"})).await.unwrap();
        let saved = w.save(w.quiz, None, json!({"draft": true, "quiz": incomplete_quiz()})).await.unwrap();
        assert!(saved.is_draft, "a draft may be incomplete");
        let refused = places(w.publish(&[(w.page, 2, 1), (w.quiz, 2, 1)]).await);
        assert!(!refused.is_empty() && refused.iter().all(|place| place.starts_with("body.pages.1.quiz")), "{refused:?}");
        assert_eq!(w.stored(w.page).await.version, 1, "nothing was published");
        let complete = json!({"questions": [{"type": "numeric", "prompt": "2 + 2?", "value": 4}]});
        w.save(w.quiz, None, json!({"draft": true, "quiz": complete})).await.unwrap();
        for stale in [[(w.page, 2, 1), (w.quiz, 2, 1)], [(w.page, 2, 1), (w.quiz, 3, 2)]] {
            let stored = DraftState { page_id: w.quiz, version: Some(3), page_version: 1 };
            assert_eq!(changed(w.publish(&stale).await), [stored]);
        }
        w.publish(&[(w.page, 2, 1), (w.quiz, 3, 1), (w.page, 2, 1)]).await.unwrap();
        assert_eq!((w.stored(w.page).await.version, w.stored(w.quiz).await.version), (2, 3));
        let gone = w.publish(&[(PageId::new(), 2, 1)]).await;
        assert!(matches!(gone, Err(PublishError::Refused(Error::NotFound(Message::PageNotFound)))));
        assert_eq!(changed(w.publish(&[(w.page, 2, 1)]).await)[0].version, None, "it is published already");
    }

    async fn a_quiz_counts_for_attempts_from_its_publication_on(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let row = async || {
            let row = sql!("SELECT quiz_version, max_attempts FROM pages WHERE id = $1", w.quiz);
            row.fetch_one::<(i64, Option<i64>)>(&w.kurso.db).await.unwrap()
        };
        let before = row().await;
        let quiz = json!({"max_attempts": 3, "questions": [{"type": "numeric", "prompt": "2 + 2?", "value": 4}]});
        let saved = w.save(w.quiz, None, json!({"draft": true, "quiz": quiz})).await.unwrap();
        assert_eq!(row().await, before);
        w.publish(&[(w.quiz, saved.version, 1)]).await.unwrap();
        assert_eq!(row().await, (saved.version, Some(3)));
        assert_eq!(view::content(&w.kurso, w.quiz, false).await.unwrap().version, saved.version);
    }
}
