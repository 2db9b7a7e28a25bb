//! Unpublished changes of published pages, and who sees them.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server, saying};

const SAVE: &str = "mutation($i: UpdatePageInput!) { updatePage(input: $i) {
    page { version title pageDraft { title content authorQuiz version baseVersion isBehind editor { fullName } createdAt savedAt } }
    conflict { page { version pageDraft { version } } } } }";
const DISCARD: &str = "mutation($i: DiscardPageDraftInput!) { discardPageDraft(input: $i) {
    page { version pageDraft { version } } } }";
const PUBLISH: &str = "mutation($i: PublishPageDraftsInput!) { publishPageDrafts(input: $i) {
    pages { id version title pageDraft { version } } conflicts { id version pageDraft { version } } } }";
const RESTORE: &str = "mutation($i: RestorePageVersionInput!) { restorePageVersion(input: $i) {
    page { version pageDraft { version title } } } }";
const PAGE: &str = "query($id: ID!) { page(id: $id) { title content version updatedAt pageDraft { title content }
    versions { version title publishedAt } course { updatedAt unpublishedChanges { id } modules { lessons { pages { title pageDraft { title } } } } } } }";
const TEXT: &str = "query($id: ID!, $v: Int!) { page(id: $id) { versionText(version: $v) { title } } }";
const PREVIEW: &str = "query($id: ID!, $d: Boolean!) { pagePreview(id: $id, as: {}, drafts: $d) { title content version pageDraft { title } } }";

const QUIZ: &str = "query($id: ID!, $d: Boolean!) { page(id: $id, drafts: $d) { version title authorQuiz quiz { questions { id } } } }";
const TRY: &str = "mutation($i: TryQuizInput!) { tryQuiz(input: $i) { outcome attempt { percent } page { version } } }";
const CREATE: &str = "mutation($i: CreatePageInput!) { createPage(input: $i) { page { id version } } }";

fn input(value: Value) -> Value {
    json!({"i": value})
}

both! {
    async fn a_draft_is_saved_and_published(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (owner, page) = (&school.owner, school.pages[0]);
        let saved = server.data(owner, SAVE, input(json!({"pageId": page, "draft": true, "title": "Новое", "content": saying("b"), "version": 1}))).await;
        assert_eq!(saved["page"], json!({"version": 1, "title": null, "pageDraft": {
            "title": "Новое", "content": saying("b"), "authorQuiz": null, "version": 2, "baseVersion": 1, "isBehind": false,
            "editor": {"fullName": "owner"}, "createdAt": "2026-11-21T09:00:00Z", "savedAt": "2026-11-21T09:00:00Z",
        }}));
        let late = server.data(owner, SAVE, input(json!({"pageId": page, "draft": true, "title": "x", "version": 1}))).await;
        assert_eq!(late, json!({"page": null, "conflict": {"page": {"version": 1, "pageDraft": {"version": 2}}}}));
        let mixed = input(json!({"pageId": page, "draft": true, "title": "x", "published": false}));
        assert_eq!(server.bad_fields(owner, SAVE, mixed).await, ["draft value_error"]);
        server.data(owner, SAVE, input(json!({"pageId": school.pages[2], "draft": true, "title": "y"}))).await;

        let read = server.data(owner, PAGE, json!({"id": page})).await;
        assert_eq!(read["course"]["unpublishedChanges"], json!([{"id": page}, {"id": school.pages[2]}]));
        assert_eq!(read["versions"], json!([
            {"version": 2, "title": "Новое", "publishedAt": null}, {"version": 1, "title": null, "publishedAt": "2026-11-21T09:00:00Z"},
        ]));
        let of = |version: i32| input(json!({"courseId": school.course, "pages": [{"pageId": page, "version": version, "pageVersion": 1}]}));
        let stale = server.data(owner, PUBLISH, of(1)).await;
        assert_eq!(stale, json!({"pages": [], "conflicts": [{"id": page, "version": 1, "pageDraft": {"version": 2}}]}));
        let published = server.data(owner, PUBLISH, of(2)).await;
        assert_eq!(published, json!({"pages": [{"id": page, "version": 2, "title": "Новое", "pageDraft": null}], "conflicts": []}));
        let none = input(json!({"courseId": school.course, "pages": []}));
        assert_eq!(server.bad_fields(owner, PUBLISH, none).await, ["pages too_short"]);
    }

    async fn a_draft_is_discarded_and_restored(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (editor, page) = (&school.editor, school.pages[0]);
        server.data(editor, SAVE, input(json!({"pageId": page, "draft": true, "title": "a"}))).await;
        let of = |version: i32| input(json!({"pageId": page, "version": version}));
        assert_eq!(server.refusal(editor, DISCARD, of(1)).await, "CONFLICT");
        assert_eq!(server.data(editor, DISCARD, of(2)).await, json!({"page": {"version": 1, "pageDraft": null}}));
        assert_eq!(server.refusal(editor, DISCARD, of(2)).await, "NOT_FOUND");
        let restored = server.data(editor, RESTORE, input(json!({"pageId": page, "version": 2, "draft": true}))).await;
        assert_eq!(restored, json!({"page": {"version": 1, "pageDraft": {"version": 3, "title": "a"}}}));
    }

    async fn nobody_without_the_right_to_edit_sees_a_draft(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let page = school.pages[0];
        let people = [&school.learner, &school.teacher, &school.admin];
        let mut before = vec![];
        for person in people {
            before.push(server.data(person, PAGE, json!({"id": page})).await);
        }
        kurso.clock.advance(chrono::Duration::minutes(1));
        server.data(&school.owner, SAVE, input(json!({"pageId": page, "draft": true, "title": "тайна", "content": saying("тайна")}))).await;
        for (person, before) in people.into_iter().zip(before) {
            assert_eq!(server.data(person, PAGE, json!({"id": page})).await, before);
            let text = server.ask(person, TEXT, json!({"id": page, "v": 2})).await;
            assert!(!text.to_string().contains("тайна"), "{text}");
            let preview = server.ask(person, PREVIEW, json!({"id": page, "d": true})).await;
            assert_eq!(preview["errors"][0]["extensions"]["code"], "FORBIDDEN");
            for (call, body) in [
                (SAVE, json!({"pageId": page, "draft": true, "title": "x"})),
                (DISCARD, json!({"pageId": page, "version": 2})),
                (RESTORE, json!({"pageId": page, "version": 2, "draft": true})),
                (PUBLISH, json!({"courseId": school.course, "pages": [{"pageId": page, "version": 2, "pageVersion": 1}]})),
            ] {
                assert_eq!(server.refusal(person, call, input(body)).await, "FORBIDDEN");
            }
        }
        assert_eq!(server.refusal(&school.stranger, PAGE, json!({"id": page})).await, "NOT_FOUND");
        let seen = server.data(&school.editor, PREVIEW, json!({"id": page, "d": true})).await;
        assert_eq!(seen, json!({"title": "тайна", "content": saying("тайна"), "version": 2, "pageDraft": null}));
        let seen = server.data(&school.editor, PREVIEW, json!({"id": page, "d": false})).await;
        assert_eq!((&seen["title"], &seen["version"]), (&Value::Null, &json!(1)));
    }

    async fn editors_read_and_try_the_quiz_of_a_draft(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let quiz = |value: i64| json!({"questions": [{"type": "numeric", "prompt": "Сколько?", "value": value}]});
        let made = server.data(&school.owner, CREATE, input(json!({"lessonId": school.lessons[0], "kind": "QUIZ", "quiz": quiz(4)}))).await;
        let page = made["page"]["id"].clone();
        server.data(&school.owner, SAVE, input(json!({"pageId": page, "draft": true, "title": "Новый", "quiz": quiz(5)}))).await;
        for (drafts, version, title, value) in [(true, 2, json!("Новый"), 5), (false, 1, Value::Null, 4)] {
            let read = server.data(&school.editor, QUIZ, json!({"id": page, "d": drafts})).await;
            assert_eq!((&read["version"], &read["title"]), (&json!(version), &title));
            assert!(read["authorQuiz"]["questions"][0]["value"].to_string().contains(&value.to_string()), "{read}");
            let question = &read["quiz"]["questions"][0]["id"];
            let answers = json!([{"questionId": question, "number": value.to_string()}]);
            let tried = input(json!({"pageId": page, "answers": answers, "version": version, "draft": drafts}));
            let tried = server.data(&school.editor, TRY, tried).await;
            assert_eq!(tried, json!({"outcome": "TAKEN", "attempt": {"percent": 100}, "page": {"version": version}}));
        }
        let stale = input(json!({"pageId": page, "answers": [], "version": 1, "draft": true}));
        assert_eq!(server.data(&school.editor, TRY, stale).await["outcome"], "QUIZ_CHANGED");
        for person in [&school.teacher, &school.learner, &school.admin] {
            assert_eq!(server.refusal(person, QUIZ, json!({"id": page, "d": true})).await, "FORBIDDEN");
            let tried = input(json!({"pageId": page, "answers": [], "draft": true}));
            assert_eq!(server.refusal(person, TRY, tried).await, "FORBIDDEN");
        }
    }
}
