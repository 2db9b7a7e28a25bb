//! Who may call what: every operation of the OpenAPI, called as each kind of person. docs/rights.md is written from it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;

use kurso_base::ids::{FileId, JobId};
use kurso_base::random;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::courses::{self, page};
use kurso_core::files;
use kurso_core::items;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command};
use kurso_core::{both, learning};
use kurso_db::sql;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{METRICS_TOKEN, Persona, Sent as _, Server};

/// As in the columns of the table.
const PEOPLE: [&str; 7] = [
    "nobody",
    "stranger",
    "learner",
    "teacher",
    "editor",
    "owner",
    "superuser",
];

/// An operation, what it is sent, and the status it answers each of [`PEOPLE`] with.
struct Row {
    operation: &'static str,
    /// Names in braces stand for ids of the world.
    body: Body,
    statuses: [u16; 7],
}

enum Body {
    None,
    Json(Value),
    Form(&'static [(&'static str, &'static str)]),
    /// A file in the field `file`.
    File(&'static str, &'static [u8]),
}

fn row(operation: &'static str, body: Body, statuses: [u16; 7]) -> Row {
    Row {
        operation,
        body,
        statuses,
    }
}

// The patterns that recur, in the order of PEOPLE.
const ANYONE: [u16; 7] = [200; 7];
const SIGNED_IN: [u16; 7] = [401, 200, 200, 200, 200, 200, 200];
const SUPERUSERS: [u16; 7] = [401, 403, 403, 403, 403, 403, 200];
/// Everyone who has to do with the course.
const READERS: [u16; 7] = [401, 404, 200, 200, 200, 200, 200];
const STAFF: [u16; 7] = [401, 404, 403, 200, 200, 200, 200];
const EDITORS: [u16; 7] = [401, 404, 403, 403, 200, 200, 403];
const OWNER: [u16; 7] = [401, 404, 403, 403, 403, 200, 403];
const DISPOSERS: [u16; 7] = [401, 404, 403, 403, 403, 200, 200];
/// Those who are enrolled; staff are not.
const ENROLLED: [u16; 7] = [401, 404, 200, 403, 403, 403, 403];
/// The owner's item: for items existence shows.
const ITEM: [u16; 7] = [401, 403, 403, 403, 403, 200, 200];

/// The owner's import: for others it is not there.
const IMPORT: [u16; 7] = [401, 404, 404, 404, 404, 200, 200];

const PICTURE: &[u8] = include_bytes!("../../../core/tests/pictures/red-blue-444.avif");

fn rows() -> Vec<Row> {
    use Body::{File, Form, Json, None};
    let titled = || Json(json!({"title": "Новое название"}));
    vec![
        row("courses-list_courses", None, SIGNED_IN),
        row("courses-create_course", titled(), SIGNED_IN),
        row("courses-get_course", None, STAFF),
        row("courses-update_course", titled(), EDITORS),
        row("courses-delete_course", None, DISPOSERS),
        row("courses-duplicate_course", None, EDITORS),
        row("courses-generate_share_code", None, OWNER),
        row("courses-create_module", titled(), EDITORS),
        row("courses-get_module", None, STAFF),
        row("courses-update_module", titled(), EDITORS),
        row("courses-delete_module", None, EDITORS),
        row("courses-duplicate_module", None, EDITORS),
        row("courses-create_lesson", titled(), EDITORS),
        row("courses-get_lesson", None, STAFF),
        row("courses-update_lesson", titled(), EDITORS),
        row("courses-delete_lesson", None, EDITORS),
        row("courses-duplicate_lesson", None, EDITORS),
        row("courses-create_page", titled(), EDITORS),
        row("courses-get_page", None, STAFF),
        row("courses-update_page", titled(), EDITORS),
        row("courses-delete_page", None, EDITORS),
        row("courses-duplicate_page", None, EDITORS),
        row("courses-page_versions", None, STAFF),
        row("courses-restore_page_version", None, EDITORS),
        row("courses-enroll", Json(json!({"share_code": "{share_code}"})), SIGNED_IN),
        row("courses-my_enrolled_courses", None, SIGNED_IN),
        row("courses-enrolled_course", None, READERS),
        row("courses-enrolled_page", None, READERS),
        row("courses-mark_page_visited", None, ENROLLED),
        row("courses-my_progress", None, ENROLLED),
        row("courses-debug_progress", None, ENROLLED),
        row("courses-fix_progress", None, [401, 404, 200, 200, 200, 200, 403]),
        row("courses-submit_quiz", Json(json!({"answers": []})), ENROLLED),
        row("courses-try_quiz", Json(json!({"answers": []})), STAFF),
        row("courses-reset_attempts", None, [401, 404, 403, 200, 200, 200, 403]),
        row("courses-course_students", None, STAFF),
        row("courses-student_detailed_progress", None, STAFF),
        row("courses-course_heat_map", None, STAFF),
        row("courses-remove_student", None, [401, 404, 403, 200, 403, 200, 403]),
        row("courses-leave_course", None, [401, 404, 200, 200, 200, 409, 403]),
        row("courses-collaborators", None, STAFF),
        row(
            "courses-invite_collaborator",
            Json(json!({"email": "{new_email}", "role": "teacher"})),
            OWNER,
        ),
        row("courses-remove_collaborator", None, OWNER),
        row(
            "courses-accept_invitation",
            Json(json!({"token": "forged"})),
            [401, 400, 400, 400, 400, 400, 400],
        ),
        row("courses-hand_over", Json(json!({"user_id": "{user_id}"})), DISPOSERS),
        row("courses-all_courses", None, SUPERUSERS),
        row("courses-search", None, SIGNED_IN),
        row("courses-import_course", File("a.gift", b"::Q:: 2 + 2 {=4}"), SIGNED_IN),
        row("courses-import_job", None, IMPORT),
        row("courses-my_imports", None, SIGNED_IN),
        row(
            "courses-confirm_import",
            Json(json!({})),
            [401, 404, 404, 404, 404, 200, 403],
        ),
        row("courses-cancel_import", None, IMPORT),
        row("courses-export_course", None, EDITORS),
        row("courses-upload_file", File("a.txt", b"text"), SIGNED_IN),
        row("courses-upload_module_avatar", File("a.avif", PICTURE), EDITORS),
        row(
            "login-login_access_token",
            Form(&[("username", "stranger@example.com"), ("password", "wrong password")]),
            [400; 7],
        ),
        row("login-test_token", None, SIGNED_IN),
        row("login-logout", None, SIGNED_IN),
        row("login-read_sessions", None, SIGNED_IN),
        row("login-end_session", None, [401, 404, 404, 404, 404, 200, 404]),
        row("login-recover_password", None, ANYONE),
        row("login-recover_password_html_content", None, SUPERUSERS),
        row(
            "login-reset_password",
            Json(json!({"token": "forged", "new_password": "long enough"})),
            [400; 7],
        ),
        row("login-undo_email_change", Json(json!({"token": "forged"})), [400; 7]),
        row("users-read_user_me", None, SIGNED_IN),
        row(
            "users-update_user_me",
            Json(json!({"full_name": "Другое имя"})),
            SIGNED_IN,
        ),
        row("users-delete_user_me", None, [401, 200, 200, 200, 200, 200, 403]),
        row(
            "users-update_password_me",
            Json(json!({"current_password": "wrong password", "new_password": "long enough"})),
            [401, 400, 400, 400, 400, 400, 400],
        ),
        row(
            "users-register_user",
            Json(json!({"email": "{new_email}", "password": "long enough"})),
            ANYONE,
        ),
        row("users-read_users", None, SUPERUSERS),
        row(
            "users-create_user",
            Json(json!({"email": "{new_email}", "password": "long enough"})),
            SUPERUSERS,
        ),
        row("users-read_user_by_id", None, SUPERUSERS),
        row(
            "users-update_user",
            Json(json!({"full_name": "Другое имя"})),
            SUPERUSERS,
        ),
        row("users-delete_user", None, SUPERUSERS),
        row("items-read_items", None, SIGNED_IN),
        row("items-create_item", titled(), SIGNED_IN),
        row("items-read_item", None, ITEM),
        row("items-update_item", titled(), ITEM),
        row("items-delete_item", None, ITEM),
        row(
            "private-create_user",
            Json(json!({"email": "{new_email}", "password": "long enough", "full_name": "Имя"})),
            ANYONE,
        ),
        row("utils-test_email", None, [401, 403, 403, 403, 403, 403, 201]),
        row("files-read_file", None, ANYONE),
        row("utils-server_status", None, SUPERUSERS),
        row("utils-read_audit_log", None, SUPERUSERS),
        row("utils-health_check", None, ANYONE),
    ]
}

/// Operations after which a person is no longer who they were: each call has people of its own.
const LEAVES_NOBODY_THE_SAME: &[&str] = &[
    "login-logout",
    "login-end_session",
    "users-delete_user_me",
    "users-update_user_me",
    "users-update_password_me",
];

/// Seven people who have to do with one course, in the order of [`PEOPLE`].
struct People {
    viewers: Vec<Viewer>,
}

impl People {
    async fn come(kurso: &TestKurso, n: usize) -> Self {
        let mut viewers = Vec::new();
        for name in &PEOPLE[1..6] {
            viewers.push(kurso.person(&format!("{name}{n}")).await);
        }
        viewers.push(kurso.superuser(&format!("superuser{n}")).await);
        People { viewers }
    }

    fn owner(&self) -> &Viewer {
        &self.viewers[4]
    }

    fn persona<'a>(&self, server: &'a Server, who: usize) -> Persona<'a> {
        match who.checked_sub(1) {
            None => server.anonymous(),
            Some(at) => server.viewer(&self.viewers[at]),
        }
    }
}

/// What the names in paths and bodies stand for: a course in which nothing was called yet.
async fn world(kurso: &TestKurso, people: &People, n: usize) -> BTreeMap<&'static str, String> {
    let owner = people.owner();
    let course = kurso.course(owner, &[&[&[Content]]]).await;
    let view = CourseView::load(kurso, owner, course, Right::Edit).await.unwrap();
    let (module, lesson, page) = (view.module(0).id, view.lesson(0).id, view.page(0).id);
    let quiz = json!({"kind": "quiz", "quiz": {"questions": [{"type": "numeric", "prompt": "2 + 2?", "value": 4}]}});
    let quiz = page::create(kurso, owner, lesson, command(&quiz)).await.unwrap();
    let shared = courses::generate_share_code(kurso, owner, course).await.unwrap();
    let share_code = shared.share_code.unwrap();
    let [_, learner, teacher, editor, ..] = &people.viewers[..] else {
        panic!("six")
    };
    let enrolled = learning::enroll(kurso, learner, &Origin::default(), &share_code)
        .await
        .unwrap();
    for (viewer, role) in [(teacher, "teacher"), (editor, "editor")] {
        sql!(
            "INSERT INTO collaborators (course_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)",
            course,
            viewer.id(),
            role,
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    let item = items::create(kurso, owner, command(json!({"title": "x"})))
        .await
        .unwrap();
    let key = put_file(kurso, owner).await;
    let other = kurso.account(&format!("other{n}"), false).await;
    BTreeMap::from([
        ("course_id", course.to_string()),
        ("module_id", module.to_string()),
        ("lesson_id", lesson.to_string()),
        ("page_id", page.to_string()),
        ("quiz_page_id", quiz.id.to_string()),
        ("version", "1".to_owned()),
        ("share_code", share_code),
        ("enrollment_id", enrolled.enrollment.unwrap().id.to_string()),
        ("item_id", item.id.to_string()),
        ("session_id", owner.session.to_string()),
        ("user_id", other.id.to_string()),
        ("email", other.email),
        ("new_email", format!("new{n}@example.com")),
        ("editor_id", editor.id().to_string()),
        ("job_id", ready_import(kurso, owner).await.to_string()),
        ("key", key),
        ("filename", "a.png".to_owned()),
    ])
}

/// A file of the owner's that nothing shows; the key of its address.
async fn put_file(kurso: &TestKurso, owner: &Viewer) -> String {
    let file = files::File {
        id: FileId::new(),
        key: random::key(),
        filename: "a.png".into(),
        content_type: "image/png".into(),
        size: 4,
        width: None,
        height: None,
        sha256: None,
        created_at: kurso.clock.now(),
    };
    files::insert(&kurso.db, &file, owner.id()).await.unwrap();
    let bytes = bytes::Bytes::from_static(b"\x89PNG");
    kurso.files.put(&file.key, bytes).await.unwrap();
    file.key
}

/// An import of the owner's that waits to be confirmed.
async fn ready_import(kurso: &TestKurso, owner: &Viewer) -> JobId {
    // So many of one person's may be open.
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

/// `{name}` in a text is what the world has by that name.
fn filled(text: &str, world: &BTreeMap<&'static str, String>) -> String {
    let mut text = text.to_owned();
    for (name, value) in world {
        text = text.replace(&format!("{{{name}}}"), value);
    }
    text
}

impl Row {
    /// The path of the operation; some name a thing more closely than the OpenAPI does.
    fn path(&self, path: &str, world: &BTreeMap<&'static str, String>) -> String {
        let path = match self.operation {
            "courses-submit_quiz" | "courses-try_quiz" | "courses-reset_attempts" => {
                path.replace("{page_id}", "{quiz_page_id}")
            }
            "courses-remove_collaborator" => path.replace("{user_id}", "{editor_id}"),
            operation if operation.starts_with("items-") => path.replace("{id}", "{item_id}"),
            operation if operation.starts_with("login-") => path.replace("{id}", "{session_id}"),
            _ => path.to_owned(),
        };
        let mut path = filled(&path, world);
        if self.operation == "utils-test_email" {
            path.push_str("?email_to=ann@example.com");
        }
        assert!(!path.contains('{'), "{}: {path}", self.operation);
        path
    }

    async fn call(&self, by: &Persona<'_>, method: Method, path: &str, world: &BTreeMap<&'static str, String>) -> u16 {
        let request = by.request(method, path);
        let request = match &self.body {
            Body::None => request,
            Body::Json(body) => {
                let body: Value = serde_json::from_str(&filled(&body.to_string(), world)).unwrap();
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

/// Method and path of every operation of the OpenAPI, by its id.
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
    assert_eq!(tested.len(), rows().len(), "two rows of one operation");
    let missing: Vec<_> = described.symmetric_difference(&tested).collect();
    assert!(missing.is_empty(), "in the OpenAPI or in the table alone: {missing:#?}");
}

/// Calls every operation as each of the people; says where the table is wrong, and what must be named nowhere.
async fn walk(server: &Server) -> (Vec<String>, BTreeSet<String>) {
    let mut secrets = BTreeSet::new();
    let kurso = &server.kurso;
    let operations = operations();
    let mut n = 0;
    let mut people = People::come(kurso, n).await;
    let mut here = world(kurso, &people, n).await;
    note(&mut secrets, server, &people, &here);
    let mut wrong = Vec::new();
    for row in rows() {
        let Some((method, path)) = operations.get(row.operation) else {
            continue;
        };
        let mut answered = [0; 7];
        for (who, answered) in answered.iter_mut().enumerate() {
            let path = row.path(path, &here);
            let by = people.persona(server, who);
            *answered = row.call(&by, method.clone(), &path, &here).await;
            if *answered == 200 && *method != Method::GET {
                n += 1;
                if LEAVES_NOBODY_THE_SAME.contains(&row.operation) {
                    people = People::come(kurso, n).await;
                }
                here = world(kurso, &people, n).await;
                note(&mut secrets, server, &people, &here);
            }
        }
        if answered != row.statuses {
            wrong.push(format!(
                "{}: {answered:?}, the table says {:?}",
                row.operation, row.statuses
            ));
        }
    }
    (wrong, secrets)
}

/// Tokens, addresses, names, codes, keys of files: of people and of what is theirs.
fn note(secrets: &mut BTreeSet<String>, server: &Server, people: &People, here: &BTreeMap<&'static str, String>) {
    for who in 1..PEOPLE.len() {
        secrets.extend(people.persona(server, who).token);
    }
    secrets.extend(people.viewers.iter().map(|viewer| viewer.user.email.clone()));
    let names = ["share_code", "email", "new_email", "key"];
    secrets.extend(names.iter().filter_map(|name| here.get(name).cloned()));
}

/// What every test of this process has logged.
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
    /// Every call as everybody, with the log as talkative as it gets for those who run a server.
    async fn neither_log_nor_counts_name_anybody_or_tell_a_secret(kurso: TestKurso) {
        // The second of the two in one process finds it there.
        let _ = tracing_subscriber::fmt().with_max_level(tracing::Level::DEBUG).with_writer(|| Log).try_init();
        let options = kurso_rest::Options {
            development: true,
            access_log: true,
            slow_request: Some(std::time::Duration::ZERO),
            ..kurso_rest::Options::default()
        };
        let server = Server::start_as(kurso, options).await;
        let (_, mut secrets) = walk(&server).await;
        kurso_core::mailer::send_due(&server.kurso).await.unwrap();
        secrets.extend(["stranger@example.com", "wrong password", "long enough", "Новое название", "Другое имя"].map(str::to_owned));
        let metrics = server.anonymous().request(Method::GET, "/metrics").bearer_auth(METRICS_TOKEN).answer().await.text();
        let ready = server.anonymous().get("/readyz").await.text();
        let log = String::from_utf8_lossy(&LOGGED.lock().unwrap()).into_owned();
        // What is looked for is not looked for in vain.
        assert!(log.contains("a request was slow") && log.contains("/api/v1/users/me"), "{log}");
        assert!(metrics.contains("route=\"/api/v1/courses/enroll\"") && metrics.contains("kurso_mails_sent_total"));
        assert!(secrets.len() > 100, "{}", secrets.len());
        for secret in &secrets {
            for (what, text) in [("the log", &log), ("/metrics", &metrics), ("/readyz", &ready)] {
                let at = text.find(secret.as_str());
                let around = at.map(|at| text[..at].rsplit('\n').next().unwrap_or_default());
                assert!(at.is_none(), "{secret} in {what}: {around:?}");
            }
        }
    }
}

both! {
    async fn every_operation_answers_each_person_as_the_table_says(kurso: TestKurso) {
        let server = Server::start_in_development(kurso).await;
        let (wrong, _) = walk(&server).await;
        assert!(wrong.is_empty(), "{wrong:#?}");
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
    #[expect(clippy::disallowed_methods, reason = "a test's switch, no setting")]
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let checked_in = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        checked_in == text,
        "docs/rights.md is not what is tested: run `make update` and look at the difference"
    );
}

const HEAD: &str = "# Who may call what

Written by `make update` from `rest/tests/api/rights.rs`, which calls every operation as each of these people, on both
databases. ✓ is a 200, other numbers are the status of the refusal. The rule behind the table is
`core/src/access.rs`: who has nothing to do with a course gets 404 for it and everything in it, who has but lacks the right 403.

The people: nobody is signed in (no token), a stranger has nothing to do with the course, a learner is enrolled, teacher and
editor are its collaborators, the owner made it; the superuser has no other role in it. Items and sessions are the owner's; `user_id` is
another account.

| call | nobody | stranger | learner | teacher | editor | owner | superuser |
|---|---|---|---|---|---|---|---|
";
