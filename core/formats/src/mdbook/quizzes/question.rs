//! Converts mdbook-quiz questions.

use serde_json::{Map, Value, json};
use toml::{Table, Value as Toml};
use uuid::Uuid;

use crate::blocks;
use crate::content::Href;
use crate::mdbook::code::CodeReader;
use crate::native::document;
use crate::note::Note;
use crate::note::TomlTrouble;
use crate::quiz::{Blank, Choice, ChoiceDraft, Filling, Kind, Question, paragraph};
use kurso_base::messages::Lang;

/// Options per question and questions per file; a quiz has fewer.
const MAX: usize = 1000;

pub struct Found {
    pub questions: Vec<Question>,
    pub shuffle: bool,
    pub notes: Vec<Note>,
}

/// Number of questions with a fixed and with a free order of options.
#[derive(Default)]
struct Order {
    fixed: usize,
    free: usize,
}

pub fn questions(text: &str, code: &mut CodeReader) -> Result<Found, TomlTrouble> {
    let table: Table = toml::from_str(text).map_err(|error| TomlTrouble::of(&error, text))?;
    let mut builder = QuestionBuilder {
        code,
        notes: Vec::new(),
        order: Order::default(),
        tracing_count: 0,
    };
    let parts = table.get("multipart").and_then(Toml::as_table);
    let mut questions = Vec::new();
    let list = table
        .get("questions")
        .and_then(Toml::as_array)
        .map_or(&[][..], Vec::as_slice);
    for question in list.iter().take(MAX) {
        match question.as_table().map(|question| builder.question(question, parts)) {
            Some(Some(question)) => questions.push(question),
            Some(None) => {}
            None => builder.notes.push(Note::QuestionUnclear),
        }
    }
    if builder.order.fixed > 0 && builder.order.free > 0 {
        builder.notes.push(Note::OptionOrder(builder.order.fixed));
    }
    if builder.tracing_count > 0 {
        builder.notes.push(Note::Tracing(builder.tracing_count));
    }
    Ok(Found {
        questions,
        shuffle: builder.order.free > 0,
        notes: builder.notes,
    })
}

struct QuestionBuilder<'a> {
    code: &'a mut CodeReader,
    notes: Vec<Note>,
    order: Order,
    tracing_count: usize,
}

impl QuestionBuilder<'_> {
    fn question(&mut self, said: &Table, parts: Option<&Table>) -> Option<Question> {
        let text = |name: &str| said.get(name).and_then(Toml::as_str);
        let none = Table::new();
        let prompt = said.get("prompt").and_then(Toml::as_table).unwrap_or(&none);
        let answer = said.get("answer").and_then(Toml::as_table).unwrap_or(&none);
        let mut prompt_text = prompt
            .get("prompt")
            .and_then(Toml::as_str)
            .unwrap_or_default()
            .to_owned();
        if let Some(shared) = text("multipart")
            .and_then(|name| parts?.get(name))
            .and_then(Toml::as_str)
        {
            prompt_text = format!("{}\n\n{prompt_text}", shared.trim_end());
        }
        let mut question = match text("type") {
            Some("MultipleChoice") => self.choice(&prompt_text, prompt, answer),
            Some("ShortAnswer") => {
                let more = answer.get("alternatives").and_then(Toml::as_array);
                let accepted = answer.get("answer").into_iter().chain(more.into_iter().flatten());
                let kind = Kind::ShortText {
                    accepted: accepted.filter_map(Toml::as_str).map(str::to_owned).collect(),
                    case_sensitive: false,
                    regex: None,
                };
                Question::new(self.text(&prompt_text), kind)
            }
            Some("Tracing") => self.tracing(&prompt_text, prompt, answer),
            other => {
                let note = other.map_or(Note::QuestionNoType, |kind| Note::Question(kind.to_owned()));
                self.notes.push(note);
                return None;
            }
        };
        let id = text("id").and_then(|id| Uuid::parse_str(id).ok());
        question.id = id.unwrap_or(question.id);
        let context = text("context").filter(|context| !context.trim().is_empty());
        question.explanation = context.map(|context| self.text(context));
        Some(question)
    }

    fn choice(&mut self, prompt_text: &str, prompt: &Table, answer: &Table) -> Question {
        let texts = |value: Option<&Toml>| -> Vec<String> {
            match value {
                Some(Toml::String(text)) => vec![text.clone()],
                Some(Toml::Array(list)) => list
                    .iter()
                    .filter_map(Toml::as_str)
                    .map(str::to_owned)
                    .take(MAX)
                    .collect(),
                _ => vec![],
            }
        };
        let several = answer.get("answer").is_some_and(Toml::is_array);
        let right = texts(answer.get("answer"));
        let mut options: Vec<(String, bool)> = texts(prompt.get("distractors"))
            .into_iter()
            .map(|text| (text, false))
            .collect();
        let index = prompt
            .get("answerIndex")
            .and_then(Toml::as_integer)
            .and_then(|index| usize::try_from(index).ok());
        let at = index.unwrap_or(0).min(options.len());
        options.splice(at..at, right.into_iter().map(|text| (text, true)));
        let sorted = prompt.get("sortAnswers").and_then(Toml::as_bool) == Some(true);
        if sorted {
            options.sort();
        }
        if sorted || index.is_some() {
            self.order.fixed += 1
        } else {
            self.order.free += 1
        }
        let option = |(text, correct): (String, bool)| ChoiceDraft::new(self.text(&text), correct);
        let options = Choice::list(options.into_iter().map(option).collect());
        Question::new(self.text(prompt_text), Kind::choice(several, options))
    }

    /// Combines a choice and a text: whether the program compiles, and what it prints or which line fails.
    fn tracing(&mut self, prompt_text: &str, prompt: &Table, answer: &Table) -> Question {
        self.tracing_count += 1;
        let program = prompt.get("program").and_then(Toml::as_str).unwrap_or_default();
        let mut blocks = Vec::new();
        if !prompt_text.trim().is_empty() {
            blocks.extend(blocks::blocks(self.text(prompt_text)));
        }
        let fence = self.code.read("rust", program.trim_matches('\n').to_owned());
        blocks.push(json!({ "type": "codeBlock", "attrs": { "language": "rust" }, "content": [{ "type": "text", "text": fence.code }] }));

        let compiles = answer.get("doesCompile").and_then(Toml::as_bool) == Some(true);
        let result = if compiles {
            answer
                .get("stdout")
                .and_then(Toml::as_str)
                .map(|text| text.trim().to_owned())
        } else {
            answer
                .get("lineNumber")
                .and_then(Toml::as_integer)
                .map(|line| line.to_string())
        };
        let result = result.filter(|text| !text.is_empty());
        let (whether, what) = (Uuid::now_v7(), Uuid::now_v7());
        let words = |text: &str| json!({ "type": "text", "text": text });
        let blank = |id: Uuid| json!({ "type": "blank", "attrs": { "blank_id": id } });
        let line = |content: Vec<Value>| json!({ "type": "paragraph", "content": content });
        let mut text = vec![line(vec![words("The program "), blank(whether), words(".")])];
        let options = Choice::list(vec![
            ChoiceDraft::new(paragraph("compiles"), compiles),
            ChoiceDraft::new(paragraph("does not compile"), !compiles),
        ]);
        let mut blanks = vec![Blank {
            id: whether,
            filling: Filling::Options(options),
        }];
        if let Some(result) = result {
            text.push(line(vec![
                words("What it prints, or the number of the line with the error: "),
                blank(what),
            ]));
            blanks.push(Blank {
                id: what,
                filling: Filling::Accepted(vec![result]),
            });
        }
        let text = blocks::doc(text);
        Question::new(blocks::doc(blocks), Kind::FillBlank { text, blanks })
    }

    fn text(&mut self, text: &str) -> Value {
        let read = document::read(text.trim(), false);
        self.notes.extend(read.notes.iter().map(|(_, note)| note.clone()));
        let mut document = read.into_document();
        self.clean(&mut document);
        document
    }

    /// Removes hidden code lines and unresolvable links.
    fn clean(&mut self, node: &mut Value) {
        if let Some(fields) = node.as_object_mut() {
            if fields.get("type").is_some_and(|kind| kind == "codeBlock") {
                self.code_block(fields);
            }
            if let Some(marks) = fields.get_mut("marks").and_then(Value::as_array_mut) {
                marks.retain(|mark| {
                    let href = mark.pointer("/attrs/href").and_then(Value::as_str);
                    let lost = href.filter(|href| !matches!(Href::parse(href), Some(Href::Web(_) | Href::Mail(_))));
                    self.notes
                        .extend(lost.map(|href| Note::LinkNotInSummary(href.to_owned())));
                    lost.is_none()
                });
                if marks.is_empty() {
                    fields.remove("marks");
                }
            }
        }
        for child in node
            .get_mut("content")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            self.clean(child);
        }
    }

    fn code_block(&mut self, fields: &mut Map<String, Value>) {
        let info = fields
            .get("attrs")
            .and_then(|attrs| attrs.get("language"))
            .and_then(Value::as_str);
        let Some(info) = info.map(str::to_owned) else { return };
        // Interactive widgets of the book that contain Rust code.
        let info = match info.split_once(',') {
            Some(("aquascope", rest)) => format!("rust,{rest}"),
            _ if info == "ide" || info == "aquascope" => "rust".to_owned(),
            _ => info,
        };
        let text = fields
            .get("content")
            .and_then(|content| content.pointer("/0/text"))
            .and_then(Value::as_str);
        let fence = self.code.read(&info, text.unwrap_or_default().to_owned());
        let mut attrs = Map::new();
        attrs.extend(fence.language.map(|language| ("language".to_owned(), language.into())));
        attrs.extend(fence.caption.map(|caption| ("caption".to_owned(), caption.into())));
        fields.insert("attrs".into(), attrs.into());
        let code = fence.code.trim_end_matches('\n').to_owned();
        if code.is_empty() {
            fields.remove("content")
        } else {
            fields.insert("content".into(), json!([{ "type": "text", "text": code }]))
        };
    }
}

/// The title of a quiz in the language of the book.
pub fn quiz_title(language: Lang, of: &str) -> String {
    match language {
        Lang::Ru => format!("Тест: {of}"),
        Lang::En => format!("Quiz: {of}"),
    }
}
