//! What happens between a deletion and the restore: the same as if nothing had been deleted.

use std::collections::BTreeMap;

use kurso_base::ids::CourseId;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::check::{self, Depth};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::courses::{self, course, lesson, module, page, team};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::testing::{Backend, TestKurso, assert_dense, command};
use kurso_core::trash::{self, RestoreFromTrash};
use kurso_core::{backup, both, students, users};
use kurso_db::sql;
use serde_json::json;

use super::world::{QUIZ, World, assert_same, dump};

/// Another server with the same data.
async fn twin(kurso: &TestKurso) -> TestKurso {
    let backend = match kurso.db.name() {
        "sqlite" => Backend::Sqlite,
        _ => Backend::Postgres,
    };
    let twin = TestKurso::empty(backend).await;
    backup::move_all(&kurso.db, &twin.db, "here", &|_| {}).await.unwrap();
    twin
}

/// What happens meanwhile.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Leaves,
    IsRemovedAndComesBack,
    ComesBack,
    AccountDeleted,
    EditorDeleted,
}

impl Event {
    async fn happen(self, kurso: &TestKurso, world: &World) {
        match self {
            Event::Leaves => {
                team::leave(kurso, &world.learners[0], world.course).await.unwrap();
            }
            Event::IsRemovedAndComesBack => {
                students::remove(kurso, &world.owner, world.enrollments[0])
                    .await
                    .unwrap();
                enroll(kurso, &world.learners[0], &world.code).await;
            }
            Event::ComesBack => enroll(kurso, &world.learners[2], &world.code).await,
            Event::AccountDeleted => users::delete_me(kurso, &world.learners[1]).await.unwrap(),
            Event::EditorDeleted => {
                let id = sql!("SELECT id FROM users WHERE email_key = 'teacher@example.com'");
                let (id,) = id.fetch_one(&kurso.db).await.unwrap();
                users::delete(kurso, &kurso.superuser("head").await, id).await.unwrap();
                sql!("DELETE FROM users WHERE email_key = 'head@example.com'")
                    .execute(&kurso.db)
                    .await
                    .unwrap();
            }
        }
    }
}

async fn enroll(kurso: &TestKurso, learner: &Viewer, code: &str) {
    learning::enroll(kurso, learner, &Origin::default(), code)
        .await
        .unwrap();
}

/// The progress that is stored may be missing: it is then read from visits and attempts.
fn without_progress(mut rows: BTreeMap<String, Vec<String>>) -> BTreeMap<String, Vec<String>> {
    for row in rows.get_mut("enrollments").into_iter().flatten() {
        let fields = row
            .split(", ")
            .filter(|field| !field.starts_with("marks:") && !field.starts_with("tries:"));
        let kept: Vec<&str> = fields.filter(|field| field.contains(": ")).collect();
        *row = kept.join(", ");
    }
    rows
}

both! {
    async fn people_come_and_go_between_deletion_and_restore(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        for event in [Event::Leaves, Event::IsRemovedAndComesBack, Event::ComesBack, Event::AccountDeleted, Event::EditorDeleted] {
            let (plain, trashed) = (twin(&kurso).await, twin(&kurso).await);
            event.happen(&plain, &world).await;
            lesson::delete(&trashed, &world.owner, world.lessons[0]).await.unwrap();
            page::delete(&trashed, &world.owner, world.pages[4]).await.unwrap();
            event.happen(&trashed, &world).await;
            for entry in world.entries(&trashed).await {
                trash::restore(&trashed, &world.owner, entry.id, RestoreFromTrash::default()).await.unwrap();
            }
            let (plain, after) = (dump(&plain.db).await, dump(&trashed.db).await);
            assert_same(&format!("{event:?}"), &without_progress(plain), &without_progress(after));
            let report = check::check(&trashed, Depth::default()).await.unwrap();
            let wrong: Vec<_> = report.findings.iter().filter(|found| found.rule == check::Rule::Marks || found.rule == check::Rule::Trash).collect();
            assert!(wrong.is_empty(), "{event:?}: {wrong:?}");
        }
    }

    async fn a_deleted_course_comes_back_without_the_accounts_that_are_gone(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        for event in [Event::AccountDeleted, Event::EditorDeleted] {
            let (plain, trashed) = (twin(&kurso).await, twin(&kurso).await);
            event.happen(&plain, &world).await;
            course::delete(&trashed, &world.owner, world.course).await.unwrap();
            event.happen(&trashed, &world).await;
            let entry = trash::deleted_courses(&trashed, &world.owner).await.unwrap().remove(0);
            trash::restore(&trashed, &world.owner, entry.id, RestoreFromTrash::default()).await.unwrap();
            assert_same(&format!("{event:?}"), &dump(&plain.db).await, &dump(&trashed.db).await);
        }
    }

    async fn progress_is_derived_again(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let progress = async || learning::my_progress(&kurso, &world.learners[0], world.course).await.unwrap().progress;
        let before = progress().await;
        page::delete(&kurso, &world.owner, world.pages[0]).await.unwrap();
        page::delete(&kurso, &world.owner, world.pages[QUIZ]).await.unwrap();
        // Drops the bits of deleted pages.
        sql!("UPDATE enrollments SET marks = NULL, tries = NULL").execute(&kurso.db).await.unwrap();
        mark_page_visited(&kurso, &world.learners[0], world.pages[6]).await.unwrap();
        for entry in world.entries(&kurso).await {
            trash::restore(&kurso, &world.owner, entry.id, RestoreFromTrash::default()).await.unwrap();
        }
        let after = progress().await;
        assert_eq!(after.pages_done, before.pages_done + 1);
        let report = check::check(&kurso, Depth::default()).await.unwrap();
        assert!(report.findings.iter().all(|found| found.rule != check::Rule::Marks), "{:?}", report.findings);
    }

    async fn siblings_stay_dense_and_codes_unique(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let order = async |course: CourseId| {
            let view = CourseView::load(&kurso, &world.owner, course, Right::Read).await.unwrap();
            assert_dense(&view);
            view.tree.pages.iter().map(|page| page.id).collect::<Vec<_>>()
        };
        let before = order(world.course).await;
        page::delete(&kurso, &world.owner, world.pages[1]).await.unwrap();
        // A sibling is moved before it and another one is added.
        let first = command(json!({"position": 0}));
        page::update(&kurso, &world.owner, world.pages[3], None, first).await.map_err(|_| "an update").unwrap();
        page::create(&kurso, &world.owner, world.lessons[0], command(json!({"title": "new"}))).await.unwrap();
        let entry = world.entries(&kurso).await[0].id;
        trash::restore(&kurso, &world.owner, entry, RestoreFromTrash::default()).await.unwrap();
        let after = order(world.course).await;
        assert_eq!(after[1], world.pages[1], "at its position");
        assert!(before.iter().all(|page| after.contains(page)));

        // The code of a deleted course is given to another one.
        course::delete(&kurso, &world.owner, world.course).await.unwrap();
        let other = kurso.course(&world.owner, &[&[&[Content]]]).await;
        let code = world.code.replace('-', "");
        sql!("UPDATE courses SET share_code = $2 WHERE id = $1", other, code.as_str()).execute(&kurso.db).await.unwrap();
        let entry = trash::deleted_courses(&kurso, &world.owner).await.unwrap().remove(0);
        let restored = trash::restore(&kurso, &world.owner, entry.id, RestoreFromTrash::default()).await.unwrap();
        assert!(restored.share_code.is_some_and(|code| code != world.code));
        assert_eq!(courses::find(&kurso.db, &world.owner, other, Right::Edit).await.unwrap().share_code, Some(world.code.clone()));
    }

    async fn a_submission_id_that_was_used_again_loses_no_attempt(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let submission = uuid::Uuid::now_v7();
        let attempts = "SELECT COUNT(*) FROM attempts";
        sql!("UPDATE attempts SET submission_id = $2 WHERE enrollment_id = $1", world.enrollments[0], submission).execute(&kurso.db).await.unwrap();
        let (all,) = sql!(attempts).fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        module::delete(&kurso, &world.owner, world.modules[0]).await.unwrap();
        sql!(
            "INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, submission_id, answers, results, score, max_score, percent, passed, submitted_at)
             VALUES ($1, $2, $3, 1, $4, '[]', '[]', 0, 0, 0, FALSE, $5)",
            uuid::Uuid::now_v7(), world.enrollments[0], world.pages[5], submission, kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
        let entry = world.entries(&kurso).await[0].id;
        trash::restore(&kurso, &world.owner, entry, RestoreFromTrash::default()).await.unwrap();
        assert_eq!(sql!(attempts).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0, all + 1);
    }
}
