//! Tests of the binary: first start, settings, commands beside a running server, the web app's headers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

#[path = "binary/operating.rs"]
mod operating;
#[path = "binary/packaging.rs"]
mod packaging;

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

/// A server, stopped by pid when dropped.
struct Server {
    child: Child,
    url: String,
    said: Vec<String>,
}

impl Server {
    fn start(mut command: Command) -> Self {
        kurso_core::testing::provide_tls();
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut said = Vec::new();
        let url = loop {
            let line = lines.next().expect("the server says where it is").unwrap();
            said.push(line.clone());
            if let Some(rest) = line.strip_prefix("Kurso is at ") {
                break rest.split(' ').next().unwrap().to_owned();
            }
        };
        // Drains the pipe, so that the server never blocks on it.
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, url, said }
    }

    fn password(&self) -> String {
        let line = self
            .said
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
    let courses = "{ me { isSuperuser } myCourses { nodes { title shareCode modulesCount lessonsCount pagesCount } } }";
    let started = Instant::now();
    let course = loop {
        let answer = ask(&server, &token, courses).await;
        assert_eq!(answer["data"]["me"]["isSuperuser"], true, "{answer}");
        if let Some(course) = answer["data"]["myCourses"]["nodes"].get(0) {
            break course.clone();
        }
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "the demo course did not come"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let count = |name: &str| course[name].as_i64().unwrap();
    assert!(
        count("modulesCount") >= 2 && count("lessonsCount") >= 6 && count("pagesCount") >= 15,
        "{course}"
    );
    assert_eq!(course["shareCode"].as_str().unwrap().len(), 9);
    assert!(server.stop().success(), "SIGTERM is a clean end");

    let server = Server::start(kurso(folder.path(), &[]));
    assert!(
        server.said.iter().all(|line| !line.contains("superuser")),
        "{:?}",
        server.said
    );
    let answer = ask(&server, &token, courses).await;
    assert_eq!(
        answer["data"]["myCourses"]["nodes"].as_array().unwrap().len(),
        1,
        "the token is still good: {answer}"
    );
}

#[tokio::test]
async fn an_import_beside_a_running_server_is_visible_to_the_next_request() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(folder.path(), &["serve", "--demo", "off"]);
    command.env("KURSO_SUPERUSER_PASSWORD", "a password of ours");
    let server = Server::start(command);
    let token = sign_in(&server, "admin@example.com", "a password of ours").await;
    assert_eq!(
        ask(&server, &token, "{ myCourses { totalCount } }").await["data"]["myCourses"]["totalCount"],
        0
    );

    let book = book();
    let output = run(
        folder.path(),
        &[
            "import",
            book.to_str().unwrap(),
            "--owner",
            "admin@example.com",
            "--json",
        ],
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object and nothing else");
    assert!(report["counts"]["pages"].as_u64().unwrap() >= 15, "{report}");
    let answer = ask(&server, &token, "{ myCourses { nodes { id shareCode } } }").await;
    let course = &answer["data"]["myCourses"]["nodes"][0];
    assert_eq!(
        (&course["id"], &course["shareCode"]),
        (&report["course_id"], &report["share_code"])
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

#[test]
fn a_course_survives_export_and_import() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    assert!(run(folder.path(), &["user", "add", "ann@example.com"]).status.success());
    let import = |path: &str| {
        json_of(&run(
            folder.path(),
            &["import", path, "--owner", "ann@example.com", "--json"],
        ))
    };
    let export = |report: &Value, format: &str, out: &str| {
        let course = report["course_id"].as_str().unwrap();
        let output = run(folder.path(), &["export", course, "--format", format, "--out", out]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let first = import(book().to_str().unwrap());
    export(&first, "markdown", &at("one"));
    let second = import(&at("one"));
    assert_eq!(second["report"], json!([]));
    assert_eq!(second["counts"]["pages"], first["counts"]["pages"]);
    export(&second, "markdown", &at("two.zip"));
    let third = import(&at("two.zip"));
    export(&third, "markdown", &at("three"));
    assert_eq!(files(Path::new(&at("one"))), files(Path::new(&at("three"))));

    let questions = "// comment\n::t:: 2 + 2 {=4 ~5}\n\nНапишите {}\n";
    std::fs::write(at("a.gift"), questions).unwrap();
    let asked = import(&at("a.gift"));
    assert_eq!(
        (&asked["counts"]["questions"], &asked["counts"]["pages"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(asked["report"][0]["where"], "a.gift:4");
    export(&asked, "gift", &at("b.gift"));
    let text = std::fs::read_to_string(at("b.gift")).unwrap();
    assert_eq!(text, "$CATEGORY: $course$/a/a/a\n\n2 + 2{ =4 ~5}\n\n");

    let nobody = run(
        folder.path(),
        &["export", "0198f000-0000-7000-8000-000000000000", "--out", &at("x")],
    );
    assert!(!nobody.status.success());
    let taken = run(
        folder.path(),
        &["export", asked["course_id"].as_str().unwrap(), "--out", &at("")],
    );
    assert!(String::from_utf8_lossy(&taken.stderr).contains("is not an export"));
    assert!(!Path::new(&at("x")).exists());
}

/// The process's private memory in kB, without the mapped binary, because a debug build is several times larger.
#[cfg(target_os = "linux")]
fn own_memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_idle_server_releases_the_memory_of_password_hashing() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(folder.path(), &["serve", "--demo", "off"]);
    command.env("KURSO_SUPERUSER_PASSWORD", "a password of ours");
    let server = Server::start(command);
    ask(&server, "", "{ __typename }").await;
    let before = own_memory(&server);
    for _ in 0..3 {
        let sign_in = || sign_in(&server, "admin@example.com", "a password of ours");
        tokio::join!(sign_in(), sign_in(), sign_in(), sign_in());
    }
    let after = own_memory(&server);
    assert!(
        after < before + 10 * 1024,
        "{before} kB before, {after} kB after, and one hash is 19 MiB"
    );
}

/// Requests are sequential, so that the memory of each shows instead of their concurrency.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn graphql_attacks_do_not_grow_memory() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(folder.path(), &["serve"]);
    command.env("KURSO_DEMO", "off");
    let server = Server::start(command);
    let doubled = |i: usize| format!("fragment F{i} on Query {{ ...F{0} ...F{0} }} ", i + 1);
    let attacks = [
        format!("{{ {} }}", "a: me { id } ".repeat(100_000)),
        format!(
            "{{ ...F0 }} {} fragment F22 on Query {{ __typename }}",
            (0..22).map(doubled).collect::<String>()
        ),
        "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }".to_owned(),
        format!("{{ __typename {} }}", "@skip(if: false) ".repeat(1_500)),
        format!("{}me{}", "{".repeat(100_000), "}".repeat(100_000)),
        format!("{{ me {{ {} }} }}", "id ".repeat(5_000)),
        format!(
            "{{ __schema {{ types {{ {} name {} }} }} }}",
            "fields { type { ".repeat(6),
            "} } ".repeat(6)
        ),
        format!("{{ __typename }} # {}", "x".repeat(3_000_000)),
    ];
    ask(&server, "", "{ __typename }").await;
    let before = highest_memory(&server);
    for attack in &attacks {
        for _ in 0..20 {
            ask(&server, "", attack).await;
        }
    }
    let after = highest_memory(&server);
    assert!(after < before + 32_000, "{before} kB before, {after} kB at most");
}

/// The process's peak memory in kB.
#[cfg(target_os = "linux")]
fn highest_memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
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
    assert!(server.stop().success(), "the end waits for the mail");
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

#[test]
fn an_import_reports_in_the_language_of_the_locale_or_the_flag() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    assert!(run(folder.path(), &["user", "add", "ann@example.com"]).status.success());
    std::fs::write(at("broken.zip"), b"PK\x03\x04 and no more").unwrap();
    std::fs::write(at("a.gift"), "1 + 1 {=2}\n\nWrite {}\n").unwrap();
    let import = |file: &str, locale: &str, more: &[&str]| {
        let path = at(file);
        let arguments = [&["import", &path, "--owner", "ann@example.com"], more].concat();
        let mut command = kurso(folder.path(), &arguments);
        let output = command.env("LC_ALL", locale).output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let [_, refused] = import("broken.zip", "ru_RU.UTF-8", &[]);
    assert!(
        refused.contains("broken.zip: это не zip-архив, или архив повреждён"),
        "{refused}"
    );
    let [_, refused] = import("broken.zip", "C", &[]);
    assert!(
        refused.contains("broken.zip: not a zip archive, or damaged"),
        "{refused}"
    );
    let [said, _] = import("a.gift", "ru_RU.UTF-8", &[]);
    assert!(
        said.contains("Перенесено в другом виде (1):") && said.contains("вопрос с развёрнутым ответом"),
        "{said}"
    );
    let [said, _] = import("a.gift", "ru_RU.UTF-8", &["--lang", "en"]);
    assert!(said.contains("essay question"), "{said}");
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
    assert!(!folder.path().join("data").exists(), "nothing was opened for it");
}

#[test]
fn check_backup_and_restore_commands_work_together() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let refused = run(path, &["check"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("the database is empty"));

    // The first command creates the tables.
    let added: Vec<_> = (0..4)
        .map(|n| {
            kurso(path, &["user", "add", &format!("p{n}@example.com")])
                .spawn()
                .unwrap()
        })
        .collect();
    for child in added {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let book = book();
    json_of(&run(
        path,
        &["import", book.to_str().unwrap(), "--owner", "p0@example.com", "--json"],
    ));
    let shown = run(path, &["check", "--deep"]);
    let text = String::from_utf8_lossy(&shown.stdout);
    assert!(
        shown.status.success() && text.contains("No problems were found."),
        "{text}"
    );

    let backup = path.join("school.zip");
    let manifest = json_of(&run(path, &["backup", backup.to_str().unwrap(), "--json"]));
    assert!(manifest["files"]["count"].as_u64().unwrap() > 0, "{manifest}");
    let elsewhere = path.join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let restored = run(&elsewhere, &["restore", backup.to_str().unwrap()]);
    assert!(
        restored.status.success(),
        "{}",
        String::from_utf8_lossy(&restored.stderr)
    );
    let again = elsewhere.join("again.zip");
    let second = json_of(&run(&elsewhere, &["backup", again.to_str().unwrap(), "--json"]));
    assert_eq!(
        (&second["tables"], &second["files"]),
        (&manifest["tables"], &manifest["files"])
    );
    let refused = run(&elsewhere, &["restore", backup.to_str().unwrap()]);
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && error.contains("not empty"), "{error}");

    let moved = path.join("moved");
    let target = format!("sqlite:{}", moved.join("kurso.db").display());
    let files = moved.join("files");
    let report = json_of(&run(
        path,
        &["move", "--to", &target, "--files-to", files.to_str().unwrap(), "--json"],
    ));
    assert_eq!(report["files"]["count"], manifest["files"]["count"]);
    let there = run(
        path,
        &[
            "check",
            "--deep",
            "--json",
            "--database-url",
            &target,
            "--files-url",
            files.to_str().unwrap(),
        ],
    );
    assert_eq!(json_of(&there)["problems"], 0);

    // A file with missing bytes is reported.
    std::fs::remove_dir_all(elsewhere.join("data/files")).unwrap();
    let broken = run(&elsewhere, &["check"]);
    let text = String::from_utf8_lossy(&broken.stdout);
    assert!(
        !broken.status.success() && text.contains("its bytes are not stored"),
        "{text}"
    );
}

#[test]
fn a_server_makes_scheduled_backups() {
    let folder = TempDir::new().unwrap();
    let backups = folder.path().join("backups");
    let mut command = kurso(
        folder.path(),
        &["serve", "--demo", "off", "--backup-every", "1s", "--backup-keep", "2"],
    );
    command.env("KURSO_BACKUP_DIR", &backups);
    let server = Server::start(command);
    let whole = || {
        std::fs::read_dir(&backups).map_or(0, |entries| {
            entries
                .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".zip"))
                .count()
        })
    };
    let started = Instant::now();
    while whole() < 2 {
        assert!(started.elapsed() < Duration::from_secs(30), "two backups are expected");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(server.stop().success());
    let newest = files(&backups).into_keys().max().unwrap();
    let restored = run(
        &backups.join(".."),
        &[
            "restore",
            backups.join(newest).to_str().unwrap(),
            "--data-dir",
            "rehearsal",
        ],
    );
    assert!(
        restored.status.success(),
        "{}",
        String::from_utf8_lossy(&restored.stderr)
    );
}
