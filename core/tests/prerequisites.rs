//! Prerequisites on both databases: storing and refusing them, what they withhold, and what carries them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use kurso_base::error::Error;
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_base::messages::Lang;
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::check::{self, Depth, Rule};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, duplicate, lesson, module, page};
use kurso_core::drafts::store;
use kurso_core::learning::progress::Reason;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited, mark_page_visited_by_token, my_progress};
use kurso_core::schedule::{self, State};
use kurso_core::testing::{TestKurso, command, submission};
use kurso_core::{both, finding};
use kurso_db::sql;
use kurso_formats::quiz;
use kurso_formats::{CourseDraft, LessonDraft, ModuleDraft, Report};
use serde_json::{Value, json};
use uuid::Uuid;

/// Two modules of two lessons each: a page, a quiz, a page, a page.
struct Class {
    owner: Viewer,
    learner: Viewer,
    course: CourseId,
    modules: Vec<ModuleId>,
    lessons: Vec<LessonId>,
    pages: Vec<PageId>,
}

async fn class(kurso: &TestKurso) -> Class {
    let (owner, learner) = (kurso.person("owner").await, kurso.person("anna").await);
    let shape: &[&[&[_]]] = &[&[&[Content], &[Quiz]], &[&[Content], &[Content]]];
    let course = kurso.course(&owner, shape).await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    enroll(kurso, &learner, &Origin::default(), &code).await.unwrap();
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    let pages: Vec<PageId> = tree.pages.iter().map(|page| page.id).collect();
    let question = json!({"type": "numeric", "prompt": "?", "value": 4});
    kurso
        .set_quiz(pages[1], &json!({"pass_percent": 60, "questions": [question]}))
        .await;
    Class {
        owner,
        learner,
        course,
        modules: tree.modules.iter().map(|module| module.id).collect(),
        lessons: tree.lessons.iter().map(|lesson| lesson.id).collect(),
        pages,
    }
}

impl Class {
    async fn view(&self, kurso: &TestKurso) -> CourseView {
        my_progress(kurso, &self.learner, self.course).await.unwrap()
    }

    async fn lesson(&self, kurso: &TestKurso, lesson: usize, body: Value) -> Result<lesson::Lesson, Error> {
        lesson::update(kurso, &self.owner, self.lessons[lesson], command(&body)).await
    }

    async fn module(&self, kurso: &TestKurso, module: usize, body: Value) -> Result<module::Module, Error> {
        module::update(kurso, &self.owner, self.modules[module], command(&body)).await
    }

    async fn course(&self, kurso: &TestKurso, body: Value) -> Result<courses::Course, Error> {
        course::update(kurso, &self.owner, self.course, command(&body)).await
    }

    /// The lesson needs these modules and lessons.
    async fn needs(&self, kurso: &TestKurso, lesson: usize, needs: &[Uuid]) {
        let body = json!({"prerequisites": needs});
        self.lesson(kurso, lesson, body).await.unwrap();
    }

    async fn visit(&self, kurso: &TestKurso, page: usize) -> Result<CourseView, Error> {
        let visited = mark_page_visited(kurso, &self.learner, self.pages[page]).await;
        visited.map(|(view, _)| view)
    }

    /// Answers the quiz.
    async fn submit(&self, kurso: &TestKurso, number: i64) -> Result<CourseView, Error> {
        let texts = attempts::for_author(&kurso.db, &[self.pages[1]]).await.unwrap();
        let quiz = quiz::Quiz::from_text(&texts[&self.pages[1]]).unwrap();
        let body = json!({"answers": [{"question_id": quiz.questions[0].id, "number": number}]});
        let submitted = attempts::submit(kurso, &self.learner, self.pages[1], submission(&body)).await;
        submitted.map(|submitted| submitted.view)
    }
}

/// What the refusal of a locked page names.
fn needs<T: std::fmt::Debug>(result: Result<T, Error>) -> (Vec<&'static str>, Vec<String>) {
    match result {
        Err(Error::Locked {
            opens_at: None,
            reasons,
            needs,
            ..
        }) => (reasons, needs),
        other => panic!("{other:?}"),
    }
}

/// The fields and the English messages of a 422.
fn refusals<T: std::fmt::Debug>(result: Result<T, Error>) -> Vec<(String, String)> {
    let Err(Error::Invalid(errors)) = result else {
        panic!("{result:?}")
    };
    let text = |error: &kurso_base::error::FieldError| {
        let place = serde_json::to_string(&error.loc[1..]).unwrap();
        (place, error.message.text(Lang::En))
    };
    errors.iter().map(text).collect()
}

fn states(view: &CourseView) -> Vec<State> {
    (0..view.tree.pages.len())
        .map(|place| view.timeline().page(place).state)
        .collect()
}

const OPEN: State = State::Open;
const LOCKED: State = State::Locked;

both! {
    async fn prerequisites_are_stored_in_reading_order_and_replaced(kurso: TestKurso) {
        let class = class(&kurso).await;
        let ids = [class.lessons[2].0, class.modules[0].0, class.lessons[0].0, class.lessons[2].0];
        let read = [class.modules[0].0, class.lessons[0].0, class.lessons[2].0];
        let changed = class.lesson(&kurso, 3, json!({"prerequisites": ids})).await.unwrap();
        assert_eq!(changed.prerequisites, read);
        let changed = class.module(&kurso, 1, json!({"prerequisites": [class.lessons[1]]})).await.unwrap();
        assert_eq!((changed.prerequisites.clone(), changed.lessons[1].prerequisites.as_slice()), (vec![class.lessons[1].0], read.as_slice()));
        assert_eq!(module::get(&kurso, &class.owner, class.modules[1]).await.unwrap().prerequisites, changed.prerequisites);
        let view = class.view(&kurso).await;
        assert_eq!((view.module(1).prerequisites.clone(), view.lesson(3).prerequisites.as_slice()), (changed.prerequisites, read.as_slice()));
        assert_eq!(class.lesson(&kurso, 3, json!({"title": "Новый"})).await.unwrap().prerequisites, read, "left out: kept");
        class.needs(&kurso, 3, &[]).await;
        assert_eq!(lesson::get(&kurso, &class.owner, class.lessons[3]).await.unwrap().prerequisites, Vec::<Uuid>::new());
        assert!(class.view(&kurso).await.lesson(3).prerequisites.is_empty());
    }

    async fn deleting_a_part_frees_what_needs_it(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.needs(&kurso, 3, &[class.lessons[0].0, class.modules[0].0]).await;
        lesson::delete(&kurso, &class.owner, class.lessons[0]).await.unwrap();
        assert_eq!(class.view(&kurso).await.tree.lessons[2].prerequisites, [class.modules[0].0]);
        module::delete(&kurso, &class.owner, class.modules[0]).await.unwrap();
        assert_eq!(states(&class.view(&kurso).await), [OPEN, OPEN]);
        let (left,) = sql!("SELECT COUNT(*) FROM prerequisites").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(left, 0);
    }

    async fn unknown_parts_and_the_part_itself_are_refused(kurso: TestKurso) {
        let class = class(&kurso).await;
        let other = kurso.course(&class.owner, &[&[&[Content]]]).await;
        let foreign = CourseView::load(&kurso, &class.owner, other, Right::Read).await.unwrap().tree.lessons[0].id;
        lesson::delete(&kurso, &class.owner, class.lessons[2]).await.unwrap();
        let unknown = "There is no such module or lesson in this course";
        let ids = json!([class.lessons[0], foreign, class.lessons[2], class.pages[0]]);
        let refused = refusals(class.lesson(&kurso, 3, json!({"prerequisites": ids, "title": "Другой"})).await);
        let expected = |index: usize, message: &str| (format!("[\"prerequisites\",{index}]"), message.to_owned());
        assert_eq!(refused, [1, 2, 3].map(|index| expected(index, unknown)));
        let itself = "A module or lesson cannot need itself, the module it is in, or a lesson in it";
        let ids = json!([class.lessons[3], class.modules[1]]);
        assert_eq!(refusals(class.lesson(&kurso, 3, json!({"prerequisites": ids})).await), [0, 1].map(|index| expected(index, itself)));
        let ids = json!([class.modules[1], class.lessons[3]]);
        assert_eq!(refusals(class.module(&kurso, 1, json!({"prerequisites": ids})).await), [0, 1].map(|index| expected(index, itself)));
        let stored = lesson::get(&kurso, &class.owner, class.lessons[3]).await.unwrap();
        assert_eq!((stored.title.as_str(), stored.prerequisites.len()), ("Урок 2.2", 0), "nothing is half done");
    }

    async fn a_cycle_is_refused_with_its_titles_in_order(kurso: TestKurso) {
        let class = class(&kurso).await;
        let (modules, lessons) = (&class.modules, &class.lessons);
        class.needs(&kurso, 1, &[lessons[2].0]).await;
        class.needs(&kurso, 2, &[lessons[3].0]).await;
        let cycle = |field: &str, titles: &str| vec![(format!("[\"{field}\"]"), format!("Nobody could complete this: {titles}"))];
        let refused = class.lesson(&kurso, 3, json!({"prerequisites": [lessons[1]]})).await;
        assert_eq!(refusals(refused), cycle("prerequisites", "“Урок 1.2” → “Урок 2.1” → “Урок 2.2” → “Урок 1.2”"));
        let refused = class.module(&kurso, 1, json!({"prerequisites": [modules[0]]})).await;
        assert_eq!(refusals(refused), cycle("prerequisites", "“Модуль 1” → “Урок 1.2” → “Урок 2.1” → “Модуль 1”"));
        let refused = class.course(&kurso, json!({"sequential": true, "title": "Подряд"})).await;
        assert_eq!(refusals(refused), cycle("sequential", "“Урок 2.1” → “Урок 2.2” → “Урок 2.1”"));
        assert_eq!(class.view(&kurso).await.course.title, "Курс");
        class.needs(&kurso, 1, &[]).await;
        class.needs(&kurso, 2, &[]).await;
        class.needs(&kurso, 3, &[modules[0].0]).await;
        class.course(&kurso, json!({"sequential": true})).await.unwrap();
        class.module(&kurso, 1, json!({"position": 1})).await.unwrap();
        assert_eq!(refusals(class.module(&kurso, 1, json!({"position": 0})).await)[0].0, "[\"position\"]");
        let refused = refusals(class.lesson(&kurso, 3, json!({"module_id": modules[0], "position": 0})).await);
        assert_eq!(refused[0].0, "[\"module_id\"]");
        class.lesson(&kurso, 2, json!({"position": 1})).await.unwrap();
        let empty = module::create(&kurso, &class.owner, class.course, command(json!({"title": "Пустой", "position": 0}))).await.unwrap();
        module::update(&kurso, &class.owner, empty.id, command(json!({"prerequisites": [lessons[0]]}))).await.unwrap();
        let refused = lesson::create(&kurso, &class.owner, empty.id, command(json!({"title": "Первый"}))).await;
        assert_eq!(refusals(refused), cycle("position", "“Урок 1.1” → “Первый” → “Урок 1.1”"));
    }

    async fn a_lesson_opens_when_what_it_needs_is_complete(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.needs(&kurso, 2, &[class.modules[0].0]).await;
        assert_eq!(states(&class.view(&kurso).await), [OPEN, OPEN, LOCKED, OPEN]);
        assert_eq!(needs(class.visit(&kurso, 2).await), (vec!["needs"], vec!["Модуль 1".to_owned()]));
        let view = class.view(&kurso).await;
        assert_eq!(view.reason(2), Some(Reason::Locked { opens_at: None, needs: vec!["Модуль 1".to_owned()] }));
        assert_eq!(view.progress.pages_total, 4, "locked pages count");
        class.visit(&kurso, 0).await.unwrap();
        class.submit(&kurso, 3).await.unwrap();
        assert_eq!(states(&class.view(&kurso).await)[2], LOCKED, "a failed attempt completes nothing");
        let after = class.submit(&kurso, 4).await.unwrap();
        assert_eq!(states(&after)[2], OPEN, "the answer of the attempt knows it");
        class.visit(&kurso, 2).await.unwrap();

        // Prerequisites that come later also lock what was read.
        class.needs(&kurso, 0, &[class.lessons[3].0]).await;
        assert_eq!(needs(class.visit(&kurso, 0).await).1, ["Урок 2.2"]);
        let staff = CourseView::load(&kurso, &class.owner, class.course, Right::Read).await.unwrap();
        assert!(staff.require_readable(0).is_ok() && staff.timeline().lesson(0).needs.is_empty(), "staff are never locked out");
    }

    async fn lessons_open_one_after_the_other(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.course(&kurso, json!({"sequential": true})).await.unwrap();
        let token = kurso.token("anna@example.com").await;
        assert_eq!(states(&class.view(&kurso).await), [OPEN, LOCKED, LOCKED, LOCKED]);
        assert_eq!(needs(class.submit(&kurso, 4).await), (vec!["needs"], vec!["Урок 1.1".to_owned()]));
        assert!(mark_page_visited_by_token(&kurso, &token, class.pages[2]).await.is_none());
        let after = class.visit(&kurso, 0).await.unwrap();
        assert_eq!(states(&after), [OPEN, OPEN, LOCKED, LOCKED]);
        class.submit(&kurso, 4).await.unwrap();
        let (after, _) = mark_page_visited_by_token(&kurso, &token, class.pages[2]).await.unwrap();
        assert_eq!(states(&after), [OPEN; 4], "the fast path answers the same");

        // The last lesson moves to the front: the first one now needs it.
        class.lesson(&kurso, 3, json!({"module_id": class.modules[0], "position": 0})).await.unwrap();
        let view = class.view(&kurso).await;
        assert_eq!(states(&view), [OPEN, LOCKED, OPEN, OPEN], "a lesson needs the one before it only");
        assert_eq!(view.timeline().lesson(1).needs, ["Урок 2.2"]);
        page::update(&kurso, &class.owner, class.pages[3], None, command(json!({"published": false}))).await.unwrap();
        assert_eq!(states(&class.view(&kurso).await)[1], OPEN, "a lesson without pages holds up nobody");
    }

    async fn time_and_prerequisites_combine(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.needs(&kurso, 3, &[class.lessons[0].0]).await;
        class.lesson(&kurso, 3, json!({"available_from": "2026-11-22T09:00:00Z"})).await.unwrap();
        let timing = class.view(&kurso).await.timeline().page(3);
        assert_eq!(timing.reasons().collect::<Vec<_>>(), [schedule::Reason::NotYet, schedule::Reason::Needs]);
        assert_eq!(timing.will_open_at(), timing.opens_at);
        class.visit(&kurso, 0).await.unwrap();
        let timing = class.view(&kurso).await.timeline().page(3);
        assert_eq!((timing.state, timing.reasons().collect::<Vec<_>>()), (LOCKED, vec![schedule::Reason::NotYet]));
        kurso.clock.advance(chrono::Duration::days(1));
        assert_eq!(class.view(&kurso).await.timeline().page(3).state, OPEN);
    }

    async fn a_timing_names_the_first_ten_of_many_prerequisites(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let lessons: Vec<&[_]> = vec![&[Content]; 13];
        let course = kurso.course(&owner, &[&lessons]).await;
        let tree = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap().tree;
        let (last, first) = tree.lessons.split_last().unwrap();
        let needed: Vec<Uuid> = first.iter().map(|lesson| lesson.id.0).collect();
        lesson::update(&kurso, &owner, last.id, command(json!({"prerequisites": needed}))).await.unwrap();
        let learner = kurso.person("anna").await;
        let shared = courses::generate_share_code(&kurso, &owner, course).await.unwrap();
        enroll(&kurso, &learner, &Origin::default(), &shared.share_code.unwrap()).await.unwrap();
        let view = CourseView::load(&kurso, &learner, course, Right::Read).await.unwrap();
        assert_eq!(view.lesson(12).prerequisites, needed);
        let titles: Vec<_> = first[..10].iter().map(|lesson| lesson.title.clone()).collect();
        assert_eq!(view.timeline().page(12).needs, titles);
    }

    async fn a_module_with_several_prerequisites_keeps_its_description(kurso: TestKurso) {
        let class = class(&kurso).await;
        let needed = [class.lessons[0].0, class.lessons[1].0, class.modules[0].0];
        class.module(&kurso, 1, json!({"description": "О словах", "prerequisites": needed})).await.unwrap();
        let view = class.view(&kurso).await;
        assert_eq!(view.module(1).description.as_deref(), Some("О словах"));
        assert_eq!(view.module(1).prerequisites, [class.modules[0].0, class.lessons[0].0, class.lessons[1].0]);
    }

    async fn hidden_titles_of_locked_parts_are_not_named(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.course(&kurso, json!({"sequential": true, "hide_locked_titles": true})).await.unwrap();
        let view = class.view(&kurso).await;
        assert_eq!(view.timeline().lesson(1).needs, ["Урок 1.1"]);
        assert_eq!((view.timeline().lesson(2).needs, view.lesson(2).title.as_str()), (vec!["…".to_owned()], "…"));
        let found = async |words: &str| {
            let search = Search::of(words);
            finding::search(&kurso, &class.learner, &search, Page::new(0, 10)).await.unwrap().count
        };
        assert_eq!((found("1.1").await, found("2.1").await), (1, 0));
        let after = class.visit(&kurso, 0).await.unwrap();
        assert_eq!((after.lesson(1).title.as_str(), after.lesson(2).title.as_str()), ("Урок 1.2", "…"), "what opens shows its title at once");
        assert_eq!(found("1.2").await, 1);
    }

    async fn copies_of_modules_and_lessons_need_the_same(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.needs(&kurso, 3, &[class.lessons[0].0, class.lessons[2].0]).await;
        class.course(&kurso, json!({"sequential": true})).await.unwrap();
        let copy = duplicate::lesson(&kurso, &class.owner, class.lessons[3]).await.unwrap();
        assert_eq!(copy.prerequisites, [class.lessons[0].0, class.lessons[2].0]);
        let copy = duplicate::module(&kurso, &class.owner, class.modules[1]).await.unwrap();
        assert_eq!(copy.lessons[1].prerequisites, [class.lessons[0].0, copy.lessons[0].id.0]);
        let whole = duplicate::course(&kurso, &class.owner, class.course, Default::default()).await.unwrap();
        assert!(whole.dates.sequential);
        let tree = CourseView::load(&kurso, &class.owner, whole.id, Right::Read).await.unwrap().tree;
        assert_eq!(tree.lessons[3].prerequisites, [tree.lessons[0].id.0, tree.lessons[2].id.0]);
        let report = check::check(&kurso, Depth::default()).await.unwrap();
        assert!(report.is_clean(), "{:?}", report.findings);
    }

    async fn a_stored_draft_drops_the_cycles_and_reports_them(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let lesson = |title: &str| LessonDraft::new(title, vec![]);
        let draft = |is_sequential: bool| {
            let mut draft = CourseDraft::new("Курс", vec![ModuleDraft::new("М", vec![lesson("А"), lesson("Б"), lesson("В")])]);
            let ids: Vec<Uuid> = draft.lessons().map(|lesson| lesson.id).collect();
            let lessons = &mut draft.modules[0].lessons;
            lessons[0].prerequisites = vec![ids[1], Uuid::now_v7()];
            lessons[1].prerequisites = vec![ids[0]];
            lessons[2].prerequisites = vec![ids[0], ids[0]];
            draft.dates.sequential = is_sequential;
            draft
        };
        for is_sequential in [false, true] {
            let mut report = Report::default();
            let stored = store::store(&kurso, owner.id(), draft(is_sequential), &mut report).await.unwrap();
            let codes: Vec<_> = report.entries.iter().map(|entry| entry.texts(Lang::En)).collect();
            assert_eq!(codes.len(), 1, "{codes:?}");
            let tree = CourseView::load(&kurso, &owner, stored.course_id, Right::Read).await.unwrap().tree;
            let needs: Vec<usize> = tree.lessons.iter().map(|lesson| lesson.prerequisites.len()).collect();
            assert_eq!(needs, [0, 0, 1]);
        }
        let report = check::check(&kurso, Depth::default()).await.unwrap();
        assert!(report.is_clean(), "{:?}", report.findings);
    }

    async fn the_check_finds_cycles_and_foreign_parts(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.needs(&kurso, 3, &[class.lessons[2].0]).await;
        sql!("UPDATE prerequisites SET needs_lesson_id = lesson_id").execute(&kurso.db).await.unwrap();
        let other = kurso.course(&class.owner, &[&[&[Content]], &[&[Content]]]).await;
        sql!(
            "INSERT INTO prerequisites (id, course_id, module_id, needs_module_id)
             SELECT $1, $2, $3, id FROM modules WHERE course_id = $4 AND position = 0",
            Uuid::now_v7(),
            class.course,
            class.modules[1],
            other
        )
        .execute(&kurso.db)
        .await
        .unwrap();
        let report = check::check(&kurso, Depth::default()).await.unwrap();
        let rules: Vec<_> = report.findings.iter().map(|finding| finding.rule).collect();
        assert_eq!(rules, [Rule::Companions, Rule::Prerequisites], "{:?}", report.findings);
        assert_eq!(report.findings[1].problem, "its prerequisites form a cycle: “Урок 2.2” → “Урок 2.2”");
    }
}
