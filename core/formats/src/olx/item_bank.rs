//! Turns containers that show each learner a random selection of their problems into question banks and draws.

use kurso_base::ids::derived_id;
use kurso_base::values::QuestionTags;
use uuid::Uuid;

use super::components::Reader;
use super::definitions::Definition;
use super::problem::{Piece, Settings};
use super::unit::Unit;
use super::{drag_and_drop, problem};
use crate::content;
use crate::course::{BankDraft, TaggedQuestion};
use crate::error::ImportError;
use crate::html::Converted;
use crate::html_host;
use crate::note::olx::Note;
use crate::quiz::{BankQuestionDraft, Kind, MAX_BANK_QUESTIONS, MAX_DRAWN, Question};

/// The containers that select components at random.
pub const ITEM_BANKS: &[&str] = &["library_content", "itembank"];

/// The components that become questions.
const PROBLEMS: &[&str] = &["problem", "drag-and-drop-v2"];

/// A component of the container.
struct Item {
    name: Option<String>,
    pieces: Vec<Piece>,
    settings: Option<Settings>,
}

impl Reader<'_> {
    /// Reads a container that selects some of its components. If each of them is one question, they become a question bank, from which
    /// the quiz of the unit draws; otherwise the unit has all components in order.
    pub fn item_bank(&mut self, found: &Definition, unit: &mut Unit, depth: usize) -> Result<(), ImportError> {
        let of = found.element.elements().count();
        let pick = pick(found).filter(|pick| (1..of).contains(pick) && of <= MAX_BANK_QUESTIONS);
        let are_problems = found
            .element
            .elements()
            .all(|child| PROBLEMS.contains(&child.name.as_str()));
        let Some(pick) = pick.filter(|_| are_problems) else {
            self.note_variants(found);
            return self.parts(found, unit, depth + 1);
        };
        let items = self.items(found)?;
        match questions_of(&items) {
            Some(questions) => {
                let settings = items.into_iter().filter_map(|item| {
                    unit.begin(item.name.as_deref());
                    item.settings
                });
                let settings: Vec<Settings> = settings.collect();
                self.draw(found, unit, pick, questions);
                settings.into_iter().for_each(|settings| unit.settings(settings));
            }
            None => {
                self.note_variants(found);
                for item in items {
                    unit.begin(item.name.as_deref());
                    self.pieces(item.pieces, item.settings, unit);
                }
            }
        }
        Ok(())
    }

    /// The components, and placeholders for those that cannot be read.
    fn items(&mut self, found: &Definition) -> Result<Vec<Item>, ImportError> {
        let mut items = Vec::new();
        for element in found.element.elements() {
            let Some(child) = self.definitions.enter(element, &found.place)? else {
                let blocks = self.missing(element).into_iter().collect();
                items.push(Item {
                    name: element.attr_text("url_name").map(str::to_owned),
                    pieces: vec![Piece::Text(Converted {
                        blocks,
                        ..Converted::default()
                    })],
                    settings: None,
                });
                continue;
            };
            let (pieces, settings) = if child.element.is("problem") {
                let (pieces, settings) = problem::read(&child, &mut self.definitions, &mut self.context);
                (pieces, Some(settings))
            } else {
                let pieces = drag_and_drop::read(&child, &mut self.definitions, &mut self.context);
                (pieces, None)
            };
            items.push(Item {
                name: child.url_name().map(str::to_owned),
                pieces,
                settings,
            });
            self.definitions.leave(&child);
            self.context.check()?;
        }
        Ok(items)
    }

    /// Adds a bank with the questions and a draw from it.
    fn draw(&mut self, found: &Definition, unit: &mut Unit, pick: usize, questions: Vec<BankQuestionDraft>) {
        let title = found.title().unwrap_or_default();
        let title = html_host::title(title, self.context.localized("Question bank", "Банк вопросов"));
        let own = found.url_name().unwrap_or(&title);
        // Importing a course again finds the banks of the first import by these keys.
        let key = derived_id([self.course.as_bytes(), found.place.as_bytes(), own.as_bytes()]);
        let points: Vec<_> = questions.iter().map(|question| question.as_question().points).collect();
        let kind = Kind::Draw {
            bank_id: key,
            tags: vec![],
            count: u32::try_from(pick).unwrap_or(MAX_DRAWN).clamp(1, MAX_DRAWN),
            pool: vec![],
        };
        let mut draw = Question::new(content::empty(), kind);
        draw.points = points.first().copied().unwrap_or(draw.points);
        let kind = found.element.name.clone();
        let of = questions.len();
        self.definitions.note(
            &found.place,
            Note::ItemBank {
                kind: kind.clone(),
                pick,
                of,
                bank: title.clone(),
            },
        );
        if points.windows(2).any(|pair| pair.first() != pair.last()) {
            self.definitions.note(&found.place, Note::ItemBankPoints(kind));
        }
        let tagged = questions.into_iter().map(|question| TaggedQuestion {
            question,
            tags: QuestionTags::default(),
        });
        self.banks.entry(key).or_insert_with(|| BankDraft {
            key,
            id: key,
            title,
            questions: tagged.collect(),
            source: found.place.clone(),
        });
        unit.question(draw, &mut self.definitions, &mut self.index);
    }

    pub fn note_variants(&mut self, found: &Definition) {
        let name = found.element.name.clone();
        self.definitions.note(&found.place, Note::Variants(name));
    }
}

/// How many components a learner sees, 1 by default. None if they see all.
fn pick(found: &Definition) -> Option<usize> {
    match found.element.attr_text("max_count") {
        None => Some(1),
        Some(count) => count.trim().parse().ok(),
    }
}

/// The question of each component. None if one of them has text of its own, several questions, or one that a bank cannot hold.
fn questions_of(items: &[Item]) -> Option<Vec<BankQuestionDraft>> {
    let questions = items.iter().map(|item| match item.pieces.as_slice() {
        [Piece::Question(question)] => {
            let question = Question {
                id: Uuid::now_v7(),
                ..question.as_ref().clone()
            };
            BankQuestionDraft::of(question)
                .ok()
                .filter(BankQuestionDraft::is_complete)
        }
        _ => None,
    });
    questions.collect()
}
