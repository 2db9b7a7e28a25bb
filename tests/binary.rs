//! Tests of the binary: the first start, accounts, errors of commands, and the web app. Each further topic has a module.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

#[path = "binary/backups.rs"]
mod backups;
#[path = "binary/courses.rs"]
mod courses;
#[path = "binary/memory.rs"]
mod memory;
#[path = "binary/operating.rs"]
mod operating;
#[path = "binary/packaging.rs"]
mod packaging;
#[path = "binary/settings.rs"]
mod settings;

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

fn kurso(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kurso"));
    command
        .args(arguments)
        .current_dir(data) // no .env of the developer
        .env("KURSO_DATA_DIR", data.join("data"))
        .env("KURSO_ADDRESS", "127.0.0.1:0")
        .env("KURSO_LOG", "warn")
        .env_remove("KURSO_DATABASE_URL")
        .env_remove("CREDENTIALS_DIRECTORY")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(data: &Path, arguments: &[&str]) -> Output {
    kurso(data, arguments).output().unwrap()
}

/// A server process, killed when dropped.
struct Server {
    child: Child,
    url: String,
    output: Vec<String>,
}

impl Server {
    fn start(mut command: Command) -> Self {
        kurso_core::testing::provide_tls();
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut output = Vec::new();
        let url = loop {
            let line = lines.next().expect("the server prints its URL").unwrap();
            output.push(line.clone());
            if let Some(rest) = line.strip_prefix("Kurso is at ") {
                break rest.split(' ').next().unwrap().to_owned();
            }
        };
        // Drains the pipe, so that the server never blocks on it.
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, url, output }
    }

    fn password(&self) -> String {
        let line = self
            .output
            .iter()
            .find(|line| line.starts_with("The superuser is"))
            .unwrap();
        let (_, rest) = line.split_once("password ").unwrap();
        rest.split(' ').next().unwrap().to_owned()
    }

    fn stop(mut self) -> std::process::ExitStatus {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.child.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn ask(server: &Server, token: &str, query: &str) -> Value {
    let request = reqwest::Client::new()
        .post(format!("{}/graphql", server.url))
        .bearer_auth(token);
    request
        .json(&json!({"query": query}))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap()
}

async fn sign_in(server: &Server, email: &str, password: &str) -> String {
    let request = reqwest::Client::new().post(format!("{}/api/v1/login/access-token", server.url));
    let answer = request
        .form(&[("username", email), ("password", password)])
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 200);
    answer.json::<Value>().await.unwrap()["access_token"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("demo")
}

#[tokio::test]
async fn only_the_first_start_creates_a_superuser_and_the_demo_course() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(kurso(folder.path(), &["serve"]));
    let password = server.password();
    let token = sign_in(&server, "ADMIN@example.com", &password).await;
    let courses =
        "{ me { isSuperuser } myCourses { nodes { id title shareCode modulesCount lessonsCount pagesCount } } }";
    let started = Instant::now();
    let course = loop {
        let answer = ask(&server, &token, courses).await;
        assert_eq!(answer["data"]["me"]["isSuperuser"], true, "{answer}");
        if let Some(course) = answer["data"]["myCourses"]["nodes"].get(0) {
            break course.clone();
        }
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "the demo course was not imported"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let count = |name: &str| course[name].as_i64().unwrap();
    assert!(
        count("modulesCount") >= 2 && count("lessonsCount") >= 6 && count("pagesCount") >= 15,
        "{course}"
    );
    assert_eq!(course["shareCode"].as_str().unwrap().len(), 9);
    // A quiz with every type of question follows.
    let quizzes = format!(
        "{{ course(id: {}) {{ modules {{ lessons {{ pages {{ published authorQuiz }} }} }} }} }}",
        course["id"]
    );
    let quiz = loop {
        let answer = ask(&server, &token, &quizzes).await;
        let modules = answer["data"]["course"]["modules"].as_array().unwrap();
        let lessons = modules.iter().flat_map(|module| module["lessons"].as_array().unwrap());
        let mut pages = lessons.flat_map(|lesson| lesson["pages"].as_array().unwrap());
        if let Some(page) = pages.find(|page| !page["authorQuiz"].is_null()) {
            break page.clone();
        }
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "the demo course has no quiz"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(quiz["published"], true, "{quiz}");
    let questions = quiz["authorQuiz"]["questions"].as_array().unwrap();
    let types: std::collections::BTreeSet<&str> = questions
        .iter()
        .map(|question| question["type"].as_str().unwrap())
        .collect();
    let all = [
        "fill_blank",
        "matching",
        "multiple_choice",
        "numeric",
        "ordering",
        "short_text",
        "single_choice",
    ];
    assert_eq!(types.into_iter().collect::<Vec<_>>(), all);
    assert!(server.stop().success(), "SIGTERM shuts the server down cleanly");

    let server = Server::start(kurso(folder.path(), &[]));
    assert!(
        server.output.iter().all(|line| !line.contains("superuser")),
        "{:?}",
        server.output
    );
    let answer = ask(&server, &token, courses).await;
    assert_eq!(
        answer["data"]["myCourses"]["nodes"].as_array().unwrap().len(),
        1,
        "the token is still valid: {answer}"
    );
}

/// Every file of a folder, with its bytes.
fn files(folder: &Path) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(
                files(&path)
                    .into_iter()
                    .map(|(name, bytes)| (Path::new(path.file_name().unwrap()).join(name), bytes)),
            );
        } else {
            found.insert(path.file_name().unwrap().into(), std::fs::read(path).unwrap());
        }
    }
    found
}

fn json_of(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON and nothing else")
}

#[tokio::test]
async fn accounts_can_be_managed_beside_a_running_server() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(folder.path(), &["serve", "--demo", "off"]);
    command.env("KURSO_SUPERUSER_PASSWORD", "a password of ours");
    let server = Server::start(command);
    let path = folder.path();
    let added = json_of(&run(
        path,
        &["user", "add", "Ann@Example.com", "--full-name", "Анна", "--json"],
    ));
    assert_eq!(
        (&added["user"]["email"], &added["user"]["is_superuser"]),
        (&json!("Ann@example.com"), &json!(false))
    );
    let token = sign_in(&server, "ann@example.com", added["password"].as_str().unwrap()).await;
    let again = run(path, &["user", "add", "ann@example.com"]);
    assert!(!again.status.success());
    assert!(String::from_utf8_lossy(&again.stderr).contains("already exists"));

    let chosen = [
        "user",
        "set-password",
        "ann@example.com",
        "--password",
        "chosen for Ann",
        "--json",
    ];
    assert_eq!(json_of(&run(path, &chosen))["password"], Value::Null);
    let ended = ask(&server, &token, "{ me { id } }").await;
    assert_eq!(ended["errors"][0]["extensions"]["code"], "UNAUTHENTICATED", "{ended}");
    sign_in(&server, "ann@example.com", "chosen for Ann").await;

    let listed = json_of(&run(path, &["user", "list", "--json"]));
    let emails: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|user| user["email"].as_str().unwrap())
        .collect();
    assert_eq!(emails, ["Ann@example.com", "admin@example.com"]);
    let shown = String::from_utf8(run(path, &["user", "list"]).stdout).unwrap();
    assert!(
        shown.lines().any(|line| line.ends_with("Ann@example.com  Анна")),
        "{shown}"
    );
    assert!(
        shown
            .lines()
            .any(|line| line.ends_with("admin@example.com (superuser)")),
        "{shown}"
    );
}

#[tokio::test]
async fn without_a_mail_server_mails_go_to_the_outbox_folder() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(
        folder.path(),
        &["serve", "--demo", "off", "--public-url", "https://school.example/"],
    );
    command.env("KURSO_LOG", "info");
    let server = Server::start(command);
    let url = format!("{}/api/v1/password-recovery/admin@example.com", server.url);
    let answer = reqwest::Client::new().post(url).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(server.stop().success(), "the shutdown waits for the mail");
    let files: Vec<_> = std::fs::read_dir(folder.path().join("data/outbox"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let mail = kurso_core::testing::Received::read(&std::fs::read(&files[0]).unwrap());
    assert_eq!(mail.from, "Kurso <kurso@localhost>");
    assert!(
        mail.text.contains("https://school.example/reset-password?token="),
        "{}",
        mail.text
    );
}

#[tokio::test]
async fn accounts_can_be_created_without_a_token_in_development_only() {
    let body = json!({"email": "ann@example.com", "password": "a password", "full_name": "Анна"});
    for (dev, status) in [("1", 200), ("0", 404)] {
        let folder = TempDir::new().unwrap();
        let server = Server::start(kurso(folder.path(), &["serve", "--demo", "off", "--dev", dev]));
        let url = format!("{}/api/v1/private/users/", server.url);
        let answer = reqwest::Client::new().post(url).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), status);
    }
}

#[test]
fn failed_commands_explain_themselves_and_leave_nothing() {
    let folder = TempDir::new().unwrap();
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let empty = empty.to_str().unwrap();
    let (url, book) = (format!("sqlite:{empty}"), book());
    for (arguments, said) in [
        (
            vec!["import", empty, "--owner", "nobody@example.com"],
            "nobody@example.com",
        ),
        (
            vec!["import", book.to_str().unwrap(), "--owner", "no address"],
            "--owner",
        ),
        (vec!["import", book.to_str().unwrap()], "--owner"),
        (vec!["serve", "--address", "nowhere"], "--address"),
        (vec!["serve", "--secret-key", "short"], "KURSO_SECRET_KEY"),
        (vec!["serve", "--dev", "1", "--address", "0.0.0.0:0"], "KURSO_DEV"),
        (vec!["serve", "--database-url", &url], "KURSO_DATABASE_URL"),
        (
            vec!["serve", "--superuser-password", "short"],
            "KURSO_SUPERUSER_PASSWORD",
        ),
        (vec!["serve", "--superuser-email", "root"], "KURSO_SUPERUSER_EMAIL"),
        (vec!["serve", "--public-url", "kurso.example"], "KURSO_PUBLIC_URL"),
        (vec!["serve", "--smtp-url", "localhost"], "KURSO_SMTP_URL"),
        (vec!["serve", "--mail-from", "the school"], "KURSO_MAIL_FROM"),
        (vec!["user", "add", "nobody"], "An email address must have an @-sign."),
        (
            vec!["user", "add", "ann@example.com", "--password", "short"],
            "--password",
        ),
        (vec!["user", "set-password", "nobody@example.com"], "nobody@example.com"),
    ] {
        let output = run(folder.path(), &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && error.contains(said),
            "{arguments:?}: {error}"
        );
        assert!(!error.contains("panicked"), "{error}");
    }
}

#[tokio::test]
async fn the_web_app_is_served_compressed_cacheable_and_with_a_strict_csp() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(kurso(folder.path(), &["serve", "--demo", "off"]));
    let client = reqwest::Client::new();
    let get = |path: &str, encoding: &str| {
        client
            .get(format!("{}{path}", server.url))
            .header("accept-encoding", encoding.to_owned())
            .send()
    };
    let index = get("/", "identity").await.unwrap();
    assert_eq!(index.headers()["cache-control"], "no-cache");
    let policy = index.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(
        policy.contains("script-src 'self' 'sha256-") && !policy.contains("unsafe-eval"),
        "{policy}"
    );
    let scripts = policy.split("script-src").nth(1).unwrap().split(';').next().unwrap();
    assert!(!scripts.contains("unsafe-inline"), "{policy}");
    let etag = index.headers()["etag"].clone();
    let html = index.text().await.unwrap();
    for path in ["/view-page/0198f000-0000-7000-8000-000000000000", "/no/such/screen"] {
        let screen = get(path, "identity").await.unwrap();
        assert_eq!(
            (screen.status().as_u16(), screen.text().await.unwrap()),
            (200, html.clone()),
            "{path}"
        );
    }
    let known = client
        .get(&server.url)
        .header("if-none-match", etag)
        .send()
        .await
        .unwrap();
    assert_eq!(known.status(), 304);

    let (_, rest) = html.split_once("modulepreload\" crossorigin href=\"/assets/").unwrap();
    let script = format!("/assets/{}", rest.split('"').next().unwrap());
    let mut sizes = Vec::new();
    for (accepted, encoding) in [("br, gzip", Some("br")), ("gzip", Some("gzip")), ("identity", None)] {
        let asset = get(&script, accepted).await.unwrap();
        assert_eq!(
            asset.headers().get("content-encoding").map(|v| v.to_str().unwrap()),
            encoding
        );
        assert_eq!(asset.headers()["cache-control"], "public, max-age=31536000, immutable");
        assert!(
            asset.headers()["content-type"]
                .to_str()
                .unwrap()
                .starts_with("text/javascript")
        );
        sizes.push(asset.bytes().await.unwrap().len());
    }
    assert!(sizes[0] <= sizes[1] && sizes[1] < sizes[2], "{sizes:?}");
    assert_eq!(get("/assets/gone.js", "identity").await.unwrap().status(), 404);
    assert_eq!(client.post(&server.url).send().await.unwrap().status(), 405);
    let unknown = get("/api/nothing", "identity").await.unwrap();
    assert_eq!(
        (unknown.status().as_u16(), unknown.json::<Value>().await.unwrap()),
        (404, json!({"detail": "Not Found"}))
    );
}

#[test]
fn the_schema_is_printed_to_standard_output() {
    let folder = TempDir::new().unwrap();
    let mut child = kurso(folder.path(), &["schema"]).spawn().unwrap();
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(text.contains("type Query {"));
    assert!(!folder.path().join("data").exists(), "the command opens no data");
}
