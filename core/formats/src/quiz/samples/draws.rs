//! Random quizzes with draws.

use proptest::collection::vec;
use proptest::prelude::*;
use uuid::Uuid;

use super::{Kind, Question, Quiz, kind, question_of, quiz_of};
use crate::content;
use crate::quiz::check::bare_tag;

/// Complete quizzes that may have draws among their questions.
pub fn drawing_quiz() -> impl Strategy<Value = Quiz> {
    let draw = (vec("[а-яa-z0-9,\"= ]{1,20}", 0..3), 1u32..5).prop_map(|(tags, count)| {
        let tags = tags.into_iter().map(|tag| bare_tag(&tag));
        let tags: std::collections::BTreeSet<String> = tags.filter(|tag| !tag.is_empty()).collect();
        Kind::Draw {
            bank_id: Uuid::now_v7(),
            tags: tags.into_iter().collect(),
            count,
            pool: vec![],
        }
    });
    let draw = question_of(draw).prop_map(|question| Question {
        prompt: content::empty(),
        explanation: None,
        hints: vec![],
        source: None,
        ..question
    });
    quiz_of(vec(prop_oneof![question_of(kind()), draw], 1..7))
}
