//! Health and metrics, logs, traces and shutdown.

use std::io::{BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::Value;
use tempfile::TempDir;

use crate::{Server, kurso, sign_in};

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
    // So may one through a proxy that adds nothing and passes on the host.
    for (name, value) in [("x-forwarded-for", "8.8.8.8"), ("host", "kurso.example")] {
        let through = get("/metrics").header(name, value);
        assert_eq!(through.send().await.unwrap().status(), StatusCode::FORBIDDEN, "{name}");
    }
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
    let _ = BufReader::new(stream).read_to_string(&mut text); // the server may reset the connection
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
    let idle = begun(&server, 1).try_clone().unwrap(); // a client that disconnects
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
        assert!(
            stopped.elapsed() < Duration::from_secs(10),
            "the server still accepts connections"
        );
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
    for sent in ["", "GET / HT", "GET /healthz HTTP/1.1\r\nHost: kurso\r\n\r\n"] {
        let begun = Instant::now();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(sent.as_bytes()).unwrap();
        let answer = rest(stream);
        assert_eq!(answer.contains("200 OK"), sent.contains("Host"), "{answer}");
        assert!(
            begun.elapsed() < Duration::from_secs(5),
            "{sent:?}: {:?}",
            begun.elapsed()
        );
    }
}

#[test]
fn a_client_that_reads_nothing_is_disconnected() {
    let folder = TempDir::new().unwrap();
    let server = started(&folder, |command| {
        command.env("KURSO_WRITE_TIMEOUT", "500ms");
    });
    let address = server.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    // Far more than the buffers of the system hold, as long as nobody reads.
    let request = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let begun = Instant::now();
    let mut is_closed = false;
    while begun.elapsed() < Duration::from_secs(20) && !is_closed {
        is_closed = match stream.write_all(request.as_bytes()) {
            Ok(()) => false,
            Err(error) => !matches!(
                error.kind(),
                std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
            ),
        };
    }
    assert!(is_closed, "still open after {:?}", begun.elapsed());
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
    assert!(server.stop().success(), "the shutdown sends the remaining spans");
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
