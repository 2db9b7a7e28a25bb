//! Uploads: rights, limits, and the stored files.

use kurso_core::both;
use kurso_core::files::FileLimits;
use kurso_core::testing::TestKurso;
use kurso_db::sql;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::{Answer, Persona, School, Sent as _, Server};

/// 80 by 60 pixels.
const PICTURE: &[u8] = include_bytes!("../../../core/tests/pictures/red-blue-420.avif");

const UPLOAD: &str = "/courses/upload_file";

pub fn form(filename: &str, bytes: &[u8]) -> Form {
    Form::new().part("file", Part::bytes(bytes.to_vec()).file_name(filename.to_owned()))
}

async fn send(who: &Persona<'_>, path: &str, form: Form) -> Answer {
    who.request(Method::POST, path).multipart(form).answer().await
}

/// Sets limits that a test can reach.
pub fn ruled(kurso: TestKurso, rules: FileLimits) -> TestKurso {
    kurso.configured(|kurso| kurso.with_file_limits(rules))
}

/// Returns the number of files and parts of files in the store.
fn stored(server: &Server) -> usize {
    let folders = std::fs::read_dir(server.kurso.folder.path().join("files")).unwrap();
    let count = |folder: std::fs::DirEntry| std::fs::read_dir(folder.path()).unwrap().count();
    folders.map(|folder| count(folder.unwrap())).sum()
}

async fn until_stored(server: &Server, count: usize) {
    for _ in 0..500 {
        if stored(server) == count {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("{} files instead of {count}", stored(server));
}

/// Sends a raw request on a new connection, and returns the response as text.
async fn raw(server: &Server, head: &str, body: &[u8]) -> String {
    let mut connection = tokio::net::TcpStream::connect(server.address).await.unwrap();
    connection
        .write_all(head.replace('\n', "\r\n").as_bytes())
        .await
        .unwrap();
    connection.write_all(body).await.unwrap();
    let mut answer = vec![0; 4096];
    let read = connection.read(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer[..read]).into_owned()
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    head.extend(width.to_be_bytes());
    head.extend(height.to_be_bytes());
    head.extend([8, 2, 0, 0, 0]);
    head
}

both! {
    async fn a_file_is_downloaded_as_it_was_uploaded(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|i| (i % 251) as u8).collect();
        let file = send(&ann, UPLOAD, form("Лекция №1 \"a\".bin", &bytes)).await.ok();
        let url = file["url"].as_str().unwrap().to_owned();
        assert_eq!(file["size"], 3_000_000);
        assert_eq!(file["content_type"], "application/octet-stream");
        assert!(file["filename"].as_str().unwrap().starts_with("Лекция №1 "), "{file}");
        assert_eq!(file.as_object().unwrap().len(), 5);
        assert_eq!(url.split('/').nth(2).unwrap().len(), 32);
        let read = server.anonymous().get(&url).await;
        assert_eq!((read.status, read.bytes == bytes), (200, true));
        assert!(read.header("content-disposition").starts_with("attachment"));
        assert_eq!(stored(&server), 1);
    }

    async fn the_type_is_detected_from_the_bytes(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        for (name, bytes, content_type) in [
            ("a.txt", &png(1, 1)[..], "image/png"),
            ("a.png", b"<html><script>alert(1)</script>", "text/html"),
            ("a.jpg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
            ("a.mp4", b"%PDF-1.7", "application/pdf"),
            ("a.exe", "слова".as_bytes(), "text/plain"),
        ] {
            let part = Part::bytes(bytes.to_vec()).file_name(name).mime_str("video/mp4").unwrap();
            let file = send(&ann, UPLOAD, Form::new().part("file", part)).await.ok();
            assert_eq!((file["content_type"].as_str(), file["filename"].as_str()), (Some(content_type), Some(name)));
        }
    }

    async fn folders_are_removed_from_names(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        for (given, shown, last) in [
            ("../../etc/passwd", "passwd", "passwd"),
            ("C:\\photos\\Ё.png", "Ё.png", "%D0%81.png"),
            ("..", "file", "file"),
            ("a?b#c%20.txt", "a?b#c%20.txt", "a%3Fb%23c%2520.txt"),
        ] {
            let file = send(&ann, UPLOAD, form(given, b"x")).await.ok();
            let url = file["url"].as_str().unwrap();
            assert_eq!((file["filename"].as_str(), url.rsplit('/').next()), (Some(shown), Some(last)));
            assert_eq!(server.anonymous().get(url).await.status, 200);
        }
    }

    async fn a_request_without_a_file_is_refused(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let answer = send(&ann, UPLOAD, Form::new().text("other", "x")).await;
        assert_eq!(answer.fields(), ["missing at body.file"]);
        assert_eq!(send(&ann, UPLOAD, Form::new().text("file", "x")).await.fields(), ["value_error at body.file"]);
        assert_eq!(send(&ann, UPLOAD, form("a.png", b"")).await.fields(), ["value_error at body.file"]);
        ann.post_json(UPLOAD, json!({"file": "x"})).await.refused(415, "Unsupported content type");
        assert_eq!(ann.post(UPLOAD).await.status, 415);
        for (content_type, body) in [
            ("multipart/form-data", ""),
            ("multipart/form-data; boundary=x", ""),
            ("multipart/form-data; boundary=x", "nonsense"),
            ("multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhalf"),
        ] {
            let request = ann.request(Method::POST, UPLOAD).header("content-type", content_type);
            let answer = request.header("accept-language", "ru").body(body).answer().await;
            assert_eq!(answer.fields(), ["value_error at body"], "{content_type} {body}");
            assert_eq!(answer.json()["detail"][0]["msg"], "Не удалось прочитать форму: ожидается multipart/form-data");
        }
        until_stored(&server, 0).await;
    }

    async fn the_token_is_checked_before_the_body(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        // The announced body never arrives: the response must not wait for it.
        let head = format!("POST /api/v1{UPLOAD} HTTP/1.1\nHost: x\nContent-Length: 1000000\nContent-Type: multipart/form-data; boundary=x\n");
        let answer = raw(&server, &format!("{head}\n"), b"").await;
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        let answer = raw(&server, &format!("{head}Authorization: Bearer no\n\n"), b"").await;
        assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
        let school = School::open(&server).await;
        let module = module_of(&server).await;
        let avatar = head.replace(UPLOAD, &format!("/courses/upload_module_avatar/{module}"));
        for (who, status) in [(&school.teacher, 403), (&school.learner, 403), (&school.admin, 403), (&school.stranger, 404)] {
            let token = who.token.as_ref().unwrap();
            let answer = raw(&server, &format!("{avatar}Authorization: Bearer {token}\n\n"), b"").await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        }
        let bad = head.replace(UPLOAD, "/courses/upload_module_avatar/x");
        let token = school.owner.token.as_ref().unwrap();
        let answer = raw(&server, &format!("{bad}Authorization: Bearer {token}\n\n"), b"").await;
        assert!(answer.starts_with("HTTP/1.1 422 "), "{answer}");
        let inactive = server.inactive("gone").await;
        assert_eq!(send(&inactive, UPLOAD, form("a", b"x")).await.status, 400);
    }

    async fn large_files_are_refused_before_and_during_the_upload(kurso: TestKurso) {
        let kurso = ruled(kurso, FileLimits { max_size: 2 << 20, ..FileLimits::default() });
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        send(&ann, UPLOAD, form("a", &vec![1; 2 << 20])).await.ok();
        let large = vec![1; 12 << 20];
        send(&ann, UPLOAD, form("a", &large)).await.refused(413, "The file is larger than 2 MB");
        // A chunked request has no Content-Length.
        let part = Part::stream(reqwest::Body::wrap_stream(futures_util::stream::iter(
            large.chunks(1 << 16).map(|chunk| Ok::<_, std::io::Error>(bytes::Bytes::copy_from_slice(chunk))).collect::<Vec<_>>(),
        )));
        let unannounced = Form::new().part("file", part.file_name("a"));
        send(&ann, UPLOAD, unannounced).await.refused(413, "The file is larger than 2 MB");
        // Other fields of the form are limited too.
        let beside = Form::new().text("other", "x".repeat(4 << 20));
        send(&ann, UPLOAD, beside).await.refused(413, "The file is larger than 2 MB");
        until_stored(&server, 1).await;
    }

    async fn a_full_quota_is_refused(kurso: TestKurso) {
        let kurso = ruled(kurso, FileLimits { quota: 1 << 20, ..FileLimits::default() });
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        send(&ann, UPLOAD, form("a", &vec![1; 1_000_000])).await.ok();
        let answer = send(&ann, UPLOAD, form("a", &vec![1; 100_000])).await;
        answer.refused(413, "There is no room left for your files; delete pages or courses you no longer need");
        send(&ann, UPLOAD, form("a", &vec![1; 1_000])).await.ok();
        send(&server.person("bob").await, UPLOAD, form("a", &vec![1; 100_000])).await.ok();
        until_stored(&server, 3).await;
    }

    async fn an_aborted_upload_leaves_nothing(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let token = ann.token.as_ref().unwrap();
        let mut connection = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let head = format!(
            "POST /api/v1{UPLOAD} HTTP/1.1\nHost: x\nContent-Length: 1000000\nAuthorization: Bearer {token}\n\
             Content-Type: multipart/form-data; boundary=x\n\n--x\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\n\n"
        );
        connection.write_all(head.replace('\n', "\r\n").as_bytes()).await.unwrap();
        connection.write_all(&vec![7; 500_000]).await.unwrap();
        until_stored(&server, 1).await;
        drop(connection);
        until_stored(&server, 0).await;
        let (rows,) = sql!("SELECT COUNT(*) FROM files").fetch_one::<(i64,)>(&server.kurso.db).await.unwrap();
        assert_eq!(rows, 0);
    }

    async fn a_page_refers_to_an_uploaded_file(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let file = send(&school.editor, UPLOAD, form("a.png", &png(2, 3))).await.ok();
        let image = json!({"type": "image", "attrs": {"src": file["url"]}});
        let path = format!("/courses/update_page/{}", school.pages[0]);
        let body = json!({"content": {"type": "doc", "content": [image]}});
        assert_eq!(school.owner.put_json(&path, body.clone()).await.fields().len(), 1, "the owner may not use the file of another user");
        school.editor.put_json(&path, body.clone()).await.ok();
        school.owner.put_json(&path, body).await.ok();
        let read = school.learner.get(&format!("/courses/enrolled_page/{}", school.pages[0])).await.ok();
        assert!(read.to_string().contains(file["url"].as_str().unwrap()));
    }

    async fn a_module_avatar_is_set_and_removed(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let module = module_of(&server).await;
        let path = format!("/courses/upload_module_avatar/{module}");
        let tree = format!("/courses/get_course/{}", school.course);
        school.owner.get(&tree).await.ok();
        let shown = send(&school.editor, &path, form("портрет.avif", PICTURE)).await.ok();
        assert_eq!(shown["id"], module.as_str());
        assert_eq!(shown["lessons"].as_array().unwrap().len(), 2);
        let url = shown["avatar_url"].as_str().unwrap().to_owned();
        let picture = server.anonymous().get(&url).await;
        assert_eq!((picture.status, picture.header("content-type")), (200, "image/jpeg"));
        assert_eq!(school.owner.get(&tree).await.ok()["modules"][0]["avatar_url"], url);
        let next = send(&school.owner, &path, form("a.avif", PICTURE)).await.ok();
        assert_ne!(next["avatar_url"], url);

        let update = format!("/courses/update_module/{module}");
        let kept = school.owner.put_json(&update, json!({"avatar_url": url, "title": "Т"})).await.ok();
        assert_eq!((&kept["avatar_url"], &kept["title"]), (&next["avatar_url"], &json!("Т")));
        let wrong = school.owner.put_json(&update, json!({"avatar_url": {}})).await;
        assert_eq!(wrong.fields(), ["string_type at body.avatar_url"]);
        let without = json!({"avatar_url": null});
        for (who, status) in [(&school.teacher, 403), (&school.learner, 403), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(who.put_json(&update, without.clone()).await.status, status);
        }
        assert_eq!(school.owner.get(&tree).await.ok()["modules"][0]["avatar_url"], next["avatar_url"], "none of these changed it");
        for _ in 0..2 {
            let cleared = school.editor.put_json(&update, without.clone()).await.ok();
            assert_eq!(cleared["avatar_url"], json!(null));
        }
        assert_eq!(school.owner.get(&tree).await.ok()["modules"][0]["avatar_url"], json!(null));

        for broken in [&PICTURE[..150], b"no picture", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b""] {
            let answer = send(&school.owner, &path, form("a.png", broken)).await;
            assert_eq!(answer.fields(), ["value_error at body.file"]);
        }
        let large = send(&school.owner, &path, form("a.png", &vec![1; (10 << 20) + 1])).await;
        large.refused(413, "The file is larger than 10 MB");
        for (who, status) in [(&school.teacher, 403), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(send(who, &path, form("a.avif", PICTURE)).await.status, status);
        }
        until_stored(&server, 2).await;
    }
}

async fn module_of(server: &Server) -> String {
    let (id,) = sql!("SELECT id FROM modules ORDER BY position LIMIT 1")
        .fetch_one::<(uuid::Uuid,)>(&server.kurso.db)
        .await
        .unwrap();
    id.to_string()
}
