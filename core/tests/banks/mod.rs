//! Question banks on both databases: rights, versions, limits, tags, search, sharing.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod accounts;
mod files;
mod import;
mod search;

use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{BankId, BankQuestionId};
use kurso_base::messages::Message;
use kurso_base::values::{Checked as _, QuestionTags};
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::banks::{self, Bank, BankRole, MemberRole, Question, QuestionQuery, ShareBank, Updated};
use kurso_core::both;
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::{Value, json};

pub async fn bank(kurso: &TestKurso, owner: &Viewer, title: &str) -> BankId {
    let bank = banks::create(kurso, owner, command(json!({"title": title}))).await;
    bank.unwrap().id
}

pub fn numeric(prompt: &str) -> Value {
    json!({"type": "numeric", "prompt": prompt, "value": 4})
}

pub async fn add(kurso: &TestKurso, by: &Viewer, bank: BankId, questions: Value) -> Result<Vec<Question>> {
    let new = command(json!({"questions": questions}));
    Ok(banks::add_questions(kurso, by, bank, new).await?.0)
}

/// Adds one question and returns it.
pub async fn add_one(kurso: &TestKurso, by: &Viewer, bank: BankId, question: Value) -> Question {
    let added = add(kurso, by, bank, json!([{"question": question}])).await;
    added.unwrap().remove(0)
}

pub async fn share(kurso: &TestKurso, by: &Viewer, bank: BankId, email: &str, role: MemberRole) -> Result<Bank> {
    let email = Email::parse(email).unwrap();
    banks::share(kurso, by, &Origin::default(), bank, ShareBank { email, role }).await
}

async fn update(kurso: &TestKurso, by: &Viewer, id: BankQuestionId, change: Value) -> Result<Updated> {
    banks::update_question(kurso, by, id, command(change)).await
}

fn saved(updated: Result<Updated>) -> Question {
    match updated {
        Ok(Updated::Saved(question)) => question,
        other => panic!("{other:?}"),
    }
}

fn refused<T: std::fmt::Debug>(done: Result<T>) -> u16 {
    match done {
        Err(Error::NotFound(_)) => 404,
        Err(Error::Forbidden(_)) => 403,
        Err(Error::Conflict(_)) => 409,
        Err(Error::Invalid(_)) => 422,
        other => panic!("{other:?}"),
    }
}

/// A bank of `owner` that `editor` edits and `reader` reads; `root` is a superuser.
struct Shared {
    owner: Viewer,
    editor: Viewer,
    reader: Viewer,
    stranger: Viewer,
    root: Viewer,
    bank: BankId,
    question: Question,
}

async fn shared(kurso: &TestKurso) -> Shared {
    let [owner, editor, reader, stranger] = [
        kurso.person("owner").await,
        kurso.person("editor").await,
        kurso.person("reader").await,
        kurso.person("stranger").await,
    ];
    let bank = bank(kurso, &owner, "Алгебра").await;
    let question = add_one(kurso, &owner, bank, numeric("2 + 2?")).await;
    for (email, role) in [
        ("Editor@example.com", MemberRole::Editor),
        ("reader@example.com", MemberRole::Viewer),
    ] {
        share(kurso, &owner, bank, email, role).await.unwrap();
    }
    Shared {
        root: kurso.superuser("root").await,
        owner,
        editor,
        reader,
        stranger,
        bank,
        question,
    }
}

both! {
    async fn each_role_has_the_rights_of_the_table(kurso: TestKurso) {
        let Shared { owner, editor, reader, stranger, root, bank, question } = shared(&kurso).await;
        for (who, role) in [(&owner, BankRole::Owner), (&editor, BankRole::Editor), (&reader, BankRole::Viewer), (&root, BankRole::Viewer)] {
            assert_eq!(banks::get(&kurso, who, bank).await.unwrap().role, role);
            let query = QuestionQuery::new(&Default::default(), Default::default(), None, 0, 10);
            assert_eq!(banks::questions(&kurso, who, bank, &query).await.unwrap().total, 1);
            assert_eq!(banks::questions_by_ids(&kurso, who, &[question.id]).await.unwrap().len(), 1);
            assert!(banks::versions(&kurso, who, question.id).await.unwrap().is_empty());
        }
        for (who, status) in [(&stranger, 404), (&reader, 403), (&root, 403)] {
            let new = || command(json!({"questions": [{"question": numeric("?")}]}));
            assert_eq!(refused(banks::add_questions(&kurso, who, bank, new()).await), status);
            assert_eq!(refused(update(&kurso, who, question.id, json!({"version": 1, "tags": []})).await), status);
            let ids = json!({"question_ids": [question.id]});
            assert_eq!(refused(banks::tag_questions(&kurso, who, bank, command(&ids)).await), status);
            assert_eq!(refused(banks::delete_questions(&kurso, who, bank, command(&ids)).await), status);
        }
        for (who, status) in [(&stranger, 404), (&reader, 403), (&root, 403), (&editor, 403)] {
            assert_eq!(refused(banks::rename(&kurso, who, bank, command(json!({"title": "x"}))).await), status);
            assert_eq!(refused(share(&kurso, who, bank, "stranger@example.com", MemberRole::Editor).await), status);
            assert_eq!(refused(banks::unshare(&kurso, who, bank, owner.id()).await), status);
            if who.id() != root.id() {
                assert_eq!(refused(banks::delete(&kurso, who, bank).await), status);
            }
        }
        assert_eq!(refused(banks::get(&kurso, &stranger, bank).await), 404);
        assert_eq!(refused(banks::versions(&kurso, &stranger, question.id).await), 404);
        assert_eq!(refused(banks::get(&kurso, &stranger, BankId::new()).await), 404);
        assert!(banks::questions_by_ids(&kurso, &stranger, &[question.id]).await.unwrap().is_empty());
        assert_eq!(add(&kurso, &editor, bank, json!([{"question": numeric("3?")}])).await.unwrap().len(), 1);
        banks::delete(&kurso, &root, bank).await.unwrap();
        assert_eq!(refused(banks::get(&kurso, &owner, bank).await), 404);
    }

    async fn banks_are_listed_by_title_for_owner_and_members_only(kurso: TestKurso) {
        let Shared { owner, reader, stranger, root, bank: algebra, .. } = shared(&kurso).await;
        for title in ["ёлки", "Журнал", "Елки 2"] {
            bank(&kurso, &owner, title).await;
        }
        let titles = async |who: &Viewer| -> Vec<String> {
            banks::list(&kurso, who).await.unwrap().into_iter().map(|bank| bank.title).collect()
        };
        assert_eq!(titles(&owner).await, ["Алгебра", "ёлки", "Елки 2", "Журнал"]);
        assert_eq!(titles(&reader).await, ["Алгебра"]);
        assert!(titles(&stranger).await.is_empty() && titles(&root).await.is_empty());
        let renamed = banks::rename(&kurso, &owner, algebra, command(json!({"title": "Я"}))).await.unwrap();
        assert_eq!((renamed.title.as_str(), renamed.questions, renamed.pages), ("Я", 1, 0));
        assert_eq!(titles(&owner).await.last().unwrap(), "Я");
    }

    async fn a_change_makes_a_version_and_a_stale_one_is_a_conflict(kurso: TestKurso) {
        let Shared { owner, editor, bank, question, .. } = shared(&kurso).await;
        assert_eq!((question.version, question.kind.as_str(), question.is_complete), (1, "numeric", true));
        let text: Value = serde_json::from_str(&question.question).unwrap();
        assert_eq!(text["id"], question.id.to_string());
        let tagged = saved(update(&kurso, &owner, question.id, json!({"version": 1, "tags": ["б", "А"]})).await);
        assert_eq!((tagged.version, &tagged.tags[..]), (1, &["А".to_owned(), "б".to_owned()][..]));
        let incomplete = json!({"type": "short_text", "prompt": "Как?"});
        let second = saved(update(&kurso, &editor, question.id, json!({"version": 1, "question": incomplete})).await);
        assert_eq!((second.version, second.is_complete, second.tags.len()), (2, false, 2));
        assert_eq!(second.changed_by.as_ref().map(|by| by.id), Some(editor.id()));
        let stale = update(&kurso, &owner, question.id, json!({"version": 1, "question": numeric("?"), "tags": []})).await;
        assert_eq!(stale.unwrap(), Updated::Conflict(second.clone()));
        // The same question again makes no version; restoring the first one does.
        let same: Value = serde_json::from_str(&second.question).unwrap();
        assert_eq!(saved(update(&kurso, &owner, question.id, json!({"version": 2, "question": same})).await), second);
        let earlier = banks::versions(&kurso, &owner, question.id).await.unwrap();
        assert_eq!((earlier.len(), earlier[0].version, &earlier[0].question), (1, 1, &question.question));
        kurso.clock.advance(chrono::Duration::seconds(1));
        let restored = saved(update(&kurso, &owner, question.id, json!({"version": 2, "question": text})).await);
        assert_eq!((restored.version, &restored.question), (3, &question.question));
        let bank = banks::get(&kurso, &owner, bank).await.unwrap();
        assert_eq!(bank.updated_at, kurso.clock.now());
    }

    async fn the_last_100_versions_are_kept(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let bank = bank(&kurso, &owner, "Б").await;
        let question = add_one(&kurso, &owner, bank, numeric("0?")).await;
        for version in 1..=103 {
            let change = json!({"version": version, "question": numeric(&format!("{version}?"))});
            saved(update(&kurso, &owner, question.id, change).await);
        }
        let versions = banks::versions(&kurso, &owner, question.id).await.unwrap();
        assert_eq!((versions.len(), versions[0].version, versions[99].version), (100, 103, 4));
    }

    async fn limits_on_banks_and_questions_hold(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let first = bank(&kurso, &owner, "Б").await;
        for at in 1..banks::MAX_BANKS {
            bank(&kurso, &owner, &at.to_string()).await;
        }
        let one_more = banks::create(&kurso, &owner, command(json!({"title": "x"}))).await;
        assert!(matches!(one_more, Err(Error::Conflict(Message::TooManyBanks(200)))));
        let many = vec![json!({"question": numeric("?")}); banks::MAX_ADDED];
        for _ in 0..10 {
            assert_eq!(add(&kurso, &owner, first, json!(many)).await.unwrap().len(), 500);
        }
        let one_more = add(&kurso, &owner, first, json!([many[0]])).await;
        assert!(matches!(one_more, Err(Error::Conflict(Message::BankFull(5_000)))));
        assert_eq!(banks::get(&kurso, &owner, first).await.unwrap().questions, 5_000);
        let too_many = banks::NewQuestions::check(json!(vec![&many[0]; 501])).unwrap_err();
        assert_eq!(too_many.kind, "too_long");
    }

    async fn many_questions_are_tagged_and_deleted_at_once(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let [here, other] = [bank(&kurso, &owner, "Б").await, bank(&kurso, &owner, "В").await];
        let new = json!([{"question": numeric("1?"), "tags": ["a"]}, {"question": numeric("2?"), "tags": ["b"]}, {"question": {"type": "essay", "prompt": ""}}]);
        let added = add(&kurso, &owner, here, new).await.unwrap();
        let foreign = add_one(&kurso, &owner, other, numeric("?")).await;
        let ids: Vec<_> = added.iter().map(|question| question.id).chain([foreign.id]).collect();
        let change = json!({"question_ids": ids, "add": ["c", "b"], "remove": ["a"]});
        banks::tag_questions(&kurso, &owner, here, command(change)).await.unwrap();
        let tags = banks::tags_of(&kurso, &[here, other]).await.unwrap();
        let counted: Vec<_> = tags[&here].iter().map(|tag| (tag.name.as_str(), tag.count, tag.drawable)).collect();
        assert_eq!(counted, [("b", 3, 2), ("c", 3, 2)]);
        assert!(!tags.contains_key(&other), "questions of other banks are not touched");
        let versions: Vec<_> = banks::questions_by_ids(&kurso, &owner, &ids).await.unwrap().iter().map(|question| question.version).collect();
        assert_eq!(versions, [1; 4]);
        let names: Vec<String> = (0..19).map(|n| format!("t{n}")).collect();
        let crowded = json!({"question_ids": ids, "add": names});
        assert_eq!(refused(banks::tag_questions(&kurso, &owner, here, command(crowded)).await), 422);
        let left = banks::delete_questions(&kurso, &owner, here, command(json!({"question_ids": [ids[0], ids[3]]}))).await.unwrap();
        assert_eq!((left.questions, banks::get(&kurso, &owner, other).await.unwrap().questions), (2, 1));
    }

    async fn sharing_names_active_accounts_and_unknown_ones_are_limited(kurso: TestKurso) {
        let Shared { owner, editor, reader, bank, .. } = shared(&kurso).await;
        let members = banks::members_of(&kurso, &[bank]).await.unwrap().remove(&bank).unwrap();
        let found: Vec<_> = members.iter().map(|member| (member.email.as_str(), member.role)).collect();
        assert_eq!(found, [("editor@example.com", MemberRole::Editor), ("reader@example.com", MemberRole::Viewer)]);
        share(&kurso, &owner, bank, "reader@example.com", MemberRole::Editor).await.unwrap();
        assert_eq!(banks::get(&kurso, &reader, bank).await.unwrap().role, BankRole::Editor);
        assert_eq!(refused(share(&kurso, &owner, bank, "owner@example.com", MemberRole::Viewer).await), 409);
        sql!("UPDATE users SET is_active = false WHERE id = $1", editor.id()).execute(&kurso.db).await.unwrap();
        for n in 0..20 {
            let email = if n == 0 { "editor@example.com".to_owned() } else { format!("nobody{n}@example.com") };
            assert_eq!(refused(share(&kurso, &owner, bank, &email, MemberRole::Viewer).await), 422);
        }
        let limited = share(&kurso, &owner, bank, "reader@example.com", MemberRole::Viewer).await;
        assert!(matches!(limited, Err(Error::RateLimited { .. })));
        assert_eq!(banks::unshare(&kurso, &reader, bank, reader.id()).await.unwrap(), None);
        assert_eq!(refused(banks::get(&kurso, &reader, bank).await), 404);
        assert!(banks::unshare(&kurso, &owner, bank, editor.id()).await.unwrap().is_some());
        assert_eq!(refused(banks::unshare(&kurso, &owner, bank, editor.id()).await), 404);
    }

    async fn a_bank_that_pages_draw_from_is_not_deleted(kurso: TestKurso) {
        let Shared { owner, root, bank, .. } = shared(&kurso).await;
        let course = kurso.course(&owner, &[&[&[kurso_core::courses::tree::PageKind::Quiz; 2]]]).await;
        sql!("INSERT INTO page_banks (page_id, bank_id) SELECT id, $1 FROM pages WHERE course_id = $2", bank, course)
            .execute(&kurso.db).await.unwrap();
        for who in [&owner, &root] {
            let refused = banks::delete(&kurso, who, bank).await;
            assert!(matches!(refused, Err(Error::Conflict(Message::BankInUse(2)))), "{refused:?}");
        }
        assert_eq!(banks::get(&kurso, &owner, bank).await.unwrap().pages, 2);
    }
}

#[test]
fn tags_of_a_query_are_limited() {
    assert!(QuestionTags::check(json!(vec!["x"; 21])).is_err());
}
