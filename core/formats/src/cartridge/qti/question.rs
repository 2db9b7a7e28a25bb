//! Converts a QTI item to a question, or to text on the page.

use std::collections::{HashMap, HashSet};

use serde_json::{Number, Value, json};
use uuid::Uuid;

use super::feedback::{OptionFeedback, option_feedback};
use super::item::{Item, Material, bare};
use super::kind::{Kind, Scores, kind, points, scores, scores_by_response};
use crate::blocks::{blocks, doc};
use crate::cartridge::labels::Labels;
use crate::cartridge::page::document_of;
use crate::html::Host;
use crate::note::Note;
use crate::note::cartridge::Note as CartridgeNote;
use crate::quiz::{self, Choice, ChoiceDraft, Pair, Question, paragraph};

pub enum BuiltItem {
    Question(Box<Question>),
    /// Text for the page, with the type of the question as a label.
    Words {
        label: Option<&'static str>,
        blocks: Vec<Value>,
    },
}

pub struct QuestionBuilder<'m> {
    pub host: &'m mut dyn Host,
    pub labels: &'m Labels,
}

impl QuestionBuilder<'_> {
    pub(super) fn note(&mut self, note: CartridgeNote) {
        self.host.note(Note::Cartridge(note), 0);
    }

    pub fn make(&mut self, item: &Item) -> BuiltItem {
        if let Some(text) = item.fields.get(super::QUESTION_FIELD) {
            match super::kurso_field::read(text, item, self.host) {
                Some(question) => return BuiltItem::Question(Box::new(question)),
                None => self.note(CartridgeNote::Extension),
            }
        }
        if let Some(made) = self.hotspot(item) {
            return self.finished(made, item, &OptionFeedback::default());
        }
        let Some(kind) = kind(item) else {
            let name = item
                .fields
                .get("question_type")
                .or_else(|| item.fields.get("cc_profile"));
            self.note(CartridgeNote::UnknownQuestion(name.cloned().unwrap_or_default()));
            return self.as_text(item, Some(self.labels.unknown_question));
        };
        let made = match kind {
            Kind::Single | Kind::Multiple => self.choice(item, kind == Kind::Multiple),
            Kind::Dropdowns | Kind::Blanks => self.blanks(item, kind == Kind::Dropdowns),
            Kind::Matching => self.matching(item),
            Kind::Categories => self.categories(item),
            Kind::Ordering => self.ordering(item),
            Kind::Numeric => self.numeric(item),
            Kind::Calculated => self.calculated(item),
            Kind::Short => self.short(item),
            Kind::Essay => self.essay(item),
            Kind::Upload => self.upload(item),
            Kind::Text => {
                self.note(CartridgeNote::TextOnly);
                return self.as_text(item, None);
            }
        };
        let of_options = match kind {
            Kind::Single | Kind::Multiple => option_feedback(item),
            _ => OptionFeedback::default(),
        };
        self.finished(made, item, &of_options)
    }

    /// The question with the id, the points and the explanation of its item.
    fn finished(&mut self, mut made: Question, item: &Item, of_options: &OptionFeedback<'_>) -> BuiltItem {
        made.id = id_of(&item.id).unwrap_or(made.id);
        made.points = points(item).unwrap_or(made.points);
        let said = self.explanation(item, of_options);
        made.explanation = (!said.is_empty()).then(|| doc(said));
        BuiltItem::Question(Box::new(made))
    }

    fn essay(&mut self, item: &Item) -> Question {
        let kind = quiz::Kind::Essay {
            rubric: None,
            min_words: None,
            max_words: None,
            guide: None,
        };
        self.question(item, kind)
    }

    /// The kinds of files are not limited, as in Canvas, which has no setting for the number either.
    fn upload(&mut self, item: &Item) -> Question {
        let kind = quiz::Kind::FileUpload {
            rubric: None,
            max_files: 1,
            extensions: Vec::new(),
            guide: None,
        };
        self.question(item, kind)
    }

    /// The question as text: its prompt and its options.
    fn as_text(&mut self, item: &Item, label: Option<&'static str>) -> BuiltItem {
        let mut blocks = blocks(self.document(&item.prompt));
        for response in &item.responses {
            if !response.name.is_empty() && !response.labels.is_empty() {
                blocks.extend(self::blocks(self.document(&response.name)));
            }
            let labels: Vec<Value> = response
                .labels
                .iter()
                .filter(|(_, said)| !said.is_empty())
                .map(|(_, said)| json!({ "type": "listItem", "content": self::blocks(self.document(said)) }))
                .collect();
            if !labels.is_empty() {
                blocks.push(json!({ "type": "bulletList", "content": labels }));
            }
        }
        let said = self.explanation(item, &OptionFeedback::default());
        blocks.extend(said);
        BuiltItem::Words { label, blocks }
    }

    pub(super) fn document(&mut self, material: &Material) -> Value {
        if material.html {
            document_of(&material.text, self.host)
        } else {
            paragraph(material.text.trim())
        }
    }

    /// The options, with the ids that Kurso exported if there are any.
    pub(super) fn options<'a>(
        &mut self,
        labels: impl IntoIterator<Item = &'a (String, Material)>,
        right: impl Fn(&str) -> bool,
        feedback: &OptionFeedback<'_>,
    ) -> Vec<Choice> {
        let mut ids = HashSet::new();
        // An item may repeat an id; the first option has the feedback, which could be long.
        let mut told = HashSet::new();
        let option = |(id, said): &'a (String, Material)| {
            let comments = feedback.get(id.as_str()).filter(|_| told.insert(id.as_str()));
            let comments = comments.into_iter().flatten();
            let comments: Vec<Value> = comments.flat_map(|(_, said)| blocks(self.document(said))).collect();
            ChoiceDraft {
                id: new_id(id, &mut ids),
                feedback: Some(doc(comments)),
                ..ChoiceDraft::new(self.document(said), right(id))
            }
        };
        Choice::list(labels.into_iter().map(option).collect())
    }

    fn question(&mut self, item: &Item, kind: quiz::Kind) -> Question {
        Question::new(self.document(&item.prompt), kind)
    }

    /// A numeric question; without the right number, a note says so.
    pub(super) fn number(
        &mut self,
        prompt: &Material,
        value: Option<Number>,
        tolerance: Option<Number>,
        tolerance_percent: Option<Number>,
    ) -> Question {
        if value.is_none() {
            self.note(CartridgeNote::NoAnswer);
        }
        let kind = quiz::Kind::Numeric {
            value,
            tolerance: tolerance.unwrap_or_else(|| Number::from(0)),
            tolerance_percent,
            units: vec![],
        };
        Question::new(self.document(prompt), kind)
    }

    fn choice(&mut self, item: &Item, multiple: bool) -> Question {
        let all: Vec<&(String, Material)> = item.responses.iter().flat_map(|response| &response.labels).collect();
        let scored = scores(item);
        let best = scored.values().fold(0.0, f64::max);
        let partial = scored.values().any(|score| score > 0.0 && score < best);
        let right = |id: &str| scored.is_right(id) && (multiple || scored.of(id).is_some_and(|score| score >= best));
        if partial {
            self.host.note(Note::Weights, 0);
        }
        let count = all.iter().filter(|(id, _)| right(id)).count();
        if count == 0 {
            self.note(CartridgeNote::NoAnswer);
        }
        let options = self.options(all, right, &option_feedback(item));
        // Several correct options of which one is to be chosen: multiple choice is the nearest type.
        if !multiple && count > 1 {
            self.host.note(Note::Weights, 0);
        }
        let kind = match multiple && is_all_or_nothing(item, count) {
            true => quiz::Kind::MultipleChoice {
                options,
                all_or_nothing: true,
            },
            false => quiz::Kind::choice(multiple || count > 1, options),
        };
        self.question(item, kind)
    }

    fn matching(&mut self, item: &Item) -> Question {
        let mut ids = HashSet::new();
        let mut pairs = Vec::new();
        let mut fitting = HashSet::new();
        let (scored_by, nothing) = (scores_by_response(item), Scores::default());
        for response in &item.responses {
            let scored = scored_by.get(response.id.as_str()).unwrap_or(&nothing);
            let right = response.labels.iter().find(|(id, _)| scored.is_right(id));
            let Some((id, said)) = right else {
                self.note(CartridgeNote::NoAnswer);
                continue;
            };
            fitting.insert(id.as_str());
            let mut pair = Pair::new(self.document(&response.name), self.document(said));
            pair.id = new_id(bare(&response.id), &mut ids).unwrap_or(pair.id);
            pairs.push(pair);
        }
        self.report_distractors(item, &fitting);
        self.question(item, quiz::Kind::Matching { pairs })
    }

    /// Each member is matched with its category.
    fn categories(&mut self, item: &Item) -> Question {
        let (mut pairs, mut fitting) = (Vec::new(), HashSet::new());
        let (scored_by, nothing) = (scores_by_response(item), Scores::default());
        for response in &item.responses {
            let scored = scored_by.get(response.id.as_str()).unwrap_or(&nothing);
            for (id, said) in &response.labels {
                if scored.is_right(id) && fitting.insert(id.as_str()) {
                    pairs.push(Pair::new(self.document(said), self.document(&response.name)));
                }
            }
        }
        if pairs.is_empty() {
            self.note(CartridgeNote::NoAnswer);
        }
        self.report_distractors(item, &fitting);
        self.question(item, quiz::Kind::Matching { pairs })
    }

    fn report_distractors(&mut self, item: &Item, fitting: &HashSet<&str>) {
        let mut seen = HashSet::new();
        let labels = item.responses.iter().flat_map(|response| &response.labels);
        let left: Vec<String> = labels
            .filter(|(id, _)| !fitting.contains(id.as_str()) && seen.insert(id.as_str()))
            .map(|(_, said)| said.plain())
            .collect();
        if !left.is_empty() {
            self.note(CartridgeNote::Distractors(left.join("; ")));
        }
    }

    fn ordering(&mut self, item: &Item) -> Question {
        let response = item.responses.first();
        let labels = response.map(|response| response.labels.as_slice()).unwrap_or_default();
        let order: Vec<&str> = item
            .conditions
            .iter()
            .find(|condition| condition.scores())
            .map(|condition| condition.tests.iter().map(|test| test.value.as_str()).collect())
            .unwrap_or_default();
        // Other producers give the position as the value of each label.
        let scoring = item.conditions.iter().filter(|condition| condition.scores());
        let places: HashMap<&str, usize> = scoring
            .flat_map(|condition| &condition.tests)
            .filter(|test| !test.not)
            .filter_map(|test| Some((test.response.as_str(), test.value.parse().ok()?)))
            .collect();
        let numbered = !labels.is_empty() && labels.iter().all(|(id, _)| places.contains_key(id.as_str()));
        if order.is_empty() && !numbered {
            self.note(CartridgeNote::NoAnswer);
        }
        let mut sorted: Vec<&(String, Material)> = labels.iter().collect();
        sorted.sort_by_key(|(id, _)| {
            if numbered {
                places.get(id.as_str()).copied().unwrap_or(usize::MAX)
            } else {
                order.iter().position(|other| other == id).unwrap_or(usize::MAX)
            }
        });
        let mut ids = HashSet::new();
        let items = sorted.into_iter().map(|(id, said)| quiz::Item {
            id: new_id(id, &mut ids).unwrap_or_else(Uuid::now_v7),
            content: self.document(said),
        });
        let items = items.collect();
        self.question(item, quiz::Kind::Ordering { items })
    }

    fn short(&mut self, item: &Item) -> Question {
        let accepted: Vec<String> = scores(item).accepted().map(str::to_owned).collect();
        let scoring = || item.conditions.iter().filter(|condition| condition.scores());
        let parts: Vec<String> = scoring()
            .flat_map(|condition| &condition.tests)
            .filter(|test| !test.not && test.op == "varsubstring")
            .map(|test| format!(".*{}.*", regex::escape(&test.value)))
            .collect();
        let case = scoring().flat_map(|condition| &condition.tests).any(|test| test.case);
        if accepted.is_empty() && parts.is_empty() {
            self.note(CartridgeNote::NoAnswer);
        }
        let kind = quiz::Kind::ShortText {
            accepted,
            case_sensitive: case,
            regex: (!parts.is_empty()).then(|| parts.join("|")),
        };
        self.question(item, kind)
    }
}

/// Whether a single condition earns points, and it names all right options. Items of Canvas look the same but are graded with partial credit.
fn is_all_or_nothing(item: &Item, right: usize) -> bool {
    let mut scoring = item.conditions.iter().filter(|condition| condition.scores());
    let (Some(condition), None) = (scoring.next(), scoring.next()) else {
        return false;
    };
    let named = condition.tests.iter().filter(|test| !test.not && test.op == "varequal");
    let is_profile = item
        .fields
        .get("cc_profile")
        .is_some_and(|name| name.contains("multiple_response"));
    let is_exact = is_profile || condition.tests.iter().any(|test| test.not);
    !item.fields.contains_key("question_type") && is_exact && !condition.is_any && right > 0 && named.count() == right
}

/// An id written by Kurso, or another producer's 128-bit hash: an optional letter and 32 hexadecimal digits.
pub fn id_of(name: &str) -> Option<Uuid> {
    let digits = match name.len() {
        33 => name.strip_prefix(|c: char| c.is_ascii_lowercase()).unwrap_or(name),
        _ => name,
    };
    let is_id = digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    is_id.then(|| Uuid::parse_str(digits).ok()).flatten()
}

/// The id in a name, unless another part of the question has it.
fn new_id(name: &str, ids: &mut HashSet<Uuid>) -> Option<Uuid> {
    id_of(name).filter(|id| ids.insert(*id))
}
