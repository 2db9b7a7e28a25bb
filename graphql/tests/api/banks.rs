//! Question banks over GraphQL.

use kurso_core::both;
use kurso_core::testing::TestKurso;
use serde_json::{Value, json};

use crate::support::Server;

const CREATE: &str = "mutation($i: CreateBankInput!) { createBank(input: $i) { bank { id title role } } }";
const RENAME: &str = "mutation($i: UpdateBankInput!) { updateBank(input: $i) { bank { title } } }";
const DELETE: &str = "mutation($i: BankInput!) { deleteBank(input: $i) { bankId message } }";
const ADD: &str = "mutation($i: AddBankQuestionsInput!) { addBankQuestions(input: $i) {
    questions { id version kind question tags isComplete changedBy { fullName } versions { version } }
    bank { questionsCount tags { name count drawable } } } }";
const UPDATE: &str = "mutation($i: UpdateBankQuestionInput!) { updateBankQuestion(input: $i) {
    isConflict question { version tags question versions { version question changedBy { fullName } } } } }";
const TAG: &str =
    "mutation($i: TagBankQuestionsInput!) { tagBankQuestions(input: $i) { bank { tags { name count } } } }";
const REMOVE: &str =
    "mutation($i: DeleteBankQuestionsInput!) { deleteBankQuestions(input: $i) { bank { questionsCount } } }";
const SHARE: &str =
    "mutation($i: ShareBankInput!) { shareBank(input: $i) { bank { members { role person { id email } } } } }";
const UNSHARE: &str = "mutation($i: UnshareBankInput!) { unshareBank(input: $i) { bank { id } } }";
const BANK: &str = "query($id: ID!, $search: String, $tags: [String!], $kind: String, $first: Int) { bank(id: $id) {
    role owner { fullName } members { role } questions(search: $search, tags: $tags, kind: $kind, first: $first) {
    total drawable questions { id kind } } } }";
const BANKS: &str = "{ banks { title role questionsCount pagesCount } }";
const BY_ID: &str = "query($ids: [ID!]!) { bankQuestions(ids: $ids) { id bankId } }";

/// The tokens of an owner, an editor, a viewer, a stranger and a superuser, and a bank with a question.
struct Shared {
    server: Server,
    owner: String,
    editor: String,
    viewer: String,
    stranger: String,
    root: String,
    bank: Value,
    question: Value,
}

async fn shared(kurso: &TestKurso) -> Shared {
    let server = Server::start(kurso).await;
    for name in ["owner", "editor", "viewer", "stranger"] {
        kurso.person(name).await;
    }
    kurso.superuser("root").await;
    let owner = kurso.token("owner@example.com").await;
    let made = server.data(&owner, CREATE, json!({"i": {"title": "Алгебра"}})).await;
    let bank = made["bank"]["id"].clone();
    let new = json!([{"question": {"type": "numeric", "prompt": "Ёжиков?", "value": 4}, "tags": ["А"]}]);
    let added = server
        .data(&owner, ADD, json!({"i": {"bankId": bank, "questions": new}}))
        .await;
    for (email, role) in [("editor@example.com", "EDITOR"), ("viewer@example.com", "VIEWER")] {
        let share = json!({"i": {"bankId": bank, "email": email, "role": role}});
        server.data(&owner, SHARE, share).await;
    }
    Shared {
        editor: kurso.token("editor@example.com").await,
        viewer: kurso.token("viewer@example.com").await,
        stranger: kurso.token("stranger@example.com").await,
        root: kurso.token("root@example.com").await,
        question: added["questions"][0]["id"].clone(),
        server,
        owner,
        bank,
    }
}

both! {
    async fn a_bank_is_made_filled_and_searched(kurso: TestKurso) {
        let Shared { server, owner, bank, question, .. } = shared(&kurso).await;
        let new = json!([{"question": {"type": "essay", "prompt": ""}}]);
        let added = server.data(&owner, ADD, json!({"i": {"bankId": bank, "questions": new}})).await;
        let one = &added["questions"][0];
        assert_eq!((&one["version"], &one["isComplete"], &one["tags"], &one["versions"]), (&json!(1), &json!(false), &json!([]), &json!([])));
        assert_eq!((&one["question"]["id"], &one["changedBy"]["fullName"]), (&one["id"], &json!("owner")));
        assert_eq!(added["bank"], json!({"questionsCount": 2, "tags": [{"name": "А", "count": 1, "drawable": 1}]}));
        for (arguments, total, drawable) in [
            (json!({}), 2, 1),
            (json!({"search": "ежиков"}), 1, 1),
            (json!({"tags": ["А"]}), 1, 1),
            (json!({"kind": "essay"}), 1, 0),
            (json!({"search": "ёжиков", "kind": "essay"}), 0, 0),
        ] {
            let mut variables = arguments.clone();
            variables["id"] = bank.clone();
            let found = server.data(&owner, BANK, variables).await["questions"].clone();
            assert_eq!((&found["total"], &found["drawable"]), (&json!(total), &json!(drawable)), "{arguments}");
        }
        assert_eq!(server.bad_fields(&owner, BANK, json!({"id": bank, "first": 101, "tags": [""]})).await,
            ["tags[0] string_too_short", "first less_than_equal"]);
        let found = server.data(&owner, BY_ID, json!({"ids": [one["id"], bank, question]})).await;
        assert_eq!(found, json!([{"id": one["id"], "bankId": bank}, {"id": question, "bankId": bank}]));
        assert_eq!(server.data(&owner, BY_ID, json!({"ids": []})).await, json!([]));
        assert_eq!(server.data(&owner, BANKS, json!({})).await,
            json!([{"title": "Алгебра", "role": "OWNER", "questionsCount": 2, "pagesCount": 0}]));
        assert_eq!(server.bad_fields(&owner, ADD, json!({"i": {"bankId": bank, "questions": [{"question": {"type": "hand_in"}}]}})).await,
            ["questions[0].question.type value_error"]);
    }

    async fn a_stale_change_returns_what_is_stored(kurso: TestKurso) {
        let Shared { server, owner, editor, bank, question, .. } = shared(&kurso).await;
        let change = |version: i32, prompt: &str| json!({"i": {"questionId": question, "version": version,
            "question": {"type": "numeric", "prompt": prompt, "value": 5}, "tags": ["б"]}});
        let saved = server.data(&editor, UPDATE, change(1, "2?")).await;
        assert_eq!((&saved["isConflict"], &saved["question"]["version"], &saved["question"]["tags"]), (&json!(false), &json!(2), &json!(["б"])));
        assert_eq!(saved["question"]["versions"][0]["changedBy"]["fullName"], "owner");
        let stale = server.data(&owner, UPDATE, change(1, "3?")).await;
        assert_eq!((&stale["isConflict"], &stale["question"]), (&json!(true), &saved["question"]));
        let tagged = server.data(&editor, TAG, json!({"i": {"bankId": bank, "questionIds": [question], "add": ["в"], "remove": ["б"]}})).await;
        assert_eq!(tagged["bank"]["tags"], json!([{"name": "в", "count": 1}]));
        let left = server.data(&editor, REMOVE, json!({"i": {"bankId": bank, "questionIds": [question]}})).await;
        assert_eq!(left["bank"]["questionsCount"], 0);
    }

    async fn each_role_may_do_what_it_may_in_rest(kurso: TestKurso) {
        let Shared { server, owner, editor, viewer, stranger, root, bank, question } = shared(&kurso).await;
        let none = String::new();
        for (token, role, members) in [(&owner, "OWNER", 2), (&editor, "EDITOR", 2), (&viewer, "VIEWER", 0), (&root, "VIEWER", 0)] {
            let seen = server.data(token, BANK, json!({"id": bank})).await;
            assert_eq!((&seen["role"], seen["members"].as_array().unwrap().len()), (&json!(role), members));
            assert_eq!(server.data(token, BY_ID, json!({"ids": [question]})).await.as_array().unwrap().len(), 1);
        }
        assert_eq!(server.data(&stranger, BY_ID, json!({"ids": [question]})).await, json!([]));
        for (token, code) in [(&none, "UNAUTHENTICATED"), (&stranger, "NOT_FOUND")] {
            assert_eq!(server.refusal(token, BANK, json!({"id": bank})).await, code);
        }
        let new = json!([{"question": {"type": "numeric", "prompt": "?"}}]);
        let edits = [
            (ADD, json!({"bankId": bank, "questions": new})),
            (UPDATE, json!({"questionId": question, "version": 1})),
            (TAG, json!({"bankId": bank, "questionIds": [question]})),
            (REMOVE, json!({"bankId": bank, "questionIds": [question]})),
        ];
        let manages = [
            (RENAME, json!({"bankId": bank, "title": "x"})),
            (SHARE, json!({"bankId": bank, "email": "stranger@example.com", "role": "VIEWER"})),
        ];
        for (token, code) in [(&none, "UNAUTHENTICATED"), (&stranger, "NOT_FOUND"), (&viewer, "FORBIDDEN"), (&root, "FORBIDDEN")] {
            for (query, input) in edits.iter().chain(&manages) {
                assert_eq!(server.refusal(token, query, json!({"i": input})).await, code, "{query}");
            }
        }
        for (query, input) in manages {
            assert_eq!(server.refusal(&editor, query, json!({"i": input})).await, "FORBIDDEN");
        }
        for token in [&viewer, &editor] {
            assert_eq!(server.refusal(token, DELETE, json!({"i": {"bankId": bank}})).await, "FORBIDDEN");
        }
        assert_eq!(server.bad_fields(&owner, SHARE, json!({"i": {"bankId": bank, "email": "editor@example.com", "role": "OWNER"}})).await, ["role enum"]);
        let members = server.data(&owner, SHARE, json!({"i": {"bankId": bank, "email": "viewer@example.com", "role": "EDITOR"}})).await;
        let member = members["bank"]["members"][1]["person"]["id"].clone();
        let input = json!({"i": {"bankId": bank, "userId": member}});
        assert_eq!(server.refusal(&editor, UNSHARE, input.clone()).await, "FORBIDDEN");
        assert_eq!(server.data(&viewer, UNSHARE, input).await["bank"], json!(null));
        assert_eq!(server.refusal(&viewer, BANK, json!({"id": bank})).await, "NOT_FOUND");
        assert_eq!(server.data(&root, DELETE, json!({"i": {"bankId": bank}})).await["bankId"], bank);
    }
}
