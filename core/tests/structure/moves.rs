//! Moving and deleting items, also concurrently.

use std::sync::Arc;

use kurso_base::error::Error;
use kurso_base::ids::{CourseId, LessonId, ModuleId};
use kurso_base::values::EditorSession;
use kurso_core::access::Viewer;
use kurso_core::courses::page::UpdateError;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::courses::{course, lesson, module, page};
use kurso_core::testing::{assert_dense, command};
use kurso_core::{Kurso, both};
use serde_json::json;

use super::{count, lessons, pages, relate, view, wrong};

both! {
    async fn items_move_within_and_across_parents(kurso: TestKurso) {
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
        // Moving and publishing never conflict, whatever the version.
        page::update(&kurso, &owner, ps[0], Some(EditorSession::parse("tab").unwrap()), command(json!({"version": 9, "position": 0, "published": false}))).await.unwrap();

        // The target must be in the same course.
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
        assert_eq!(page::get(&kurso, &owner, ps[0]).await.unwrap().title.as_deref(), Some("p"), "the update is atomic");
    }

    async fn the_number_of_statements_of_a_move_is_independent_of_siblings(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = kurso.course(&owner, &[&[&[Content; 200], &[Content; 50]]]).await;
        let tree = view(&kurso, &owner, id).await;
        let (page, lesson) = (tree.page(3).id, tree.lesson(1).id);
        for body in [json!({"position": 150}), json!({"lesson_id": lesson, "position": 10})] {
            let before = kurso.db.statements();
            page::update(&kurso, &owner, page, None, command(&body)).await.unwrap();
            let used = kurso.db.statements() - before;
            // Ten, and one that notifies the other nodes until they report that nobody is subscribed.
            assert!(used <= 11, "{used} statements for {body}");
        }
        assert_dense(&view(&kurso, &owner, id).await);
    }

    async fn deleting_removes_descendants_and_closes_the_gap(kurso: TestKurso) {
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

    async fn concurrent_changes_leave_positions_dense_and_lose_nothing(kurso: TestKurso) {
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
        // No row is outside of the tree, where readers would not see it.
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM pages").await, balance[2]);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM page_contents").await, balance[2]);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM lessons").await, balance[1]);
    }
}

/// Creates, moves and deletes random items. Modules and lessons are never deleted, so that the counts show a lost child. Returns
/// how many modules, lessons and pages were added.
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
        // Another writer deleted the item or its parent first.
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

/// The error of a save that has no conflict.
fn refusal(error: UpdateError) -> Error {
    match error {
        UpdateError::Refused(error) => error,
        UpdateError::Conflict(_) => panic!("{error}"),
    }
}
