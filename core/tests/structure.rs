//! Building a course over both databases: making, changing, moving and deleting what is in it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use std::sync::Arc;

use kurso_base::error::{Error, FieldError};
use kurso_base::ids::{CourseId, FileId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_base::random;
use kurso_base::values::EditorSession;
use kurso_core::access::{Right, Viewer};
use kurso_core::courses::page::UpdateError;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, lesson, module, page};
use kurso_core::files::{self, File};
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command};
use kurso_core::{Kurso, both};
use kurso_db::sql;
use kurso_formats::content;
use serde_json::{Value, json};

async fn view(kurso: &Kurso, who: &Viewer, course: CourseId) -> CourseView {
    CourseView::load(kurso, who, course, Right::ReadAsAuthor).await.unwrap()
}

/// Titles of lessons by module, of pages by lesson: `[["a", "b"], []]`.
fn lessons(view: &CourseView) -> Vec<Vec<&str>> {
    let modules = view.tree.modules.iter();
    modules
        .map(|m| {
            view.tree.lessons[m.lessons.clone()]
                .iter()
                .map(|l| l.title.as_str())
                .collect()
        })
        .collect()
}

fn pages(view: &CourseView) -> Vec<Vec<&str>> {
    let lessons = view.tree.lessons.iter();
    lessons
        .map(|l| {
            view.tree.pages[l.pages.clone()]
                .iter()
                .map(|p| p.title.as_deref().unwrap_or("-"))
                .collect()
        })
        .collect()
}

/// Every list of siblings is numbered 0, 1, 2, … without a gap.
fn assert_dense(view: &CourseView) {
    let dense = |positions: Vec<i64>| assert_eq!(positions, (0..positions.len() as i64).collect::<Vec<_>>());
    dense(view.tree.modules.iter().map(|m| m.position).collect());
    for module in &view.tree.modules {
        dense(
            view.tree.lessons[module.lessons.clone()]
                .iter()
                .map(|l| l.position)
                .collect(),
        );
    }
    for lesson in &view.tree.lessons {
        dense(
            view.tree.pages[lesson.pages.clone()]
                .iter()
                .map(|p| p.position)
                .collect(),
        );
    }
}

fn refused<T: std::fmt::Debug>(result: Result<T, impl Into<UpdateError>>) -> Vec<FieldError> {
    match result.map_err(Into::into) {
        Err(UpdateError::Refused(Error::Invalid(errors))) => errors,
        other => panic!("not refused: {other:?}"),
    }
}

/// The refusal of a save that meets no other one.
fn refusal(error: UpdateError) -> Error {
    match error {
        UpdateError::Refused(error) => error,
        UpdateError::Conflict(_) => panic!("{error}"),
    }
}

/// `(rule, where)` of each error.
fn wrong<T: std::fmt::Debug>(result: Result<T, impl Into<UpdateError>>) -> Vec<(&'static str, String)> {
    let errors = refused(result).into_iter();
    errors
        .map(|error| (error.kind, serde_json::to_value(error.loc).unwrap().to_string()))
        .collect()
}

async fn relate(kurso: &TestKurso, course: CourseId, who: &Viewer, role: &'static str) {
    let text = if role == "learner" {
        "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($4, $1, $2, $3, $3)"
    } else {
        "INSERT INTO collaborators (course_id, user_id, role, created_at) VALUES ($1, $2, $4, $3)"
    };
    let sql = sql!(text, course, who.id(), kurso.clock.now());
    let sql = if role == "learner" {
        sql.bind(kurso_base::ids::EnrollmentId::new())
    } else {
        sql.bind(role)
    };
    sql.execute(&kurso.db).await.unwrap();
}

async fn count(kurso: &TestKurso, text: &'static str) -> i64 {
    sql!(text).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
}

async fn file(kurso: &TestKurso, owner: &Viewer) -> File {
    let file = File {
        id: FileId::new(),
        key: random::key(),
        filename: "a.png".into(),
        content_type: "image/png".into(),
        size: 1,
        width: None,
        height: None,
        sha256: None,
        created_at: kurso.clock.now(),
    };
    files::insert(&kurso.db, &file, owner.id()).await.unwrap();
    file
}

fn showing(src: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": src}}]})
}

fn linking(href: &str) -> Value {
    let link = json!({"type": "link", "attrs": {"href": href}});
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "x", "marks": [link]}]}]})
}

both! {
    async fn a_course_is_built_from_nothing(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let made = course::create(&kurso, &owner, command(json!({"title": "Курс", "id": "ignored"}))).await.unwrap();
        assert_eq!((made.title.as_str(), made.description.as_deref()), ("Курс", None));
        assert_eq!(made.share_code, None);
        let id = made.id;
        assert_eq!(view(&kurso, &owner, id).await.sizes(), (0, 0, 0));

        let module = module::create(&kurso, &owner, id, command(json!({"title": "М", "description": "о чём"}))).await.unwrap();
        assert_eq!((module.position, module.description.as_deref(), module.lessons.len()), (0, Some("о чём"), 0));
        let lesson = lesson::create(&kurso, &owner, module.id, command(json!({"title": "У", "position": null}))).await.unwrap();
        assert_eq!((lesson.position, lesson.module_id, lesson.course_id), (0, module.id, id));
        let first = page::create(&kurso, &owner, lesson.id, command(json!({}))).await.unwrap();
        assert_eq!((first.title.as_deref(), first.kind, first.published, first.version), (None, Content, true, 1));
        assert_eq!(content::parse(&first.content).unwrap(), content::empty());
        let quiz = json!({"title": "Т", "kind": "quiz", "published": false, "position": 0, "quiz": {"questions": []}});
        let quiz = page::create(&kurso, &owner, lesson.id, command(&quiz)).await.unwrap();
        assert_eq!((quiz.kind, quiz.published, quiz.position), (Quiz, false, 0));
        let stored = kurso_formats::quiz::Quiz::from_text(quiz.quiz.as_deref().unwrap()).unwrap();
        assert_eq!((stored.pass_percent, stored.questions.len()), (70, 0));

        let module = module::get(&kurso, &owner, module.id).await.unwrap();
        assert_eq!(module.lessons[0].pages.iter().map(|p| p.id).collect::<Vec<_>>(), [quiz.id, first.id]);
        let lesson = lesson::get(&kurso, &owner, lesson.id).await.unwrap();
        assert_eq!(lesson.pages.iter().map(|p| p.position).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(page::get(&kurso, &owner, first.id).await.unwrap().position, 1);
        assert_dense(&view(&kurso, &owner, id).await);
    }

    async fn only_what_is_given_changes(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = course::create(&kurso, &owner, command(json!({"title": "К", "description": "д"}))).await.unwrap().id;
        kurso.clock.advance(chrono::Duration::seconds(1));
        let changed = course::update(&kurso, &owner, id, command(json!({"title": "К2"}))).await.unwrap();
        assert_eq!((changed.title.as_str(), changed.description.as_deref()), ("К2", Some("д")));
        assert_eq!(changed.updated_at, kurso.clock.now());
        let changed = course::update(&kurso, &owner, id, command(json!({"description": null}))).await.unwrap();
        assert_eq!((changed.title.as_str(), changed.description.as_deref()), ("К2", None));
        kurso.clock.advance(chrono::Duration::seconds(1));
        let same = course::update(&kurso, &owner, id, command(json!({"unknown": 1}))).await.unwrap();
        assert_eq!(same.updated_at, changed.updated_at);

        let m = module::create(&kurso, &owner, id, command(json!({"title": "М", "description": "д"}))).await.unwrap().id;
        let changed = module::update(&kurso, &owner, m, command(json!({"title": "М2"}))).await.unwrap();
        assert_eq!((changed.title.as_str(), changed.description.as_deref()), ("М2", Some("д")));
        let changed = module::update(&kurso, &owner, m, command(json!({"description": null}))).await.unwrap();
        assert_eq!((changed.title.as_str(), changed.description.as_deref()), ("М2", None));
        let l = lesson::create(&kurso, &owner, m, command(json!({"title": "У"}))).await.unwrap().id;
        assert_eq!(lesson::update(&kurso, &owner, l, command(json!({"title": "У2"}))).await.unwrap().title, "У2");
        let p = page::create(&kurso, &owner, l, command(json!({"title": "С"}))).await.unwrap();
        let changed = page::update(&kurso, &owner, p.id, None, command(json!({"published": false}))).await.unwrap();
        assert_eq!((changed.title.as_deref(), changed.published, changed.version), (Some("С"), false, 1));
        let changed = page::update(&kurso, &owner, p.id, None, command(json!({"title": null}))).await.unwrap();
        assert_eq!((changed.title.as_deref(), changed.published, changed.version), (None, false, 2));
        // The tree of the next reader says the same.
        let view = view(&kurso, &owner, id).await;
        assert_eq!((view.module(0).title.as_str(), view.lesson(0).title.as_str()), ("М2", "У2"));
        assert_eq!((view.page(0).title.as_deref(), view.page(0).published), (None, false));
    }

    async fn each_role_may_what_the_table_says(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let [editor, teacher, learner, stranger] = [
            kurso.person("editor").await, kurso.person("teacher").await,
            kurso.person("learner").await, kurso.person("stranger").await,
        ];
        let root = kurso.superuser("root").await;
        let id = kurso.course(&owner, &[&[&[Content]]]).await;
        for (who, role) in [(&editor, "editor"), (&teacher, "teacher"), (&learner, "learner")] {
            relate(&kurso, id, who, role).await;
        }
        let tree = view(&kurso, &owner, id).await;
        let (m, l, p) = (tree.module(0).id, tree.lesson(0).id, tree.page(0).id);
        let titled = json!({"title": "Новое"});
        for (who, reads, writes) in [
            (&owner, 200, 200), (&editor, 200, 200), (&teacher, 200, 403), (&root, 200, 403),
            (&learner, 403, 403), (&stranger, 404, 404),
        ] {
            let name = &who.user.email;
            let k = &kurso;
            for (call, got) in [
                ("get_module", status(module::get(k, who, m).await)),
                ("get_lesson", status(lesson::get(k, who, l).await)),
                ("get_page", status(page::get(k, who, p).await)),
                ("page_versions", status(page::versions::list(k, who, p).await)),
            ] {
                assert_eq!(got, reads, "{call} of {name}");
            }
            for (call, got) in [
                ("update_course", status(course::update(k, who, id, command(&titled)).await)),
                ("create_module", status(module::create(k, who, id, command(&titled)).await)),
                ("update_module", status(module::update(k, who, m, command(&titled)).await)),
                ("create_lesson", status(lesson::create(k, who, m, command(&titled)).await)),
                ("update_lesson", status(lesson::update(k, who, l, command(&titled)).await)),
                ("create_page", status(page::create(k, who, l, command(&titled)).await)),
                ("update_page", status(page::update(k, who, p, None, command(&titled)).await)),
                ("restore_page_version", status(page::versions::restore(k, who, p, 1).await)),
                ("duplicate_course", status(courses::duplicate::course(k, who, id).await)),
                ("duplicate_module", status(courses::duplicate::module(k, who, m).await)),
                ("duplicate_lesson", status(courses::duplicate::lesson(k, who, l).await)),
                ("duplicate_page", status(courses::duplicate::page(k, who, p).await)),
            ] {
                assert_eq!(got, writes, "{call} of {name}");
            }
            // What is deleted is made anew for the next.
            let (m2, l2, p2) = spare(k, &owner, id).await;
            for (call, got) in [
                ("delete_page", status(page::delete(k, who, p2).await)),
                ("delete_lesson", status(lesson::delete(k, who, l2).await)),
                ("delete_module", status(module::delete(k, who, m2).await)),
            ] {
                assert_eq!(got, writes, "{call} of {name}");
            }
        }
        for (who, expected) in [(&stranger, 404), (&learner, 403), (&teacher, 403), (&editor, 403), (&root, 200)] {
            assert_eq!(status(course::delete(&kurso, who, id).await), expected, "delete_course of {}", who.user.email);
        }
        assert_eq!(status(course::delete(&kurso, &owner, id).await), 404);
    }

    async fn changes_of_unknown_parents_are_not_found(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let titled = json!({"title": "x"});
        let k = &kurso;
        assert!(matches!(course::update(k, &owner, CourseId::new(), command(&titled)).await, Err(Error::NotFound(Message::CourseNotFound))));
        assert!(matches!(module::create(k, &owner, CourseId::new(), command(&titled)).await, Err(Error::NotFound(Message::CourseNotFound))));
        assert!(matches!(module::delete(k, &owner, ModuleId::new()).await, Err(Error::NotFound(Message::ModuleNotFound))));
        assert!(matches!(lesson::create(k, &owner, ModuleId::new(), command(&titled)).await, Err(Error::NotFound(Message::ModuleNotFound))));
        assert!(matches!(lesson::get(k, &owner, LessonId::new()).await, Err(Error::NotFound(Message::LessonNotFound))));
        assert!(matches!(page::create(k, &owner, LessonId::new(), command(&titled)).await, Err(Error::NotFound(Message::LessonNotFound))));
        assert!(matches!(page::update(k, &owner, PageId::new(), None, command(&titled)).await, Err(UpdateError::Refused(Error::NotFound(Message::PageNotFound)))));
    }

    async fn a_quiz_that_does_not_fit_the_page_is_refused(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
        let tree = view(&kurso, &owner, id).await;
        let (l, p) = (tree.lesson(0).id, tree.page(0).id);
        let quiz_here = json!({"quiz": {"questions": []}});
        for refused in [page::create(&kurso, &owner, l, command(&quiz_here)).await.map_err(UpdateError::from), page::update(&kurso, &owner, p, None, command(&quiz_here)).await] {
            assert_eq!(wrong(refused), [("value_error", r#"["body","quiz"]"#.into())]);
        }
    }

    async fn things_move_within_and_across_parents(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = course::create(&kurso, &owner, command(json!({"title": "К"}))).await.unwrap().id;
        let mut modules = Vec::new();
        for (title, at) in [("m1", 0), ("m2", 99), ("m0", 0)] {
            modules.push(module::create(&kurso, &owner, id, command(json!({"title": title, "position": at}))).await.unwrap().id);
        }
        let [m1, m2, m0] = modules[..] else { panic!() };
        let tree = view(&kurso, &owner, id).await;
        assert_eq!(tree.tree.modules.iter().map(|m| m.title.as_str()).collect::<Vec<_>>(), ["m0", "m1", "m2"]);
        let moved = module::update(&kurso, &owner, m0, command(json!({"position": 1_000_000_000}))).await.unwrap();
        assert_eq!(moved.position, 2);
        assert_eq!(module::update(&kurso, &owner, m2, command(json!({"position": 0}))).await.unwrap().position, 0);
        let tree = view(&kurso, &owner, id).await;
        assert_eq!(tree.tree.modules.iter().map(|m| m.title.as_str()).collect::<Vec<_>>(), ["m2", "m1", "m0"]);

        let mut ls = Vec::new();
        for title in ["a", "b", "c"] {
            ls.push(lesson::create(&kurso, &owner, m1, command(json!({"title": title}))).await.unwrap().id);
        }
        lesson::update(&kurso, &owner, ls[0], command(json!({"module_id": m2}))).await.unwrap();
        let moved = lesson::update(&kurso, &owner, ls[2], command(json!({"module_id": m2, "position": 0, "title": "C"}))).await.unwrap();
        assert_eq!((moved.module_id, moved.position), (m2, 0));
        let tree = view(&kurso, &owner, id).await;
        assert_eq!(lessons(&tree), [vec!["C", "a"], vec!["b"], vec![]]);

        let mut ps = Vec::new();
        for title in ["p", "q", "r", "s"] {
            ps.push(page::create(&kurso, &owner, ls[0], command(json!({"title": title}))).await.unwrap().id);
        }
        for (which, body, expected) in [
            (0, json!({"position": 2}), [vec![], vec!["q", "r", "p", "s"], vec![]]),
            (3, json!({"position": 0}), [vec![], vec!["s", "q", "r", "p"], vec![]]),
            (3, json!({"lesson_id": ls[0]}), [vec![], vec!["s", "q", "r", "p"], vec![]]),
            (1, json!({"lesson_id": ls[2]}), [vec!["q"], vec!["s", "r", "p"], vec![]]),
            (2, json!({"lesson_id": ls[2], "position": 0}), [vec!["r", "q"], vec!["s", "p"], vec![]]),
            (0, json!({"lesson_id": ls[1], "position": 7}), [vec!["r", "q"], vec!["s"], vec!["p"]]),
        ] {
            let moved = page::update(&kurso, &owner, ps[which], Some(EditorSession::parse("tab").unwrap()), command(&body)).await.unwrap();
            assert_eq!(moved.version, 1, "moving raises no version");
            let tree = view(&kurso, &owner, id).await;
            assert_eq!(pages(&tree), expected, "{body}");
            assert_dense(&tree);
        }
        // A stale version does not keep anybody from moving or publishing.
        page::update(&kurso, &owner, ps[0], Some(EditorSession::parse("tab").unwrap()), command(json!({"version": 9, "position": 0, "published": false}))).await.unwrap();

        // Where things come to be is in the same course.
        let other = kurso.course(&owner, &[&[&[Content]]]).await;
        let other = view(&kurso, &owner, other).await;
        let (their_module, their_lesson) = (other.module(0).id, other.lesson(0).id);
        for module in [their_module, ModuleId::new()] {
            let refused = lesson::update(&kurso, &owner, ls[0], command(json!({"module_id": module}))).await;
            assert_eq!(wrong(refused), [("value_error", r#"["body","module_id"]"#.into())]);
        }
        for lesson in [their_lesson, LessonId::new()] {
            let refused = page::update(&kurso, &owner, ps[0], None, command(json!({"lesson_id": lesson, "title": "x"}))).await;
            assert_eq!(wrong(refused), [("value_error", r#"["body","lesson_id"]"#.into())]);
        }
        assert_eq!(page::get(&kurso, &owner, ps[0]).await.unwrap().title.as_deref(), Some("p"), "all of it or nothing");
    }

    async fn a_move_costs_few_statements_whatever_the_number_of_siblings(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = kurso.course(&owner, &[&[&[Content; 200], &[Content; 50]]]).await;
        let tree = view(&kurso, &owner, id).await;
        let (page, lesson) = (tree.page(3).id, tree.lesson(1).id);
        for body in [json!({"position": 150}), json!({"lesson_id": lesson, "position": 10})] {
            let before = kurso.db.statements();
            page::update(&kurso, &owner, page, None, command(&body)).await.unwrap();
            let used = kurso.db.statements() - before;
            // Ten, and one that tells the other nodes, as long as nobody has said that nobody watches.
            assert!(used <= 11, "{used} statements for {body}");
        }
        assert_dense(&view(&kurso, &owner, id).await);
    }

    async fn deleting_takes_everything_below_and_closes_the_gap(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let learner = kurso.person("learner").await;
        let id = kurso.course(&owner, &[&[&[Content, Content, Content], &[Content]], &[&[Content]], &[]]).await;
        relate(&kurso, id, &learner, "learner").await;
        let tree = view(&kurso, &owner, id).await;
        for page in &tree.tree.pages {
            kurso_core::learning::mark_page_visited(&kurso, &learner, page.id).await.unwrap();
            page::update(&kurso, &owner, page.id, None, command(json!({"title": "новое"}))).await.unwrap();
        }
        page::delete(&kurso, &owner, tree.page(1).id).await.unwrap();
        let after = view(&kurso, &owner, id).await;
        assert_eq!((after.sizes(), after.page(1).id), ((3, 3, 4), tree.page(2).id));
        assert_dense(&after);
        lesson::delete(&kurso, &owner, tree.lesson(0).id).await.unwrap();
        let after = view(&kurso, &owner, id).await;
        assert_eq!((after.sizes(), after.lesson(0).id), ((3, 2, 2), tree.lesson(1).id));
        assert_dense(&after);
        module::delete(&kurso, &owner, tree.module(0).id).await.unwrap();
        let after = view(&kurso, &owner, id).await;
        assert_eq!((after.sizes(), after.module(0).id), ((2, 1, 1), tree.module(1).id));
        assert_dense(&after);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM visits").await, 1);
        course::delete(&kurso, &owner, id).await.unwrap();
        for text in ["SELECT COUNT(*) FROM modules", "SELECT COUNT(*) FROM lessons", "SELECT COUNT(*) FROM pages",
            "SELECT COUNT(*) FROM page_contents", "SELECT COUNT(*) FROM page_versions", "SELECT COUNT(*) FROM enrollments",
            "SELECT COUNT(*) FROM visits", "SELECT COUNT(*) FROM courses"] {
            assert_eq!(count(&kurso, text).await, 0, "{text}");
        }
    }

    async fn a_page_names_files_its_author_may_use(kurso: TestKurso) {
        let [owner, editor, other] = [kurso.person("owner").await, kurso.person("editor").await, kurso.person("other").await];
        let id = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        relate(&kurso, id, &editor, "editor").await;
        let tree = view(&kurso, &owner, id).await;
        let (lesson, p, q) = (tree.lesson(0).id, tree.page(0).id, tree.page(1).id);
        let (mine, theirs) = (file(&kurso, &owner).await, file(&kurso, &other).await);
        let missing = format!("/files/{}/a.png", random::key());
        for src in [&missing, &theirs.url()] {
            let body = json!({"content": showing(src)});
            for refused in [
                page::update(&kurso, &owner, p, None, command(&body)).await,
                page::create(&kurso, &owner, lesson, command(&body)).await.map_err(UpdateError::from),
            ] {
                assert_eq!(wrong(refused), [("value_error", r#"["body","content","content",0,"attrs","src"]"#.into())]);
            }
        }
        page::update(&kurso, &owner, p, None, command(json!({"content": showing(&mine.url())}))).await.unwrap();
        // Shown in a course they edit, so the editor may show it too, and in a course of their own.
        page::update(&kurso, &editor, q, None, command(json!({"content": showing(&mine.url())}))).await.unwrap();
        let own = kurso.course(&editor, &[&[&[Content]]]).await;
        let own = view(&kurso, &editor, own).await.page(0).id;
        page::update(&kurso, &editor, own, None, command(json!({"content": showing(&mine.url())}))).await.unwrap();
        let refused = page::update(&kurso, &other, own, None, command(json!({"content": showing(&mine.url())}))).await;
        assert!(matches!(refused, Err(UpdateError::Refused(Error::NotFound(_)))));
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM page_files").await, 3);
        page::create(&kurso, &owner, lesson, command(json!({"content": showing(&mine.url())}))).await.unwrap();
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM page_files").await, 4);
    }

    async fn a_page_links_to_pages_of_its_course(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        let other = kurso.course(&owner, &[&[&[Content]]]).await;
        let foreign = view(&kurso, &owner, other).await.page(0).id;
        let tree = view(&kurso, &owner, id).await;
        let (p, q) = (tree.page(0).id, tree.page(1).id);
        let body = |to: PageId| json!({"content": linking(&format!("page:{to}#начало"))});
        let there = json!(["body", "content", "content", 0, "content", 0, "marks", 0, "attrs", "href"]).to_string();
        for to in [foreign, PageId::new()] {
            let refused = page::update(&kurso, &owner, p, None, command(body(to))).await;
            assert_eq!(wrong(refused), [("value_error", there.clone())]);
        }
        page::update(&kurso, &owner, p, None, command(body(q))).await.unwrap();
        page::delete(&kurso, &owner, q).await.unwrap();
        // The page can still be saved; the link that leads nowhere now may stay, and nowhere else be put.
        let mut changed = body(q);
        changed["content"]["content"].as_array_mut().unwrap().push(json!({"type": "paragraph"}));
        page::update(&kurso, &owner, p, None, command(&changed)).await.unwrap();
        let lesson = tree.lesson(0).id;
        assert_eq!(wrong(page::create(&kurso, &owner, lesson, command(body(q))).await), [("value_error", there)]);
    }

    async fn many_writers_at_once_leave_no_gap_and_lose_nothing(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = kurso.course(&owner, &[&[&[Content, Content], &[Content]], &[&[]], &[]]).await;
        let writers = (0..12).map(|n| tokio::spawn(write_at_random(kurso.kurso.clone(), owner.clone(), id, n)));
        let mut balance = [3, 3, 3];
        for writer in futures_util::future::join_all(writers).await {
            for (sum, change) in balance.iter_mut().zip(writer.unwrap()) {
                *sum += change;
            }
        }
        let after = view(&kurso, &owner, id).await;
        assert_dense(&after);
        let (modules, lessons, pages) = after.sizes();
        assert_eq!([modules, lessons, pages].map(|n| n as i64), balance);
        // Nothing hangs outside the tree, where readers would not see it.
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM pages").await, balance[2]);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM page_contents").await, balance[2]);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM lessons").await, balance[1]);
    }
}

fn status<T>(result: Result<T, impl Into<UpdateError>>) -> u16 {
    match result.map_err(Into::into) {
        Ok(_) => 200,
        Err(UpdateError::Refused(Error::Forbidden(_))) => 403,
        Err(UpdateError::Refused(Error::NotFound(_))) => 404,
        Err(UpdateError::Refused(Error::Invalid(_))) => 422,
        Err(other) => panic!("{other}"),
    }
}

async fn spare(kurso: &Kurso, owner: &Viewer, course: CourseId) -> (ModuleId, LessonId, PageId) {
    let titled = json!({"title": "лишнее"});
    let module = module::create(kurso, owner, course, command(&titled)).await.unwrap().id;
    let lesson = lesson::create(kurso, owner, module, command(&titled)).await.unwrap().id;
    let page = page::create(kurso, owner, lesson, command(&titled)).await.unwrap().id;
    (module, lesson, page)
}

/// Makes, moves and deletes what it finds; modules and lessons go only when empty, so that a count is enough to miss a
/// lost child. Answers with how many modules, lessons and pages there are more than before.
async fn write_at_random(kurso: Arc<Kurso>, owner: Viewer, course: CourseId, seed: u64) -> [i64; 3] {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let titled = |at: usize| json!({"title": "x", "position": at});
    let mut made = [0; 3];
    let mut done = |which: usize, by: i64, result: Result<(), Error>| match result {
        Ok(()) => made[which] += by,
        // Somebody else deleted it, or its parent, first.
        Err(Error::NotFound(_) | Error::Invalid(_)) => {}
        Err(error) => panic!("{error}"),
    };
    for _ in 0..25 {
        let tree = view(&kurso, &owner, course).await.tree;
        let module = tree.modules.get(random(tree.modules.len())).map(|m| m.id);
        let lesson = tree.lessons.get(random(tree.lessons.len())).map(|l| l.id);
        let page = tree.pages.get(random(tree.pages.len())).map(|p| p.id);
        let at = random(6);
        match (random(12), module, lesson, page) {
            (0, ..) => done(
                0,
                1,
                module::create(&kurso, &owner, course, command(titled(at)))
                    .await
                    .map(drop),
            ),
            (1 | 2, Some(module), ..) => done(
                1,
                1,
                lesson::create(&kurso, &owner, module, command(titled(at)))
                    .await
                    .map(drop),
            ),
            (3..=5, _, Some(lesson), _) => done(
                2,
                1,
                page::create(&kurso, &owner, lesson, command(titled(at)))
                    .await
                    .map(drop),
            ),
            (6, Some(module), ..) => {
                done(
                    0,
                    0,
                    module::update(&kurso, &owner, module, command(json!({"position": at})))
                        .await
                        .map(drop),
                );
            }
            (7, Some(module), Some(lesson), _) => {
                let body = json!({"module_id": module, "position": at});
                done(
                    1,
                    0,
                    lesson::update(&kurso, &owner, lesson, command(&body)).await.map(drop),
                );
            }
            (8 | 9, _, Some(lesson), Some(page)) => {
                let body = json!({"lesson_id": lesson, "position": at});
                done(
                    2,
                    0,
                    page::update(&kurso, &owner, page, None, command(&body))
                        .await
                        .map(drop)
                        .map_err(refusal),
                );
            }
            (10, _, _, Some(page)) => {
                let body = json!({"position": at, "title": "y"});
                done(
                    2,
                    0,
                    page::update(&kurso, &owner, page, None, command(&body))
                        .await
                        .map(drop)
                        .map_err(refusal),
                );
            }
            (11, _, _, Some(page)) => done(2, -1, page::delete(&kurso, &owner, page).await.map(|_| ())),
            _ => {}
        }
    }
    made
}
