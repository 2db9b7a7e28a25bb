//! What belongs to a person and not to a course: items, sessions and banks.

use kurso_base::email::Email;
use kurso_base::ids::{BankId, BankQuestionId, ItemId, UserId};
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::banks::{self, MemberRole, ShareBank};
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::json;
use uuid::Uuid;

pub async fn belongings(kurso: &TestKurso, owner: UserId, size: usize) -> ItemId {
    let now = kurso.clock.now();
    let mut item = ItemId::new();
    for _ in 0..size {
        item = ItemId::new();
        sql!(
            "INSERT INTO items (id, owner_id, title, created_at) VALUES ($1, $2, 'Вещь', $3)",
            item,
            owner,
            now
        )
        .execute(&kurso.db)
        .await
        .unwrap();
        sql!(
            "INSERT INTO sessions (id, user_id, device, created_at, last_seen_at, expires_at) VALUES ($1, $2, '', $3, $3, $4)",
            Uuid::now_v7(),
            owner,
            now,
            now + chrono::Duration::days(8)
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    item
}

/// Banks with `size` questions, each with `size` tags and earlier versions, and with `size` members.
pub async fn bank(kurso: &TestKurso, owner: &Viewer, people: &[Viewer], size: usize) -> (BankId, BankQuestionId) {
    let mut first = None;
    for _ in 0..size {
        let bank = banks::create(kurso, owner, command(json!({"title": "Банк"})))
            .await
            .unwrap()
            .id;
        let tags: Vec<String> = (0..size.min(20)).map(|n| n.to_string()).collect();
        let question = json!({"question": {"type": "numeric", "prompt": "?", "value": 1}, "tags": tags});
        let new = command(json!({"questions": vec![question; size]}));
        let (added, _) = banks::add_questions(kurso, owner, bank, new).await.unwrap();
        for question in &added {
            let change = json!({"version": 1, "question": {"type": "numeric", "prompt": "!", "value": 1}});
            banks::update_question(kurso, owner, question.id, command(change))
                .await
                .unwrap();
        }
        for person in people {
            let email = Email::parse(&person.user.email).unwrap();
            let with = ShareBank {
                email,
                role: MemberRole::Editor,
            };
            banks::share(kurso, owner, &Origin::default(), bank, with)
                .await
                .unwrap();
        }
        first.get_or_insert((bank, added[0].id));
    }
    first.unwrap()
}
