//! Parses lists of changes in which each entry is an object, and reports the problems of all entries.

use serde_json::{Map, Value, json};

use crate::error::Loc;
use crate::messages::Message;
use crate::values::{Change, Checked, Problem, check_at_most};

/// The maximum number of errors that are reported for one list.
pub const MAX_PROBLEMS: usize = 100;

/// An error echoes a value only up to this length of its JSON, in bytes, so that a hundred errors stay short.
const SHOWN_BYTES: usize = 1_000;

/// The location of an error includes the name of an unknown field only up to this length in bytes.
const NAME_BYTES: usize = 100;

/// Reads a list of 1 to `max` entries. Fails with the problems of all of them, at most [`MAX_PROBLEMS`].
pub fn read_entries<T>(list: &Value, max: usize, read: impl Fn(&mut EntryReader<'_>) -> T) -> Result<Vec<T>, Problem> {
    if list.as_array().is_some_and(Vec::is_empty) {
        return Err(Problem::new("too_short", Message::TooFewItems(1)).with(json!({"min_length": 1})));
    }
    read_any_entries(list, max, read)
}

/// As [`read_entries`], but the list may be empty.
pub fn read_any_entries<T>(
    list: &Value,
    max: usize,
    read: impl Fn(&mut EntryReader<'_>) -> T,
) -> Result<Vec<T>, Problem> {
    let Value::Array(items) = list else {
        return Err(Problem::new("list_type", Message::NotAList));
    };
    check_at_most(items.len(), max)?;
    let (mut entries, mut problems) = (Vec::with_capacity(items.len()), Vec::new());
    for (at, item) in items.iter().enumerate() {
        let mut reader = EntryReader::of(item);
        entries.push(read(&mut reader));
        problems.extend(reader.found.into_iter().map(|mut problem| {
            problem.inside.insert(0, Loc::Index(at));
            problem.shown.get_or_insert_with(|| shown(item));
            problem
        }));
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
    }
    match one_of(problems) {
        None => Ok(entries),
        Some(problem) => Err(problem),
    }
}

/// Combines problems, at most [`MAX_PROBLEMS`], into one; None if there are none.
pub fn one_of(problems: Vec<Problem>) -> Option<Problem> {
    let mut problems = problems.into_iter().take(MAX_PROBLEMS);
    let first = problems.next()?;
    Some(Problem {
        others: problems.collect(),
        ..first
    })
}

/// The value that an error echoes: null instead of a long one.
fn shown(value: &Value) -> Value {
    let mut room = [0_u8; SHOWN_BYTES];
    match serde_json::to_writer(room.as_mut_slice(), value) {
        Ok(()) => value.clone(),
        Err(_) => Value::Null,
    }
}

/// Reads one entry and collects its problems.
pub struct EntryReader<'a> {
    map: Option<&'a Map<String, Value>>,
    found: Vec<Problem>,
}

impl<'a> EntryReader<'a> {
    /// Reads one object. Fails with all of its problems.
    pub fn read_object<T>(object: &Value, read: impl Fn(&mut EntryReader<'_>) -> T) -> Result<T, Problem> {
        let mut reader = EntryReader::of(object);
        let entry = read(&mut reader);
        one_of(reader.found).map_or(Ok(entry), Err)
    }

    fn of(item: &'a Value) -> Self {
        let map = item.as_object();
        let problem = || Problem::new("model_attributes_type", Message::NotAnObject);
        EntryReader {
            map,
            found: map.is_none().then(problem).into_iter().collect(),
        }
    }

    /// Refuses unknown names. Otherwise, an entry with a misspelled name of an id would apply to the course itself.
    pub fn refuse_unknown(&mut self, is_known: impl Fn(&str) -> bool, message: &Message) {
        let unknown = self
            .map
            .into_iter()
            .flatten()
            .filter(|(name, _)| !is_known(name.as_str()));
        for (name, value) in unknown.take(MAX_PROBLEMS) {
            let problem = Problem::new("value_error", message.clone());
            if name.len() > NAME_BYTES {
                self.found.push(problem);
            } else {
                self.refuse(name, problem, value);
            }
        }
    }

    /// Reads a text that an entry must have.
    pub fn required<T: Checked<Plain = String>>(&mut self, name: &'static str) -> Option<T> {
        self.require(name);
        self.not_null(name)
    }

    /// Reads a required integer field of an entry.
    pub fn required_number<T: Checked<Plain = i64>>(&mut self, name: &'static str) -> Option<T> {
        self.require(name);
        if self.value(name) == Some(&Value::Null) {
            self.refuse(name, T::wrong_type(), &Value::Null);
        }
        self.read(name, Value::as_i64).value()
    }

    /// Reads a text that may be left out. Refuses null: an entry with an id that is null would apply to the course itself.
    pub fn not_null<T: Checked<Plain = String>>(&mut self, name: &'static str) -> Option<T> {
        if self.value(name) == Some(&Value::Null) {
            self.refuse(name, T::wrong_type(), &Value::Null);
        }
        self.text(name).value()
    }

    /// Refuses an object without this field. A value that is no object has been refused already.
    pub fn require(&mut self, name: &'static str) {
        if self.map.is_some_and(|map| !map.contains_key(name)) {
            self.refuse(name, Problem::missing(), &Value::Null);
        }
    }

    pub fn text<T: Checked<Plain = String>>(&mut self, name: &'static str) -> Change<T> {
        self.read(name, |value| value.as_str().map(str::to_owned))
    }

    pub fn json<T: Checked<Plain = Value>>(&mut self, name: &'static str) -> Change<T> {
        self.read(name, |value| Some(value.clone()))
    }

    /// Reads a field: `Keep` if it is left out, `Clear` for null. `plain` returns None for a value of another type.
    pub fn read<T: Checked>(
        &mut self,
        name: &'static str,
        plain: impl FnOnce(&Value) -> Option<T::Plain>,
    ) -> Change<T> {
        let value = match self.value(name) {
            None => return Change::Keep,
            Some(Value::Null) => return Change::Clear,
            Some(value) => value,
        };
        let checked = plain(value).ok_or_else(T::wrong_type).and_then(T::check);
        checked.map_or_else(
            |problem| {
                self.refuse(name, problem, value);
                Change::Keep
            },
            Change::Set,
        )
    }

    /// Adds a problem of the entry as a whole.
    pub fn refuse_entry(&mut self, problem: Problem) {
        self.found.push(problem);
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        self.map.and_then(|map| map.get(name))
    }

    fn refuse(&mut self, name: &str, mut problem: Problem, value: &Value) {
        problem.inside.insert(0, name.into());
        problem.shown = Some(shown(value));
        self.found.push(problem);
    }
}
