//! Converts GIFT questions.

use serde_json::{Number, Value, json};

use super::addresses::take_addresses;
use super::parse::{Answer, Raw, answers, find, split, unescaped};
use super::weights::{is_close, percent, share, weights};
pub(super) use crate::blocks::blocks as children;
use crate::blocks::doc;
use crate::content;
use crate::language;
use crate::native::document;
use crate::note::Note;
use crate::numbers::{number, range};
use crate::quiz::{Choice, ChoiceDraft, Filling, Kind, Pair, Question, Weight, paragraph};
use kurso_base::messages::Lang;
use kurso_base::text::one_line;

/// The result of converting a question.
pub enum BuiltItem {
    Question(Box<Question>),
    /// Text without a question.
    Text(Value),
}

pub struct QuestionBuilder {
    pub notes: Vec<(usize, Note)>,
}

impl QuestionBuilder {
    fn note(&mut self, raw: &Raw, note: Note) {
        self.notes.push((raw.line, note));
    }

    pub fn build(&mut self, raw: &Raw) -> BuiltItem {
        let Some(inner) = &raw.answers else {
            return BuiltItem::Text(self.text(raw, &raw.before));
        };
        let inner = inner.trim();
        let (said, general) = split(inner, "####");
        let general = general.unwrap_or_default().trim().to_owned();
        let mut made = match self.several(raw) {
            _ if said.trim().is_empty() => self.essay(raw),
            Some(made) => made,
            None if said.starts_with('#') => self.numeric(raw, said),
            None => match self.true_false(raw, said) {
                Some(made) => made,
                None => self.by_answers(raw, said),
            },
        };
        if !general.is_empty() {
            let mut blocks = made.explanation.take().map(children).unwrap_or_default();
            blocks.extend(children(self.text(raw, &general)));
            made.explanation = Some(doc(blocks));
        }
        BuiltItem::Question(Box::new(made))
    }

    fn essay(&mut self, raw: &Raw) -> Question {
        let kind = Kind::Essay {
            rubric: None,
            min_words: None,
            max_words: None,
            guide: None,
        };
        Question::new(self.text(raw, &text_with_gap(raw)), kind)
    }

    /// Converts text in the format of its question.
    pub(super) fn text(&mut self, raw: &Raw, text: &str) -> Value {
        let mut text = text.trim();
        let mut format = raw.format.as_str();
        if let Some((own, after)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']'))
            && matches!(own, "html" | "markdown" | "plain" | "moodle")
        {
            (format, text) = (own, after.trim_start());
        }
        let text = unescaped(text);
        match format {
            "markdown" => {
                let read = document::read(&text, false);
                self.notes
                    .extend(read.notes.iter().map(|(_, note)| (raw.line, note.clone())));
                let mut document = read.into_document();
                for address in take_addresses(&mut document) {
                    self.note(raw, Note::ForeignAddress(address));
                }
                document
            }
            "html" => self.html(raw, &text),
            "plain" => paragraph(text.trim()),
            _ if looks_like_html(&text) => self.html(raw, &keep_line_breaks(&text)),
            _ => paragraph(text.trim()),
        }
    }

    /// The text without markup.
    fn words(&mut self, raw: &Raw, text: &str) -> String {
        // The text is converted again elsewhere, which reports its notes.
        let told = self.notes.len();
        let document = self.text(raw, text);
        self.notes.truncate(told);
        one_line(&content::text(&document))
    }

    fn html(&mut self, raw: &Raw, text: &str) -> Value {
        let (document, notes) = crate::html::convert_fragment(text);
        self.notes.extend(notes.into_iter().map(|note| (raw.line, note)));
        document
    }

    /// `T` or `FALSE` with feedback for the wrong and the right answer.
    fn true_false(&mut self, raw: &Raw, said: &str) -> Option<Question> {
        let (word, feedback) = split(said, "#");
        let right = match word.trim().to_ascii_uppercase().as_str() {
            "T" | "TRUE" => true,
            "F" | "FALSE" => false,
            _ => return None,
        };
        let (yes, no) = match language::guess(&raw.before) {
            Lang::Ru => ("Верно", "Неверно"),
            Lang::En => ("True", "False"),
        };
        let (of_wrong, of_right) = split(feedback.unwrap_or_default(), "#");
        let options = [(yes, right), (no, !right)].map(|(name, correct)| {
            let said = if correct {
                of_right.unwrap_or_default()
            } else {
                of_wrong
            };
            ChoiceDraft {
                feedback: Some(self.text(raw, said)),
                ..ChoiceDraft::new(paragraph(name), correct)
            }
        });
        let options = Choice::list(options.into());
        Some(self.question(raw, Kind::SingleChoice { options }))
    }

    fn question(&mut self, raw: &Raw, kind: Kind) -> Question {
        Question::new(self.text(raw, &text_with_gap(raw)), kind)
    }

    pub(super) fn choices(&mut self, raw: &Raw, list: &[Answer], correct: impl Fn(&Answer) -> bool) -> Vec<Choice> {
        let option = |answer: &Answer| ChoiceDraft::new(self.text(raw, &answer.text), correct(answer));
        Choice::list(list.iter().map(option).collect())
    }

    /// Options with their feedback, and with their weights if the list has any.
    fn weighted_choices(
        &mut self,
        raw: &Raw,
        list: &[Answer],
        correct: impl Fn(&Answer) -> bool,
        weights: Vec<Option<Weight>>,
    ) -> Vec<Choice> {
        let weights = weights.into_iter().chain(std::iter::repeat(None));
        let option = |(answer, weight): (&Answer, Option<Weight>)| ChoiceDraft {
            feedback: Some(self.text(raw, &answer.feedback)),
            weight,
            ..ChoiceDraft::new(self.text(raw, &answer.text), correct(answer))
        };
        Choice::list(list.iter().zip(weights).map(option).collect())
    }

    pub(super) fn feedback(&mut self, raw: &Raw, made: &mut Question, blocks: Vec<Value>) {
        if !blocks.is_empty() {
            self.note(raw, Note::Feedback);
            made.explanation = Some(doc(blocks));
        }
    }

    fn numeric(&mut self, raw: &Raw, said: &str) -> Question {
        let said = said.strip_prefix('#').unwrap_or(said).trim();
        let list = if said.starts_with(['=', '~']) {
            answers(said).0
        } else {
            let (text, feedback) = split(said, "#");
            vec![Answer {
                right: true,
                text: text.trim().to_owned(),
                feedback: feedback.unwrap_or_default().trim().to_owned(),
                ..Answer::default()
            }]
        };
        let full = |answer: &&Answer| answer.right && answer.weight.is_none_or(|weight| weight >= 100.0);
        let ranges: Vec<_> = list.iter().filter(full).collect();
        let (value, tolerance) = ranges
            .first()
            .and_then(|answer| value_and_tolerance(&unescaped(&answer.text)))
            .unzip();
        if value.is_none() {
            self.note(raw, Note::Question(said.to_owned()));
        }
        let kind = Kind::Numeric {
            value,
            tolerance: tolerance.unwrap_or_else(|| Number::from(0)),
            tolerance_percent: None,
            units: vec![],
        };
        let partial = list
            .iter()
            .filter(|answer| !full(answer) && !answer.text.is_empty())
            .count();
        if ranges.len() > 1 || partial > 0 {
            self.note(raw, Note::Weights);
        }
        let mut made = self.question(raw, kind);
        let said = self.answer_feedback(raw, &list);
        self.feedback(raw, &mut made, said);
        made
    }

    /// Feedback of single answers, labelled by the answer.
    pub(super) fn answer_feedback(&mut self, raw: &Raw, list: &[Answer]) -> Vec<Value> {
        let mut blocks = Vec::new();
        for answer in list.iter().filter(|answer| !answer.feedback.is_empty()) {
            let comment = self.text(raw, &answer.feedback);
            if content::is_empty(&comment) {
                continue;
            }
            let mut said = children(comment);
            let name = self.words(raw, &answer.text);
            if !name.is_empty() {
                let words = json!([{ "type": "text", "text": format!("{name}:"), "marks": [{ "type": "bold" }] }]);
                blocks.push(json!({ "type": "paragraph", "content": words }));
            }
            blocks.append(&mut said);
        }
        blocks
    }

    /// Converts options, accepted answers or pairs.
    fn by_answers(&mut self, raw: &Raw, said: &str) -> Question {
        let (list, _) = answers(said);
        if list.is_empty() {
            self.note(raw, Note::Question(said.to_owned()));
        }
        let is_pair = |answer: &Answer| answer.right && find(&answer.text, "->").is_some();
        let mut made = match () {
            () if !list.is_empty() && list.iter().all(is_pair) => self.pairs(raw, &list),
            () if list.iter().all(|answer| answer.right) => self.accepted(raw, &list),
            () => self.options(raw, &list),
        };
        // The options of a choice have their own.
        if !matches!(made.kind, Kind::SingleChoice { .. } | Kind::MultipleChoice { .. }) {
            let said = self.answer_feedback(raw, &list);
            self.feedback(raw, &mut made, said);
        }
        made
    }

    fn pairs(&mut self, raw: &Raw, list: &[Answer]) -> Question {
        let mut pairs = Vec::new();
        for answer in list {
            let (left, right) = split(&answer.text, "->");
            if left.trim().is_empty() {
                // A distractor.
                self.note(raw, Note::Question(format!("-> {}", right.unwrap_or_default().trim())));
                continue;
            }
            let left = self.text(raw, left);
            pairs.push(Pair::new(left, self.text(raw, right.unwrap_or_default())));
        }
        self.question(raw, Kind::Matching { pairs })
    }

    fn accepted(&mut self, raw: &Raw, list: &[Answer]) -> Question {
        let full = |answer: &&Answer| answer.weight.is_none_or(|weight| weight >= 100.0);
        if list.iter().any(|answer| !full(&answer) && answer.weight != Some(0.0)) {
            self.note(raw, Note::Weights);
        }
        let texts: Vec<String> = list
            .iter()
            .filter(full)
            .map(|answer| self.accepted_text(raw, &answer.text))
            .collect();
        let stars = texts.iter().any(|text| text.replace("\\*", "").contains('*'));
        if is_inline(raw) && !stars {
            return self.blank(raw, Filling::Accepted(texts));
        }
        let (accepted, regex) = if stars {
            // `*` is a wildcard.
            let patterns: Vec<String> = texts
                .iter()
                .map(|text| {
                    let parts = text.replace("\\*", "\u{0}");
                    let parts: Vec<String> = parts
                        .split('*')
                        .map(|part| regex::escape(&part.replace('\u{0}', "*")))
                        .collect();
                    parts.join(".*")
                })
                .collect();
            (vec![], Some(patterns.join("|")))
        } else {
            (texts.iter().map(|text| text.replace("\\*", "*")).collect(), None)
        };
        let kind = Kind::ShortText {
            accepted,
            case_sensitive: false,
            regex,
        };
        self.question(raw, kind)
    }

    /// An accepted answer. Marks of a text in Markdown or HTML are not part of it, and its stars are no wildcards.
    fn accepted_text(&mut self, raw: &Raw, text: &str) -> String {
        let format = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        match format {
            Some(("html" | "markdown", _)) => self.words(raw, text).replace('*', "\\*"),
            Some(("plain" | "moodle", words)) => unescaped(words.trim_start()),
            _ => unescaped(text),
        }
    }

    fn options(&mut self, raw: &Raw, list: &[Answer]) -> Question {
        let is_right = |answer: &Answer| percent(answer) > 0.0;
        let right: Vec<f64> = list.iter().filter(|answer| is_right(answer)).map(percent).collect();
        let one_full = list.iter().filter(|answer| percent(answer) >= 100.0).count() == 1;
        let partial = right.iter().any(|weight| *weight < 100.0);
        // One full answer besides partial ones is still a single choice.
        // Without any `=`, learners may tick several options.
        let single = (one_full || right.len() == 1) && list.iter().any(|answer| answer.right);
        let correct = |answer: &Answer| {
            if one_full {
                percent(answer) >= 100.0
            } else {
                is_right(answer)
            }
        };
        let even = right
            .iter()
            .all(|weight| is_close(*weight, right.first().copied().unwrap_or_default()));
        // A wrong tick costs as much as a right one earns.
        let lost = |answer: &Answer| percent(answer) < 0.0 && !is_close(percent(answer), -share(right.len()));
        let penalties = !single && list.iter().any(lost);
        // Options of a blank cannot have weights.
        let is_blank = single && is_inline(raw);
        let weights = weights(list, single).filter(|_| !is_blank);
        let differs = (one_full && partial) || !even || (right.len() > 1 && !partial) || penalties;
        if differs && weights.is_none() {
            self.note(raw, Note::Weights);
        }
        if is_blank {
            let options = self.choices(raw, list, correct);
            return self.blank(raw, Filling::Options(options));
        }
        let options = self.weighted_choices(raw, list, correct, weights.unwrap_or_default());
        self.question(raw, Kind::choice(!single, options))
    }
}

/// Whether the text contains tags or character references.
fn looks_like_html(text: &str) -> bool {
    let tags = ["</", "<br", "<p>", "<img", "<hr"];
    let is_reference = |rest: &str| {
        let name = rest
            .split(';')
            .next()
            .filter(|name| name.len() < rest.len() && name.len() < 10);
        name.is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'#'))
    };
    tags.iter().any(|tag| text.contains(tag)) || text.split('&').skip(1).any(is_reference)
}

/// In HTML without block elements, Moodle keeps line breaks.
fn keep_line_breaks(text: &str) -> String {
    let blocks = ["<br", "<p", "<div", "<ul", "<ol", "<table", "<h", "<blockquote"];
    if blocks.iter().any(|tag| text.contains(tag)) {
        text.to_owned()
    } else {
        text.trim().replace('\n', "<br>")
    }
}

/// Whether text follows the braces.
fn is_inline(raw: &Raw) -> bool {
    !raw.after.trim().is_empty()
}

/// The question text with a gap in place of the braces.
fn text_with_gap(raw: &Raw) -> String {
    if is_inline(raw) {
        format!("{}_____{}", raw.before, raw.after)
    } else {
        raw.before.clone()
    }
}

/// The value and tolerance of `3.14:0.01` or `1..5`.
fn value_and_tolerance(text: &str) -> Option<(Number, Number)> {
    let text = text.trim();
    if let Some((low, high)) = text.split_once("..") {
        return range(number(low)?.as_f64()?, number(high)?.as_f64()?);
    }
    let (value, tolerance) = text.split_once(':').unwrap_or((text, "0"));
    let tolerance = number(tolerance).unwrap_or_else(|| Number::from(0));
    Some((number(value)?, tolerance))
}
