//! What staff see of draws: the sample that they try out, attempts of students, the grading queue and statistics.

use kurso_base::pagination::Page;
use kurso_core::assessments::{AnswerFilter, AnswerId, AnswerState, grading_queue, open_answer};
use kurso_core::attempts::analysis;
use kurso_core::both;
use kurso_core::courses::groups::GroupFilter;

use super::*;

both! {
    async fn staff_try_what_they_see(kurso: TestKurso) {
        let class = class(&kurso, 6, 3, &json!({})).await;
        let shown = class.read(&kurso, &class.owner).await;
        assert_eq!((shown.quiz.questions.len(), shown.quiz.question_count), (4, 4));
        assert_eq!(class.read(&kurso, &class.owner).await.quiz, shown.quiz);
        let answers = submission(&json!({"answers": class.right(&shown)}));
        let tried = attempts::try_out(&kurso, &class.owner, class.page, answers, false).await.unwrap();
        assert!(tried.attempt.passed && tried.attempt.questions.is_none());
        // A bank that is too small shows what there is.
        let mut many = quiz(class.bank, 10, &json!({}));
        many["questions"].as_array_mut().unwrap().remove(0);
        kurso.set_quiz(class.page, &many).await;
        let shown = class.read(&kurso, &class.owner).await;
        assert_eq!(class.drawn(&shown).len(), 6);
    }

    async fn attempts_of_students_have_their_quiz(kurso: TestKurso) {
        let class = class(&kurso, 8, 3, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let first = class.take(&kurso, &anna).await;
        let second = class.take(&kurso, &anna).await;
        let taken = attempts::attempts_for_staff(&kurso, enrollment).await.unwrap();
        for (taken, drawn) in taken.iter().zip([first, second]) {
            let quiz: Value = serde_json::from_str(&taken.quiz).unwrap();
            let questions = quiz["questions"].as_array().unwrap();
            let ids: HashSet<Uuid> = questions.iter().map(|question| serde_json::from_value(question["id"].clone()).unwrap()).collect();
            assert_eq!(ids, drawn.into_iter().chain([FIXED]).collect());
            assert!(!taken.quiz.contains("\"draw\"") && !taken.quiz.contains(&class.bank.to_string()));
        }
    }

    async fn drawn_open_questions_are_graded(kurso: TestKurso) {
        let class = class(&kurso, 0, 1, &json!({})).await;
        let level = |points: u32| json!({"name": "level", "points": points});
        let rubric = json!({"criteria": [{"name": "criterion", "levels": [level(0), level(5)]}]});
        let essay = json!({"type": "essay", "prompt": "Tell a story", "guide": "Look", "points": 5, "rubric": rubric});
        let essay = kurso.bank_question(class.bank, &essay, &["a"]).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        class.start(&kurso, &anna).await.unwrap();
        let story = json!({"question_id": essay, "content": "Once"});
        let attempt = class.submit(&kurso, &anna, json!([story])).await.unwrap().attempt;
        assert_eq!((attempt.waiting_answers, attempt.max_score), (1, 3.0));
        let filter = AnswerFilter::default();
        let queue = grading_queue(&kurso, &class.owner, class.course, &filter, AnswerState::Waiting, Page::default()).await.unwrap();
        let question = &queue.questions[0];
        assert_eq!((question.question_id, question.number, question.prompt.as_str()), (essay, 2, "Tell a story"));
        let id = AnswerId { attempt: attempt.id, question: essay };
        let answer = open_answer(&kurso, &class.owner, id).await.unwrap();
        assert_eq!(answer.max_points.as_f64(), 2.0);
        assert!(answer.guide.is_some() && answer.rubric.is_none(), "the points of its rubric are not those of the draw");
    }

    async fn a_drawn_question_is_an_item_of_the_attempts_that_had_it(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        let mut asked = std::collections::HashMap::new();
        for number in 0..5 {
            let (learner, _) = class.learner(&kurso, &format!("learner{number}")).await;
            for question in class.take(&kurso, &learner).await {
                *asked.entry(question).or_insert(0) += 1;
            }
        }
        let found = analysis::analyse(&kurso, &class.owner, class.page, GroupFilter::All).await.unwrap();
        assert_eq!((found.max_points, found.waiting, found.outdated), (5.0, 0, 0));
        let quiz = &found.statistics;
        assert_eq!((quiz.attempts, quiz.mean, quiz.alpha, quiz.standard_error), (5, Some(5.0), None, None));
        assert_eq!(found.questions[0].asked, 5);
        for question in &found.questions[1..] {
            assert_eq!((question.number, question.max_points), (2, 2.0));
            assert_eq!(question.asked, asked[&question.question_id]);
            let measured = &question.statistics;
            assert_eq!((measured.attempts, measured.facility, measured.discrimination), (question.asked, Some(1.0), None));
        }
        assert_eq!(found.questions.len(), 1 + asked.len());
    }

    async fn hard_questions_may_be_drawn(kurso: TestKurso) {
        let class = class(&kurso, 1, 1, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        class.start(&kurso, &anna).await.unwrap();
        class.submit(&kurso, &anna, json!([{"question_id": FIXED, "number": "1"}])).await.unwrap();
        let hardest = attempts::hardest(&kurso.db, class.course, GroupFilter::All, 1).await.unwrap();
        let hard = &hardest[0];
        assert_eq!((hard.question_id, hard.number, hard.prompt.as_str()), (class.questions[0], 2, "Write 0"));
    }
}
