//! The list of notices: order, pagination, unread notices, live updates, retention.

use chrono::Duration;
use kurso_base::ids::{NoticeId, UserId};
use kurso_core::both;
use kurso_core::inbox::{MarkAllRead, NoticesWatch};
use kurso_core::notices::{delete_old, retention};
use uuid::Uuid;

use super::*;

/// Stores notices of a person that depend only on a job of theirs.
async fn fill(kurso: &TestKurso, who: &Viewer, count: usize) -> Vec<NoticeId> {
    let mut ids = vec![];
    for _ in 0..count {
        let (id, job) = (NoticeId::new(), Uuid::now_v7());
        sql!(
            "INSERT INTO jobs (id, kind, owner_id, state, payload, wanted_at, created_at, updated_at)
             VALUES ($1, 'import', $2, 'done', '{}', $3, $3, $3)",
            job,
            who.id(),
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
        insert(kurso, who.id(), id, job).await;
        ids.push(id);
    }
    ids
}

async fn insert(kurso: &TestKurso, who: UserId, id: NoticeId, job: Uuid) {
    sql!(
        "INSERT INTO notices (id, user_id, kind, subject, happened_at, mail_at) VALUES ($1, $2, 'import_done', $3, $4, $4)",
        id,
        who,
        job,
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
}

both! {
    async fn the_list_is_read_page_by_page(kurso: TestKurso) {
        let (anna, boris) = (kurso.person("anna").await, kurso.person("boris").await);
        let mut ids = fill(&kurso, &anna, 5).await;
        fill(&kurso, &boris, 1).await;
        ids.reverse();
        let read = async |wanted: Wanted| {
            let list = inbox::list(&kurso, &anna, wanted).await.unwrap();
            (list.items.iter().map(|notice| notice.id).collect::<Vec<_>>(), list.next, list.unread)
        };
        let first = Wanted { first: 2, ..Wanted::default() };
        assert_eq!(read(first).await, (ids[..2].to_vec(), Some(ids[1]), 5));
        assert_eq!(read(Wanted { after: Some(ids[1]), ..first }).await, (ids[2..4].to_vec(), Some(ids[3]), 5));
        assert_eq!(read(Wanted { after: Some(ids[3]), ..first }).await, (ids[4..].to_vec(), None, 5));
        assert_eq!(read(Wanted { skip: 3, ..first }).await, (ids[3..].to_vec(), None, 5));
        inbox::mark_read(&kurso, &anna, &[ids[0], ids[3]]).await.unwrap();
        let unread = Wanted { unread_only: true, first: 10, ..first };
        assert_eq!(read(unread).await, (vec![ids[1], ids[2], ids[4]], None, 3));
        assert_eq!(read(Wanted::default()).await, (vec![], None, 3), "only the number");
    }

    async fn notices_of_others_cannot_be_marked(kurso: TestKurso) {
        let (anna, boris) = (kurso.person("anna").await, kurso.person("boris").await);
        let ids = fill(&kurso, &anna, 3).await;
        fill(&kurso, &boris, 1).await;
        assert_eq!(inbox::mark_read(&kurso, &boris, &ids).await.unwrap(), 1);
        assert_eq!(listed(&kurso, &anna).await.unread, 3);
        // A notice that arrived after the newest one shown stays unread.
        let all = MarkAllRead { before: ids[1] };
        assert_eq!(inbox::mark_all_read(&kurso, &anna, all).await.unwrap(), 1);
        assert_eq!(listed(&kurso, &boris).await.unread, 1);
        let due = sql!("SELECT COUNT(*) FROM notices WHERE mail_at IS NOT NULL").fetch_one::<(i64,)>(&kurso.db);
        assert_eq!(due.await.unwrap().0, 2, "no mail is due about what was read");
    }

    async fn at_most_a_hundred_unread_notices_are_counted(kurso: TestKurso) {
        let anna = kurso.person("anna").await;
        fill(&kurso, &anna, 120).await;
        let list = listed(&kurso, &anna).await;
        assert_eq!((list.items.len(), list.next.is_some(), list.unread), (100, true, 100));
    }

    async fn notices_that_are_only_mailed_are_not_listed(kurso: TestKurso) {
        let anna = kurso.person("anna").await;
        let ids = fill(&kurso, &anna, 2).await;
        sql!("UPDATE notices SET in_app = FALSE WHERE id = $1", ids[0]).execute(&kurso.db).await.unwrap();
        let list = listed(&kurso, &anna).await;
        assert_eq!((list.items.len(), list.unread), (1, 1));
        assert_eq!(inbox::visible(&kurso, anna.id(), &ids).await.unwrap().len(), 2);
    }

    async fn old_notices_are_deleted(kurso: TestKurso) {
        let anna = kurso.person("anna").await;
        fill(&kurso, &anna, 2).await;
        kurso.clock.advance(Duration::days(1));
        fill(&kurso, &anna, 1).await;
        kurso.clock.advance(retention() - Duration::days(1));
        assert_eq!(delete_old(&kurso).await.unwrap(), 2);
        assert_eq!(delete_old(&kurso).await.unwrap(), 0);
        assert_eq!(stored(&kurso).await, 1);
    }

    async fn subscribers_receive_new_and_read_notices(kurso: TestKurso) {
        let class = crate::assessments::class(&kurso, &crate::assessments::questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let mut watch = NoticesWatch::start(&kurso, &anna).await;
        let mut other = NoticesWatch::start(&kurso, &class.editor).await;
        for watch in [&mut watch, &mut other] {
            let present = watch.next(&kurso).await.unwrap().unwrap();
            assert_eq!((present.unread, present.newest), (0, None));
        }
        class.assess(&kurso, attempt.id, 0, 3.0).await.unwrap();
        let arrived = watch.next(&kurso).await.unwrap().unwrap();
        let newest = arrived.newest.unwrap();
        assert_eq!((arrived.unread, newest.kind.name(), newest.subject), (1, "graded", attempt.id.0));
        inbox::mark_read(&kurso, &anna, &[newest.id]).await.unwrap();
        inbox::mark_read(&kurso, &anna, &[newest.id]).await.unwrap(); // changes nothing
        let read = watch.next(&kurso).await.unwrap().unwrap();
        assert_eq!((read.unread, read.newest), (0, None));
        class.assess(&kurso, attempt.id, 1, 2.0).await.unwrap();
        let again = watch.next(&kurso).await.unwrap().unwrap();
        assert!(again.unread == 1 && again.newest.is_some_and(|notice| notice.id > newest.id));
        let nothing = tokio::time::timeout(std::time::Duration::from_millis(50), other.next(&kurso));
        assert!(nothing.await.is_err(), "of others");
    }

    async fn a_watch_waits_for_its_turn_without_failing(kurso: TestKurso) {
        let anna = kurso.person("anna").await;
        let mut watch = NoticesWatch::start(&kurso, &anna).await;
        watch.next(&kurso).await.unwrap();
        let mut others = vec![];
        // As many as may read at the same time.
        while let Ok(permit) = tokio::time::timeout(std::time::Duration::from_millis(50), kurso.watch_queue.enter()).await {
            others.push(permit);
        }
        assert!(others.len() < 10, "fewer than the connections of a pool: {}", others.len());
        let filled = fill(&kurso, &anna, 1).await;
        inbox::mark_read(&kurso, &anna, &filled).await.unwrap();
        let mut next = std::pin::pin!(watch.next(&kurso));
        assert!(tokio::time::timeout(std::time::Duration::from_millis(100), &mut next).await.is_err());
        drop(others);
        assert_eq!(next.await.unwrap().unwrap().unread, 0);
    }

    async fn the_check_finds_damaged_notices(kurso: TestKurso) {
        let anna = kurso.person("anna").await;
        let ids = fill(&kurso, &anna, 2).await;
        assert_consistent(&kurso).await;
        let damage = "UPDATE notices SET read_at = happened_at WHERE id = $1";
        sql!(damage, ids[0]).execute(&kurso.db).await.unwrap();
        sql!("UPDATE notices SET kind = 'x' WHERE id = $1", ids[1]).execute(&kurso.db).await.unwrap();
        let report = check::check(&kurso, Depth::default()).await.unwrap();
        assert_eq!(report.problems, 2, "{:?}", report.findings);
    }
}
