//! Students of a course on both databases: the class list, details of one student, removal.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::Search;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses::groups::GroupFilter;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, lesson, page};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited, progress};
use kurso_core::students::{self, Order, Query, Student};
use kurso_core::testing::{Dice, TestKurso, command, submission};
use kurso_db::sql;
use serde_json::json;
use uuid::Uuid;

async fn people<const N: usize>(kurso: &TestKurso) -> [Viewer; N] {
    let mut people = Vec::new();
    for name in ["owner", "anna", "boris", "vera", "galya"].iter().take(N) {
        people.push(kurso.person(name).await);
    }
    people.try_into().unwrap()
}

async fn enroll(kurso: &TestKurso, owner: &Viewer, course: CourseId, learners: &[&Viewer]) {
    let shared = courses::generate_share_code(kurso, owner, course).await.unwrap();
    for learner in learners {
        kurso.clock.advance(Duration::seconds(1));
        learning::enroll(
            kurso,
            learner,
            &Origin::default(),
            shared.share_code.as_deref().unwrap(),
        )
        .await
        .unwrap();
    }
}

async fn pages(kurso: &TestKurso, owner: &Viewer, course: CourseId) -> Vec<PageId> {
    let view = CourseView::load(kurso, owner, course, Right::Read).await.unwrap();
    view.tree.pages.iter().map(|page| page.id).collect()
}

fn query(search: &str, sort: &str) -> Query {
    Query {
        search: Search::of(search),
        group: GroupFilter::All,
        progress: students::ProgressFilter::default(),
        order: Order::parse(sort).unwrap(),
    }
}

async fn list(kurso: &TestKurso, viewer: &Viewer, course: CourseId, query: &Query) -> Vec<Student> {
    students::list(kurso, viewer, course, query, Page::default())
        .await
        .unwrap()
        .data
}

async fn names(kurso: &TestKurso, viewer: &Viewer, course: CourseId, search: &str, sort: &str) -> Vec<String> {
    let found = list(kurso, viewer, course, &query(search, sort)).await;
    found
        .iter()
        .map(|s| s.email.split('@').next().unwrap().to_owned())
        .collect()
}

async fn name(kurso: &TestKurso, who: &Viewer, name: Option<&str>) {
    sql!(
        "UPDATE users SET full_name = $2 WHERE id = $1",
        who.id(),
        name.map(str::to_owned)
    )
    .execute(&kurso.db)
    .await
    .unwrap();
}

/// Whether the progress of all students is stored, so that visits were not read.
async fn all_stored(kurso: &TestKurso, course: CourseId) -> bool {
    let missing = sql!(
        "SELECT COUNT(*) FROM enrollments WHERE course_id = $1 AND marks IS NULL",
        course
    );
    missing.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0 == 0
}

fn yes_or_no() -> serde_json::Value {
    json!({"pass_percent": 100, "questions": [{"type": "short_text", "prompt": "?", "accepted": ["да"]}]})
}

both! {
    /// After any sequence of changes, the class list equals the progress derived from each student's visits and
    /// attempts.
    async fn the_class_list_matches_derived_progress(kurso: TestKurso) {
        let [owner, anna, boris, vera] = people(&kurso).await;
        let learners = [&anna, &boris, &vera];
        let course = kurso.course(&owner, &[&[&[Content, Quiz], &[Content]], &[&[], &[Quiz, Content]]]).await;
        enroll(&kurso, &owner, course, &learners).await;
        for place in [1, 3] {
            kurso.set_quiz(pages(&kurso, &owner, course).await[place], &yes_or_no()).await;
        }
        let mut dice = Dice::new(20_261_121);
        for step in 0..120 {
            kurso.clock.advance(Duration::seconds(1));
            let all = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap().tree;
            let place = dice.roll(all.pages.len());
            let lesson = all.lesson(dice.roll(all.lessons.len())).id;
            let learner = learners[dice.roll(3)];
            let Some(node) = all.pages.get(place) else { continue };
            match dice.roll(14) {
                0 => { page::delete(&kurso, &owner, node.id).await.unwrap(); }
                1 | 2 => {
                    let kind = ["content", "quiz"][dice.roll(2)];
                    let mut new = json!({"kind": kind, "published": dice.roll(3) > 0, "position": dice.roll(3)});
                    if kind == "quiz" { new["quiz"] = yes_or_no(); }
                    page::create(&kurso, &owner, lesson, command(&new)).await.unwrap();
                }
                3 => {
                    let moved = json!({"lesson_id": lesson, "position": dice.roll(3)});
                    page::update(&kurso, &owner, node.id, None, command(&moved)).await.unwrap();
                }
                4 | 5 => {
                    let body = json!({"published": !node.published});
                    page::update(&kurso, &owner, node.id, None, command(&body)).await.unwrap();
                }
                6 if all.lessons.len() > 3 => { lesson::delete(&kurso, &owner, lesson).await.unwrap(); }
                7 if all.pages.len() < 20 => { courses::duplicate::lesson(&kurso, &owner, lesson).await.unwrap(); }
                8 if dice.roll(4) == 0 => {
                    courses::team::leave(&kurso, learner, course).await.unwrap();
                    enroll(&kurso, &owner, course, &[learner]).await;
                }
                _ if !node.published => {}
                _ if node.kind == Quiz && dice.roll(4) > 0 => {
                    let stored = attempts::for_author(&kurso.db, &[node.id]).await.unwrap().remove(&node.id).unwrap();
                    let stored: serde_json::Value = serde_json::from_str(&stored).unwrap();
                    let text = ["да", "нет"][dice.roll(2)];
                    let answers = json!({"answers": [{"question_id": stored["questions"][0]["id"], "text": text}]});
                    attempts::submit(&kurso, learner, node.id, submission(&answers)).await.unwrap();
                }
                _ => { mark_page_visited(&kurso, learner, node.id).await.unwrap(); }
            }
            assert!(all_stored(&kurso, course).await, "step {step}");
            if step % 25 == 0 {
                let report = kurso_core::check::check(&kurso, kurso_core::check::Depth::default()).await.unwrap();
                assert!(report.is_clean(), "step {step}: {report:?}");
            }
            let mut own = Vec::new();
            for learner in learners {
                let view = learning::my_progress(&kurso, learner, course).await.unwrap();
                let of = [(view.course.enrollment.as_ref().unwrap().id, view.tree.as_ref())];
                let truth = progress::read::marks(&kurso.db, &of).await.unwrap();
                assert_eq!(view.marks, truth[0], "step {step}");
                own.push(view);
            }
            let found = list(&kurso, &owner, course, &query("", "-percent")).await;
            assert_eq!(found.len(), 3);
            for (learner, own) in learners.iter().zip(own) {
                let row = found.iter().find(|student| student.user_id == learner.id()).unwrap();
                assert_eq!(row.progress, own.progress, "step {step}");
                let detail = students::detail(&kurso, &owner, row.enrollment_id).await.unwrap();
                assert_eq!(detail.student.progress, own.progress, "step {step}");
                assert_eq!((&detail.marks.visited, &detail.marks.passed), (&own.marks.visited, &own.marks.passed), "step {step}");
            }
            let done: Vec<_> = found.iter().map(|student| student.progress.pages_done).collect();
            assert!(done.is_sorted_by(|a, b| a >= b), "step {step}: {done:?}");
        }
    }

    async fn progress_that_is_not_stored_is_read_from_visits(kurso: TestKurso) {
        let [owner, anna, boris] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        enroll(&kurso, &owner, course, &[&anna, &boris]).await;
        let page = pages(&kurso, &owner, course).await[0];
        mark_page_visited(&kurso, &anna, page).await.unwrap();
        sql!("UPDATE enrollments SET marks = NULL").execute(&kurso.db).await.unwrap();
        let percents = async || {
            let found = list(&kurso, &owner, course, &query("", "percent")).await;
            found.iter().map(|student| student.progress.percent()).collect::<Vec<_>>()
        };
        assert_eq!(percents().await, [0, 50]);
        mark_page_visited(&kurso, &anna, page).await.unwrap();
        mark_page_visited(&kurso, &boris, page).await.unwrap();
        assert!(all_stored(&kurso, course).await);
        assert_eq!(percents().await, [50, 50]);
    }

    async fn concurrent_visits_are_all_in_the_bitmap(kurso: TestKurso) {
        let [owner, anna] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content; 9]]]).await;
        enroll(&kurso, &owner, course, &[&anna]).await;
        let pages = pages(&kurso, &owner, course).await;
        mark_page_visited(&kurso, &anna, pages[0]).await.unwrap();
        let visit = |page: usize| mark_page_visited(&kurso, &anna, pages[page]);
        let (a, b, c, d, e, f) = tokio::join!(visit(1), visit(2), visit(3), visit(4), visit(4), visit(5));
        for visit in [a, b, c, d, e, f] {
            let (view, place) = visit.unwrap();
            assert!(view.marks.is_visited(place) && view.progress.pages_done >= 2);
        }
        assert!(all_stored(&kurso, course).await);
        let view = learning::my_progress(&kurso, &anna, course).await.unwrap();
        let of = [(view.course.enrollment.as_ref().unwrap().id, view.tree.as_ref())];
        assert_eq!(view.marks, progress::read::marks(&kurso.db, &of).await.unwrap()[0]);
        assert_eq!(view.progress.pages_done, 6);
    }

    async fn a_visit_costs_two_writes(kurso: TestKurso) {
        let [owner, anna] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content; 3]]]).await;
        enroll(&kurso, &owner, course, &[&anna]).await;
        let pages = pages(&kurso, &owner, course).await;
        mark_page_visited(&kurso, &anna, pages[0]).await.unwrap();
        let before = kurso.db.statements();
        mark_page_visited(&kurso, &anna, pages[1]).await.unwrap();
        // The course with the stored progress, the bitmap update, the visit; a node that does not know the others'
        // subscriptions also sends a notification.
        let told = u64::from(kurso.db.name() == "postgres");
        assert_eq!(kurso.db.statements() - before, 3 + told);
    }

    /// A class visits pages concurrently, some learners twice, while a page is deleted: every confirmed visit is
    /// stored, and the stored progress matches the visits.
    async fn concurrent_visits_are_all_written(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content; 6], &[Content; 6]], &[&[Content; 8]]]).await;
        let mut class = Vec::new();
        for n in 0..12 {
            class.push(kurso.person(&format!("learner-{n}")).await);
        }
        enroll(&kurso, &owner, course, &class.iter().collect::<Vec<_>>()).await;
        let pages = pages(&kurso, &owner, course).await;
        for learner in &class {
            mark_page_visited(&kurso, learner, pages[0]).await.unwrap();
        }
        let doomed = pages[9];
        let visits = class.iter().enumerate().flat_map(|(n, learner)| {
            let tabs = if n % 3 == 0 { [1, 2] } else { [n % 7, 9] };
            tabs.map(|place| (n == 4 && place == 9, learner, pages[(place + n) % 20]))
        });
        let (kurso, owner) = (&kurso, &owner);
        let written = futures_util::future::join_all(visits.map(|(deletes, learner, page)| async move {
            let seen = mark_page_visited(kurso, learner, page).await;
            if deletes { page::delete(kurso, owner, doomed).await.unwrap(); }
            (learner, page, seen)
        })).await;
        let mut count = 12;
        for (learner, page, seen) in written {
            match seen {
                Ok((view, place)) => assert!(view.marks.is_visited(place)),
                Err(Error::NotFound(_)) if page == doomed => continue,
                Err(error) => panic!("{error:?}"),
            }
            if page == doomed { continue; } // deleted with its visits
            let is_there = sql!(
                "SELECT COUNT(*) FROM visits v JOIN enrollments e ON e.id = v.enrollment_id WHERE e.user_id = $1 AND v.page_id = $2",
                learner.id(), page
            );
            assert_eq!(is_there.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0, 1);
            count += 1;
        }
        assert!(count > 30);
        let by_class = list(kurso, owner, course, &query("", "email")).await;
        for student in &by_class {
            let own = kurso.db.statements();
            let learner = class.iter().find(|viewer| viewer.user.email == student.email).unwrap();
            let view = CourseView::load(kurso, learner, course, Right::Read).await.unwrap();
            assert!(kurso.db.statements() > own);
            let truth = progress::read::marks(&kurso.db, &[(student.enrollment_id, view.tree.as_ref())]).await.unwrap();
            assert_eq!(progress::derive(&view.tree, &truth[0], None).pages_done, student.progress.pages_done, "{}", student.email);
            assert_eq!(view.marks, truth[0]);
        }
    }

    async fn concurrent_first_visits_number_pages_once(kurso: TestKurso) {
        let [owner, anna, boris, vera] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content, Content, Content]]]).await;
        enroll(&kurso, &owner, course, &[&anna, &boris, &vera]).await;
        let pages = pages(&kurso, &owner, course).await;
        let (a, b, c) = tokio::join!(
            mark_page_visited(&kurso, &anna, pages[0]),
            mark_page_visited(&kurso, &boris, pages[1]),
            mark_page_visited(&kurso, &vera, pages[2]),
        );
        for visit in [a, b, c] { visit.unwrap(); }
        let numbers = sql!("SELECT mark_no FROM pages ORDER BY mark_no").fetch_all::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(numbers, [(0,), (1,), (2,)]);
        let found = list(&kurso, &owner, course, &query("", "email")).await;
        assert!(found.iter().all(|student| student.progress.percent() == 33));
    }

    async fn search_and_order_are_the_same_on_both_databases(kurso: TestKurso) {
        let [owner, anna, boris, vera, galya] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        enroll(&kurso, &owner, course, &[&galya, &vera, &boris, &anna]).await;
        for (who, full_name) in [
            (&anna, Some("ёлкина Анна")), (&boris, Some("Жуков Борис")), (&vera, Some("Елизарова Вера")), (&galya, None),
        ] { name(&kurso, who, full_name).await; }
        let pages = pages(&kurso, &owner, course).await;
        for (who, page) in [(&boris, 0), (&boris, 1), (&galya, 1)] {
            kurso.clock.advance(Duration::seconds(1));
            mark_page_visited(&kurso, who, pages[page]).await.unwrap();
        }
        for (search, sort, expected) in [
            ("", "full_name", vec!["galya", "vera", "anna", "boris"]),
            ("", "-full_name", vec!["boris", "anna", "vera", "galya"]),
            ("", "email", vec!["anna", "boris", "galya", "vera"]),
            ("", "enrolled_at", vec!["galya", "vera", "boris", "anna"]),
            ("", "-last_activity_at", vec!["galya", "boris", "anna", "vera"]),
            ("", "percent", vec!["vera", "anna", "galya", "boris"]),
            ("", "-percent", vec!["boris", "galya", "vera", "anna"]),
            ("", "completed_at", vec!["boris", "galya", "vera", "anna"]),
            ("", "-completed_at", vec!["boris", "galya", "vera", "anna"]),
            ("ЕЛ", "email", vec!["anna", "vera"]),
            ("Елкина", "email", vec!["anna"]),
            ("борис жУК", "email", vec!["boris"]),
            ("GALYA@", "email", vec!["galya"]),
            ("%", "email", vec![]),
        ] {
            assert_eq!(names(&kurso, &owner, course, search, sort).await, expected, "{search} {sort}");
        }
        let page = |skip, limit| students::list(&kurso, &owner, course, &DEFAULT, Page { skip, limit });
        for (skip, limit, expected) in [(0, 2, 2), (3, 100, 1), (4, 100, 0), (0, 0, 0), (i64::MAX, 1000, 0)] {
            let Listed { data, count } = page(skip, limit).await.unwrap();
            assert_eq!((data.len(), count), (expected, 4));
        }
        let found = students::list(&kurso, &owner, course, &query("елк", "email"), Page { skip: 0, limit: 0 }).await.unwrap();
        assert_eq!(found.count, 1);
    }

    async fn staff_see_students_and_others_do_not(kurso: TestKurso) {
        let [owner, editor, teacher, learner, stranger] = people(&kurso).await;
        let root = kurso.superuser("root").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        enroll(&kurso, &owner, course, &[&learner]).await;
        for (who, role) in [(&editor, "editor"), (&teacher, "teacher")] {
            kurso.collaborator(course, who, role).await;
        }
        let student = list(&kurso, &owner, course, &DEFAULT).await.remove(0).enrollment_id;
        for (who, sees, removes) in [
            (&stranger, None, None), (&learner, Some(false), Some(false)), (&root, Some(true), Some(false)),
            (&editor, Some(true), Some(false)), (&teacher, Some(true), Some(true)), (&owner, Some(true), Some(true)),
        ] {
            let listed = students::list(&kurso, who, course, &DEFAULT, Page::default()).await.map(|_| ());
            let detailed = students::detail(&kurso, who, student).await.map(|_| ());
            let removed = students::remove(&kurso, who, student).await;
            if removed.is_ok() { enroll(&kurso, &owner, course, &[&learner]).await; }
            let name = &who.user.email;
            for (answer, allowed) in [(listed, sees), (detailed, sees)] {
                match allowed {
                    None => assert!(matches!(answer, Err(Error::NotFound(_))), "{name} {answer:?}"),
                    Some(false) => assert!(matches!(answer, Err(Error::Forbidden(_))), "{name} {answer:?}"),
                    Some(true) => assert!(answer.is_ok(), "{name} {answer:?}"),
                }
            }
            match removes {
                None => assert!(matches!(removed, Err(Error::NotFound(Message::StudentNotFound))), "{name}"),
                Some(false) => assert!(matches!(removed, Err(Error::Forbidden(_))), "{name} {removed:?}"),
                Some(true) => assert!(removed.is_ok(), "{name} {removed:?}"),
            }
        }
        let unknown = students::detail(&kurso, &owner, EnrollmentId(Uuid::nil())).await;
        assert!(matches!(unknown, Err(Error::NotFound(Message::StudentNotFound))));
    }

    async fn a_removed_student_returns_with_their_progress(kurso: TestKurso) {
        let [owner, anna] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
        enroll(&kurso, &owner, course, &[&anna]).await;
        mark_page_visited(&kurso, &anna, pages(&kurso, &owner, course).await[0]).await.unwrap();
        let before = list(&kurso, &owner, course, &DEFAULT).await.remove(0);
        assert_eq!(before.progress.percent(), 50);
        students::remove(&kurso, &owner, before.enrollment_id).await.unwrap();
        assert!(list(&kurso, &owner, course, &DEFAULT).await.is_empty());
        let mine = learning::my_progress(&kurso, &anna, course).await;
        assert!(matches!(mine, Err(Error::NotFound(_))), "no relation any more");
        enroll(&kurso, &owner, course, &[&anna]).await;
        let after = list(&kurso, &owner, course, &DEFAULT).await.remove(0);
        assert_eq!((after.enrollment_id, after.progress.percent()), (before.enrollment_id, 50));
    }

    async fn details_of_a_student_are_listed_by_page(kurso: TestKurso) {
        let [owner, anna] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
        let pages = pages(&kurso, &owner, course).await;
        let quiz = kurso.set_quiz(pages[1], &yes_or_no()).await;
        enroll(&kurso, &owner, course, &[&anna]).await;
        mark_page_visited(&kurso, &anna, pages[0]).await.unwrap();
        for text in ["нет", "да"] {
            let answers = json!({"answers": [{"question_id": quiz.questions[0].id, "text": text}]});
            attempts::submit(&kurso, &anna, pages[1], submission(&answers)).await.unwrap();
        }
        let was = quiz.to_text().unwrap();
        kurso.set_quiz(pages[1], &json!({"questions": [{"type": "short_text", "prompt": "!", "accepted": ["нет"]}]})).await;
        page::update(&kurso, &owner, pages[0], None, command(json!({"published": false}))).await.unwrap();

        let student = list(&kurso, &owner, course, &DEFAULT).await.remove(0).enrollment_id;
        let detail = students::detail(&kurso, &owner, student).await.unwrap();
        assert_eq!((detail.visited_at(0).is_some(), detail.is_done(0), detail.tree.page(0).published), (true, true, false));
        assert_eq!((detail.visited_at(1), detail.is_done(1)), (None, true));
        let attempts = detail.attempts(1);
        assert_eq!(attempts.iter().map(|a| (a.attempt.attempt_no, a.attempt.passed)).collect::<Vec<_>>(), [(1, false), (2, true)]);
        assert!(attempts.iter().all(|a| *a.quiz == *was), "the quiz as it was taken");
        let progress = &detail.student.progress;
        assert_eq!((progress.percent(), progress.pages_total, progress.lessons_done), (100, 1, 1));
    }

    async fn the_number_of_statements_is_independent_of_class_size(kurso: TestKurso) {
        let [owner, anna, boris, vera, galya] = people(&kurso).await;
        let course = kurso.course(&owner, &[&[&[Content; 9], &[Content; 9]]]).await;
        let mut costs = Vec::new();
        for learners in [vec![&anna], vec![&boris, &vera, &galya]] {
            enroll(&kurso, &owner, course, &learners).await;
            for learner in learners {
                mark_page_visited(&kurso, learner, pages(&kurso, &owner, course).await[0]).await.unwrap();
            }
            pages(&kurso, &owner, course).await;
            let before = kurso.db.statements();
            let found = list(&kurso, &owner, course, &query("", "-percent")).await;
            costs.push(kurso.db.statements() - before);
            let before = kurso.db.statements();
            students::detail(&kurso, &owner, found[0].enrollment_id).await.unwrap();
            costs.push(kurso.db.statements() - before);
        }
        assert_eq!(costs, [3, 5, 3, 5], "the tree is known");
    }
}

static DEFAULT: Query = Query {
    search: Search::ALL,
    group: GroupFilter::All,
    progress: students::ProgressFilter {
        state: None,
        stopped_at: None,
    },
    order: Order {
        by: students::SortKey::FullName,
        descending: false,
    },
};
