use async_graphql::{ID, Interface, SimpleObject};
use kurso_core::attempts;
use kurso_formats::quiz::{self, FilledWith, Given, HandIn, Quantity};
use uuid::Uuid;

use super::quiz::document;
use super::zones::Place;
use super::{DateTime, Document, id_of, int};
use crate::cost;

/// An answer to a question, by the kind of the question.
#[derive(Interface)]
#[graphql(field(name = "question_id", ty = "&ID", desc = "ID of the question."))]
pub enum Answer {
    Choice(ChoiceAnswer),
    Text(TextAnswer),
    Number(NumberAnswer),
    Matching(MatchingAnswer),
    Ordering(OrderingAnswer),
    Blanks(BlanksAnswer),
    Hotspot(HotspotAnswer),
    Essay(EssayAnswer),
    Files(FilesAnswer),
    HandIn(HandInAnswer),
}

/// Answer to a single or multiple choice question.
#[derive(SimpleObject)]
pub struct ChoiceAnswer {
    /// ID of the question.
    question_id: ID,
    /// IDs of the selected options.
    option_ids: Vec<ID>,
}

/// Answer to a short text question.
#[derive(SimpleObject)]
pub struct TextAnswer {
    /// ID of the question.
    question_id: ID,
    /// The submitted text.
    text: String,
}

/// Answer to a numeric question.
#[derive(SimpleObject)]
pub struct NumberAnswer {
    /// ID of the question.
    question_id: ID,
    /// The submitted text.
    number: String,
    /// The name of its unit; null without one.
    unit: Option<String>,
}

/// Answer to a matching question.
#[derive(SimpleObject)]
pub struct MatchingAnswer {
    /// ID of the question.
    question_id: ID,
    /// The matched pairs.
    #[graphql(complexity = "cost::list(cost::PARTS, child_complexity)")]
    pairs: Vec<MatchedPair>,
}

/// Answer to an ordering question.
#[derive(SimpleObject)]
pub struct OrderingAnswer {
    /// ID of the question.
    question_id: ID,
    /// IDs of the items, in the submitted order.
    order: Vec<ID>,
}

/// Answer to a fill-in-the-blanks question.
#[derive(SimpleObject)]
pub struct BlanksAnswer {
    /// ID of the question.
    question_id: ID,
    /// The filled blanks.
    #[graphql(complexity = "cost::list(cost::PARTS, child_complexity)")]
    blanks: Vec<FilledBlank>,
}

/// Answer to a hotspot question.
#[derive(SimpleObject)]
pub struct HotspotAnswer {
    /// ID of the question.
    question_id: ID,
    /// The marked places.
    #[graphql(complexity = "cost::list(cost::ZONES, child_complexity)")]
    places: Vec<Place>,
}

/// Answer to an essay question.
#[derive(SimpleObject)]
pub struct EssayAnswer {
    /// ID of the question.
    question_id: ID,
    /// The submitted document.
    #[graphql(complexity = "cost::ESSAY")]
    content: Document,
}

/// Answer to a question that is answered with files.
#[derive(SimpleObject)]
pub struct FilesAnswer {
    /// ID of the question.
    question_id: ID,
    /// The submitted files.
    #[graphql(complexity = "cost::list(cost::FILES, child_complexity)")]
    files: Vec<AnswerFile>,
}

/// What is handed in for an assignment: at least one of a text, files and links.
#[derive(SimpleObject)]
pub struct HandInAnswer {
    /// ID of the question.
    question_id: ID,
    /// The document; null without a text.
    #[graphql(complexity = "cost::ESSAY")]
    content: Option<Document>,
    /// The files.
    #[graphql(complexity = "cost::list(cost::FILES, child_complexity)")]
    files: Vec<AnswerFile>,
    /// Addresses on the web; in a draft they may be incomplete.
    links: Vec<String>,
}

/// What the caller has written for an assignment and not handed in.
#[derive(SimpleObject)]
pub struct AnswerDraft {
    /// A save that is based on this draft must name it.
    version: i32,
    /// The answer so far.
    answer: HandInAnswer,
    /// When it was saved.
    saved_at: DateTime,
}

/// A file that answers a question. Its learner and the staff of the course may read it.
#[derive(SimpleObject)]
pub struct AnswerFile {
    /// Unique ID.
    id: ID,
    /// Name.
    filename: String,
    /// Media type, detected from the content.
    content_type: String,
    /// Size in bytes; a float, because a file may have more than an `Int` can count.
    size: f64,
    /// Path `/files/…`, valid for one to two hours.
    url: String,
}

/// A matched pair.
#[derive(SimpleObject)]
pub struct MatchedPair {
    /// ID of the left side.
    left_id: ID,
    /// ID of the right side.
    right_id: ID,
}

/// The content of a blank: a text or an option.
#[derive(SimpleObject)]
pub struct FilledBlank {
    /// ID of the blank.
    blank_id: ID,
    /// The text; null when an option was selected.
    text: Option<String>,
    /// ID of the option; null when a text was entered.
    option_id: Option<ID>,
}

impl From<&quiz::AnswerFile> for AnswerFile {
    fn from(file: &quiz::AnswerFile) -> Self {
        AnswerFile {
            id: id_of(file.id),
            filename: file.filename.clone(),
            content_type: file.content_type.clone(),
            size: file.size as f64,
            url: file.url().to_owned(),
        }
    }
}

impl From<&attempts::SavedWork> for AnswerDraft {
    fn from(saved: &attempts::SavedWork) -> Self {
        AnswerDraft {
            version: int(saved.version),
            answer: handed_in(id_of(saved.question_id), &saved.work),
            saved_at: DateTime(saved.saved_at),
        }
    }
}

fn handed_in(question_id: ID, HandIn { content, files, links }: &HandIn) -> HandInAnswer {
    HandInAnswer {
        question_id,
        content: content.as_ref().map(document),
        files: files.iter().map(AnswerFile::from).collect(),
        links: links.clone(),
    }
}

/// The answer as the schema's type, with the IDs that the caller knows.
pub(crate) fn given(question: Uuid, given: &Given) -> Answer {
    let ids = |ids: &[Uuid]| ids.iter().map(id_of).collect();
    let question_id = id_of(question);
    match given {
        Given::Options(options) => {
            let option_ids = ids(options);
            Answer::Choice(ChoiceAnswer {
                question_id,
                option_ids,
            })
        }
        Given::Text(text) => {
            let text = text.clone();
            Answer::Text(TextAnswer { question_id, text })
        }
        Given::Number(Quantity { number, unit }) => Answer::Number(NumberAnswer {
            question_id,
            number: number.clone(),
            unit: unit.clone(),
        }),
        Given::Pairs(pairs) => {
            let pairs = pairs.iter().map(|pair| MatchedPair {
                left_id: id_of(pair.left_id),
                right_id: id_of(pair.right_id),
            });
            let pairs = pairs.collect();
            Answer::Matching(MatchingAnswer { question_id, pairs })
        }
        Given::Order(items) => {
            let order = ids(items);
            Answer::Ordering(OrderingAnswer { question_id, order })
        }
        Given::Places(places) => {
            let places = places.iter().map(Place::from).collect();
            Answer::Hotspot(HotspotAnswer { question_id, places })
        }
        Given::Essay(content) => {
            let content = document(content);
            Answer::Essay(EssayAnswer { question_id, content })
        }
        Given::Files(files) => {
            let files = files.iter().map(AnswerFile::from).collect();
            Answer::Files(FilesAnswer { question_id, files })
        }
        Given::HandIn(work) => Answer::HandIn(handed_in(question_id, work)),
        Given::Blanks(blanks) => {
            let blanks = blanks.iter().map(|blank| {
                let (text, option_id) = match &blank.with {
                    FilledWith::Text(text) => (Some(text.clone()), None),
                    FilledWith::OptionId(option) => (None, Some(id_of(option))),
                };
                FilledBlank {
                    blank_id: id_of(blank.blank_id),
                    text,
                    option_id,
                }
            });
            let blanks = blanks.collect();
            Answer::Blanks(BlanksAnswer { question_id, blanks })
        }
    }
}
