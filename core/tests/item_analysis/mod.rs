//! Tests of the item analysis on both databases: which attempts count, how answers are counted, and who may read the result. `independent` tests
//! the statistics.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod independent;

use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::{Right, Viewer};
use kurso_core::assessments::{self, AnswerId};
use kurso_core::attempts::analysis::{self, Analysis, QuestionFlag, QuizFlag};
use kurso_core::auth::Origin;
use kurso_core::courses::groups::{self, GroupFilter};
use kurso_core::courses::tree::PageKind::{Assignment, Content, Quiz};
use kurso_core::learning::enroll;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command, submission};
use kurso_core::{attempts, both, courses, students};
use kurso_formats::quiz::{Answer, FilledBlank, FilledWith, Given, Match};
use serde_json::{Value, json};
use uuid::Uuid;

/// A course of one quiz and its staff.
struct Class {
    owner: Viewer,
    course: CourseId,
    page: PageId,
    code: String,
}

/// The id of a question or of a part of one.
fn id(n: u128) -> Uuid {
    Uuid::from_u128(0x0198_f000_0000_7000_8000_0000_0000_0000 + n)
}

/// A single-choice question worth two points, with three options of which the first is correct.
fn choice(n: u128) -> Value {
    let option = |m: u128| json!({"id": id(n + m), "content": format!("Вариант {m}"), "correct": m == 1});
    json!({"id": id(n), "type": "single_choice", "prompt": format!("Вопрос {n}?"), "points": 2, "options": [option(1), option(2), option(3)]})
}

fn text(n: u128, accepted: &str) -> Value {
    json!({"id": id(n), "type": "short_text", "prompt": format!("Вопрос {n}?"), "accepted": [accepted]})
}

fn chosen(n: u128, option: u128) -> Answer {
    Answer {
        question_id: id(n),
        given: Given::Options(vec![id(n + option)]),
    }
}

fn written(n: u128, text: &str) -> Answer {
    Answer {
        question_id: id(n),
        given: Given::Text(text.to_owned()),
    }
}

async fn class(kurso: &TestKurso, questions: &[Value]) -> Class {
    let owner = kurso.person("owner").await;
    let course = kurso.course(&owner, &[&[&[Quiz, Content, Assignment]]]).await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let page = pages(kurso, &owner, course).await[0];
    kurso.set_quiz(page, &json!({"questions": questions})).await;
    Class {
        owner,
        course,
        page,
        code: shared.share_code.unwrap(),
    }
}

async fn pages(kurso: &TestKurso, owner: &Viewer, course: CourseId) -> Vec<PageId> {
    let view = CourseView::load(kurso, owner, course, Right::Read).await.unwrap();
    view.tree.pages.iter().map(|page| page.id).collect()
}

impl Class {
    async fn learner(&self, kurso: &TestKurso, name: &str) -> (Viewer, EnrollmentId) {
        let learner = kurso.person(name).await;
        let course = enroll(kurso, &learner, &Origin::default(), &self.code).await.unwrap();
        (learner, course.enrollment.unwrap().id)
    }

    async fn submit(
        &self,
        kurso: &TestKurso,
        (learner, own): &(Viewer, EnrollmentId),
        answers: &[Answer],
    ) -> attempts::Attempt {
        let aliases = kurso.quiz_key.aliases(own.0);
        let sent: Vec<Answer> = answers
            .iter()
            .map(|answer| Answer {
                given: answer.given.clone().with_aliases(&aliases, answer.question_id),
                ..answer.clone()
            })
            .collect();
        let submitted = attempts::submit(kurso, learner, self.page, submission(&json!({"answers": sent}))).await;
        submitted.unwrap().attempt
    }

    /// Enrolls a new learner, who submits these answers as the first attempt.
    async fn takes(&self, kurso: &TestKurso, name: &str, answers: &[Answer]) -> (Viewer, EnrollmentId) {
        let learner = self.learner(kurso, name).await;
        self.submit(kurso, &learner, answers).await;
        learner
    }

    async fn analysis(&self, kurso: &TestKurso) -> Analysis {
        self.analysis_of(kurso, GroupFilter::All).await
    }

    async fn analysis_of(&self, kurso: &TestKurso, group: GroupFilter) -> Analysis {
        analysis::analyse(kurso, &self.owner, self.page, group).await.unwrap()
    }
}

/// Texts with how often they were answered.
fn wrong(of: &Analysis, question: usize) -> Vec<(&str, i64)> {
    let answers = &of.questions[question].wrong_answers;
    answers.iter().map(|wrong| (wrong.text.as_str(), wrong.times)).collect()
}

fn taken(of: &Analysis, question: usize) -> Vec<i64> {
    of.questions[question]
        .options
        .iter()
        .map(|option| option.taken)
        .collect()
}

fn near(value: Option<f64>, expected: f64) {
    assert!((value.unwrap() - expected).abs() < 1e-9, "{value:?}, not {expected}");
}

both! {
    async fn a_quiz_is_analysed_by_first_attempts(kurso: TestKurso) {
        let class = class(&kurso, &[choice(10), text(20, "да"), text(30, "да")]).await;
        let empty = class.analysis(&kurso).await;
        assert_eq!((empty.tried, empty.statistics.mean, empty.max_points), (0, None, 4.0));
        assert_eq!((empty.flags, empty.questions.len()), (vec![QuizFlag::FewAttempts], 3));

        let anna = class.takes(&kurso, "anna", &[chosen(10, 1), written(20, "да"), written(30, "да")]).await;
        class.takes(&kurso, "boris", &[chosen(10, 1), written(20, "ДА"), written(30, " Нет ")]).await;
        class.takes(&kurso, "vera", &[chosen(10, 2), written(20, "нет"), written(30, "нет")]).await;
        class.takes(&kurso, "galya", &[chosen(10, 2), written(30, "Не  знаю")]).await;
        // Neither a second attempt nor the try-out of staff counts.
        class.submit(&kurso, &anna, &[chosen(10, 3)]).await;
        attempts::try_out(&kurso, &class.owner, class.page, submission(&json!({"answers": [chosen(10, 3)]})), false).await.unwrap();

        let found = class.analysis(&kurso).await;
        assert_eq!((found.course_id, found.page_id), (class.course, class.page));
        assert_eq!((found.tried, found.statistics.attempts, found.waiting, found.outdated), (4, 4, 0, 0));
        // The marks are 2 1 1, 2 1 0, 0 0 0, 0 0 0.
        near(found.statistics.mean, 7.0 / 4.0);
        near(found.statistics.deviation, 4.25f64.sqrt());
        near(found.statistics.alpha, 1.5 * (1.0 - (4.0 / 3.0 + 1.0 / 3.0 + 0.25) / 4.25));
        assert_eq!(found.statistics.histogram, [2, 0, 0, 0, 0, 0, 0, 1, 0, 1]);
        let of: Vec<_> = found.questions.iter().map(|one| (one.number, one.question_id, one.max_points, one.asked, one.unanswered)).collect();
        assert_eq!(of, [(1, id(10), 2.0, 4, 0), (2, id(20), 1.0, 4, 1), (3, id(30), 1.0, 4, 0)]);
        assert_eq!(found.questions[0].prompt, "Вопрос 10?");
        let facility: Vec<_> = found.questions.iter().map(|one| one.statistics.facility.unwrap()).collect();
        assert_eq!(facility, [0.5, 0.5, 0.25]);
        near(found.questions[1].statistics.efficiency, 1.0);
        assert_eq!(taken(&found, 0), [2, 2, 0]);
        assert!(found.questions[0].options[0].is_correct && !found.questions[0].options[1].is_correct);
        assert_eq!(found.questions[0].options[2].text, "Вариант 3");
        assert_eq!((wrong(&found, 1), wrong(&found, 2)), (vec![("нет", 1)], vec![("нет", 2), ("не знаю", 1)]));
        assert!(found.questions.iter().all(|one| one.flags.is_empty()), "too few attempts");
    }

    async fn what_looks_wrong_is_flagged_from_ten_attempts_on(kurso: TestKurso) {
        let class = class(&kurso, &[choice(10), text(20, "да"), text(30, "да")]).await;
        for n in 0..10 {
            // The four who know the answers to the second and third questions take the wrong option of the first, and so does one who knows nothing.
            let (option, word) = (if n < 5 { 2 } else { 1 }, if (1..5).contains(&n) { "да" } else { "нет" });
            class.takes(&kurso, &format!("learner{n}"), &[chosen(10, option), written(20, word), written(30, word)]).await;
            let found = class.analysis(&kurso).await;
            let flags = &found.questions[0].flags;
            match n {
                9 => assert_eq!(flags[..], [QuestionFlag::NegativeDiscrimination, QuestionFlag::UnusedOption]),
                _ => assert!(flags.is_empty() && found.flags == [QuizFlag::FewAttempts]),
            }
        }
        let found = class.analysis(&kurso).await;
        assert!(found.questions[0].statistics.discrimination.unwrap() < -0.5);
        assert_eq!(found.flags, [QuizFlag::LowAlpha]);
    }

    async fn parts_of_answers_are_counted_whatever_their_order(kurso: TestKurso) {
        let pair = |n: u128| json!({"id": id(10 + n), "left": format!("Слева {n}"), "right": format!("Справа {n}")});
        let blank = |n: u128| json!({"type": "blank", "attrs": {"blank_id": id(20 + n)}});
        let filling = json!({"type": "doc", "content": [{"type": "paragraph", "content": [blank(1), blank(2)]}]});
        let options = [json!({"id": id(31), "content": "за", "correct": true}), json!({"id": id(32), "content": "до", "correct": false})];
        let class = class(&kurso, &[
            json!({"id": id(10), "type": "matching", "prompt": "?", "pairs": [pair(1), pair(2), pair(3)]}),
            json!({"id": id(20), "type": "fill_blank", "text": filling, "blanks": [
                {"id": id(21), "accepted": ["да"]}, {"id": id(22), "options": options},
            ]}),
            json!({"id": id(40), "type": "numeric", "prompt": "?", "value": 4}),
        ]).await;
        let matched = |sides: &[(u128, u128)]| Answer {
            question_id: id(10),
            given: Given::Pairs(sides.iter().map(|(left, right)| Match { left_id: id(10 + left), right_id: id(10 + right) }).collect()),
        };
        let filled = |word: &str, option: u128| Answer {
            question_id: id(20),
            given: Given::Blanks(vec![
                FilledBlank { blank_id: id(21), with: FilledWith::Text(word.to_owned()) },
                FilledBlank { blank_id: id(22), with: FilledWith::OptionId(id(30 + option)) },
            ]),
        };
        let number = |text: &str| Answer { question_id: id(40), given: Given::Number(text.into()) };
        class.takes(&kurso, "anna", &[matched(&[(3, 3), (1, 1), (2, 2)]), filled("ДА", 1), number("0,5")]).await;
        class.takes(&kurso, "boris", &[matched(&[(1, 1), (2, 3), (3, 2)]), filled("нет", 1), number("0.5")]).await;
        class.takes(&kurso, "vera", &[matched(&[(2, 2)]), number("4")]).await;
        let found = class.analysis(&kurso).await;
        let parts = |question: usize| -> Vec<_> {
            found.questions[question].parts.iter().map(|part| (part.part_id, part.text.as_str(), part.right)).collect()
        };
        assert_eq!(parts(0), [(id(11), "Слева 1", 2), (id(12), "Слева 2", 2), (id(13), "Слева 3", 1)]);
        assert_eq!(parts(1), [(id(21), "", 1), (id(22), "", 2)]);
        assert_eq!(found.questions[1].unanswered, 1);
        assert_eq!(wrong(&found, 2), [("0.5", 2)]);
    }

    async fn attempts_that_wait_for_a_grader_count_when_they_are_graded(kurso: TestKurso) {
        let class = class(&kurso, &[text(10, "да"), json!({"id": id(20), "type": "essay", "prompt": "?", "points": 4})]).await;
        let essay = Answer { question_id: id(20), given: Given::Essay(json!({"type": "doc", "content": [
            {"type": "paragraph", "content": [{"type": "text", "text": "Потому"}]},
        ]})) };
        let anna = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, &[written(10, "да"), essay]).await;
        class.takes(&kurso, "boris", &[written(10, "нет")]).await; // without an essay there is nothing to grade
        let found = class.analysis(&kurso).await;
        assert_eq!((found.tried, found.waiting, found.statistics.attempts), (2, 1, 1));
        assert_eq!((found.questions[0].statistics.attempts, found.questions[0].statistics.facility), (2, Some(0.5)));
        assert_eq!((found.questions[1].statistics.attempts, found.questions[1].statistics.facility), (1, Some(0.0)));
        assert_eq!((found.questions[1].asked, found.questions[1].unanswered), (2, 1));

        let answer = AnswerId { attempt: attempt.id, question: id(20) };
        assessments::assess(&kurso, &class.owner, answer, command(json!({"version": 0, "points": 3}))).await.unwrap();
        let found = class.analysis(&kurso).await;
        assert_eq!((found.waiting, found.statistics.attempts, found.statistics.mean), (0, 2, Some(2.0)));
        assert_eq!(found.questions[1].statistics.facility, Some(0.375));
    }

    async fn attempts_before_a_change_of_the_quiz_count_as_far_as_they_go(kurso: TestKurso) {
        let class = class(&kurso, &[choice(10), text(20, "да"), text(30, "да")]).await;
        class.takes(&kurso, "anna", &[chosen(10, 1), written(20, "да"), written(30, "да")]).await;
        class.takes(&kurso, "boris", &[chosen(10, 3), written(20, "нет"), written(30, "да")]).await;
        // The third question is removed, the first is worth more and loses an option, a question without points is added.
        let mut first = choice(10);
        first["points"] = json!(10);
        first["options"].as_array_mut().unwrap().pop();
        let mut free = text(50, "да");
        free["points"] = json!(0);
        kurso.set_quiz(class.page, &json!({"questions": [free, text(20, "да"), first]})).await;
        let found = class.analysis(&kurso).await;
        assert_eq!((found.statistics.attempts, found.outdated, found.max_points), (2, 0, 11.0));
        near(found.statistics.mean, 5.5);
        assert_eq!(taken(&found, 2), [1, 0], "the option that was removed is not shown");
        assert_eq!((found.questions[0].asked, found.questions[0].statistics.facility), (0, None));

        kurso.set_quiz(class.page, &json!({"questions": [text(20, "да"), text(60, "да")]})).await;
        class.takes(&kurso, "vera", &[written(20, "нет"), written(60, "да")]).await;
        let found = class.analysis(&kurso).await;
        assert_eq!((found.tried, found.statistics.attempts, found.outdated), (3, 1, 2));
        assert_eq!((found.questions[0].statistics.attempts, found.questions[1].statistics.attempts), (3, 1));
        near(found.questions[0].statistics.facility, 1.0 / 3.0);
    }

    async fn a_group_is_analysed_alone(kurso: TestKurso) {
        let class = class(&kurso, &[choice(10)]).await;
        let (_, anna) = class.takes(&kurso, "anna", &[chosen(10, 1)]).await;
        let (_, boris) = class.takes(&kurso, "boris", &[chosen(10, 2)]).await;
        let group = groups::create(&kurso, &class.owner, class.course, command(json!({"title": "А"}))).await.unwrap().id;
        let to = command(json!({"enrollment_ids": [anna], "group_id": group}));
        groups::move_students(&kurso, &class.owner, class.course, to).await.unwrap();
        for (filter, expected) in [
            (GroupFilter::All, vec![1, 1, 0]),
            (GroupFilter::In(group), vec![1, 0, 0]),
            (GroupFilter::Without, vec![0, 1, 0]),
            (GroupFilter::In(GroupId::new()), vec![0, 0, 0]),
        ] {
            assert_eq!(taken(&class.analysis_of(&kurso, filter).await, 0), expected, "{filter:?}");
        }
        students::remove(&kurso, &class.owner, boris).await.unwrap();
        assert_eq!(class.analysis(&kurso).await.tried, 1, "those who left do not count");
    }

    async fn learners_and_strangers_read_no_analysis(kurso: TestKurso) {
        let class = class(&kurso, &[choice(10)]).await;
        let (learner, _) = class.learner(&kurso, "anna").await;
        let of = async |viewer: &Viewer, page| analysis::analyse(&kurso, viewer, page, GroupFilter::All).await;
        assert!(matches!(of(&learner, class.page).await, Err(Error::Forbidden(Message::CourseForbidden))));
        let stranger = kurso.person("stranger").await;
        assert!(matches!(of(&stranger, class.page).await, Err(Error::NotFound(Message::PageNotFound))));
        let (editor, teacher, superuser) = (kurso.person("editor").await, kurso.person("teacher").await, kurso.superuser("head").await);
        kurso.collaborator(class.course, &editor, "editor").await;
        kurso.collaborator(class.course, &teacher, "teacher").await;
        for viewer in [&class.owner, &editor, &teacher, &superuser] {
            assert!(of(viewer, class.page).await.unwrap().questions[0].options[0].is_correct);
        }
        for page in &pages(&kurso, &class.owner, class.course).await[1..] {
            assert!(matches!(of(&class.owner, *page).await, Err(Error::NotFound(Message::NoQuiz))));
        }
    }

    async fn an_analysis_takes_four_statements(kurso: TestKurso) {
        let class = class(&kurso, &[choice(10), text(20, "да")]).await;
        for n in 0..6 {
            let before = kurso.db.statements();
            class.analysis(&kurso).await;
            assert_eq!(kurso.db.statements() - before, 4, "after {n} attempts");
            class.takes(&kurso, &format!("learner{n}"), &[chosen(10, 1 + n % 3), written(20, &n.to_string())]).await;
        }
    }
}
