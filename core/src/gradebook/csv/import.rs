//! Reads a table of grades: what it would change, and the change itself.
//!
//! Learners are found by mail address, columns by the codes of their pages. A cell with another number than the grade that the learner has is an
//! override, the word for an excuse is an excuse, `авто` withdraws a decision. An empty cell changes nothing, nor does a cell that repeats the grade
//! or is as it was exported.

use std::collections::{HashMap, HashSet};

use sha2::{Digest as _, Sha256};

use kurso_base::email::Email;
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::hex::hex;
use kurso_base::ids::{CourseId, EnrollmentId, GradeDecisionId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::{GradeReason, GradeTable, decimal_text, read_decimal};
use kurso_db::events::Event;
use kurso_db::{args, sql};

use super::lines::{Lines, separator_of, unquoted};
use super::state::State;
use super::{AUTOMATIC, EMAIL, EXCUSED, STATE, code_in, code_of};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::{self, Scope};
use crate::gradebook::cells::{Cell, DecisionKind, Source};
use crate::gradebook::decisions::{MAX_CHANGES, account_is_gone};
use crate::gradebook::ledger::Ledger;
use crate::gradebook::settings::most_for;
use crate::gradebook::table::{self, Row};

/// The most changes of one table.
pub const MAX_TABLE_CHANGES: usize = 5000;

/// Rows of one INSERT.
const ROWS: usize = 500;

/// The most refusals that are listed.
const MAX_REFUSALS: usize = 1000;

/// The most characters of a heading that a refusal repeats. The longest that is exported has two titles, points and a code.
const MAX_HEADING: usize = 600;

/// A table of grades to read.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct ImportGrades {
    pub table: GradeTable,
    /// The reason of all decisions.
    pub reason: GradeReason,
    /// That of the preview whose changes are wanted. None: a preview.
    pub digest: Option<String>,
}

/// What a table changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Import {
    /// Names exactly these changes.
    pub digest: String,
    pub changes: Vec<TableChange>,
    pub refusals: Vec<Refusal>,
    /// The number of all refusals.
    pub refused: usize,
    /// The number of cells that repeat the grade that is there, are as they were exported, or are empty.
    pub unchanged: usize,
    pub is_applied: bool,
}

/// A decision that a table means.
#[derive(Clone, Debug, PartialEq)]
pub struct TableChange {
    /// The line of the file, from 1.
    pub line: u64,
    pub enrollment_id: EnrollmentId,
    pub full_name: Option<String>,
    pub email: String,
    pub page_id: PageId,
    /// The cell as it is.
    pub before: Cell,
    pub kind: DecisionKind,
    /// Of an override, in hundredths.
    pub points: Option<i64>,
    user_id: UserId,
}

/// A line or a cell that is not read.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The line of the file, from 1.
    pub line: u64,
    /// The heading of the column, at most [`MAX_HEADING`] characters; None for a whole line.
    pub column: Option<String>,
    pub message: Message,
}

/// A table that was read, or one that is outdated.
#[derive(Clone, Debug)]
pub enum Imported {
    Read(Import),
    /// The digest names other changes than the table means now: nothing was changed. These are the changes now.
    Outdated(Import),
}

/// Reads a table of grades for the owner and teachers. Without a digest it returns what would change; with the digest of a preview it makes
/// exactly those changes. Fails with 422 for a text that is no table of grades, and for more than [`MAX_TABLE_CHANGES`] changes.
pub async fn import(kurso: &Kurso, viewer: &Viewer, course: CourseId, command: ImportGrades) -> Result<Imported> {
    let course = courses::find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    let Some(wanted) = &command.digest else {
        let ledger = Ledger::load(kurso, course).await?;
        return Ok(Imported::Read(read(kurso, &ledger, &command).await?));
    };
    let id = course.id;
    let mut tx = courses::begin(&kurso.db, id, Scope::Unchanged).await?;
    let ledger = Ledger::load(kurso, course).await?;
    let mut found = read(kurso, &ledger, &command).await?;
    // What is stored while the course is locked; a decision that is committed together with this transaction is not read above.
    let stored = sql!(
        "SELECT id, user_id, page_id, version FROM grade_decisions WHERE course_id = $1 AND is_current AND page_id IS NOT NULL",
        id
    );
    let stored = stored
        .fetch_all::<(GradeDecisionId, UserId, PageId, i64)>(&mut tx)
        .await?;
    let stored: HashMap<(UserId, PageId), (GradeDecisionId, i64)> = stored
        .into_iter()
        .map(|(id, user, page, version)| ((user, page), (id, version)))
        .collect();
    let is_current = |change: &TableChange| {
        let version = stored
            .get(&(change.user_id, change.page_id))
            .map_or(0, |(_, version)| *version);
        version == change.before.version
    };
    if found.digest != *wanted || !found.changes.iter().all(is_current) {
        tx.commit().await?;
        return Ok(Imported::Outdated(found));
    }
    let now = kurso.clock.now();
    for chunk in found.changes.chunks(ROWS) {
        let decided = |change: &TableChange| stored.get(&(change.user_id, change.page_id)).map(|(id, _)| *id);
        let replaced: Vec<GradeDecisionId> = chunk.iter().filter_map(decided).collect();
        if !replaced.is_empty() {
            sql!("UPDATE grade_decisions SET is_current = FALSE WHERE id IN ")
                .push_in(replaced)
                .execute(&mut tx)
                .await?;
        }
        sql!(
            "INSERT INTO grade_decisions (id, course_id, user_id, page_id, version, is_current, kind, points, reason, decided_by,
               decided_at) VALUES "
        )
        .push_rows(chunk, |change| {
            let cell = args![GradeDecisionId::new(), id, change.user_id, change.page_id, change.before.version + 1, true];
            let decision = args![change.kind, change.points, command.reason.as_str(), viewer.id(), now];
            cell.into_iter().chain(decision)
        })
        .execute(&mut tx)
        .await
        .map_err(account_is_gone)?;
    }
    if !found.changes.is_empty() {
        let entry = Entry::new(Act::GradesImported).by(viewer.id()).in_course(id);
        entry.detail(found.changes.len()).write(&mut tx, now).await?;
        tx.publish(Event::Grades { course: id });
    }
    tx.commit().await?;
    found.is_applied = true;
    Ok(Imported::Read(found))
}

fn unreadable(message: Message) -> Error {
    Error::invalid(FieldError::body(
        "value_error",
        "table",
        message,
        serde_json::Value::Null,
    ))
}

/// A column of grades.
struct Column<'a> {
    index: usize,
    heading: &'a str,
    /// The index among the columns of the gradebook.
    item: usize,
}

async fn read(kurso: &Kurso, ledger: &Ledger, command: &ImportGrades) -> Result<Import> {
    let text = command.table.as_str().trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator_of(text))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut records = reader.records();
    let not_a_table = || unreadable(Message::NotAGradeTable);
    let headings = records.next().ok_or_else(not_a_table)?.map_err(|_| not_a_table())?;
    let mut import = Import::default();
    let headings: Vec<&str> = headings.iter().map(str::trim).collect();
    let email = headings.iter().position(|heading| heading.eq_ignore_ascii_case(EMAIL));
    let email = email.ok_or_else(|| unreadable(Message::NoEmailColumn))?;
    let state = headings.iter().position(|heading| STATE.contains(heading));
    let columns = columns(ledger, &headings, &mut import);
    let class = Class::read(kurso, ledger).await?;
    let mut seen = HashSet::new();
    let mut lines = Lines::of(text);
    for record in records {
        let record = record.map_err(|_| not_a_table())?;
        let line = lines.at(record.position().map_or(0, csv::Position::byte));
        let address = unquoted(record.get(email).unwrap_or_default());
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let Some(row) = class.find(address) else {
            import.refuse(line, Some(EMAIL), Message::UnknownStudent);
            continue;
        };
        if !seen.insert(row.learner.enrollment_id) {
            import.refuse(line, Some(EMAIL), Message::StudentTwice);
            continue;
        }
        let exported = State::read(state.and_then(|at| record.get(at)).unwrap_or_default());
        for column in &columns {
            let cell = record.get(column.index).unwrap_or_default().trim();
            import.cell(ledger, line, column, (row, &exported), cell);
        }
        if import.changes.len() > MAX_TABLE_CHANGES {
            return Err(unreadable(Message::TooManyGradeTableChanges(MAX_TABLE_CHANGES)));
        }
    }
    import.digest = import.digest_with(command);
    Ok(import)
}

/// The columns of grades. A code that the gradebook does not have is refused, as is one that occurs twice; other columns are not read.
fn columns<'a>(ledger: &Ledger, headings: &[&'a str], import: &mut Import) -> Vec<Column<'a>> {
    let items: HashMap<String, usize> = ledger
        .setup
        .columns()
        .enumerate()
        .map(|(at, item)| (code_of(item.page_id), at))
        .collect();
    let mut columns: Vec<Column<'a>> = Vec::new();
    for (index, heading) in headings.iter().copied().enumerate() {
        let Some(code) = code_in(heading) else { continue };
        match items.get(&code.to_ascii_lowercase()) {
            None => import.refuse(1, Some(heading), Message::UnknownGradeColumn),
            Some(item) if columns.iter().any(|column| column.item == *item) => {
                import.refuse(1, Some(heading), Message::GradeColumnTwice);
            }
            Some(item) => columns.push(Column {
                index,
                heading,
                item: *item,
            }),
        }
    }
    columns
}

impl Import {
    fn refuse(&mut self, line: u64, column: Option<&str>, message: Message) {
        self.refused += 1;
        if self.refusals.len() < MAX_REFUSALS {
            self.refusals.push(Refusal {
                line,
                column: column.map(|heading| heading.chars().take(MAX_HEADING).collect()),
                message,
            });
        }
    }

    fn cell(&mut self, ledger: &Ledger, line: u64, column: &Column<'_>, (row, exported): (&Row, &State), text: &str) {
        let item = ledger.setup.columns().nth(column.item);
        let (Some(item), Some(before)) = (item, row.grades.cells.0.get(column.item)) else {
            return;
        };
        let refuse = |import: &mut Import, message| import.refuse(line, Some(column.heading), message);
        let is_one_of = |words: [&str; 2]| words.contains(&text.to_lowercase().as_str());
        let is_decided = matches!(before.source, Source::Override | Source::Excused);
        let (kind, points) = if text.is_empty() {
            self.unchanged += 1;
            return;
        } else if is_one_of(EXCUSED) || text.to_lowercase() == "освобожден" {
            (DecisionKind::Excused, None)
        } else if is_one_of(AUTOMATIC) {
            (DecisionKind::Removed, None)
        } else {
            let Some(points) = read_decimal(&text.replace(',', ".")) else {
                return refuse(self, Message::NotAGrade);
            };
            (DecisionKind::Override, Some(points))
        };
        let is_same = match kind {
            DecisionKind::Override => before.points == points,
            DecisionKind::Excused => before.source == Source::Excused,
            DecisionKind::Removed => !is_decided,
        };
        if is_same || exported.has(row.learner.user_id, item.page_id, kind, points) {
            self.unchanged += 1;
            return;
        }
        let most = most_for(item.points);
        if points.is_some_and(|points| points > most) {
            return refuse(self, Message::GivenTooMuch(decimal_text(most)));
        }
        if before.version >= MAX_CHANGES {
            return refuse(self, Message::TooManyGradeChanges(MAX_CHANGES));
        }
        self.changes.push(TableChange {
            line,
            enrollment_id: row.learner.enrollment_id,
            full_name: row.full_name.clone(),
            email: row.email.clone(),
            page_id: item.page_id,
            before: *before,
            kind,
            points,
            user_id: row.learner.user_id,
        });
    }

    /// Names the changes with the state that they are based on, and the reason.
    fn digest_with(&self, command: &ImportGrades) -> String {
        let mut hash = Sha256::new();
        hash.update(command.reason.as_str());
        for change in &self.changes {
            let Cell {
                source,
                version,
                earned,
                ..
            } = change.before;
            let line = format!(
                "\n{} {} {} {version} {earned:?} {} {:?}",
                change.user_id,
                change.page_id,
                source.name(),
                change.kind.name(),
                change.points
            );
            hash.update(line);
        }
        hex(&hash.finalize())
    }
}

/// The learners of the course by mail address.
struct Class {
    rows: Vec<Row>,
    by_email: HashMap<String, usize>,
}

impl Class {
    async fn read(kurso: &Kurso, ledger: &Ledger) -> Result<Self> {
        let rows = table::all(kurso, ledger).await?;
        let key =
            |row: &Row| Email::parse(&row.email).map_or_else(|_| row.email.clone(), |email| email.key().to_owned());
        let by_email = rows.iter().enumerate().map(|(at, row)| (key(row), at)).collect();
        Ok(Class { rows, by_email })
    }

    fn find(&self, address: &str) -> Option<&Row> {
        let email = Email::parse(address).ok()?;
        self.rows.get(*self.by_email.get(email.key())?)
    }
}
