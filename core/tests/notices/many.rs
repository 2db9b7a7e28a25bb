//! Events with many recipients cost as many statements as events with one.

use kurso_base::ids::{CourseId, PageId};
use kurso_base::page_draft_entries::{PageDraftEntries, PageDraftEntry};
use kurso_core::access::Right;
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses;
use kurso_core::courses::page::publishing::publish;
use kurso_core::courses::page::{self, Importance, draft};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited, reading};
use kurso_core::testing::command;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;

struct Class {
    owner: Viewer,
    course: CourseId,
    page: PageId,
    code: String,
}

async fn class(kurso: &TestKurso) -> Class {
    let owner = kurso.person("owner").await;
    let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
    let view = CourseView::load(kurso, &owner, course, Right::Edit).await.unwrap();
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    Class {
        page: view.page(0).id,
        owner,
        course,
        code: shared.share_code.unwrap(),
    }
}

fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

impl Class {
    async fn learner(&self, kurso: &TestKurso, name: &str) -> Viewer {
        let learner = kurso.person(name).await;
        enroll(kurso, &learner, &Origin::default(), &self.code).await.unwrap();
        learner
    }

    async fn publish(&self, kurso: &TestKurso, text: &str, importance: Importance) {
        let body = json!({"draft": true, "content": document(text)});
        page::update(kurso, &self.owner, self.page, None, command(&body))
            .await
            .unwrap();
        let draft = draft::get(kurso, &self.owner, self.page).await.unwrap().summary;
        let entry = PageDraftEntry {
            page_id: self.page,
            version: draft.version,
            page_version: draft.page_version,
        };
        publish(
            kurso,
            &self.owner,
            self.course,
            &PageDraftEntries(vec![entry]),
            importance,
        )
        .await
        .unwrap();
    }
}

both! {
    async fn readers_of_a_page_are_notified_of_important_changes(kurso: TestKurso) {
        let class = class(&kurso).await;
        let (anna, boris) = (class.learner(&kurso, "anna").await, class.learner(&kurso, "boris").await);
        enroll(&kurso, &class.owner, &Origin::default(), &class.code).await.unwrap();
        for reader in [&anna, &class.owner] {
            mark_page_visited(&kurso, reader, class.page).await.unwrap();
        }
        class.publish(&kurso, "a", Importance::Correction).await;
        assert_eq!(stored(&kurso).await, 0);
        class.publish(&kurso, "b", Importance::Important).await;
        let told = notices(&kurso, &anna).await;
        assert_eq!((told.len(), told[0].kind.name(), told[0].subject), (1, "important_change", class.page.0));
        assert_eq!(told[0].actor, None, "learners do not see who changed a page");
        assert_eq!(stored(&kurso).await, 1, "boris has not read it, and the owner made it");
        let version = page::get(&kurso, &class.owner, class.page).await.unwrap().version;
        reading::mark_reread(&kurso, &anna, class.page, version).await.unwrap();
        assert_eq!(notices(&kurso, &anna).await.len(), 0, "who has read the change needs no notice of it");
        // Another important change renews the notice, also if it is saved directly.
        read_all(&kurso, &anna).await;
        let body = json!({"content": document("c"), "importance": "important"});
        page::update(&kurso, &class.owner, class.page, None, command(&body)).await.unwrap();
        assert_eq!((stored(&kurso).await, listed(&kurso, &anna).await.unread), (1, 1));
        // A learner who has read the current version is not notified of it.
        mark_page_visited(&kurso, &boris, class.page).await.unwrap();
        let version = page::get(&kurso, &class.owner, class.page).await.unwrap().version;
        reading::mark_reread(&kurso, &anna, class.page, version).await.unwrap();
        assert_eq!(kinds(&kurso, &boris).await, [] as [&str; 0]);
        assert_consistent(&kurso).await;
    }

    async fn two_thousand_readers_cost_no_more_statements_than_one(kurso: TestKurso) {
        let class = class(&kurso).await;
        let anna = class.learner(&kurso, "anna").await;
        mark_page_visited(&kurso, &anna, class.page).await.unwrap();
        let mut statements = vec![];
        for (text, readers) in [("a", 0), ("b", 2_000)] {
            readers_of(&kurso, &class, readers).await;
            let body = json!({"draft": true, "content": document(text)});
            page::update(&kurso, &class.owner, class.page, None, command(&body)).await.unwrap();
            let draft = draft::get(&kurso, &class.owner, class.page).await.unwrap().summary;
            let entry = PageDraftEntry { page_id: class.page, version: draft.version, page_version: draft.page_version };
            let before = kurso.db.statements();
            publish(&kurso, &class.owner, class.course, &PageDraftEntries(vec![entry]), Importance::Important).await.unwrap();
            statements.push(kurso.db.statements() - before);
        }
        assert_eq!(statements[0], statements[1]);
        assert_eq!(stored(&kurso).await, 2_001);
        assert_eq!(kinds(&kurso, &anna).await, ["important_change"]);
    }
}

/// Enrolls this many readers of the page, in a few statements.
async fn readers_of(kurso: &TestKurso, class: &Class, count: usize) {
    let people: Vec<(Uuid, Uuid)> = (0..count).map(|_| (Uuid::now_v7(), Uuid::now_v7())).collect();
    let now = kurso.clock.now();
    for chunk in people.chunks(500) {
        sql!("INSERT INTO users (id, email, email_key, password_hash, is_active, is_superuser, created_at) VALUES ")
            .push_values(chunk, |sql, (user, _)| {
                let email = format!("{user}@example.com");
                sql.push_bind(*user)
                    .push(", ")
                    .push_bind(email.clone())
                    .push(", ")
                    .push_bind(email)
                    .push(", 'x', TRUE, FALSE, ")
                    .push_bind(now)
            })
            .execute(&kurso.db)
            .await
            .unwrap();
        sql!("INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ")
            .push_values(chunk, |sql, (user, enrollment)| {
                sql.push_bind(*enrollment)
                    .push(", ")
                    .push_bind(class.course)
                    .push(", ")
                    .push_bind(*user)
                    .push(", ")
                    .push_bind(now)
                    .push(", ")
                    .push_bind(now)
            })
            .execute(&kurso.db)
            .await
            .unwrap();
        sql!("INSERT INTO visits (enrollment_id, page_id, visited_at, read_version, is_claimed) VALUES ")
            .push_values(chunk, |sql, (_, enrollment)| {
                sql.push_bind(*enrollment)
                    .push(", ")
                    .push_bind(class.page)
                    .push(", ")
                    .push_bind(now)
                    .push(", 1, FALSE")
            })
            .execute(&kurso.db)
            .await
            .unwrap();
    }
}
