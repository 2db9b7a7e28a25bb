//! Parses questions. Callers resolve addresses before they check a question.

use kurso_base::values::QuestionTags;
use serde_json::{Number, Value};
use uuid::Uuid;

use super::answers::resolve_blanks;
use super::block::{Block, infer_kind, split, split_at_rule};
use super::{Fences, is_question, rubric};
use crate::content;
use crate::native::document::{self, Attrs};
use crate::note::{Note, Reason};
use crate::numbers::number;
use crate::quiz::{self, Choice, Kind, Points, Question, Source};

/// Parsed questions per page; more are reported. The limit of a quiz is lower.
const MAX_PARSED: usize = 5000;

const KINDS: &[&str] = &[
    "single_choice",
    "multiple_choice",
    "short_text",
    "numeric",
    "formula",
    "matching",
    "ordering",
    "fill_blank",
    "hotspot",
    "essay",
    "file_upload",
    "hand_in",
    "draw",
];

/// The attribute of a tag of a bank question, which may be repeated.
pub const TAG: &str = "tag";

/// The attributes of questions.
const ATTRIBUTES: &[&str] = &[
    "points",
    "all_or_nothing",
    "mark_all",
    "case_sensitive",
    "min_words",
    "max_words",
    "max_files",
    "extensions",
    "takes_text",
    "max_links",
    "source",
    TAG,
    "bank",
    "count",
    rubric::ATTRIBUTE,
];

/// Parsed questions and notes.
#[derive(Debug, Default)]
pub struct Questions {
    pub questions: Vec<Parsed>,
    pub notes: Vec<(usize, Note)>,
}

/// A parsed question.
#[derive(Debug)]
pub struct Parsed {
    /// Its first line, starting at 1.
    pub line: usize,
    /// The question, or why it is refused.
    pub question: Result<Question, Reason>,
    /// Its tags, if it is a question of a bank.
    pub tags: QuestionTags,
}

/// Parses the part of a page from its first `???` on.
pub fn read(text: &str) -> Questions {
    let mut found = Questions::default();
    let mut fences = Fences::default();
    let mut block: Option<Block<'_>> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let code = fences.holds(line);
        if !code && is_question(line) {
            if let Some(block) = block.take() {
                found.question(block);
            }
            block = Some(Block {
                line: number,
                head: line.trim_start_matches('?').trim(),
                lines: Vec::new(),
            });
        } else if let Some(block) = &mut block {
            block.lines.push((line, code));
        }
    }
    if let Some(block) = block {
        found.question(block);
    }
    found
}

impl Questions {
    pub(super) fn note(&mut self, line: usize, note: Note) {
        if self.notes.len() < 200 {
            self.notes.push((line, note));
        }
    }

    fn question(&mut self, block: Block<'_>) {
        if self.questions.len() >= MAX_PARSED {
            return self.note(block.line, Note::QuestionsOver(MAX_PARSED));
        }
        let (first, rest) = block.head.split_once([' ', ',']).unwrap_or((block.head, ""));
        let (name, rest) = if first.contains('=') {
            ("", block.head)
        } else {
            (first.trim_end_matches(','), rest)
        };
        let Some(attrs) = Attrs::parse_line(rest.trim()) else {
            return self.note(block.line, Note::Question(block.head.to_owned()));
        };
        let kind = match KINDS.iter().find(|kind| **kind == name) {
            Some(kind) => *kind,
            None if name.is_empty() => infer_kind(&block),
            None => return self.note(block.line, Note::Question(block.head.to_owned())),
        };
        for name in attrs.names().filter(|name| !ATTRIBUTES.contains(name)) {
            self.note(block.line, Note::UnknownField(name.to_owned()));
        }
        let (body, parts) = split(kind, &block, attrs.has(rubric::ATTRIBUTE));
        let mut points = Ok(Points::ONE);
        if let Some(said) = attrs.get("points") {
            match number(said) {
                Some(number) => points = Points::new(&number).ok_or(quiz::Problem::BadPoints.into()),
                None => self.note(block.line, Note::UnknownField(format!("points={said}"))),
            }
        }
        let body_line = block.line + 1;
        let (prompt, text) = match kind {
            "fill_blank" => split_at_rule(&body).unwrap_or(("", &body)),
            _ => (body.as_str(), ""),
        };
        let mut text = match text {
            "" => content::empty(),
            text => {
                let read = document::read(text, true);
                self.notes
                    .extend(read.notes.iter().map(|(line, note)| (body_line + line, note.clone())));
                read.into_document()
            }
        };
        let prompt = self.document(prompt, body_line);
        let mut answers = self.answers(kind, parts);
        let explanation = answers.explanation.take();
        let mut hints = std::mem::take(&mut answers.hints);
        hints.retain(|hint| !content::is_empty(hint));
        let rubric = self.rubric(&attrs, std::mem::take(&mut answers.criteria), block.line);
        let kind = match kind {
            "single_choice" => Ok(Kind::SingleChoice {
                options: Choice::list(answers.options),
            }),
            "multiple_choice" => Ok(Kind::MultipleChoice {
                options: Choice::list(answers.options),
                all_or_nothing: attrs.has("all_or_nothing"),
            }),
            "short_text" => Ok(Kind::ShortText {
                accepted: answers.accepted,
                case_sensitive: attrs.has("case_sensitive"),
                regex: answers.regex.filter(|regex| !regex.is_empty()),
            }),
            "numeric" => Ok(Kind::Numeric {
                value: answers.value,
                tolerance: answers.tolerance.unwrap_or_else(|| Number::from(0)),
                tolerance_percent: answers.tolerance_percent,
                units: answers.units,
            }),
            "formula" => Ok(Kind::Formula {
                parameters: answers.parameters,
                expression: answers.expression,
                tolerance: answers.tolerance.unwrap_or_else(|| Number::from(0)),
                tolerance_percent: answers.tolerance_percent,
                units: answers.units,
            }),
            "matching" => Ok(Kind::Matching { pairs: answers.pairs }),
            "ordering" => Ok(Kind::Ordering { items: answers.items }),
            "hotspot" => Ok(Kind::Hotspot {
                picture: answers.picture.filter(|picture| !content::is_empty(picture)),
                zones: answers.zones,
                mark_all: attrs.has("mark_all"),
                all_or_nothing: attrs.has("all_or_nothing"),
            }),
            "essay" => Ok(Kind::Essay {
                min_words: self.count(&attrs, "min_words", block.line),
                max_words: self.count(&attrs, "max_words", block.line),
                guide: answers.guide,
                rubric,
            }),
            "file_upload" => Ok(Kind::FileUpload {
                max_files: self.count(&attrs, "max_files", block.line).unwrap_or(1),
                extensions: extensions(&attrs),
                guide: answers.guide,
                rubric,
            }),
            "hand_in" => Ok(Kind::HandIn {
                takes_text: attrs.has("takes_text"),
                min_words: self.count(&attrs, "min_words", block.line),
                max_words: self.count(&attrs, "max_words", block.line),
                max_files: self.count(&attrs, "max_files", block.line).unwrap_or(0),
                extensions: extensions(&attrs),
                max_links: self.count(&attrs, "max_links", block.line).unwrap_or(0),
                guide: answers.guide,
                rubric,
            }),
            "draw" => match attrs.get("bank").and_then(|bank| Uuid::parse_str(bank).ok()) {
                Some(bank_id) => Ok(Kind::Draw {
                    bank_id,
                    tags: quiz::distinct_tags(answers.accepted.iter().map(|tag| quiz::bare_tag(tag))),
                    count: self.count(&attrs, "count", block.line).unwrap_or(1),
                    pool: vec![],
                }),
                None => Err(quiz::Problem::NoBank.into()),
            },
            _ => resolve_blanks(&mut text, answers.blanks).map(|blanks| Kind::FillBlank { text, blanks }),
        };
        let source = self.source(&attrs, block.line);
        let question = points.and_then(|points| {
            let kind = kind?;
            let is_draw = kind.is_draw();
            Ok(Question {
                points,
                explanation: explanation.filter(|_| !is_draw),
                hints: if is_draw { vec![] } else { hints },
                source: source.filter(|_| !is_draw),
                ..Question::new(if is_draw { content::empty() } else { prompt }, kind)
            })
        });
        self.questions.push(Parsed {
            line: block.line,
            question,
            tags: QuestionTags::of(attrs.all(TAG)),
        });
    }

    /// The bank question of which the question is a copy: its id and version, such as `…/3`.
    fn source(&mut self, attrs: &Attrs, line: usize) -> Option<Source> {
        let said = attrs.get("source")?;
        let source = said.split_once('/').and_then(|(id, version)| {
            Some(Source {
                question_id: Uuid::parse_str(id).ok()?,
                version: version.parse().ok().filter(|version| *version > 0)?,
            })
        });
        if source.is_none() {
            self.note(line, Note::UnknownField(format!("source={said}")));
        }
        source
    }

    /// The value of an attribute that is a number of words or files.
    fn count(&mut self, attrs: &Attrs, name: &str, line: usize) -> Option<u32> {
        let said = attrs.get(name)?;
        let count = said.parse().ok();
        if count.is_none() {
            self.note(line, Note::UnknownField(format!("{name}={said}")));
        }
        count
    }

    pub(super) fn document(&mut self, text: &str, line: usize) -> Value {
        let read = document::read(text, false);
        for (at, note) in &read.notes {
            self.note(line + at - 1, note.clone());
        }
        read.into_document()
    }
}

/// The kinds of files of the attribute `extensions`, separated by spaces or commas.
fn extensions(attrs: &Attrs) -> Vec<String> {
    let listed = attrs.get("extensions").unwrap_or_default().split([' ', ',']);
    listed
        .map(quiz::bare_extension)
        .filter(|extension| !extension.is_empty())
        .collect()
}
