//! Builds the question of a response, with its texts as documents.

use serde_json::Value;

use super::Draft;
use super::Piece;
use super::responses::ParsedOption;
use crate::content;
use crate::html::Converted;
use crate::html_host;
use crate::note::olx::Note;
use crate::olx::definitions::{Definition, Definitions};
use crate::olx::page_context::PageContext;
use crate::quiz::{self, Choice, ChoiceDraft, Kind, Points, Question};
use crate::xml::escaped;

/// Builds the question with documents as texts, or text if the quiz rejects it.
pub(super) fn question(
    draft: Draft,
    points: Option<Points>,
    found: &Definition,
    definitions: &mut Definitions<'_>,
    context: &mut PageContext,
) -> Piece {
    let place = &found.place;
    let prompt = context.convert(definitions, &draft.prompt, place);
    let mut document = html_host::document(prompt.blocks.clone());
    if content::is_empty(&document) {
        let named = found.title().unwrap_or(context.localized("Question", "Вопрос"));
        document = html_host::document(vec![html_host::paragraph(named)]);
    }
    let mut kind = draft.parsed.kind;
    if let Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } = &mut kind {
        let option = |option: &ParsedOption| ChoiceDraft {
            feedback: Some(context.document(definitions, &option.feedback, place)),
            ..ChoiceDraft::new(context.document(definitions, &option.content, place), option.correct)
        };
        *options = Choice::list(draft.parsed.options.iter().map(option).collect());
    }
    if let Kind::Hotspot { picture, .. } = &mut kind {
        let shown = context.document(definitions, &draft.parsed.picture, place);
        if quiz::image_of(&shown).is_none() {
            definitions.note(place, Note::Image);
            return as_text(prompt.blocks, context);
        }
        *picture = Some(shown);
    }
    let mut question = Question::new(document, kind);
    question.points = points.unwrap_or(question.points);
    let hints = draft
        .hints
        .iter()
        .map(|html| context.document(definitions, html, place));
    question.hints = hints.filter(|hint| !content::is_empty(hint)).collect();
    let mut explanation = String::new();
    for (answer, html) in &draft.parsed.feedback {
        if !answer.is_empty() {
            explanation.push_str(&format!("<p><strong>{}:</strong></p>", escaped(answer)));
        }
        explanation.push_str(&format!("<div>{html}</div>"));
    }
    if !draft.parsed.feedback.is_empty() {
        definitions.report.add(place, crate::Note::Feedback);
    }
    explanation.push_str(&draft.explanation);
    let explanation = context.document(definitions, &explanation, place);
    if !content::is_empty(&explanation) {
        question.explanation = Some(explanation);
    }
    match question.check() {
        Ok(()) => return Piece::Question(Box::new(question)),
        Err(_) if matches!(question.kind, Kind::ShortText { regex: Some(_), .. }) => {
            definitions.note(place, Note::Pattern);
        }
        Err(problem) => definitions
            .report
            .add(place, crate::Note::QuestionRefused(problem.into())),
    }
    as_text(prompt.blocks, context)
}

/// The prompt of a problem that the quiz rejects, as text.
pub fn as_text(mut blocks: Vec<Value>, context: &PageContext) -> Piece {
    blocks.push(html_host::callout(&[context.localized(
        "This problem could not be converted to a question.",
        "Это задание не удалось сделать вопросом.",
    )]));
    Piece::Text(Converted {
        blocks,
        ..Converted::default()
    })
}
