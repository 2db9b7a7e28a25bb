//! The calendar and its feed over GraphQL.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const EVENT: &str = "uid kind at part partId title courseId courseTitle timeZone lessonTitle pageId number pageKind myRole isDone isOverdue";

both! {
    async fn the_calendar_and_what_is_due_next_are_queries(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let query = "mutation($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
        for (page, due) in [(0, "2026-11-20T12:00:00Z"), (1, "2026-12-01T12:00:00Z")] {
            let input = json!({"pageId": school.pages[page], "dueAt": due});
            server.data(&school.owner, query, json!({"input": input})).await;
        }
        let zone = "mutation($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }";
        let input = json!({"courseId": school.course, "timeZone": "Asia/Vladivostok"});
        server.data(&school.owner, zone, json!({"input": input})).await;
        let query = format!("query($from: DateTime, $first: Int) {{ calendar(from: $from, first: $first) {{ totalCount nodes {{ {EVENT} }} }} }}");
        let calendar = server.data(&school.learner, &query, json!({})).await;
        let event = |page: usize, at: &str, title: Value| json!({
            "uid": format!("due-{}@kurso", school.pages[page]), "kind": "DUE", "at": at, "part": "PAGE",
            "partId": school.pages[page], "title": title, "courseId": school.course, "courseTitle": "Курс", "timeZone": "Asia/Vladivostok",
            "lessonTitle": "Урок 1.1", "pageId": school.pages[page], "number": page + 1, "pageKind": "CONTENT",
            "myRole": "LEARNER", "isDone": false, "isOverdue": page == 0,
        });
        let late = event(0, "2026-11-20T12:00:00Z", Value::Null);
        let next = event(1, "2026-12-01T12:00:00Z", json!("Стр. 1"));
        assert_eq!(calendar, json!({"totalCount": 2, "nodes": [late, next]}));
        let from = json!({"from": "2026-11-21T00:00:00Z", "first": 1});
        assert_eq!(server.data(&school.teacher, &query, from).await["nodes"][0]["myRole"], "TEACHER");
        assert_eq!(server.data(&school.stranger, &query, json!({})).await["totalCount"], 0);

        let query = format!("query($first: Int) {{ upcoming(first: $first) {{ overdueCount overdue {{ {EVENT} }} next {{ {EVENT} }} }} }}");
        let upcoming = server.data(&school.learner, &query, json!({})).await;
        assert_eq!(upcoming, json!({"overdueCount": 1, "overdue": [late], "next": [next]}));
        let none = server.data(&school.learner, &query, json!({"first": -1})).await;
        assert_eq!(none, json!({"overdueCount": 1, "overdue": [], "next": []}));
        assert_eq!(server.refusal("", "{ upcoming { overdueCount } }", json!({})).await, "UNAUTHENTICATED");
    }

    async fn a_feed_is_made_replaced_and_revoked(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let state = "{ calendarFeed { isActive createdAt lastReadAt } }";
        let none = json!({"isActive": false, "createdAt": null, "lastReadAt": null});
        assert_eq!(server.data(&school.learner, state, json!({})).await, none);
        let create = "mutation { createCalendarFeed { url calendarFeed { isActive createdAt lastReadAt } } }";
        let made = server.data(&school.learner, create, json!({})).await;
        assert_eq!(made["calendarFeed"], json!({"isActive": true, "createdAt": "2026-11-21T09:00:00Z", "lastReadAt": null}));
        let again = server.data(&school.learner, create, json!({})).await;
        assert_ne!(made["url"], again["url"]);
        assert_eq!(server.data(&school.learner, state, json!({})).await, made["calendarFeed"]);
        let revoke = "mutation { revokeCalendarFeed { message calendarFeed { isActive createdAt lastReadAt } } }";
        let revoked = server.data(&school.learner, revoke, json!({})).await;
        assert_eq!(revoked, json!({"message": "The address of the calendar no longer works", "calendarFeed": none}));
        assert_eq!(server.refusal(&school.learner, revoke, json!({})).await, "NOT_FOUND");
        assert_eq!(server.refusal("", create, json!({})).await, "UNAUTHENTICATED");
    }
}
