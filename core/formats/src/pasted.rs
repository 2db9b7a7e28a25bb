//! Questions in a pasted text in GIFT or Aiken.

use crate::note::Note;
use crate::quiz::Quiz;
use crate::report::Report;
use crate::{aiken, gift};

/// Reads the questions of a text, as many as fit in one quiz; the other settings of the quiz are the defaults. The report names lines of the text,
/// except for what concerns the whole text and for questions beyond the limits of a quiz.
pub fn pasted_questions(text: &str) -> (Quiz, Report) {
    // Questions in Aiken may have braces; GIFT has no lines with an answer.
    let (questions, mut report) = if aiken::has_question(text) {
        aiken::questions(text)
    } else {
        gift::questions(text)
    };
    let mut quiz = Quiz {
        questions,
        ..Quiz::default()
    };
    for problem in quiz.fit() {
        report.add("", Note::QuestionRefused(problem.into()));
    }
    (quiz, report)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::*;
    use crate::quiz::{Kind, MAX_QUESTIONS};

    fn read(text: &str) -> (Vec<&'static str>, Vec<(String, Note)>) {
        let (quiz, report) = pasted_questions(text);
        let kind = |kind: &Kind| match kind {
            Kind::SingleChoice { .. } => "single choice",
            Kind::ShortText { .. } => "short text",
            Kind::Numeric { .. } => "numeric",
            _ => "other",
        };
        let kinds = quiz.questions.iter().map(|question| kind(&question.kind)).collect();
        (
            kinds,
            report
                .entries
                .into_iter()
                .map(|entry| (entry.place, entry.note))
                .collect(),
        )
    }

    #[test]
    fn gift_is_read_with_the_lines_of_what_is_left_out() {
        let text = "$CATEGORY: Top\n\n::Q1::Capital of France? {~Lyon =Paris}\n\nA text.\n\nπ? {#3.14:0.01}\n\nWho? {=Pushkin}";
        let (kinds, notes) = read(text);
        assert_eq!(kinds, ["single choice", "numeric", "short text"]);
        assert_eq!(
            notes,
            [
                ("5".to_owned(), Note::QuestionUnclear),
                (String::new(), Note::QuestionTitles(1))
            ]
        );
    }

    #[test]
    fn aiken_is_read_with_braces_in_its_options() {
        let (kinds, notes) = read("Which compiles?\nA. fn f() {}\nB. fn {}\nANSWER: A");
        assert_eq!((kinds, notes), (vec!["single choice"], vec![]));
    }

    #[test]
    fn a_question_in_aiken_without_an_answer_is_reported() {
        let (kinds, notes) =
            read("Capital of France?\nA. Lyon\nB. Paris\nANSWER: B\n\nCapital of Italy?\nA. Rome\nB. Turin\n");
        assert_eq!(
            (kinds, notes),
            (vec!["single choice"], vec![("6".to_owned(), Note::QuestionUnclear)])
        );
    }

    #[test]
    fn a_text_without_questions_gives_none() {
        assert_eq!(read("").0, [""; 0]);
        assert_eq!(read("Plain words.\n\nAnd more.").0, [""; 0]);
    }

    #[test]
    fn questions_beyond_the_limit_of_a_quiz_are_left_out() {
        let text = "Who? {=Pushkin}\n\n".repeat(MAX_QUESTIONS + 3);
        let (kinds, notes) = read(&text);
        assert_eq!((kinds.len(), notes.len()), (MAX_QUESTIONS, 3));
    }
}
