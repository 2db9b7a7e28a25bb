//! Reads the values of a query string and collects the errors.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use http::request::Parts;
use kurso_base::error::{self as core, FieldError};
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_base::sort::{Order, SortKey};
use kurso_base::values::{self, Checked, Problem};
use kurso_core::assessments::AnswerFilter;
use kurso_core::courses::groups::GroupFilter;
use kurso_core::exports;
use kurso_core::students::{ProgressFilter, StudentState};
use kurso_formats::{DateForm, Outcome};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::Result;
use crate::extract::location;
use crate::fields::FromJson as _;

/// The query of a request, and the errors found so far.
pub struct Query<'a> {
    pub(super) text: &'a str,
    pub(super) errors: Vec<FieldError>,
}

impl<'a> Query<'a> {
    pub fn of(parts: &'a Parts) -> Self {
        Query {
            text: parts.uri.query().unwrap_or_default(),
            errors: vec![],
        }
    }

    /// Reads a value; None when it is absent or invalid.
    pub fn read<T>(&mut self, name: &str, parse: impl FnOnce(&str) -> Result<T, Problem>) -> Option<T> {
        let text = query_value(self.text, name)?;
        let parsed = parse(&text);
        parsed
            .map_err(|problem| self.errors.push(problem.at(location("query", name), Value::from(text))))
            .ok()
    }

    pub fn page(&mut self) -> Page {
        self.page_of(Page::DEFAULT_LIMIT)
    }

    /// A page with this limit if none is given. A limit above the maximum is read as the maximum.
    pub fn page_of(&mut self, default: i64) -> Page {
        let skip = self.read("skip", whole_number).unwrap_or_default();
        let limit = self.read("limit", whole_number);
        Page::new(skip, limit.unwrap_or(default.unsigned_abs()))
    }

    pub fn search(&mut self) -> Search {
        let search = self.read("search", |text| {
            search_text(text)?;
            Ok(Search::of(text))
        });
        search.unwrap_or_else(|| Search::of(""))
    }

    /// As [`Self::read`]; an absent value is an error.
    pub fn required<T: Default>(&mut self, name: &str, parse: impl FnOnce(&str) -> Result<T, Problem>) -> T {
        if query_value(self.text, name).is_none() {
            let missing = Problem::missing().at(location("query", name), Value::Null);
            self.errors.push(missing);
        }
        self.read(name, parse).unwrap_or_default()
    }

    pub fn flag(&mut self, name: &str) -> bool {
        let given = self.read(name, |text| {
            bool::from_json(&Value::from(text)).map_err(|problem| problem.unwrap_or_else(bool::wrong_type))
        });
        given.unwrap_or_default()
    }

    pub fn dates(&mut self) -> DateForm {
        match self.flag("relative_dates") {
            true => DateForm::FromStart,
            false => DateForm::Moments,
        }
    }

    pub fn progress(&mut self) -> ProgressFilter {
        ProgressFilter {
            state: self.read("state", |text| StudentState::check(text.to_owned())),
            stopped_at: self.read("stopped_at", |text| PageId::check(text.to_owned())),
        }
    }

    pub fn group(&mut self) -> GroupFilter {
        let group = self.read("group_id", |text| GroupFilter::check(text.to_owned()));
        group.unwrap_or_default()
    }

    pub fn answers(&mut self) -> AnswerFilter {
        AnswerFilter {
            page: self.read("page_id", |text| PageId::check(text.to_owned())),
            question: self.read("question_id", |text| Uuid::check(text.to_owned())),
            group: self.group(),
        }
    }

    pub fn order<K: SortKey>(&mut self) -> Order<K> {
        let order = |text: &str| Order::parse(text).ok_or_else(|| Problem::not_one_of(Order::<K>::names()));
        self.read("sort", order).unwrap_or_default()
    }

    pub fn finish<T>(self, read: T) -> Result<T> {
        if self.errors.is_empty() {
            Ok(read)
        } else {
            Err(core::Error::Invalid(self.errors).into())
        }
    }
}

pub fn to_version(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub fn search_text(text: &str) -> Result<(), Problem> {
    values::check_length(text, 0, Search::MAX)?;
    values::check_zero_byte(text)
}

/// A value that is sent as JSON.
pub fn json_value<T: Checked<Plain = Value>>(text: &str) -> Result<T, Problem> {
    let json = serde_json::from_str(text).map_err(|_| Problem::new("json_invalid", Message::BadJson))?;
    T::check(json)
}

pub fn outcome(text: &str) -> Result<Outcome, Problem> {
    let found = Outcome::ALL.into_iter().find(|outcome| outcome.name() == text);
    found.ok_or_else(|| Problem::not_one_of(Outcome::ALL.map(Outcome::name).into()))
}

pub fn format(text: &str) -> Result<exports::Format, Problem> {
    let found = exports::Format::ALL.into_iter().find(|format| format.name() == text);
    found.ok_or_else(|| Problem::not_one_of(exports::Format::ALL.map(exports::Format::name).into()))
}

pub fn time(text: &str) -> Result<DateTime<Utc>, Problem> {
    // A plus sign that was not escaped arrives as a space.
    let time = text.replace(' ', "+").parse();
    time.map_err(|_| Problem::new("datetime_parsing", Message::BadTime).with(json!({})))
}

/// A whole number within the bounds of its type, which may be negative.
pub fn signed<T: Checked<Plain = i64>>(text: &str) -> Result<T, Problem> {
    let number = text
        .trim()
        .parse()
        .map_err(|_| Problem::new("int_parsing", Message::BadInteger))?;
    T::check(number)
}

/// Reads `7`, ` 7 `, `+7` and `7.0`. A number beyond 64 bits is read as the largest.
pub fn whole_number(text: &str) -> Result<u64, Problem> {
    let not_a_number = || Problem::new("int_parsing", Message::BadInteger);
    let text = text.trim();
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = match text.split_once('.') {
        Some((digits, zeros)) if !zeros.is_empty() && zeros.chars().all(|c| c == '0') => digits,
        Some(_) => return Err(not_a_number()),
        None => text,
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
        return Err(not_a_number());
    }
    match digits.parse().unwrap_or(u64::MAX) {
        0 => Ok(0),
        _ if negative => Err(Problem::new("greater_than_equal", Message::IntegerTooSmall(0)).with(json!({"ge": 0}))),
        number => Ok(number),
    }
}

/// Returns the last value of the name.
pub fn query_value<'a>(query: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let values = url::form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name);
    values.last().map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_several_spellings() {
        let read = |text| whole_number(text).ok();
        assert_eq!(read(" 7 "), Some(7));
        assert_eq!(read("+7"), Some(7));
        assert_eq!(read("7.00"), Some(7));
        assert_eq!(read("-0"), Some(0));
        assert_eq!(read("99999999999999999999999"), Some(u64::MAX));
        for bad in ["", " ", "-", "x", "1.5", "1.", ".0", "1e3", "٣", "1_000", "--1", "-1"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
