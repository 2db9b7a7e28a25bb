//! Assignments: quizzes whose only question is a [`Kind::HandIn`], and the answers to it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answers::AnswerFile;
use super::fields::{At, Problems};
use super::model::{Kind, Question, Quiz};
use super::number::Points;
use super::problem::Problem;
use crate::content::{self, Href};
use kurso_base::error::Result;

/// Characters of a link.
pub const MAX_LINK: usize = 2000;

/// What a learner hands in: at least one of a text, files and links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandIn {
    /// The document that the learner wrote.
    pub content: Option<Value>,
    pub files: Vec<AnswerFile>,
    /// Addresses on the web.
    pub links: Vec<String>,
}

impl HandIn {
    /// Whether there is nothing in it: no file, no link, and no text that says something.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.links.is_empty() && self.content.as_ref().is_none_or(content::is_empty)
    }
}

/// Whether a link is an address on the web that an answer can have. It has no white space at its ends.
pub(super) fn is_link(link: &str) -> bool {
    link.chars().count() <= MAX_LINK && matches!(Href::parse(link), Some(Href::Web(_)))
}

impl Quiz {
    /// The quiz of a new assignment: a text and up to five files for ten points.
    pub fn assignment() -> Self {
        let kind = Kind::HandIn {
            takes_text: true,
            min_words: None,
            max_words: None,
            max_files: 5,
            extensions: vec![],
            max_links: 0,
            guide: None,
            rubric: None,
        };
        let question = Question {
            points: Points::TEN,
            ..Question::new(content::empty(), kind)
        };
        Quiz {
            questions: vec![question],
            ..Quiz::default()
        }
    }

    /// Whether the quiz is that of an assignment: its only question is a [`Kind::HandIn`].
    pub fn is_assignment(&self) -> bool {
        matches!(
            self.questions.as_slice(),
            [Question {
                kind: Kind::HandIn { .. },
                ..
            }]
        )
    }

    /// Makes the quiz of a read page one that can be stored: an assignment keeps its first [`Kind::HandIn`] and gets the usual one without it; a
    /// quiz of several questions has none. Returns the reason of each removal. A page with nothing but such a question is an assignment, also
    /// if it does not say so.
    pub fn keep_those_of(&mut self, is_assignment: bool) -> Vec<Problem> {
        let mut removed = vec![];
        let mut is_taken = false;
        let is_assignment = is_assignment || self.is_assignment();
        self.questions.retain(|question| {
            let is_hand_in = matches!(question.kind, Kind::HandIn { .. });
            let problem = match (is_assignment, is_hand_in) {
                (true, true) if is_taken => Problem::OneHandIn,
                (true, false) => Problem::OnlyHandIn,
                (false, true) => Problem::HandInInQuiz,
                (true, true) | (false, false) => {
                    is_taken = true;
                    return true;
                }
            };
            removed.push(problem);
            false
        });
        if is_assignment && !is_taken {
            self.questions = Quiz::assignment().questions;
        }
        removed
    }

    /// Fails unless the quiz is that of an assignment.
    pub fn require_assignment(&self) -> Result<()> {
        let mut problems = Problems::default();
        let at = At::BODY.name("quiz");
        let at = at.name("questions");
        for (i, question) in self.questions.iter().enumerate() {
            if !matches!(question.kind, Kind::HandIn { .. }) {
                refuse(&mut problems, &at.index(i).name("type"), Problem::OnlyHandIn);
            }
        }
        if self.questions.len() != 1 {
            refuse(&mut problems, &at, Problem::OneHandIn);
        }
        problems.finish(())
    }

    /// Fails if a question is one that only assignments have.
    pub fn require_no_hand_in(&self) -> Result<()> {
        let mut problems = Problems::default();
        let at = At::BODY.name("quiz");
        let at = at.name("questions");
        for (i, question) in self.questions.iter().enumerate() {
            if matches!(question.kind, Kind::HandIn { .. }) {
                refuse(&mut problems, &at.index(i).name("type"), Problem::HandInInQuiz);
            }
        }
        problems.finish(())
    }
}

fn refuse(problems: &mut Problems, at: &At<'_>, problem: Problem) {
    problems.refuse(at, "value_error", problem.message(), &json!("hand_in"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quiz::{read, require_complete};
    use kurso_base::error::Error;

    fn fields(result: Result<()>) -> Vec<String> {
        match result {
            Ok(()) => vec![],
            Err(Error::Invalid(errors)) => errors
                .iter()
                .map(|error| serde_json::to_string(&error.loc[2..]).unwrap().replace('"', ""))
                .collect(),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn the_quiz_of_a_new_assignment_can_be_published() {
        let quiz = Quiz::assignment();
        assert!(quiz.is_assignment());
        assert!(quiz.check().is_ok() && require_complete(&quiz).is_ok());
        assert!(fields(quiz.require_assignment()).is_empty());
        assert_eq!(fields(quiz.require_no_hand_in()), ["[questions,0,type]"]);
        assert_eq!(read(&quiz.to_json().unwrap()).unwrap(), quiz);
    }

    #[test]
    fn an_assignment_has_one_question_of_its_own_type() {
        let quiz = |types: &[&str]| {
            let questions: Vec<Value> = types.iter().map(|one| json!({"type": one, "prompt": "?"})).collect();
            read(&json!({ "questions": questions })).unwrap()
        };
        for (types, expected) in [
            (&["hand_in"][..], vec![]),
            (&[], vec!["[questions]"]),
            (&["essay"], vec!["[questions,0,type]"]),
            (&["hand_in", "hand_in"], vec!["[questions]"]),
            (&["hand_in", "essay"], vec!["[questions,1,type]", "[questions]"]),
        ] {
            let quiz = quiz(types);
            assert_eq!(fields(quiz.require_assignment()), expected, "{types:?}");
            assert_eq!(quiz.is_assignment(), expected.is_empty(), "{types:?}");
        }
        assert!(fields(quiz(&["essay", "numeric"]).require_no_hand_in()).is_empty());
    }

    #[test]
    fn links_are_addresses_on_the_web() {
        let long = |length: usize| format!("https://e.com/{}", "я".repeat(length - 14));
        for (link, is_valid) in [
            ("https://example.com/a?b#c", true),
            ("http://пример.рф", true),
            (&long(MAX_LINK), true),
            (&long(MAX_LINK + 1), false),
            ("", false),
            ("example.com", false),
            ("ftp://example.com", false),
            ("javascript:alert(1)", false),
            ("https:example.com", false),
            ("https://", false),
            ("https://a.b c", false),
            ("/files/a", false),
        ] {
            assert_eq!(is_link(link), is_valid, "{link}");
        }
    }
}
