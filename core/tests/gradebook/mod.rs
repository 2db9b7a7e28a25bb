//! The gradebook on both databases: where grades come from, decisions of teachers, settings, and what it costs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod csv;
mod decisions;
mod large;
mod settings;

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, GradeCategoryId, PageId};
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::courses::groups::{self, GroupFilter};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, overrides, page, team};
use kurso_core::gradebook::{self, Cell, Decided, Graded, Order, Query, Source};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited};
use kurso_core::students;
use kurso_core::testing::{TestKurso, command, submission};
use kurso_core::{attempts, both};
use kurso_db::sql;
use kurso_formats::quiz;
use serde_json::{Value, json};

/// A course with three quizzes of four questions each, a content page, and learners.
pub struct Class {
    pub owner: Viewer,
    pub teacher: Viewer,
    pub learners: Vec<Viewer>,
    pub enrollments: Vec<EnrollmentId>,
    pub course: CourseId,
    /// The quizzes in the order of the course.
    pub quizzes: Vec<PageId>,
    pub content: PageId,
    pub code: String,
}

pub async fn class(kurso: &TestKurso, names: &[&str]) -> Class {
    let owner = kurso.person("owner").await;
    let teacher = kurso.person("teacher").await;
    let course = kurso.course(&owner, &[&[&[Quiz, Content], &[Quiz]], &[&[Quiz]]]).await;
    kurso.collaborator(course, &teacher, "teacher").await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    let (mut learners, mut enrollments) = (vec![], vec![]);
    for name in names {
        let learner = kurso.person(name).await;
        let learnt = enroll(kurso, &learner, &Origin::default(), &code).await.unwrap();
        enrollments.push(learnt.enrollment.unwrap().id);
        learners.push(learner);
    }
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    let pages: Vec<PageId> = tree.pages.iter().map(|page| page.id).collect();
    let quizzes = vec![pages[0], pages[2], pages[3]];
    for quiz in &quizzes {
        let question = json!({"type": "numeric", "prompt": "?", "value": 4});
        kurso
            .set_quiz(*quiz, &json!({"pass_percent": 60, "questions": vec![question; 4]}))
            .await;
    }
    Class {
        owner,
        teacher,
        learners,
        enrollments,
        course,
        quizzes,
        content: pages[1],
        code,
    }
}

impl Class {
    /// Answers so many of the four questions of a quiz right.
    pub async fn submit(&self, kurso: &TestKurso, learner: usize, quiz: usize, right: usize) {
        let page = self.quizzes[quiz];
        let texts = attempts::for_author(&kurso.db, &[page]).await.unwrap();
        let quiz = quiz::Quiz::from_text(&texts[&page]).unwrap();
        let answers = quiz.questions.iter().enumerate();
        let answers: Vec<Value> = answers
            .map(|(at, question)| json!({"question_id": question.id, "number": if at < right { 4 } else { 5 }}))
            .collect();
        let body = submission(&json!({"answers": answers}));
        attempts::submit(kurso, &self.learners[learner], page, body)
            .await
            .unwrap();
    }

    pub async fn book(&self, kurso: &TestKurso, query: &Query) -> gradebook::Gradebook {
        gradebook::gradebook(kurso, &self.teacher, self.course, query, Page::default())
            .await
            .unwrap()
    }

    pub async fn grades(&self, kurso: &TestKurso, learner: usize) -> Graded {
        let book = self.book(kurso, &Query::default()).await;
        let id = self.enrollments[learner];
        let row = book.rows.data.into_iter().find(|row| row.learner.enrollment_id == id);
        row.unwrap().grades
    }

    pub async fn cell(&self, kurso: &TestKurso, learner: usize, quiz: usize) -> Cell {
        self.grades(kurso, learner).await.cells.0[quiz]
    }

    /// Decides as the teacher on the cell as it is now; without a quiz, on the grade of the course.
    pub async fn decide(
        &self,
        kurso: &TestKurso,
        learner: usize,
        quiz: Option<usize>,
        mut body: Value,
    ) -> Result<Decided, Error> {
        let grades = self.grades(kurso, learner).await;
        let version = quiz.map_or(grades.total.version, |quiz| grades.cells.0[quiz].version);
        body["page_id"] = json!(quiz.map(|quiz| self.quizzes[quiz]));
        body["version"] = json!(version);
        gradebook::decide(kurso, &self.teacher, self.enrollments[learner], command(body)).await
    }

    pub async fn update(&self, kurso: &TestKurso, body: Value) -> Result<gradebook::Setup, Error> {
        gradebook::update_settings(kurso, &self.teacher, self.course, command(body)).await
    }

    pub async fn set_items(
        &self,
        kurso: &TestKurso,
        quizzes: &[usize],
        mut body: Value,
    ) -> Result<gradebook::Setup, Error> {
        let pages: Vec<PageId> = quizzes.iter().map(|quiz| self.quizzes[*quiz]).collect();
        body["page_ids"] = json!(pages);
        gradebook::set_items(kurso, &self.teacher, self.course, command(body)).await
    }

    pub async fn category(&self, kurso: &TestKurso, body: Value) -> GradeCategoryId {
        let created = gradebook::create_category(kurso, &self.teacher, self.course, command(body)).await;
        created.unwrap().0
    }

    pub async fn date(&self, kurso: &TestKurso, quiz: usize, body: Value) {
        page::update(kurso, &self.owner, self.quizzes[quiz], None, command(body))
            .await
            .unwrap();
    }
}

pub fn query(search: &str, group: GroupFilter, sort: &str) -> Query {
    Query {
        search: Search::of(search),
        group,
        order: Order::parse(sort).unwrap(),
    }
}

/// The fields and messages of a refusal with 422.
pub fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> Vec<(String, Message)> {
    let Err(Error::Invalid(errors)) = result else {
        panic!("{result:?}")
    };
    let field = |error: &kurso_base::error::FieldError| {
        let loc = serde_json::to_value(&error.loc).unwrap();
        loc[1].as_str().unwrap_or_default().to_owned()
    };
    errors
        .iter()
        .map(|error| (field(error), error.message.clone()))
        .collect()
}

// The clock of the tests stands at 2026-11-21T09:00:00Z.
const YESTERDAY: &str = "2026-11-20T09:00:00Z";
const TOMORROW: &str = "2026-11-22T09:00:00Z";

both! {
    async fn a_cell_says_where_its_value_comes_from(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let seen = |cell: Cell| (cell.source, cell.percent, cell.points, cell.automatic, cell.version);
        assert_eq!(seen(class.cell(&kurso, 0, 0).await), (Source::None, None, None, None, 0));
        class.date(&kurso, 0, json!({"due_at": YESTERDAY, "late_until": TOMORROW, "late_penalty_per_day": 20})).await;
        assert_eq!(seen(class.cell(&kurso, 0, 0).await), (Source::Missing, None, None, None, 0));
        class.submit(&kurso, 0, 0, 3).await;
        assert_eq!(seen(class.cell(&kurso, 0, 0).await), (Source::Automatic, Some(6000), Some(6000), Some(6000), 0), "75 less a fifth");
        class.decide(&kurso, 0, Some(0), json!({"kind": "override", "points": "80.5", "reason": "Устный ответ"})).await.unwrap();
        assert_eq!(seen(class.cell(&kurso, 0, 0).await), (Source::Override, Some(8050), Some(8050), Some(6000), 1));
        class.decide(&kurso, 0, Some(0), json!({"kind": "excused", "reason": "Болел"})).await.unwrap();
        assert_eq!(seen(class.cell(&kurso, 0, 0).await), (Source::Excused, None, None, Some(6000), 2));
        class.decide(&kurso, 0, Some(0), json!({"kind": "removed"})).await.unwrap();
        assert_eq!(seen(class.cell(&kurso, 0, 0).await), (Source::Automatic, Some(6000), Some(6000), Some(6000), 3));
        let detail = students::detail(&kurso, &class.owner, class.enrollments[0]).await.unwrap();
        let place = detail.tree.place(class.quizzes[0]).unwrap();
        assert_eq!(detail.marks.tried[&place].best_percent * 100, 6000, "every screen shows the same result");
    }

    async fn a_quiz_is_missing_after_the_due_date_of_the_learner(kurso: TestKurso) {
        let class = class(&kurso, &["anna", "boris", "vera"]).await;
        class.date(&kurso, 0, json!({"due_at": YESTERDAY})).await;
        let group = groups::create(&kurso, &class.owner, class.course, command(json!({"title": "А"}))).await.unwrap().id;
        let to = json!({"enrollment_ids": [class.enrollments[1]], "group_id": group});
        groups::move_students(&kurso, &class.owner, class.course, command(to)).await.unwrap();
        for later in [
            json!({"group_id": group, "page_id": class.quizzes[0], "due_at": TOMORROW}),
            json!({"enrollment_id": class.enrollments[2], "page_id": class.quizzes[0], "due_at": TOMORROW}),
        ] {
            overrides::set(&kurso, &class.owner, class.course, command(later)).await.unwrap();
        }
        let sources = async || {
            let mut sources = vec![];
            for learner in 0..3 {
                sources.push(class.cell(&kurso, learner, 0).await.source);
            }
            sources
        };
        assert_eq!(sources().await, [Source::Missing, Source::None, Source::None]);
        assert_eq!(class.grades(&kurso, 0).await.total.percent, None, "it does not count yet");
        class.update(&kurso, json!({"missing_counts_as_zero": true})).await.unwrap();
        let zero = class.grades(&kurso, 0).await;
        assert_eq!((zero.total.percent, zero.cells.0[0].points), (Some(0), Some(0)));
        kurso.clock.advance(Duration::days(1));
        assert_eq!(sources().await[1..], [Source::None, Source::None], "at the due date there is still time");
        kurso.clock.advance(Duration::seconds(1));
        assert_eq!(sources().await, [Source::Missing; 3]);
        let own = gradebook::own(&kurso, &class.learners[2], class.course).await.unwrap();
        assert_eq!(own.grades[0].cell.source, Source::Missing);
    }

    async fn categories_weigh_results_and_drop_the_lowest(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        for (quiz, right) in [(0, 4), (1, 1), (2, 2)] {
            class.submit(&kurso, 0, quiz, right).await;
        }
        let total = async || class.grades(&kurso, 0).await.total.percent;
        assert_eq!(total().await, Some(5833), "175 of 300");
        class.set_items(&kurso, &[1], json!({"points": "50"})).await.unwrap();
        assert_eq!(total().await, Some(6500), "162.5 of 250");
        let tests = class.category(&kurso, json!({"title": "Тесты", "weight": "60"})).await;
        assert_eq!(total().await, None, "without a category they count nowhere");
        let exam = class.category(&kurso, json!({"title": "Экзамен", "weight": "40"})).await;
        class.set_items(&kurso, &[0, 1], json!({"category_id": tests})).await.unwrap();
        assert_eq!(total().await, Some(7500), "112.5 of 150; nothing of the exam");
        class.set_items(&kurso, &[2], json!({"category_id": exam})).await.unwrap();
        assert_eq!(total().await, Some(6500), "75 × 0.6 + 50 × 0.4");
        let dropped = gradebook::update_category(&kurso, &class.teacher, tests, command(json!({"drop_lowest": 1}))).await.unwrap();
        assert_eq!(dropped.categories[0].drop_lowest, 1);
        let grades = class.grades(&kurso, 0).await;
        assert_eq!((grades.total.percent, grades.categories), (Some(8000), vec![Some(10_000), Some(5000)]));
        assert_eq!(grades.cells.0.iter().map(|cell| cell.is_dropped).collect::<Vec<_>>(), [false, true, false]);
        class.set_items(&kurso, &[1], json!({"extra_credit": true})).await.unwrap();
        assert_eq!(total().await, Some(8750), "12.5 points more of 100");
        class.set_items(&kurso, &[2], json!({"is_excluded": true})).await.unwrap();
        assert_eq!(total().await, Some(11_250));
        class.set_items(&kurso, &[0, 1, 2], json!({"extra_credit": false, "is_excluded": false, "category_id": null})).await.unwrap();
        assert_eq!(total().await, None);
        gradebook::delete_category(&kurso, &class.teacher, tests).await.unwrap();
        gradebook::delete_category(&kurso, &class.teacher, exam).await.unwrap();
        assert_eq!(total().await, Some(6500));
    }

    async fn labels_follow_the_scheme_of_the_course(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        class.submit(&kurso, 0, 0, 3).await;
        let label = async || class.grades(&kurso, 0).await.total.label;
        assert_eq!(label().await, None);
        for (scheme, mark) in [("five_point", Some("4")), ("letters", Some("C")), ("pass_fail", Some("pass"))] {
            class.update(&kurso, json!({"scheme": scheme})).await.unwrap();
            assert_eq!(label().await, mark, "{scheme}");
        }
        let set = class.update(&kurso, json!({"scheme": "five_point", "thresholds": ["75", "60", "40.5"]})).await.unwrap();
        assert_eq!(set.thresholds, [7500, 6000, 4050]);
        assert_eq!(label().await, Some("5"));
        class.decide(&kurso, 0, None, json!({"kind": "override", "points": "40.49", "reason": "Списывание"})).await.unwrap();
        let total = class.grades(&kurso, 0).await.total;
        assert_eq!((total.source, total.percent, total.automatic, total.label), (Source::Override, Some(4049), Some(7500), Some("2")));
        let reset = class.update(&kurso, json!({"thresholds": null})).await.unwrap();
        assert_eq!(reset.thresholds, [8500, 7000, 5000]);
        class.update(&kurso, json!({"thresholds": ["90", "80", "70"]})).await.unwrap();
        let other = class.update(&kurso, json!({"scheme": "letters"})).await.unwrap();
        assert_eq!(other.thresholds, [9000, 8000, 7000, 6000], "thresholds are those of a scheme");
    }

    async fn learners_are_found_sorted_and_shown_in_parts(kurso: TestKurso) {
        let class = class(&kurso, &["anna", "boris", "vera", "galya"]).await;
        for (learner, right) in [(0, 2), (1, 4), (2, 3)] {
            class.submit(&kurso, learner, 0, right).await;
        }
        let names = async |query: &Query| {
            let found = class.book(&kurso, query).await.rows;
            found.data.iter().map(|row| row.full_name.clone().unwrap()).collect::<Vec<_>>()
        };
        let all = GroupFilter::All;
        assert_eq!(names(&query("", all, "full_name")).await, ["anna", "boris", "galya", "vera"]);
        assert_eq!(names(&query("", all, "-email")).await, ["vera", "galya", "boris", "anna"]);
        assert_eq!(names(&query("", all, "total")).await, ["anna", "vera", "boris", "galya"]);
        assert_eq!(names(&query("", all, "-total")).await, ["boris", "vera", "anna", "galya"]);
        assert_eq!(names(&query("er", all, "-total")).await, ["vera"]);
        let group = groups::create(&kurso, &class.owner, class.course, command(json!({"title": "А"}))).await.unwrap().id;
        let to = json!({"enrollment_ids": [class.enrollments[1], class.enrollments[3]], "group_id": group});
        groups::move_students(&kurso, &class.owner, class.course, command(to)).await.unwrap();
        assert_eq!(names(&query("", GroupFilter::In(group), "-total")).await, ["boris", "galya"]);
        assert_eq!(names(&query("", GroupFilter::Without, "full_name")).await, ["anna", "vera"]);
        class.decide(&kurso, 0, None, json!({"kind": "override", "points": "150", "reason": "Олимпиада"})).await.unwrap();
        for (sort, expected) in [("-total", ["boris", "vera"]), ("full_name", ["boris", "galya"])] {
            let part = gradebook::gradebook(&kurso, &class.teacher, class.course, &query("", all, sort), Page::new(1, 2)).await.unwrap();
            let names: Vec<_> = part.rows.data.iter().map(|row| row.full_name.as_deref().unwrap()).collect();
            assert_eq!((names, part.rows.count), (expected.to_vec(), 4), "{sort}");
        }
    }

    async fn drafts_count_nowhere_and_are_not_shown_to_learners(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        class.submit(&kurso, 0, 0, 4).await;
        class.submit(&kurso, 0, 1, 0).await;
        class.decide(&kurso, 0, Some(1), json!({"kind": "override", "points": "10", "reason": "Проект"})).await.unwrap();
        class.date(&kurso, 1, json!({"published": false})).await;
        class.date(&kurso, 2, json!({"published": false})).await;
        let grades = class.grades(&kurso, 0).await;
        assert_eq!((grades.cells.0.len(), grades.total.percent), (1, Some(10_000)));
        let own = gradebook::own(&kurso, &class.learners[0], class.course).await.unwrap();
        assert_eq!(own.grades.iter().map(|grade| grade.page_id).collect::<Vec<_>>(), [class.quizzes[0]]);
        let setup = gradebook::setup(&kurso, &class.teacher, class.course).await.unwrap();
        assert_eq!(setup.items.iter().map(|item| item.published).collect::<Vec<_>>(), [true, false, false]);
        class.date(&kurso, 1, json!({"published": true})).await;
        assert_eq!(class.cell(&kurso, 0, 1).await.percent, Some(1000), "decisions return with the page");
    }

    async fn learners_see_their_own_grades_with_reasons_and_no_hidden_titles(kurso: TestKurso) {
        let class = class(&kurso, &["anna", "boris"]).await;
        class.date(&kurso, 0, json!({"title": "Открытый тест", "due_at": YESTERDAY, "late_until": TOMORROW, "late_penalty_per_day": 50})).await;
        class.date(&kurso, 1, json!({"title": "Тайный тест", "available_from": TOMORROW})).await;
        let hidden = json!({"hide_locked_titles": true});
        courses::course::update(&kurso, &class.owner, class.course, command(hidden)).await.unwrap();
        class.submit(&kurso, 0, 0, 4).await;
        class.decide(&kurso, 0, Some(2), json!({"kind": "excused", "reason": "Болела"})).await.unwrap();
        class.decide(&kurso, 0, None, json!({"kind": "override", "points": "99", "reason": "За старание"})).await.unwrap();
        let own = gradebook::own(&kurso, &class.learners[0], class.course).await.unwrap();
        let titles: Vec<_> = own.grades.iter().map(|grade| grade.title.as_deref()).collect();
        assert_eq!(titles[..2], [Some("Открытый тест"), None]);
        assert_eq!((own.grades[0].penalty_percent, own.grades[0].cell.percent), (Some(50), Some(5000)));
        assert_eq!((own.grades[2].reason.as_deref(), own.grades[2].cell.source), (Some("Болела"), Source::Excused));
        assert_eq!((own.reason.as_deref(), own.graded.total.percent), (Some("За старание"), Some(9900)));
        let other = gradebook::own(&kurso, &class.learners[1], class.course).await.unwrap();
        assert!(other.reason.is_none() && other.grades.iter().all(|grade| grade.reason.is_none() && grade.cell.earned.is_none()));
        let staff = gradebook::own(&kurso, &class.owner, class.course).await;
        assert!(matches!(staff, Err(Error::Forbidden(Message::NotEnrolled))), "{staff:?}");
    }

    async fn roles_decide_who_reads_and_who_changes(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let (editor, stranger, admin) = (kurso.person("editor").await, kurso.person("stranger").await, kurso.superuser("root").await);
        kurso.collaborator(class.course, &editor, "editor").await;
        let status = |result: Result<(), Error>| match result {
            Ok(()) => 200,
            Err(Error::Forbidden(_)) => 403,
            Err(Error::NotFound(_)) => 404,
            Err(other) => panic!("{other:?}"),
        };
        let people = [(&class.owner, 200, 200), (&class.teacher, 200, 200), (&editor, 200, 403), (&admin, 200, 403), (&class.learners[0], 403, 403), (&stranger, 404, 404)];
        for (viewer, reads, changes) in people {
            let book = gradebook::gradebook(&kurso, viewer, class.course, &Query::default(), Page::default()).await;
            let cell = gradebook::read_cell(&kurso, viewer, class.enrollments[0], None).await;
            let setup = gradebook::setup(&kurso, viewer, class.course).await;
            assert_eq!([book.map(drop), cell.map(drop), setup.map(drop)].map(status), [reads; 3], "{}", viewer.user.email);
            let category = gradebook::create_category(&kurso, viewer, class.course, command(json!({"title": "К"}))).await;
            let settings = gradebook::update_settings(&kurso, viewer, class.course, command(json!({}))).await;
            let items = gradebook::set_items(&kurso, viewer, class.course, command(json!({"page_ids": [class.quizzes[0]]}))).await;
            let version = class.cell(&kurso, 0, 0).await.version;
            let excuse = json!({"page_id": class.quizzes[0], "version": version, "kind": "excused", "reason": "П"});
            let decided = gradebook::decide(&kurso, viewer, class.enrollments[0], command(excuse)).await;
            let all = [category.map(drop), settings.map(drop), items.map(drop), decided.map(drop)].map(status);
            assert_eq!(all, [changes; 4], "{}", viewer.user.email);
        }
    }

    /// However many learners, quizzes, decisions and overrides there are.
    async fn a_gradebook_takes_a_bounded_number_of_statements(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let cost = async |query: &Query| {
            class.book(&kurso, query).await;
            let before = kurso.db.statements();
            class.book(&kurso, query).await;
            kurso.db.statements() - before
        };
        let queries = [query("", GroupFilter::All, "full_name"), query("", GroupFilter::All, "-total")];
        let small = [cost(&queries[0]).await, cost(&queries[1]).await];
        assert_eq!(small, [8, 7]);
        for n in 0..12 {
            let learner = kurso.person(&format!("learner-{n}")).await;
            let learnt = enroll(&kurso, &learner, &Origin::default(), &class.code).await.unwrap();
            let extension = json!({"enrollment_id": learnt.enrollment.unwrap().id, "page_id": class.quizzes[n % 3], "due_at": YESTERDAY});
            overrides::set(&kurso, &class.owner, class.course, command(extension)).await.unwrap();
            mark_page_visited(&kurso, &learner, class.content).await.unwrap();
        }
        class.decide(&kurso, 0, Some(1), json!({"kind": "excused", "reason": "Болела"})).await.unwrap();
        class.submit(&kurso, 0, 0, 1).await;
        assert_eq!([cost(&queries[0]).await, cost(&queries[1]).await], small);
        sql!("UPDATE enrollments SET tries = NULL").execute(&kurso.db).await.unwrap();
        assert_eq!([cost(&queries[0]).await, cost(&queries[1]).await], small.map(|count| count + 1));
        assert_eq!(class.cell(&kurso, 0, 0).await.percent, Some(2500), "read from the attempts");
    }

    async fn decisions_return_with_a_learner_who_enrolls_again(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        class.submit(&kurso, 0, 0, 2).await;
        class.decide(&kurso, 0, Some(1), json!({"kind": "override", "points": "70", "reason": "Проект"})).await.unwrap();
        team::leave(&kurso, &class.learners[0], class.course).await.unwrap();
        assert_eq!(class.book(&kurso, &Query::default()).await.rows.count, 0);
        enroll(&kurso, &class.learners[0], &Origin::default(), &class.code).await.unwrap();
        let book = class.book(&kurso, &Query::default()).await;
        assert_eq!(book.rows.data[0].grades.total.percent, Some(6000));
    }
}
