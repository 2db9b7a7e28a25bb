//! Rules of the values in a question. The reader of an author's JSON and the readers of course files share them.

use std::collections::HashSet;

use serde_json::{Number, json};
use unicode_normalization::UnicodeNormalization as _;
use uuid::Uuid;

use super::choice::Choice;
use super::formula::{MAX_DECIMALS, MAX_EXPRESSION, MAX_PARAMETER_NAME, MAX_PARAMETERS, MAX_VALUE, Parameter};
use super::limits::{
    MAX_ACCEPTED, MAX_ATTEMPTS, MAX_DRAWN, MAX_EXTENSION, MAX_EXTENSIONS, MAX_FILES, MAX_HINTS, MAX_LINKS, MAX_PARTS,
    MAX_QUESTIONS, MAX_REGEX, MAX_TAG, MAX_TAGS, MAX_WORDS,
};
use super::model::{Filling, Kind, Question, Quiz};
use super::rubric::Rubric;
use super::units::check_units;
use super::weight::is_weighted;
use super::zones::{check_picture, check_zones};
use super::{problem, text};
use crate::content::{self, ContentError};
use kurso_base::messages::{Lang, Message};
use kurso_base::values::{Problem, check_length, check_zero_byte};

impl Quiz {
    /// Checks a quiz that was not read from JSON; fails with the first rule that it breaks.
    pub fn check(&self) -> Result<(), Problem> {
        let attempts = self.max_attempts.unwrap_or(1);
        if self.pass_percent > 100 || attempts == 0 || attempts > MAX_ATTEMPTS {
            return Err(problem::Problem::OutOfBounds(0, MAX_ATTEMPTS.into()).value_error());
        }
        if let Some(problem) = self.clone().fit().first() {
            return Err(problem.value_error());
        }
        check_ids(self.questions.iter().map(|question| question.id), MAX_QUESTIONS)?;
        self.questions.iter().try_for_each(Question::check)
    }
}

impl Question {
    /// Checks a question that was not read from JSON; fails with the first rule that it breaks.
    pub fn check(&self) -> Result<(), Problem> {
        let with_blanks = match &self.kind {
            Kind::FillBlank { text, .. } => Some(text),
            _ => None,
        };
        for document in self.documents() {
            match with_blanks.is_some_and(|text| std::ptr::eq(text, document)) {
                true => content::validate_with_blanks(document),
                false => content::validate(document),
            }
            .map_err(of_document)?;
        }
        check_count(self.hints.len(), MAX_HINTS)?;
        match &self.kind {
            Kind::SingleChoice { options } => check_ids(options.iter().map(|option| option.id), MAX_PARTS),
            Kind::MultipleChoice {
                options,
                all_or_nothing,
            } => {
                check_ids(options.iter().map(|option| option.id), MAX_PARTS)?;
                check_scoring(options, *all_or_nothing)
            }
            Kind::ShortText {
                accepted,
                case_sensitive,
                regex,
            } => {
                check_accepted(accepted)?;
                regex.iter().try_for_each(|regex| {
                    check_text(regex, MAX_REGEX)?;
                    check_regex(regex, *case_sensitive)
                })
            }
            Kind::Numeric {
                tolerance,
                tolerance_percent,
                units,
                ..
            } => {
                check_units(units)?;
                check_tolerances(tolerance, tolerance_percent.as_ref())
            }
            Kind::Formula {
                parameters,
                expression,
                tolerance,
                tolerance_percent,
                units,
            } => {
                check_units(units)?;
                check_count(parameters.len(), MAX_PARAMETERS)?;
                parameters.iter().try_for_each(Parameter::check)?;
                check_text(expression, MAX_EXPRESSION)?;
                check_tolerances(tolerance, tolerance_percent.as_ref())
            }
            Kind::Matching { pairs } => check_ids(pairs.iter().map(|pair| pair.id), MAX_PARTS),
            Kind::Ordering { items } => check_ids(items.iter().map(|item| item.id), MAX_PARTS),
            Kind::Hotspot { picture, zones, .. } => {
                picture.iter().try_for_each(check_picture)?;
                check_zones(zones)
            }
            Kind::Essay {
                min_words,
                max_words,
                rubric,
                ..
            } => {
                rubric.iter().try_for_each(Rubric::check)?;
                check_words(*min_words, *max_words)
            }
            Kind::FileUpload {
                max_files,
                extensions,
                rubric,
                ..
            } => {
                rubric.iter().try_for_each(Rubric::check)?;
                check_files(*max_files, 1, extensions)
            }
            Kind::HandIn {
                min_words,
                max_words,
                max_files,
                extensions,
                max_links,
                rubric,
                ..
            } => {
                rubric.iter().try_for_each(Rubric::check)?;
                check_words(*min_words, *max_words)?;
                check_files(*max_files, 0, extensions)?;
                check_bounds(*max_links, 0, MAX_LINKS)
            }
            Kind::Draw { tags, count, .. } => {
                check_count(tags.len(), MAX_TAGS)?;
                tags.iter().try_for_each(|tag| check_tag(tag))?;
                check_bounds(*count, 1, MAX_DRAWN)
            }
            Kind::FillBlank { blanks, .. } => {
                check_ids(blanks.iter().map(|blank| blank.id), MAX_PARTS)?;
                blanks.iter().try_for_each(|blank| match &blank.filling {
                    Filling::Accepted(accepted) => check_accepted(accepted),
                    Filling::Options(options) => check_ids(options.iter().map(|option| option.id), MAX_PARTS),
                })
            }
        }
    }
}

impl Parameter {
    fn check(&self) -> Result<(), Problem> {
        check_text(&self.name, MAX_PARAMETER_NAME)?;
        self.min.iter().chain(&self.max).try_for_each(check_value)?;
        check_bounds(self.decimals, 0, MAX_DECIMALS.into())
    }
}

/// Checks the minimum or maximum of a parameter.
pub fn check_value(number: &Number) -> Result<(), Problem> {
    match number.as_f64().is_some_and(|number| number.abs() <= MAX_VALUE.into()) {
        true => Ok(()),
        false => Err(problem::Problem::OutOfBounds(-i64::from(MAX_VALUE), MAX_VALUE.into()).value_error()),
    }
}

/// The problem of a document, whose text does not name the path: the location of the error does.
pub fn of_document(error: ContentError) -> Problem {
    let message = Message::Text {
        en: error.problem.text(Lang::En),
        ru: error.problem.text(Lang::Ru),
    };
    Problem {
        message,
        ..Problem::from(error)
    }
}

/// Checks the number of ids, and that none is there twice.
pub fn check_ids(ids: impl ExactSizeIterator<Item = Uuid>, max: usize) -> Result<(), Problem> {
    check_count(ids.len(), max)?;
    let mut seen = HashSet::new();
    match ids.into_iter().all(|id| seen.insert(id)) {
        true => Ok(()),
        false => Err(problem::Problem::RepeatedId.value_error()),
    }
}

/// Checks that the options of an all-or-nothing question have no weights.
pub fn check_scoring(options: &[Choice], all_or_nothing: bool) -> Result<(), Problem> {
    match all_or_nothing && is_weighted(options) {
        true => Err(problem::Problem::TwoScorings.value_error()),
        false => Ok(()),
    }
}

fn check_accepted(accepted: &[String]) -> Result<(), Problem> {
    check_count(accepted.len(), MAX_PARTS)?;
    accepted.iter().try_for_each(|text| check_text(text, MAX_ACCEPTED))
}

/// Checks that a number is within its bounds, inclusive.
fn check_bounds(number: impl Into<u32>, min: u32, max: u32) -> Result<(), Problem> {
    match (min..=max).contains(&number.into()) {
        true => Ok(()),
        false => Err(problem::Problem::OutOfBounds(min.into(), max.into()).value_error()),
    }
}

/// Checks the number of entries of a list.
pub fn check_count(count: usize, max: usize) -> Result<(), Problem> {
    match count <= max {
        true => Ok(()),
        false => {
            let message = problem::Problem::TooMany(max).message();
            Err(Problem::new("too_long", message).with(json!({ "max_length": max })))
        }
    }
}

/// Checks the number of characters, and that there is no zero byte.
pub fn check_text(text: &str, max: usize) -> Result<(), Problem> {
    check_length(text, 0, max)?;
    check_zero_byte(text)
}

/// A tag in Unicode normalisation form C with single spaces, as banks store it.
pub fn bare_tag(text: &str) -> String {
    let composed: String = text.nfc().collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The tags in their order, without repetitions.
pub fn distinct_tags(tags: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    tags.into_iter().filter(|tag| seen.insert(tag.clone())).collect()
}

/// Checks a tag of questions.
pub fn check_tag(tag: &str) -> Result<(), Problem> {
    check_length(tag, 1, MAX_TAG)?;
    check_zero_byte(tag)
}

/// Checks that an author's pattern compiles and is not too large.
pub fn check_regex(pattern: &str, case_sensitive: bool) -> Result<(), Problem> {
    match text::compiled(pattern, case_sensitive) {
        Ok(_) => Ok(()),
        Err(regex::Error::CompiledTooBig(_)) => Err(problem::Problem::LargeRegex.value_error()),
        Err(error) => {
            let ctx = json!({ "error": error.to_string() });
            Err(problem::Problem::BadRegex.value_error().with(ctx))
        }
    }
}

/// Checks that a tolerance is not negative.
pub fn check_tolerance(number: &Number) -> Result<(), Problem> {
    match number.as_f64().is_some_and(|number| number < 0.0) {
        true => {
            let message = problem::Problem::NegativeTolerance.message();
            Err(Problem::new("greater_than_equal", message))
        }
        false => Ok(()),
    }
}

fn check_tolerances(tolerance: &Number, percent: Option<&Number>) -> Result<(), Problem> {
    check_tolerance(tolerance)?;
    percent.into_iter().try_for_each(check_tolerance)?;
    check_one_tolerance(Some(tolerance), percent)
}

/// Checks the bounds of an essay in words: each is within its limit, and the minimum is not above the maximum.
pub fn check_words(min: Option<u32>, max: Option<u32>) -> Result<(), Problem> {
    if min.max(max).unwrap_or_default() > MAX_WORDS || max == Some(0) {
        return Err(problem::Problem::OutOfBounds(1, MAX_WORDS.into()).value_error());
    }
    match max.is_some_and(|max| min.is_some_and(|min| min > max)) {
        true => Err(problem::Problem::FewerWordsThanLeast.value_error()),
        false => Ok(()),
    }
}

/// Checks the number of files of an answer, from `least` on, and their kinds.
fn check_files(max: u32, least: u32, extensions: &[String]) -> Result<(), Problem> {
    check_bounds(max, least, MAX_FILES)?;
    check_count(extensions.len(), MAX_EXTENSIONS)?;
    extensions.iter().try_for_each(|extension| check_extension(extension))
}

/// Checks a file extension: lower-case Latin letters and digits, without the dot.
pub fn check_extension(extension: &str) -> Result<(), Problem> {
    let is_known = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit();
    match (1..=MAX_EXTENSION).contains(&extension.len()) && extension.bytes().all(is_known) {
        true => Ok(()),
        false => Err(problem::Problem::BadExtension.value_error()),
    }
}

/// Normalises a file extension: removes surrounding spaces and leading dots, and converts it to lower case.
pub fn bare_extension(text: &str) -> String {
    text.trim().trim_start_matches('.').to_lowercase()
}

/// Reads a list of kinds of files, such as `.PDF, docx`. Returns those that a question can accept, and all others.
pub fn kinds_of_files(list: &str) -> (Vec<String>, Vec<String>) {
    let (mut known, mut others) = (Vec::new(), Vec::new());
    for kind in list.split([',', ';']).map(str::trim).filter(|kind| !kind.is_empty()) {
        let bare = bare_extension(kind);
        match check_extension(&bare) {
            Ok(()) if known.contains(&bare) => {}
            Ok(()) if known.len() < MAX_EXTENSIONS => known.push(bare),
            _ => others.push(kind.to_owned()),
        }
    }
    (known, others)
}

/// Checks that a tolerance is given in one way only.
pub fn check_one_tolerance(tolerance: Option<&Number>, percent: Option<&Number>) -> Result<(), Problem> {
    let is_set = tolerance.is_some_and(|number| number.as_f64() != Some(0.0));
    match is_set && percent.is_some() {
        true => Err(problem::Problem::TwoTolerances.value_error()),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn kinds_of_files_are_read_without_dots_capitals_and_repetition() {
        let (known, others) = kinds_of_files(" .PDF, docx;pdf,, tar.gz, схема ");
        assert_eq!(
            (known.join(" "), others.join(" ")),
            ("pdf docx".into(), "tar.gz схема".into())
        );
    }

    proptest! {
        #[test]
        fn a_question_accepts_the_known_kinds_of_any_list(list in "[.,;a-cA-C1 я]{0,300}") {
            let (known, others) = kinds_of_files(&list);
            prop_assert!(check_files(1, 1, &known).is_ok());
            prop_assert!(known.len() + others.len() <= list.len());
        }
    }
}
