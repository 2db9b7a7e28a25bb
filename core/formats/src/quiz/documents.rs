//! The rich documents of quizzes and questions, and the files that they show.

use std::collections::BTreeSet;

use serde_json::Value;

use super::model::{Filling, Kind, Question, Quiz};
use crate::content;

/// The two lists of a question's documents differ only in `mut`.
macro_rules! documents {
    ($question:expr, $documents:ident, $iter:ident, $as_ref:ident, [$($mut:tt)?]) => {{
        let question = $question;
        let mut all = vec![& $($mut)? question.prompt];
        all.extend(question.explanation.$as_ref());
        all.extend(question.hints.$iter());
        match & $($mut)? question.kind {
            Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => {
                for option in options {
                    all.push(& $($mut)? option.content);
                    all.extend(option.feedback.$as_ref());
                }
            }
            Kind::ShortText { .. } | Kind::Numeric { .. } | Kind::Formula { .. } => {}
            Kind::Matching { pairs } => {
                all.extend(pairs.$iter().flat_map(|pair| [& $($mut)? pair.left, & $($mut)? pair.right]));
            }
            Kind::Ordering { items } => all.extend(items.$iter().map(|item| & $($mut)? item.content)),
            Kind::Essay { guide, .. } | Kind::FileUpload { guide, .. } | Kind::HandIn { guide, .. } => {
                all.extend(guide.$as_ref());
            }
            Kind::Hotspot { picture, .. } => all.extend(picture.$as_ref()),
            Kind::Draw { pool, .. } => {
                all.extend(pool.$iter().flat_map(|pooled| pooled.question.$documents()));
            }
            Kind::FillBlank { text, blanks } => {
                all.push(text);
                for blank in blanks {
                    if let Filling::Options(options) = & $($mut)? blank.filling {
                        all.extend(options.$iter().map(|option| & $($mut)? option.content));
                    }
                }
            }
        }
        all
    }};
}

impl Question {
    pub(super) fn documents(&self) -> Vec<&Value> {
        documents!(self, documents, iter, as_ref, [])
    }

    /// The rich documents of the question, to change.
    pub fn documents_mut(&mut self) -> Vec<&mut Value> {
        documents!(self, documents_mut, iter_mut, as_mut, [mut])
    }
}

impl Quiz {
    /// Every rich document of the quiz.
    pub fn documents(&self) -> Vec<&Value> {
        self.questions.iter().flat_map(Question::documents).collect()
    }

    /// Every rich document of the quiz, to change.
    pub fn documents_mut(&mut self) -> Vec<&mut Value> {
        self.questions.iter_mut().flat_map(Question::documents_mut).collect()
    }

    /// The keys of the files that the quiz shows or links to.
    pub fn files(&self) -> BTreeSet<String> {
        self.documents().into_iter().flat_map(content::files).collect()
    }
}
