//! Grading by a rubric: marks, their points, and who sees them when.

use super::*;

const IDEA: u128 = 1;
const FORM: u128 = 2;

/// The id of the level of a criterion with these points.
fn level(criterion: u128, points: u128) -> uuid::Uuid {
    uuid::Uuid::from_u128(criterion * 100 + points)
}

fn criterion(id: u128, name: &str, points: &[u128]) -> Value {
    let levels = points
        .iter()
        .map(|points| json!({"id": level(id, *points), "name": format!("{points} of {name}"), "points": points}));
    json!({"id": uuid::Uuid::from_u128(id), "name": name, "levels": levels.collect::<Vec<_>>()})
}

fn with_rubric(release: &str) -> Value {
    let mut quiz = questions(release);
    let criteria = [criterion(IDEA, "idea", &[2, 1, 0]), criterion(FORM, "form", &[1, 0])];
    quiz["questions"][1]["rubric"] = json!({"is_shown": false, "criteria": criteria});
    quiz
}

fn marks(idea: u128, form: u128) -> Value {
    json!([
        {"criterion_id": uuid::Uuid::from_u128(IDEA), "level_id": level(IDEA, idea), "comment": "About the idea"},
        {"criterion_id": uuid::Uuid::from_u128(FORM), "level_id": level(FORM, form)},
    ])
}

async fn assess(kurso: &TestKurso, class: &Class, attempt: AttemptId, body: Value) -> Result<Assessed, Error> {
    assessments::assess(kurso, &class.teacher, class.answer(attempt), command(body)).await
}

fn refusal(assessed: Result<Assessed, Error>) -> (String, Message) {
    let Err(Error::Invalid(errors)) = assessed else {
        panic!("{assessed:?}")
    };
    assert_eq!(errors.len(), 1);
    (
        serde_json::to_string(&errors[0].loc).unwrap(),
        errors[0].message.clone(),
    )
}

both! {
    async fn marks_give_the_points_and_can_be_changed(kurso: TestKurso) {
        let class = class(&kurso, &with_rubric("at_once")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let seen = assessments::open_answer(&kurso, &class.teacher, class.answer(attempt.id)).await.unwrap();
        assert_eq!((seen.rubric.as_ref(), seen.marks.len()), (class.quiz.questions[1].kind.rubric(), 0));

        let first = stored(assess(&kurso, &class, attempt.id, json!({"version": 0, "marks": marks(2, 0), "points": 2})).await);
        assert_eq!((first.points.unwrap().as_f64(), first.marks.len()), (2.0, 2));
        assert_eq!(first.marks[0].comment.as_deref(), Some("About the idea"));
        let own_now = own(&kurso, &class, enrollment).await;
        assert_eq!((own_now.score, own_now.percent, own_now.passed), (3.0, 75, true));
        let shown = serde_json::to_value(&own_now.results[1].marks).unwrap();
        assert_eq!(shown, json!([
            {"criterion": "idea", "level": "2 of idea", "points": 2, "max_points": 2, "comment": "About the idea"},
            {"criterion": "form", "level": "0 of form", "points": 0, "max_points": 1},
        ]));

        // Other marks, then points alone: each replaces the earlier assessment and stays in the history.
        let second = stored(assess(&kurso, &class, attempt.id, json!({"version": 1, "marks": marks(1, 1)})).await);
        assert_eq!((second.points.unwrap().as_f64(), second.marks[0].level_id), (2.0, level(IDEA, 1)));
        let third = stored(assess(&kurso, &class, attempt.id, json!({"version": 2, "points": 0.5})).await);
        assert_eq!((third.points.unwrap().as_f64(), third.marks.len()), (0.5, 0));
        let history: Vec<_> = third.history.iter().map(|one| (one.version, one.marks.first().map(|mark| mark.level_id))).collect();
        assert_eq!(history, [(3, None), (2, Some(level(IDEA, 1))), (1, Some(level(IDEA, 2)))]);
        let own_now = own(&kurso, &class, enrollment).await;
        assert_eq!((own_now.score, own_now.results[1].marks.len()), (1.5, 0));
        assert_consistent(&kurso).await;
    }

    async fn marks_that_do_not_fit_the_rubric_are_refused(kurso: TestKurso) {
        let class = class(&kurso, &with_rubric("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let incomplete = json!([marks(2, 1)[0]]);
        let strange = json!([marks(2, 1)[0], {"criterion_id": uuid::Uuid::from_u128(FORM), "level_id": level(IDEA, 1)}]);
        for (body, loc, message) in [
            (json!({"version": 0}), "points", Message::FieldRequired),
            (json!({"version": 0, "marks": incomplete}), "marks", quiz::Problem::MarksIncomplete.message()),
            (json!({"version": 0, "marks": strange}), "marks", quiz::Problem::UnknownChoice.message()),
            (json!({"version": 0, "marks": marks(2, 1), "points": 2}), "points", Message::PointsOfMarks),
        ] {
            let found = refusal(assess(&kurso, &class, attempt.id, body.clone()).await);
            assert_eq!(found, (format!(r#"["body","{loc}"]"#), message), "{body}");
        }
        assert_eq!(class.queue(&kurso, AnswerState::Waiting).await.total, 1);
    }

    async fn a_question_without_a_rubric_takes_no_marks(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let found = refusal(assess(&kurso, &class, attempt.id, json!({"version": 0, "marks": marks(2, 1)})).await);
        assert_eq!(found.1, Message::NoRubric);
    }

    async fn a_changed_rubric_does_not_judge_earlier_answers(kurso: TestKurso) {
        let class = class(&kurso, &with_rubric("at_once")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let mut other = with_rubric("at_once");
        other["questions"][1]["id"] = json!(class.quiz.questions[1].id);
        other["questions"][1]["points"] = json!(9);
        other["questions"][1]["rubric"]["criteria"] = json!([criterion(IDEA, "renamed", &[9, 8])]);
        kurso.set_quiz(class.page, &other).await;
        let seen = assessments::open_answer(&kurso, &class.teacher, class.answer(attempt.id)).await.unwrap();
        assert_eq!(seen.rubric.as_ref(), class.quiz.questions[1].kind.rubric());
        let new = json!([{"criterion_id": uuid::Uuid::from_u128(IDEA), "level_id": level(IDEA, 9)}]);
        assert_eq!(refusal(assess(&kurso, &class, attempt.id, json!({"version": 0, "marks": new})).await).0, r#"["body","marks"]"#);
        stored(assess(&kurso, &class, attempt.id, json!({"version": 0, "marks": marks(2, 1)})).await);
        // The rubric is removed, and the answer is graded again.
        other["questions"][1].as_object_mut().unwrap().remove("rubric");
        kurso.set_quiz(class.page, &other).await;
        stored(assess(&kurso, &class, attempt.id, json!({"version": 1, "marks": marks(2, 0)})).await);
        let own = own(&kurso, &class, enrollment).await;
        assert_eq!((own.score, own.max_score), (3.0, 4.0));
        assert_eq!(own.results[1].marks[0].level, "2 of idea");
        assert_consistent(&kurso).await;
    }

    async fn marks_are_released_with_the_points(kurso: TestKurso) {
        let class = class(&kurso, &with_rubric("together")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let before = own(&kurso, &class, enrollment).await;
        let graded = stored(assess(&kurso, &class, attempt.id, json!({"version": 0, "marks": marks(2, 1)})).await);
        assert_eq!((graded.state, graded.marks.len()), (AnswerState::Graded, 2));
        assert_eq!(own(&kurso, &class, enrollment).await, before);
        assessments::release(&kurso, &class.teacher, class.page).await.unwrap();
        let now = own(&kurso, &class, enrollment).await;
        assert_eq!((now.percent, now.results[1].marks.len()), (100, 2));
        // A learner who leaves and returns still has them.
        team::leave(&kurso, &anna, class.course).await.unwrap();
        let back = enroll(&kurso, &anna, &Origin::default(), &class.code).await.unwrap();
        let now = own(&kurso, &class, back.enrollment.unwrap().id).await;
        assert_eq!(now.results[1].marks[0].comment.as_deref(), Some("About the idea"));
        assert_consistent(&kurso).await;
    }

    async fn a_quiz_that_never_tells_the_points_does_not_tell_the_marks(kurso: TestKurso) {
        let mut quiz = with_rubric("at_once");
        quiz["reveal"] = json!("never");
        let class = class(&kurso, &quiz).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        stored(assess(&kurso, &class, attempt.id, json!({"version": 0, "marks": marks(2, 1), "comment": "Good"})).await);
        let shown = &own(&kurso, &class, enrollment).await.results[1];
        assert_eq!((shown.points, shown.marks.len(), shown.comment.as_deref()), (None, 0, Some("Good")));
    }

    async fn a_learner_reads_a_rubric_only_if_it_is_shown(kurso: TestKurso) {
        for is_shown in [false, true] {
            let mut quiz = with_rubric("at_once");
            quiz["questions"][1]["rubric"]["is_shown"] = json!(is_shown);
            let name = |part: &str| format!("{part}-{is_shown}");
            let owner = kurso.person(&name("owner")).await;
            let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
            let tree = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap().tree;
            let quiz = kurso.set_quiz(tree.pages[0].id, &quiz).await;
            let shared = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
            let learner = kurso.person(&name("learner")).await;
            let enrolled = enroll(&kurso, &learner, &Origin::default(), &shared).await.unwrap();
            let seen = attempts::for_learner(&kurso, Some(enrolled.enrollment.unwrap().id), &[tree.pages[0].id]).await.unwrap();
            let text = format!("{:?}", seen[&tree.pages[0].id].quiz);
            assert_eq!(text.contains("2 of idea"), is_shown, "{text}");
            assert!(quiz.questions[1].kind.rubric().is_some());
        }
    }

    async fn the_rubrics_of_a_course_are_for_its_staff(kurso: TestKurso) {
        let class = class(&kurso, &with_rubric("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let stranger = kurso.person("stranger").await;
        for who in [&class.owner, &class.editor, &class.teacher] {
            let found = assessments::course_rubrics(&kurso, who, class.course).await.unwrap();
            assert_eq!(found.len(), 1);
            assert_eq!((found[0].page_id, found[0].number, found[0].prompt.as_str()), (class.page, 2, "Why?"));
            assert_eq!(Some(&found[0].rubric), class.quiz.questions[1].kind.rubric());
        }
        let denied = assessments::course_rubrics(&kurso, &anna, class.course).await;
        assert!(matches!(denied, Err(Error::Forbidden(_))), "{denied:?}");
        let denied = assessments::course_rubrics(&kurso, &stranger, class.course).await;
        assert!(matches!(denied, Err(Error::NotFound(_))), "{denied:?}");
    }

    async fn at_most_two_hundred_rubrics_are_listed_in_the_order_of_the_course(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Quiz, Quiz]], &[&[Quiz]]]).await;
        let tree = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap().tree;
        let pages: Vec<PageId> = tree.pages.iter().map(|page| page.id).collect();
        let rubric = json!({"criteria": [{"name": "idea", "levels": [{"name": "yes", "points": 1}]}]});
        let asked = |count: usize| {
            let essay = json!({"type": "essay", "prompt": r#"Say "rubric":{ in JSON"#, "rubric": rubric});
            json!({"questions": vec![essay; count]})
        };
        kurso.set_quiz(pages[2], &asked(150)).await;
        kurso.set_quiz(pages[0], &asked(1)).await;
        // A prompt that looks like a rubric is none.
        kurso.set_quiz(pages[1], &json!({"questions": [{"type": "essay", "prompt": r#""rubric":{"#}]})).await;
        let found = assessments::course_rubrics(&kurso, &owner, course).await.unwrap();
        assert_eq!((found.len(), found[0].page_id, found[1].page_id, found[150].number), (151, pages[0], pages[2], 150));
        kurso.set_quiz(pages[1], &asked(60)).await;
        let found = assessments::course_rubrics(&kurso, &owner, course).await.unwrap();
        assert_eq!((found.len(), found[199].page_id), (assessments::MAX_USED_RUBRICS, pages[2]));
    }

    async fn damaged_marks_are_found(kurso: TestKurso) {
        let class = class(&kurso, &with_rubric("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        stored(assess(&kurso, &class, attempt.id, json!({"version": 0, "marks": marks(2, 1)})).await);
        assert_consistent(&kurso).await;
        for change in ["UPDATE open_answers SET marks = NULL", "UPDATE open_answers SET pins = '[]'"] {
            sql!(change).execute(&kurso.db).await.unwrap();
            let report = check::check(&kurso, Depth::default()).await.unwrap();
            assert!(report.findings.iter().any(|found| found.rule == Rule::Assessments), "{change}: {:?}", report.findings);
            sql!("UPDATE open_answers SET marks = (SELECT marks FROM assessments), pins = NULL").execute(&kurso.db).await.unwrap();
        }
        assert_consistent(&kurso).await;
    }
}
