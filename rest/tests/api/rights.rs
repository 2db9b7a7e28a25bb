//! Calls every operation of the OpenAPI document as each kind of user, and writes docs/rights.md.

mod fixture;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;

use kurso_core::both;
use reqwest::Method;
use serde_json::Value;

use crate::support::{METRICS_TOKEN, Persona, Sent as _, Server};
use fixture::{UPLOAD_QUESTION, Users, fixture};
pub use table::BROWSER_KEY;
use table::{Body, Row, USERS, rows};

/// Operations that change the caller, so that each call has users of its own.
const CHANGES_THE_CALLER: &[&str] = &[
    "login-logout",
    "login-end_session",
    "users-delete_user_me",
    "users-update_user_me",
    "users-update_password_me",
    "users-merge_guest",
];

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
            "courses-start_attempt" | "courses-save_answers" | "courses-check_answer" => {
                path.replace("{page_id}", "{timed_page_id}")
            }
            "courses-answer_draft" | "courses-save_answer_draft" => path.replace("{page_id}", "{assignment_page_id}"),
            "courses-tick_task" => path.replace("{page_id}", "{task_page_id}"),
            "courses-page_draft" => path.replace("{page_id}", "{drafted_page_id}"),
            "courses-discard_page_draft" => path.replace("{page_id}", "{drafted_page_id}") + "?version={draft_version}",
            "banks-update_question" | "banks-question_versions" => path.replace("{question_id}", "{bank_question_id}"),
            "banks-questions_by_id" => format!("{path}?id={{bank_question_id}}"),
            "notices-reset" => format!("{path}?kind=graded&course_id={{course_id}}"),
            "notices-read_subscription" | "notices-unsubscribe" => path.replace("{token}", "{notice_token}"),
            "courses-upload_certificate_picture" | "courses-remove_certificate_picture" => {
                format!("{path}?picture=logo")
            }
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
        let mut answered = [0; 9];
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
        let expected = row.statuses();
        if answered != expected {
            wrong.push(format!("{}: {answered:?}, expected {expected:?}", row.operation));
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
            .statuses()
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
collaborators, the owner created it; the superuser has no other role in it. A guest is enrolled without an account; what needs one is 403 (`core/src/guests/mod.rs`). Items, sessions, the comment and the question are the owner's; `user_id` is another
account.
`set_dates` is called here with a date of the course; entries of overrides need the right of `set_override`, also beside others.

| call | nobody | stranger | learner | reviewer | teacher | editor | owner | superuser | guest |
|---|---|---|---|---|---|---|---|---|---|
";
