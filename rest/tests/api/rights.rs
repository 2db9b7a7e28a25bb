//! Calls every operation of the OpenAPI document as each kind of user, and writes docs/rights.md.

mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;

use kurso_base::ids::{BankId, BankQuestionId, CourseId, JobId, RegradeId};
use kurso_base::messages::Lang;
use kurso_base::values::{PushEndpoint, PushKey};
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::calendar::feed;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::courses::{self, groups, overrides, page};
use kurso_core::learning::view::CourseView;
use kurso_core::notice_mails::unsubscribe;
use kurso_core::notices::Kind;
use kurso_core::push::{self, devices::AddDevice};
use kurso_core::testing::{TestKurso, command, submission};
use kurso_core::{
    announcements, attempts, banks, both, comments, discussions, gradebook, items, learning, notes, snapshots, trash,
};
use kurso_db::sql;
use reqwest::Method;
use serde_json::{Value, json};

use crate::files::store;
use crate::support::{METRICS_TOKEN, Persona, Sent as _, Server};
pub use table::BROWSER_KEY;
use table::{Body, Row, USERS, rows};

/// Operations that change the caller, so that each call has users of its own.
const CHANGES_THE_CALLER: &[&str] = &[
    "login-logout",
    "login-end_session",
    "users-delete_user_me",
    "users-update_user_me",
    "users-update_password_me",
];

/// The users of one course, in the order of [`USERS`] from the second on.
struct Users {
    viewers: Vec<Viewer>,
}

impl Users {
    async fn create(kurso: &TestKurso, n: usize) -> Self {
        let mut viewers = Vec::new();
        for name in &USERS[1..7] {
            viewers.push(kurso.person(&format!("{name}{n}")).await);
        }
        viewers.push(kurso.superuser(&format!("superuser{n}")).await);
        Users { viewers }
    }

    fn owner(&self) -> &Viewer {
        &self.viewers[5]
    }

    fn persona<'a>(&self, server: &'a Server, who: usize) -> Persona<'a> {
        match who.checked_sub(1) {
            None => server.anonymous(),
            Some(at) => server.viewer(&self.viewers[at]),
        }
    }
}

/// The essay question of the fixture.
const QUESTION: &str = "0198f000-0000-7000-8000-0000000000e1";

/// The question of the fixture that is answered with files.
const UPLOAD_QUESTION: &str = "0198f000-0000-7000-8000-0000000000e2";

/// Creates a new course, and returns the values of the names in paths and bodies.
async fn fixture(kurso: &TestKurso, users: &Users, n: usize) -> BTreeMap<&'static str, String> {
    let owner = users.owner();
    let course = kurso.course(owner, &[&[&[Content]]]).await;
    let view = CourseView::load(kurso, owner, course, Right::Edit).await.unwrap();
    let (module, lesson, page) = (view.module(0).id, view.lesson(0).id, view.page(0).id);
    let quiz = json!({"kind": "quiz", "quiz": {"questions": [
        {"type": "numeric", "prompt": "2 + 2?", "value": 4}, {"type": "essay", "prompt": "Why?", "points": 0, "id": QUESTION},
        {"type": "file_upload", "prompt": "Where?", "points": 0, "id": UPLOAD_QUESTION},
    ]}});
    let quiz = page::create(kurso, owner, lesson, command(&quiz)).await.unwrap();
    let assignment = page::create(kurso, owner, lesson, command(json!({"kind": "assignment"})))
        .await
        .unwrap();
    let timed = json!({"kind": "quiz", "quiz": {"time_limit_seconds": 600, "questions": [
        {"type": "numeric", "prompt": "3 + 3?", "value": 6},
    ]}});
    let timed = page::create(kurso, owner, lesson, command(&timed)).await.unwrap();
    let drafted = page::create(kurso, owner, lesson, command(json!({"title": "x"})))
        .await
        .unwrap();
    let draft = command(json!({"draft": true, "title": "y"}));
    let draft = page::update(kurso, owner, drafted.id, None, draft).await.unwrap();
    let item = json!({"type": "taskItem", "content": [{"type": "paragraph"}]});
    let list = json!({"type": "doc", "content": [{"type": "taskList", "content": [item]}]});
    let tasks = command(json!({"title": "x", "content": list}));
    let tasks = page::create(kurso, owner, lesson, tasks).await.unwrap();
    let shared = courses::generate_share_code(kurso, owner, course).await.unwrap();
    let share_code = shared.share_code.unwrap();
    let [_, learner, reviewer, teacher, editor, ..] = &users.viewers[..] else {
        panic!("seven users are expected")
    };
    let enrolled = learning::enroll(kurso, learner, &Origin::default(), &share_code)
        .await
        .unwrap();
    let essay = submission(&json!({"answers": [{"question_id": QUESTION, "content": "Because."}]}));
    let submitted = attempts::submit(kurso, learner, quiz.id, essay).await.unwrap();
    let started = attempts::running::start(kurso, learner, timed.id).await.unwrap();
    for (viewer, role) in [(teacher, "teacher"), (editor, "editor"), (reviewer, "reviewer")] {
        kurso.collaborator(course, viewer, role).await;
    }
    let group = groups::create(kurso, owner, course, command(json!({"title": "x"})))
        .await
        .unwrap();
    let longer = command(json!({"group_id": group.id, "page_id": page, "due_at": null}));
    let longer = overrides::set(kurso, owner, course, longer)
        .await
        .unwrap()
        .done()
        .unwrap();
    let category = gradebook::create_category(kurso, owner, course, command(json!({"title": "x"})));
    let (category, _) = category.await.unwrap();
    let deleted = page::create(kurso, owner, lesson, command(json!({}))).await.unwrap();
    page::delete(kurso, owner, deleted.id).await.unwrap();
    let entry = trash::of_course(kurso, owner, course).await.unwrap().remove(0).id;
    let snapshot = snapshots::take(kurso, owner, course, command(json!({"name": "x"})))
        .await
        .unwrap();
    let content = snapshots::content(kurso, owner, snapshot.id).await.unwrap();
    let changes = snapshots::Changes::to(kurso, owner, &content, None).await.unwrap();
    let regrade = regrade(kurso, course, owner).await;
    let suggestion = json!({"text": "x", "version": 1, "block": 0, "suggestion": []});
    let thread = comments::start(kurso, owner, page, command(suggestion)).await;
    let thread = thread.unwrap();
    let content = json!({"type": "doc", "content": [{"type": "paragraph"}]});
    let announcement = command(json!({"title": "x", "content": content}));
    let announcement = announcements::create(kurso, owner, course, announcement).await.unwrap();
    let question = json!({"body": {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Why?"}]}]}});
    let discussion = discussions::start(kurso, owner, page, command(question)).await;
    let discussion = discussion.unwrap();
    let note = notes::create(kurso, owner, page, command(json!({"color": "green", "body": "x"}))).await;
    let note = note.unwrap();
    let (bank, bank_question) = bank(kurso, owner, [(editor, "editor"), (teacher, "viewer")]).await;
    let item = items::create(kurso, owner, command(json!({"title": "x"})))
        .await
        .unwrap();
    let file = store(kurso, "a.png", "image/png", b"\x89PNG").await;
    let (_, feed) = feed::create(kurso, owner, Lang::Ru).await.unwrap();
    let notice_token = unsubscribe::token_of(kurso, owner.id(), &[Kind::Graded], None)
        .await
        .unwrap();
    let key = |text: &str| PushKey::parse(text).unwrap();
    let device = AddDevice {
        endpoint: PushEndpoint::parse(format!("https://fcm.googleapis.com/{n}")).unwrap(),
        p256dh: key(BROWSER_KEY),
        auth: key("BTBZMqHH6r4Tts7J_aSIgg"),
    };
    let device = push::devices::add(kurso, owner, &device).await.unwrap();
    let other = kurso.account(&format!("other{n}"), false).await;
    BTreeMap::from([
        ("course_id", course.to_string()),
        ("module_id", module.to_string()),
        ("lesson_id", lesson.to_string()),
        ("page_id", page.to_string()),
        ("quiz_page_id", quiz.id.to_string()),
        ("drafted_page_id", drafted.id.to_string()),
        ("draft_version", draft.version.to_string()),
        ("task_page_id", tasks.id.to_string()),
        ("timed_page_id", timed.id.to_string()),
        ("ticket", started.attempt.ticket),
        ("assignment_page_id", assignment.id.to_string()),
        ("attempt_id", submitted.attempt.id.to_string()),
        ("question_id", QUESTION.to_owned()),
        ("version", "1".to_owned()),
        ("share_code", share_code),
        ("enrollment_id", enrolled.enrollment.unwrap().id.to_string()),
        ("group_id", group.id.to_string()),
        ("override_id", longer.id.to_string()),
        ("category_id", category.to_string()),
        ("entry_id", entry.to_string()),
        ("snapshot_id", snapshot.id.to_string()),
        ("digest", changes.digest.unwrap()),
        ("regrade_id", regrade.to_string()),
        ("thread_id", thread.id.to_string()),
        ("comment_id", thread.comments[0].id.to_string()),
        ("announcement_id", announcement.id.to_string()),
        ("discussion_id", discussion.id.to_string()),
        ("post_id", discussion.question.id.to_string()),
        ("note_id", note.id.to_string()),
        ("bank_id", bank.to_string()),
        ("bank_question_id", bank_question.to_string()),
        ("item_id", item.id.to_string()),
        ("session_id", owner.session.to_string()),
        ("user_id", other.id.to_string()),
        ("email", other.email),
        ("new_email", format!("new{n}@example.com")),
        ("editor_id", editor.id().to_string()),
        ("job_id", ready_import(kurso, owner).await.to_string()),
        ("token", feed.split('/').nth_back(1).unwrap().to_owned()),
        ("notice_token", notice_token),
        ("device_id", device.id.to_string()),
        ("key", file.key),
        ("filename", "a.png".to_owned()),
    ])
}

/// A regrading that can be undone, of no attempt.
async fn regrade(kurso: &TestKurso, course: CourseId, by: &Viewer) -> RegradeId {
    let id = RegradeId::new();
    sql!(
        "INSERT INTO regrades (id, course_id, by_id, at, attempts, changed) VALUES ($1, $2, $3, $4, 1, 0)",
        id,
        course,
        by.id(),
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    id
}

/// Creates a bank of the owner with a question, and shares it. It replaces the bank of the fixture before, because people may own 200 banks.
async fn bank(kurso: &TestKurso, owner: &Viewer, members: [(&Viewer, &'static str); 2]) -> (BankId, BankQuestionId) {
    sql!("DELETE FROM question_banks WHERE owner_id = $1", owner.id())
        .execute(&kurso.db)
        .await
        .unwrap();
    let bank = banks::create(kurso, owner, command(json!({"title": "x"})))
        .await
        .unwrap();
    let question = json!({"questions": [{"question": {"type": "numeric", "prompt": "2 + 2?", "value": 4}}]});
    let (added, _) = banks::add_questions(kurso, owner, bank.id, command(question))
        .await
        .unwrap();
    for (member, role) in members {
        sql!(
            "INSERT INTO bank_members (bank_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)",
            bank.id,
            member.id(),
            role,
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    (bank.id, added[0].id)
}

/// Creates an import of the owner that waits for confirmation.
async fn ready_import(kurso: &TestKurso, owner: &Viewer) -> JobId {
    // The number of open imports of a user is limited.
    sql!("DELETE FROM jobs WHERE owner_id = $1", owner.id())
        .execute(&kurso.db)
        .await
        .unwrap();
    let id = JobId::new();
    let payload = json!({"filename": "a.zip", "format": null, "into": {"mode": "new"}, "new_course": id,
        "storing": false, "straight": false});
    sql!(
        "INSERT INTO jobs (id, kind, owner_id, state, payload, wanted_at, created_at, updated_at)
         VALUES ($1, 'import', $2, 'ready', $3, $4, $4, $4)",
        id,
        owner.id(),
        payload.to_string(),
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    id
}

/// Replaces each `{name}` by its value.
fn filled(text: &str, fixture: &BTreeMap<&'static str, String>) -> String {
    let mut text = text.to_owned();
    for (name, value) in fixture {
        text = text.replace(&format!("{{{name}}}"), value);
    }
    text
}

impl Row {
    /// The path of the operation. Some parameters mean another value than their name in OpenAPI.
    fn path(&self, path: &str, fixture: &BTreeMap<&'static str, String>) -> String {
        let path = match self.operation {
            "courses-submit_quiz"
            | "courses-try_quiz"
            | "courses-grant_attempt"
            | "courses-take_back_attempt"
            | "courses-reset_attempts"
            | "courses-quiz_analysis"
            | "courses-release_assessments" => path.replace("{page_id}", "{quiz_page_id}"),
            "courses-upload_answer_file" => path
                .replace("{page_id}", "{quiz_page_id}")
                .replace("{question_id}", UPLOAD_QUESTION),
            "courses-start_attempt" | "courses-save_answers" => path.replace("{page_id}", "{timed_page_id}"),
            "courses-answer_draft" | "courses-save_answer_draft" => path.replace("{page_id}", "{assignment_page_id}"),
            "courses-tick_task" => path.replace("{page_id}", "{task_page_id}"),
            "courses-page_draft" => path.replace("{page_id}", "{drafted_page_id}"),
            "courses-discard_page_draft" => path.replace("{page_id}", "{drafted_page_id}") + "?version={draft_version}",
            "banks-update_question" | "banks-question_versions" => path.replace("{question_id}", "{bank_question_id}"),
            "banks-questions_by_id" => format!("{path}?id={{bank_question_id}}"),
            "notices-reset" => format!("{path}?kind=graded&course_id={{course_id}}"),
            "notices-read_subscription" | "notices-unsubscribe" => path.replace("{token}", "{notice_token}"),
            "banks-unshare" => path.replace("{user_id}", "{editor_id}"),
            "courses-remove_collaborator" => path.replace("{user_id}", "{editor_id}"),
            operation if operation.starts_with("items-") => path.replace("{id}", "{item_id}"),
            operation if operation.starts_with("login-") => path.replace("{id}", "{session_id}"),
            _ => path.to_owned(),
        };
        let mut path = filled(&path, fixture);
        if self.operation == "utils-test_email" {
            path.push_str("?email_to=ann@example.com");
        }
        assert!(!path.contains('{'), "{}: {path}", self.operation);
        path
    }

    async fn call(
        &self,
        by: &Persona<'_>,
        method: Method,
        path: &str,
        fixture: &BTreeMap<&'static str, String>,
    ) -> u16 {
        let request = by.request(method, path);
        let request = match &self.body {
            Body::None => request,
            Body::Json(body) => {
                let body: Value = serde_json::from_str(&filled(&body.to_string(), fixture)).unwrap();
                request.json(&body)
            }
            Body::Form(fields) => request.form(fields),
            Body::File(name, bytes) => {
                let part = reqwest::multipart::Part::bytes(bytes.to_vec()).file_name(*name);
                request.multipart(reqwest::multipart::Form::new().part("file", part))
            }
        };
        request.answer().await.status
    }
}

/// Returns method and path of every operation of the OpenAPI document, by its id.
fn operations() -> BTreeMap<String, (Method, String)> {
    let document: Value = serde_json::from_str(kurso_rest::openapi_json()).unwrap();
    let mut found = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap().to_owned();
            found.insert(id, (method.to_uppercase().parse().unwrap(), path.clone()));
        }
    }
    found
}

#[test]
fn every_operation_has_a_row() {
    let described: BTreeSet<String> = operations().into_keys().collect();
    let tested: BTreeSet<String> = rows().iter().map(|row| row.operation.to_owned()).collect();
    assert_eq!(tested.len(), rows().len(), "an operation has two rows");
    let missing: Vec<_> = described.symmetric_difference(&tested).collect();
    assert!(missing.is_empty(), "only in OpenAPI or only in the table: {missing:#?}");
}

/// Calls every operation as each user. Returns the rows that are wrong, and the secrets that may not be logged.
async fn walk(server: &Server) -> (Vec<String>, BTreeSet<String>) {
    let mut secrets = BTreeSet::new();
    let kurso = &server.kurso;
    let operations = operations();
    let mut n = 0;
    let mut users = Users::create(kurso, n).await;
    let mut values = fixture(kurso, &users, n).await;
    collect_secrets(&mut secrets, server, &users, &values);
    let mut wrong = Vec::new();
    for row in rows() {
        let Some((method, path)) = operations.get(row.operation) else {
            continue;
        };
        let mut answered = [0; 8];
        for (who, answered) in answered.iter_mut().enumerate() {
            let path = row.path(path, &values);
            let by = users.persona(server, who);
            *answered = row.call(&by, method.clone(), &path, &values).await;
            if *answered == 200 && *method != Method::GET {
                n += 1;
                if CHANGES_THE_CALLER.contains(&row.operation) {
                    users = Users::create(kurso, n).await;
                }
                values = fixture(kurso, &users, n).await;
                collect_secrets(&mut secrets, server, &users, &values);
            }
        }
        if answered != row.statuses {
            wrong.push(format!("{}: {answered:?}, expected {:?}", row.operation, row.statuses));
        }
    }
    (wrong, secrets)
}

/// Collects tokens, addresses, names, codes and file keys.
fn collect_secrets(
    secrets: &mut BTreeSet<String>,
    server: &Server,
    users: &Users,
    values: &BTreeMap<&'static str, String>,
) {
    for who in 1..USERS.len() {
        secrets.extend(users.persona(server, who).token);
    }
    secrets.extend(users.viewers.iter().map(|viewer| viewer.user.email.clone()));
    let names = ["share_code", "email", "new_email", "key", "token"];
    secrets.extend(names.iter().filter_map(|name| values.get(name).cloned()));
}

/// The log of all tests of this process.
static LOGGED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Log;

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LOGGED.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

both! {
    /// Makes every call as every user, with the most verbose log of a server: the statuses are those of the table, and neither the log nor the
    /// metrics contain personal data or secrets. One test, because the calls take a minute.
    async fn every_operation_grants_the_rights_of_the_table_and_logs_no_secrets(kurso: TestKurso) {
        // It is already set when both tests run in one process.
        let _ = tracing_subscriber::fmt().with_max_level(tracing::Level::DEBUG).with_writer(|| Log).try_init();
        let options = kurso_rest::Options {
            development: true,
            access_log: true,
            slow_request: Some(std::time::Duration::ZERO),
            ..kurso_rest::Options::default()
        };
        let server = Server::start_as(kurso, options).await;
        let (wrong, mut secrets) = walk(&server).await;
        assert!(wrong.is_empty(), "{wrong:#?}");
        kurso_core::mailer::send_due(&server.kurso).await.unwrap();
        secrets.extend(["stranger@example.com", "wrong password", "long enough", "Новое название", "Другое имя"].map(str::to_owned));
        let metrics = server.anonymous().request(Method::GET, "/metrics").bearer_auth(METRICS_TOKEN).answer().await.text();
        let ready = server.anonymous().get("/readyz").await.text();
        let log = String::from_utf8_lossy(&LOGGED.lock().unwrap()).into_owned();
        // The checks below have something to search.
        assert!(log.contains("a request was slow") && log.contains("/api/v1/users/me"), "{log}");
        assert!(metrics.contains("route=\"/api/v1/courses/enroll\"") && metrics.contains("kurso_mails_sent_total"));
        assert!(secrets.len() > 100, "{}", secrets.len());
        for secret in &secrets {
            for (what, text) in [("the log", &log), ("/metrics", &metrics), ("/readyz", &ready)] {
                let at = text.find(secret.as_str());
                let line = at.map(|at| text[..at].rsplit('\n').next().unwrap_or_default());
                assert!(at.is_none(), "{secret} in {what}: {line:?}");
            }
        }
    }
}

/// `UPDATE_SNAPSHOTS=1 cargo test -p kurso-rest rights` rewrites the file, and so does `make update`.
#[test]
fn the_checked_in_table_is_up_to_date() {
    let operations = operations();
    let mut text = String::from(HEAD);
    for row in rows() {
        let Some((method, path)) = operations.get(row.operation) else {
            continue;
        };
        let path = path.strip_prefix("/api/v1").unwrap_or(path);
        let statuses: Vec<String> = row
            .statuses
            .iter()
            .map(|status| match status {
                200 => "✓".to_owned(),
                status => status.to_string(),
            })
            .collect();
        let _ = writeln!(text, "| {method} `{path}` | {} |", statuses.join(" | "));
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rights.md");
    #[expect(clippy::disallowed_methods, reason = "a switch of the test")]
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let checked_in = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        checked_in == text,
        "docs/rights.md differs from the tested table: run `make update` and read `git diff`"
    );
}

const HEAD: &str = "# Who may call what

Written by `make update` from `rest/tests/api/rights.rs`, which calls every operation as each of these users, on both
databases. ✓ is a 200, other numbers are the status of the refusal. The rule behind the table is
`core/src/access.rs`: a user without a role in a course gets 404 for it and everything in it, a user whose role lacks the right gets 403.

A question bank has owners, editors and viewers of its own (`core/src/banks/mod.rs`): here the owner shares it with the editor as an editor and with the teacher as a viewer.

The users: *nobody* has no token, a stranger has no role in the course, a learner is enrolled, reviewer, teacher and editor are its
collaborators, the owner created it; the superuser has no other role in it. Items, sessions, the comment and the question are the owner's; `user_id` is another
account.
`set_dates` is called here with a date of the course; entries of overrides need the right of `set_override`, also beside others.

| call | nobody | stranger | learner | reviewer | teacher | editor | owner | superuser |
|---|---|---|---|---|---|---|---|---|
";
