//! Files uploaded as answers: upload, access, expiry of addresses, and cleanup.

use chrono::Duration;
use kurso_core::both;
use kurso_core::check::{self, Depth};
use kurso_core::files::cleanup;
use kurso_db::sql;
use reqwest::Method;
use serde_json::{Value, json};

use crate::quiz::Exam;
use crate::support::{Answer, Persona, Sent as _, Server};
use crate::uploads::form;

const QUESTION: &str = "0198f000-0000-7000-8000-0000000000f1";
const ESSAY: &str = "0198f000-0000-7000-8000-0000000000f2";
const OTHER: &str = "0198f000-0000-7000-8000-0000000000f3";

fn quiz() -> Value {
    json!({"pass_percent": 50, "questions": [
        {"type": "file_upload", "id": QUESTION, "prompt": "Your report?", "max_files": 2, "extensions": ["pdf", ".TXT"], "guide": "guide-731973"},
        {"type": "essay", "id": ESSAY, "prompt": "Why?", "points": 0},
        {"type": "file_upload", "id": OTHER, "prompt": "Your notes?", "points": 0, "max_files": 2},
    ]})
}

async fn upload(exam: &Exam<'_>, who: &Persona<'_>, filename: &str, bytes: &[u8]) -> Answer {
    let path = format!("/courses/upload_answer_file/{}/{QUESTION}", exam.page);
    let request = who.request(Method::POST, &path).multipart(form(filename, bytes));
    request.answer().await
}

fn answer(ids: &[&Value]) -> Value {
    json!({"answers": [{"question_id": QUESTION, "file_ids": ids}]})
}

async fn download(server: &Server, url: &str) -> Answer {
    server.anonymous().request(Method::GET, url).answer().await
}

async fn stored_files(server: &Server) -> i64 {
    let count = sql!("SELECT COUNT(*) FROM files WHERE is_private");
    count.fetch_one::<(i64,)>(&server.kurso.db).await.unwrap().0
}

/// Runs the cleanup job as if the grace period of all files were over. The clock stays, so that nobody is signed out.
async fn clean_up(server: &Server) {
    let kurso = &server.kurso;
    cleanup::delete_unused(kurso).await.unwrap();
    let earlier = kurso.clock.now() - Duration::days(8);
    let marked = sql!(
        "UPDATE files SET unused_since = $1 WHERE unused_since IS NOT NULL",
        earlier
    );
    marked.execute(&kurso.db).await.unwrap();
    cleanup::delete_unused(kurso).await.unwrap();
}

both! {
    async fn files_are_uploaded_submitted_and_graded(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        let school = &exam.school;
        let question = exam.read().await["quiz"]["questions"][0].clone();
        assert_eq!((&question["type"], &question["max_files"], &question["extensions"]), (&json!("file_upload"), &json!(2), &json!(["pdf", "txt"])));
        assert_eq!(question.get("guide"), None);

        let report = upload(&exam, &school.learner, "Отчёт Petrova.PDF", b"%PDF-1.4 report").await.ok();
        assert_eq!((&report["filename"], &report["content_type"], &report["size"]), (&json!("Отчёт Petrova.PDF"), &json!("application/pdf"), &json!(15)));
        let notes = upload(&exam, &school.learner, "notes.txt", b"some notes").await.ok();
        let attempt = exam.submit(&answer(&[&report["id"], &notes["id"]])).await.ok();
        assert_eq!((&attempt["waiting_answers"], &attempt["results"][0]["is_waiting"]), (&json!(1), &json!(true)));

        let path = |operation: &str| format!("/courses/{operation}/{}/{QUESTION}", attempt["attempt_id"].as_str().unwrap());
        let read = school.editor.get(&path("open_answer")).await.ok();
        assert_eq!((&read["content"], &read["words"], &read["files"]), (&Value::Null, &json!(0), &json!([report, notes])));
        assert!(read["guide"].to_string().contains("guide-731973"));
        let graded = school.teacher.put_json(&path("assess_answer"), json!({"version": 0, "points": 1})).await.ok();
        assert_eq!(graded["files"].as_array().unwrap().len(), 2);
        assert_eq!(exam.read().await["attempts"][0]["passed"], true);

        let student = school.teacher.get(&format!("/courses/student_detailed_progress/{}", exam.enrollment)).await.ok();
        let quizzes = student["modules"].to_string();
        assert!(quizzes.contains(report["url"].as_str().unwrap()), "{quizzes}");
        assert!(!quizzes.contains("\"key\""), "{quizzes}");
        let consistent = check::check(&server.kurso, Depth::default()).await.unwrap();
        assert_eq!(consistent.problems, 0, "{:?}", consistent.findings);
    }

    async fn files_of_answers_are_private_and_their_addresses_expire(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        let file = upload(&exam, &exam.school.learner, "a.pdf", b"%PDF-1.4 secret").await.ok();
        let url = file["url"].as_str().unwrap();
        let found = download(&server, url).await;
        assert_eq!((found.status, found.bytes.as_slice()), (200, &b"%PDF-1.4 secret"[..]));
        assert_eq!(found.header("cache-control"), "private, max-age=3600");
        assert_eq!(found.header("content-disposition"), "inline; filename=\"a.pdf\"; filename*=UTF-8''a.pdf");

        let (path, query) = url.split_once('?').unwrap();
        let later = query.replace("expires=1", "expires=2");
        for other in [path.to_owned(), format!("{path}?"), format!("{path}?{later}"), format!("{path}?{}", &query[..query.len() - 2]),
            format!("{}?{query}", path.replace("a.pdf", "b.pdf")), format!("{path}?expires=x&signature=y"),
        ] {
            download(&server, &other).await.refused(404, "File not found");
        }
        // A page must not refer to a private file: its readers could not open it.
        let page = format!("/courses/update_page/{}", exam.school.pages[0]);
        let image = json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": path}}]});
        let refused = exam.school.owner.put_json(&page, json!({"content": image})).await;
        assert_eq!(refused.status, 422, "{}", refused.text());

        server.kurso.clock.advance(Duration::minutes(59));
        assert_eq!(download(&server, url).await.status, 200);
        server.kurso.clock.advance(Duration::minutes(62));
        download(&server, url).await.refused(404, "This link has expired. Open the file from its page again");
    }

    async fn uploads_and_answers_that_do_not_fit_are_refused(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        let school = &exam.school;
        for (filename, bytes, message) in [
            ("a.exe", &b"MZ"[..], "Only these kinds of files are accepted: pdf, txt"),
            ("pdf", b"%PDF", "Only these kinds of files are accepted: pdf, txt"),
            ("a.pdf", b"", "The file is empty"),
        ] {
            let refused = upload(&exam, &school.learner, filename, bytes).await;
            assert_eq!(refused.fields(), ["value_error at body.file"], "{filename}");
            assert_eq!(refused.json()["detail"][0]["msg"], message);
        }
        assert_eq!(stored_files(&server).await, 0);
        let other = format!("/courses/upload_answer_file/{}/0198f000-0000-7000-8000-0000000000f9", exam.page);
        let lost = school.learner.request(Method::POST, &other).multipart(form("a.pdf", b"x")).answer().await;
        lost.refused(404, "This quiz has no such question answered with files");

        let mut ids = Vec::new();
        for _ in 0..3 {
            ids.push(upload(&exam, &school.learner, "a.pdf", b"%PDF").await.ok()["id"].clone());
        }
        let foreign = upload(&exam, &school.teacher, "a.pdf", b"%PDF").await.ok()["id"].clone();
        for (sent, fields) in [
            (answer(&[&ids[0], &ids[1], &ids[2]]), "too_long at body.answers.0.file_ids"),
            (answer(&[&ids[0], &ids[0]]), "value_error at body.answers.0.file_ids.1"),
            (
                json!({"answers": [
                    {"question_id": QUESTION, "file_ids": [ids[0]]}, {"question_id": OTHER, "file_ids": [ids[1], ids[0]]},
                ]}),
                "value_error at body.answers.1.file_ids.1",
            ),
            (answer(&[&foreign]), "unknown_id at body.answers.0.file_ids.0"),
            (answer(&[&json!("x")]), "uuid_parsing at body.answers.0.file_ids.0"),
            (answer(&[&json!(1)]), "string_type at body.answers.0.file_ids.0"),
        ] {
            assert_eq!(exam.submit(&sent).await.fields(), [fields], "{sent}");
        }
        assert_eq!(exam.read().await["attempts"], json!([]));
        // File ids in the answer to an essay question are ignored.
        let text = json!({"answers": [{"question_id": ESSAY, "content": "Because.", "file_ids": [foreign, ids[0]]}]});
        assert_eq!(exam.submit(&text).await.ok()["attempt_no"], 1);
        clean_up(&server).await;
        assert_eq!(stored_files(&server).await, 0);
        let foreign = upload(&exam, &school.teacher, "a.pdf", b"%PDF").await.ok()["id"].clone();
        // Staff may try the question out with files of their own.
        let tried = school.teacher.post_json(&format!("/courses/try_quiz/{}", exam.page), answer(&[&foreign])).await.ok();
        assert_eq!(tried["waiting_answers"], 1);
    }

    async fn nothing_is_uploaded_without_attempts_left(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let mut limited = quiz();
        limited["max_attempts"] = json!(1);
        let exam = Exam::open(&server, &limited).await;
        let file = upload(&exam, &exam.school.learner, "a.pdf", b"%PDF").await.ok();
        exam.submit(&answer(&[&file["id"]])).await.ok();
        let refused = upload(&exam, &exam.school.learner, "b.pdf", b"%PDF").await;
        refused.refused(409, "There are no attempts left");
        assert_eq!(upload(&exam, &exam.school.teacher, "b.pdf", b"%PDF").await.status, 200);
    }

    async fn submitted_files_are_kept_until_the_attempts_are_reset(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        let school = &exam.school;
        let submitted = upload(&exam, &school.learner, "a.pdf", b"%PDF").await.ok();
        let forgotten = upload(&exam, &school.learner, "b.pdf", b"%PDF").await.ok();
        let attempt = exam.submit(&answer(&[&submitted["id"]])).await.ok();
        clean_up(&server).await;
        assert_eq!(stored_files(&server).await, 1);
        let path = format!("/courses/open_answer/{}/{QUESTION}", attempt["attempt_id"].as_str().unwrap());
        let read = school.teacher.get(&path).await.ok();
        assert_eq!(download(&server, read["files"][0]["url"].as_str().unwrap()).await.status, 200);
        let gone = exam.submit(&answer(&[&forgotten["id"]])).await;
        assert_eq!(gone.fields(), ["unknown_id at body.answers.0.file_ids.0"]);

        let reset = format!("/courses/reset_attempts/{}/{}", exam.enrollment, exam.page);
        school.teacher.post(&reset).await.ok();
        clean_up(&server).await;
        assert_eq!(stored_files(&server).await, 0);
    }

    async fn blind_grading_hides_the_names_of_files(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        let (school, course) = (&exam.school, exam.school.course);
        let file = upload(&exam, &school.learner, "Petrova.pdf", b"%PDF").await.ok();
        exam.submit(&answer(&[&file["id"]])).await.ok();
        school.teacher.put_json(&format!("/courses/update_grade_settings/{course}"), json!({"is_blind": true})).await.ok();
        let next = school.teacher.post_json(&format!("/courses/claim_next_answer/{course}"), json!({})).await.ok();
        assert_eq!(next["files"][0]["filename"], "1.pdf");
        assert!(!next.to_string().contains("Petrova"), "{next}");
        let found = download(&server, next["files"][0]["url"].as_str().unwrap()).await;
        assert_eq!((found.status, found.header("content-disposition")), (200, "inline; filename=\"1.pdf\"; filename*=UTF-8''1.pdf"));
    }

    async fn files_are_uploaded_only_while_the_page_takes_attempts(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        let school = &exam.school;
        let dates = json!({"due_at": "2026-11-21T08:00:00Z", "available_until": "2026-11-21T08:30:00Z"});
        school.owner.put_json(&format!("/courses/update_page/{}", exam.page), dates).await.ok();
        let closed = upload(&exam, &school.learner, "a.pdf", b"%PDF").await;
        assert_eq!((closed.status, &closed.json()["code"]), (409, &json!("CLOSED")));
        assert_eq!(upload(&exam, &school.teacher, "a.pdf", b"%PDF").await.status, 200);
    }
}
