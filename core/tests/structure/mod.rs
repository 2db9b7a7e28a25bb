//! Changing a course on both databases: creating, updating, moving and deleting its items.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod moves;
mod references;

use kurso_base::error::{Error, FieldError};
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::{Right, Viewer};
use kurso_core::courses::page::UpdateError;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, lesson, module, page};
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, assert_dense, command};
use kurso_core::{Kurso, both};
use kurso_db::sql;
use kurso_formats::content;
use serde_json::json;

async fn view(kurso: &Kurso, who: &Viewer, course: CourseId) -> CourseView {
    CourseView::load(kurso, who, course, Right::ReadAsAuthor).await.unwrap()
}

/// The titles of the lessons of each module, for example `[["a", "b"], []]`.
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

fn refused<T: std::fmt::Debug>(result: Result<T, impl Into<UpdateError>>) -> Vec<FieldError> {
    match result.map_err(Into::into) {
        Err(UpdateError::Refused(Error::Invalid(errors))) => errors,
        other => panic!("not refused: {other:?}"),
    }
}

/// The kind and the location of each error.
fn wrong<T: std::fmt::Debug>(result: Result<T, impl Into<UpdateError>>) -> Vec<(&'static str, String)> {
    let errors = refused(result).into_iter();
    errors
        .map(|error| (error.kind, serde_json::to_value(error.loc).unwrap().to_string()))
        .collect()
}

/// Gives a person a role in a course.
async fn relate(kurso: &TestKurso, course: CourseId, who: &Viewer, role: &'static str) {
    if role != "learner" {
        return kurso.collaborator(course, who, role).await;
    }
    sql!(
        "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
        kurso_base::ids::EnrollmentId::new(),
        course,
        who.id(),
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
}

async fn count(kurso: &TestKurso, text: &'static str) -> i64 {
    sql!(text).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
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

    async fn updates_change_only_the_given_fields(kurso: TestKurso) {
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
        // Another read returns the same tree.
        let view = view(&kurso, &owner, id).await;
        assert_eq!((view.module(0).title.as_str(), view.lesson(0).title.as_str()), ("М2", "У2"));
        assert_eq!((view.page(0).title.as_deref(), view.page(0).published), (None, false));
    }

    async fn rights_follow_the_role(kurso: TestKurso) {
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
                ("restore_page_version", status(page::versions::restore(k, who, p, 1, false).await)),
                ("duplicate_course", status(courses::duplicate::course(k, who, id, Default::default()).await)),
                ("duplicate_module", status(courses::duplicate::module(k, who, m).await)),
                ("duplicate_lesson", status(courses::duplicate::lesson(k, who, l).await)),
                ("duplicate_page", status(courses::duplicate::page(k, who, p).await)),
            ] {
                assert_eq!(got, writes, "{call} of {name}");
            }
            // Deleted items are created again for the next role.
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
