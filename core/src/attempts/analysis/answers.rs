//! What learners answered to a question: the chosen options, the correct parts, and the frequent wrong answers.

use std::collections::HashMap;

use serde_json::Value;
use uuid::Uuid;

use crate::attempts::hardest::cut;
use crate::attempts::review::KeptResult;
use kurso_base::text::one_line;
use kurso_formats::content;
use kurso_formats::quiz::{self, Answer, Choice, Kind, Quantity, Question, folded, right_parts};

/// The maximum number of wrong answers that are shown.
const WRONG: usize = 10;

/// An option of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionCount {
    pub option_id: Uuid,
    /// One line of plain text, cut at 200 characters. Empty when the option has only pictures.
    pub text: String,
    pub is_correct: bool,
    /// The number of attempts that chose the option.
    pub taken: i64,
}

/// A pair of a matching question, or a blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartCount {
    pub part_id: Uuid,
    /// The left side of the pair, as the text of an option; empty for a blank.
    pub text: String,
    /// The number of attempts that got the part right.
    pub right: i64,
}

/// A wrong answer to a text or numeric question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// One line, cut at 200 characters; in lower case and with single spaces, unless case matters in the question.
    pub text: String,
    /// The number of attempts with this answer.
    pub times: i64,
}

/// Counts the answers to one question of the current quiz.
pub(super) struct Tally<'a> {
    question: &'a Question,
    asked: i64,
    answered: i64,
    /// By the ids of options, pairs or blanks.
    parts: HashMap<Uuid, i64>,
    wrong: HashMap<String, i64>,
}

/// The result of a [`Tally`].
pub(super) struct Counts {
    pub asked: i64,
    pub unanswered: i64,
    pub options: Vec<OptionCount>,
    pub parts: Vec<PartCount>,
    pub wrong_answers: Vec<WrongAnswer>,
}

impl<'a> Tally<'a> {
    pub fn of(question: &'a Question) -> Self {
        Tally {
            question,
            asked: 0,
            answered: 0,
            parts: HashMap::new(),
            wrong: HashMap::new(),
        }
    }

    /// Adds an attempt that this many learners made, if it contained the question.
    pub fn count(&mut self, results: &HashMap<Uuid, &KeptResult>, answers: &HashMap<Uuid, &Answer>, learners: i64) {
        let Some(result) = results.get(&self.question.id) else {
            return;
        };
        self.asked += learners;
        let Some(answer) = answers.get(&self.question.id) else {
            return;
        };
        let mut took = |ids: &[Uuid]| {
            for id in ids {
                *self.parts.entry(*id).or_default() += learners;
            }
        };
        let is_answer = match &answer.given {
            quiz::Given::Options(ids) => {
                took(ids);
                !ids.is_empty()
            }
            quiz::Given::Text(_) | quiz::Given::Number(_) => {
                let text = self.shown(&answer.given);
                let is_answer = !text.is_empty();
                if is_answer && !result.correct {
                    *self.wrong.entry(text).or_default() += learners;
                }
                is_answer
            }
            given => {
                took(&right_parts(&self.question.kind, given));
                true
            }
        };
        if is_answer {
            self.answered += learners;
        }
    }

    /// A written text or number, normalized so that equal answers are counted together.
    fn shown(&self, given: &quiz::Given) -> String {
        let plain = |number: &str| number.split_whitespace().collect::<String>().replace(',', ".");
        let text = match (given, &self.question.kind) {
            (quiz::Given::Text(text), Kind::ShortText { case_sensitive, .. }) => folded(text, *case_sensitive),
            (quiz::Given::Text(text), _) => plain(text),
            (quiz::Given::Number(Quantity { number, unit }), _) => {
                format!("{} {}", plain(number), unit.as_deref().unwrap_or_default())
            }
            _ => String::new(),
        };
        cut(one_line(&text))
    }

    pub fn counts(self) -> Counts {
        let count = |id: &Uuid| self.parts.get(id).copied().unwrap_or(0);
        let plain = |document: &Value| cut(one_line(&content::text(document)));
        let option = |option: &Choice| OptionCount {
            option_id: option.id,
            text: plain(&option.content),
            is_correct: option.correct,
            taken: count(&option.id),
        };
        let part = |part_id: Uuid, text: String| PartCount {
            part_id,
            text,
            right: count(&part_id),
        };
        let (options, parts) = match &self.question.kind {
            Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => {
                (options.iter().map(option).collect(), vec![])
            }
            Kind::Matching { pairs } => {
                let parts = pairs.iter().map(|pair| part(pair.id, plain(&pair.left)));
                (vec![], parts.collect())
            }
            Kind::FillBlank { blanks, .. } => {
                let parts = blanks.iter().map(|blank| part(blank.id, String::new()));
                (vec![], parts.collect())
            }
            _ => (vec![], vec![]),
        };
        let wrong = self.wrong.into_iter().map(|(text, times)| WrongAnswer { text, times });
        let mut wrong_answers: Vec<WrongAnswer> = wrong.collect();
        wrong_answers.sort_unstable_by(|a, b| b.times.cmp(&a.times).then_with(|| a.text.cmp(&b.text)));
        wrong_answers.truncate(WRONG);
        Counts {
            asked: self.asked,
            unanswered: self.asked - self.answered,
            options,
            parts,
            wrong_answers,
        }
    }
}
