//! Guests over REST: starting, what the team sees, and moving to an account. The core tests cover the rules.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{Persona, School, Server};

async fn allow(school: &School<'_>) {
    let path = format!("/courses/set_visibility/{}", school.course);
    let body = json!({"visibility": "link", "allows_guests": true});
    school.owner.put_json(&path, body).await.ok();
}

/// Starts the course as a guest.
async fn start<'a>(server: &'a Server, body: Value) -> Persona<'a> {
    let started = server.anonymous().post_json("/login/guest", body).await.ok();
    assert_eq!(started["token_type"], "bearer");
    let mut guest = server.anonymous();
    guest.token = started["access_token"].as_str().map(str::to_owned);
    guest
}

both! {
    async fn a_guest_learns_and_signs_up(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let by_page = json!({"course_id": school.course});
        let refused = server.anonymous().post_json("/login/guest", by_page.clone()).await;
        refused.refused(404, "Course not found");
        let code = format!("/courses/guest_course/{}", school.share_code);
        assert_eq!(server.anonymous().get(&code).await.status, 404);
        assert_eq!(server.anonymous().post_json("/login/guest", json!({})).await.fields(), ["missing at body.share_code"]);
        allow(&school).await;
        assert_eq!(server.anonymous().get(&code).await.ok()["id"], json!(school.course));
        start(&server, json!({"share_code": school.share_code})).await;
        let guest = start(&server, by_page).await;
        let me = guest.get("/users/me").await.ok();
        assert!(me["email"].as_str().unwrap().ends_with("@guest.example") && me["full_name"].as_str().unwrap().starts_with("Guest "), "{me}");
        let tree = guest.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        let page = tree["modules"][0]["lessons"][0]["pages"][0]["id"].as_str().unwrap().to_owned();
        guest.post(&format!("/courses/mark_page_visited/{page}")).await.ok();
        let refused = guest.post_json("/courses/create_course", json!({"title": "x"})).await;
        assert_eq!(refused.status, 403);
        // The team sees a name and an undeliverable address.
        let students = school.teacher.get(&format!("/courses/course_students/{}", school.course)).await.ok();
        assert!(students.to_string().contains("@guest.example"), "{students}");
        // Everything is in the account afterwards.
        let anna = server.person("anna").await;
        let token = json!({"guest_token": guest.token});
        let merged = anna.post_json("/users/me/merge_guest", token.clone()).await.ok();
        assert_eq!(merged, json!({"course_ids": [school.course], "uncounted_attempts": 0}));
        let progress = anna.get(&format!("/courses/my_progress/{}", school.course)).await.ok();
        assert_eq!(progress["pages_done"], 1, "{progress}");
        assert_eq!(guest.get("/users/me").await.status, 404);
        let again = anna.post_json("/users/me/merge_guest", token).await.ok();
        assert_eq!(again, json!({"course_ids": [], "uncounted_attempts": 0}));
        let wrong = anna.post_json("/users/me/merge_guest", json!({"guest_token": "x"})).await;
        assert_eq!(wrong.status, 400);
    }
}
