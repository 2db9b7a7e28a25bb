//! No response to a learner has contents of a locked page, also if the learner has read it and taken its quiz before it was locked. The test
//! calls every operation of the OpenAPI document, without and with its optional parameters.

use kurso_base::ids::{EnrollmentId, LessonId, PageId};
use kurso_core::both;
use kurso_core::courses::{course, groups, lesson, overrides, page};
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use kurso_formats::quiz;
use serde_json::{Value, json};

use crate::support::{School, Server};
use crate::walk::{Call, Ids, full_calls, plain_calls};

/// It is in the texts, the questions, the answers, the explanations and the names of the files of locked pages.
const MARKER: &str = "locked-731973";

/// The option that the learner chooses.
const OPTION: &str = "0198f000-0000-7000-8000-0000000000c1";

const TOMORROW: &str = "2026-11-22T09:00:00Z";

/// A content page and a quiz page in a lesson.
struct Pair {
    lesson: LessonId,
    pages: [PageId; 2],
}

async fn pair(kurso: &TestKurso, school: &School<'_>, lesson: LessonId) -> Pair {
    let owner = &school.owner_viewer;
    let file = kurso
        .file(owner.id(), &format!("{MARKER}.png"), "image/png", &b"x"[..])
        .await;
    let mut content = quiz::paragraph(MARKER);
    let image = json!({"type": "image", "attrs": {"src": file.url()}});
    content["content"].as_array_mut().unwrap().push(image);
    let chosen = json!({"id": OPTION, "content": MARKER, "correct": true, "feedback": MARKER});
    let quiz = json!({"reveal": "after_submit", "questions": [
        {"type": "numeric", "prompt": MARKER, "value": 1, "explanation": MARKER},
        {"type": "single_choice", "prompt": MARKER, "options": [chosen, {"content": MARKER}]},
    ]});
    let reading = json!({"title": "Later", "content": content});
    let taking = json!({"title": "Later", "content": content, "kind": "quiz", "quiz": quiz});
    let reading = page::create(kurso, owner, lesson, command(&reading)).await.unwrap();
    let taking = page::create(kurso, owner, lesson, command(&taking)).await.unwrap();
    Pair {
        lesson,
        pages: [reading.id, taking.id],
    }
}

/// Reads both pages as the learner and submits the quiz twice; each answer has the contents.
async fn use_pages(school: &School<'_>, pair: &Pair) {
    let learner = &school.learner;
    for page in pair.pages {
        let read = learner.get(&format!("/courses/enrolled_page/{page}")).await;
        assert!(read.ok().to_string().contains(MARKER), "it is open");
        learner.post(&format!("/courses/mark_page_visited/{page}")).await.ok();
    }
    let taken = learner
        .get(&format!("/courses/enrolled_page/{}", pair.pages[1]))
        .await
        .ok();
    let question = |number: usize| &taken["quiz"]["questions"][number]["id"];
    for number in ["731973", "1"] {
        let body = json!({"answers": [
            {"question_id": question(0), "number": number}, {"question_id": question(1), "option_ids": [OPTION]},
        ]});
        let submitted = learner
            .post_json(&format!("/courses/submit_quiz/{}", pair.pages[1]), body)
            .await;
        let results = &submitted.ok()["results"];
        assert!(results[0]["explanation"].to_string().contains(MARKER));
        assert!(results[1]["option_feedback"].to_string().contains(MARKER));
    }
}

async fn ids(
    kurso: &TestKurso,
    school: &School<'_>,
    pages: Vec<String>,
    enrollment: EnrollmentId,
    group: String,
) -> Ids {
    let all = async |text: &'static str| -> Vec<String> {
        let rows = sql!(text).fetch_all::<(uuid::Uuid,)>(&kurso.db).await.unwrap();
        rows.into_iter().map(|(id,)| id.to_string()).collect()
    };
    let me = school.learner.get("/users/me").await.ok();
    vec![
        ("course_id", vec![school.course.to_string()]),
        ("module_id", all("SELECT id FROM modules").await),
        ("lesson_id", all("SELECT id FROM lessons").await),
        ("page_id", pages),
        ("enrollment_id", vec![enrollment.to_string()]),
        ("group_id", vec![group]),
        ("override_id", all("SELECT id FROM schedule_overrides").await),
        ("user_id", vec![me["id"].as_str().unwrap().to_owned()]),
        ("version", vec!["1".into()]),
        ("email", vec!["somebody@example.com".into()]),
    ]
}

/// Sends the calls as the learner; none is answered with contents.
async fn walk(school: &School<'_>, calls: Vec<Call>) -> usize {
    let count = calls.len();
    for call in calls {
        let at = format!("{} {}", call.method, call.path);
        let answer = school.learner.send(&call).await;
        assert!(answer.status < 500, "{at}: {}", answer.text());
        assert!(!answer.text().contains(MARKER), "{at}: {}", answer.text());
    }
    count
}

both! {
    async fn no_operation_reveals_the_contents_of_a_locked_page(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (kurso, school) = (&server.kurso, School::open(&server).await);
        let owner = &school.owner_viewer;
        let module = lesson::get(kurso, owner, school.lesson).await.unwrap().module_id;
        let enrollment = sql!("SELECT id FROM enrollments WHERE course_id = $1", school.course);
        let (enrollment,) = enrollment.fetch_one::<(EnrollmentId,)>(&kurso.db).await.unwrap();
        let group = groups::create(kurso, owner, school.course, command(json!({"title": "A"}))).await.unwrap();
        let mut pairs = vec![];
        // Locked by a date, by something to complete, by an extension of the group, by one of the learner; and never read.
        for title in ["Date", "Needs", "Group", "Learner", "Unread"] {
            let made = lesson::create(kurso, owner, module, command(json!({"title": title}))).await.unwrap();
            pairs.push(pair(kurso, &school, made.id).await);
        }
        for pair in &pairs[..4] {
            use_pages(&school, pair).await;
        }
        let opens = json!({"available_from": TOMORROW});
        for page in pairs[0].pages.iter().chain(&pairs[4].pages) {
            page::update(kurso, owner, *page, None, command(&opens)).await.unwrap();
        }
        let needs = json!({"prerequisites": [pairs[4].lesson]});
        lesson::update(kurso, owner, pairs[1].lesson, command(needs)).await.unwrap();
        groups::move_students(kurso, owner, school.course, command(json!({"group_id": group.id, "enrollment_ids": [enrollment]}))).await.unwrap();
        for (target, id, lesson) in [
            ("group_id", group.id.to_string(), pairs[2].lesson), ("enrollment_id", enrollment.to_string(), pairs[3].lesson),
        ] {
            let later = json!({target: id, "lesson_id": lesson, "available_from": TOMORROW});
            overrides::set(kurso, owner, school.course, command(&later)).await.unwrap();
        }
        let pages: Vec<String> = pairs.iter().flat_map(|pair| &pair.pages).map(ToString::to_string).collect();
        for page in &pages {
            assert_eq!(school.learner.get(&format!("/courses/enrolled_page/{page}")).await.json()["code"], "LOCKED");
        }
        let ids = ids(kurso, &school, pages.clone(), enrollment, group.id.to_string()).await;
        let feed = school.learner.post("/calendar/feed").await.ok();
        let token = feed["url"].as_str().unwrap().split('/').rev().nth(1).unwrap().to_owned();
        let feed = school.learner.get(&format!("/calendar/{token}/kurso.ics")).await;
        assert!(feed.text().contains("Later") && !feed.text().contains(MARKER), "{}", feed.text());
        let plain = walk(&school, plain_calls(&ids)).await;
        let full = walk(&school, full_calls(&ids)).await;
        assert!(plain > 200 && full > 100, "the walk has come nowhere: {plain}, {full}");
        // The same with the whole course locked and its titles hidden.
        let later = json!({"starts_at": TOMORROW, "hide_locked_titles": true});
        course::update(kurso, owner, school.course, command(&later)).await.unwrap();
        walk(&school, plain_calls(&ids).into_iter().filter(|call| call.body.is_none()).collect()).await;
        let opened: Value = school.owner.get(&format!("/courses/enrolled_page/{}", pages[0])).await.ok();
        assert!(opened.to_string().contains(MARKER), "staff are not locked out");
    }
}
