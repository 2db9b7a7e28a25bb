//! Settings: limits, copies, checks.

use kurso_core::check::{self, Depth};
use kurso_core::courses::duplicate;

use super::*;

both! {
    async fn settings_that_make_no_sense_are_refused(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let other = other(&kurso).await;
        for (body, message) in [
            (json!({"scheme": "five_point", "thresholds": ["80", "70"]}), Message::ThresholdCount(3)),
            (json!({"thresholds": ["80"]}), Message::ThresholdCount(0)),
            (json!({"scheme": "five_point", "thresholds": ["70", "80", "50"]}), Message::ThresholdsOutOfOrder),
            (json!({"scheme": "five_point", "thresholds": ["80", "80", "50"]}), Message::ThresholdsOutOfOrder),
        ] {
            assert_eq!(refused(class.update(&kurso, body.clone()).await), [("thresholds".to_owned(), message)], "{body}");
        }
        let content = json!({"page_ids": [class.quizzes[0], class.content]});
        let wrong = gradebook::set_items(&kurso, &class.owner, class.course, command(content)).await;
        assert_eq!(refused(wrong), [("page_ids".to_owned(), Message::UnknownQuiz)]);
        let foreign = json!({"page_ids": [other.quizzes[0]]});
        let wrong = gradebook::set_items(&kurso, &class.owner, class.course, command(foreign)).await;
        assert_eq!(refused(wrong), [("page_ids".to_owned(), Message::UnknownQuiz)]);
        let category = other.category(&kurso, json!({"title": "Чужая"})).await;
        let wrong = class.set_items(&kurso, &[0], json!({"category_id": category})).await;
        assert_eq!(refused(wrong), [("category_id".to_owned(), Message::UnknownGradeCategory)]);
        let gone = gradebook::update_category(&kurso, &class.owner, category, command(json!({"title": "Моя"}))).await;
        assert!(matches!(gone, Err(Error::NotFound(Message::GradeCategoryNotFound))), "{gone:?}");
        let setup = gradebook::setup(&kurso, &class.owner, class.course).await.unwrap();
        assert_eq!(setup.scheme, gradebook::Scheme::Percent, "nothing was changed");
    }

    async fn a_course_has_a_limit_of_categories(kurso: TestKurso) {
        let class = class(&kurso, &[]).await;
        for n in 0..gradebook::MAX_CATEGORIES {
            class.category(&kurso, json!({"title": format!("К{n}"), "position": 0})).await;
        }
        let more = gradebook::create_category(&kurso, &class.owner, class.course, command(json!({"title": "К"}))).await;
        assert!(matches!(more, Err(Error::Conflict(Message::TooManyGradeCategories(50)))), "{more:?}");
        let setup = gradebook::setup(&kurso, &class.owner, class.course).await.unwrap();
        let titles: Vec<_> = setup.categories.iter().map(|category| category.title.as_str()).collect();
        assert_eq!((titles[0], titles[49]), ("К49", "К0"));
        let last = setup.categories[49].id;
        gradebook::update_category(&kurso, &class.owner, last, command(json!({"position": 1}))).await.unwrap();
        let setup = gradebook::delete_category(&kurso, &class.owner, setup.categories[0].id).await.unwrap();
        assert_eq!((setup.categories[0].id, setup.categories.len()), (last, 49));
        assert!(setup.categories.iter().enumerate().all(|(at, category)| category.position == at as i64));
    }

    async fn a_copy_is_graded_as_its_original_and_has_no_decisions(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        class.update(&kurso, json!({"scheme": "letters", "thresholds": ["91", "81", "71", "61"], "missing_counts_as_zero": true})).await.unwrap();
        let tests = class.category(&kurso, json!({"title": "Тесты", "weight": "62.5", "drop_lowest": 1})).await;
        class.category(&kurso, json!({"title": "Экзамен", "weight": "37.5"})).await;
        class.set_items(&kurso, &[0], json!({"category_id": tests, "points": "12.34", "extra_credit": true})).await.unwrap();
        class.set_items(&kurso, &[2], json!({"is_excluded": true})).await.unwrap();
        class.decide(&kurso, 0, Some(0), json!({"kind": "excused", "reason": "Болела"})).await.unwrap();
        let stored = gradebook::setup(&kurso, &class.owner, class.course).await.unwrap();
        let copy = duplicate::course(&kurso, &class.owner, class.course, Default::default()).await.unwrap().id;
        let copied = gradebook::setup(&kurso, &class.owner, copy).await.unwrap();
        assert_eq!((copied.scheme, copied.thresholds, copied.missing_counts_as_zero), (stored.scheme, stored.thresholds.clone(), true));
        let categories = |setup: &[gradebook::Category]| {
            setup.iter().map(|c| (c.title.clone(), c.position, c.weight, c.drop_lowest)).collect::<Vec<_>>()
        };
        assert_eq!(categories(&copied.categories), categories(&stored.categories));
        assert!(copied.categories.iter().all(|category| category.course_id == copy));
        let items = |setup: &[gradebook::Item]| {
            setup.iter().map(|item| (item.points, item.extra_credit, item.is_excluded, item.category_id.is_some())).collect::<Vec<_>>()
        };
        assert_eq!(items(&copied.items), items(&stored.items));
        assert_eq!(copied.items[0].category_id, Some(copied.categories[0].id));
        let page = duplicate::page(&kurso, &class.owner, class.quizzes[0]).await.unwrap();
        let setup = gradebook::setup(&kurso, &class.owner, class.course).await.unwrap();
        let item = setup.items.iter().find(|item| item.page_id == page.id).unwrap();
        assert_eq!((item.points, item.category_id), (1234, Some(tests)));
        let (decisions,) = sql!("SELECT COUNT(*) FROM grade_decisions").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(decisions, 1);
        assert_eq!(check::check(&kurso, Depth::default()).await.unwrap().findings, []);
    }

    async fn damaged_gradebooks_are_found(kurso: TestKurso) {
        let class = class(&kurso, &["anna"]).await;
        let other = other(&kurso).await;
        let category = other.category(&kurso, json!({"title": "Чужая"})).await;
        class.category(&kurso, json!({"title": "Своя"})).await;
        class.set_items(&kurso, &[0], json!({"points": "5"})).await.unwrap();
        class.update(&kurso, json!({"scheme": "pass_fail", "thresholds": ["40"]})).await.unwrap();
        for _ in 0..2 {
            class.decide(&kurso, 0, Some(0), json!({"kind": "excused", "reason": "Болела"})).await.unwrap();
        }
        let problems = async || {
            let found = check::check(&kurso, Depth::default()).await.unwrap().findings;
            found.into_iter().map(|finding| finding.problem).collect::<Vec<_>>()
        };
        assert_eq!(problems().await, Vec::<String>::new());
        let damages = [
            ("UPDATE grade_items SET category_id = $1", "UPDATE grade_items SET category_id = NULL WHERE category_id = $1", "its page or its category is of another course"),
            ("UPDATE grade_settings SET thresholds = '40,50' WHERE course_id <> $1", "UPDATE grade_settings SET thresholds = '4000' WHERE course_id <> $1", "the thresholds"),
            ("UPDATE grade_decisions SET version = version + 1 WHERE id <> $1 AND version = 2", "UPDATE grade_decisions SET version = 2 WHERE id <> $1 AND version = 3", "the 2 decisions"),
            ("UPDATE grade_decisions SET is_current = FALSE WHERE id <> $1", "UPDATE grade_decisions SET is_current = (version = 2) WHERE id <> $1", "not the last decision"),
            ("UPDATE grade_categories SET position = 7 WHERE id <> $1", "UPDATE grade_categories SET position = 0 WHERE id <> $1", "its 1 grade_categories"),
        ];
        for (damage, mend, problem) in damages {
            sql!(damage, category).execute(&kurso.db).await.unwrap();
            let found = problems().await;
            assert!(found.iter().any(|found| found.starts_with(problem)), "{damage}: {found:?}");
            sql!(mend, category).execute(&kurso.db).await.unwrap();
            assert_eq!(problems().await, Vec::<String>::new(), "{mend}");
        }
        sql!("UPDATE grade_decisions SET page_id = $1", other.quizzes[0]).execute(&kurso.db).await.unwrap();
        assert!(problems().await.iter().any(|found| found == "its page is of another course"));
        sql!("UPDATE grade_decisions SET page_id = $1, user_id = $2", class.quizzes[0], class.teacher.id()).execute(&kurso.db).await.unwrap();
        assert!(problems().await.iter().any(|found| found == "it is about a person who never learnt the course"));
    }
}

/// A course that has nothing to do with the class.
async fn other(kurso: &TestKurso) -> Class {
    let owner = kurso.person("head").await;
    let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
    let view = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap();
    Class {
        teacher: owner.clone(),
        quizzes: vec![view.page(0).id],
        content: view.page(0).id,
        owner,
        learners: vec![],
        enrollments: vec![],
        course,
        code: String::new(),
    }
}
