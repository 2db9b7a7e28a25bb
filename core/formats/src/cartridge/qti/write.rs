//! Writes a quiz as QTI twice: within the profile for any reader, and complete in Canvas's format.

use std::collections::HashMap;

use serde_json::Value;

use super::bank_file::BankFile;
use super::item;
use super::question::{BuiltItem, QuestionBuilder};
use super::{
    CHECKING_FIELD, GRACE_FIELD, PASS_FIELD, QUESTION_FIELD, RELEASE_FIELD, REVEAL_FIELD, SHUFFLE_FIELD, TIME_FIELD,
    canvas, profile,
};
use crate::cartridge::html::{self, ReadBackHost, escaped};
use crate::cartridge::labels::ENGLISH;
use crate::cartridge::xml;
use crate::course::{BankDraft, FileDraft};
use crate::native::document::normalize;
use crate::note::cartridge::{Note as CartridgeNote, QuestionType};
use crate::quiz::{Checking, Choice, Kind, Points, Question, Quiz, Release, Reveal, paragraph};

/// The two files of a quiz.
pub struct Written {
    /// Within the Common Cartridge profile.
    pub profile: String,
    /// In Canvas's format.
    pub own: String,
    pub notes: Vec<CartridgeNote>,
}

/// What questions refer to in the package.
pub struct Names<'a> {
    /// Files by their addresses in the package.
    pub files: &'a HashMap<String, FileDraft>,
    /// Original addresses by package address.
    pub originals: &'a HashMap<String, String>,
    /// The banks in the package.
    pub banks: &'a [BankDraft],
}

/// Writes the quiz of a page. `quiz` uses package addresses; `rubric` is HTML before the questions. Draws from banks that are not in the
/// package are left out.
pub fn write(id: &str, title: &str, quiz: &Quiz, rubric: &str, names: &Names<'_>) -> Written {
    let mut notes = Vec::new();
    let (mut for_all, mut own) = (String::new(), String::new());
    for question in &quiz.questions {
        if let Kind::Draw {
            bank_id, tags, count, ..
        } = &question.kind
        {
            if let Some(bank) = names.banks.iter().find(|bank| bank.id == *bank_id) {
                own.push_str(&group(question, &BankFile::of(bank, tags), *count));
            }
            continue;
        }
        let writer = Writer { names };
        if let Some(kind) = profile::unsupported_kind(&question.kind) {
            notes.push(match question.kind {
                Kind::Hotspot { .. } => CartridgeNote::Hotspot,
                _ => CartridgeNote::Simplified(QuestionType(kind)),
            });
        }
        for_all.push_str(&profile::item(question, &writer));
        own.push_str(&canvas_item(question, &writer));
    }
    let attempts = quiz
        .max_attempts
        .map_or("unlimited".to_owned(), |attempts| attempts.to_string());
    let rubric = if rubric.is_empty() {
        String::new()
    } else {
        format!("    <rubric>{}</rubric>\n", material(rubric, true))
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
    if quiz.release == Release::Together {
        own_fields.push((RELEASE_FIELD, "together"));
    }
    if quiz.checking == Checking::EachQuestion {
        own_fields.push((CHECKING_FIELD, "each_question"));
    }
    let seconds = quiz.time_limit_seconds.map(|seconds| seconds.to_string());
    own_fields.extend(seconds.iter().map(|seconds| (TIME_FIELD, seconds.as_str())));
    let grace = quiz.grace_seconds.to_string();
    if quiz.grace_seconds != usual.grace_seconds {
        own_fields.push((GRACE_FIELD, grace.as_str()));
    }
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

/// A group of Canvas whose questions are drawn from a bank.
fn group(draw: &Question, bank: &BankFile, count: u32) -> String {
    format!(
        "    <section ident=\"{}\" title=\"{}\"><selection_ordering><selection><sourcebank_ref>{}</sourcebank_ref>\
         <selection_number>{count}</selection_number><selection_extension><points_per_item>{}</points_per_item></selection_extension>\
         </selection></selection_ordering></section>\n",
        id_name('g', draw.id),
        escaped(&bank.title),
        bank.ident,
        points(draw.points)
    )
}

/// Writes a bank in Canvas's format: the questions that a draw with these tags can take. Their addresses are those of the package.
pub fn write_bank<'a>(file: &BankFile, questions: impl Iterator<Item = &'a Question>, names: &Names<'_>) -> String {
    let items: String = questions
        .map(|question| canvas_item(question, &Writer { names }))
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<questestinterop xmlns=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2 \
         http://www.imsglobal.org/xsd/ims_qtiasiv1p2p1.xsd\">\n  <objectbank ident=\"{}\">\n{}{items}  </objectbank>\n</questestinterop>\n",
        file.ident,
        fields(&[("bank_title", &file.title)])
    )
}

/// The Canvas item; includes the whole question if the item alone does not round-trip.
fn canvas_item(question: &Question, writer: &Writer<'_>) -> String {
    let text = canvas::item(question, writer, None);
    if round_trips(&text, question, writer.names) {
        return text;
    }
    let whole = serde_json::to_string(question).unwrap_or_default();
    canvas::item(question, writer, Some((QUESTION_FIELD, &whole)))
}

fn round_trips(text: &str, question: &Question, names: &Names<'_>) -> bool {
    let Ok(document) = xml::parse(text) else { return false };
    let mut host = ReadBackHost {
        files: names.files,
        originals: Some(names.originals),
        lossless: true,
    };
    let item = item::read(document.root_element());
    let maker = &mut QuestionBuilder {
        host: &mut host,
        labels: &ENGLISH,
    };
    let BuiltItem::Question(read) = maker.make(&item) else {
        return false;
    };
    let mut own = question.clone();
    for document in own.documents_mut() {
        crate::content::map_addresses(document, |address| names.originals.get(address).cloned());
    }
    read.check().is_ok() && host.lossless && normalized(*read) == normalized(own)
}

fn normalized(mut question: Question) -> Question {
    for document in question.documents_mut() {
        *document = normalize(document);
    }
    question
}

/// The prompt as HTML; blanks appear as names in brackets.
pub fn prompt_html(question: &Question) -> String {
    let files = HashMap::new();
    let originals = HashMap::new();
    let names = Names {
        files: &files,
        originals: &originals,
        banks: &[],
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

    /// The prompt, and the text with `[b1]` for its first blank, or the picture.
    pub fn prompt(&self, question: &Question) -> String {
        let mut html = self.html(&question.bracketed_prompt());
        if let Kind::FillBlank { text, .. } = &question.kind {
            let mut text = text.clone();
            named_blanks(&mut text, &mut 0);
            html.push_str(&self.html(&text));
        }
        if let Kind::Hotspot {
            picture: Some(picture), ..
        } = &question.kind
        {
            html.push_str(&self.html(picture));
        }
        html
    }

    /// A document as plain text if it is nothing more, or else as HTML.
    pub fn material(&self, document: &Value) -> String {
        let words = crate::content::text(document);
        let plain = !words.is_empty()
            && words.trim() == words
            && !words.contains(['\n', '\r'])
            && normalize(document) == normalize(&paragraph(&words));
        if plain {
            material(&words, false)
        } else {
            material(&self.html(document), true)
        }
    }

    /// The explanation and, if the item has the options, their feedback: conditions, and the texts that they show.
    pub fn feedback(&self, question: &Question, has_options: bool) -> (String, String) {
        let general = question.explanation.iter().map(|said| {
            let always = "<other/>".to_owned();
            (always, "general_fb".to_owned(), said)
        });
        let options = question.kind.options().filter(|_| has_options).unwrap_or_default();
        let chosen = options.iter().filter_map(|option| {
            let id = id_name('o', option.id);
            let is_chosen = format!("<varequal respident=\"response1\">{id}</varequal>");
            Some((is_chosen, format!("{id}_fb"), option.feedback.as_ref()?))
        });
        let (mut conditions, mut texts) = (String::new(), String::new());
        for (when, name, said) in general.chain(chosen) {
            conditions.push_str(&format!(
                "          <respcondition continue=\"Yes\"><conditionvar>{when}</conditionvar>\
                 <displayfeedback feedbacktype=\"Response\" linkrefid=\"{name}\"/></respcondition>\n"
            ));
            texts.push_str(&format!(
                "        <itemfeedback ident=\"{name}\"><flow_mat>{}</flow_mat></itemfeedback>\n",
                self.material(said)
            ));
        }
        (conditions, texts)
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

/// A letter and the hexadecimal id: XML identifiers must not start with a digit.
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

/// The condition that exactly the correct options are chosen.
pub fn all_correct(options: &[Choice], response: &str) -> String {
    let each = |option: &Choice| {
        let equal = format!(
            "<varequal respident=\"{response}\">{}</varequal>",
            id_name('o', option.id)
        );
        if option.correct {
            equal
        } else {
            format!("<not>{equal}</not>")
        }
    };
    format!("<and>{}</and>", options.iter().map(each).collect::<String>())
}
