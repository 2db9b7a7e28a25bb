//! The texts of a certificate, cleaned and shaped.

use super::fonts::{Face, Fonts};
use super::text::{Paragraph, clean, clean_line, shape};
use crate::{Certificate, Design};

/// The most characters of texts. Longer ones end with an ellipsis.
const LONGEST_NAME: usize = 300;
const LONGEST_COURSE: usize = 400;
const LONGEST_TEXT: usize = 3000;
const LONGEST_LINE: usize = 200;
const LONGEST_FACT: usize = 100;

/// What stands for a value that a certificate does not have.
const NOTHING: &str = "—";

pub(super) struct Content {
    pub title: String,
    pub issuer: Vec<Paragraph>,
    pub heading: Vec<Paragraph>,
    pub name: Vec<Paragraph>,
    /// The title of the course, set below the name; empty if the text already mentions it.
    pub course: Vec<Paragraph>,
    pub text: Text,
    /// Labels and values.
    pub facts: Vec<Fact>,
    pub number: Fact,
    pub signer: Vec<Paragraph>,
    pub post: Vec<Paragraph>,
    pub verify: Vec<Paragraph>,
    pub url: Vec<Paragraph>,
}

pub(super) struct Fact {
    pub label: Vec<Paragraph>,
    pub value: Vec<Paragraph>,
}

impl Content {
    pub fn new(fonts: &Fonts, certificate: &Certificate, design: &Design) -> Self {
        let language = certificate.language.as_str();
        let line = |face: Face, text: &str, most: usize| shaped_line(fonts, language, face, &clean_line(text, most));
        let fact = |label: &str, value: &str| Fact {
            label: line(Face::Text, label, LONGEST_FACT),
            value: line(Face::Text, value, LONGEST_FACT),
        };
        let labels = &certificate.labels;
        let mut facts = vec![fact(&labels.date, &certificate.date)];
        facts.extend(
            certificate
                .expires
                .as_ref()
                .map(|expires| fact(&labels.expires, expires)),
        );
        facts.extend(certificate.grade.as_ref().map(|grade| fact(&labels.grade, grade)));
        let (signer, post) = design.signer.split_once(['\n', ',']).unwrap_or((&design.signer, ""));
        let course = if design.text.contains("{course}") {
            ""
        } else {
            &certificate.course
        };
        let heading = clean_line(&design.heading, LONGEST_LINE);
        let name = clean_line(&certificate.name, LONGEST_NAME);
        Content {
            title: format!("{heading} — {name}"),
            issuer: line(Face::Strong, &certificate.issuer, LONGEST_LINE),
            heading: shaped_line(fonts, language, Face::Display, &heading),
            name: shaped_line(fonts, language, Face::Display, &name),
            course: line(Face::Display, course, LONGEST_COURSE),
            text: Text::new(certificate, design),
            facts: facts.into_iter().filter(|fact| !fact.value.is_empty()).collect(),
            number: fact(&labels.number, &certificate.number),
            signer: line(Face::Text, signer, LONGEST_LINE),
            post: line(Face::Text, post, LONGEST_LINE),
            verify: line(Face::Text, &labels.verify, LONGEST_FACT),
            url: line(Face::Text, &certificate.url, LONGEST_TEXT),
        }
    }
}

/// No paragraph for an empty text.
fn shaped_line(fonts: &Fonts, language: &str, face: Face, text: &str) -> Vec<Paragraph> {
    let mut paragraphs = shape(fonts, language, &[(text, face)]);
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// The sentence below the name: pieces in the face of texts, or strong for the title of the course.
#[derive(Clone)]
pub(super) struct Text {
    spans: Vec<(String, Face)>,
    language: String,
}

impl Text {
    fn new(certificate: &Certificate, design: &Design) -> Self {
        let value = |name: &str| match name {
            "course" => Some((clean_line(&certificate.course, LONGEST_COURSE), Face::Strong)),
            "name" => Some((clean_line(&certificate.name, LONGEST_NAME), Face::Text)),
            "date" => Some((clean_line(&certificate.date, LONGEST_FACT), Face::Text)),
            "grade" => {
                let grade = certificate.grade.as_deref().unwrap_or(NOTHING);
                Some((clean_line(grade, LONGEST_FACT), Face::Text))
            }
            "number" => Some((clean_line(&certificate.number, LONGEST_FACT), Face::Text)),
            _ => None,
        };
        let template = tidy(&clean(&design.text, LONGEST_TEXT));
        let template = if certificate.grade.is_none() {
            without_grade(&template)
        } else {
            template
        };
        let mut spans = Vec::new();
        let mut rest = template.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            spans.push((before.to_owned(), Face::Text));
            let named = after
                .split_once('}')
                .and_then(|(name, after)| Some((value(name)?, after)));
            rest = match named {
                Some((span, after)) => {
                    spans.push(span);
                    after
                }
                None => {
                    spans.push(("{".to_owned(), Face::Text));
                    after
                }
            };
        }
        spans.push((rest.to_owned(), Face::Text));
        spans.retain(|(text, _)| !text.is_empty());
        Text {
            spans,
            language: certificate.language.clone(),
        }
    }

    pub fn shape(&self, fonts: &Fonts) -> Vec<Paragraph> {
        if self.spans.is_empty() {
            return Vec::new();
        }
        let spans: Vec<(&str, Face)> = self.spans.iter().map(|(text, face)| (text.as_str(), *face)).collect();
        shape(fonts, &self.language, &spans)
    }

    /// With spaces instead of line breaks.
    pub fn joined(mut self) -> Self {
        for (text, _) in &mut self.spans {
            *text = text.replace("\n\n", " ").replace('\n', " ");
        }
        self
    }

    /// Without the last of its characters, a tenth of them; an ellipsis stands for them. Empty if few are left.
    pub fn shortened(mut self) -> Self {
        let length: usize = self.spans.iter().map(|(text, _)| text.chars().count()).sum();
        let mut left = length * 9 / 10;
        if left < 20 {
            self.spans.clear();
        }
        for (text, _) in &mut self.spans {
            if let Some((end, _)) = text.char_indices().nth(left) {
                text.truncate(end);
                text.push('…');
                left = 0;
            } else {
                left -= text.chars().count();
            }
            if left == 0 && !text.ends_with('…') {
                text.clear();
            }
        }
        self.spans.retain(|(text, _)| !text.is_empty());
        self
    }
}

/// Without spaces around lines, and with at most one empty line in a row, none at the ends.
fn tidy(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.trim().lines() {
        let line = line
            .split(' ')
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        if !(line.is_empty() && lines.last().is_some_and(String::is_empty)) {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// Without the lines that mention the grade, unless no others are left.
fn without_grade(template: &str) -> String {
    let lines: Vec<&str> = template.lines().filter(|line| !line.contains("{grade}")).collect();
    let left = tidy(&lines.join("\n"));
    if left.is_empty() { template.to_owned() } else { left }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_tidied() {
        assert_eq!(tidy("  a  b \n\n\n\n c \n"), "a b\n\nc");
        assert_eq!(tidy(" \n "), "");
    }

    #[test]
    fn lines_about_a_missing_grade_are_left_out() {
        assert_eq!(
            without_grade("has completed {course}\nwith {grade}."),
            "has completed {course}"
        );
        assert_eq!(
            without_grade("has completed {course} with {grade}."),
            "has completed {course} with {grade}."
        );
    }
}
