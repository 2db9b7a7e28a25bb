//! No query or mutation of a learner returns contents of a locked page, also if the learner has read it and taken its quiz before it was
//! locked: for all fields of the schema with their optional arguments. `answer_key` asks without them, of pages that were always locked.

use std::collections::HashSet;

use kurso_base::ids::{LessonId, PageId};
use kurso_core::both;
use kurso_core::courses::{groups, lesson, overrides, page};
use kurso_core::testing::command;
use kurso_core::testing::exam::exam;
use kurso_formats::quiz;
use serde_json::{Value, json};

use super::Exam;
use crate::schema_walk::{Arguments, Ids};

/// It is in the texts, the questions, the explanations and the names of the files of locked pages.
const MARKER: &str = "locked-731973";

/// The option that the learner chooses.
const OPTION: &str = "0198f000-0000-7000-8000-0000000000c1";

const TOMORROW: &str = "2026-11-22T09:00:00Z";

const READ: &str = "query($id: ID!) { page(id: $id) { content quiz { questions { id prompt } } } }";
const SUBMIT: &str = "mutation($input: SubmitQuizInput!) { submitQuiz(input: $input) { attempt { results { explanation optionFeedback { feedback } } } } }";

/// Writes a content page and a quiz page in a new lesson.
async fn write_pair(room: &Exam, title: &str) -> (LessonId, [PageId; 2]) {
    let (kurso, owner) = (&room.kurso, &room.owner);
    let first = page::get(kurso, owner, room.pages[0]).await.unwrap().lesson_id;
    let module = lesson::get(kurso, owner, first).await.unwrap().module_id;
    let made = lesson::create(kurso, owner, module, command(json!({"title": title})))
        .await
        .unwrap();
    let file = kurso
        .file(owner.id(), &format!("{MARKER}.png"), "image/png", &b"x"[..])
        .await;
    let mut content = quiz::paragraph(MARKER);
    let image = json!({"type": "image", "attrs": {"src": file.url()}});
    content["content"].as_array_mut().unwrap().push(image);
    let question = json!({"type": "numeric", "prompt": MARKER, "value": 1, "explanation": MARKER});
    let chosen = json!({"id": OPTION, "content": MARKER, "correct": true, "feedback": MARKER});
    let choice = json!({"type": "single_choice", "prompt": MARKER, "options": [chosen, {"content": MARKER}]});
    let quiz = json!({"reveal": "after_submit", "questions": [question, choice]});
    let reading = json!({"title": "Later", "content": content});
    let taking = json!({"title": "Later", "content": content, "kind": "quiz", "quiz": quiz});
    let reading = page::create(kurso, owner, made.id, command(&reading)).await.unwrap();
    let taking = page::create(kurso, owner, made.id, command(&taking)).await.unwrap();
    (made.id, [reading.id, taking.id])
}

/// Reads both pages as the learner and submits the quiz; each answer has the contents.
async fn use_pages(room: &Exam, pages: [PageId; 2]) {
    let mut questions = Value::Null;
    for id in pages {
        let read = room.server.data(&room.learner, READ, json!({"id": id})).await;
        assert!(read.to_string().contains(MARKER), "it is open");
        questions = read["quiz"]["questions"].clone();
        let visit = "mutation($id: ID!) { markPageVisited(input: {pageId: $id}) { page { id } } }";
        room.server.data(&room.learner, visit, json!({"id": id})).await;
    }
    let answers = json!([
        {"questionId": questions[0]["id"], "number": "1"}, {"questionId": questions[1]["id"], "optionIds": [OPTION]},
    ]);
    let input = json!({"pageId": pages[1], "answers": answers});
    let submitted = room.server.data(&room.learner, SUBMIT, json!({"input": input})).await;
    let results = &submitted["attempt"]["results"];
    assert!(results[0]["explanation"].to_string().contains(MARKER), "{submitted}");
    assert!(results[1]["optionFeedback"].to_string().contains(MARKER), "{submitted}");
}

/// How many selections of a field are close to it: they come first.
const NEAR: usize = 12;

async fn walk(room: &Exam, ids: Ids) -> usize {
    let mut count = 0;
    let mut seen = HashSet::new();
    let known: Vec<String> = ids.iter().flat_map(|(_, ids)| ids.clone()).collect();
    for operation in room.schema(ids).await.operations(Arguments::All) {
        let ways = operation.queries();
        let root = ways[0].split([' ', '(']).nth(2).unwrap_or_default().to_owned();
        // What is far below a field is the same for each of its arguments. What changes nothing of the course returns nothing of it.
        let is_about = ways[0].starts_with("query") || known.iter().any(|id| ways[0].contains(id));
        let most = match is_about {
            true if seen.insert(root) => ways.len(),
            true => NEAR,
            false => 1,
        };
        for query in ways.into_iter().take(most) {
            let answer = room.server.ask(&room.learner, &query, json!({})).await;
            count += 1;
            let text = answer.to_string();
            let refused = answer["errors"][0]["extensions"]["code"].as_str().unwrap_or_default();
            assert!(refused != "INTERNAL", "{query}: {text}");
            // An invalid query would look like one without contents.
            assert!(answer.get("data").is_some(), "{query}: {text}");
            assert!(!text.contains(MARKER), "{query}: {text}");
            // A refusal of anything but a locked page does not depend on the selection.
            if !refused.is_empty() && refused != "LOCKED" {
                break;
            }
        }
    }
    count
}

both! {
    async fn no_operation_reveals_the_contents_of_a_locked_page(kurso: TestKurso) {
        let room = Exam::open(kurso, &exam("never")).await;
        let (kurso, owner) = (&room.kurso, &room.owner);
        let group = groups::create(kurso, owner, room.course, command(json!({"title": "A"}))).await.unwrap();
        let mut pairs = vec![];
        // Locked by a date, by something to complete, by an extension of the group, by one of the learner; and never read.
        for title in ["Date", "Needs", "Group", "Learner", "Unread"] {
            pairs.push(write_pair(&room, title).await);
        }
        for (_, pages) in &pairs[..4] {
            use_pages(&room, *pages).await;
        }
        for id in pairs[0].1.iter().chain(&pairs[4].1) {
            page::update(kurso, owner, *id, None, command(json!({"available_from": TOMORROW}))).await.unwrap();
        }
        lesson::update(kurso, owner, pairs[1].0, command(json!({"prerequisites": [pairs[4].0]}))).await.unwrap();
        let moved = json!({"group_id": group.id, "enrollment_ids": [room.enrollment]});
        groups::move_students(kurso, owner, room.course, command(&moved)).await.unwrap();
        for (target, id, lesson) in [
            ("group_id", group.id.to_string(), pairs[2].0), ("enrollment_id", room.enrollment.to_string(), pairs[3].0),
        ] {
            let later = json!({target: id, "lesson_id": lesson, "available_from": TOMORROW});
            overrides::set(kurso, owner, room.course, command(&later)).await.unwrap();
        }
        let pages: Vec<PageId> = pairs.iter().flat_map(|(_, pages)| *pages).collect();
        for id in &pages {
            assert_eq!(room.server.refusal(&room.learner, READ, json!({"id": id})).await, "LOCKED");
        }
        let text = |ids: &[PageId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
        let ids: Ids = vec![
            ("course", vec![room.course.to_string()]),
            ("lesson", pairs.iter().map(|(lesson, _)| lesson.to_string()).collect()),
            // Each lock once; the course leads to all of them.
            ("page", text(&[pages[0], pages[1], pages[3], pages[5], pages[7]])),
            ("enrollment", vec![room.enrollment.to_string()]),
            ("student", vec![room.enrollment.to_string()]),
            ("group", vec![group.id.to_string()]),
        ];
        let asked = walk(&room, ids).await;
        assert!(asked > 200, "the walk has come nowhere: {asked}");
        let opened = room.server.data(&room.owner_token, READ, json!({"id": pages[0]})).await;
        assert!(opened.to_string().contains(MARKER), "staff are not locked out");
    }
}
