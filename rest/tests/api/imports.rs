//! Imports by an upload, and exports.

use std::time::Duration;

use kurso_core::files::FileLimits;
use kurso_core::testing::TestKurso;
use kurso_core::{both, jobs};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::support::{Answer, Persona, Sent as _, Server};
use crate::uploads::ruled;

pub const IMPORT: &str = "/courses/import";
const GIFT: &str = "::Сумма:: Сколько будет 2 + 2? {=4 ~5}\n\n::Доли:: Что из этого верно? {~%70%это ~%50%то ~иное}\n";

/// A form with fields before and after the file.
fn form(before: &[(&'static str, &str)], after: &[(&'static str, &str)]) -> Form {
    let part = Part::bytes(GIFT.as_bytes().to_vec()).file_name("Вопросы.gift");
    let form = before
        .iter()
        .fold(Form::new(), |form, (name, text)| form.text(*name, (*text).to_owned()));
    let form = form.part("file", part);
    after
        .iter()
        .fold(form, |form, (name, text)| form.text(*name, (*text).to_owned()))
}

pub async fn send(who: &Persona<'_>, form: Form) -> Answer {
    who.request(Method::POST, IMPORT).multipart(form).answer().await
}

pub async fn settled(who: &Persona<'_>, id: &Value) -> Value {
    let mut job = Value::Null;
    for _ in 0..400 {
        job = who.get(&format!("{IMPORT}/{}", id.as_str().unwrap())).await.ok();
        if job["state"] != "waiting" && job["state"] != "running" {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the import does not end: {job}");
}

pub async fn working(kurso: TestKurso) -> (Server, tokio::sync::watch::Sender<bool>) {
    let server = Server::start(kurso).await;
    let (stop, stopping) = tokio::sync::watch::channel(false);
    tokio::spawn(jobs::work(server.kurso.kurso.clone(), stopping));
    (server, stop)
}

both! {
    async fn a_course_is_imported_previewed_confirmed_and_exported(kurso: TestKurso) {
        let (server, _stop) = working(kurso).await;
        let ann = server.person("ann").await;
        let begun = send(&ann, form(&[], &[])).await.ok();
        let ready = settled(&ann, &begun["id"]).await;
        assert_eq!([&ready["state"], &ready["stage"], &ready["mode"]], ["ready", "reading", "new"]);
        assert_eq!((&ready["found"]["questions"], &ready["found"]["changed"]), (&json!(2), &json!(1)));
        assert_eq!(ready["report"]["count"], 2);
        let path = format!("{IMPORT}/{}?outcome=changed", begun["id"].as_str().unwrap());
        assert_eq!(ann.get(&path).await.ok()["report"]["data"][0]["what"], "weights of single answers");
        let russian = ann.request(Method::GET, &path).header("accept-language", "ru").answer().await.ok();
        assert_eq!(russian["report"]["data"][0]["what"], "доли баллов за отдельные ответы");
        let none = ann.get(&format!("{path}&limit=0")).await.ok();
        assert_eq!((&none["report"]["count"], &none["report"]["data"]), (&json!(1), &json!([])));
        let refused = ann.get(&path.replace("changed", "lost")).await;
        assert_eq!(refused.fields(), ["enum at query.outcome"]);

        let confirm = format!("/courses/confirm_import/{}", begun["id"].as_str().unwrap());
        assert_eq!(ann.post_json(&confirm, json!({"mode": "append"})).await.fields(), ["missing at body.course_id"]);
        assert_eq!(ann.post_json(&confirm, json!({"headings": "page,lesson"})).await.fields(), ["enum at body.headings"]);
        let wide = ann.post_json(&confirm, json!({"headings": "lesson,page"})).await.ok();
        assert_eq!((&wide["stage"], &wide["headings"]), (&json!("reading"), &json!("lesson,page")));
        assert_eq!(settled(&ann, &begun["id"]).await["state"], "ready");
        let automatic = ann.post_json(&confirm, json!({"headings": null})).await.ok();
        assert_eq!((&automatic["stage"], &automatic["headings"]), (&json!("reading"), &json!(null)));
        assert_eq!(settled(&ann, &begun["id"]).await["state"], "ready");
        ann.post_json(&confirm, json!({})).await.ok();
        let done = settled(&ann, &begun["id"]).await;
        assert_eq!(done["state"], "done", "{done}");
        assert_eq!(ann.post_json(&confirm, json!({})).await.status, 409);

        let course = done["course_id"].as_str().unwrap();
        let export = format!("/courses/export/{course}");
        let zip = ann.get(&export).await;
        assert_eq!((zip.status, zip.header("content-type"), &zip.bytes[..2]), (200, "application/zip", &b"PK"[..]));
        assert!(zip.header("content-disposition").starts_with("attachment; filename=\""), "{}", zip.header("content-disposition"));
        assert!(zip.header("content-disposition").contains("filename*=UTF-8''%D0"), "the name keeps its script");
        let gift = ann.get(&format!("{export}?format=gift")).await;
        assert!(String::from_utf8_lossy(&gift.bytes).contains("2 + 2"));
        assert_eq!(ann.get(&format!("{export}?format=doc")).await.fields(), ["enum at query.format"]);
        assert_eq!(server.anonymous().get(&format!("{export}?token=forged")).await.status, 403);

        // Into the same course, without a preview, with the fields after the file.
        let more = send(&ann, form(&[], &[("course_id", course), ("preview", "false")])).await.ok();
        assert_eq!((&more["mode"], &more["into_course_id"]), (&json!("append"), &json!(course)));
        assert_eq!(settled(&ann, &more["id"]).await["state"], "done");
        let tree = ann.get(&format!("/courses/get_course/{course}")).await.ok();
        assert_eq!(tree["modules"].as_array().unwrap().len(), 2);
        assert_eq!(ann.get("/courses/my_imports").await.ok()["count"], 2);

        let bob = server.person("bob").await;
        assert_eq!(send(&bob, form(&[("course_id", course)], &[])).await.status, 404);
        assert_eq!(send(&bob, form(&[], &[("course_id", course)])).await.status, 404);
        assert_eq!(bob.get("/courses/my_imports").await.ok()["count"], 0);
    }

    async fn an_import_stays_a_draft_on_request(kurso: TestKurso) {
        let (server, _stop) = working(kurso).await;
        let ann = server.person("ann").await;
        for draft in ["true", "false"] {
            let begun = send(&ann, form(&[("draft", draft), ("preview", "false")], &[])).await.ok();
            let done = settled(&ann, &begun["id"]).await;
            let course = ann.get(&format!("/courses/get_course/{}", done["course_id"].as_str().unwrap())).await.ok();
            let page = &course["modules"][0]["lessons"][0]["pages"][0];
            let seen = (course["share_code"].is_null(), page["published"] == false);
            assert_eq!(seen, (draft == "true", draft == "true"), "{course}");
        }
    }

    async fn an_export_reports_what_it_leaves_out(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let course = ann.post_json("/courses/create_course", json!({"title": "Курс"})).await.ok();
        let report = format!("/courses/export_report/{}", course["id"].as_str().unwrap());
        let line = json!({"where": "GIFT", "what": "the course", "outcome": "not_carried", "why": "it has no questions, so the file is empty"});
        assert_eq!(ann.get(&format!("{report}?format=gift")).await.ok(), json!({"data": [line], "count": 1}));
        let path = format!("{report}?format=gift");
        let russian = ann.request(Method::GET, &path).header("accept-language", "ru").answer().await.ok();
        assert_eq!(russian["data"][0]["what"], "курс");
        assert_eq!(ann.get(&format!("{path}&skip=1")).await.ok(), json!({"data": [], "count": 1}));
        for format in ["", "?format=csv", "?format=html", "?format=imscc"] {
            assert_eq!(ann.get(&format!("{report}{format}")).await.ok(), json!({"data": [], "count": 0}), "{format}");
        }
        assert_eq!(ann.get(&format!("{report}?format=doc&limit=x")).await.fields(), ["int_parsing at query.limit", "enum at query.format"]);
    }

    async fn invalid_imports_are_refused_with_a_reason(kurso: TestKurso) {
        let kurso = ruled(kurso, FileLimits { max_size: 1 << 10, ..FileLimits::default() });
        let (server, _stop) = working(kurso).await;
        let ann = server.person("ann").await;
        let fields = [("mode", "elsewhere"), ("format", "doc"), ("preview", "perhaps"), ("course_id", "x")];
        let answer = send(&ann, form(&fields, &[])).await;
        assert_eq!(
            answer.fields(),
            ["enum at body.mode", "uuid_parsing at body.course_id", "enum at body.format", "bool_parsing at body.preview"]
        );
        // At most ten times the size of a file of a page.
        let large = |bytes: usize| Form::new().part("file", Part::bytes(vec![b'x'; bytes]).file_name("a.gift"));
        assert_eq!(send(&ann, large(10 << 10)).await.status, 200);
        assert_eq!(send(&ann, large((10 << 10) + 1)).await.status, 413);
        assert_eq!(send(&ann, Form::new().text("other", "x")).await.fields(), ["missing at body.file"]);
        assert_eq!(ann.post(IMPORT).await.status, 415);
        let part = Part::bytes(b"PK\x03\x04 half".to_vec()).file_name("Курс.zip");
        let begun = send(&ann, Form::new().part("file", part)).await.ok();
        let failed = settled(&ann, &begun["id"]).await;
        assert_eq!(failed["state"], "failed");
        assert!(failed["failure"].as_str().unwrap().starts_with("Курс.zip: "), "{failed}");
    }

    async fn an_import_starts_when_it_is_told_and_an_export_counts_from_the_start(kurso: TestKurso) {
        let (server, _stop) = working(kurso).await;
        let ann = server.person("ann").await;
        let begun = send(&ann, form(&[("starts_at", "2027-02-01")], &[])).await.ok();
        assert_eq!(begun["starts_at"], "2027-02-01");
        settled(&ann, &begun["id"]).await;
        let confirm = format!("/courses/confirm_import/{}", begun["id"].as_str().unwrap());
        assert_eq!(ann.post_json(&confirm, json!({"starts_at": "soon"})).await.fields(), ["value_error at body.starts_at"]);
        // A preview of a new course names no dates, so that it is not shown again.
        let changed = ann.post_json(&confirm, json!({"starts_at": "2027-02-02"})).await.ok();
        assert_eq!((&changed["stage"], &changed["starts_at"]), (&json!("storing"), &json!("2027-02-02")));
        let done = settled(&ann, &begun["id"]).await;
        let course = done["course_id"].as_str().unwrap();
        let tree = ann.get(&format!("/courses/get_course/{course}")).await.ok();
        assert_eq!(tree["starts_at"], "2027-02-02T00:00:00Z");
        ann.put_json(&format!("/courses/update_course/{course}"), json!({"ends_at": "2027-02-12"})).await.ok();

        let toml = async |query: &str| {
            let zip = ann.get(&format!("/courses/export/{course}{query}")).await;
            let mut zip = zip::ZipArchive::new(std::io::Cursor::new(zip.bytes)).unwrap();
            std::io::read_to_string(zip.by_name("course.toml").unwrap()).unwrap()
        };
        assert!(toml("").await.contains("ends_at = 2027-02-12T23:59:00Z"));
        let relative = toml("?relative_dates=true").await;
        assert!(relative.contains("starts_at = 2027-02-02T00:00:00Z\nends_at = \"+10d 23:59\""), "{relative}");
        let report = format!("/courses/export_report/{course}?relative_dates=");
        assert_eq!(ann.get(&format!("{report}true")).await.ok()["count"], 0);
        assert_eq!(ann.get(&format!("{report}maybe")).await.fields(), ["bool_parsing at query.relative_dates"]);
        ann.put_json(&format!("/courses/update_course/{course}"), json!({"starts_at": null})).await.ok();
        assert_eq!(ann.get(&format!("{report}1")).await.ok()["count"], 1, "there is no start to count from");
    }
}
