//! Learning on both databases: roles, enrollment, visits, progress.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Role, Viewer};
use kurso_core::attempts;
use kurso_core::auth::{self, Origin};
use kurso_core::both;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, Course};
use kurso_core::learning::view::{self, CourseView};
use kurso_core::learning::{self, enroll, mark_page_visited, my_progress};
use kurso_core::testing::{self, TestKurso};
use kurso_db::sql;
use serde_json::json;

async fn code(kurso: &TestKurso, owner: &Viewer, course: CourseId) -> String {
    courses::generate_share_code(kurso, owner, course)
        .await
        .unwrap()
        .share_code
        .unwrap()
}

async fn join(kurso: &TestKurso, learner: &Viewer, code: &str) -> Result<Course, Error> {
    enroll(kurso, learner, &Origin::default(), code).await
}

async fn pages(kurso: &TestKurso, who: &Viewer, course: CourseId) -> Vec<PageId> {
    let view = CourseView::load(kurso, who, course, Right::Read).await.unwrap();
    view.tree.pages.iter().map(|p| p.id).collect()
}

both! {
    async fn the_highest_role_applies(kurso: TestKurso) {
        let [owner, editor, teacher, learner, stranger] = people(&kurso).await;
        let root = kurso.superuser("root").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        kurso.collaborator(course, &editor, "editor").await;
        kurso.collaborator(course, &teacher, "teacher").await;
        let code = code(&kurso, &owner, course).await;
        for person in [&learner, &teacher, &owner] {
            join(&kurso, person, &code).await.unwrap();
        }
        for (person, role) in [
            (&owner, Some(Role::Owner)), (&editor, Some(Role::Editor)), (&teacher, Some(Role::Teacher)),
            (&learner, Some(Role::Learner)), (&root, Some(Role::Admin)), (&stranger, None),
        ] {
            let found = courses::find(&kurso.db, person, course, Right::Read).await;
            match role {
                Some(role) => {
                    let found = found.unwrap();
                    assert_eq!(found.role, role);
                    assert_eq!(found.share_code.is_some(), matches!(role, Role::Owner | Role::Editor));
                    assert_eq!(found.owner.email.is_some(), role != Role::Learner);
                }
                None => assert!(matches!(found, Err(Error::NotFound(Message::CourseNotFound)))),
            }
        }
        for (person, right, allowed) in [
            (&learner, Right::ReadAsAuthor, false), (&teacher, Right::ReadAsAuthor, true), (&teacher, Right::Edit, false),
            (&editor, Right::Edit, true), (&editor, Right::Share, false), (&root, Right::DeleteOrTransfer, true), (&root, Right::Edit, false),
        ] {
            let found = courses::find(&kurso.db, person, course, right).await;
            assert_eq!(found.is_ok(), allowed, "{right:?} {found:?}");
            assert!(allowed || matches!(found, Err(Error::Forbidden(_))));
        }
    }

    async fn a_share_code_enrolls_once_and_a_new_one_replaces_it(kurso: TestKurso) {
        let [owner, learner] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let first = code(&kurso, &owner, course).await;
        let enrolled = join(&kurso, &learner, &first.to_lowercase().replace('-', " ")).await.unwrap();
        kurso.clock.advance(chrono::Duration::hours(1));
        let again = join(&kurso, &learner, &first).await.unwrap();
        assert_eq!(enrolled.enrollment.unwrap().id, again.enrollment.as_ref().unwrap().id);
        let second = code(&kurso, &owner, course).await;
        assert_ne!(first, second);
        assert!(matches!(join(&kurso, &learner, &first).await, Err(Error::NotFound(Message::UnknownShareCode))));
        assert!(matches!(join(&kurso, &learner, "nonsense").await, Err(Error::NotFound(_))));
        let refused = courses::generate_share_code(&kurso, &learner, course).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::OwnerOnly))));
    }

    async fn guessing_codes_is_limited(kurso: TestKurso) {
        let [learner] = people(&kurso).await;
        for _ in 0..20 {
            assert!(matches!(join(&kurso, &learner, "AAAA-AAAA").await, Err(Error::NotFound(_))));
        }
        assert!(matches!(join(&kurso, &learner, "AAAA-AAAA").await, Err(Error::RateLimited { .. })));
    }

    async fn reading_to_the_end_completes_lessons_and_the_course(kurso: TestKurso) {
        let [owner, learner] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content, Content], &[]], &[&[Content]]]).await;
        let code = code(&kurso, &owner, course).await;
        join(&kurso, &learner, &code).await.unwrap();
        let pages = pages(&kurso, &learner, course).await;

        let (view, place) = mark_page_visited(&kurso, &learner, pages[0]).await.unwrap();
        assert_eq!((place, view.progress.percent(), view.progress.lessons_done), (0, 33, 0));
        assert_eq!(view.next_to_do(), Some(1));
        let (view, _) = mark_page_visited(&kurso, &learner, pages[1]).await.unwrap();
        assert!(view.is_lesson_completed(0));
        assert_eq!((view.progress.percent(), view.progress.lessons_total), (66, 2));
        assert_eq!(view.progress.completed_at, None);

        kurso.clock.advance(chrono::Duration::minutes(5));
        let finished = kurso.clock.now();
        let (view, _) = mark_page_visited(&kurso, &learner, pages[2]).await.unwrap();
        assert_eq!((view.progress.percent(), view.progress.completed_at), (100, Some(finished)));
        assert_eq!(view.next_to_do(), None);

        // A second visit changes nothing, and a growing course keeps the time of completion.
        kurso.clock.advance(chrono::Duration::days(1));
        mark_page_visited(&kurso, &learner, pages[2]).await.unwrap();
        let lesson = view.tree.lessons[0].id;
        kurso.page(course, lesson, 2, Content, true).await;
        let view = my_progress(&kurso, &learner, course).await.unwrap();
        assert_eq!((view.progress.percent(), view.progress.completed_at), (75, Some(finished)));
        assert!(!view.is_lesson_completed(0));
    }

    async fn learning_continues_after_the_page_visited_last(kurso: TestKurso) {
        let [owner, learner] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content, Content, Quiz, Content]]]).await;
        let code = code(&kurso, &owner, course).await;
        join(&kurso, &learner, &code).await.unwrap();
        let pages = pages(&kurso, &learner, course).await;
        kurso.set_quiz(pages[2], &json!({"max_attempts": 1, "questions": [
            {"type": "short_text", "prompt": "?", "accepted": ["да"]},
        ]})).await;
        let next = async || my_progress(&kurso, &learner, course).await.unwrap().next_to_do();
        assert_eq!(next().await, Some(0));

        let (view, _) = mark_page_visited(&kurso, &learner, pages[1]).await.unwrap();
        assert_eq!((view.next_to_do(), next().await), (Some(2), Some(2)), "not the skipped first page");
        mark_page_visited(&kurso, &learner, pages[2]).await.unwrap();
        assert_eq!(next().await, Some(2), "the quiz that is open");
        let sheet = testing::submission(&json!({"answers": []}));
        let submitted = attempts::submit(&kurso, &learner, pages[2], sheet).await.unwrap();
        assert_eq!((submitted.view.next_to_do(), next().await), (Some(3), Some(3)), "no attempts are left");
        mark_page_visited(&kurso, &learner, pages[3]).await.unwrap();
        assert_eq!(next().await, Some(0), "from the start, after the end");
        mark_page_visited(&kurso, &learner, pages[0]).await.unwrap();
        assert_eq!(next().await, Some(2), "the quiz without attempts is all that remains");

        sql!("DELETE FROM pages WHERE id = $1", pages[0]).execute(&kurso.db).await.unwrap();
        sql!("UPDATE courses SET structure_version = structure_version + 1").execute(&kurso.db).await.unwrap();
        assert_eq!(next().await, Some(1), "the page visited last is deleted");
    }

    async fn concurrent_last_visits_complete_the_course(kurso: TestKurso) {
        let [owner, learner] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content; 4]]]).await;
        let code = code(&kurso, &owner, course).await;
        join(&kurso, &learner, &code).await.unwrap();
        let pages = pages(&kurso, &learner, course).await;
        let visit = |page| mark_page_visited(&kurso, &learner, page);
        let (a, b, c, d) = tokio::join!(visit(pages[0]), visit(pages[1]), visit(pages[2]), visit(pages[3]));
        for result in [a, b, c, d] {
            result.unwrap();
        }
        assert!(my_progress(&kurso, &learner, course).await.unwrap().progress.completed_at.is_some());
    }

    async fn a_visited_quiz_is_not_done(kurso: TestKurso) {
        let [owner, learner] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
        let code = code(&kurso, &owner, course).await;
        join(&kurso, &learner, &code).await.unwrap();
        let pages = pages(&kurso, &learner, course).await;
        let (view, place) = mark_page_visited(&kurso, &learner, pages[0]).await.unwrap();
        assert!(view.marks.is_visited(place) && view.progress.percent() == 0);
    }

    async fn learners_never_see_unpublished_pages(kurso: TestKurso) {
        let [owner, learner, stranger] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let view = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap();
        let lesson = view.tree.lessons[0].id;
        let hidden = kurso.page(course, lesson, 1, Content, false).await;
        let last = kurso.page(course, lesson, 2, Content, true).await;
        let code = code(&kurso, &owner, course).await;
        join(&kurso, &learner, &code).await.unwrap();

        for person in [&learner, &stranger] {
            let read = CourseView::load_by_page(&kurso, person, hidden, Right::Read).await;
            assert!(matches!(read, Err(Error::NotFound(Message::PageNotFound))));
            let visited = mark_page_visited(&kurso, person, hidden).await;
            assert!(matches!(visited, Err(Error::NotFound(Message::PageNotFound))));
        }
        let (view, place) = CourseView::load_by_page(&kurso, &learner, last, Right::Read).await.unwrap();
        assert_eq!((view.number(place), view.previous(place), view.next(place)), (2, Some(0), None));
        assert_eq!(view.progress.pages_total, 2);
        assert_eq!(view.sizes(), (1, 1, 2));
        let (view, place) = CourseView::load_by_page(&kurso, &owner, hidden, Right::Read).await.unwrap();
        assert_eq!((view.number(place), view.previous(place), view.next(place)), (2, Some(0), Some(2)));
    }

    async fn staff_preview_without_progress_and_without_visits(kurso: TestKurso) {
        let [owner] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let pages = pages(&kurso, &owner, course).await;
        assert!(matches!(mark_page_visited(&kurso, &owner, pages[0]).await, Err(Error::Forbidden(Message::NotEnrolled))));
        assert!(matches!(my_progress(&kurso, &owner, course).await, Err(Error::Forbidden(Message::NotEnrolled))));
        let content = view::content(&kurso, pages[0], false).await.unwrap();
        assert!(content.content.contains("Page 0") && content.version == 1);
    }

    async fn lists_are_sorted_counted_and_paged(kurso: TestKurso) {
        let [owner, learner] = people(&kurso).await;
        let mut courses_made = Vec::new();
        for _ in 0..3 {
            kurso.clock.advance(chrono::Duration::minutes(1));
            let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
            let code = code(&kurso, &owner, course).await;
            join(&kurso, &learner, &code).await.unwrap();
            courses_made.push(course);
        }
        courses_made.reverse();
        let taught = courses::taught_by(&kurso.db, &owner, Page::default()).await.unwrap();
        assert_eq!(taught.data.iter().map(|c| c.id).collect::<Vec<_>>(), courses_made);
        let second = courses::taught_by(&kurso.db, &owner, Page::new(1, 1)).await.unwrap();
        assert_eq!((second.data[0].id, second.count), (courses_made[1], 3));
        let beyond = courses::taught_by(&kurso.db, &owner, Page::new(9, 1)).await.unwrap();
        assert_eq!((beyond.data.len(), beyond.count), (0, 3));
        assert_eq!(courses::taught_by(&kurso.db, &learner, Page::default()).await.unwrap().count, 0);

        let last = *courses_made.last().unwrap();
        let page = pages(&kurso, &learner, last).await[0];
        kurso.clock.advance(chrono::Duration::minutes(1));
        mark_page_visited(&kurso, &learner, page).await.unwrap();
        let before = kurso.db.statements();
        let learnt = courses::learnt_by(&kurso.db, &learner, Page::default()).await.unwrap();
        let views = CourseView::of_all(&kurso, learnt.data).await.unwrap();
        assert!(kurso.db.statements() - before <= 5, "the list, three for the trees, one for the marks");
        assert_eq!(views[0].course.id, last, "latest activity first");
        assert_eq!(views.iter().map(|v| v.progress.percent()).collect::<Vec<_>>(), [50, 0, 0]);
        let counts = courses::counts(&kurso.db, &[views[0].course.clone()]).await.unwrap();
        assert_eq!((counts[0].modules, counts[0].lessons, counts[0].pages, counts[0].students), (1, 1, 2, 1));
    }

    /// Courses requested concurrently are returned to each person according to their own rights.
    async fn concurrent_course_reads_respect_each_persons_rights(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        let other = kurso.course(&owner, &[&[&[Content]]]).await;
        let code = code(&kurso, &owner, course).await;
        let mut asked = Vec::new();
        for n in 0..24 {
            let name = format!("person-{n}");
            let viewer = kurso.person(&name).await;
            if n % 2 == 0 { enroll(&kurso, &viewer, &Origin::default(), &code).await.unwrap(); }
            let token = kurso.token(&format!("{name}@example.com")).await;
            if n % 3 == 0 {
                let signed_in = auth::authenticate(&kurso, &token).await.unwrap();
                auth::logout(&kurso, &signed_in).await.unwrap();
            }
            asked.push((n, viewer.id(), token.clone(), course));
            asked.push((n, viewer.id(), token, other));
        }
        asked.push((0, owner.id(), kurso.token("owner@example.com").await, other));
        let kurso = &kurso;
        let views = futures_util::future::join_all(asked.iter().map(|(n, user, token, id)| async move {
            (n, *user, *id, CourseView::load_by_token(kurso, token, *id).await.unwrap())
        })).await;
        for (n, user, id, view) in views {
            let is_learner = n % 2 == 0 && n % 3 != 0 && id == course;
            match view {
                Some(view) if user == owner.id() => assert_eq!((view.course.id, view.course.role), (other, Role::Owner)),
                Some(view) => {
                    assert!(is_learner, "{n}");
                    assert_eq!(view.course.id, course);
                    assert_eq!(view.course.enrollment.unwrap().user_id, user);
                }
                None => assert!(!is_learner && user != owner.id(), "{n}"),
            }
        }
    }

    async fn tree_changes_are_visible_to_the_next_request(kurso: TestKurso) {
        let [owner] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let view = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap();
        kurso.page(course, view.tree.lessons[0].id, 1, Content, true).await;
        let before = kurso.db.statements();
        let changed = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap();
        assert_eq!(changed.tree.pages.len(), 2);
        assert_eq!(kurso.db.statements() - before, 4, "the course and the tree");
        let before = kurso.db.statements();
        CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap();
        assert_eq!(kurso.db.statements() - before, 1, "the course; the tree is known");
    }

    async fn deleting_a_course_takes_everything_below(kurso: TestKurso) {
        let [owner, learner] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let code = code(&kurso, &owner, course).await;
        join(&kurso, &learner, &code).await.unwrap();
        let page = pages(&kurso, &learner, course).await[0];
        mark_page_visited(&kurso, &learner, page).await.unwrap();
        sql!("DELETE FROM courses WHERE id = $1", course).execute(&kurso.db).await.unwrap();
        for text in ["SELECT COUNT(*) FROM modules", "SELECT COUNT(*) FROM lessons", "SELECT COUNT(*) FROM pages",
            "SELECT COUNT(*) FROM page_contents", "SELECT COUNT(*) FROM enrollments", "SELECT COUNT(*) FROM visits"] {
            let (count,) = sql!(text).fetch_one::<(i64,)>(&kurso.db).await.unwrap();
            assert_eq!(count, 0, "{text}");
        }
        assert!(matches!(learning::my_progress(&kurso, &learner, course).await, Err(Error::NotFound(_))));
    }
}

async fn people<const N: usize>(kurso: &TestKurso) -> [Viewer; N] {
    let mut people = Vec::new();
    for name in ["owner", "anna", "boris", "vera", "galya"].iter().take(N) {
        people.push(kurso.person(name).await);
    }
    people.try_into().unwrap()
}
