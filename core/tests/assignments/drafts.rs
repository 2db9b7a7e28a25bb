//! Drafts of work on the server: versions, conflicts, files and their end.

use chrono::Duration;
use kurso_base::messages::Message;
use kurso_core::courses::{page, team};
use kurso_core::files::cleanup;
use kurso_core::{both, trash, users};
use kurso_db::sql;

use super::*;

async fn files_left(kurso: &TestKurso) -> i64 {
    let (count,) = sql!("SELECT COUNT(*) FROM files WHERE is_private")
        .fetch_one::<(i64,)>(&kurso.db)
        .await
        .unwrap();
    count
}

/// Runs the cleanup job twice with the grace period between.
async fn clean(kurso: &TestKurso) {
    cleanup::delete_unused(kurso).await.unwrap();
    kurso.clock.advance(kurso.uploads.limits.grace + Duration::seconds(1));
    cleanup::delete_unused(kurso).await.unwrap();
}

/// Does something else while a draft is being saved, which waits for the row of the draft before.
async fn while_saving<T>(
    kurso: &TestKurso,
    class: &Class,
    anna: &Viewer,
    draft: Value,
    act: impl Future<Output = T>,
) -> T {
    // Long enough for the other to reach the lock that it waits for.
    let others_wait = || tokio::time::sleep(std::time::Duration::from_millis(300));
    let mut tx = kurso.db.begin().await.unwrap();
    // After an update, the save would wait at its first statement already. SQLite has one writer, so that no two changes overlap.
    if kurso.db.name() == "postgres" {
        let lock = sql!("SELECT version FROM answer_drafts FOR UPDATE");
        lock.fetch_all::<(i64,)>(&mut tx).await.unwrap();
    }
    let act = async {
        others_wait().await;
        act.await
    };
    let unlock = async {
        others_wait().await;
        others_wait().await;
        tx.commit().await.unwrap();
    };
    let (saved, done, ()) = tokio::join!(class.save(kurso, anna, draft), act, unlock);
    saved.unwrap();
    assert_consistent(kurso).await;
    done
}

both! {
    async fn a_draft_is_saved_read_and_replaced(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let (boris, _) = class.learner(&kurso, "boris").await;
        assert_eq!(class.draft(&kurso, &anna).await, None);
        let file = class.upload(&kurso.kurso, &anna, "work.pdf").await;
        let body = json!({"version": 0, "content": "So far", "file_ids": [file.id], "links": ["https://exa", ""]});
        let saved = class.saved(&kurso, &anna, body).await.unwrap();
        assert_eq!((saved.version, saved.question_id, saved.saved_at), (1, class.question, kurso.clock.now()));
        assert_eq!((text(saved.work.content.as_ref()), saved.work.links.len()), ("So far".to_owned(), 2));
        assert!(saved.work.files[0].url().contains("signature="));
        assert_eq!(class.draft(&kurso, &anna).await.as_ref(), Some(&saved));
        assert_eq!(class.draft(&kurso, &boris).await, None, "a draft is its learner's");
        let [of_anna, of_boris] = [(class.page, anna.id()), (class.page, boris.id())];
        let drafts = attempts::drafts(&kurso, &[of_anna, of_boris]).await.unwrap();
        assert_eq!((drafts.get(&of_anna), drafts.len()), (Some(&saved), 1));
        assert!(attempts::drafts(&kurso, &[of_boris]).await.unwrap().is_empty());
        let next = class.saved(&kurso, &anna, json!({"version": 1, "content": "Further"})).await.unwrap();
        assert_eq!((next.version, next.work.files.len()), (2, 0));
        assert_consistent(&kurso).await;
    }

    async fn a_stale_draft_changes_nothing_and_returns_what_is_stored(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let file = class.upload(&kurso.kurso, &anna, "work.pdf").await;
        let first = class.saved(&kurso, &anna, json!({"version": 0, "content": "One", "file_ids": [file.id]})).await;
        // Sent again, because the response was lost.
        assert_eq!(class.saved(&kurso, &anna, json!({"version": 0, "content": "One", "file_ids": [file.id]})).await, first);
        let stale = class.save(&kurso, &anna, json!({"version": 0, "content": "Another"})).await.unwrap();
        assert_eq!(stale, SavedDraft::Stale(first.clone()));
        assert_eq!(class.draft(&kurso, &anna).await, first);
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 1, "the refused save does not release the file");
        assert_consistent(&kurso).await;
    }

    async fn handing_in_and_discarding_end_a_draft_and_its_version(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        assert_eq!(class.saved(&kurso, &anna, json!({"version": 0})).await, None);
        let first = class.saved(&kurso, &anna, json!({"version": 0, "content": "One"})).await.unwrap();
        class.write(&kurso, &anna, "One").await;
        assert_eq!(class.draft(&kurso, &anna).await, None);
        // Another window still has the old draft: it must not replace a new one that happens to have the same number.
        let stale = class.save(&kurso, &anna, json!({"version": first.version, "content": "Old"})).await.unwrap();
        assert_eq!(stale, SavedDraft::Stale(None));
        let second = class.saved(&kurso, &anna, json!({"version": 0, "content": "Two"})).await.unwrap();
        assert!(second.version > first.version);
        let stale = class.save(&kurso, &anna, json!({"version": first.version, "content": "Old"})).await.unwrap();
        assert_eq!(stale, SavedDraft::Stale(Some(second.clone())));
        assert_eq!(class.saved(&kurso, &anna, json!({"version": second.version, "content": " ", "links": [""]})).await, None);
        assert_eq!(class.draft(&kurso, &anna).await, None);
    }

    async fn files_of_a_draft_survive_the_cleanup_until_they_are_taken_out(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let kept = class.upload(&kurso.kurso, &anna, "kept.pdf").await;
        let other = class.upload(&kurso.kurso, &anna, "other.pdf").await;
        let draft = class.saved(&kurso, &anna, json!({"version": 0, "file_ids": [kept.id, other.id]})).await.unwrap();
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 2);
        let draft = class.saved(&kurso, &anna, json!({"version": draft.version, "file_ids": [kept.id]})).await.unwrap();
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 1);
        assert_eq!(fields(class.save(&kurso, &anna, json!({"version": draft.version, "file_ids": [other.id]})).await), ["unknown_id [file_ids,0]"]);
        let answer = json!({"file_ids": [kept.id]});
        class.hand_in(&kurso, &anna, answer).await.unwrap();
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 1, "it is handed in now");
        assert_consistent(&kurso).await;
    }

    async fn files_of_a_draft_that_has_ended_are_deleted_after_the_grace_period(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let first = class.upload(&kurso.kurso, &anna, "first.pdf").await;
        let saved = class.saved(&kurso, &anna, json!({"version": 0, "content": "One", "file_ids": [first.id]})).await.unwrap();
        assert_eq!(class.saved(&kurso, &anna, json!({"version": saved.version})).await, None);
        assert_consistent(&kurso).await;
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 0, "the draft was discarded");
        let second = class.upload(&kurso.kurso, &anna, "second.pdf").await;
        let third = class.upload(&kurso.kurso, &anna, "third.pdf").await;
        class.saved(&kurso, &anna, json!({"version": 0, "file_ids": [second.id, third.id]})).await.unwrap();
        class.hand_in(&kurso, &anna, json!({"file_ids": [third.id]})).await.unwrap();
        assert_consistent(&kurso).await;
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 1, "only one file was handed in");
    }

    /// The next version starts from the last one, with its files. A reset must not take them from the draft.
    async fn a_reset_leaves_the_draft_and_its_files(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let kept = class.upload(&kurso.kurso, &anna, "kept.pdf").await;
        let gone = class.upload(&kurso.kurso, &anna, "gone.pdf").await;
        class.hand_in(&kurso, &anna, json!({"file_ids": [kept.id, gone.id]})).await.unwrap();
        class.saved(&kurso, &anna, json!({"version": 0, "file_ids": [kept.id]})).await.unwrap();
        attempts::reset(&kurso, &class.teacher, enrollment, class.page).await.unwrap();
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 1);
        assert_eq!(class.draft(&kurso, &anna).await.unwrap().work.files[0].id, kept.id);
        assert_consistent(&kurso).await;
        class.hand_in(&kurso, &anna, json!({"file_ids": [kept.id]})).await.unwrap();
        assert_consistent(&kurso).await;
    }

    async fn a_draft_is_saved_whenever_its_page_can_be_read(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        class.write(&kurso, &anna, "One").await;
        class.saved(&kurso, &anna, json!({"version": 0, "content": "No attempt is left"})).await.unwrap();
        let now = kurso.clock.now();
        let dates = |from: Option<i64>, until: Option<i64>| {
            let at = |days: Option<i64>| days.map(|days| now + Duration::days(days));
            command(json!({"available_from": at(from), "available_until": at(until)}))
        };
        page::update(&kurso, &class.owner, class.page, None, dates(None, Some(1))).await.unwrap();
        kurso.clock.advance(Duration::days(2));
        let closed = class.save(&kurso, &anna, json!({"version": 2, "content": "Closed"})).await;
        let version = class.draft(&kurso, &anna).await.unwrap().version;
        assert!(closed.is_ok(), "{closed:?}");
        assert!(matches!(class.hand_in(&kurso, &anna, json!({"content": "Late"})).await, Err(Error::Closed { .. })));
        page::update(&kurso, &class.owner, class.page, None, dates(Some(9), Some(10))).await.unwrap();
        let locked = class.save(&kurso, &anna, json!({"version": version, "content": "Locked"})).await;
        assert!(matches!(locked, Err(Error::Locked { .. })), "{locked:?}");
        for (who, is_found) in [(&class.teacher, true), (&kurso.person("stranger").await, false)] {
            let refused = class.save(&kurso, who, json!({"version": 0, "content": "Mine"})).await;
            assert!(matches!((is_found, &refused), (true, Err(Error::Forbidden(_))) | (false, Err(Error::NotFound(_)))), "{refused:?}");
        }
    }

    async fn a_quiz_has_no_drafts(kurso: TestKurso) {
        let quiz = crate::assessments::class(&kurso, &crate::assessments::questions("at_once")).await;
        let (boris, _) = quiz.learner(&kurso, "boris").await;
        let refused = attempts::draft(&kurso, &boris, quiz.page).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::NoAssignment))), "{refused:?}");
    }

    async fn drafts_stay_when_a_learner_leaves_and_go_with_pages_and_accounts(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let (boris, _) = class.learner(&kurso, "boris").await;
        let file = class.upload(&kurso.kurso, &anna, "work.pdf").await;
        class.saved(&kurso, &anna, json!({"version": 0, "file_ids": [file.id]})).await.unwrap();
        class.saved(&kurso, &boris, json!({"version": 0, "content": "Mine"})).await.unwrap();
        team::leave(&kurso, &anna, class.course).await.unwrap();
        class.enroll(&kurso, &anna).await;
        assert_eq!(class.draft(&kurso, &anna).await.unwrap().work.files.len(), 1);
        let superuser = kurso.superuser("root").await;
        users::delete(&kurso, &superuser, boris.id()).await.unwrap();
        let count = async || sql!("SELECT COUNT(*) FROM answer_drafts").fetch_one::<(i64,)>(&kurso.db).await.unwrap().0;
        assert_eq!(count().await, 1);
        page::delete(&kurso, &class.owner, class.page).await.unwrap();
        assert_eq!(count().await, 0);
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 1, "the trash keeps them");
        let entry = trash::of_course(&kurso, &class.owner, class.course).await.unwrap().remove(0);
        trash::delete_forever(&kurso, &class.owner, entry.id).await.unwrap();
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 0);
        assert_consistent(&kurso).await;
    }

    async fn a_submission_ends_a_draft_that_is_being_saved_with_its_files(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let file = class.upload(&kurso.kurso, &anna, "work.pdf").await;
        let first = class.saved(&kurso, &anna, json!({"version": 0, "content": "One"})).await.unwrap();
        let draft = json!({"version": first.version, "content": "Two", "file_ids": [file.id]});
        while_saving(&kurso, &class, &anna, draft, class.write(&kurso, &anna, "One")).await;
        assert_eq!(class.draft(&kurso, &anna).await, None);
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 0);
    }

    async fn a_reset_leaves_the_files_of_a_draft_that_is_being_saved(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let file = class.upload(&kurso.kurso, &anna, "work.pdf").await;
        class.hand_in(&kurso, &anna, json!({"file_ids": [file.id]})).await.unwrap();
        let first = class.saved(&kurso, &anna, json!({"version": 0, "content": "One"})).await.unwrap();
        let draft = json!({"version": first.version, "content": "Two", "file_ids": [file.id]});
        let reset = attempts::reset(&kurso, &class.teacher, enrollment, class.page);
        while_saving(&kurso, &class, &anna, draft, reset).await.unwrap();
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 1);
        assert_eq!(class.draft(&kurso, &anna).await.unwrap().work.files.len(), 1);
    }

    /// Of two windows that save at once, one wins and the other learns of it. Nothing else may happen, whatever a submission does meanwhile.
    async fn concurrent_saves_and_submissions_lose_nothing_in_silence(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let file = class.upload(&kurso.kurso, &anna, "work.pdf").await;
        let other = class.upload(&kurso.kurso, &anna, "other.pdf").await;
        for round in 0..10 {
            let version = class.draft(&kurso, &anna).await.map_or(0, |draft| draft.version);
            let body = |name: &str| json!({"version": version, "content": format!("{name} {round}"), "file_ids": [file.id]});
            let (one, two) = tokio::join!(class.save(&kurso, &anna, body("one")), class.save(&kurso, &anna, body("two")));
            let stored = [one.unwrap(), two.unwrap()].into_iter().filter(|saved| matches!(saved, SavedDraft::Stored(_))).count();
            assert_eq!(stored, 1);
            let version = class.draft(&kurso, &anna).await.unwrap().version;
            let body = json!({"version": version, "content": format!("three {round}"), "file_ids": [other.id]});
            let (saved, handed_in) = tokio::join!(
                class.save(&kurso, &anna, body),
                class.hand_in(&kurso, &anna, json!({"content": "work", "file_ids": [file.id]})),
            );
            handed_in.unwrap();
            let draft = class.draft(&kurso, &anna).await;
            match saved.unwrap() {
                // It was saved before the submission, which ended it.
                SavedDraft::Stored(Some(_)) => assert!(draft.is_none_or(|draft| text(draft.work.content.as_ref()) == format!("three {round}"))),
                SavedDraft::Stale(None) => assert_eq!(draft, None),
                other => panic!("{other:?}"),
            }
            assert_consistent(&kurso).await;
        }
    }
}
