//! Monitoring endpoints, load shedding, and security headers.

use std::time::Duration;

use kurso_core::both;
use kurso_db::{Tx, sql};
use kurso_rest::Options;
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{METRICS_TOKEN, Sent as _, Server};

/// Sends the headers of a sign-in without its body.
async fn begin_login(server: &Server) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = "POST /api/v1/login/access-token HTTP/1.1\r\nHost: kurso\r\nContent-Length: 1\r\nConnection: close\r\n\
                Content-Type: application/x-www-form-urlencoded\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Makes changes of accounts wait until the transaction is dropped.
async fn lock_accounts(server: &Server) -> Tx {
    let mut tx = server.kurso.db.begin().await.unwrap();
    sql!("UPDATE users SET full_name = full_name")
        .execute(&mut tx)
        .await
        .unwrap();
    tx
}

both! {
    async fn readyz_names_the_missing_dependency(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let nobody = server.anonymous();
        let ready = nobody.get("/readyz").await;
        assert_eq!((ready.status, ready.json()["ready"].as_bool()), (200, Some(true)), "{}", ready.text());
        // To an older binary, the database of a newer one looks like this.
        sql!("DELETE FROM _sqlx_migrations WHERE version > 5").execute(&server.kurso.db).await.unwrap();
        tokio::time::sleep(Duration::from_millis(1_100)).await; // a result is cached for a second
        let ready = nobody.get("/readyz").await;
        assert_eq!((ready.status, ready.header("retry-after")), (503, "1"));
        let body = ready.json();
        assert_eq!(
            [&body["database"], &body["migrations"], &body["files"]].map(|word| word.as_str().unwrap()),
            ["ok", "failed", "ok"]
        );
        server.kurso.db.close().await;
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let ready = nobody.get("/readyz").await;
        assert_eq!((ready.status, ready.json()["database"].as_str()), (503, Some("failed")));
        assert_eq!(nobody.get("/healthz").await.status, 200);
    }

    /// Two requests are admitted; the third is rejected at once, and the monitoring endpoints still respond.
    async fn excess_requests_get_503_with_retry_after(kurso: TestKurso) {
        let options = Options { max_requests: 2, ..Options::default() };
        let server = Server::start_as(kurso, options).await;
        let (ann, nobody) = (server.person("ann").await, server.anonymous());
        let lock = lock_accounts(&server).await;
        let rename = || tokio::spawn(ann.request(Method::PATCH, "/users/me").json(&json!({"full_name": "Анна"})).answer());
        let held = [rename(), rename()];
        let mut refused = nobody.get("/utils/health-check/").await;
        for _ in 0..100 {
            if refused.status == 503 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
            refused = nobody.get("/utils/health-check/").await;
        }
        refused.refused(503, "The server is busy, please try again in a moment");
        assert_eq!(refused.header("retry-after"), "1");
        assert_ne!(refused.header("x-request-id"), "");
        let russian = nobody.request(Method::GET, "/courses/list_courses").header("accept-language", "ru").answer().await;
        russian.refused(503, "Сервер занят, попробуйте ещё раз через минуту");
        // Only uploads have places of their own, not every request that claims to carry a form.
        let multipart = nobody.request(Method::GET, "/utils/health-check/").header("content-type", "multipart/form-data; boundary=x");
        assert_eq!(multipart.answer().await.status, 503);
        assert_eq!(nobody.get("/readyz").await.status, 200);
        assert_eq!(nobody.get("/healthz").await.status, 200);
        let counted = nobody.request(Method::GET, "/metrics").bearer_auth(METRICS_TOKEN).answer().await.text();
        assert!(counted.contains("kurso_http_requests_running 2"), "{counted}");
        assert!(!counted.contains("kurso_http_requests_shed_total 0"), "{counted}");
        // When the requests end, others are admitted.
        drop(lock);
        for held in held {
            assert_eq!(held.await.unwrap().status, 200);
        }
        assert_eq!(nobody.get("/utils/health-check/").await.status, 200);
    }

    async fn a_request_beyond_its_timeout_gets_503(kurso: TestKurso) {
        let options = Options { request_timeout: Duration::from_millis(200), ..Options::default() };
        let server = Server::start_as(kurso, options).await;
        let ann = server.person("ann").await;
        let _lock = lock_accounts(&server).await;
        let answer = ann.patch_json("/users/me", json!({"full_name": "Анна"})).await;
        assert_eq!((answer.status, answer.header("retry-after")), (503, "1"));
    }

    async fn slow_bodies_do_not_keep_others_from_being_served(kurso: TestKurso) {
        let options = Options { max_requests: 8, ..Options::default() };
        let server = Server::start_as(kurso, options).await;
        let ann = server.person("ann").await;
        let mut slow = Vec::new();
        for _ in 0..200 {
            slow.push(begin_login(&server).await);
        }
        for _ in 0..20 {
            assert_eq!(ann.get("/users/me").await.status, 200);
            assert_eq!(ann.patch_json("/users/me", json!({"full_name": "Анна"})).await.status, 200);
        }
        // The oldest were evicted, and the newest can still send their bodies.
        let mut answer = String::new();
        slow.remove(0).read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        let mut newest = slow.pop().unwrap();
        newest.write_all(b"x").await.unwrap();
        let mut answer = String::new();
        newest.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 422"), "{answer}");
    }

    async fn every_response_has_the_security_headers(kurso: TestKurso) {
        let options = Options { https: true, ..Options::default() };
        let server = Server::start_as(kurso, options).await;
        let ann = server.person("ann").await;
        let large = vec![b' '; 5 << 20];
        let answers = [
            ann.get("/users/me").await,
            server.anonymous().get("/users/me").await,
            ann.get("/no/such/call").await,
            ann.post("/users/me").await,
            ann.get("/users/me/").await,
            ann.get("/files/0123456789abcdef0123456789abcdef/a.png").await,
            ann.request(Method::POST, "/courses/create_course").header("content-type", "application/json").body(large).answer().await,
            ann.request(Method::OPTIONS, "/users/me").header("origin", "https://evil.example").header("access-control-request-method", "GET").answer().await,
        ];
        for answer in answers {
            let headers = [
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "same-origin"),
                ("cross-origin-opener-policy", "same-origin"),
                ("strict-transport-security", "max-age=31536000"),
                ("permissions-policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
            ];
            for (name, value) in headers {
                assert_eq!(answer.header(name), value, "{name} of a {}", answer.status);
            }
            let policy = answer.header("content-security-policy");
            assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors"), "{policy}");
        }
        for path in ["/healthz", "/readyz", "/metrics"] {
            let answer = server.anonymous().get(path).await;
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
            assert!(answer.header("content-security-policy").contains("default-src 'none'"), "{path}");
            assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin", "{path}");
        }
        let server = Server::start(kurso_core::testing::TestKurso::new(kurso_core::testing::Backend::Sqlite).await).await;
        let plain = server.anonymous().get("/utils/health-check/").await;
        assert_eq!(plain.header("strict-transport-security"), "", "only with an https public URL");
    }
}
