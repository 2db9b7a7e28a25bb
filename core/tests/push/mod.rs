//! Pushes on both databases, received by a real push service and decrypted by browsers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod delivery;
mod devices;
mod failures;
mod service;

use chrono::Duration;
use kurso_base::ids::{CourseId, PageId};
use kurso_core::access::{Right, Viewer};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::learning::view::CourseView;
use kurso_core::notice_mails::preferences::{self, ChooseNotices};
use kurso_core::notices::{Kind, NoticeMail};
use kurso_core::push::devices::Device;
use kurso_core::push::{self, Hosts, queue, sending};
use kurso_core::testing::{About, TestKurso};
use kurso_db::sql;
use serde_json::Value;
use uuid::Uuid;

use service::{Browser, Service};

/// A course with two pages, and a learner whose browser receives pushes about important changes.
struct School {
    kurso: TestKurso,
    service: Service,
    browser: Browser,
    device: Device,
    anna: Viewer,
    owner: Viewer,
    course: CourseId,
    pages: Vec<PageId>,
}

impl School {
    async fn of(kurso: TestKurso) -> Self {
        let kurso = kurso.configured(|kurso| kurso.with_push_hosts(Hosts::parse(["127.0.0.1"]).unwrap()));
        let service = Service::start().await;
        let owner = kurso.person("owner").await;
        let anna = kurso.person("anna").await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        sql!("UPDATE courses SET title = 'Основы Rust' WHERE id = $1", course)
            .execute(&kurso.db)
            .await
            .unwrap();
        sql!(
            "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
            Uuid::now_v7(),
            course,
            anna.id(),
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
        let tree = CourseView::load(&kurso, &owner, course, Right::Read)
            .await
            .unwrap()
            .tree;
        let browser = service.browser("anna");
        let device = push::devices::add(&kurso, &anna, &browser.subscription())
            .await
            .unwrap();
        let school = School {
            service,
            browser,
            device,
            anna,
            owner,
            course,
            pages: tree.pages.iter().map(|page| page.id).collect(),
            kurso,
        };
        school.choose(None, Some(true)).await;
        school
    }

    async fn choose(&self, course: Option<CourseId>, push: Option<bool>) {
        let choice = ChooseNotices {
            course_id: course,
            kind: Kind::ImportantChange,
            in_app: true,
            mail: NoticeMail::Off,
            push,
        };
        preferences::choose(&self.kurso, &self.anna, choice).await.unwrap();
    }

    /// An important change of the page with this number.
    async fn change(&self, page: usize) -> Uuid {
        let about = About {
            kind: Kind::ImportantChange,
            subject: self.pages[page].0,
            course: Some(self.course),
            page: Some(self.pages[page]),
            actor: Some(self.owner.id()),
        };
        self.kurso.notice(self.anna.id(), about).await.0.0
    }

    /// Runs the worker some seconds later.
    async fn later(&self, seconds: i64) {
        self.kurso.clock.advance(Duration::seconds(seconds));
        queue::queue_due(&self.kurso).await.unwrap();
        sending::send_due(&self.kurso).await.unwrap();
    }

    /// The messages that anna's browser has received.
    fn received(&self) -> Vec<Value> {
        self.service.received(&self.browser)
    }

    async fn pending(&self) -> i64 {
        let counted = sql!("SELECT COUNT(*) FROM pushes").fetch_one::<(i64,)>(&self.kurso.db);
        counted.await.unwrap().0
    }
}
