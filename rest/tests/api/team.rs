//! The team of a course: invitations, leaving, transfer; all courses.

use kurso_core::both;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{NOW, School, Server};

both! {
    async fn an_invitation_is_sent_and_accepted(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let path = format!("/courses/collaborators/{}", school.course);
        let body = json!({"email": "Stranger@EXAMPLE.com", "role": "editor"});
        let mut invited = school.owner.post_json(&path, body.clone()).await.ok();
        // The server of the tests has no SMTP server, so the owner passes the link on.
        let link = invited.as_object_mut().unwrap().remove("link").unwrap();
        assert_eq!(invited, json!({
            "id": invited["id"], "user_id": null, "full_name": null, "email": "Stranger@example.com", "role": "editor",
            "state": "pending", "since": NOW, "expires_at": "2026-11-28T09:00:00Z",
        }));
        let list = school.owner.get(&path).await.ok();
        assert_eq!((&list["count"], &list["data"][2]), (&json!(3), &invited));
        let states: Vec<_> = list["data"].as_array().unwrap().iter().map(|row| row["state"].as_str().unwrap()).collect();
        assert_eq!(states, ["accepted", "accepted", "pending"]);
        assert_eq!(school.teacher.get(&path).await.ok()["count"], 2, "only the owner sees invitations");
        assert_eq!(school.owner.get(&format!("{path}?skip=2&limit=1")).await.ok()["data"], json!([invited]));
        //                 owner editor teacher admin learner stranger nobody
        assert_eq!(school.statuses(&path).await, [200, 200, 200, 200, 403, 404, 401]);
        for (who, status) in [
            (&school.anonymous, 401), (&school.stranger, 404), (&school.learner, 403), (&school.editor, 403),
            (&school.teacher, 403), (&school.admin, 403),
        ] {
            assert_eq!(who.post_json(&path, body.clone()).await.status, status);
        }

        let mail = server.kurso.mails().await.pop().unwrap();
        assert!(mail.subject.ends_with("приглашение в курс"), "{}", mail.subject);
        assert!(link.as_str().unwrap().ends_with(&format!("/accept-invitation?token={}", mail.token())), "{link}");
        let token = json!({"token": mail.token()});
        let accept = "/courses/accept_invitation";
        let other = school.learner.post_json(accept, token.clone()).await;
        other.refused(400, "This invitation is for another address: sign in with the account it was sent to");
        school.anonymous.post_json(accept, token.clone()).await.refused(401, "Not authenticated");
        let course = school.stranger.post_json(accept, token.clone()).await.ok();
        assert_eq!([&course["id"], &course["my_role"]], [&json!(school.course), &json!("editor")]);
        let again = school.stranger.post_json(accept, token).await;
        again.refused(400, "This invitation is no longer valid: it was used, withdrawn or renewed, or its time is over");
        assert_eq!(school.stranger.post_json(accept, json!({})).await.fields(), ["missing at body.token"]);
        let secret = school.stranger.post_json(accept, json!({"token": 7})).await;
        assert_eq!(secret.json()["detail"][0]["input"], Value::Null);
    }

    async fn invalid_invitations_are_refused(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let path = format!("/courses/collaborators/{}", school.course);
        for (body, fields) in [
            (json!({}), vec!["missing at body.email", "missing at body.role"]),
            (json!({"email": "x", "role": "owner"}), vec!["value_error at body.email", "enum at body.role"]),
            (json!({"email": "a@b.co", "role": null}), vec!["enum at body.role"]),
        ] {
            assert_eq!(school.owner.post_json(&path, body).await.fields(), fields);
        }
        let both = school.owner.post_json("/courses/collaborators/x", json!({"email": "a@b.co"})).await;
        assert_eq!(both.fields(), ["uuid_parsing at path.course_id", "missing at body.role"]);
        let own = school.owner.post_json(&path, json!({"email": "owner@example.com", "role": "editor"})).await;
        own.refused(409, "This is the owner of the course, who needs no invitation");
        for _ in 0..5 {
            school.owner.post_json(&path, json!({"email": "a@b.co", "role": "editor"})).await.ok();
        }
        let limited = school.owner.post_json(&path, json!({"email": "a@b.co", "role": "editor"})).await;
        assert_eq!((limited.status, limited.header("retry-after")), (429, "3600"));
    }

    async fn the_owner_changes_roles_and_removes_collaborators(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let path = format!("/courses/collaborators/{}", school.course);
        let changed = school.owner.post_json(&path, json!({"email": "teacher@example.com", "role": "editor"})).await.ok();
        assert_eq!([&changed["state"], &changed["role"]], ["accepted", "editor"]);
        assert!(server.kurso.mails().await.is_empty());
        let teacher = format!("{path}/{}", changed["id"].as_str().unwrap());
        assert_eq!(changed["id"], changed["user_id"]);
        for (who, status) in [
            (&school.anonymous, 401), (&school.stranger, 404), (&school.learner, 403), (&school.editor, 403),
            (&school.admin, 403), (&school.owner, 200), (&school.teacher, 404),
        ] {
            assert_eq!(who.delete(&teacher).await.status, status);
        }
        school.owner.delete(&teacher).await.refused(404, "There is no such person or invitation in the team of this course");
        let invited = school.owner.post_json(&path, json!({"email": "new@example.com", "role": "editor"})).await.ok();
        let withdrawn = school.owner.delete(&format!("{path}/{}", invited["id"].as_str().unwrap())).await.ok();
        assert_eq!(withdrawn, json!({"message": "Removed from the team of the course"}));
        let bad = school.owner.delete("/courses/collaborators/x/y").await;
        assert_eq!(bad.fields(), ["uuid_parsing at path.course_id", "uuid_parsing at path.user_id"]);
    }

    async fn everyone_but_the_owner_can_leave(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let path = format!("/courses/leave_course/{}", school.course);
        for (who, status) in [
            (&school.anonymous, 401), (&school.stranger, 404), (&school.admin, 403), (&school.owner, 409),
            (&school.editor, 200), (&school.teacher, 200), (&school.learner, 200), (&school.learner, 404),
        ] {
            assert_eq!(who.post(&path).await.status, status);
        }
        school.owner.post(&path).await.refused(409, "The owner cannot leave the course: hand it over to somebody first");
        let again = school.learner.post_json("/courses/enroll", json!({"share_code": school.share_code})).await.ok();
        assert_eq!(again["course"]["my_role"], "learner");
        let left = school.learner.in_russian(reqwest::Method::POST, &path, Value::Null).await.ok();
        assert_eq!(left, json!({"message": "Вы покинули курс"}));
    }

    async fn a_course_is_transferred(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let path = format!("/courses/hand_over/{}", school.course);
        let to = json!({"email": "teacher@example.com"});
        for (who, status) in [
            (&school.anonymous, 401), (&school.stranger, 404), (&school.learner, 403), (&school.editor, 403),
            (&school.teacher, 403),
        ] {
            assert_eq!(who.post_json(&path, to.clone()).await.status, status);
        }
        for (body, fields) in [
            (json!({}), vec!["missing at body.user_id"]),
            (json!({"user_id": "x", "email": "y"}), vec!["uuid_parsing at body.user_id", "value_error at body.email"]),
            (json!({"email": "nobody@example.com"}), vec!["value_error at body.email"]),
            (json!({"user_id": Uuid::nil()}), vec!["value_error at body.user_id"]),
        ] {
            assert_eq!(school.owner.post_json(&path, body).await.fields(), fields);
        }
        let given = school.owner.post_json(&path, to).await.ok();
        assert_eq!([&given["my_role"], &given["owner"]["email"]], ["editor", "teacher@example.com"]);
        assert_eq!(given["share_code"], school.share_code.as_str());
        let back = school.admin.post_json(&path, json!({"user_id": school.owner_viewer.id()})).await.ok();
        assert_eq!([&back["my_role"], &back["owner"]["email"]], ["admin", "owner@example.com"]);
    }

    async fn superusers_list_every_course(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let list = school.admin.get("/courses/all_courses?search=OWNER%20%D0%BA%D1%83%D1%80%D1%81").await.ok();
        assert_eq!([&list["count"], &list["data"][0]["students_count"]], [1, 1]);
        assert_eq!([&list["data"][0]["my_role"], &list["data"][0]["share_code"]], [&json!("admin"), &Value::Null]);
        assert_eq!(school.admin.get("/courses/all_courses?search=zzz").await.ok(), json!({"data": [], "count": 0}));
        //                 owner editor teacher admin learner stranger nobody
        let statuses = school.statuses("/courses/all_courses?limit=x").await;
        assert_eq!(statuses, [403, 403, 403, 422, 403, 403, 401]);
    }
}
