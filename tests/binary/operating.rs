//! Settings and their sources, health and metrics, logs, traces and shutdown.

use std::io::{BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::Value;
use tempfile::TempDir;

use crate::{Server, json_of, kurso, sign_in};

/// A setting of `kurso config --json`: its value and its source.
fn setting(listed: &Value, name: &str) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or("—").to_owned();
    let found = listed.as_array().unwrap().iter().find(|one| one["name"] == name);
    let found = found.unwrap_or_else(|| panic!("{name} is not listed"));
    (text(&found["value"]), text(&found["source"]))
}

#[test]
fn flags_override_the_environment_and_the_environment_the_file() {
    let folder = TempDir::new().unwrap();
    let text = "pool_size = 3\npool_wait = \"3s\"\nmax_requests = 3\ncors_origins = [\"https://a.example\"]\nsecret_key_file = \"key\"\n";
    std::fs::write(folder.path().join("kurso.toml"), text).unwrap();
    std::fs::write(folder.path().join("key"), "a secret key of more than 32 bytes\n").unwrap();
    let mut command = kurso(folder.path(), &["config", "--json", "--pool-size", "1"]);
    command.env("KURSO_POOL_SIZE", "2").env("KURSO_POOL_WAIT", "2s");
    command.env("KURSO_SMTP_URL", "smtp://ann:very-secret@mail.example");
    let output = command.output().unwrap();
    let listed = json_of(&output);
    let is = |name: &str, value: &str, source: &str| {
        assert_eq!(setting(&listed, name), (value.to_owned(), source.to_owned()));
    };
    is("pool_size", "1", "flag");
    is("pool_wait", "2s", "environment KURSO_POOL_WAIT");
    is("max_requests", "3", "file kurso.toml");
    is("cors_origins", "https://a.example", "file kurso.toml");
    is("secret_key", "(hidden)", "file key");
    is(
        "smtp_url",
        "smtp://ann:hidden@mail.example",
        "environment KURSO_SMTP_URL",
    );
    is("sql_timeout", "30s", "default");
    is("public_url", "—", "default");
    let text = String::from_utf8(kurso(folder.path(), &["config"]).output().unwrap().stdout).unwrap();
    assert!(
        text.lines()
            .any(|line| line.starts_with("max_requests") && line.ends_with("file kurso.toml")),
        "{text}"
    );
    assert!(!text.contains("a secret key"), "{text}");
    assert!(!folder.path().join("data").exists(), "nothing was opened for it");
}

#[test]
fn secrets_can_come_from_files() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("database_url"), "sqlite:from-a-file.db\n").unwrap();
    std::fs::write(at("superuser_password"), "from systemd\n").unwrap();
    std::fs::write(at("short"), "short\n").unwrap();
    std::fs::write(at("empty"), "\n").unwrap();
    let mut command = kurso(folder.path(), &["config", "--json"]);
    command
        .env("KURSO_DATABASE_URL_FILE", at("database_url"))
        .env("CREDENTIALS_DIRECTORY", folder.path());
    let listed = json_of(&command.output().unwrap());
    let (value, source) = setting(&listed, "database_url");
    assert_eq!(
        (value.as_str(), source.starts_with("file ")),
        ("sqlite:from-a-file.db", true)
    );
    assert_eq!(setting(&listed, "superuser_password").0, "(hidden)");

    for (variable, value, said) in [
        (
            "KURSO_SECRET_KEY_FILE",
            "short",
            "KURSO_SECRET_KEY: at least 32 bytes are expected",
        ),
        ("KURSO_SECRET_KEY_FILE", "empty", "KURSO_SECRET_KEY_FILE: "),
        ("KURSO_SMTP_URL_FILE", "nowhere", "KURSO_SMTP_URL_FILE: "),
    ] {
        let output = kurso(folder.path(), &["config"])
            .env(variable, at(value))
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(said), "{variable}: {error}");
        assert!(value == "nowhere" || !error.contains(": short"), "{error}");
    }
    let mut both = kurso(folder.path(), &["config"]);
    both.env("KURSO_DATABASE_URL", "sqlite:x.db")
        .env("KURSO_DATABASE_URL_FILE", at("database_url"));
    let error = String::from_utf8_lossy(&both.output().unwrap().stderr).into_owned();
    assert!(
        error.contains("KURSO_DATABASE_URL and KURSO_DATABASE_URL_FILE: one of them"),
        "{error}"
    );
}

#[test]
fn invalid_settings_are_rejected_by_name() {
    let folder = TempDir::new().unwrap();
    for (variable, value, expected) in [
        (
            "KURSO_ADDRESS",
            "nowhere",
            "KURSO_ADDRESS: an address and a port such as 127.0.0.1:8000 are expected, not \"nowhere\"",
        ),
        (
            "KURSO_MAX_UPLOAD",
            "much",
            "KURSO_MAX_UPLOAD: a size such as 200MB is expected",
        ),
        (
            "KURSO_FILES_GRACE",
            "7",
            "KURSO_FILES_GRACE: a time such as 7d, 24h or 30m is expected",
        ),
        (
            "KURSO_SLOW_QUERY",
            "never",
            "KURSO_SLOW_QUERY: a time such as 30s or 500ms, or off, is expected",
        ),
        ("KURSO_DEMO", "maybe", "KURSO_DEMO: on or off is expected"),
        (
            "KURSO_TRUSTED_PROXIES",
            "10.0.0.1,proxy",
            "KURSO_TRUSTED_PROXIES: addresses such as 10.0.0.1",
        ),
        (
            "KURSO_CORS_ORIGINS",
            "https://a.example/",
            "KURSO_CORS_ORIGINS: origins such as",
        ),
        ("KURSO_LOG_FORMAT", "xml", "KURSO_LOG_FORMAT: text or json is expected"),
        ("KURSO_POOL_SIZE", "0", "KURSO_POOL_SIZE: a whole number from 1"),
        ("KURSO_OTLP_URL", "collector", "KURSO_OTLP_URL: a URL such as"),
        (
            "KURSO_METRICS_TOKEN",
            "secret-7",
            "KURSO_METRICS_TOKEN: at least 16 characters are expected",
        ),
        (
            "KURSO_DATABASE_URL",
            "mysql://a:secret-7@b/c",
            "KURSO_DATABASE_URL: sqlite:PATH or postgres://",
        ),
        ("KURSO_LOG", "kurso=shout", "KURSO_LOG: "),
        (
            "KURSO_CONFIG",
            "/no/such/kurso.toml",
            "KURSO_CONFIG /no/such/kurso.toml: ",
        ),
    ] {
        let output = kurso(folder.path(), &["serve"]).env(variable, value).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && error.contains(expected),
            "{variable}: {error}"
        );
        assert!(!error.contains("secret-7") && !error.contains("panicked"), "{error}");
    }
    std::fs::write(folder.path().join("kurso.toml"), "adress = \"127.0.0.1:0\"\n").unwrap();
    let output = kurso(folder.path(), &["serve"]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("kurso.toml: unknown setting adress, did you mean address?"),
        "{error}"
    );
}

fn started(folder: &TempDir, change: impl FnOnce(&mut Command)) -> Server {
    let mut command = kurso(folder.path(), &["serve", "--demo", "off"]);
    command.env("KURSO_SUPERUSER_PASSWORD", "a password of ours");
    change(&mut command);
    Server::start(command)
}

#[tokio::test]
async fn a_server_reports_health_and_metrics() {
    let folder = TempDir::new().unwrap();
    let server = started(&folder, |command| {
        command.env("KURSO_METRICS_TOKEN", "the token of metrics");
    });
    sign_in(&server, "admin@example.com", "a password of ours").await;
    let client = reqwest::Client::new();
    let get = |path: &str| client.get(format!("{}{path}", server.url));
    assert_eq!(get("/healthz").send().await.unwrap().text().await.unwrap(), "ok\n");
    let ready: Value = get("/readyz").send().await.unwrap().json().await.unwrap();
    let words = ["database", "migrations", "files"].map(|name| ready[name].as_str().unwrap().to_owned());
    assert_eq!(
        (ready["ready"].as_bool(), words),
        (Some(true), ["ok", "ok", "ok"].map(str::to_owned))
    );

    let answer = get("/metrics").send().await.unwrap();
    assert!(
        answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("application/openmetrics-text")
    );
    let text = answer.text().await.unwrap();
    for line in [
        "kurso_http_requests_total{method=\"POST\",route=\"/api/v1/login/access-token\",status=\"200\"} 1",
        "kurso_logins_total{outcome=\"ok\"} 1",
        "kurso_sql_pool_connections{pool=\"writer\"} 1",
        "# EOF",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
    // A proxied request may come from anywhere.
    let through = get("/metrics").header("x-forwarded-for", "8.8.8.8");
    assert_eq!(through.send().await.unwrap().status(), StatusCode::FORBIDDEN);
    for (token, status) in [("the token of metrics", 200), ("the token of metricz", 403), ("", 403)] {
        let through = get("/metrics").header("via", "1.1 proxy").bearer_auth(token);
        assert_eq!(through.send().await.unwrap().status().as_u16(), status, "{token}");
    }
}

/// Sends a request whose body arrives later.
fn begun(server: &Server, length: usize) -> TcpStream {
    let address = server.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /api/v1/login/access-token HTTP/1.1\r\nHost: kurso\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

fn rest(stream: TcpStream) -> String {
    let mut text = String::new();
    let _ = BufReader::new(stream).read_to_string(&mut text); // cut off is an end, too
    text
}

fn terminate(server: &Server) {
    let pid = server.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
}

#[tokio::test]
async fn a_shutdown_answers_every_received_request() {
    let folder = TempDir::new().unwrap();
    let mut server = started(&folder, |command| {
        command.env("KURSO_DRAIN", "3s");
    });
    let form = "username=admin@example.com&password=a+password+of+ours";
    let mut slow = begun(&server, form.len());
    slow.write_all(&form.as_bytes()[..10]).unwrap();
    let idle = begun(&server, 1).try_clone().unwrap(); // its other half is closed: a client that goes away
    drop(idle);
    let stopped = Instant::now();
    terminate(&server);
    let client = reqwest::Client::new();
    let ready = loop {
        let ready = client.get(format!("{}/readyz", server.url)).send().await.unwrap();
        if ready.status() == 503 || stopped.elapsed() > Duration::from_secs(5) {
            break ready;
        }
    };
    assert_eq!(ready.headers()["connection"], "close");
    let ready: Value = ready.json().await.unwrap();
    assert_eq!(
        (ready["stopping"].as_bool(), ready["database"].as_str()),
        (Some(true), Some("ok"))
    );
    // Still served, because the load balancer may not have noticed yet.
    sign_in(&server, "admin@example.com", "a password of ours").await;
    while client.get(format!("{}/healthz", server.url)).send().await.is_ok() {
        assert!(stopped.elapsed() < Duration::from_secs(10), "the door is not closed");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(stopped.elapsed() > Duration::from_secs(3), "{:?}", stopped.elapsed());
    slow.write_all(&form.as_bytes()[10..]).unwrap();
    let answer = rest(slow);
    assert!(
        answer.starts_with("HTTP/1.1 200 OK") && answer.contains("access_token"),
        "{answer}"
    );
    assert!(answer.to_ascii_lowercase().contains("connection: close"), "{answer}");
    assert!(server.child.wait().unwrap().success());
    assert!(stopped.elapsed() < Duration::from_secs(20), "{:?}", stopped.elapsed());
}

#[tokio::test]
async fn a_shutdown_ends_within_its_timeout() {
    let folder = TempDir::new().unwrap();
    let mut server = started(&folder, |command| {
        command
            .env("KURSO_STOP_TIMEOUT", "1s")
            .env("KURSO_HEADER_TIMEOUT", "20s");
    });
    let slow = begun(&server, 100);
    let address = server.url.strip_prefix("http://").unwrap().to_owned();
    let silent = TcpStream::connect(address).unwrap();
    // A response to a later request shows that the two above were accepted.
    sign_in(&server, "admin@example.com", "a password of ours").await;
    let stopped = Instant::now();
    terminate(&server);
    assert!(server.child.wait().unwrap().success());
    let took = stopped.elapsed();
    assert!(
        took > Duration::from_millis(900) && took < Duration::from_secs(8),
        "{took:?}"
    );
    assert!(!rest(slow).contains("200 OK"));
    drop(silent);
}

#[test]
fn a_client_that_sends_no_headers_is_disconnected() {
    let folder = TempDir::new().unwrap();
    let server = started(&folder, |command| {
        command.env("KURSO_HEADER_TIMEOUT", "300ms");
    });
    let address = server.url.strip_prefix("http://").unwrap();
    for said in ["", "GET / HT", "GET /healthz HTTP/1.1\r\nHost: kurso\r\n\r\n"] {
        let begun = Instant::now();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(said.as_bytes()).unwrap();
        let answer = rest(stream);
        assert_eq!(answer.contains("200 OK"), said.contains("Host"), "{answer}");
        assert!(
            begun.elapsed() < Duration::from_secs(5),
            "{said:?}: {:?}",
            begun.elapsed()
        );
    }
}

/// A trace collector that accepts one message per connection.
fn collector() -> (String, std::sync::mpsc::Receiver<Value>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                std::io::BufRead::read_line(&mut reader, &mut line).unwrap();
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                if line == "\r\n" {
                    break;
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let done = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            reader.get_mut().write_all(done).unwrap();
            if sender.send(serde_json::from_slice(&body).unwrap()).is_err() {
                return;
            }
        }
    });
    (url, receiver)
}

#[tokio::test]
async fn traces_continue_the_trace_of_the_caller() {
    let folder = TempDir::new().unwrap();
    let (url, messages) = collector();
    let server = started(&folder, |command| {
        command.env("KURSO_OTLP_URL", url);
    });
    let token = sign_in(&server, "admin@example.com", "a password of ours").await;
    let (trace, parent) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
    let asked = reqwest::Client::new()
        .get(format!("{}/api/v1/users/me?secret=7", server.url))
        .bearer_auth(&token);
    asked
        .header("traceparent", format!("00-{trace}-{parent}-01"))
        .send()
        .await
        .unwrap();
    assert!(server.stop().success(), "the end sends what is left");
    let messages: Vec<Value> = messages.try_iter().collect();
    let spans: Vec<&Value> = messages
        .iter()
        .flat_map(|message| {
            message["resourceSpans"][0]["scopeSpans"][0]["spans"]
                .as_array()
                .unwrap()
        })
        .collect();
    let request = spans
        .iter()
        .find(|span| span["name"] == "GET /api/v1/users/me")
        .expect("the span of the request");
    assert_eq!(
        (&request["traceId"], &request["parentSpanId"]),
        (&trace.into(), &parent.into())
    );
    let attributes = request["attributes"].to_string();
    assert!(
        attributes.contains("http.response.status_code") && attributes.contains("\"200\""),
        "{attributes}"
    );
    let sql = spans
        .iter()
        .find(|span| span["parentSpanId"] == request["spanId"])
        .expect("the span of a statement");
    assert!(
        sql["traceId"] == trace && sql["attributes"].to_string().contains("FROM users"),
        "{sql}"
    );
    let all = serde_json::to_string(&messages).unwrap();
    for secret in [&*token, "secret=7", "admin@example.com", "a password of ours"] {
        assert!(!all.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn the_json_log_has_every_request_and_no_personal_data() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(
        folder.path(),
        &["serve", "--demo", "off", "--log-format", "json", "--access-log", "on"],
    );
    command
        .env("KURSO_SUPERUSER_PASSWORD", "a password of ours")
        .env("KURSO_SLOW_QUERY", "1ms")
        .env("KURSO_LOG", "info");
    let mut server = Server::start(command);
    let log = server.child.stderr.take().unwrap();
    let log = std::thread::spawn(move || std::io::read_to_string(log).unwrap());
    let token = sign_in(&server, "admin@example.com", "a password of ours").await;
    let query = "query NameOfAnn { mine: me { id } }";
    crate::ask(&server, &token, query).await;
    let missing = format!("{}/files/0123456789abcdef0123456789abcdef/secret.png", server.url);
    reqwest::Client::new().get(missing).send().await.unwrap();
    assert!(server.stop().success());
    let log = log.join().unwrap();
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let answered: Vec<_> = lines.iter().filter(|line| line["target"] == "access").collect();
    let routes: Vec<_> = answered
        .iter()
        .map(|line| line["span"]["route"].as_str().unwrap())
        .collect();
    assert_eq!(
        routes,
        ["/api/v1/login/access-token", "/graphql", "/files/{*path}"],
        "{log}"
    );
    assert_eq!(answered[1]["fields"]["operation"], "query me", "{log}");
    assert_eq!(answered[0]["span"]["id"].as_str().unwrap().len(), 36, "{log}");
    for secret in [
        "NameOfAnn",
        "mine",
        "admin@example.com",
        "a password of ours",
        &token,
        "0123456789abcdef",
        "127.0.0.1",
    ] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}
