//! The calendar and its feed over REST.

use kurso_core::both;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Persona, School, Sent as _, Server};

/// Makes an address; returns its path.
async fn new_feed(by: &Persona<'_>) -> String {
    let made = by
        .request(Method::POST, "/calendar/feed")
        .header("accept-language", "en")
        .answer()
        .await
        .ok();
    assert_eq!(
        made["feed"],
        json!({"is_active": true, "created_at": "2026-11-21T09:00:00Z", "last_read_at": null})
    );
    let url = made["url"].as_str().unwrap();
    url.strip_prefix("https://kurso.example").unwrap().to_owned()
}

both! {
    async fn events_name_their_course_part_and_page(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let page = school.pages[0];
        school.owner.put_json(&format!("/courses/update_page/{page}"), json!({"due_at": "2026-11-20T12:00:00Z"})).await.ok();
        school.owner.put_json(&format!("/courses/update_lesson/{}", school.lesson), json!({"due_at": "2026-12-01T12:00:00Z"})).await.ok();
        school.owner.put_json(&format!("/courses/update_course/{}", school.course), json!({"ends_at": "2026-12-31T12:00:00Z", "time_zone": "Asia/Vladivostok"})).await.ok();
        let events = school.learner.get("/calendar/events").await.ok();
        let event = json!({
            "uid": format!("due-{page}@kurso"), "kind": "due", "at": "2026-11-20T12:00:00Z", "part": "page", "part_id": page,
            "title": null, "course_id": school.course, "course_title": "Курс", "time_zone": "Asia/Vladivostok", "lesson_title": "Урок 1.1", "page_id": page,
            "number": 1, "page_kind": "content", "my_role": "learner", "is_done": false, "is_overdue": true,
        });
        assert_eq!((&events["count"], &events["data"][0]), (&json!(3), &event));
        let lesson = &events["data"][1];
        assert_eq!([&lesson["part"], &lesson["page_id"], &lesson["number"]], [&json!("lesson"), &json!(page), &Value::Null]);
        assert_eq!([&events["data"][2]["kind"], &events["data"][2]["title"]], ["ends", "Курс"]);
        let one = school.learner.get("/calendar/events?from=2026-11-20T12:00:01Z&until=2026-12-31T12:00:00Z&limit=5").await.ok();
        assert_eq!([&one["count"], &one["data"][0]["uid"]], [&json!(1), &json!(format!("due-{}@kurso", school.lesson))]);
        let bad = school.learner.get("/calendar/events?from=soon&until=later&limit=-1").await;
        assert_eq!(bad.fields(), [
            "datetime_parsing at query.from", "datetime_parsing at query.until", "greater_than_equal at query.limit",
        ]);
        let taught = school.teacher.get("/calendar/events").await.ok();
        assert_eq!([&taught["data"][0]["my_role"], &taught["data"][0]["is_overdue"]], [&json!("teacher"), &json!(false)]);
        assert_eq!(school.admin.get("/calendar/events").await.ok()["count"], 0);

        let upcoming = school.learner.get("/calendar/upcoming").await.ok();
        assert_eq!(upcoming, json!({"overdue_count": 1, "overdue": [event], "next": [lesson]}));
        let upcoming = school.learner.get("/calendar/upcoming?limit=0").await.ok();
        assert_eq!(upcoming, json!({"overdue_count": 1, "overdue": [], "next": []}));
        school.anonymous.get("/calendar/upcoming").await.refused(401, "Not authenticated");
    }

    async fn a_feed_is_read_by_its_secret_address_alone(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let page = school.pages[1];
        school.owner.put_json(&format!("/courses/update_page/{page}"), json!({"due_at": "2026-12-01T12:00:00Z"})).await.ok();
        school.learner.delete("/calendar/feed").await.refused(404, "There is no calendar at this address");
        let old = new_feed(&school.learner).await;
        let path = new_feed(&school.learner).await;
        school.anonymous.get(&old).await.refused(404, "There is no calendar at this address");
        let feed = school.anonymous.get(&path).await;
        assert_eq!((feed.status, feed.header("content-type")), (200, "text/calendar; charset=utf-8"));
        assert_eq!(feed.header("cache-control"), "private, no-cache");
        let text = feed.text();
        assert!(text.starts_with("BEGIN:VCALENDAR\r\n") && text.ends_with("END:VCALENDAR\r\n"), "{text}");
        assert!(text.contains(&format!("UID:due-{page}@kurso\r\n")) && text.contains("SUMMARY:Due: Стр. 1\r\n"), "{text}");
        let etag = feed.header("etag").to_owned();
        for (known, status) in [(etag.clone(), 304), (format!("\"x\", W/{etag}"), 304), ("\"x\"".to_owned(), 200)] {
            let answer = school.anonymous.request(Method::GET, &path).header("if-none-match", known).answer().await;
            assert_eq!((answer.status, answer.header("etag")), (status, etag.as_str()));
            assert_eq!(answer.bytes.is_empty(), status == 304);
        }
        let state = school.learner.get("/calendar/feed").await.ok();
        assert_eq!(state["last_read_at"], "2026-11-21T09:00:00Z");
        let revoked = school.learner.delete("/calendar/feed").await.ok();
        assert_eq!(revoked, json!({"message": "The address of the calendar no longer works"}));
        school.anonymous.get(&path).await.refused(404, "There is no calendar at this address");
        let state = school.learner.get("/calendar/feed").await.ok();
        assert_eq!(state, json!({"is_active": false, "created_at": null, "last_read_at": null}));
        for wrong in ["/calendar/%00/kurso.ics", "/calendar/%FF%FE/kurso.ics", "/calendar/feed/kurso.ics"] {
            school.anonymous.get(wrong).await.refused(404, "There is no calendar at this address");
        }
        let full = loop {
            let answer = school.anonymous.get(&path).await;
            if answer.status != 404 {
                break answer;
            }
        };
        assert_eq!((full.status, full.header("retry-after")), (429, "600"));
    }
}
