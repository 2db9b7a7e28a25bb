//! The passages of pages and bank questions that the search finds. Answer keys, explanations, hints and graders' guides are not among
//! them, and neither are options: an option that only fits the question would give it away.

use kurso_base::wire;
use kurso_formats::content::{self, PassageKind};
use kurso_formats::quiz::{Kind, Question, Quiz};
use kurso_search::{Field, Passage};
use serde_json::Value;
use uuid::Uuid;

/// Passages with the places that they stand at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passages {
    pub passages: Vec<Passage>,
    pub places: Vec<Place>,
}

/// Where a passage stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    /// The index of the top-level block of a page's text.
    pub block: Option<usize>,
    /// The question of a quiz.
    pub question: Option<Uuid>,
}

impl Passages {
    fn push(&mut self, field: Field, text: String, place: Place) {
        self.passages.push(Passage { field, text });
        self.places.push(place);
    }

    pub fn append(&mut self, mut other: Passages) {
        self.passages.append(&mut other.passages);
        self.places.append(&mut other.places);
    }

    fn document(&mut self, document: &Value, question: Option<Uuid>) {
        for passage in content::passages(document) {
            let field = match passage.kind {
                PassageKind::Heading => Field::Heading,
                PassageKind::Text => Field::Body,
                PassageKind::Code => Field::Code,
                PassageKind::Caption => Field::Caption,
            };
            let block = question.is_none().then_some(passage.block);
            self.push(field, passage.text, Place { block, question });
        }
    }
}

/// The title and the text of a page. A text that cannot be read has no passages: `kurso check` reports it.
pub(crate) fn of_page(title: Option<&str>, content: &str) -> Passages {
    let mut found = Passages::default();
    if let Some(title) = title {
        found.push(Field::Title, title.to_owned(), Place::default());
    }
    if let Ok(document) = wire::read_stored::<Value>(content) {
        found.document(&document, None);
    }
    found
}

/// The prompts of a quiz, and whether learners see them only in an attempt. Drawn questions are not part of the quiz.
pub(crate) fn of_quiz(stored: &str) -> (Passages, bool) {
    let mut found = Passages::default();
    let Ok(quiz) = Quiz::from_text(stored) else {
        return (found, true);
    };
    for question in quiz.asked() {
        prompts(question, &mut found);
    }
    (found, quiz.time_limit().is_some() || quiz.has_draws())
}

/// The prompt of a bank question.
pub(crate) fn of_question(stored: &str) -> Passages {
    let mut found = Passages::default();
    if let Ok(question) = wire::read_stored::<Question>(stored) {
        prompts(&question, &mut found);
    }
    found
}

fn prompts(question: &Question, found: &mut Passages) {
    let first = found.passages.len();
    found.document(&question.prompt, Some(question.id));
    if let Kind::Formula { parameters, .. } = &question.kind {
        // Learners see values in place of the names of parameters.
        for passage in found.passages.iter_mut().skip(first) {
            for parameter in parameters {
                passage.text = passage.text.replace(&format!("{{{}}}", parameter.name), "…");
            }
        }
    }
    if let Kind::FillBlank { text, .. } = &question.kind {
        found.document(text, Some(question.id));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_prompts_of_a_quiz_are_found() {
        let document = |text: &str| json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]});
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let quiz = json!({
            "pass_percent": 50, "max_attempts": null, "shuffle_questions": false, "shuffle_options": false, "reveal": "never",
            "questions": [
                {"id": one, "prompt": document("вопрос"), "points": 1, "explanation": document("объяснение"), "hints": [document("подсказка")],
                 "type": "short_text", "accepted": ["ключ"], "case_sensitive": false, "regex": null},
                {"id": two, "prompt": document("пропуск"), "points": 1, "explanation": null, "type": "fill_blank",
                 "text": {"type": "doc", "content": [{"type": "paragraph", "content": [
                    {"type": "text", "text": "до"}, {"type": "blank", "attrs": {"blank_id": one}}, {"type": "text", "text": "после"}]}]},
                 "blanks": [{"id": one, "accepted": ["ключ"]}]},
            ],
        });
        let (found, is_gated) = of_quiz(&quiz.to_string());
        let texts: Vec<&str> = found.passages.iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!((texts, is_gated), (vec!["вопрос", "пропуск", "до после"], false));
        assert_eq!(found.places.last().map(|place| place.question), Some(Some(two)));
    }
}
