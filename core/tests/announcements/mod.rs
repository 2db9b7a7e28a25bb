//! Announcements and nudges on both databases.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod belongings;
mod nudges;
mod publishing;
mod reading;
mod writing;

use kurso_base::error::Error;
use kurso_base::ids::{AnnouncementId, CourseId, EnrollmentId, GroupId};
use kurso_core::access::Viewer;
use kurso_core::announcements::{self, Announcement, List, MarkRead, Wanted, publish};
use kurso_core::both;
use kurso_core::check::{self, Depth};
use kurso_core::courses::groups;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::inbox::{self, Notice};
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::{Value, json};

/// A course with an owner, an editor, a teacher and a reviewer; Anna learns in the first group, Boris in the second, Vera in none.
struct World {
    kurso: TestKurso,
    owner: Viewer,
    editor: Viewer,
    teacher: Viewer,
    reviewer: Viewer,
    anna: Viewer,
    boris: Viewer,
    vera: Viewer,
    stranger: Viewer,
    course: CourseId,
    groups: [GroupId; 2],
}

impl World {
    async fn new(kurso: TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        let mut team = vec![];
        for role in ["editor", "teacher", "reviewer"] {
            let member = kurso.person(role).await;
            kurso.collaborator(course, &member, role).await;
            team.push(member);
        }
        let mut made = vec![];
        for title in ["Evening", "Morning"] {
            let new = command(json!({"title": title}));
            made.push(groups::create(&kurso, &owner, course, new).await.unwrap().id);
        }
        let [editor, teacher, reviewer] = team.try_into().unwrap();
        let world = World {
            anna: kurso.person("anna").await,
            boris: kurso.person("boris").await,
            vera: kurso.person("vera").await,
            stranger: kurso.person("stranger").await,
            owner,
            editor,
            teacher,
            reviewer,
            course,
            groups: [made[0], made[1]],
            kurso,
        };
        world.enroll(&world.anna, Some(world.groups[0])).await;
        world.enroll(&world.boris, Some(world.groups[1])).await;
        world.enroll(&world.vera, None).await;
        world
    }

    async fn enroll(&self, who: &Viewer, group: Option<GroupId>) -> EnrollmentId {
        let id = EnrollmentId::new();
        sql!(
            "INSERT INTO enrollments (id, course_id, user_id, group_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $5, $5)",
            id,
            self.course,
            who.id(),
            group,
            self.kurso.clock.now()
        )
        .execute(&self.kurso.db)
        .await
        .unwrap();
        id
    }

    async fn enrollment(&self, who: &Viewer) -> EnrollmentId {
        let found = sql!(
            "SELECT id FROM enrollments WHERE course_id = $1 AND user_id = $2",
            self.course,
            who.id()
        );
        found.fetch_one::<(EnrollmentId,)>(&self.kurso.db).await.unwrap().0
    }

    async fn create(&self, by: &Viewer, new: Value) -> Result<Announcement, Error> {
        announcements::create(&self.kurso, by, self.course, command(new)).await
    }

    /// Publishes an announcement of the teacher to a group, or to all.
    async fn announce(&self, title: &str, group: Option<GroupId>) -> AnnouncementId {
        let new = json!({"title": title, "content": document(title), "group_id": group});
        let made = self.create(&self.teacher, new).await.unwrap();
        publish::publish_due(&self.kurso).await.unwrap();
        made.id
    }

    async fn update(&self, by: &Viewer, id: AnnouncementId, change: Value) -> Result<Announcement, Error> {
        announcements::update(&self.kurso, by, id, command(change)).await
    }

    async fn list(&self, who: &Viewer) -> List {
        let wanted = Wanted {
            first: announcements::MAX_LISTED,
            ..Wanted::default()
        };
        announcements::list(&self.kurso, who, self.course, wanted)
            .await
            .unwrap()
    }

    async fn titles(&self, who: &Viewer) -> Vec<String> {
        let list = self.list(who).await;
        list.items.into_iter().map(|item| item.title).collect()
    }

    async fn mark(&self, who: &Viewer, ids: &[AnnouncementId]) -> Result<usize, Error> {
        let read = MarkRead {
            announcement_ids: kurso_base::values::Several(ids.to_vec()),
        };
        announcements::mark_read(&self.kurso, who, self.course, read).await
    }

    async fn notices(&self, who: &Viewer) -> Vec<Notice> {
        let wanted = inbox::Wanted {
            first: inbox::MAX_LISTED,
            ..inbox::Wanted::default()
        };
        inbox::list(&self.kurso, who, wanted).await.unwrap().items
    }

    /// The texts of a person's notices, newest first, and the number of unread ones.
    async fn told(&self, who: &Viewer) -> (Vec<String>, usize) {
        let notices = self.notices(who).await;
        let unread = notices.iter().filter(|notice| notice.read_at.is_none()).count();
        (notices.into_iter().filter_map(|notice| notice.text).collect(), unread)
    }

    async fn count(&self, table: &'static str) -> i64 {
        let count = sql!("SELECT COUNT(*) FROM ").push(table);
        count.fetch_one::<(i64,)>(&self.kurso.db).await.unwrap().0
    }

    async fn problems(&self) -> Vec<String> {
        let report = check::check(&self.kurso, Depth::default()).await.unwrap();
        report.findings.into_iter().map(|found| found.problem).collect()
    }
}

fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn is_missing<T: std::fmt::Debug>(result: Result<T, Error>) -> bool {
    matches!(result.unwrap_err(), Error::NotFound(_))
}

fn is_forbidden<T: std::fmt::Debug>(result: Result<T, Error>) -> bool {
    matches!(result.unwrap_err(), Error::Forbidden(_))
}

fn is_conflict<T: std::fmt::Debug>(result: Result<T, Error>) -> bool {
    matches!(result.unwrap_err(), Error::Conflict(_))
}
