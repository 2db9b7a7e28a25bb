//! Pages that draw: who may store a draw, what is published, and which banks are recorded.

use kurso_core::both;
use kurso_core::courses::page::{self, versions};
use kurso_core::testing::command;
use kurso_db::sql;

use super::*;

async fn banks_of(kurso: &TestKurso, page: PageId) -> HashSet<Uuid> {
    let rows = sql!("SELECT bank_id FROM page_banks WHERE page_id = $1", page);
    let rows = rows.fetch_all::<(Uuid,)>(&kurso.db).await.unwrap();
    rows.into_iter().map(|(bank,)| bank).collect()
}

async fn save(kurso: &TestKurso, viewer: &Viewer, page: PageId, quiz: &Value) -> Result<page::PageRead> {
    let saved = page::update(kurso, viewer, page, None, command(json!({ "quiz": quiz }))).await;
    saved.map_err(|error| match error {
        page::UpdateError::Refused(error) => error,
        page::UpdateError::Conflict(_) => panic!("a conflict"),
    })
}

async fn editor(kurso: &TestKurso, class: &Class, name: &str) -> Viewer {
    let editor = kurso.person(name).await;
    kurso.collaborator(class.course, &editor, "editor").await;
    editor
}

both! {
    async fn a_new_draw_needs_the_right_to_read_its_bank(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        let colleague = editor(&kurso, &class, "colleague").await;
        // A colleague without the right may change how many questions a stored draw takes, but not its bank or tags.
        save(&kurso, &colleague, class.page, &quiz(class.bank, 3, &json!({}))).await.unwrap();
        let mut other = quiz(class.bank, 2, &json!({}));
        other["questions"][1]["tags"] = json!(["b"]);
        let unknown = invalid(save(&kurso, &colleague, class.page, &other).await);
        assert_eq!(unknown, [("[body,quiz,questions,1,bank_id]".into(), "There is no such question bank, or you may not use it".into())]);
        let nowhere = quiz(Uuid::now_v7(), 1, &json!({}));
        assert_eq!(invalid(save(&kurso, &class.owner, class.page, &nowhere).await).len(), 1);
        kurso.share_bank(class.bank, &colleague).await;
        save(&kurso, &colleague, class.page, &other).await.unwrap();

        let new = json!({"kind": "quiz", "published": false, "quiz": quiz(class.bank, 100, &json!({}))});
        let stranger = editor(&kurso, &class, "stranger").await;
        assert_eq!(invalid(page::create(&kurso, &stranger, class.lesson, command(&new)).await).len(), 1);
        let draft = page::create(&kurso, &colleague, class.lesson, command(&new)).await.unwrap();
        assert_eq!(banks_of(&kurso, draft.id).await, [class.bank].into());
        assert_consistent(&kurso).await;
    }

    async fn a_published_quiz_can_fill_its_draws(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        let short = "Question 2: the bank has too few questions to draw from";
        let place = "[body,quiz,questions,1,count]";
        let many = quiz(class.bank, 5, &json!({}));
        assert_eq!(invalid(save(&kurso, &class.owner, class.page, &many).await), [(place.into(), short.into())]);
        let new = json!({"kind": "quiz", "published": true, "quiz": many});
        assert_eq!(invalid(page::create(&kurso, &class.owner, class.lesson, command(&new)).await).len(), 1);
        let new = json!({"kind": "quiz", "published": false, "quiz": many});
        let draft = page::create(&kurso, &class.owner, class.lesson, command(&new)).await.unwrap().id;
        let publish = async || {
            let published = page::update(&kurso, &class.owner, draft, None, command(json!({"published": true}))).await;
            published.map_err(|_| ())
        };
        assert!(publish().await.is_err());
        kurso.bank_question(class.bank, &numeric(4), &["a"]).await;
        assert!(publish().await.is_ok());
    }

    async fn the_banks_of_a_page_are_recorded(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        assert_eq!(banks_of(&kurso, class.page).await, [class.bank].into());
        let version = page::get(&kurso, &class.owner, class.page).await.unwrap().version;
        let fixed = json!({"questions": [{"type": "numeric", "prompt": "?", "value": 1}]});
        save(&kurso, &class.owner, class.page, &fixed).await.unwrap();
        assert!(banks_of(&kurso, class.page).await.is_empty());
        versions::restore(&kurso, &class.owner, class.page, version, false).await.unwrap();
        assert_eq!(banks_of(&kurso, class.page).await, [class.bank].into());
        // A colleague who may not read the bank cannot restore a draw from it.
        save(&kurso, &class.owner, class.page, &fixed).await.unwrap();
        let colleague = editor(&kurso, &class, "colleague").await;
        assert_eq!(invalid(versions::restore(&kurso, &colleague, class.page, version, false).await).len(), 1);
        assert_consistent(&kurso).await;
        sql!("INSERT INTO page_banks (page_id, bank_id) VALUES ($1, $2)", class.page, class.bank)
            .execute(&kurso.db)
            .await
            .unwrap();
        let report = check::check(&kurso, Depth::default()).await.unwrap();
        assert_eq!(report.problems, 1);
    }
}
