//! Claiming jobs: leases, retries, and the order in which the jobs of several people run.

use kurso_base::error::Error;
use kurso_base::messages::{Lang, Message};
use kurso_core::access::Viewer;
use kurso_core::both;
use kurso_core::imports;
use kurso_core::jobs::{self, LeaseState, Outcome, Progress, State};

use super::{GIFT, begin};

both! {
    /// A job queued or claimed by a node whose clock was a day ahead does not have to wait for that time.
    async fn a_wrong_clock_does_not_delay_jobs(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let day = chrono::Duration::days(1);
        kurso.clock.advance(day);
        begin(&kurso.kurso, &ann, GIFT, &[]).await;
        begin(&kurso.kurso, &kurso.person("bob").await, GIFT, &[]).await;
        let ahead = jobs::claim_next(&kurso).await.unwrap().unwrap();
        kurso.clock.advance(-day);
        // The node that claimed the first job is gone; the second job was never claimed.
        let first = jobs::claim_next(&kurso).await.unwrap().unwrap();
        let second = jobs::claim_next(&kurso).await.unwrap().unwrap();
        assert_ne!(first.job.id, second.job.id);
        assert!([&first, &second].iter().any(|claim| claim.job.id == ahead.job.id));
        assert!(jobs::claim_next(&kurso).await.unwrap().is_none(), "both are held now");
        // A claim made with the wrong clock is void.
        assert!(matches!(ahead.renew(&kurso, &Progress::default()).await.unwrap(), LeaseState::Lost));
        assert!(matches!(first.renew(&kurso, &Progress::default()).await.unwrap(), LeaseState::Held));
    }

    async fn an_expired_lease_is_taken_over_and_its_old_holder_is_locked_out(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let other = kurso.another_node().await;
        let begun = begin(&kurso.kurso, &ann, GIFT, &[]).await;
        let first = jobs::claim_next(&kurso).await.unwrap().unwrap();
        assert!(jobs::claim_next(&other).await.unwrap().is_none(), "the first node holds it");
        kurso.clock.advance(chrono::Duration::seconds(50));
        assert_eq!(first.renew(&kurso, &Progress::default()).await.unwrap(), LeaseState::Held);
        kurso.clock.advance(chrono::Duration::seconds(50));
        assert!(jobs::claim_next(&other).await.unwrap().is_none(), "it was renewed");
        kurso.clock.advance(jobs::LEASE);
        let second = jobs::claim_next(&other).await.unwrap().unwrap();
        assert_eq!(second.job.attempts, 2);
        assert_eq!(first.renew(&kurso, &Progress::default()).await.unwrap(), LeaseState::Lost);
        let course = kurso.course(&ann, &[]).await;
        let mut tx = kurso.db.begin().await.unwrap();
        let recorded = first.record_effect(&mut tx, course, kurso.clock.now()).await;
        assert!(matches!(recorded, Err(Error::Conflict(Message::JobNotHeld))));
        drop(tx);
        first.finish(&kurso, Outcome::Failed(Message::InternalError)).await.unwrap();
        assert_eq!(imports::get(&kurso, &ann, begun.id).await.unwrap().state, State::Running);

        // The effect is final once committed, even if the node then reports a failure.
        let mut tx = other.db.begin().await.unwrap();
        second.record_effect(&mut tx, course, kurso.clock.now()).await.unwrap();
        assert!(second.record_effect(&mut tx, course, kurso.clock.now()).await.is_err(), "recorded once");
        tx.commit().await.unwrap();
        second.finish(&other, Outcome::Retry(Error::internal("a failure after the commit"))).await.unwrap();
        let done = imports::get(&kurso, &ann, begun.id).await.unwrap();
        assert_eq!((done.state, done.course_id), (State::Done, Some(course)));
    }

    async fn failures_are_retried_a_bounded_number_of_times(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let begun = begin(&kurso.kurso, &ann, GIFT, &[]).await;
        for _ in 0..jobs::MAX_ATTEMPTS {
            let claim = jobs::claim_next(&kurso).await.unwrap().unwrap();
            claim.finish(&kurso, Outcome::Retry(Error::internal("a failure"))).await.unwrap();
            assert!(jobs::claim_next(&kurso).await.unwrap().is_none(), "the retry is delayed");
            kurso.clock.advance(chrono::Duration::minutes(5));
        }
        let failed = imports::get(&kurso, &ann, begun.id).await.unwrap();
        assert_eq!((failed.state, failed.failure.unwrap().text(Lang::En)), (State::Failed, Message::JobGivenUp.text(Lang::En)));

        // A node that dies on every attempt.
        let begun = begin(&kurso.kurso, &ann, GIFT, &[]).await;
        for _ in 0..jobs::MAX_ATTEMPTS {
            assert!(jobs::claim_next(&kurso).await.unwrap().is_some());
            kurso.clock.advance(jobs::LEASE);
        }
        assert!(jobs::claim_next(&kurso).await.unwrap().is_none());
        assert_eq!(imports::get(&kurso, &ann, begun.id).await.unwrap().state, State::Failed);
        // A node that dies on the last attempt, after its effect was committed.
        let begun = begin(&kurso.kurso, &ann, GIFT, &[]).await;
        let course = kurso.course(&ann, &[]).await;
        for attempt in 1..=jobs::MAX_ATTEMPTS {
            let claim = jobs::claim_next(&kurso).await.unwrap().unwrap();
            if attempt == jobs::MAX_ATTEMPTS {
                let mut tx = kurso.db.begin().await.unwrap();
                claim.record_effect(&mut tx, course, kurso.clock.now()).await.unwrap();
                tx.commit().await.unwrap();
            }
            kurso.clock.advance(jobs::LEASE);
        }
        assert!(jobs::claim_next(&kurso).await.unwrap().is_none());
        let done = imports::get(&kurso, &ann, begun.id).await.unwrap();
        assert_eq!((done.state, done.failure.map(|why| why.text(Lang::En))), (State::Done, None));
        // Releasing a job does not count as an attempt.
        begin(&kurso.kurso, &ann, GIFT, &[]).await;
        for _ in 0..10 {
            let claim = jobs::claim_next(&kurso).await.unwrap().unwrap();
            claim.finish(&kurso, Outcome::Released).await.unwrap();
        }
    }

    async fn one_job_of_a_person_runs_at_a_time_and_none_twice(kurso: TestKurso) {
        let (ann, bob) = (kurso.person("ann").await, kurso.person("bob").await);
        for _ in 0..4 {
            begin(&kurso.kurso, &ann, GIFT, &[]).await;
        }
        begin(&kurso.kurso, &bob, GIFT, &[]).await;
        let other = kurso.another_node().await;
        let mut tasks = tokio::task::JoinSet::new();
        for n in 0..12 {
            let kurso = if n % 2 == 0 { kurso.kurso.clone() } else { other.clone() };
            tasks.spawn(async move { jobs::claim_next(&kurso).await.unwrap() });
        }
        let mut taken = Vec::new();
        while let Some(claim) = tasks.join_next().await {
            taken.extend(claim.unwrap());
        }
        while let Some(claim) = jobs::claim_next(&kurso).await.unwrap() {
            taken.push(claim);
        }
        let of = |who: &Viewer| taken.iter().filter(|claim| claim.job.owner_id == who.id()).count();
        assert_eq!((of(&ann), of(&bob)), (1, 1));
        for claim in taken {
            claim.finish(&kurso, Outcome::Done).await.unwrap();
        }
        assert!(jobs::claim_next(&other).await.unwrap().is_some(), "the slots are free again");
    }

    async fn ten_imports_of_one_person_do_not_delay_another(kurso: TestKurso) {
        let (ann, bob, eve) = (kurso.person("ann").await, kurso.person("bob").await, kurso.person("eve").await);
        for _ in 0..10 {
            begin(&kurso.kurso, &ann, GIFT, &[]).await;
        }
        kurso.clock.advance(chrono::Duration::seconds(1));
        let of_ann = jobs::claim_next(&kurso).await.unwrap().unwrap();
        assert!(jobs::claim_next(&kurso).await.unwrap().is_none(), "one slot of the node stays free");
        for _ in 0..10 {
            begin(&kurso.kurso, &bob, GIFT, &[]).await;
        }
        let of_bob = jobs::claim_next(&kurso).await.unwrap().unwrap();
        assert_eq!((of_ann.job.owner_id, of_bob.job.owner_id), (ann.id(), bob.id()));
        // Both slots are taken. Eve's import starts in the first free one, and her next one waits its turn.
        kurso.clock.advance(chrono::Duration::seconds(1));
        begin(&kurso.kurso, &eve, GIFT, &[]).await;
        begin(&kurso.kurso, &eve, GIFT, &[]).await;
        kurso.clock.advance(chrono::Duration::seconds(1));
        let mut served = Vec::new();
        let mut running = [of_ann, of_bob].into_iter().collect::<std::collections::VecDeque<_>>();
        for _ in 0..6 {
            running.pop_front().unwrap().finish(&kurso, Outcome::Ready).await.unwrap();
            kurso.clock.advance(chrono::Duration::seconds(1));
            let next = jobs::claim_next(&kurso).await.unwrap().unwrap();
            served.push(next.job.owner_id);
            running.push_back(next);
        }
        assert_eq!(served[0], eve.id());
        for who in [&ann, &bob, &eve] {
            assert_eq!(served.iter().filter(|id| **id == who.id()).count(), 2, "{served:?}");
        }
    }
}
