//! Lists of checked values, and addresses in pasted text.

use serde_json::{Value, json};

use super::{Checked, PastedEmails, Problem};
use crate::error::Loc;
use crate::messages::Message;

/// The minimum and the default maximum number of values of a list.
pub const LIST_SIZE: std::ops::RangeInclusive<usize> = 1..=1000;

/// A list of 1 to `MAX` values, each sent as a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several<T, const MAX: usize = { *LIST_SIZE.end() }>(pub Vec<T>);

impl<T: Checked<Plain = String>, const MAX: usize> Checked for Several<T, MAX> {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let items = list(plain)?;
        check_between(items.len(), *LIST_SIZE.start(), MAX)?;
        each(items).map(Several)
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

/// The most values of a short list.
pub const FEW: usize = 100;

/// A list of at most 100 values, each sent as a text; it may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Few<T>(pub Vec<T>);

impl<T: Checked<Plain = String>> Checked for Few<T> {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let items = list(plain)?;
        check_at_most(items.len(), FEW)?;
        each(items).map(Few)
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

pub(super) fn list(plain: Value) -> Result<Vec<Value>, Problem> {
    match plain {
        Value::Array(items) => Ok(items),
        _ => Err(Problem::new("list_type", Message::NotAList)),
    }
}

/// Checks all values, each of which must be a text.
fn each<T: Checked<Plain = String>>(items: Vec<Value>) -> Result<Vec<T>, Problem> {
    let (mut values, mut problem): (Vec<T>, Option<Problem>) = (Vec::with_capacity(items.len()), None);
    for (at, item) in items.into_iter().enumerate() {
        let checked = match &item {
            Value::String(text) => T::check(text.clone()),
            _ => Err(T::wrong_type()),
        };
        match checked {
            Ok(value) => values.push(value),
            Err(mut wrong) => {
                wrong.inside.insert(0, Loc::Index(at));
                wrong.shown = Some(item);
                match &mut problem {
                    Some(first) => first.others.push(wrong),
                    None => problem = Some(wrong),
                }
            }
        }
    }
    problem.map_or(Ok(values), Err)
}

/// Checks the number of values of a list.
pub fn check_size(size: usize) -> Result<(), Problem> {
    check_between(size, *LIST_SIZE.start(), *LIST_SIZE.end())
}

fn check_between(size: usize, min: usize, max: usize) -> Result<(), Problem> {
    if size < min {
        return Err(Problem::new("too_short", Message::TooFewItems(min)).with(json!({"min_length": min})));
    }
    check_at_most(size, max)
}

/// Fails if a list has more than `max` values.
pub fn check_at_most(size: usize, max: usize) -> Result<(), Problem> {
    if size <= max {
        return Ok(());
    }
    Err(Problem::new("too_long", Message::TooManyItems(max)).with(json!({"max_length": max})))
}

/// Characters of a line without an address that are kept.
const LINE: usize = 255;

impl PastedEmails {
    /// The addresses in the order of the text: all parts of a line with an `@`, without the names around them. A line without any is an
    /// entry as a whole, so that a mistyped address is not lost. An address may be invalid, and may occur twice.
    pub fn entries(&self) -> Vec<String> {
        let mut entries = Vec::new();
        for line in self.as_str().lines().map(str::trim).filter(|line| !line.is_empty()) {
            let parts = line.split(|c: char| c.is_whitespace() || ",;<>\"()[]".contains(c));
            let addresses = parts.filter(|part| part.contains('@'));
            let before = entries.len();
            entries.extend(addresses.map(|address| address.trim_start_matches("mailto:").to_owned()));
            if entries.len() == before {
                entries.push(line.chars().take(LINE).collect());
            }
        }
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::EnrollmentId;

    #[test]
    fn every_wrong_value_of_a_list_is_reported_at_its_index() {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        let ids = Several::<EnrollmentId>::check(json!([id, id])).unwrap();
        assert_eq!(ids.0.len(), 2);
        let problem = Several::<EnrollmentId>::check(json!([id, "x", 7])).unwrap_err();
        let errors = problem.all_at(&[Loc::from("body"), Loc::from("ids")], &Value::Null);
        let found: Vec<_> = errors
            .iter()
            .map(|error| (error.kind, error.loc.len(), error.input.clone()))
            .collect();
        assert_eq!(found, [("uuid_parsing", 3, json!("x")), ("uuid_type", 3, json!(7))]);
    }

    #[test]
    fn a_list_has_1_to_1000_values() {
        let check = |list: Value| Several::<EnrollmentId>::check(list).unwrap_err().kind;
        assert_eq!(check(json!([])), "too_short");
        assert_eq!(check(json!(vec!["x"; 1001])), "too_long");
        assert_eq!(check(json!({})), "list_type");
    }

    #[test]
    fn a_short_list_may_be_empty_but_not_long() {
        let id = "01890000-0000-7000-8000-000000000001";
        assert_eq!(Few::<EnrollmentId>::check(json!([])).unwrap().0.len(), 0);
        assert_eq!(Few::<EnrollmentId>::check(json!(vec![id; FEW])).unwrap().0.len(), FEW);
        let check = |list: Value| Few::<EnrollmentId>::check(list).unwrap_err().kind;
        assert_eq!(check(json!(vec![id; FEW + 1])), "too_long");
        assert_eq!((check(json!(null)), check(json!(["x"]))), ("list_type", "uuid_parsing"));
    }

    #[test]
    fn addresses_are_found_in_whatever_people_paste() {
        let entries = |text: &str| PastedEmails::parse(text).unwrap().entries();
        assert_eq!(
            entries(
                "anna@x.ru, boris@x.ru;vera@x.ru\r\n\n  «Иванов, Иван» <ivan@x.ru>\tmailto:petr@x.ru\nМария Петрова maria@x.ru"
            ),
            [
                "anna@x.ru",
                "boris@x.ru",
                "vera@x.ru",
                "ivan@x.ru",
                "petr@x.ru",
                "maria@x.ru"
            ]
        );
        assert_eq!(entries("Имя\tПочта\nanna.x.ru\n@"), ["Имя\tПочта", "anna.x.ru", "@"]);
        assert!(entries(" \n ").is_empty());
    }
}
