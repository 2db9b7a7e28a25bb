//! A course as staff see it as one of its learners, at a chosen moment.

use kurso_core::both;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{School, Server};

const TREE: &str = "{ id title myRole shareCode owner { email } studentsCount pagesCount timeline { state opensAt closesAt dueAt reasons needs }
  students { totalCount } groups { id } collaborators { __typename } exportUrl(format: MARKDOWN)
  enrollment { id groupTitle enrolledAt lastActivityAt completedAt nextPage { id } } progress { percent pagesDone lessons { id isCompleted } }
  modules { title timeline { state reasons needs } lessons { title isCompleted pagesDone unfinished { id reason { kind opensAt needs } }
    pages { id title timeline { state opensAt reasons needs } isVisited isCompleted attemptsLeft bestPercent } } } }";

const PAGE: &str = "{ id title number content isVisited quiz { questions { id } } authorQuiz versions { version } attempts { id } timeline { state }
  previousPage { id } nextPage { id } course { title myRole enrollment { id } } }";

both! {
    async fn a_preview_of_a_learner_has_the_fields_of_the_learner_at_each_moment(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let change = "mutation($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }";
        server.data(&school.owner, change, json!({"input": {"courseId": school.course, "sequential": true, "hideLockedTitles": true}})).await;
        let change = "mutation($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
        let input = json!({"input": {"pageId": school.pages[1], "availableFrom": "2026-11-22T09:00:00Z", "availableUntil": "2026-11-23T09:00:00Z"}});
        server.data(&school.owner, change, input).await;
        let visit = "mutation($input: MarkPageVisitedInput!) { markPageVisited(input: $input) { page { id } } }";
        server.data(&school.learner, visit, json!({"input": {"pageId": school.pages[0]}})).await;
        let own = format!("query($id: ID!) {{ course(id: $id) {TREE} }}");
        let preview = format!("query($id: ID!, $as: PreviewInput!) {{ coursePreview(id: $id, as: $as) {TREE} }}");
        let (own_page, page_preview) = (
            format!("query($id: ID!) {{ page(id: $id) {PAGE} }}"),
            format!("query($id: ID!, $as: PreviewInput!) {{ pagePreview(id: $id, as: $as) {PAGE} }}"),
        );
        let learner = server.data(&school.learner, &own, json!({"id": school.course})).await["enrollment"]["id"].clone();
        let moments = ["2026-11-21T09:00:00Z", "2026-11-22T09:00:00Z", "2026-11-23T09:00:01Z"];
        let read = async |by: &str, course: &str, page: &str, preview: Value| {
            let mut answers = vec![server.data(by, course, json!({"id": school.course, "as": preview})).await];
            for id in &school.pages {
                let mut answer = server.ask(by, page, json!({"id": id, "as": preview})).await;
                answer["data"] = answer["data"].as_object().and_then(|data| data.values().next().cloned()).unwrap_or_default();
                for error in answer.get_mut("errors").and_then(Value::as_array_mut).into_iter().flatten() {
                    (error["path"], error["locations"]) = (Value::Null, Value::Null);
                }
                answers.push(answer);
            }
            answers
        };
        let mut previews = vec![];
        for at in moments {
            previews.push(read(&school.teacher, &preview, &page_preview, json!({"enrollmentId": learner, "at": at})).await);
        }
        let now = read(&school.teacher, &preview, &page_preview, json!({"enrollmentId": learner})).await;
        assert_eq!(now, read(&school.learner, &own, &own_page, Value::Null).await);
        for (at, seen) in moments.iter().zip(&previews) {
            kurso.clock.advance(at.parse::<chrono::DateTime<chrono::Utc>>().unwrap() - kurso.clock.now());
            assert_eq!(*seen, read(&school.learner, &own, &own_page, Value::Null).await, "{at}");
        }
        assert_eq!(previews[0][2]["errors"][0]["extensions"]["code"], "LOCKED");
        assert_eq!(previews[1][2].get("errors"), None);
        assert_ne!(previews[0][0], previews[1][0]);
    }

    async fn a_preview_needs_a_learner_or_group_of_the_course_and_a_near_moment(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let preview = "query($id: ID!, $as: PreviewInput!) { coursePreview(id: $id, as: $as) { myRole enrollment { groupTitle } progress { percent } } }";
        let of = |by: Value| json!({"id": school.course, "as": by});
        let newcomer = server.data(&school.teacher, preview, of(json!({}))).await;
        assert_eq!(newcomer, json!({"myRole": "LEARNER", "enrollment": {"groupTitle": null}, "progress": {"percent": 0}}));
        let group = "mutation($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }";
        let group = server.data(&school.owner, group, json!({"input": {"courseId": school.course, "title": "А"}})).await["group"]["id"].clone();
        let member = server.data(&school.teacher, preview, of(json!({"groupId": group}))).await;
        assert_eq!(member["enrollment"]["groupTitle"], "А");
        for by in [json!({"enrollmentId": Uuid::now_v7()}), json!({"groupId": Uuid::now_v7()})] {
            assert_eq!(server.ask(&school.teacher, preview, of(by)).await["errors"][0]["extensions"]["code"], "NOT_FOUND");
        }
        assert_eq!(server.bad_fields(&school.teacher, preview, of(json!({"enrollmentId": "x", "at": "2100-01-01"}))).await, ["enrollmentId uuid_parsing", "at value_error"]);
        assert_eq!(server.ask(&school.learner, preview, of(json!({}))).await["errors"][0]["extensions"]["code"], "FORBIDDEN");
    }
}
