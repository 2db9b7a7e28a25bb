use kurso_base::values::QuestionTags;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use super::{Parsed, read, start, write, write_bank};
use crate::content;
use crate::course::TaggedQuestion;
use crate::quiz::{self, BankQuestionDraft, Kind, Quiz, samples};

fn read_quiz(text: &str) -> Quiz {
    let found = read(text);
    assert_eq!(found.notes, []);
    let checked = found.questions.into_iter().map(|Parsed { question, .. }| {
        let question = question.unwrap();
        question.check().map(|()| question)
    });
    Quiz {
        questions: checked.collect::<Result<_, _>>().unwrap(),
        ..Quiz::default()
    }
}

const WRITTEN: &str = r#"??? single_choice

Сколько будет 2 + 2?

```
(x) это код
```

( ) 3
-> Почти.
(x) 4
( ) ```rust
    5
    ```
-> Это **код**.

    И ещё абзац.
! Потому что **арифметика**.

    И точка.

??? multiple_choice points=2.5

Что верно?

[x] `a`
-> Да.
[ ] b

??? single_choice

Кто?

(x 100%) он
( 33.33333%) она
-> Отчасти.
( -5%) оно
( ) никто

??? multiple_choice

Сколько?

[x 60%] раз
[x 40%] два
[ -25.5%] три
[ 0%] (30%) не вес

??? multiple_choice all_or_nothing

Всё?

[x] да
[ ] нет
? Подумайте.
? А теперь:

    - раз
    - два
! Всё.

??? short_text case_sensitive

Столица?

= Москва
= " с пробелом "
/[Мм]осква|"/

??? numeric

Пи?

= 3.14 +- 0.01
@ м
@ см 0.01
@ "кв. \"м\"" 100000

??? numeric

Сто?

= 100 +- 5%

??? matching

Соедините

<- Париж
-> Франция
<- Рим
-> Италия

??? ordering

По порядку

1) раз
2) два

??? fill_blank

Столица Франции — [[=Париж|Лютеция]], а Италии — [[=Рим]].

??? fill_blank

Заполните

___

Раз [[1]], два [[2]].

[[1]]
( ) нет
(x) да
[[2]]
= =

??? hotspot mark_all all_or_nothing

Где сердце?

^ ![Схема](/files/0123456789abcdef0123456789abcdef/a.png)
% rectangle 10.5 20 30 12.25
% ellipse 50 50 10 12
% polygon 1 2, 30 2, 10 40.125
! Слева.

??? hotspot

    ^ не изображение

    % и не область

^ ![](/files/0123456789abcdef0123456789abcdef/a.png)
% ellipse 50 50 50 50

??? short_text

\= не ответ

= ответ
"#;

#[test]
fn all_question_types_round_trip_as_text() {
    let quiz = read_quiz(WRITTEN);
    assert_eq!(quiz.questions.len(), 15);
    quiz::require_complete(&quiz).unwrap();
    assert_eq!(write(&quiz), WRITTEN);
}

#[test]
fn question_types_are_inferred_from_answers() {
    let text = "???\nОдин?\n(х) да\n() нет\n??? points=2\nНесколько?\n[X] да\n[ ] нет\n???\nСлово?\n= да\n???\nПара\n<- a\n-> b\n<- c\n-> d\n???\nЭто [[=a]]\n???\nРяд\n1) a\n2) b\n";
    let kinds: Vec<_> = read(text)
        .questions
        .into_iter()
        .map(|parsed| serde_json::to_value(parsed.question.unwrap()).unwrap()["type"].clone())
        .collect();
    assert_eq!(
        kinds,
        [
            "single_choice",
            "multiple_choice",
            "short_text",
            "matching",
            "fill_blank",
            "ordering"
        ]
    );
    quiz::require_complete(&read_quiz(text)).unwrap();
}

/// Such lines were text before there were rubrics.
#[test]
fn a_prompt_without_a_rubric_keeps_lines_that_look_like_one() {
    let lines = ["(1) Explain why.", "== Sources", "(2) Name two."];
    for kind in ["essay", "file_upload", "hand_in takes_text"] {
        let back = read_quiz(&format!("??? {kind}\n\nWrite.\n\n{}\n", lines.join("\n\n")));
        let prompt = back.questions[0].prompt.to_string();
        assert!(lines.iter().all(|line| prompt.contains(line)), "{kind}: {prompt}");
        assert_eq!(back.questions[0].kind.rubric(), None);
        let text = write(&back);
        assert_eq!(write(&read_quiz(&text)), text);
    }
    let graded = read_quiz("??? essay points=2 rubric=hidden\n\n(1) Explain why.\n\n== Idea\n(2) Right\n(0) Wrong\n");
    assert!(graded.questions[0].prompt.to_string().contains("(1) Explain why."));
    let rubric = graded.questions[0].kind.rubric().unwrap();
    assert_eq!((rubric.criteria.len(), rubric.criteria[0].levels.len()), (1, 2));
}

/// Such lines were text before options had feedback.
#[test]
fn an_arrow_is_feedback_only_below_an_option() {
    let back =
        read_quiz("??? single_choice\n\nЧто дальше?\n\n-> вверх\n\n(x) да\n-> раз\n-> два\n( ) нет\n! Вот\n-> так\n");
    let question = &back.questions[0];
    assert!(content::text(&question.prompt).contains("-> вверх"));
    assert!(content::text(question.explanation.as_ref().unwrap()).contains("-> так"));
    let Kind::SingleChoice { options } = &question.kind else {
        panic!("{question:?}")
    };
    let said = options.iter().map(|option| option.feedback.as_ref().map(content::text));
    assert_eq!(said.collect::<Vec<_>>(), [Some("раз -> два".to_owned()), None]);
    let text = write(&back);
    assert_eq!(write(&read_quiz(&text)), text);
}

#[test]
fn percentages_without_a_tick_are_text() {
    let back = read_quiz(
        "???\n\nСколько?\n\n(50%) и [50%]\n\n[50%]\n\n[х 50%] половина\n[ -1,5 % ] ничего\n[x50%] половина\n",
    );
    let question = &back.questions[0];
    assert!(
        content::text(&question.prompt).ends_with("(50%) и [50%]\n[50%]"),
        "{question:?}"
    );
    let options = question.kind.options().unwrap();
    let weights: Vec<_> = options
        .iter()
        .map(|option| option.weight.map(|weight| weight.to_string()))
        .collect();
    assert_eq!(weights, ["50", "-1.5", "50"].map(|weight| Some(weight.to_owned())));
    let refused = read("??? multiple_choice all_or_nothing\n?\n[x 50%] a\n[ ] b\n")
        .questions
        .remove(0)
        .question
        .unwrap();
    assert!(refused.check().is_err());
}

#[test]
fn an_option_with_an_impossible_weight_stays_an_option() {
    let found = read("??? single_choice\n\nЧто?\n\n(x 120%) да\n( 33.333333%) нет\n");
    let options = found.questions[0].question.as_ref().unwrap().kind.options().unwrap();
    let read: Vec<_> = options
        .iter()
        .map(|option| (content::text(&option.content), option.correct, option.weight))
        .collect();
    assert_eq!(read, [("да".to_owned(), true, None), ("нет".to_owned(), false, None)]);
    let lines: Vec<_> = found.notes.iter().map(|(line, note)| (*line, note.key())).collect();
    assert_eq!(lines, [(5, "question"), (6, "question")]);
}

/// Such lines were text before there were hints and units.
#[test]
fn hints_and_units_do_not_start_within_a_paragraph() {
    let back = read_quiz("??? numeric\n\nДлина\n? в чём\n@ м\n\n= 4\n@ \" м \"\n? Подсказка\n");
    let question = &back.questions[0];
    assert!(content::text(&question.prompt).contains("? в чём"), "{question:?}");
    let units: Vec<_> = question.kind.units().iter().map(|unit| unit.name.as_str()).collect();
    assert_eq!((question.hints.len(), units.as_slice()), (1, ["м"].as_slice()));
    let text = write(&back);
    assert_eq!(write(&read_quiz(&text)), text);
}

#[test]
fn errors_carry_line_numbers() {
    let found = read("??? poem\nПишите\n??? numeric points=много\n= пять\n??? matching\n-> b\n");
    assert_eq!(found.questions.len(), 2);
    let lines: Vec<_> = found.notes.iter().map(|(line, note)| (*line, note.key())).collect();
    assert_eq!(
        lines,
        [(1, "question"), (3, "unknown_field"), (4, "question"), (6, "question")]
    );
}

#[test]
fn zones_that_cannot_be_read_are_reported() {
    let found = read(
        "??? hotspot\n\nГде?\n\n% circle 1 2 3\n% rectangle 1 2 3\n% polygon 1 2, 3\n% ellipse 1 2 3 101\n% rectangle 0,5 2 3 4\n",
    );
    let zones = found.questions[0].question.as_ref().unwrap().kind.zones();
    assert_eq!(zones.len(), 1, "{zones:?}");
    let lines: Vec<_> = found.notes.iter().map(|(line, note)| (*line, note.key())).collect();
    assert_eq!(lines, [5, 6, 7, 8].map(|line| (line, "question")));
    let refused = |text: &str| read(text).questions.remove(0).question.unwrap().check().is_err();
    assert!(refused("??? hotspot\nГде?\n% rectangle 90 2 30 4\n"));
    assert!(refused("??? hotspot\nГде?\n^ слова\n"));
}

#[test]
fn questions_start_after_the_text() {
    assert_eq!(start("Текст\n\n??? numeric\n"), "Текст\n\n".len());
    assert_eq!(
        start("```\n???\n```\n????\n???x\n\\???"),
        "```\n???\n```\n????\n???x\n\\???".len()
    );
}

#[test]
fn draws_and_sources_are_read() {
    let bank = "01890000-0000-7000-8000-00000000000a";
    let back = read_quiz(&format!(
        "??? draw bank={bank} count=3 points=2\n\n= алгебра\n= \"a = b\"\n\n??? numeric source={bank}/4\n\n2 + 2\n\n= 4\n"
    ));
    let drawn = Kind::Draw {
        bank_id: bank.parse().unwrap(),
        tags: vec!["алгебра".into(), "a = b".into()],
        count: 3,
        pool: vec![],
    };
    assert_eq!(
        (&back.questions[0].kind, back.questions[0].points.as_f64()),
        (&drawn, 2.0)
    );
    let source = back.questions[1].source.unwrap();
    assert_eq!((source.question_id.to_string(), source.version), (bank.to_owned(), 4));
    let text = write(&back);
    assert_eq!(write(&read_quiz(&text)), text);

    let found = read("??? draw count=2\n");
    assert!(found.questions[0].question.is_err());
    let found = read("??? numeric source=4\n\n?\n\n= 4\n");
    let notes: Vec<_> = found.notes.iter().map(|(line, note)| (*line, note.key())).collect();
    assert_eq!(notes, [(1, "unknown_field")]);
}

proptest! {
    #[test]
    fn any_quiz_with_draws_round_trips(quiz in samples::drawing_quiz()) {
        let text = write(&quiz);
        let back = read_quiz(&text);
        quiz::require_complete(&back).unwrap();
        prop_assert_eq!(write(&back), text);
        let kinds = |quiz: &quiz::Quiz| {
            let draws = quiz.questions.iter().filter(|question| question.kind.is_draw());
            draws.map(|draw| (draw.kind.clone(), draw.points)).collect::<Vec<_>>()
        };
        prop_assert_eq!(kinds(&back), kinds(&quiz));
    }

    #[test]
    fn any_bank_round_trips(quiz in samples::quiz(), tags in vec(vec("[^\\x00]{1,50}", 0..4), 1..4)) {
        let tags: Vec<QuestionTags> = tags.iter().map(|tags| QuestionTags::of(tags.iter().map(String::as_str))).collect();
        let questions = quiz.questions.into_iter().zip(tags.iter().cycle());
        let bank: Vec<TaggedQuestion> = questions
            .filter_map(|(question, tags)| {
                let question = BankQuestionDraft::of(question).ok()?;
                Some(TaggedQuestion { question, tags: tags.clone() })
            })
            .collect();
        let text = write_bank(&bank);
        let found = read(&text);
        prop_assert_eq!(found.notes, vec![]);
        let back: Vec<TaggedQuestion> = found.questions.into_iter().map(|parsed| TaggedQuestion {
            question: BankQuestionDraft::of(parsed.question.unwrap()).unwrap(),
            tags: parsed.tags,
        }).collect();
        let tags = |bank: &[TaggedQuestion]| bank.iter().map(|one| one.tags.clone()).collect::<Vec<_>>();
        prop_assert_eq!(tags(&back), tags(&bank));
        prop_assert_eq!(write_bank(&back), text);
    }

    #[test]
    fn any_quiz_round_trips(quiz in samples::quiz()) {
        let text = write(&quiz);
        let back = read_quiz(&text);
        quiz::require_complete(&back).unwrap();
        prop_assert_eq!(write(&back), text);
    }

    #[test]
    fn any_prompt_round_trips(prompt in super::super::document::tests::any_document(), answer in "[^\\x00]{0,9}", kind in 0..4u8) {
        let question = match kind {
            0 => json!({ "type": "short_text", "prompt": prompt, "accepted": [answer], "explanation": prompt }),
            1 => json!({ "type": "single_choice", "prompt": prompt, "options": [{ "content": prompt, "correct": true, "feedback": prompt }, { "content": answer, "feedback": answer }] }),
            2 => json!({ "type": "matching", "prompt": prompt, "pairs": [{ "left": prompt, "right": answer }] }),
            _ => json!({ "type": "ordering", "prompt": answer, "items": [{ "content": prompt }] }),
        };
        // Only fill-in texts may contain blanks.
        prop_assume!(!prompt.to_string().contains("\"blank\""));
        let quiz = quiz::read(&json!({ "questions": [question] })).unwrap();
        let text = write(&quiz);
        let back = read_quiz(&text);
        prop_assert_eq!(&back.questions[0].prompt, &super::super::document::normalize(&quiz.questions[0].prompt), "{}", text);
        prop_assert_eq!(write(&back), text);
    }

    #[test]
    fn any_text_is_parsed(text in "(\\?\\?\\?|single_choice|fill_blank|numeric|[ \\n=/!()x\\[\\]<>1a-]){0,60}") {
        let _ = read(&text);
        start(&text);
    }
}
