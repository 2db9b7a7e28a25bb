//! Prerequisites over GraphQL: the fields, their refusals, and a page that is locked by them.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

both! {
    async fn authors_set_prerequisites_and_read_them_back(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let module = "mutation($input: UpdateModuleInput!) { updateModule(input: $input) { module { prerequisites } } }";
        let lesson = "mutation($input: UpdateLessonInput!) { updateLesson(input: $input) { lesson { prerequisites } } }";
        let needs = json!([school.lessons[0]]);
        let input = json!({"input": {"moduleId": school.modules[1], "prerequisites": needs}});
        assert_eq!(server.data(&school.owner, module, input).await["module"]["prerequisites"], needs);
        let input = |needs: Value| json!({"input": {"lessonId": school.lessons[1], "prerequisites": needs}});
        assert_eq!(server.data(&school.owner, lesson, input(json!([school.modules[1]]))).await["lesson"]["prerequisites"], json!([school.modules[1]]));
        assert_eq!(server.data(&school.owner, lesson, input(needs.clone())).await["lesson"]["prerequisites"], needs);
        assert_eq!(server.bad_fields(&school.owner, lesson, input(json!(null))).await, ["prerequisites list_type"]);
        assert_eq!(server.bad_fields(&school.owner, lesson, input(json!([school.course]))).await, ["prerequisites[0] value_error"]);
        assert_eq!(server.bad_fields(&school.owner, lesson, input(json!([school.modules[0]]))).await, ["prerequisites[0] value_error"]);
        let input = json!({"input": {"lessonId": school.lessons[0], "prerequisites": [school.lessons[1]]}});
        assert_eq!(server.bad_fields(&school.owner, lesson, input).await, ["prerequisites value_error"]);
        let course = "mutation($input: UpdateCourseInput!) { updateCourse(input: $input) { course { sequential } } }";
        let input = json!({"input": {"courseId": school.course, "sequential": true}});
        assert_eq!(server.data(&school.owner, course, input).await["course"]["sequential"], true);
    }

    async fn completing_a_lesson_opens_the_next_one_in_the_same_answer(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let course = "mutation($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }";
        server.data(&school.owner, course, json!({"input": {"courseId": school.course, "sequential": true}})).await;
        let timeline = "timeline { state opensAt reasons needs }";
        let query = format!("query($id: ID!) {{ page(id: $id) {{ {timeline} reason {{ kind opensAt needs }} }} }}");
        let page = server.data(&school.learner, &query, json!({"id": school.pages[2]})).await;
        assert_eq!(page, json!({
            "timeline": {"state": "LOCKED", "opensAt": null, "reasons": ["NEEDS"], "needs": ["Урок 1.1"]},
            "reason": {"kind": "LOCKED", "opensAt": null, "needs": ["Урок 1.1"]},
        }));
        let content = "query($id: ID!) { page(id: $id) { content } }";
        let answer = server.ask(&school.learner, content, json!({"id": school.pages[2]})).await;
        let refusal = json!({"code": "LOCKED", "opensAt": null, "reasons": ["NEEDS"], "needs": ["Урок 1.1"]});
        assert_eq!(answer["errors"][0]["extensions"], refusal);
        assert_eq!(server.ask(&school.owner, content, json!({"id": school.pages[2]})).await.get("errors"), None);
        let visit = format!(
            "mutation($input: MarkPageVisitedInput!) {{ markPageVisited(input: $input) {{ course {{ modules {{ lessons {{ {timeline} }} }} }} }} }}"
        );
        let mut states = vec![];
        for page in &school.pages[..2] {
            let seen = server.data(&school.learner, &visit, json!({"input": {"pageId": page}})).await;
            states.push(seen["course"]["modules"][0]["lessons"][1]["timeline"]["state"].clone());
        }
        assert_eq!(states, ["LOCKED", "OPEN"]);
        assert_eq!(server.ask(&school.learner, content, json!({"id": school.pages[2]})).await.get("errors"), None);
    }
}
