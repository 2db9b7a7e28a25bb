//! Writes the questions of a course as GIFT.

use serde_json::{Value, json};

use super::addresses::take_addresses;
use super::parse::escaped;
use super::weights;
use crate::content;
use crate::course::{CourseDraft, MAX_FILE_QUESTIONS, PageDraft};
use crate::native::document;
use crate::note::Note;
use crate::quiz::{Blank, Choice, Filling, Kind, Points, Question, Quiz, Weight, paragraph};
use crate::report::Report;

/// Writes all quizzes, one category each. The report lists what GIFT cannot express.
pub fn write(course: &CourseDraft) -> (String, Report) {
    let mut writer = Writer {
        out: String::new(),
        report: Report::default(),
        place: String::new(),
    };
    course.count(&mut writer.report.counts);
    let questions = count(course);
    // Before the lines about questions, which may fill the report.
    if questions > MAX_FILE_QUESTIONS {
        writer.report.add("GIFT", Note::TooManyQuestionsToImport(questions));
    }
    for module in &course.modules {
        for lesson in &module.lessons {
            for page in &lesson.pages {
                let title = page.title.as_deref().unwrap_or("—");
                let path: Vec<String> = [module.title.as_str(), lesson.title.as_str(), title]
                    .iter()
                    .map(|part| category_segment(part))
                    .collect();
                writer.page(page, &path.join("/"));
            }
        }
    }
    if writer.out.is_empty() {
        writer.report.add("GIFT", Note::NoQuestions);
    }
    writer.report.close("GIFT");
    (writer.out, writer.report)
}

/// How many questions are written: a question with blanks becomes one for each.
pub(super) fn count(course: &CourseDraft) -> usize {
    let quizzes = course.pages().filter_map(|page| page.quiz.as_ref());
    let questions = quizzes.flat_map(Quiz::asked);
    let written = questions.map(|question| match &question.kind {
        Kind::FillBlank { blanks, .. } => blanks.len(),
        _ => 1,
    });
    written.sum()
}

/// A document with the blocks of both, without those of an empty one.
fn joined(first: &Value, second: &Value) -> Value {
    let written = [first, second]
        .into_iter()
        .filter(|document| !content::is_empty(document));
    let blocks = written.filter_map(|document| document.get("content").and_then(Value::as_array));
    json!({"type": "doc", "content": blocks.flatten().collect::<Vec<_>>()})
}

/// A category name without slashes and line breaks.
fn category_segment(title: &str) -> String {
    let title: String = title
        .chars()
        .map(|c| if c == '/' || c.is_control() { ' ' } else { c })
        .collect();
    title.trim().trim_matches('$').to_owned()
}

struct Writer {
    out: String,
    report: Report,
    place: String,
}

impl Writer {
    fn page(&mut self, page: &PageDraft, path: &str) {
        self.place = path.to_owned();
        let Some(quiz) = &page.quiz else { return };
        let draws = quiz.draw_count();
        if draws > 0 {
            self.report.add(path, Note::Draws(draws));
        }
        if quiz.asked().next().is_none() {
            return;
        }
        let plain = Quiz {
            questions: quiz.questions.clone(),
            ..Quiz::default()
        };
        if *quiz != plain {
            self.report.add(path, Note::QuizSettings);
        }
        let text = page.content.read();
        // The instructions of an assignment are the text of its page.
        let instructions = quiz
            .is_assignment()
            .then_some(&text)
            .filter(|text| !content::is_empty(text));
        if instructions.is_none() && !content::is_empty(&text) {
            self.report.add(path, Note::QuizText);
        }
        self.out.push_str(&format!("$CATEGORY: $course$/{path}\n\n"));
        for (number, question) in (1..).zip(quiz.asked()) {
            self.place = format!("{path} {number}");
            self.question(question, instructions);
        }
    }

    fn note(&mut self, note: Note) {
        self.report.add(self.place.clone(), note);
    }

    /// `before` comes before the prompt.
    fn question(&mut self, question: &Question, before: Option<&Value>) {
        if question.kind.is_formula() {
            self.note(Note::FormulaAsNumber);
        }
        let question = &question.with_sample();
        if question.points != Points::ONE {
            self.note(Note::PointsOmitted);
        }
        if !question.kind.units().is_empty() {
            self.note(Note::UnitsOmitted);
        }
        if !question.hints.is_empty() {
            self.note(Note::HintsOmitted);
        }
        let prompt = match before {
            Some(before) => self.text(&joined(before, &question.prompt)),
            None => self.text(&question.prompt),
        };
        let explanation = question
            .explanation
            .as_ref()
            .map(|text| format!("####{}", self.text(text)))
            .unwrap_or_default();
        let feedback = self.feedback(&question.kind);
        let mut put = |prompt: &str, answers: &str, after: &str| {
            self.out
                .push_str(&format!("{prompt}{{{answers}{explanation}}}{after}\n\n"));
        };
        match &question.kind {
            Kind::SingleChoice { options } => {
                let answers = options_of(options, &feedback, &mut self.report, &self.place);
                put(&prompt, &answers, "");
            }
            Kind::MultipleChoice {
                options,
                all_or_nothing,
            } => {
                let answers = weighted(options, &feedback, &mut self.report, &self.place);
                put(&prompt, &answers, "");
                if *all_or_nothing {
                    self.note(Note::AllOrNothing);
                }
            }
            Kind::ShortText {
                accepted,
                case_sensitive,
                regex,
            } => {
                let answers: String = accepted
                    .iter()
                    .map(|text| format!(" ={}", escaped(&text.replace('*', "\\*"))))
                    .collect();
                put(&prompt, &answers, "");
                if *case_sensitive || regex.is_some() {
                    self.note(Note::AnswerRule);
                }
            }
            Kind::Numeric {
                value,
                tolerance,
                tolerance_percent,
                ..
            } => {
                let value = value.as_ref().map(ToString::to_string).unwrap_or_default();
                let off = match tolerance_percent {
                    None => tolerance.to_string(),
                    Some(percent) => {
                        let share = percent.as_f64().unwrap_or_default() / 100.0;
                        let off: f64 = value.parse::<f64>().unwrap_or_default().abs() * share;
                        let off = format!("{off:.9}");
                        off.trim_end_matches('0').trim_end_matches('.').to_owned()
                    }
                };
                let off = if off == "0" { String::new() } else { format!(":{off}") };
                put(&prompt, &format!("#{value}{off}"), "");
            }
            Kind::Formula { .. } => {} // `with_sample` has made it a numeric question
            Kind::Matching { pairs } => {
                let mut answers = String::new();
                for pair in pairs {
                    let (left, right) = (inline(&pair.left), inline(&pair.right));
                    answers.push_str(&format!(" ={} -> {}", left.replace("->", "- >"), right));
                }
                put(&prompt, &answers, "");
            }
            Kind::Ordering { items } => {
                let answers: String = (1..)
                    .zip(items)
                    .map(|(number, item)| format!(" ={number} -> {}", inline(&item.content)))
                    .collect();
                put(&prompt, &answers, "");
                self.note(Note::OrderingAsMatching);
            }
            Kind::Essay {
                min_words, max_words, ..
            } => {
                put(&prompt, "", "");
                if min_words.is_some() || max_words.is_some() {
                    self.note(Note::EssayRules);
                }
            }
            Kind::HandIn { .. } => {
                put(&prompt, "", "");
                self.note(Note::AssignmentAsEssay);
            }
            Kind::Draw { .. } => {} // left out
            Kind::Hotspot { .. } => {
                put(&prompt, "", "");
                self.note(Note::HotspotAsEssay);
            }
            Kind::FileUpload { .. } => {
                put(&prompt, "", "");
                self.note(Note::UploadAsEssay);
            }
            Kind::FillBlank { text, blanks } => {
                if blanks.len() > 1 {
                    self.note(Note::BlanksApart);
                }
                for blank in blanks {
                    let (before, after) = self.split_at_blank(text, blank, &question.prompt);
                    let answers = match &blank.filling {
                        Filling::Accepted(accepted) => {
                            accepted.iter().map(|text| format!(" ={}", escaped(text))).collect()
                        }
                        Filling::Options(options) => options_of(options, &[], &mut self.report, &self.place),
                    };
                    self.out
                        .push_str(&format!("{before}{{{answers}{explanation}}}{after}\n\n"));
                }
            }
        }
        if question.kind.guide().is_some() || question.kind.rubric().is_some() {
            self.note(Note::GradersOnly);
        }
    }

    /// The feedback of each option of a choice, with its sign; empty without any.
    fn feedback(&mut self, kind: &Kind) -> Vec<String> {
        let Some(options) = kind.options() else {
            return Vec::new();
        };
        let said = options.iter().map(|option| {
            let text = option.feedback.as_ref().map(|document| self.text(document));
            // A sign without a text would join the signs of the explanation.
            let text = text.filter(|text| !text.is_empty());
            text.map(|text| format!("#{text}")).unwrap_or_default()
        });
        said.collect()
    }

    /// A document as plain text if possible, or else as Markdown.
    fn text(&mut self, document: &Value) -> String {
        let words = content::text(document);
        let mut document = document.clone();
        if !take_addresses(&mut document).is_empty() {
            self.note(Note::FilesOmitted);
        }
        let document = &document;
        if document::normalize(document) == document::normalize(&paragraph(&words)) && !words.starts_with('[') {
            escaped(&words)
        } else {
            format!("[markdown]{}", escaped(&document::write(document)))
        }
    }

    /// The text before and after a blank; other blanks become gaps.
    fn split_at_blank(&mut self, text: &Value, blank: &Blank, prompt: &Value) -> (String, String) {
        let (mut text, mut prompt) = (text.clone(), prompt.clone());
        if !take_addresses(&mut text).is_empty() || !take_addresses(&mut prompt).is_empty() {
            self.note(Note::FilesOmitted);
        }
        let prompt = &prompt;
        mark_blank(&mut text, &blank.id.to_string());
        let markdown = document::write(&text);
        let (before, after) = markdown.split_once("\u{e000}").unwrap_or((&markdown, ""));
        let asked = if content::is_empty(prompt) {
            String::new()
        } else {
            format!("{}\n\n", document::write(prompt))
        };
        (
            format!("[markdown]{}", escaped(&format!("{asked}{before}"))),
            escaped(after),
        )
    }
}

/// Each option with its feedback, if the list has any.
fn with_feedback<'a>(options: &'a [Choice], feedback: &'a [String]) -> impl Iterator<Item = (&'a Choice, &'a str)> {
    let feedback = feedback.iter().map(String::as_str).chain(std::iter::repeat(""));
    options.iter().zip(feedback)
}

/// Options of a single choice question.
fn options_of(options: &[Choice], feedback: &[String], report: &mut Report, place: &str) -> String {
    if options.iter().filter(|option| option.correct).count() != 1 {
        report.add(place, Note::Weights);
    }
    // With `=` only, it would be read as a short answer question.
    let right = match options.iter().all(|option| option.correct) {
        true => "~%100%",
        false => "=",
    };
    let answers = with_feedback(options, feedback).map(|(option, feedback)| {
        let sign = match option.weight {
            _ if option.correct => right.to_owned(),
            Some(weight) if weight != Weight::ZERO => format!("~%{weight}%"),
            _ => "~".to_owned(),
        };
        format!(" {sign}{}{feedback}", inline(&option.content))
    });
    answers.collect()
}

/// Options of a multiple choice question, with their weights.
fn weighted(options: &[Choice], feedback: &[String], report: &mut Report, place: &str) -> String {
    let right = options.iter().filter(|option| option.correct).count();
    if right == 0 {
        report.add(place, Note::Weights);
    }
    let answers = with_feedback(options, feedback).zip(weights::written(options));
    let answers = answers.map(|((option, feedback), weight)| match weight {
        Weight::ZERO => format!(" ~{}{feedback}", inline(&option.content)),
        weight => format!(" ~%{weight}%{}{feedback}", inline(&option.content)),
    });
    answers.collect()
}

/// A document within an answer.
fn inline(document: &Value) -> String {
    let mut document = document.clone();
    take_addresses(&mut document);
    let document = &document;
    let words = content::text(document);
    if document::normalize(document) == document::normalize(&paragraph(&words))
        && !words.starts_with('[')
        && !words.starts_with('%')
    {
        escaped(&words)
    } else {
        format!("[markdown]{}", escaped(&document::write(document)))
    }
}

/// Replaces the blank by a private-use character and other blanks by gaps.
fn mark_blank(node: &mut Value, blank: &str) {
    if node.get("type").is_some_and(|kind| kind == "blank") {
        let is_it = node.pointer("/attrs/blank_id").is_some_and(|id| id == blank);
        *node = json!({ "type": "text", "text": if is_it { "\u{e000}" } else { "_____" } });
        return;
    }
    for child in node
        .get_mut("content")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        mark_blank(child, blank);
    }
}
