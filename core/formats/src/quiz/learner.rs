//! A quiz as learners see it. These types have no fields for the answer key, so they cannot leak it.

use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::alias::{Aliases, Side};
use super::choice::Choice;
use super::model::{Blank, Checking, Filling, Kind, Question, Quiz, Reveal};
use super::number::Points;
use super::rubric::Rubric;
use crate::content;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnerQuiz {
    pub pass_percent: u8,
    pub max_attempts: Option<u32>,
    pub shuffle_questions: bool,
    pub shuffle_options: bool,
    pub reveal: Reveal,
    pub checking: Checking,
    /// With the learner's own time factor once the reader is known; None when the time is not limited.
    pub time_limit_seconds: Option<u32>,
    pub grace_seconds: u32,
    /// The number of the attempt that the questions belong to, counted from 1. A submission may contain it.
    pub attempt_no: i64,
    /// Also while the questions are hidden.
    pub question_count: usize,
    /// In display order.
    pub questions: Vec<LearnerQuestion>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnerQuestion {
    pub id: Uuid,
    pub prompt: Value,
    pub points: Points,
    /// Documents that help while answering.
    pub hints: Vec<Value>,
    #[serde(flatten)]
    pub kind: LearnerKind,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LearnerKind {
    SingleChoice {
        options: Vec<Shown>,
    },
    MultipleChoice {
        options: Vec<Shown>,
        /// Whether only exactly the right options earn points.
        all_or_nothing: bool,
    },
    ShortText,
    Numeric {
        /// The names of the units of which an answer needs one; empty if it has none.
        units: Vec<String>,
    },
    Matching {
        left: Vec<Shown>,
        right: Vec<Shown>,
    },
    Ordering {
        items: Vec<Shown>,
    },
    FillBlank {
        text: Value,
        blanks: Vec<LearnerBlank>,
    },
    Hotspot {
        /// A document with one image; an empty one while the quiz is incomplete.
        picture: Value,
        max_places: usize,
    },
    Essay {
        min_words: Option<u32>,
        max_words: Option<u32>,
        rubric: Option<Rubric>,
    },
    FileUpload {
        max_files: u32,
        extensions: Vec<String>,
        rubric: Option<Rubric>,
    },
    HandIn {
        takes_text: bool,
        min_words: Option<u32>,
        max_words: Option<u32>,
        max_files: u32,
        extensions: Vec<String>,
        max_links: u32,
        rubric: Option<Rubric>,
    },
}

/// An option, a side of a pair or an item, with the id that answers refer to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shown {
    pub id: Uuid,
    pub content: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnerBlank {
    pub id: Uuid,
    /// None when the learner writes a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<Shown>>,
}

impl LearnerQuiz {
    /// The quiz with aliases in place of ids, shuffled for the attempt `attempt_no`, counted from 1.
    pub fn of(quiz: Quiz, aliases: &Aliases<'_>, attempt_no: i64) -> Self {
        let time_limit_seconds = quiz.time_limit();
        let checking = match quiz.checks_each_question() {
            true => Checking::EachQuestion,
            false => Checking::AtEnd,
        };
        let hide = Hide {
            aliases,
            attempt_no,
            shuffle_options: quiz.shuffle_options,
        };
        let question_count = quiz.question_count();
        let mut questions = quiz.questions;
        if quiz.shuffle_questions {
            aliases.shuffle(&mut questions, attempt_no, Uuid::nil(), |question| question.id);
        }
        LearnerQuiz {
            pass_percent: quiz.pass_percent,
            max_attempts: quiz.max_attempts,
            shuffle_questions: quiz.shuffle_questions,
            shuffle_options: quiz.shuffle_options,
            reveal: quiz.reveal,
            checking,
            time_limit_seconds,
            grace_seconds: quiz.grace_seconds,
            attempt_no,
            question_count,
            questions: questions
                .into_iter()
                .filter_map(|question| hide.question(question))
                .collect(),
        }
    }

    /// The quiz without its questions, for a learner whose time has not begun.
    #[must_use]
    pub fn without_questions(self) -> Self {
        LearnerQuiz {
            questions: vec![],
            ..self
        }
    }
}

struct Hide<'a> {
    aliases: &'a Aliases<'a>,
    attempt_no: i64,
    shuffle_options: bool,
}

impl Hide<'_> {
    /// Returns None for a draw: learners see only drawn questions.
    fn question(&self, question: Question) -> Option<LearnerQuestion> {
        let question = match question.values(self.aliases, self.attempt_no) {
            Some(values) => question.with_values(&values),
            None => question,
        };
        let id = question.id;
        let alias = |of: Uuid, content: Value, side: Side| Shown {
            id: self.aliases.alias(id, of, side),
            content,
        };
        let max_places = question.kind.max_places();
        let kind = match question.kind {
            Kind::SingleChoice { options } => LearnerKind::SingleChoice {
                options: self.options(options, id),
            },
            Kind::MultipleChoice {
                options,
                all_or_nothing,
            } => LearnerKind::MultipleChoice {
                options: self.options(options, id),
                all_or_nothing,
            },
            Kind::ShortText { .. } => LearnerKind::ShortText,
            // With its values, a formula question has become a numeric one.
            Kind::Numeric { units, .. } | Kind::Formula { units, .. } => LearnerKind::Numeric {
                units: units.into_iter().map(|unit| unit.name).collect(),
            },
            Kind::Matching { pairs } => {
                let (mut left, mut right) = (Vec::new(), Vec::new());
                for pair in pairs {
                    left.push(alias(pair.id, pair.left, Side::Left));
                    right.push(alias(pair.id, pair.right, Side::Right));
                }
                self.shuffled(&mut right, id);
                LearnerKind::Matching { left, right }
            }
            Kind::Ordering { items } => {
                let mut items: Vec<_> = items
                    .into_iter()
                    .map(|item| alias(item.id, item.content, Side::Item))
                    .collect();
                self.shuffled(&mut items, id);
                LearnerKind::Ordering { items }
            }
            Kind::Essay {
                min_words,
                max_words,
                rubric,
                ..
            } => LearnerKind::Essay {
                min_words,
                max_words,
                rubric: rubric.filter(|rubric| rubric.is_shown),
            },
            Kind::FileUpload {
                max_files,
                extensions,
                rubric,
                ..
            } => LearnerKind::FileUpload {
                max_files,
                extensions,
                rubric: rubric.filter(|rubric| rubric.is_shown),
            },
            Kind::HandIn {
                takes_text,
                min_words,
                max_words,
                max_files,
                extensions,
                max_links,
                rubric,
                guide: _,
            } => LearnerKind::HandIn {
                takes_text,
                min_words,
                max_words,
                max_files,
                extensions,
                max_links,
                rubric: rubric.filter(|rubric| rubric.is_shown),
            },
            Kind::Draw { .. } => return None,
            Kind::Hotspot { picture, .. } => LearnerKind::Hotspot {
                picture: picture.unwrap_or_else(content::empty),
                max_places,
            },
            Kind::FillBlank { text, blanks } => LearnerKind::FillBlank {
                text,
                blanks: blanks.into_iter().map(|blank| self.blank(blank)).collect(),
            },
        };
        Some(LearnerQuestion {
            id,
            prompt: question.prompt,
            points: question.points,
            hints: question.hints,
            kind,
        })
    }

    fn blank(&self, blank: Blank) -> LearnerBlank {
        LearnerBlank {
            id: blank.id,
            options: match blank.filling {
                Filling::Accepted(_) => None,
                Filling::Options(options) => Some(self.options(options, blank.id)),
            },
        }
    }

    fn options(&self, options: Vec<Choice>, within: Uuid) -> Vec<Shown> {
        let shown = |option: Choice| Shown {
            id: option.id,
            content: option.content,
        };
        let mut options: Vec<_> = options.into_iter().map(shown).collect();
        if self.shuffle_options {
            self.shuffled(&mut options, within);
        }
        options
    }

    fn shuffled(&self, list: &mut [Shown], within: Uuid) {
        self.aliases.shuffle(list, self.attempt_no, within, |shown| shown.id);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Map;

    use super::*;
    use crate::quiz::alias::QuizKey;
    use crate::quiz::samples::{self, SECRET};

    fn key() -> QuizKey {
        QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap()
    }

    /// Every key of every object that is no document's.
    fn keys<'a>(value: &'a Value, into: &mut Vec<&'a str>) {
        match value {
            Value::Object(map) if map.get("type").and_then(Value::as_str) == Some("doc") => {}
            Value::Object(map) => {
                into.extend(map.keys().map(String::as_str));
                map.values().for_each(|value| keys(value, into));
            }
            Value::Array(list) => list.iter().for_each(|value| keys(value, into)),
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn the_learner_view_contains_no_secret(quiz in samples::quiz(), learner in any::<u128>(), attempt_no in 1i64..5) {
            let key = key();
            let text = serde_json::to_string(&quiz).unwrap();
            prop_assert!(text.contains(SECRET), "every sample has secrets to find");
            let hidden: Vec<Uuid> = quiz.questions.iter().flat_map(samples::hidden_ids).collect();
            let shown = LearnerQuiz::of(quiz, &key.aliases(Uuid::from_u128(learner)), attempt_no);
            let shown = serde_json::to_value(&shown).unwrap();
            let mut found = Vec::new();
            keys(&shown, &mut found);
            let allowed = [
                "pass_percent", "max_attempts", "shuffle_questions", "shuffle_options", "reveal", "checking", "time_limit_seconds", "grace_seconds", "attempt_no",
                "question_count", "questions", "id", "type",
                "prompt", "points", "hints", "options", "content", "left", "right", "items", "text", "blanks", "min_words", "max_words",
                "all_or_nothing", "units", "max_files", "extensions", "takes_text", "max_links", "picture", "max_places", "rubric", "is_shown", "criteria", "levels", "name", "description",
            ];
            for key in found {
                prop_assert!(allowed.contains(&key), "{key}");
            }
            let text = shown.to_string();
            prop_assert!(!text.contains(SECRET), "{text}");
            for id in hidden {
                prop_assert!(!text.contains(&id.to_string()), "{id} in {text}");
            }
        }

        /// Two quizzes that differ in nothing but what is right look the same.
        #[test]
        fn the_learner_view_is_independent_of_the_answer_key(quiz in samples::quiz(), learner in any::<u128>()) {
            let key = key();
            let aliases = key.aliases(Uuid::from_u128(learner));
            let other = samples::with_other_answers(quiz.clone());
            prop_assert_ne!(&other, &quiz);
            prop_assert_eq!(LearnerQuiz::of(quiz, &aliases, 1), LearnerQuiz::of(other, &aliases, 1));
        }

        /// The order in which the items were written cannot be told from what a learner reads.
        #[test]
        fn the_learner_order_does_not_reveal_the_authors_order(
            quiz in samples::quiz(), learner in any::<u128>()
        ) {
            let key = key();
            let aliases = key.aliases(Uuid::from_u128(learner));
            let mut reversed = quiz.clone();
            for question in &mut reversed.questions {
                if let Kind::Ordering { items } = &mut question.kind {
                    items.reverse();
                }
            }
            prop_assert_eq!(LearnerQuiz::of(quiz, &aliases, 1), LearnerQuiz::of(reversed, &aliases, 1));
        }

        #[test]
        fn the_learner_view_keeps_everything_but_the_answers(quiz in samples::quiz(), learner in any::<u128>(), attempt_no in 1i64..5) {
            let key = key();
            let whole = quiz.clone();
            let shown = LearnerQuiz::of(quiz, &key.aliases(Uuid::from_u128(learner)), attempt_no);
            prop_assert_eq!(shown.questions.len(), whole.questions.len());
            for question in &shown.questions {
                let author = whole.question(question.id).unwrap();
                prop_assert_eq!(question.hints.len(), author.hints.len());
                if !author.kind.is_formula() {
                    prop_assert_eq!(&question.prompt, &author.prompt);
                    prop_assert_eq!(&question.hints, &author.hints);
                }
                let count = match (&question.kind, &author.kind) {
                    (LearnerKind::SingleChoice { options }, Kind::SingleChoice { options: all })
                    | (LearnerKind::MultipleChoice { options, .. }, Kind::MultipleChoice { options: all, .. }) => (options.len(), all.len()),
                    (LearnerKind::Matching { left, right }, Kind::Matching { pairs }) => (left.len() + right.len(), pairs.len() * 2),
                    (LearnerKind::Ordering { items }, Kind::Ordering { items: all }) => (items.len(), all.len()),
                    (LearnerKind::FillBlank { blanks, .. }, Kind::FillBlank { blanks: all, .. }) => (blanks.len(), all.len()),
                    (LearnerKind::Numeric { units }, Kind::Numeric { units: all, .. } | Kind::Formula { units: all, .. }) => (units.len(), all.len()),
                    (LearnerKind::Hotspot { picture, max_places }, Kind::Hotspot { picture: whole, zones, mark_all, .. }) => {
                        prop_assert_eq!(Some(picture), whole.as_ref());
                        (*max_places, if *mark_all { zones.len() } else { 1 })
                    }
                    (LearnerKind::ShortText, Kind::ShortText { .. })
                    | (LearnerKind::Essay { .. }, Kind::Essay { .. })
                    | (LearnerKind::FileUpload { .. }, Kind::FileUpload { .. })
                    | (LearnerKind::HandIn { .. }, Kind::HandIn { .. }) => (0, 0),
                    other => panic!("{other:?}"),
                };
                prop_assert_eq!(count.0, count.1);
            }
            if !whole.shuffle_questions {
                let order = |ids: Vec<Uuid>| ids;
                prop_assert_eq!(
                    order(shown.questions.iter().map(|q| q.id).collect()),
                    order(whole.questions.iter().map(|q| q.id).collect())
                );
            }
        }
    }

    #[test]
    fn the_wire_names_are_those_of_the_contract() {
        let quiz = crate::quiz::read(&serde_json::json!({"questions": [
            {"type": "matching", "prompt": "?", "pairs": [{"left": "a", "right": "b"}, {"left": "c", "right": "d"}]},
            {"type": "short_text", "prompt": "?", "accepted": ["x"]},
        ]}))
        .unwrap();
        let key = key();
        let shown = serde_json::to_value(LearnerQuiz::of(quiz, &key.aliases(Uuid::nil()), 1)).unwrap();
        let names = |value: &Value| value.as_object().map(Map::keys).unwrap().cloned().collect::<Vec<_>>();
        assert_eq!(
            names(&shown["questions"][0]),
            ["hints", "id", "left", "points", "prompt", "right", "type"]
        );
        assert_eq!(
            names(&shown["questions"][1]),
            ["hints", "id", "points", "prompt", "type"]
        );
        assert_eq!(names(&shown["questions"][0]["left"][0]), ["content", "id"]);
    }
}
