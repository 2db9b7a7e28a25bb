//! Author mutations over GraphQL, and what their payloads hold for the cache of a client.

use kurso_core::both;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use serde_json::{Value, json};

use crate::support::{School, Server, saying};

pub const CREATE_COURSE: &str = "mutation($i: CreateCourseInput!) { createCourse(input: $i) {
    course { id title description myRole shareCode modulesCount modules { id } owner { email } } } }";
pub const UPDATE_COURSE: &str =
    "mutation($i: UpdateCourseInput!) { updateCourse(input: $i) { course { id title description } } }";
pub const DELETE_COURSE: &str = "mutation($i: DeleteCourseInput!) { deleteCourse(input: $i) { courseId message } }";
pub const DUPLICATE_COURSE: &str = "mutation($i: DuplicateCourseInput!) { duplicateCourse(input: $i) {
    course { id title shareCode studentsCount pagesCount modules { lessons { pages { id } } } } } }";
pub const CREATE_MODULE: &str = "mutation($i: CreateModuleInput!) { createModule(input: $i) {
    module { id title description position avatarUrl lessons { id } } course { modulesCount modules { id position } } } }";
pub const UPDATE_MODULE: &str = "mutation($i: UpdateModuleInput!) { updateModule(input: $i) {
    module { id title description position } course { modules { id position } } } }";
pub const DELETE_MODULE: &str = "mutation($i: DeleteModuleInput!) { deleteModule(input: $i) {
    moduleId message course { modules { id position } } } }";
pub const DUPLICATE_MODULE: &str = "mutation($i: DuplicateModuleInput!) { duplicateModule(input: $i) {
    module { id title position lessons { pages { id } } } course { modules { id } } } }";
pub const CREATE_LESSON: &str = "mutation($i: CreateLessonInput!) { createLesson(input: $i) {
    lesson { id title position pages { id } } module { id lessons { id position } course { lessonsCount } } } }";
pub const UPDATE_LESSON: &str = "mutation($i: UpdateLessonInput!) { updateLesson(input: $i) {
    lesson { id title position } module { id lessons { id } } previousModule { id lessons { id position } } } }";
pub const DELETE_LESSON: &str = "mutation($i: DeleteLessonInput!) { deleteLesson(input: $i) {
    lessonId message module { lessons { id position } } } }";
pub const DUPLICATE_LESSON: &str = "mutation($i: DuplicateLessonInput!) { duplicateLesson(input: $i) {
    lesson { id title position pages { id } } module { lessons { id } } } }";
pub const CREATE_PAGE: &str = "mutation($i: CreatePageInput!) { createPage(input: $i) {
    page { id title number kind position published content authorQuiz version } lesson { pages { id } course: module { course { pagesCount } } } } }";
pub const UPDATE_PAGE: &str = "mutation($i: UpdatePageInput!) { updatePage(input: $i) {
    page { id title version content published position } lesson { id pages { id } } previousLesson { id pages { id position } }
    conflict { message page { id title version content } } } }";
pub const DELETE_PAGE: &str = "mutation($i: DeletePageInput!) { deletePage(input: $i) {
    pageId message lesson { pages { id position } } } }";
pub const DUPLICATE_PAGE: &str = "mutation($i: DuplicatePageInput!) { duplicatePage(input: $i) {
    page { id title position content } lesson { pages { id } } } }";
pub const RESTORE: &str = "mutation($i: RestorePageVersionInput!) { restorePageVersion(input: $i) {
    page { id title version content } } }";

fn input(value: Value) -> Value {
    json!({"i": value})
}

const EXPORT_REPORT: &str = "query($id: ID!, $format: ExportFormat!) { exportReport(courseId: $id, format: $format) {
    totalCount nodes { where what outcome why } } }";

const READ_QUESTIONS: &str =
    "query($text: String!) { readQuestions(text: $text) { questions report { where what outcome why } } }";

both! {
    async fn questions_of_a_text_are_read(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.person("author").await;
        let author = kurso.token("author@example.com").await;
        let text = json!({"text": "Some text.\n\nCapital of France? {~Lyon =Paris}"});
        let read = &server.data(&author, READ_QUESTIONS, text.clone()).await;
        assert_eq!(read["questions"][0]["options"][1]["correct"], true);
        assert_eq!(read["report"], json!([{
            "where": "1", "what": "a question", "outcome": "NOT_CARRIED", "why": "it is incomplete or not a valid question",
        }]));
        let aiken = json!({"text": "Capital of Italy?\nA. Rome\nB. Turin\nANSWER: A"});
        let read = &server.data(&author, READ_QUESTIONS, aiken).await;
        assert_eq!((&read["questions"][0]["type"], &read["report"]), (&json!("single_choice"), &json!([])));
        assert_eq!(server.refusal("", READ_QUESTIONS, text).await, "UNAUTHENTICATED");
        assert_eq!(server.refusal(&author, READ_QUESTIONS, json!({"text": ""})).await, "BAD_USER_INPUT");
    }

    async fn an_export_reports_what_it_leaves_out(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.person("author").await;
        kurso.person("other").await;
        let (author, other) = (kurso.token("author@example.com").await, kurso.token("other@example.com").await);
        let made = server.data(&author, CREATE_COURSE, input(json!({"title": "Курс"}))).await;
        let of = |format: &str| json!({"id": made["course"]["id"], "format": format});
        let line = json!({"where": "GIFT", "what": "the course", "outcome": "NOT_CARRIED", "why": "it has no questions, so the file is empty"});
        assert_eq!(server.data(&author, EXPORT_REPORT, of("GIFT")).await, json!({"totalCount": 1, "nodes": [line]}));
        assert_eq!(server.data(&author, EXPORT_REPORT, of("CSV")).await, json!({"totalCount": 0, "nodes": []}));
        let refused = server.ask(&other, EXPORT_REPORT, of("GIFT")).await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], "NOT_FOUND", "{refused}");
        // A report costs as much as an export.
        let many: String = (0..5).map(|n| format!(" r{n}: exportReport(courseId: $id, format: GIFT) {{ totalCount }}")).collect();
        let refused = server.ask(&author, &format!("query($id: ID!) {{{many} }}"), json!({"id": made["course"]["id"]})).await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], "LIMIT_EXCEEDED", "{refused}");
    }

    async fn a_course_is_created_part_by_part(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.person("author").await;
        let author = kurso.token("author@example.com").await;
        let made = server.data(&author, CREATE_COURSE, input(json!({"title": "Курс", "description": "о чём"}))).await;
        let course = &made["course"];
        assert_eq!(*course, json!({
            "id": course["id"], "title": "Курс", "description": "о чём", "myRole": "OWNER", "shareCode": null,
            "modulesCount": 0, "modules": [], "owner": {"email": "author@example.com"},
        }));
        let made = server.data(&author, CREATE_MODULE, input(json!({"courseId": course["id"], "title": "М"}))).await;
        let module = &made["module"];
        assert_eq!(made, json!({
            "module": {"id": module["id"], "title": "М", "description": null, "position": 0, "avatarUrl": null, "lessons": []},
            "course": {"modulesCount": 1, "modules": [{"id": module["id"], "position": 0}]},
        }));
        let made = server.data(&author, CREATE_LESSON, input(json!({"moduleId": module["id"], "title": "У"}))).await;
        let lesson = &made["lesson"];
        assert_eq!(made, json!({
            "lesson": {"id": lesson["id"], "title": "У", "position": 0, "pages": []},
            "module": {"id": module["id"], "lessons": [{"id": lesson["id"], "position": 0}], "course": {"lessonsCount": 1}},
        }));
        let made = server.data(&author, CREATE_PAGE, input(json!({"lessonId": lesson["id"]}))).await;
        let page = &made["page"];
        assert_eq!(made, json!({
            "page": {
                "id": page["id"], "title": null, "number": 1, "kind": "CONTENT", "position": 0, "published": true,
                "content": {"type": "doc", "content": [{"type": "paragraph"}]}, "authorQuiz": null, "version": 1,
            },
            "lesson": {"pages": [{"id": page["id"]}], "course": {"course": {"pagesCount": 1}}},
        }));
        let body = json!({
            "lessonId": lesson["id"], "title": "Тест", "kind": "QUIZ", "position": 0, "published": false,
            "quiz": {"pass_percent": 50}, "content": saying("Перед вопросами"),
        });
        let made = server.data(&author, CREATE_PAGE, input(body)).await;
        let quiz = &made["page"];
        assert_eq!((&quiz["kind"], &quiz["published"], &quiz["authorQuiz"]["pass_percent"], &quiz["content"]),
            (&json!("QUIZ"), &json!(false), &json!(50), &saying("Перед вопросами")));
        assert_eq!(made["lesson"]["pages"], json!([{"id": quiz["id"]}, {"id": page["id"]}]), "siblings come with it");

        let alone = server.ask(&author, "query($m: ID!, $l: ID!) {
            module(id: $m) { title course { id } lessons { id } } lesson(id: $l) { title module { id } pages { id authorQuiz } } }",
            json!({"m": module["id"], "l": lesson["id"]})).await;
        assert_eq!(alone["data"]["module"], json!({"title": "М", "course": {"id": course["id"]}, "lessons": [{"id": lesson["id"]}]}));
        assert_eq!(alone["data"]["lesson"]["pages"][0], json!({"id": quiz["id"], "authorQuiz": quiz["authorQuiz"]}));
    }

    async fn omitted_fields_stay_and_null_clears(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let owner = &school.owner;
        let id = json!(school.course);
        let change = |fields: Value| {
            let mut body = json!({"courseId": id});
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            server.data(owner, UPDATE_COURSE, input(body))
        };
        assert_eq!(change(json!({"description": "о чём"})).await["course"]["description"], "о чём");
        let changed = change(json!({"title": "Новый"})).await;
        assert_eq!(changed["course"], json!({"id": id, "title": "Новый", "description": "о чём"}));
        let loose = "mutation($id: ID!, $title: String, $description: String) { updateCourse(input: {courseId: $id,
            title: $title, description: $description}) { course { title description } } }";
        let kept = server.data(owner, loose, json!({"id": id, "title": "Курс"})).await;
        assert_eq!(kept["course"], json!({"title": "Курс", "description": "о чём"}), "a variable that is not given is no null");
        assert_eq!(server.bad_fields(owner, loose, json!({"id": id, "title": null})).await, ["title string_type"]);
        let lists = "query($n: Int, $after: String) { myCourses(first: $n, after: $after) { totalCount } }";
        assert_eq!(server.data(owner, lists, json!({})).await["totalCount"], 1);
        assert_eq!(change(json!({"description": null})).await["course"]["description"], Value::Null);
        let page = json!(school.pages[1]);
        let saved = server.data(owner, UPDATE_PAGE, input(json!({"pageId": page, "title": null}))).await;
        assert_eq!((&saved["page"]["title"], &saved["page"]["published"]), (&Value::Null, &json!(true)));

        for (query, body, fields) in [
            (UPDATE_COURSE, json!({"courseId": id, "title": null}), vec!["title string_type"]),
            (UPDATE_COURSE, json!({"courseId": "x"}), vec!["courseId uuid_parsing"]),
            (CREATE_COURSE, json!({"title": ""}), vec!["title string_too_short"]),
            (CREATE_MODULE, json!({"courseId": id, "title": "x".repeat(256), "position": -1}),
                vec!["title string_too_long", "position greater_than_equal"]),
            (UPDATE_LESSON, json!({"lessonId": school.lessons[0], "moduleId": "x"}), vec!["moduleId uuid_parsing"]),
            (UPDATE_LESSON, json!({"lessonId": school.lessons[0], "moduleId": page}), vec!["moduleId value_error"]),
            (UPDATE_PAGE, json!({"pageId": page, "lessonId": page}), vec!["lessonId value_error"]),
            (UPDATE_PAGE, json!({"pageId": page, "userSessionId": "", "published": null, "version": 0}),
                vec!["userSessionId string_too_short", "published bool_type", "version greater_than_equal"]),
            (UPDATE_PAGE, json!({"pageId": page, "content": {"type": "doc", "content": [{"type": "x"}]}}),
                vec!["content.content[0].type content_unknown_node"]),
            (UPDATE_PAGE, json!({"pageId": page, "quiz": {}}), vec!["quiz value_error"]),
            (RESTORE, json!({"pageId": page, "version": -1}), vec!["version greater_than_equal"]),
        ] {
            assert_eq!(server.bad_fields(owner, query, input(body.clone())).await, fields, "{body}");
        }
        for content in [json!(null), json!("text"), json!(7), json!([]), json!({})] {
            let body = input(json!({"pageId": page, "content": content}));
            let refused = server.bad_fields(owner, UPDATE_PAGE, body).await;
            assert!(refused[0].starts_with("content"), "{refused:?}");
        }
    }

    async fn moving_answers_with_the_siblings(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let owner = &school.owner;
        let (modules, lessons, pages) = (json!(school.modules), json!(school.lessons), json!(school.pages));
        let moved = server.data(owner, UPDATE_MODULE, input(json!({"moduleId": modules[0], "position": 9}))).await;
        assert_eq!(moved["course"]["modules"], json!([{"id": modules[1], "position": 0}, {"id": modules[0], "position": 1}]));

        let body = json!({"lessonId": lessons[0], "moduleId": modules[1], "position": 0});
        let moved = server.data(owner, UPDATE_LESSON, input(body.clone())).await;
        assert_eq!(moved["module"], json!({"id": modules[1], "lessons": [{"id": lessons[0]}, {"id": lessons[2]}, {"id": lessons[3]}]}));
        assert_eq!(moved["previousModule"], json!({"id": modules[0], "lessons": [{"id": lessons[1], "position": 0}]}));
        let again = server.data(owner, UPDATE_LESSON, input(body)).await;
        assert_eq!(again["previousModule"], Value::Null, "it stayed where it was");

        let body = json!({"pageId": pages[0], "lessonId": lessons[3]});
        let moved = server.data(owner, UPDATE_PAGE, input(body)).await;
        assert_eq!(moved["lesson"], json!({"id": lessons[3], "pages": [{"id": pages[0]}]}));
        assert_eq!(moved["previousLesson"], json!({"id": lessons[0], "pages": [{"id": pages[1], "position": 0}]}));
    }

    async fn deleting_answers_with_the_parent(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let owner = &school.owner;
        let (modules, lessons, pages) = (json!(school.modules), json!(school.lessons), json!(school.pages));
        let gone = server.data(owner, DELETE_PAGE, input(json!({"pageId": pages[0]}))).await;
        assert_eq!(gone, json!({"pageId": pages[0], "message": "Page deleted successfully",
            "lesson": {"pages": [{"id": pages[1], "position": 0}]}}));
        let gone = server.data(owner, DELETE_LESSON, input(json!({"lessonId": lessons[0]}))).await;
        assert_eq!(gone, json!({"lessonId": lessons[0], "message": "Lesson deleted successfully",
            "module": {"lessons": [{"id": lessons[1], "position": 0}]}}));
        let gone = server.data(owner, DELETE_MODULE, input(json!({"moduleId": modules[0]}))).await;
        assert_eq!(gone, json!({"moduleId": modules[0], "message": "Module deleted successfully",
            "course": {"modules": [{"id": modules[1], "position": 0}]}}));
        let gone = server.data(owner, DELETE_COURSE, input(json!({"courseId": school.course}))).await;
        assert_eq!(gone, json!({"courseId": school.course, "message": "Course deleted successfully"}));
        for (query, body) in [
            (DELETE_COURSE, json!({"courseId": school.course})), (DELETE_MODULE, json!({"moduleId": modules[0]})),
            (DELETE_LESSON, json!({"lessonId": lessons[0]})), (DELETE_PAGE, json!({"pageId": pages[0]})),
        ] {
            assert_eq!(server.refusal(owner, query, input(body)).await, "NOT_FOUND");
        }
    }

    async fn a_stale_save_answers_with_the_stored_page(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let page = json!(school.pages[0]);
        let save = |token: &str, tab: &str, version: i64, text: &str| {
            let body = json!({"pageId": page, "userSessionId": tab, "version": version, "content": saying(text)});
            let token = token.to_owned();
            let server = &server;
            async move { server.data(&token, UPDATE_PAGE, input(body)).await }
        };
        let saved = save(&school.owner, "tab 1", 1, "раз").await;
        assert_eq!((&saved["page"]["version"], &saved["page"]["content"], &saved["conflict"]), (&json!(2), &saying("раз"), &Value::Null));
        let again = save(&school.owner, "tab 1", 1, "раз, два").await;
        assert_eq!(again["page"]["version"], 3, "the editor that wrote what is stored is never too late");
        for (token, tab) in [(&school.owner, "tab 2"), (&school.editor, "tab 1")] {
            let late = save(token, tab, 2, "три").await;
            assert_eq!(late, json!({"page": null, "lesson": null, "previousLesson": null, "conflict": {
                "message": "Somebody else has changed this page since you opened it",
                "page": {"id": page, "title": null, "version": 3, "content": saying("раз, два")},
            }}));
        }
        let moved = server.data(&school.editor, UPDATE_PAGE, input(json!({"pageId": page, "version": 1, "position": 1}))).await;
        assert_eq!((&moved["page"]["position"], &moved["page"]["version"]), (&json!(1), &json!(3)), "moving looks at no version");
    }

    async fn page_versions_are_listed_read_and_restored(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let owner = &school.owner;
        let page = json!(school.pages[0]);
        let history = "query($id: ID!, $v: Int!) { page(id: $id) { version authorQuiz
            versions { version title startedAt savedAt editor { id fullName } }
            versionText(version: $v) { version title content authorQuiz } } }";
        let first = server.data(owner, history, json!({"id": page, "v": 1})).await;
        assert_eq!(first["versions"].as_array().unwrap().len(), 1, "a page that was never saved again is its one version");
        assert_eq!(first["versionText"]["content"], saying("Page 0"));
        server.data(owner, UPDATE_PAGE, input(json!({"pageId": page, "title": "Т", "content": saying("новое")}))).await;
        let read = server.data(owner, history, json!({"id": page, "v": 1})).await;
        assert_eq!(read["versions"][0], json!({"version": 2, "title": "Т", "startedAt": "2026-11-21T09:00:00Z",
            "savedAt": "2026-11-21T09:00:00Z", "editor": {"id": school.owner_viewer.id(), "fullName": "owner"}}));
        assert_eq!(read["versionText"], json!({"version": 1, "title": null, "content": saying("Page 0"), "authorQuiz": null}));
        assert_eq!(server.refusal(owner, history, json!({"id": page, "v": 7})).await, "NOT_FOUND");

        let learner = server.data(&school.learner, history, json!({"id": page, "v": 1})).await;
        assert_eq!(learner, json!({"version": 2, "authorQuiz": null, "versions": null, "versionText": null}));
        let teacher = server.data(&school.teacher, history, json!({"id": page, "v": 2})).await;
        assert_eq!(teacher["versionText"]["content"], saying("новое"));

        let restored = server.data(owner, RESTORE, input(json!({"pageId": page, "version": 1}))).await;
        assert_eq!(restored["page"], json!({"id": page, "title": null, "version": 3, "content": saying("Page 0")}));
        assert_eq!(server.refusal(owner, RESTORE, input(json!({"pageId": page, "version": 9}))).await, "NOT_FOUND");
    }

    async fn duplicating_answers_with_the_copy_and_its_siblings(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let owner = &school.owner;
        let (modules, lessons, pages) = (json!(school.modules), json!(school.lessons), json!(school.pages));
        let copy = server.data(owner, DUPLICATE_PAGE, input(json!({"pageId": pages[1]}))).await;
        let id = &copy["page"]["id"];
        assert_eq!(copy, json!({
            "page": {"id": id, "title": "Стр. 1 (копия)", "position": 2, "content": saying("Page 1")},
            "lesson": {"pages": [{"id": pages[0]}, {"id": pages[1]}, {"id": id}]},
        }));
        let copy = server.data(owner, DUPLICATE_LESSON, input(json!({"lessonId": lessons[0]}))).await;
        assert_eq!((&copy["lesson"]["position"], copy["lesson"]["pages"].as_array().unwrap().len()), (&json!(1), 3));
        assert_eq!(copy["module"]["lessons"].as_array().unwrap().len(), 3);
        let copy = server.data(owner, DUPLICATE_MODULE, input(json!({"moduleId": modules[0]}))).await;
        assert_eq!((&copy["module"]["position"], copy["module"]["lessons"].as_array().unwrap().len()), (&json!(1), 3));
        assert_eq!(copy["course"]["modules"][1]["id"], copy["module"]["id"]);
        let copy = server.data(&school.editor, DUPLICATE_COURSE, input(json!({"courseId": school.course}))).await;
        assert_eq!((&copy["course"]["title"], &copy["course"]["shareCode"], &copy["course"]["studentsCount"]),
            (&json!("Курс (копия)"), &Value::Null, &json!(0)));
        assert_eq!(copy["course"]["pagesCount"], 15);
    }

    async fn content_of_the_maximum_depth_is_accepted(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let deep = |quotes: usize| {
            let link = json!([{"type": "link", "attrs": {"href": "https://example.com"}}]);
            let mut node = json!({"type": "paragraph", "content": [{"type": "text", "text": "x", "marks": link}]});
            for _ in 0..quotes {
                node = json!({"type": "blockquote", "content": [node]});
            }
            json!({"query": "mutation($i: UpdatePageInput!) { updatePage(input: $i) { page { content } } }",
                "variables": {"i": {"pageId": school.pages[0], "content": {"type": "doc", "content": [node]}}}})
        };
        let save = async |quotes: usize| {
            let request = server.client.post(&server.url).bearer_auth(&school.owner).json(&deep(quotes));
            let response = request.send().await.unwrap();
            // serde_json has a lower limit, so the test compares text.
            (response.status().as_u16(), response.text().await.unwrap())
        };
        let (status, text) = save(62).await;
        assert_eq!((status, text.matches("blockquote").count()), (200, 62), "{text}");
        let (status, text) = save(63).await;
        assert_eq!((status, text.matches("content_too_deep").count()), (200, 1), "{text}");
        let (status, _) = save(500).await;
        assert_eq!(status, 400);
    }

    async fn author_mutations_take_constant_statements(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let owner = kurso.person("owner").await;
        let token = kurso.token("owner@example.com").await;
        let small: &[&[&[_]]] = &[&[&[Content], &[Quiz]]];
        let large: &[&[&[_]]] = &[&[&[Content; 30], &[Quiz; 20]], &[&[Content; 20]]];
        let mut costs = Vec::new();
        for shape in [small, large] {
            let course = kurso.course(&owner, shape).await;
            let tree = server.data(&token, "query($id: ID!) { course(id: $id) { modules { id lessons { id pages { id } } } } }",
                json!({"id": course})).await;
            let module = &tree["modules"][0];
            let (lesson, page) = (&module["lessons"][0]["id"], &module["lessons"][0]["pages"][0]["id"]);
            let mut cost = Vec::new();
            for (query, variables) in [
                ("query($id: ID!) { module(id: $id) { lessons { pages { content authorQuiz versions { version } } } course { title } } }",
                    json!({"id": module["id"]})),
                ("query($id: ID!) { lesson(id: $id) { pagesDone pages { content authorQuiz versions { editor { id } } } } }",
                    json!({"id": lesson})),
                ("query($id: ID!) { lesson(id: $id) { pages { course { pagesCount } lesson { pages { content } module { lessons {
                    pages { version } } course { studentsCount modules { lessons { pages { updatedAt } } } } } } } } }",
                    json!({"id": lesson})),
                (CREATE_MODULE, input(json!({"courseId": course, "title": "М"}))),
                (UPDATE_LESSON, input(json!({"lessonId": lesson, "moduleId": module["id"], "position": 0}))),
                (CREATE_PAGE, input(json!({"lessonId": lesson}))),
                (UPDATE_PAGE, input(json!({"pageId": page, "title": "Т"}))),
                (DELETE_PAGE, input(json!({"pageId": page}))),
            ] {
                let before = kurso.db.statements();
                server.data(&token, query, variables).await;
                cost.push(kurso.db.statements() - before);
            }
            costs.push(cost);
        }
        assert_eq!(costs[0], costs[1], "statements of each call, in a small and in a large course");
        // Deleting takes one statement or more for each table with rows of a page, to move them to the trash.
        let (deletion, others) = costs[0].split_last().unwrap();
        assert!(costs[0][0] <= 8 && others.iter().all(|cost| *cost <= 20) && *deletion <= 60, "{costs:?}");
    }
}
