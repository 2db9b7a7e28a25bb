//! Students and teams.

use kurso_base::ids::{CourseId, GroupId};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::testing::TestKurso;
use kurso_core::{both, courses};
use serde_json::{Value, json};

use crate::support::Server;

async fn token(kurso: &TestKurso, name: &str) -> String {
    kurso.person(name).await;
    kurso.token(&format!("{name}@example.com")).await
}

async fn enroll(kurso: &TestKurso, server: &Server, owner: &kurso_core::access::Viewer, course: CourseId, token: &str) {
    let code = courses::generate_share_code(kurso, owner, course)
        .await
        .unwrap()
        .share_code;
    let enroll = "mutation($code: String!) { enroll(input: {shareCode: $code}) { enrollment { id } } }";
    server.data(token, enroll, json!({"code": code})).await;
}

const STUDENTS: &str = "query($id: ID!, $search: String, $sort: StudentSort, $down: Boolean) { course(id: $id) {
    students(search: $search, sort: $sort, descending: $down, first: 2) { totalCount pageInfo { hasNextPage } nodes {
        id user { id fullName email } percent pagesDone pagesTotal lessonsDone lessonsTotal completedAt } } } }";
const DETAIL: &str = "query($id: ID!) { enrollment(id: $id) { student { id percent } course { id myRole }
    modules { title lessons { isCompleted pagesDone pagesTotal pages { id kind published visitedAt isDone
        attempts { id attemptNo score maxScore percent passed submittedAt quiz answers { questionId }
        results { questionId points correct correctAnswer { questionId } } } } } } } }";
const HEAT_MAP: &str = "query($id: ID!) { courseHeatMap(courseId: $id) { course { id } students completed notStarted
    modules { title position lessons { title position pages { kind position title visited done stopped
        quiz { tried averagePercent passedPercent } } } }
    hardestQuestions { page { id } questionId number prompt answered averagePercent } } }";
const ANALYSIS: &str = "query($page: ID!, $group: ID) { quizAnalysis(pageId: $page, groupId: $group) { courseId pageId tried attempts waiting outdated
    maxPoints mean deviation alpha standardError histogram flags questions { questionId number prompt maxPoints asked unanswered attempts
    facility chance deviation discrimination efficiency flags options { optionId text isCorrect taken } parts { partId text right }
    wrongAnswers { text times } medianSeconds timedCount } } }";
const INVITE: &str = "mutation($id: ID!, $email: String!, $role: CollaboratorRole!) {
    inviteCollaborator(input: {courseId: $id, email: $email, role: $role}) { collaborator { id userId email role state } } }";
const ACCEPT: &str = "mutation($t: String!) { acceptInvitation(input: {token: $t}) { course { id myRole } error } }";
const LEAVE: &str = "mutation($id: ID!) { leaveCourse(input: {courseId: $id}) { message } }";
const REMOVE: &str = "mutation($id: ID!) { removeStudent(input: {enrollmentId: $id}) { message } }";
const HAND_OVER: &str = "mutation($id: ID!, $user: ID, $email: String) {
    handOverCourse(input: {courseId: $id, userId: $user, email: $email}) { course { myRole owner { email } } } }";

both! {
    async fn enrollments_include_the_last_reading_place(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let viewer = kurso.person("owner").await;
        let course = kurso.course(&viewer, &[&[&[Content, Content]]]).await;
        let anna = token(&kurso, "anna").await;
        enroll(&kurso, &server, &viewer, course, &anna).await;
        let read = "query($id: ID!) { course(id: $id) { modules { lessons { pages { id } } }
            enrollment { nextPage { id } readingPlace { pageId version block part heading savedAt } } } }";
        let found = server.data(&anna, read, json!({"id": course})).await;
        assert_eq!(found["enrollment"]["readingPlace"], Value::Null);
        let page = &found["modules"][0]["lessons"][0]["pages"][1]["id"];
        let keep = "mutation($input: KeepReadingPlaceInput!) { keepReadingPlace(input: $input) {
            course { enrollment { nextPage { id } readingPlace { pageId block part heading } } } } }";
        let input = json!({"pageId": page, "version": 1, "block": 3, "part": 120, "heading": "куча"});
        let kept = server.data(&anna, keep, json!({"input": input})).await;
        assert_eq!(kept["course"]["enrollment"], json!({
            "nextPage": {"id": page},
            "readingPlace": {"pageId": page, "block": 3, "part": 120, "heading": "куча"},
        }));
        let found = server.data(&anna, read, json!({"id": course})).await;
        assert_eq!(found["enrollment"]["readingPlace"]["version"], 1);
        assert_eq!(found["enrollment"]["nextPage"]["id"], *page, "a page that was begun");
        let wrong = json!({"input": {"pageId": page, "version": 1, "block": -1, "part": 0}});
        assert_eq!(server.refusal(&anna, keep, wrong).await, "BAD_USER_INPUT");
        let owner = kurso.token("owner@example.com").await;
        assert_eq!(server.refusal(&owner, keep, json!({"input": input})).await, "FORBIDDEN");
    }

    async fn staff_read_the_class_and_a_student(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let viewer = kurso.person("owner").await;
        let owner = kurso.token("owner@example.com").await;
        let course = kurso.course(&viewer, &[&[&[Content, Content]], &[&[Content]]]).await;
        let (anna, boris, vera) = (token(&kurso, "anna").await, token(&kurso, "boris").await, token(&kurso, "vera").await);
        for who in [&anna, &boris, &vera] { enroll(&kurso, &server, &viewer, course, who).await; }
        let stranger = token(&kurso, "stranger").await;
        let tree = "query($id: ID!) { course(id: $id) { modules { lessons { pages { id } } } } }";
        let tree = server.data(&boris, tree, json!({"id": course})).await;
        let page = &tree["modules"][1]["lessons"][0]["pages"][0]["id"];
        server.data(&boris, "mutation($id: ID!) { markPageVisited(input: {pageId: $id}) { page { id } } }", json!({"id": page})).await;

        let found = server.data(&owner, STUDENTS, json!({"id": course, "sort": "PERCENT", "down": true})).await;
        let students = &found["students"];
        let first = &students["nodes"][0];
        assert_eq!((&students["totalCount"], &students["pageInfo"]["hasNextPage"]), (&json!(3), &json!(true)));
        assert_eq!(*first, json!({
            "id": first["id"], "user": {"id": first["user"]["id"], "fullName": "boris", "email": "boris@example.com"},
            "percent": 33, "pagesDone": 1, "pagesTotal": 3, "lessonsDone": 1, "lessonsTotal": 2, "completedAt": null,
        }));
        let found = server.data(&owner, STUDENTS, json!({"id": course, "search": "VERA"})).await;
        assert_eq!(found["students"]["totalCount"], 1);
        let hidden = server.data(&anna, STUDENTS, json!({"id": course})).await;
        assert_eq!(hidden["students"], Value::Null, "learners see no students");
        let long = json!({"id": course, "search": "a".repeat(256)});
        assert_eq!(server.refusal(&owner, STUDENTS, long).await, "BAD_USER_INPUT");

        let detail = server.data(&owner, DETAIL, json!({"id": first["id"]})).await;
        assert_eq!(detail["student"], json!({"id": first["id"], "percent": 33}));
        assert_eq!(detail["course"], json!({"id": course, "myRole": "OWNER"}));
        let lesson = &detail["modules"][1]["lessons"][0];
        assert_eq!([&lesson["isCompleted"], &lesson["pages"][0]["isDone"]], [true, true]);
        assert_eq!(lesson["pages"][0]["visitedAt"], "2026-11-21T09:00:00Z");
        assert_eq!(lesson["pages"][0]["attempts"], json!([]));

        let map = server.data(&owner, HEAT_MAP, json!({"id": course})).await;
        assert_eq!([&map["students"], &map["completed"], &map["notStarted"]], [3, 0, 2]);
        assert_eq!((&map["course"]["id"], &map["hardestQuestions"]), (&json!(course), &json!([])));
        assert_eq!(map["modules"][1]["lessons"][0]["pages"][0], json!({
            "kind": "CONTENT", "position": 0, "title": null, "visited": 1, "done": 1, "stopped": 0, "quiz": null,
        }));
        assert_eq!(map["modules"][0]["lessons"][0]["pages"][0]["stopped"], 1, "the first page that was skipped");
        for (who, code) in [("", "UNAUTHENTICATED"), (&boris, "FORBIDDEN"), (&stranger, "NOT_FOUND")] {
            assert_eq!(server.refusal(who, HEAT_MAP, json!({"id": course})).await, code);
            assert_eq!(server.refusal(who, DETAIL, json!({"id": first["id"]})).await, code);
            assert_eq!(server.refusal(who, REMOVE, json!({"id": first["id"]})).await, code);
        }
        let removed = server.data(&owner, REMOVE, json!({"id": first["id"]})).await;
        assert_eq!(removed["message"], "The student was removed from the course");
        assert_eq!(server.refusal(&owner, DETAIL, json!({"id": first["id"]})).await, "NOT_FOUND");
    }

    async fn team_members_are_invited_updated_and_removed(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let viewer = kurso.person("owner").await;
        let owner = kurso.token("owner@example.com").await;
        kurso.superuser("root").await;
        let root = kurso.token("root@example.com").await;
        let course = kurso.course(&viewer, &[&[&[Content]]]).await;
        let (anna, boris) = (token(&kurso, "anna").await, token(&kurso, "boris").await);
        let body = json!({"id": course, "email": "anna@example.com", "role": "TEACHER"});
        for (who, code) in [("", "UNAUTHENTICATED"), (&boris, "NOT_FOUND"), (&root, "FORBIDDEN")] {
            assert_eq!(server.refusal(who, INVITE, body.clone()).await, code);
        }
        let bad = json!({"id": course, "email": "x", "role": "TEACHER"});
        assert_eq!(server.refusal(&owner, INVITE, bad).await, "BAD_USER_INPUT");
        let invited = server.data(&owner, INVITE, body).await;
        let row = &invited["collaborator"];
        assert_eq!(*row, json!({
            "id": row["id"], "userId": null, "email": "anna@example.com", "role": "TEACHER", "state": "PENDING",
        }));
        let token = json!({"t": kurso.mails().await[0].token()});
        let other = server.data(&boris, ACCEPT, token.clone()).await;
        assert_eq!(other, json!({
            "course": null, "error": "This invitation is for another address: sign in with the account it was sent to",
        }));
        let accepted = server.data(&anna, ACCEPT, token).await;
        assert_eq!(accepted, json!({"course": {"id": course, "myRole": "TEACHER"}, "error": null}));
        assert_eq!(server.refusal("", ACCEPT, json!({"t": "x"})).await, "UNAUTHENTICATED");

        let team = "query($id: ID!) { course(id: $id) { collaborators { id userId fullName role state since expiresAt } } }";
        let shown = server.data(&anna, team, json!({"id": course})).await;
        let row = &shown["collaborators"][0];
        assert_eq!([&row["fullName"], &row["role"], &row["state"]], ["anna", "TEACHER", "ACCEPTED"]);
        enroll(&kurso, &server, &viewer, course, &boris).await;
        let hidden = server.data(&boris, team, json!({"id": course})).await;
        assert_eq!(hidden["collaborators"], Value::Null);
        let remove = "mutation($id: ID!, $who: ID!) { removeCollaborator(input: {courseId: $id, id: $who}) { message } }";
        let who = json!({"id": course, "who": row["id"]});
        assert_eq!(server.refusal(&anna, remove, who.clone()).await, "FORBIDDEN");
        server.data(&owner, remove, who.clone()).await;
        assert_eq!(server.refusal(&owner, remove, who).await, "NOT_FOUND");

        assert_eq!(server.refusal(&owner, LEAVE, json!({"id": course})).await, "CONFLICT");
        assert_eq!(server.refusal(&anna, LEAVE, json!({"id": course})).await, "NOT_FOUND");
        let left = server.data(&boris, LEAVE, json!({"id": course})).await;
        assert_eq!(left["message"], "You have left the course");

        let nobody = json!({"id": course, "email": "nobody@example.com"});
        assert_eq!(server.refusal(&owner, HAND_OVER, nobody).await, "BAD_USER_INPUT");
        assert_eq!(server.refusal(&owner, HAND_OVER, json!({"id": course})).await, "BAD_USER_INPUT");
        let given = server.data(&owner, HAND_OVER, json!({"id": course, "email": "anna@example.com"})).await;
        assert_eq!(given["course"], json!({"myRole": "EDITOR", "owner": {"email": "anna@example.com"}}));
        let back = server.data(&root, HAND_OVER, json!({"id": course, "user": viewer.id()})).await;
        assert_eq!(back["course"]["myRole"], "ADMIN");
    }

    async fn course_lists_take_constant_statements(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let viewer = kurso.person("owner").await;
        kurso.superuser("root").await;
        let root = kurso.token("root@example.com").await;
        let (owner, anna) = (kurso.token("owner@example.com").await, token(&kurso, "anna").await);
        let all = "{ allCourses { totalCount nodes { id studentsCount collaborators { email }
            students { totalCount nodes { percent } } again: students(search: \"anna\") { totalCount } } } }";
        let mut costs = Vec::new();
        for wanted in [2usize, 9] {
            for _ in costs.len() * 2..wanted {
                let course = kurso.course(&viewer, &[&[&[Content]]]).await;
                enroll(&kurso, &server, &viewer, course, &anna).await;
            }
            let before = kurso.db.statements();
            let found = server.data(&root, all, json!({})).await;
            costs.push(kurso.db.statements() - before);
            assert_eq!(found["nodes"].as_array().unwrap().len(), wanted);
            assert_eq!(found["nodes"][0]["again"]["totalCount"], 1);
        }
        assert!(costs.iter().all(|c| *c <= 8) && costs[1] <= costs[0], "{costs:?}");
        assert_eq!(server.refusal(&owner, all, json!({})).await, "FORBIDDEN");
        assert_eq!(server.refusal("", all, json!({})).await, "UNAUTHENTICATED");
        let found = server.data(&root, "{ allCourses(search: \"курс OWNER\", first: 3) { totalCount nodes { id } } }", json!({})).await;
        assert_eq!((&found["totalCount"], found["nodes"].as_array().unwrap().len()), (&json!(9), 3));
    }

    async fn the_analysis_of_a_quiz_is_read_by_staff(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let viewer = kurso.person("owner").await;
        let owner = kurso.token("owner@example.com").await;
        let course = kurso.course(&viewer, &[&[&[Quiz, Content]]]).await;
        let (learner, stranger) = (token(&kurso, "learner").await, token(&kurso, "stranger").await);
        enroll(&kurso, &server, &viewer, course, &learner).await;
        let tree = "query($id: ID!) { course(id: $id) { modules { lessons { pages { id } } } } }";
        let tree = server.data(&owner, tree, json!({"id": course})).await;
        let pages = &tree["modules"][0]["lessons"][0]["pages"];
        let page = pages[0]["id"].as_str().unwrap();
        let quiz = json!({"questions": [{"type": "matching", "prompt": "Пары?", "pairs": [
            {"left": "1", "right": "один"}, {"left": "2", "right": "два"},
        ]}]});
        let quiz = kurso.set_quiz(page.parse().unwrap(), &quiz).await;
        let quiz = serde_json::to_value(&quiz).unwrap();
        let submit = "mutation($input: SubmitQuizInput!) { submitQuiz(input: $input) { attempt { percent } } }";
        server.data(&learner, submit, json!({"input": {"pageId": page, "answers": []}})).await;
        let pairs = &quiz["questions"][0]["pairs"];
        let read = json!({"page": page});
        assert_eq!(server.data(&owner, ANALYSIS, read.clone()).await, json!({
            "courseId": course, "pageId": page, "tried": 1, "attempts": 1, "waiting": 0, "outdated": 0, "maxPoints": 1.0, "mean": 0.0,
            "deviation": null, "alpha": null, "standardError": null, "histogram": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            "flags": ["FEW_ATTEMPTS"],
            "questions": [{
                "questionId": quiz["questions"][0]["id"], "number": 1, "prompt": "Пары?", "maxPoints": 1.0, "asked": 1, "unanswered": 1,
                "attempts": 1, "facility": 0.0, "chance": 0.5, "deviation": null, "discrimination": null, "efficiency": null,
                "flags": [], "options": [], "wrongAnswers": [], "medianSeconds": null, "timedCount": 0, "parts": [
                    {"partId": pairs[0]["id"], "text": "1", "right": 0}, {"partId": pairs[1]["id"], "text": "2", "right": 0},
                ],
            }],
        }));
        let in_group = json!({"page": page, "group": GroupId::new()});
        assert_eq!(server.data(&owner, ANALYSIS, in_group).await["tried"], 0);
        assert_eq!(server.refusal(&learner, ANALYSIS, read.clone()).await, "FORBIDDEN");
        assert_eq!(server.refusal(&stranger, ANALYSIS, read).await, "NOT_FOUND");
        assert_eq!(server.refusal(&owner, ANALYSIS, json!({"page": pages[1]["id"]})).await, "NOT_FOUND");
    }
}
