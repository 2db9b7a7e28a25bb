//! Announcements are published at their time, and each recipient is notified exactly once, also after crashes.

use std::collections::HashMap;

use chrono::Duration;
use kurso_base::ids::UserId;
use kurso_core::announcements::publish::{CHUNK, publish_due, round};
use kurso_core::notice_mails::digest;
use kurso_core::users;

use super::*;

impl World {
    async fn schedule(&self, title: &str, at: &str) -> Announcement {
        let new = json!({"title": title, "content": document(title), "publish_at": at});
        self.create(&self.teacher, new).await.unwrap()
    }

    /// Enrolls so many additional learners.
    async fn fill(&self, count: usize) {
        let now = self.kurso.clock.now();
        for number in 0..count {
            let user = UserId::new();
            let email = format!("learner{number}@example.com");
            sql!(
                "INSERT INTO users (id, email, email_key, password_hash, is_active, is_superuser, created_at)
                 VALUES ($1, $2, $2, 'x', TRUE, FALSE, $3)",
                user,
                &email,
                now
            )
            .execute(&self.kurso.db)
            .await
            .unwrap();
            sql!(
                "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
                EnrollmentId::new(),
                self.course,
                user,
                now
            )
            .execute(&self.kurso.db)
            .await
            .unwrap();
        }
    }

    /// Makes the database refuse changes of these announcements.
    async fn refuse_updates(&self, ids: &[AnnouncementId]) {
        let is_sqlite = self.kurso.url.starts_with("sqlite:");
        for id in ids {
            let trigger = match is_sqlite {
                true => format!(
                    "CREATE TRIGGER refuse_{0} BEFORE UPDATE ON announcements WHEN hex(OLD.id) = '{1}'
                     BEGIN SELECT RAISE(ABORT, 'refused'); END",
                    id.0.simple(),
                    id.0.simple().to_string().to_uppercase()
                ),
                false => format!(
                    "ALTER TABLE announcements ADD CONSTRAINT refuse_{0} CHECK (id <> '{1}') NOT VALID",
                    id.0.simple(),
                    id.0
                ),
            };
            sql!(&*Box::leak(trigger.into_boxed_str()))
                .execute(&self.kurso.db)
                .await
                .unwrap();
        }
    }

    /// The number of notices of each person who has any.
    async fn noticed(&self) -> HashMap<UserId, i64> {
        let rows = sql!("SELECT user_id, COUNT(*) FROM notices GROUP BY user_id");
        let rows = rows.fetch_all::<(UserId, i64)>(&self.kurso.db).await.unwrap();
        rows.into_iter().collect()
    }
}

both! {
    async fn only_recipients_are_notified(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.enroll(&world.teacher, None).await;
        sql!("UPDATE users SET is_active = FALSE WHERE id = $1", world.vera.id()).execute(&world.kurso.db).await.unwrap();
        world.announce("All", None).await;
        world.announce("Evening", Some(world.groups[0])).await;
        assert_eq!(world.told(&world.anna).await, (texts(&["Evening", "All"]), 2));
        assert_eq!(world.told(&world.boris).await, (texts(&["All"]), 1));
        assert_eq!(world.count("notices").await, 3, "neither staff nor inactive people");
        let notice = world.notices(&world.boris).await.remove(0);
        assert_eq!((notice.kind.name(), notice.actor.unwrap().id), ("announcement", world.teacher.id()));
        assert_eq!((notice.course.unwrap().id, notice.page), (world.course, None));
    }

    async fn a_scheduled_announcement_is_published_at_its_time(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let made = world.schedule("Later", "2026-11-21T10:00:00Z").await;
        assert_eq!(made.state.publish_at().map(|at| at.to_rfc3339()).as_deref(), Some("2026-11-21T10:00:00+00:00"));
        world.kurso.clock.advance(Duration::minutes(59));
        publish_due(&world.kurso).await.unwrap();
        assert_eq!((world.titles(&world.anna).await, world.told(&world.anna).await.1), (texts(&[]), 0));
        world.kurso.clock.advance(Duration::minutes(1));
        publish_due(&world.kurso).await.unwrap();
        assert_eq!(world.titles(&world.anna).await, texts(&["Later"]));
        assert_eq!(world.told(&world.anna).await, (texts(&["Later"]), 1));
        let found = announcements::find(&world.kurso, &world.anna, made.id).await.unwrap();
        assert_eq!((found.state.published_at(), found.version), (Some(world.kurso.clock.now()), 1));
        assert_eq!(world.problems().await, texts(&[]));
    }

    async fn times_are_local_to_the_course_and_past_times_publish_at_once(kurso: TestKurso) {
        let world = World::new(kurso).await;
        sql!("UPDATE courses SET time_zone = 'Europe/Moscow' WHERE id = $1", world.course).execute(&world.kurso.db).await.unwrap();
        let made = world.schedule("Local", "2026-11-22T09:00").await;
        assert_eq!(made.state.publish_at().map(|at| at.to_rfc3339()).as_deref(), Some("2026-11-22T06:00:00+00:00"));
        let made = world.schedule("Past", "2026-11-21T11:59").await;
        assert!(made.state.published_at().is_some());
        let made = world.update(&world.owner, made.id, json!({"version": 1, "title": "Same"})).await.unwrap();
        assert!(made.state.published_at().is_some());
    }

    async fn a_scheduled_announcement_can_be_moved_published_and_deleted(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let moved = world.schedule("Moved", "2026-11-21T10:00:00Z").await.id;
        let deleted = world.schedule("Deleted", "2026-11-21T10:00:00Z").await.id;
        let now = world.schedule("Now", "2026-11-21T10:00:00Z").await.id;
        world.update(&world.owner, moved, json!({"version": 1, "publish_at": "2026-11-21T12:00:00Z"})).await.unwrap();
        announcements::delete(&world.kurso, &world.teacher, deleted).await.unwrap();
        world.update(&world.owner, now, json!({"version": 1, "publish_at": null})).await.unwrap();
        publish_due(&world.kurso).await.unwrap();
        assert_eq!(world.told(&world.anna).await, (texts(&["Now"]), 1));
        world.kurso.clock.advance(Duration::hours(3));
        publish_due(&world.kurso).await.unwrap();
        assert_eq!(world.told(&world.anna).await, (texts(&["Moved", "Now"]), 2));
        world.kurso.clock.advance(Duration::hours(2));
        publish_due(&world.kurso).await.unwrap();
        assert_eq!(world.told(&world.anna).await.0.len(), 2);
    }

    async fn two_nodes_publish_and_notify_once(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.fill(CHUNK + 20).await;
        world.schedule("Later", "2026-11-21T10:00:00Z").await;
        world.kurso.clock.advance(Duration::hours(1));
        let other = world.kurso.another_node().await;
        let (one, two) = tokio::join!(publish_due(&world.kurso), publish_due(&other));
        one.unwrap();
        two.unwrap();
        let noticed = world.noticed().await;
        assert_eq!(noticed.len(), CHUNK + 23);
        assert!(noticed.values().all(|count| *count == 1));
        let published = sql!("SELECT COUNT(*) FROM audit WHERE kind = 'announcement_published'");
        assert_eq!(published.fetch_one::<(i64,)>(&world.kurso.db).await.unwrap().0, 1);
        let left = sql!("SELECT COUNT(*) FROM announcements WHERE notified_after IS NOT NULL");
        assert_eq!(left.fetch_one::<(i64,)>(&world.kurso.db).await.unwrap().0, 0);
    }

    async fn another_node_continues_after_a_crash_between_two_chunks(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.fill(2 * CHUNK).await;
        let new = json!({"title": "All", "content": document("x")});
        world.create(&world.teacher, new).await.unwrap();
        assert_eq!(round(&world.kurso).await.unwrap(), 1);
        let first = world.noticed().await;
        assert_eq!(first.len(), CHUNK);
        // The first node crashes here.
        let other = world.kurso.another_node().await;
        publish_due(&other).await.unwrap();
        let noticed = world.noticed().await;
        assert_eq!(noticed.len(), 2 * CHUNK + 3);
        assert!(noticed.values().all(|count| *count == 1));
        assert_eq!(round(&world.kurso).await.unwrap(), 0);
    }

    async fn an_announcement_that_fails_does_not_stop_the_others(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let [broken, late] = ["Broken", "Late"].map(|title| json!({"title": title, "content": document("x")}));
        let broken = world.create(&world.teacher, broken).await.unwrap();
        let late_id = world.schedule("Scheduled", "2026-11-21T10:00:00Z").await.id;
        world.create(&world.teacher, late).await.unwrap();
        // Its mark cannot move, and neither can the scheduled one be published.
        world.refuse_updates(&[broken.id, late_id]).await;
        world.kurso.clock.advance(Duration::hours(1));
        assert_eq!(round(&world.kurso).await.unwrap(), 1);
        assert_eq!(world.told(&world.anna).await, (texts(&["Late"]), 1));
        assert_eq!(round(&world.kurso).await.unwrap(), 0, "the worker pauses");
    }

    async fn an_announcement_deleted_between_two_chunks_leaves_no_notice(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.fill(CHUNK).await;
        let new = json!({"title": "All", "content": document("x")});
        let made = world.create(&world.teacher, new).await.unwrap();
        round(&world.kurso).await.unwrap();
        announcements::delete(&world.kurso, &world.teacher, made.id).await.unwrap();
        publish_due(&world.kurso).await.unwrap();
        assert_eq!(world.count("notices").await, 0);
    }

    async fn readers_of_an_announcement_are_not_notified(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let new = json!({"title": "All", "content": document("x")});
        let made = world.create(&world.teacher, new).await.unwrap();
        world.mark(&world.anna, &[made.id]).await.unwrap();
        publish_due(&world.kurso).await.unwrap();
        assert_eq!(world.told(&world.anna).await, (texts(&[]), 0));
        assert_eq!(world.told(&world.boris).await, (texts(&["All"]), 1));
    }

    async fn mails_are_sent_to_recipients_who_have_not_read_it(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let all = world.announce("Зачёт", None).await;
        let evening = world.announce("Evening", Some(world.groups[0])).await;
        world.mark(&world.anna, &[all]).await.unwrap();
        let vera = world.enrollment(&world.vera).await;
        kurso_core::students::remove(&world.kurso, &world.owner, vera).await.unwrap();
        world.kurso.clock.advance(Duration::minutes(3));
        digest::queue_due(&world.kurso).await.unwrap();
        announcements::delete(&world.kurso, &world.owner, evening).await.unwrap();
        let mails = world.kurso.mails().await;
        assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["boris@example.com"]);
        let mail = &mails[0];
        assert!(mail.subject.starts_with("Объявление"), "{}", mail.subject);
        assert!(mail.text.contains("Зачёт") && mail.html.contains("Зачёт"), "{}", mail.text);
        let link = format!("/view-course/{}/announcements#a-{all}", world.course);
        assert!(mail.text.contains(&link) && mail.html.contains(&link), "{}", mail.text);
    }

    async fn a_scheduled_announcement_is_published_after_its_author_was_deleted(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.schedule("Later", "2026-11-21T10:00:00Z").await;
        users::delete_me(&world.kurso, &world.teacher).await.unwrap();
        world.kurso.clock.advance(Duration::hours(1));
        publish_due(&world.kurso).await.unwrap();
        assert_eq!(world.told(&world.anna).await, (texts(&["Later"]), 1));
        assert_eq!(world.list(&world.anna).await.items[0].author, None);
    }
}
