//! Files: names, ranges, caching, and security headers.

use kurso_base::ids::FileId;
use kurso_core::both;
use kurso_core::files::File;
use kurso_core::testing::TestKurso;
use reqwest::Method;

use crate::support::{Answer, Sent as _, Server};

/// Stores a file of a new account.
pub async fn store(kurso: &TestKurso, filename: &str, content_type: &str, bytes: &[u8]) -> File {
    let owner = kurso.account(&format!("owner-of-{}", FileId::new()), false).await;
    kurso.file(owner.id, filename, content_type, bytes.to_vec()).await
}

async fn ask(server: &Server, url: &str, headers: &[(&str, &str)]) -> Answer {
    let request = server.anonymous().request(Method::GET, url);
    let request = headers
        .iter()
        .fold(request, |request, (name, value)| request.header(*name, *value));
    request.answer().await
}

both! {
    async fn a_file_is_immutable_and_sandboxed(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let file = store(&server.kurso, "Ж №1.png", "image/png", b"0123456789").await;
        let answer = ask(&server, &file.url(), &[]).await;
        assert_eq!((answer.status, answer.bytes.as_slice()), (200, &b"0123456789"[..]));
        for (name, value) in [
            ("content-type", "image/png"),
            ("content-length", "10"),
            ("content-disposition", "inline; filename=\"_ _1.png\"; filename*=UTF-8''%D0%96%20%E2%84%961.png"),
            ("etag", &format!("\"{}\"", file.id)),
            ("accept-ranges", "bytes"),
            ("cache-control", "public, max-age=31536000, immutable"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-resource-policy", "cross-origin"),
        ] {
            assert_eq!(answer.header(name), value);
        }
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none';") && policy.ends_with("; sandbox"), "{policy}");
        let head = server.anonymous().request(Method::HEAD, &file.url()).answer().await;
        assert_eq!((head.status, head.bytes.len(), head.header("content-length")), (200, 0, "10"));
    }

    async fn a_file_needs_its_exact_key_and_name(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let file = store(&server.kurso, "a b.txt", "text/plain", b"x").await;
        let key = &file.key;
        let found = ask(&server, &format!("/files/{key}/a%20b.txt"), &[]).await;
        assert_eq!(found.header("content-type"), "text/plain; charset=utf-8");
        for other in [
            format!("/files/{key}/b.txt"), format!("/files/{key}/"), format!("/files/{key}"),
            format!("/files/{key}/a%20b.txt/"),
            format!("/files/{}/a%20b.txt", key.to_uppercase()), format!("/files/{}/a%20b.txt", "0".repeat(32)),
            format!("/files/{key}%00/a%20b.txt"), "/files/%00/x".into(), "/files/..%2f..%2fkurso.db".into(),
            "/files/%ff/%ff".into(),
        ] {
            assert_eq!(ask(&server, &other, &[]).await.refusal().0, 404, "{other}");
        }
        server.kurso.files.delete(key).await.unwrap();
        ask(&server, &file.url(), &[("accept-language", "ru")]).await.refused(404, "Файл не найден");
    }

    async fn ranges_are_served(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let file = store(&server.kurso, "film.mp4", "video/mp4", b"0123456789").await;
        let etag = format!("\"{}\"", file.id);
        for (range, bytes, content_range) in [
            ("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=8-", "89", "bytes 8-9/10"),
            ("bytes=-3", "789", "bytes 7-9/10"),
            ("bytes=0-99", "0123456789", "bytes 0-9/10"), ("bytes=-99", "0123456789", "bytes 0-9/10"),
        ] {
            for condition in [vec![], vec![("if-range", etag.as_str())]] {
                let headers = [vec![("range", range)], condition].concat();
                let answer = ask(&server, &file.url(), &headers).await;
                assert_eq!((answer.status, answer.bytes.as_slice()), (206, bytes.as_bytes()), "{range}");
                assert_eq!(answer.header("content-range"), content_range);
                assert_eq!(answer.header("content-length"), bytes.len().to_string());
            }
        }
        for unsatisfiable in ["bytes=10-", "bytes=99-100", "bytes=-0"] {
            let answer = ask(&server, &file.url(), &[("range", unsatisfiable)]).await;
            answer.refused(416, "The file does not reach that far");
            assert_eq!(answer.header("content-range"), "bytes */10");
        }
        for whole in ["bytes=4-2", "bytes=0-1,5-6", "bytes=x", "lines=0-1", ""] {
            let answer = ask(&server, &file.url(), &[("range", whole)]).await;
            assert_eq!((answer.status, answer.bytes.len()), (200, 10), "{whole}");
        }
        for other in ["\"other\"", "Sat, 21 Nov 2026 09:00:00 GMT", &format!("W/{etag}")] {
            let answer = ask(&server, &file.url(), &[("range", "bytes=0-1"), ("if-range", other)]).await;
            assert_eq!((answer.status, answer.bytes.len()), (200, 10), "{other}");
        }
    }

    async fn a_cached_file_is_not_sent_again(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let file = store(&server.kurso, "a.png", "image/png", b"0123456789").await;
        let etag = format!("\"{}\"", file.id);
        for tags in [etag.clone(), format!("W/{etag}"), format!("\"x\", {etag}"), "*".into()] {
            let answer = ask(&server, &file.url(), &[("if-none-match", &tags), ("range", "bytes=0-1")]).await;
            assert_eq!((answer.status, answer.bytes.len(), answer.header("etag")), (304, 0, etag.as_str()), "{tags}");
        }
        let answer = ask(&server, &file.url(), &[("if-none-match", "\"x\"")]).await;
        assert_eq!(answer.status, 200);
    }

    async fn files_that_could_run_scripts_are_downloads(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        for (content_type, disposition) in [
            ("image/svg+xml", "attachment"), ("text/html", "attachment"), ("application/xml", "attachment"),
            ("application/pdf", "inline"), ("image/jpeg", "inline"), ("audio/mpeg", "inline"),
        ] {
            let file = store(&server.kurso, "a", content_type, b"<script>").await;
            let answer = ask(&server, &file.url(), &[]).await;
            assert!(answer.header("content-disposition").starts_with(disposition), "{content_type}");
            assert_eq!(answer.header("content-type"), content_type);
            assert!(answer.header("content-security-policy").ends_with("sandbox"));
        }
    }

    async fn empty_and_large_files_are_served(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let empty = store(&server.kurso, "empty", "image/png", b"").await;
        let answer = ask(&server, &empty.url(), &[]).await;
        assert_eq!((answer.status, answer.bytes.len(), answer.header("content-length")), (200, 0, "0"));
        assert_eq!(ask(&server, &empty.url(), &[("range", "bytes=0-")]).await.status, 416);
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|i| (i % 251) as u8).collect();
        let long = store(&server.kurso, "long", "image/png", &bytes).await;
        assert_eq!(ask(&server, &long.url(), &[]).await.bytes, bytes);
        let part = ask(&server, &long.url(), &[("range", "bytes=1000000-1999999")]).await;
        assert_eq!(part.bytes, bytes[1_000_000..2_000_000]);
    }
}
