//! What people write to each other and are told: comments, questions, announcements and notices.

use kurso_base::ids::{AnnouncementId, CourseId, DiscussionId, EnrollmentId, PageId};
use kurso_base::messages::Lang;
use kurso_base::values::{PushEndpoint, PushKey};
use kurso_core::access::Viewer;
use kurso_core::comments;
use kurso_core::courses::groups;
use kurso_core::notice_mails::preferences::{self, SetNoticeSettings};
use kurso_core::notice_mails::unsubscribe;
use kurso_core::notices::{Kind, NoticeMail};
use kurso_core::push::{self, devices::AddDevice};
use kurso_core::testing::{TestKurso, command};
use kurso_core::{discussions, notes};
use kurso_db::sql;
use serde_json::json;
use uuid::Uuid;

/// Stores quiet hours and a notice choice for the course. Returns the unsubscribe token of a notice mail.
pub async fn notice_preferences(kurso: &TestKurso, viewer: &Viewer, course: CourseId) -> String {
    let hours = json!({"time_zone": "UTC", "quiet_hours": {"from": "22:00", "until": "07:00"}});
    let settings = SetNoticeSettings {
        language: Lang::Ru,
        time_zone: command(hours["time_zone"].clone()),
        quiet_hours: command(hours["quiet_hours"].clone()),
    };
    preferences::set_settings(kurso, viewer, settings).await.unwrap();
    let choice = preferences::ChooseNotices {
        course_id: Some(course),
        kind: Kind::Graded,
        in_app: true,
        mail: NoticeMail::Daily,
        push: None,
    };
    preferences::choose(kurso, viewer, choice).await.unwrap();
    unsubscribe::token_of(kurso, viewer.id(), &[Kind::Graded], Some(course))
        .await
        .unwrap()
}

/// Announcements to all learners and to each group, scheduled ones too. Returns one of them.
pub async fn announcements(kurso: &TestKurso, viewer: &Viewer, course: CourseId, size: usize) -> AnnouncementId {
    let content = json!({"type": "doc", "content": [{"type": "paragraph"}]});
    let groups = groups::list(kurso, viewer, course).await.unwrap();
    let mut made = vec![];
    for n in 0..2 * size {
        let group = groups.get(n).map(|group| group.id);
        let at = (n % 2 == 1).then_some("2099-01-01T00:00:00Z");
        let new = json!({"title": "x", "content": content, "group_id": group, "publish_at": at, "is_pinned": n == 0});
        let new = kurso_core::announcements::create(kurso, viewer, course, command(new)).await;
        made.push(new.unwrap().id);
    }
    made[0]
}

/// Threads of comments on a page: each with `size` comments that mention their author, and with a suggestion.
pub async fn threads(kurso: &TestKurso, viewer: &Viewer, page: PageId, size: usize) {
    let text = format!("@[head](user:{})", viewer.id());
    for n in 0..size {
        let new = json!({"text": text, "version": 1, "block": 0, "suggestion": []});
        let thread = comments::start(kurso, viewer, page, command(new)).await.unwrap();
        for _ in 1..size {
            let text = command(json!(text));
            comments::add(kurso, viewer, thread.id, text).await.unwrap();
        }
        if n > 0 {
            comments::resolve(kurso, viewer, thread.id).await.unwrap();
        }
    }
}

/// Questions under a page, at its first block: each with `size` answers, which the viewer reported. Returns one.
pub async fn questions(kurso: &TestKurso, viewer: &Viewer, page: PageId, size: usize) -> DiscussionId {
    let text = |text: &str| json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]});
    let mut last = None;
    for _ in 0..size {
        let new = json!({"body": text("Why?"), "version": 1, "block": 0});
        let asked = discussions::start(kurso, viewer, page, command(new)).await.unwrap();
        for _ in 0..size {
            let answer = json!({"body": text("So")});
            discussions::reply(kurso, viewer, asked.id, command(answer))
                .await
                .unwrap();
        }
        last = Some(asked.id);
    }
    // The viewer has written all of it, and nobody reports their own posts.
    sql!(
        "INSERT INTO discussion_reports (post_id, user_id, reason, reported_at) SELECT r.id, $1, 'x', $2 FROM discussion_posts r
         JOIN discussions d ON d.id = r.discussion_id WHERE d.page_id = $3",
        viewer.id(),
        kurso.clock.now(),
        page
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    last.unwrap()
}

/// `size` notes of the viewer on a page, at its first block, a bookmark and a tick.
pub async fn keep(kurso: &TestKurso, viewer: &Viewer, page: PageId, size: usize) {
    let version = sql!("SELECT version FROM pages WHERE id = $1", page);
    let (version,) = version.fetch_one::<(i64,)>(&kurso.db).await.unwrap();
    for _ in 0..size {
        let new = json!({"color": "green", "body": "x", "version": version, "block": 0, "quote": "Page", "start": 0});
        notes::create(kurso, viewer, page, command(new)).await.unwrap();
    }
    let bookmark = command(json!({"is_bookmarked": true}));
    notes::set_bookmark(kurso, viewer, page, bookmark).await.unwrap();
    sql!(
        "INSERT INTO task_ticks (user_id, page_id, item, number, ticked_at) VALUES ($1, $2, $3, 0, $4)",
        viewer.id(),
        page,
        "0".repeat(64),
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
}

/// Records notices of the viewer: a changed page, and a learner who completed the course.
pub async fn notices(
    kurso: &TestKurso,
    viewer: &Viewer,
    (course, page): (CourseId, PageId),
    enrollment: EnrollmentId,
    people: &[Viewer],
    size: usize,
) {
    for n in 0..size {
        let subject = if n == 0 { enrollment.0 } else { Uuid::now_v7() };
        sql!(
            "INSERT INTO notices (id, user_id, kind, subject, course_id, page_id, actor_id, happened_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            Uuid::now_v7(),
            viewer.id(),
            if n == 0 { "course_completed" } else { "important_change" },
            subject,
            course,
            page,
            people[0].id(),
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
}

/// Devices of the viewer that receive pushes.
pub async fn devices(kurso: &TestKurso, viewer: &Viewer, size: usize) {
    for number in 0..size.min(20) {
        let key = |text: &str| PushKey::parse(text).unwrap();
        // The keys of the example of RFC 8291.
        let new = AddDevice {
            endpoint: PushEndpoint::parse(format!("https://fcm.googleapis.com/{number}")).unwrap(),
            p256dh: key("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            auth: key("BTBZMqHH6r4Tts7J_aSIgg"),
        };
        push::devices::add(kurso, viewer, &new).await.unwrap();
    }
}
