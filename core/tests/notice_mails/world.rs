//! The world of the histories: courses, people, nodes with working and failing mail servers, and crashing workers.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use chrono::{DateTime, Utc};
use kurso_base::ids::{CourseId, EnrollmentId, PageId, UserId};
use kurso_core::Kurso;
use kurso_core::access::{Right, Viewer};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::TestKurso;
use kurso_db::sql;
use uuid::Uuid;

use crate::mail::server::{Behaviour, Server};

pub struct Course {
    pub id: CourseId,
    pub pages: Vec<PageId>,
    /// Enrollments of learners who may complete the course.
    pub learners: Vec<EnrollmentId>,
}

pub struct World {
    pub kurso: TestKurso,
    /// Each node has another mail server.
    pub working: [Arc<Kurso>; 2],
    pub failing: Arc<Kurso>,
    pub server: Server,
    pub people: Vec<Viewer>,
    pub courses: Vec<Course>,
    pub start: DateTime<Utc>,
}

impl World {
    pub async fn new(kurso: TestKurso) -> Self {
        let server = Server::start(Behaviour::Takes).await;
        let busy = Server::start(Behaviour::IsBusy).await;
        let working = [
            kurso.node_with(server.mail("")).await,
            kurso.node_with(server.mail("")).await,
        ];
        let failing = kurso.node_with(busy.mail("")).await;
        let owner = kurso.person("owner").await;
        let mut people = vec![];
        for name in ["anna", "boris", "vera"] {
            people.push(kurso.person(name).await);
        }
        let mut courses = vec![];
        for _ in 0..2 {
            let id = kurso.course(&owner, &[&[&[Content; 12]]]).await;
            let tree = CourseView::load(&kurso, &owner, id, Right::Read).await.unwrap().tree;
            let mut learners = vec![];
            for _ in 0..12 {
                let name = format!("learner{}", Uuid::now_v7().simple());
                let user = insert_account(&kurso, &name).await;
                learners.push(enroll(&kurso, id, user).await);
            }
            courses.push(Course {
                id,
                pages: tree.pages.iter().map(|page| page.id).collect(),
                learners,
            });
        }
        let start = kurso.clock.now();
        World {
            kurso,
            working,
            failing,
            server,
            people,
            courses,
            start,
        }
    }

    /// Resets the world: no notices, choices or mails, and everybody learns and teaches in both courses.
    pub async fn reset(&self) {
        let now = self.kurso.clock.now();
        self.kurso.clock.advance(self.start - now);
        for table in [
            "DELETE FROM notices",
            "DELETE FROM notice_choices",
            "DELETE FROM notice_settings",
            "DELETE FROM mails",
            "DELETE FROM jobs",
        ] {
            sql!(table).execute(&self.kurso.db).await.unwrap();
        }
        for course in &self.courses {
            for person in &self.people {
                self.leave(course.id, person.id()).await;
                self.join(course.id, person.id()).await;
            }
        }
    }

    pub async fn join(&self, course: CourseId, user: UserId) {
        enroll(&self.kurso, course, user).await;
        sql!(
            "INSERT INTO collaborators (course_id, user_id, role, created_at) VALUES ($1, $2, 'teacher', $3)",
            course,
            user,
            self.kurso.clock.now()
        )
        .execute(&self.kurso.db)
        .await
        .unwrap();
    }

    pub async fn leave(&self, course: CourseId, user: UserId) {
        for gone in [
            sql!(
                "DELETE FROM enrollments WHERE course_id = $1 AND user_id = $2",
                course,
                user
            ),
            sql!(
                "DELETE FROM collaborators WHERE course_id = $1 AND user_id = $2",
                course,
                user
            ),
        ] {
            gone.execute(&self.kurso.db).await.unwrap();
        }
    }
}

pub async fn insert_account(kurso: &Kurso, name: &str) -> UserId {
    let id = UserId::new();
    let email = format!("{name}@example.com");
    sql!(
        "INSERT INTO users (id, email, email_key, password_hash, full_name, is_active, is_superuser, created_at)
         VALUES ($1, $2, $2, '', $3, TRUE, FALSE, $4)",
        id,
        &email,
        name,
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    id
}

pub async fn enroll(kurso: &Kurso, course: CourseId, user: UserId) -> EnrollmentId {
    let id = EnrollmentId::new();
    sql!(
        "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
        id,
        course,
        user,
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    id
}

/// Drops the future after this many polls, like a killed process.
pub async fn killed_after(polls: usize, work: impl Future) {
    let mut work = pin!(work);
    let mut left = polls;
    std::future::poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        work.as_mut().poll(context).map(|_| ())
    })
    .await;
}
