//! A quiz as QTI: what the profile can hold for everybody, and all of it as Canvas writes questions.

use std::collections::HashMap;

use serde_json::Value;

use super::item;
use super::question::{Made, Maker};
use super::{PASS_FIELD, QUESTION_FIELD, REVEAL_FIELD, SHUFFLE_FIELD, canvas, profile};
use crate::exchange::cartridge::html::{self, Echo, escaped};
use crate::exchange::cartridge::note::Note as CartridgeNote;
use crate::exchange::cartridge::words::ENGLISH;
use crate::exchange::cartridge::xml;
use crate::exchange::course::FileDraft;
use crate::exchange::native::document::normal;
use crate::quiz::{Choice, Kind, Points, Question, Quiz, Reveal, paragraph};

/// Two files of one quiz.
pub struct Written {
    /// As the Common Cartridge profile has it.
    pub profile: String,
    /// As Canvas has it.
    pub own: String,
    pub notes: Vec<CartridgeNote>,
}

/// How documents are written: with the files of the package by their addresses in it, and what the addresses were.
pub struct Names<'a> {
    pub files: &'a HashMap<String, FileDraft>,
    pub back: &'a HashMap<String, String>,
}

/// The quiz of a page; `quiz` has the addresses of the package, `rubric` is HTML before the questions.
pub fn write(id: &str, title: &str, quiz: &Quiz, rubric: &str, names: &Names<'_>) -> Written {
    let mut notes = Vec::new();
    let (mut for_all, mut own) = (String::new(), String::new());
    for question in &quiz.questions {
        let writer = Writer { names };
        if let Some(kind) = profile::lacks(&question.kind) {
            notes.push(CartridgeNote::Simplified(kind));
        }
        for_all.push_str(&profile::item(question, &writer));
        own.push_str(&canvas_item(question, &writer));
    }
    let attempts = quiz
        .max_attempts
        .map_or("unlimited".to_owned(), |attempts| attempts.to_string());
    let rubric = match rubric.is_empty() {
        true => String::new(),
        false => format!("    <rubric>{}</rubric>\n", material(rubric, true)),
    };
    let profile_fields = fields(&[
        ("cc_profile", "cc.exam.v0p1"),
        ("qmd_assessmenttype", "Examination"),
        ("qmd_scoretype", "Percentage"),
        ("cc_maxattempts", attempts.as_str()),
    ]);
    let usual = Quiz::default();
    let percent = quiz.pass_percent.to_string();
    let mut own_fields = vec![("cc_maxattempts", attempts.as_str())];
    if quiz.pass_percent != usual.pass_percent {
        own_fields.push((PASS_FIELD, percent.as_str()));
    }
    if quiz.shuffle_questions {
        own_fields.push((SHUFFLE_FIELD, "true"));
    }
    own_fields.push((
        REVEAL_FIELD,
        match quiz.reveal {
            Reveal::AfterSubmit => "after_submit",
            Reveal::AfterPass => "after_pass",
            Reveal::Never => "never",
        },
    ));
    let own_fields = fields(&own_fields);
    let file = |schema: &str, fields: &str, rubric: &str, items: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<questestinterop xmlns=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2\" \
             xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2 \
             {schema}\">\n  <assessment ident=\"{id}\" title=\"{}\">\n{fields}{rubric}    <section ident=\"root_section\">\n{items}    \
             </section>\n  </assessment>\n</questestinterop>\n",
            escaped(title)
        )
    };
    Written {
        profile: file(
            "http://www.imsglobal.org/profile/cc/ccv1p3/ccv1p3_qtiasiv1p2p1_v1p0.xsd",
            &profile_fields,
            &rubric,
            &for_all,
        ),
        own: file(
            "http://www.imsglobal.org/xsd/ims_qtiasiv1p2p1.xsd",
            &own_fields,
            "",
            &own,
        ),
        notes,
    }
}

/// The item of Canvas, with the whole question beside it where it would not come back as it is.
fn canvas_item(question: &Question, writer: &Writer<'_>) -> String {
    let text = canvas::item(question, writer, None);
    if comes_back(&text, question, writer.names) {
        return text;
    }
    let whole = serde_json::to_string(question).unwrap_or_default();
    canvas::item(question, writer, Some((QUESTION_FIELD, &whole)))
}

fn comes_back(text: &str, question: &Question, names: &Names<'_>) -> bool {
    let Ok(document) = xml::parse(text) else { return false };
    let mut host = Echo {
        files: names.files,
        back: Some(names.back),
        good: true,
    };
    let item = item::read(document.root_element());
    let maker = &mut Maker {
        host: &mut host,
        words: &ENGLISH,
    };
    let Made::Question(value) = maker.make(&item) else {
        return false;
    };
    let Ok(read) = crate::quiz::read(&serde_json::json!({ "questions": [value] })) else {
        return false;
    };
    let mut own = Quiz {
        questions: vec![question.clone()],
        ..Quiz::default()
    };
    for document in own.documents_mut() {
        crate::content::map_addresses(document, |address| names.back.get(address).cloned());
    }
    host.good && tidied(read) == tidied(own)
}

fn tidied(mut quiz: Quiz) -> Quiz {
    for document in quiz.documents_mut() {
        *document = normal(document);
    }
    quiz
}

/// The words a question asks with: in a text with blanks, each has a name in brackets.
pub fn prompt_html(question: &Question) -> String {
    let files = HashMap::new();
    let back = HashMap::new();
    let names = Names {
        files: &files,
        back: &back,
    };
    Writer { names: &names }.prompt(question)
}

pub struct Writer<'a> {
    pub names: &'a Names<'a>,
}

impl Writer<'_> {
    pub fn html(&self, document: &Value) -> String {
        html::write(document, self.names.files)
    }

    /// The prompt, and the text with `[b1]` for its first blank.
    pub fn prompt(&self, question: &Question) -> String {
        let mut html = self.html(&question.prompt);
        if let Kind::FillBlank { text, .. } = &question.kind {
            let mut text = text.clone();
            named_blanks(&mut text, &mut 0);
            html.push_str(&self.html(&text));
        }
        html
    }

    /// A document as plain words where it is nothing else.
    pub fn material(&self, document: &Value) -> String {
        let words = crate::content::text(document);
        let plain = !words.is_empty()
            && words.trim() == words
            && !words.contains(['\n', '\r'])
            && normal(document) == normal(&paragraph(&words));
        match plain {
            true => material(&words, false),
            false => material(&self.html(document), true),
        }
    }

    /// What is said after the answer.
    pub fn feedback(&self, question: &Question) -> (String, String) {
        let Some(said) = &question.explanation else {
            return Default::default();
        };
        let condition = "          <respcondition continue=\"Yes\"><conditionvar><other/></conditionvar>\
            <displayfeedback feedbacktype=\"Response\" linkrefid=\"general_fb\"/></respcondition>\n";
        let said = format!(
            "        <itemfeedback ident=\"general_fb\"><flow_mat>{}</flow_mat></itemfeedback>\n",
            self.material(said)
        );
        (condition.to_owned(), said)
    }
}

fn named_blanks(node: &mut Value, count: &mut usize) {
    if node.get("type").is_some_and(|kind| kind == "blank") {
        *count += 1;
        *node = serde_json::json!({ "type": "text", "text": format!("[b{count}]") });
        return;
    }
    for child in node
        .get_mut("content")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        named_blanks(child, count);
    }
}

pub fn material(text: &str, html: bool) -> String {
    let kind = if html { "text/html" } else { "text/plain" };
    format!(
        "<material><mattext texttype=\"{kind}\">{}</mattext></material>",
        escaped(text)
    )
}

pub fn fields(list: &[(&str, &str)]) -> String {
    let mut text = String::from("    <qtimetadata>\n");
    for (label, entry) in list {
        text.push_str(&format!(
            "      <qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{}</fieldentry></qtimetadatafield>\n",
            escaped(entry)
        ));
    }
    text.push_str("    </qtimetadata>\n");
    text
}

/// `q` and the digits of the id, which begin no identifier of XML.
pub fn id_name(letter: char, id: uuid::Uuid) -> String {
    format!("{letter}{}", id.simple())
}

pub fn labels(options: &[Choice], writer: &Writer<'_>) -> String {
    let label = |option: &Choice| {
        format!(
            "<response_label ident=\"{}\">{}</response_label>\n",
            id_name('o', option.id),
            writer.material(&option.content)
        )
    };
    options.iter().map(label).collect()
}

pub fn points(points: Points) -> String {
    serde_json::to_value(points)
        .map(|points| points.to_string())
        .unwrap_or_else(|_| "1".into())
}

pub const OUTCOMES: &str =
    "          <outcomes><decvar maxvalue=\"100\" minvalue=\"0\" varname=\"SCORE\" vartype=\"Decimal\"/></outcomes>\n";

pub const FULL: &str = "<setvar action=\"Set\" varname=\"SCORE\">100</setvar>";

/// The condition under which exactly the right ones are chosen.
pub fn exactly(options: &[Choice], response: &str) -> String {
    let each = |option: &Choice| {
        let equal = format!(
            "<varequal respident=\"{response}\">{}</varequal>",
            id_name('o', option.id)
        );
        match option.correct {
            true => equal,
            false => format!("<not>{equal}</not>"),
        }
    };
    format!("<and>{}</and>", options.iter().map(each).collect::<String>())
}
