//! Reads open response assessments: each becomes an assignment, whose instructions are the title and the prompts.

use serde_json::Value;

use super::definitions::{Definition, Definitions};
use super::page_context::PageContext;
use super::problem::{self, Piece, Settings};
use crate::blocks::doc;
use crate::content;
use crate::html::Converted;
use crate::note::olx::Note;
use crate::quiz::{self, Kind, Points, Question};
use crate::rubric::{self, Criterion, Rating};
use crate::xml::{Element, escaped};
use kurso_base::text::one_line;

/// The titles that Open edX gives to new assessments.
const USUAL_TITLES: [&str; 6] = [
    "open response assessment",
    "peer assessment only",
    "self assessment only",
    "staff assessment only",
    "self assessment to peer assessment",
    "self assessment to staff assessment",
];

/// Settings with the values that Open edX writes unless an author changes them.
const USUAL: [(&str, &str); 4] = [
    ("submission_start", "2001-01-01t00:00"),
    ("leaderboard_show", "0"),
    ("teams_enabled", "false"),
    ("selected_teamset_id", ""),
];

/// Whether learners see the rubric before they answer.
const SHOWS_RUBRIC: &str = "show_rubric_during_response";

const IMAGES: [&str; 4] = ["jpg", "jpeg", "png", "gif"];

/// Whether a setting has the value of a new assessment, so that nothing is lost without it, or is used.
pub fn is_usual(name: &str, value: &str) -> bool {
    let value = value.trim().to_lowercase();
    let same = |usual: &str| match usual.is_empty() {
        true => value.is_empty(),
        false => value.starts_with(usual),
    };
    name == SHOWS_RUBRIC || USUAL.iter().any(|(known, usual)| *known == name && same(usual))
}

/// Whether learners may or must answer in one way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    No,
    Optional,
    Required,
}

impl Need {
    fn of(value: Option<&str>) -> Self {
        match value.map(str::to_lowercase).as_deref() {
            Some("required") => Need::Required,
            Some("optional") => Need::Optional,
            _ => Need::No,
        }
    }
}

/// Reads an assessment and its settings for the quiz.
pub fn read(
    found: &Definition,
    definitions: &mut Definitions<'_>,
    context: &mut PageContext,
) -> (Vec<Piece>, Settings) {
    let (element, place) = (&found.element, found.place.as_str());
    let (text, files) = needs(element);
    definitions.note(place, Note::OpenResponse);
    report_steps(element, place, definitions);

    let criteria = criteria(element);
    let total: f64 = criteria.iter().map(Criterion::most).sum();
    let total = match total > 0.0 {
        true => Points::nearest(total),
        false => Points::ONE,
    };
    let is_shown = is_true(element, SHOWS_RUBRIC);
    let rubric = rubric::as_rubric(&criteria, total, is_shown);
    let mut guide = match rubric {
        Some(_) => vec![],
        None => rubric::blocks(&criteria),
    };
    if is_shown && !guide.is_empty() {
        definitions.not_imported(element, SHOWS_RUBRIC);
    }
    guide.extend(feedback(element));
    if text == Need::Required && files == Need::Required {
        definitions.note(place, Note::BothRequired);
    }
    let (max_files, extensions) = match files {
        Need::No => (0, vec![]),
        Need::Optional | Need::Required => limits(element, place, definitions),
    };
    let kind = Kind::HandIn {
        takes_text: text != Need::No,
        min_words: None,
        max_words: None,
        max_files,
        extensions,
        max_links: 0,
        guide: (!guide.is_empty()).then(|| doc(guide)),
        rubric,
    };
    let prompt = prompt(found, definitions, context);
    let pieces = pieces(prompt, kind, total, place, definitions, context);
    let is_repeatable = is_true(element, "allow_learner_resubmissions");
    let settings = Settings {
        max_attempts: Some((!is_repeatable).then_some(1)),
        due_at: definitions.submission_due(element, place),
        is_open_response: true,
        ..Settings::default()
    };
    (pieces, settings)
}

/// Whether learners write a text and upload files. Assessments that are older than these settings ask for a text.
fn needs(element: &Element) -> (Need, Need) {
    let [text, files] = ["text_response", "file_upload_response"].map(|name| element.attr_text(name));
    let has_files = element.attr("file_upload_type").is_some() || is_true(element, "allow_file_upload");
    let files = match files {
        None if has_files => Need::Optional,
        files => Need::of(files),
    };
    match Need::of(text) {
        Need::No if files == Need::No || element.attr_text("file_upload_response").is_none() => (Need::Required, files),
        text => (text, files),
    }
}

fn is_true(element: &Element, name: &str) -> bool {
    element
        .attr_text(name)
        .is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// How many files an answer may have, and of which kinds.
fn limits(element: &Element, place: &str, definitions: &mut Definitions<'_>) -> (u32, Vec<String>) {
    let is_single = element
        .attr_text("allow_multiple_files")
        .is_some_and(|value| !value.eq_ignore_ascii_case("true"));
    let images = IMAGES.map(str::to_owned);
    let extensions = match element.attr_text("file_upload_type") {
        None if is_true(element, "allow_file_upload") => images.to_vec(),
        Some("image") => images.to_vec(),
        Some("pdf-and-image") => ["pdf".to_owned()].into_iter().chain(images).collect(),
        Some("custom") => {
            let list = element.attr_text("white_listed_file_types").unwrap_or_default();
            let (known, others) = quiz::kinds_of_files(list);
            if !others.is_empty() {
                definitions.report.add(place, crate::Note::FileKinds(others.join(", ")));
            }
            known
        }
        _ => vec![],
    };
    (if is_single { 1 } else { quiz::MAX_FILES }, extensions)
}

/// Reports the steps after the response. Teachers grade it, so a step of theirs is kept.
fn report_steps(element: &Element, place: &str, definitions: &mut Definitions<'_>) {
    let steps = element.child("assessments").into_iter().flat_map(Element::elements);
    for step in steps.filter(|step| step.is("assessment")) {
        let examples = step.elements().filter(|child| child.is("example")).count();
        let note = match step.attr_text("name") {
            Some("staff-assessment") | None => continue,
            Some("peer-assessment") => Note::PeerAssessment,
            Some("self-assessment") => Note::SelfAssessment,
            Some(_) if examples > 0 => Note::ExampleResponses(examples),
            Some(name) => Note::AssessmentStep(name.to_owned()),
        };
        definitions.note(place, note);
    }
}

fn criteria(element: &Element) -> Vec<Criterion> {
    let text = |element: &Element, name: &str| element.child(name).map(Element::text).unwrap_or_default();
    let name = |element: &Element| {
        let label = text(element, "label");
        match label.trim().is_empty() {
            true => text(element, "name"),
            false => label,
        }
    };
    let rating = |option: &Element| Rating {
        name: name(option),
        points: option.attr_text("points").and_then(|points| points.parse().ok()),
        explanation: text(option, "explanation"),
    };
    let all = element.child("rubric").into_iter().flat_map(Element::elements);
    all.filter(|child| child.is("criterion"))
        .map(|criterion| Criterion {
            name: name(criterion),
            points: None,
            is_exact: true,
            details: rubric::paragraphs(&text(criterion, "prompt")),
            ratings: criterion
                .elements()
                .filter(|child| child.is("option"))
                .map(rating)
                .collect(),
        })
        .collect()
}

/// The instructions for feedback on the whole response.
fn feedback(element: &Element) -> Vec<Value> {
    let all = element.child("rubric").into_iter().flat_map(Element::elements);
    all.filter(|child| child.is("feedbackprompt") || child.is("feedback_default_text"))
        .flat_map(|child| rubric::paragraphs(&child.text()))
        .collect()
}

/// The title and all prompts as one text.
fn prompt(found: &Definition, definitions: &mut Definitions<'_>, context: &mut PageContext) -> Converted {
    let element = &found.element;
    let mut html = String::new();
    let own = element.child("title").map(|title| one_line(&title.text()));
    let title = own
        .filter(|title| !title.is_empty())
        .or(found.title().map(str::to_owned));
    let title = title.filter(|title| !USUAL_TITLES.contains(&title.to_lowercase().as_str()));
    if let Some(title) = &title {
        html.push_str(&format!("<p><strong>{}</strong></p>", escaped(title)));
    }
    let kind = element.attr_text("prompts_type");
    let prompts = element.elements().flat_map(|child| match child.name.as_str() {
        "prompts" => child.elements().collect::<Vec<_>>(),
        "prompt" => vec![child],
        // Early versions of Open edX stored the only prompt here.
        "rubric" => child.elements().filter(|child| child.is("prompt")).collect(),
        _ => vec![],
    });
    for prompt in prompts {
        let prompt = prompt.child("description").unwrap_or(prompt);
        let text = match prompt.elements().next() {
            Some(_) => prompt.inner_html(),
            None => prompt.text(),
        };
        let is_html = match kind {
            Some(kind) => kind == "html",
            None => text.trim_start().starts_with('<'),
        };
        if is_html {
            html.push_str(&format!("<div>{text}</div>"));
        } else {
            for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
                html.push_str(&format!("<p>{}</p>", escaped(line)));
            }
        }
    }
    context.convert(definitions, &html, &found.place)
}

/// The instructions and the question of the assignment.
fn pieces(
    prompt: Converted,
    kind: Kind,
    points: Points,
    place: &str,
    definitions: &mut Definitions<'_>,
    context: &PageContext,
) -> Vec<Piece> {
    let mut question = Question::new(content::empty(), kind);
    question.points = points;
    match question.check() {
        Ok(()) => vec![Piece::Text(prompt), Piece::Question(Box::new(question))],
        Err(why) => {
            let note = crate::Note::QuestionRefused(why.into());
            definitions.report.add(place, note);
            vec![problem::as_text(prompt.blocks, context)]
        }
    }
}
