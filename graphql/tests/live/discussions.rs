//! The subscription to questions under pages.

use kurso_core::both;
use kurso_core::courses::team;
use kurso_core::discussions;
use kurso_core::testing::command;
use serde_json::{Value, json};

use crate::support::{School, Server, token};

const CHANGED: &str = "subscription($course: ID!, $page: ID) { discussionsChanged(courseId: $course, pageId: $page) { pageId discussionId isMine } }";

fn question(more: &Value) -> Value {
    let mut new = json!({"body": {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Why?"}]}]}});
    new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    new
}

both! {
    async fn learners_and_staff_are_told_of_what_they_read(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        school.enroll(&kurso, &school.learner).await;
        let page = school.pages[0];
        let of_page = json!({"course": school.course, "page": page});
        let mut learner = server.connect(&token(&kurso, &school.learner).await).await;
        let watched = learner.watch(&kurso, CHANGED, of_page).await;
        let mut teacher = server.connect(&token(&kurso, &school.teacher).await).await;
        let all = teacher.watch(&kurso, CHANGED, json!({"course": school.course})).await;
        let private = discussions::start(&kurso, &school.owner, page, command(question(&json!({"to_teachers": true})))).await.unwrap();
        let public = discussions::start(&kurso, &school.owner, page, command(question(&json!({})))).await.unwrap();
        let change = |id| json!({"pageId": page, "discussionId": id, "isMine": false});
        assert_eq!(teacher.next(&all).await, change(private.id));
        assert_eq!(teacher.next(&all).await, change(public.id));
        assert_eq!(learner.next(&watched).await, change(public.id), "not of the private one");
        team::leave(&kurso, &school.learner, school.course).await.unwrap();
        discussions::start(&kurso, &school.owner, page, command(question(&json!({})))).await.unwrap();
        assert_eq!(learner.refusal(&watched).await.0, "NOT_FOUND");
    }
}
