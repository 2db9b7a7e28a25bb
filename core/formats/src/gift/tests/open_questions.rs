//! Questions that people grade, in an export.

use super::*;

#[test]
fn an_assignment_becomes_an_essay_that_asks_for_its_instructions() {
    let mut quiz = Quiz::assignment();
    quiz.questions[0].prompt = quiz::paragraph("Одна страница.");
    let mut course = course_with(quiz);
    let page = &mut course.modules[0].lessons[0].pages[0];
    page.content = quiz::paragraph("Опишите реку.").into();
    let (text, report) = write(&course);
    let place = "Модуль/Урок/Тест";
    assert_eq!(
        lines(&report),
        [
            format!("{place} 1: points of the question: not supported by GIFT"),
            format!("{place} 1: assignment: it became an essay question"),
        ]
    );
    let (found, _) = questions(&text);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["type"], "essay");
    assert_eq!(found[0]["prompt"], "Опишите реку.\nОдна страница.");
}

#[test]
fn what_only_graders_read_is_reported_of_each_open_question() {
    let rubric = json!({"criteria": [{"name": "Идеи", "levels": [{"name": "Есть", "points": 2}]}]});
    let place = "Модуль/Урок/Тест 1";
    let said = |question: Value| {
        let mut quiz = quiz::read(&json!({ "questions": [question] })).unwrap();
        quiz.questions[0].points = quiz::Points::ONE;
        let all = lines(&write(&course_with(quiz)).1);
        all.into_iter()
            .filter(|line| line.starts_with(place))
            .collect::<Vec<_>>()
    };
    let lost = "note for graders or rubric of a question: not supported by the format";
    for (kind, becomes) in [
        ("essay", vec![]),
        (
            "file_upload",
            vec!["question answered with files: it became an essay question"],
        ),
        ("hand_in", vec!["assignment: it became an essay question"]),
    ] {
        let expected = |more: &[&str]| {
            let all = becomes.iter().chain(more);
            all.map(|line| format!("{place}: {line}")).collect::<Vec<_>>()
        };
        let plain = json!({ "type": kind, "prompt": quiz::paragraph("Опишите реку.") });
        assert_eq!(said(plain.clone()), expected(&[]), "{kind}");
        for (name, value) in [("guide", quiz::paragraph("Ищите довод.")), ("rubric", rubric.clone())] {
            let mut question = plain.clone();
            question[name] = value;
            assert_eq!(said(question), expected(&[lost]), "{kind} {name}");
        }
    }
    let words = json!({ "type": "essay", "prompt": quiz::paragraph("Опишите реку."), "min_words": 9 });
    assert_eq!(
        said(words),
        [format!(
            "{place}: number of words of an essay: not supported by the format"
        )]
    );
}
