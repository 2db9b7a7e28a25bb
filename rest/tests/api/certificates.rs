//! Certificates over HTTP: the operations, the public page, the PDF and what verifiers read. The rules are tested in the core.

use chrono::Duration;
use kurso_certificate::badge::{PublicJwk, is_revoked, verify};
use kurso_core::both;
use kurso_db::sql;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Persona, School, Sent as _, Server};
use crate::uploads::form;

/// 80 by 60 pixels.
const PICTURE: &[u8] = include_bytes!("../../../core/tests/pictures/red-blue-420.avif");

/// A grade that visitors may not see unless the holder shows it.
const GRADE: &str = "92,5 %";

async fn design(school: &School<'_>, to: Value) -> Value {
    let path = format!("/courses/set_certificate_design/{}", school.course);
    school.owner.put_json(&path, to).await.ok()
}

/// Completes the course for the learner and issues the certificate, with a grade.
async fn issued(server: &Server, school: &School<'_>) -> Value {
    design(school, json!({"is_on": true})).await;
    for page in &school.pages {
        let visit = format!("/courses/mark_page_visited/{page}");
        school.learner.post(&visit).await.ok();
    }
    let issue = format!("/courses/issue_certificate/{}", school.course);
    school.learner.post(&issue).await.ok();
    sql!("UPDATE certificates SET grade = $1", GRADE.to_owned())
        .execute(&server.kurso.db)
        .await
        .unwrap();
    school.learner.post(&issue).await.ok()
}

/// What a visitor gets at a path of this server.
async fn visit(server: &Server, path: &str, lang: &str) -> Answer {
    let request = reqwest::Client::new().get(format!("{}{path}", server.url));
    request.header("accept-language", lang).answer().await
}

async fn show(who: &Persona<'_>, certificate: &Value, to: Value) -> Value {
    let path = format!(
        "/courses/set_certificate_privacy/{}",
        certificate["id"].as_str().unwrap()
    );
    who.put_json(&path, to).await.ok()
}

/// All that everybody can read of a certificate, as texts.
async fn everything_public(server: &Server, id: &str) -> Vec<String> {
    let page = format!("/c/{id}");
    let mut texts = vec![];
    for lang in ["ru", "en"] {
        texts.push(visit(server, &page, lang).await.text());
    }
    for path in [
        format!("{page}/certificate.pdf"),
        format!("{page}/achievement"),
        format!("/api/v1/courses/public_certificate/{id}"),
        "/c/issuer".to_owned(),
        "/c/keys".to_owned(),
        "/.well-known/jwks.json".to_owned(),
        "/c/status/1".to_owned(),
        "/sitemap.xml".to_owned(),
        "/courses".to_owned(),
    ] {
        texts.push(visit(server, &path, "ru").await.text());
    }
    texts
}

async fn keys(server: &Server) -> Vec<PublicJwk> {
    let jwks: Value = visit(server, "/.well-known/jwks.json", "en").await.json();
    let keys = jwks["keys"].as_array().unwrap().iter();
    keys.map(|key| PublicJwk::from_json(&key.to_string()).unwrap())
        .collect()
}

both! {
    async fn a_learner_gets_a_certificate_that_visitors_check(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let my = format!("/courses/my_certificate/{}", school.course);
        let none = school.learner.get(&my).await.ok();
        assert_eq!((&none["state"], &none["certificate"]), (&json!("none"), &Value::Null));
        assert_eq!(school.learner.post(&format!("/courses/issue_certificate/{}", school.course)).await.status, 409);
        let set = design(&school, json!({"is_on": true, "signer": "Анна Петрова, ректор"})).await;
        assert_eq!((&set["is_on"], &set["basis"], &set["language"]), (&json!(true), &json!("completion"), &json!("ru")));
        let open = school.learner.get(&my).await.ok();
        assert_eq!((&open["state"], &open["pages_left"], &open["name"]), (&json!("not_yet"), &json!(4), &json!("learner")));
        let certificate = issued(&server, &school).await;
        assert_eq!(school.learner.get(&my).await.ok()["certificate"], certificate);
        let id = certificate["id"].as_str().unwrap();
        assert_eq!((&certificate["state"], &certificate["page_url"]), (&json!("valid"), &json!(format!("/c/{id}"))));

        let page = visit(&server, &format!("/c/{id}"), "ru").await;
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
        assert_eq!((page.header("x-robots-tag"), page.header("cache-control")), ("noindex", "public, max-age=60"));
        let text = page.text();
        for part in ["<html lang=\"ru\">", "Сертификат действителен.", "<dd>learner</dd>", "<dd>Курс</dd>", "<svg ", "21 ноября 2026 г.",
            "<meta name=\"robots\" content=\"noindex\">", &format!("href=\"/c/{id}/certificate.pdf\"")] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !text.contains("<script"), "{policy}");
        let tag = page.header("etag").to_owned();
        let again = reqwest::Client::new().get(format!("{}/c/{id}", server.url)).header("if-none-match", tag);
        assert_eq!(again.header("accept-language", "ru").answer().await.status, 304);
        assert!(visit(&server, &format!("/c/{id}?lang=en"), "ru").await.text().contains("The certificate is valid."));
        let json = server.anonymous().get(&format!("/courses/public_certificate/{id}")).await.ok();
        assert_eq!((&json["name"], &json["grade"], &json["state"]), (&json!("learner"), &Value::Null, &json!("valid")));

        // An unknown certificate has the 404 page.
        for path in ["/c/01900000-0000-4000-8000-000000000000", "/c/nonsense"] {
            let missing = visit(&server, path, "ru").await;
            assert_eq!(missing.status, 404);
            assert!(missing.text().contains("Такого сертификата нет"), "{}", missing.text());
        }
        assert_eq!(visit(&server, &format!("/c/{id}/"), "ru").await.text(), text, "with a slash it is the same page");
    }

    async fn a_revocation_is_public_and_its_reason_is_not(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let certificate = issued(&server, &school).await;
        let id = certificate["id"].as_str().unwrap();
        let revoke = format!("/courses/revoke_certificate/{id}");
        for (wrong, error) in [(json!({}), "missing at body.reason"), (json!({"reason": ""}), "string_too_short at body.reason")] {
            assert_eq!(school.owner.post_json(&revoke, wrong).await.fields(), [error]);
        }
        let revoked = school.teacher.post_json(&revoke, json!({"reason": "Списано"})).await.ok();
        assert_eq!((&revoked["state"], &revoked["revoke_reason"]), (&json!("revoked"), &json!("Списано")));
        assert_eq!((&revoked["holder"]["email"], &revoked["revoked_by"]["full_name"]), (&json!("learner@example.com"), &json!("teacher")));
        assert_eq!(revoked["pdf_url"], Value::Null);
        let text = visit(&server, &format!("/c/{id}"), "ru").await.text();
        assert!(text.contains("Сертификат отозван.") && !text.contains("certificate.pdf"), "{text}");
        for text in everything_public(&server, id).await {
            assert!(!text.contains("Списано"), "{text}");
        }
        let my = school.learner.get(&format!("/courses/my_certificate/{}", school.course)).await.ok();
        assert_eq!((&my["state"], &my["certificate"]["revoke_reason"]), (&json!("revoked"), &json!("Списано")));
        let list = school.teacher.get(&format!("/courses/certificates/{}?search=LEARNER&limit=1", school.course)).await.ok();
        assert_eq!((&list["count"], &list["data"][0]), (&json!(1), &revoked));
        let restored = school.owner.post(&format!("/courses/restore_certificate/{id}")).await.ok();
        assert_eq!((&restored["state"], &restored["revoked_by"]), (&json!("valid"), &Value::Null));
        assert!(visit(&server, &format!("/c/{id}"), "ru").await.text().contains("Сертификат действителен."));
    }

    async fn what_the_holder_hides_is_nowhere(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        sql!("UPDATE users SET full_name = 'Ждановна' WHERE email = 'learner@example.com'").execute(&server.kurso.db).await.unwrap();
        let certificate = issued(&server, &school).await;
        let id = certificate["id"].as_str().unwrap();
        assert_eq!(certificate["grade"], GRADE);
        let shows = async |secret: &str| everything_public(&server, id).await.iter().any(|text| text.contains(secret));
        assert!(shows("Ждановна").await && !shows(GRADE).await && !shows("learner@").await);
        show(&school.learner, &certificate, json!({"is_grade_shown": true})).await;
        assert!(shows(GRADE).await);
        show(&school.learner, &certificate, json!({"is_name_shown": false, "is_grade_shown": false})).await;
        assert!(!shows("Ждановна").await && !shows(GRADE).await && !shows("learner@").await);
        let pdf = visit(&server, &format!("/c/{id}/certificate.pdf"), "ru").await;
        pdf.refused(404, "Сертификат не найден");
        // An address that nobody has signed opens nothing more.
        let signed = certificate["pdf_url"].as_str().unwrap();
        for wrong in [format!("/c/{id}/certificate.pdf?expires=99999999999&signature=AAAA"), signed.replace("expires=", "expires=1"),
            signed.replace(id, "01900000-0000-4000-8000-000000000000")] {
            assert_eq!(visit(&server, &wrong, "ru").await.status, 404, "{wrong}");
        }
        // The page of the replaced certificate no longer shows the old name.
        show(&school.learner, &certificate, json!({"is_name_shown": true})).await;
        sql!("UPDATE users SET full_name = 'Петровна' WHERE email = 'learner@example.com'").execute(&server.kurso.db).await.unwrap();
        server.kurso.clock.advance(Duration::minutes(1));
        let new = school.learner.post(&format!("/courses/reissue_certificate/{id}")).await.ok();
        let new_id = new["id"].as_str().unwrap();
        assert!(!shows("Ждановна").await && !shows("Петровна").await);
        let text = visit(&server, &format!("/c/{id}"), "en").await.text();
        assert!(text.contains("The certificate was replaced by a new one.") && text.contains(&format!("href=\"/c/{new_id}\"")), "{text}");
        let own = school.learner.get("/courses/my_certificates").await.ok();
        assert_eq!((&own["count"], &own["data"][0], &own["data"][1]["replaced_by"]), (&json!(2), &new, &json!(new_id)));
        // A stranger learns nothing from the operations either.
        for who in [&school.stranger, &school.anonymous] {
            for path in [format!("/courses/certificates/{}", school.course), format!("/courses/my_certificate/{}", school.course),
                format!("/courses/certificate_design/{}", school.course), format!("/courses/certificate_badge/{new_id}")] {
                assert!([401, 404].contains(&who.get(&path).await.status), "{path}");
            }
        }
        assert_eq!(school.stranger.get("/courses/my_certificates").await.ok(), json!({"data": [], "count": 0}));
    }

    async fn the_page_escapes_names_and_titles(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let hostile = "\"><script>alert(1)</script><img src=x onerror=alert(2)>' </title> & {name}";
        sql!("UPDATE users SET full_name = $1 WHERE email = 'learner@example.com'", hostile.to_owned()).execute(&server.kurso.db).await.unwrap();
        sql!("UPDATE courses SET title = $1", hostile.to_owned()).execute(&server.kurso.db).await.unwrap();
        let certificate = issued(&server, &school).await;
        show(&school.learner, &certificate, json!({"is_grade_shown": true})).await;
        sql!("UPDATE certificates SET grade = $1", hostile.to_owned()).execute(&server.kurso.db).await.unwrap();
        let text = visit(&server, certificate["page_url"].as_str().unwrap(), "ru").await.text();
        assert!(!text.contains("<script") && !text.contains("<img") && text.contains("&lt;script"), "{text}");
        assert_eq!((text.matches("<h1>").count(), text.matches("</title>").count()), (1, 1));
    }

    async fn a_badge_is_verified_over_http(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let certificate = issued(&server, &school).await;
        let id = certificate["id"].as_str().unwrap();
        let badge = format!("/courses/certificate_badge/{id}");
        for (who, status) in [(&school.owner, 404), (&school.teacher, 404), (&school.admin, 404), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(who.get(&badge).await.status, status);
        }
        let jwt = school.learner.get(&badge).await.ok()["jwt"].as_str().unwrap().to_owned();
        let credential = verify(&jwt, &keys(&server).await).unwrap();
        let base = "https://kurso.example";
        let local = |address: &Value| address.as_str().unwrap().strip_prefix(base).unwrap().to_owned();
        let issuer = visit(&server, &local(&credential["issuer"]["id"]), "en").await;
        assert_eq!((issuer.header("content-type"), issuer.header("access-control-allow-origin")), ("application/ld+json", "*"));
        assert_eq!(issuer.json()["name"], credential["issuer"]["name"]);
        let achievement = visit(&server, &local(&credential["credentialSubject"]["achievement"]["id"]), "en").await;
        assert_eq!(achievement.json()["name"], "Курс");
        // The key that signed it is at its address.
        let header: Vec<u8> = base64_of(jwt.split('.').next().unwrap());
        let header: Value = serde_json::from_slice(&header).unwrap();
        let key = visit(&server, &local(&header["kid"]), "en").await;
        assert_eq!((key.status, key.json()["kid"].clone()), (200, header["kid"].clone()));
        assert_eq!(visit(&server, "/c/keys", "en").await.json()["keys"][0], key.json());
        assert_eq!(visit(&server, "/c/keys/none", "en").await.status, 404);

        let status = &credential["credentialStatus"];
        let bit = async || {
            let list = visit(&server, &local(&status["statusListCredential"]), "en").await;
            assert_eq!((list.header("content-type"), list.header("cache-control")), ("application/vc+jwt", "public, max-age=60"));
            let list = verify(&list.text(), &keys(&server).await).unwrap();
            is_revoked(&list, status["statusListIndex"].as_str().unwrap().parse().unwrap()).unwrap()
        };
        assert!(!bit().await);
        school.owner.post_json(&format!("/courses/revoke_certificate/{id}"), json!({"reason": "x"})).await.ok();
        assert!(bit().await);
        assert_eq!(school.learner.get(&badge).await.status, 409);
        school.owner.post(&format!("/courses/restore_certificate/{id}")).await.ok();
        assert!(!bit().await);
        for path in ["/c/status/2", "/c/status/x", "/c/status/0"] {
            assert_eq!(visit(&server, path, "en").await.status, 404);
        }
    }

    async fn pictures_and_colors_are_checked(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let path = format!("/courses/set_certificate_design/{}", school.course);
        for (wrong, error) in [
            (json!({"accent": "red"}), "string_pattern_mismatch at body.accent"),
            (json!({"heading": ""}), "string_too_short at body.heading"),
            (json!({"valid_months": 0}), "greater_than_equal at body.valid_months"),
            (json!({"min_percent": 101}), "less_than_equal at body.min_percent"),
            (json!({"basis": "luck"}), "enum at body.basis"),
            (json!({"is_on": null}), "bool_type at body.is_on"),
        ] {
            assert_eq!(school.editor.put_json(&path, wrong).await.fields(), [error]);
        }
        let upload = async |who: &Persona<'_>, query: &str| {
            let path = format!("/courses/upload_certificate_picture/{}{query}", school.course);
            who.request(Method::POST, &path).multipart(form("a.avif", PICTURE)).answer().await
        };
        assert_eq!(upload(&school.editor, "").await.fields(), ["missing at query.picture"]);
        assert_eq!(upload(&school.editor, "?picture=stamp").await.fields(), ["enum at query.picture"]);
        for (who, status) in [(&school.teacher, 403), (&school.learner, 403), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(upload(who, "?picture=logo").await.status, status);
        }
        let with_logo = upload(&school.editor, "?picture=logo").await.ok();
        assert_eq!(server.anonymous().get(with_logo["logo_url"].as_str().unwrap()).await.status, 200);
        assert_eq!(with_logo["signature_url"], Value::Null);
        let remove = format!("/courses/remove_certificate_picture/{}?picture=logo", school.course);
        assert_eq!(school.teacher.delete(&remove).await.status, 403);
        assert_eq!(school.owner.delete(&remove).await.ok()["logo_url"], Value::Null);
    }

    async fn a_pdf_is_drawn_for_whoever_may_see_it(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let logo = format!("/courses/upload_certificate_picture/{}?picture=logo", school.course);
        school.owner.request(Method::POST, &logo).multipart(form("a.avif", PICTURE)).answer().await.ok();
        let certificate = issued(&server, &school).await;
        let id = certificate["id"].as_str().unwrap();
        let public = visit(&server, &format!("/c/{id}/certificate.pdf"), "ru").await;
        assert_eq!((public.status, public.header("content-type"), public.header("cache-control")), (200, "application/pdf", "public, max-age=60"));
        assert!(public.bytes.starts_with(b"%PDF-"));
        let signed = certificate["pdf_url"].as_str().unwrap();
        let whole = visit(&server, signed, "ru").await;
        assert_eq!((whole.status, whole.header("cache-control")), (200, "private, no-cache"));
        assert_ne!(whole.bytes, public.bytes, "it has the grade");
        assert_ne!(whole.header("etag"), public.header("etag"));
        assert_eq!(visit(&server, signed, "en").await.bytes, whole.bytes, "the same bytes each time");
        let request = reqwest::Client::new().get(format!("{}{signed}", server.url)).header("if-none-match", whole.header("etag"));
        assert_eq!(request.answer().await.status, 304);
        let head = reqwest::Client::new().head(format!("{}{signed}", server.url)).answer().await;
        assert_eq!((head.status, head.bytes.len()), (200, 0));
        let staff = school.teacher.get(&format!("/courses/certificates/{}", school.course)).await.ok();
        assert_eq!(staff["data"][0]["pdf_url"], certificate["pdf_url"]);
        server.kurso.clock.advance(Duration::hours(3));
        assert_eq!(visit(&server, signed, "ru").await.status, 404, "the address has expired");

        let preview = school.editor.get(&format!("/courses/certificate_design/{}", school.course)).await.ok();
        let preview = preview["preview_url"].as_str().unwrap();
        let sample = visit(&server, preview, "ru").await;
        assert_eq!((sample.status, sample.header("content-type")), (200, "application/pdf"));
        for wrong in [preview.split_once('?').unwrap().0, &preview.replace("expires=", "expires=1")] {
            assert_eq!(visit(&server, wrong, "ru").await.status, 404);
        }
    }
}

fn base64_of(text: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).unwrap()
}
