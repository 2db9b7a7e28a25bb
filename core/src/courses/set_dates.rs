//! Changes the dates of many parts of a course, and of overrides, in one transaction: all of them or none
//! ([decision 93](../../../docs/decisions/0093-many-dates-in-one-change.md)).

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use chrono::{DateTime, Utc};
use serde_json::Value;

use kurso_base::dates_entries::{DatesEntries, DatesEntry, DatesOf};
use kurso_base::error::{Error, FieldError, Loc, Result, require_no_errors};
use kurso_base::ids::{CourseId, LessonId, ModuleId, OverrideId, PageId};
use kurso_base::messages::Message;
use kurso_base::schedule::shift::Shift;
use kurso_base::schedule::{CourseDates, Dates, Late, TimeZone};
use kurso_base::values::{Change, ShiftDays};
use kurso_db::Tx;
use kurso_db::events::Event;

use super::dated_rows::{self, PageRow, PartRow, Rows};
use super::dates::{CourseDatesChange, DatesChange, LateChange, out_of_range, require_zone, wrong};
use super::overrides::{Base, Dated, Part, dated};
use super::{Scope, begin, find, renew_tree};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::capture::{self, SnapshotReason};
use crate::schedule::overrides::Override;

/// Changes of the dates of one course.
#[derive(Clone, Debug)]
pub struct SetDates {
    pub dates: DatesEntries,
    /// Moves all dates of the named parts and overrides by days of the course's zone, after their new dates are set.
    pub shift_days: Option<ShiftDays>,
}

type At = Option<DateTime<Utc>>;

/// The dates of one part or override. Those that it cannot have are None.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartDates {
    pub of: DatesOf,
    pub starts_at: At,
    pub ends_at: At,
    pub enroll_until: At,
    pub available_from: At,
    pub available_until: At,
    pub due_at: At,
    pub late_until: At,
}

/// Why no date was changed.
#[derive(Debug, thiserror::Error)]
pub enum SetDatesError {
    /// Somebody else has changed dates of these parts or overrides; contains what is stored.
    #[error("conflict: dates of {} parts have changed", .0.len())]
    Conflict(Vec<PartDates>),
    #[error(transparent)]
    Refused(#[from] Error),
}

impl From<sqlx::Error> for SetDatesError {
    fn from(error: sqlx::Error) -> Self {
        SetDatesError::Refused(error.into())
    }
}

/// Changes dates. Returns what is stored then, in the order of the entries. Needs the right to edit for parts, and that to manage students for
/// overrides. Fails with a conflict that names each part whose dates are not the expected ones, and with 422 for each part or override that the
/// course does not have or that is named twice, each date that a part does not have, and dates that are out of order or outside of the years of
/// dates.
pub async fn set_dates(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    command: SetDates,
) -> Result<Vec<PartDates>, SetDatesError> {
    let entries = &command.dates.0;
    let of_override = |entry: &DatesEntry| matches!(entry.of, DatesOf::Override(_));
    let has_parts = !entries.iter().all(of_override);
    let now = kurso.clock.now();
    let mut scope = Scope::Unchanged; // who only changes overrides does not edit the course
    if has_parts {
        scope = Scope::Structure(now);
        find(&kurso.db, viewer, course, Right::Edit).await?;
    }
    let has_overrides = entries.iter().any(of_override);
    if has_overrides {
        find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    }
    let mut tx = begin(&kurso.db, course, scope).await?;
    let mut plan = Plan::of(&mut tx, course, command.shift_days, has_overrides).await?;
    let applied = plan.apply(entries);
    if applied.is_err() || !plan.has_changes() {
        // Rolls back the new tree version. `rollback` also waits for the batch, which may contain a competing change that the response shows.
        tx.rollback().await?;
        return applied.map(|()| plan.results());
    }
    // Overrides are not part of a snapshot.
    if entries.iter().filter(|entry| !of_override(entry)).nth(1).is_some() {
        capture::before(&mut tx, course, viewer.id(), SnapshotReason::BeforeBulkChange, now).await?;
    }
    plan.write(&mut tx, course, now).await?;
    if !has_parts {
        renew_tree(&mut tx, course).await?;
    }
    let entry = Entry::new(Act::DatesSet).by(viewer.id()).in_course(course);
    entry.detail(entries.len()).write(&mut tx, now).await?;
    tx.publish(Event::Groups { course });
    tx.commit().await?;
    Ok(plan.results())
}

/// All dates of the course, and their planned changes.
struct Plan {
    zone: TimeZone,
    shift: Option<Shift>,
    course: (CourseDates, Option<CourseDates>),
    modules: Rows<ModuleId, Dates>,
    lessons: Rows<LessonId, Dates>,
    pages: Rows<PageId, (Dates, Late)>,
    /// The pages with a quiz.
    quizzes: HashSet<PageId>,
    overrides: HashMap<OverrideId, Dated>,
    moved: HashMap<OverrideId, Override>,
    /// By the index of the entry.
    results: Vec<(usize, PartDates)>,
}

impl Plan {
    /// Reads the course in at most five statements.
    async fn of(tx: &mut Tx, id: CourseId, days: Option<ShiftDays>, has_overrides: bool) -> Result<Self> {
        fn parts<Id: Eq + Hash + Copy>(rows: Vec<PartRow<Id>>) -> Rows<Id, Dates> {
            Rows::of(rows.into_iter().map(|row| (row.id, row.dates)))
        }
        let course = dated_rows::course(tx, id).await?;
        let modules = parts(dated_rows::modules(tx, id).await?);
        let lessons = parts(dated_rows::lessons(tx, id).await?);
        let pages: Vec<PageRow> = dated_rows::pages(tx, id).await?;
        let overrides = if has_overrides { dated(tx, id).await? } else { vec![] };
        let quizzes = pages.iter().filter(|row| row.kind.takes_attempts());
        let zone = course.zone();
        Ok(Plan {
            zone,
            shift: days.map(|days| Shift { days: days.get(), zone }),
            course: (course, None),
            modules,
            lessons,
            quizzes: quizzes.map(|row| row.id).collect(),
            pages: Rows::of(pages.iter().map(|row| (row.id, (row.dates, row.late)))),
            overrides: overrides.into_iter().map(|row| (row.id, row)).collect(),
            moved: HashMap::new(),
            results: vec![],
        })
    }

    /// Applies all entries: parts first, then overrides of groups, because the dates of an override are compared with the new ones of its
    /// part and with those that it inherits.
    fn apply(&mut self, entries: &[DatesEntry]) -> Result<(), SetDatesError> {
        let (mut seen, mut errors, mut conflicts) = (HashSet::new(), vec![], vec![]);
        let mut ordered: Vec<_> = entries.iter().enumerate().collect();
        ordered.sort_by_key(|(_, entry)| match entry.of {
            DatesOf::Override(id) => 1 + i32::from(self.overrides.get(&id).is_some_and(|one| one.inherits.is_some())),
            _ => 0,
        });
        for (index, entry) in ordered {
            let applied = if seen.insert(entry.of) {
                self.apply_one(entry)
            } else {
                Err(refused(None, Message::DatesOfWhat))
            };
            match applied {
                Ok(dates) => self.results.push((index, dates)),
                Err(Error::Conflict(_)) => conflicts.extend(self.stored(entry.of).map(|dates| (index, dates))),
                Err(Error::Invalid(wrong)) => errors.extend(wrong.into_iter().map(|error| (index, error))),
                Err(other) => return Err(other.into()),
            }
        }
        if !conflicts.is_empty() {
            conflicts.sort_by_key(|(index, _)| *index);
            return Err(SetDatesError::Conflict(
                conflicts.into_iter().map(|(_, dates)| dates).collect(),
            ));
        }
        if !errors.is_empty() {
            errors.sort_by_key(|(index, _)| *index);
            let at = |(index, error): (usize, FieldError)| {
                let steps = error.loc.into_iter().skip(1);
                let loc = [Loc::from("body"), Loc::from("dates"), Loc::Index(index)].into_iter();
                FieldError {
                    loc: loc.chain(steps).collect(),
                    ..error
                }
            };
            return Err(Error::Invalid(errors.into_iter().map(at).collect()).into());
        }
        Ok(())
    }

    fn apply_one(&mut self, entry: &DatesEntry) -> Result<PartDates> {
        match entry.of {
            DatesOf::Course => self.apply_course(entry),
            DatesOf::Module(id) => {
                let missing = || refused(Some("module_id"), Message::UnknownModule);
                let dates = self.part(entry, self.modules.before(id).ok_or_else(missing)?)?;
                require_here(entry, &PART)?;
                self.modules.change(id, dates);
                Ok(PartDates::part(entry.of, dates, None))
            }
            DatesOf::Lesson(id) => {
                let missing = || refused(Some("lesson_id"), Message::UnknownLesson);
                let dates = self.part(entry, self.lessons.before(id).ok_or_else(missing)?)?;
                require_here(entry, &PART)?;
                self.lessons.change(id, dates);
                Ok(PartDates::part(entry.of, dates, None))
            }
            DatesOf::Page(id) => self.apply_page(id, entry),
            DatesOf::Override(id) => {
                let missing = || refused(Some("override_id"), Message::OverrideNotFound);
                let stored = *self.overrides.get(&id).ok_or_else(missing)?;
                let values = stored.changed(entry, self.shift, &self.base(&stored), self.zone)?;
                if values != stored.values {
                    self.moved.insert(id, values);
                }
                Ok(PartDates::of_override(id, &values))
            }
        }
    }

    fn apply_course(&mut self, entry: &DatesEntry) -> Result<PartDates> {
        let mut expected = entry.expected;
        require_zone(&expected, self.zone)?;
        expected.time_zone = Change::Keep; // compared: no zone is UTC
        let change = CourseDatesChange {
            expected,
            starts_at: entry.starts_at,
            ends_at: entry.ends_at,
            enroll_until: entry.enroll_until,
            time_zone: Change::Keep,
            hide_locked_titles: None,
            sequential: None,
        };
        let mut dates = change.apply(&self.course.0)?;
        require_here(entry, &COURSE)?;
        if let Some(shift) = self.shift {
            dates = shift.course(&dates).ok_or_else(out_of_range)?;
        }
        let result = PartDates::course(&dates);
        self.course.1 = (dates != self.course.0).then_some(dates);
        Ok(result)
    }

    fn apply_page(&mut self, id: PageId, entry: &DatesEntry) -> Result<PartDates> {
        let missing = || refused(Some("page_id"), Message::UnknownPage);
        let stored = self.pages.before(id).ok_or_else(missing)?;
        let change = LateChange {
            expected: entry.expected,
            late_until: entry.late_until,
            late_penalty_per_day: Change::Keep,
            late_penalty_max: Change::Keep,
        };
        if !self.quizzes.contains(&id)
            && let Some(error) = change.misplaced()
        {
            return Err(error);
        }
        require_here(entry, &PAGE)?;
        // The order is checked before the shift, which moves the dates and the end of late attempts together.
        let dates = self.changed_part(entry, stored.0)?;
        let mut late = change.apply(stored.1, &dates, self.zone)?;
        let dates = self.shifted(dates)?;
        if let Some(shift) = self.shift {
            late = shift.late(&late, &dates).ok_or_else(out_of_range)?;
        }
        self.pages.change(id, (dates, late));
        Ok(PartDates::part(entry.of, dates, late.late_until))
    }

    /// The new dates of a part.
    fn part(&self, entry: &DatesEntry, stored: Dates) -> Result<Dates> {
        self.shifted(self.changed_part(entry, stored)?)
    }

    fn changed_part(&self, entry: &DatesEntry, stored: Dates) -> Result<Dates> {
        let change = DatesChange {
            expected: entry.expected,
            available_from: entry.available_from,
            available_until: entry.available_until,
            due_at: entry.due_at,
        };
        change.apply(stored, self.zone)
    }

    fn shifted(&self, dates: Dates) -> Result<Dates> {
        self.shift
            .map_or(Ok(dates), |shift| shift.part(&dates).ok_or_else(out_of_range))
    }

    /// The dates of the part of an override, and the limits that it inherits from the override of the group.
    fn base(&self, over: &Dated) -> Base {
        let plain = |dates: Option<Dates>| (dates.unwrap_or_default(), Late::default());
        let course = |dates: &CourseDates| Dates {
            available_from: dates.starts_at,
            available_until: dates.ends_at,
            due_at: None,
        };
        let (before, after) = match over.part {
            Part::Course => {
                let (stored, changed) = &self.course;
                (
                    plain(Some(course(stored))),
                    plain(Some(course(changed.as_ref().unwrap_or(stored)))),
                )
            }
            Part::Module(id) => (plain(self.modules.before(id)), plain(self.modules.after(id))),
            Part::Lesson(id) => (plain(self.lessons.before(id)), plain(self.lessons.after(id))),
            Part::Page(id) => (
                self.pages.before(id).unwrap_or_default(),
                self.pages.after(id).unwrap_or_default(),
            ),
        };
        let inherited = over.inherits.and_then(|id| self.overrides.get(&id));
        let inherited_before = inherited.map(|group| group.values).unwrap_or_default();
        let inherited_after = inherited.and_then(|group| self.moved.get(&group.id).copied());
        Base {
            before,
            after,
            inherited_before,
            inherited_after: inherited_after.unwrap_or(inherited_before),
        }
    }

    /// The stored dates of a part or override; None if the course does not have it.
    fn stored(&self, of: DatesOf) -> Option<PartDates> {
        Some(match of {
            DatesOf::Course => PartDates::course(&self.course.0),
            DatesOf::Module(id) => PartDates::part(of, self.modules.before(id)?, None),
            DatesOf::Lesson(id) => PartDates::part(of, self.lessons.before(id)?, None),
            DatesOf::Page(id) => {
                let (dates, late) = self.pages.before(id)?;
                PartDates::part(of, dates, late.late_until)
            }
            DatesOf::Override(id) => PartDates::of_override(id, &self.overrides.get(&id)?.values),
        })
    }

    fn has_changes(&self) -> bool {
        self.course.1.is_some()
            || !self.modules.changed.is_empty()
            || !self.lessons.changed.is_empty()
            || !self.pages.changed.is_empty()
            || !self.moved.is_empty()
    }

    async fn write(&self, tx: &mut Tx, id: CourseId, now: DateTime<Utc>) -> Result<()> {
        if let Some(dates) = &self.course.1 {
            dated_rows::write_course(tx, id, dates).await?;
        }
        let modules: Vec<_> = self.modules.changed.iter().map(|(id, dates)| (*id, *dates)).collect();
        dated_rows::write_parts(tx, "modules", &modules, now).await?;
        let lessons: Vec<_> = self.lessons.changed.iter().map(|(id, dates)| (*id, *dates)).collect();
        dated_rows::write_parts(tx, "lessons", &lessons, now).await?;
        let pages: Vec<_> = (self.pages.changed.iter())
            .map(|(id, (dates, late))| (*id, *dates, late.late_until))
            .collect();
        dated_rows::write_with_late(tx, "pages", &pages, now).await?;
        let overrides: Vec<_> = (self.moved.iter())
            .map(|(id, values)| (*id, values.dates(Dates::default()), values.late_until.value()))
            .collect();
        dated_rows::write_with_late(tx, "schedule_overrides", &overrides, now).await
    }

    fn results(mut self) -> Vec<PartDates> {
        self.results.sort_by_key(|(index, _)| *index);
        self.results.into_iter().map(|(_, dates)| dates).collect()
    }
}

impl PartDates {
    fn course(dates: &CourseDates) -> Self {
        PartDates {
            starts_at: dates.starts_at,
            ends_at: dates.ends_at,
            enroll_until: dates.enroll_until,
            ..PartDates::default()
        }
    }

    fn part(of: DatesOf, dates: Dates, late_until: At) -> Self {
        PartDates {
            of,
            available_from: dates.available_from,
            available_until: dates.available_until,
            due_at: dates.due_at,
            late_until,
            ..PartDates::default()
        }
    }

    fn of_override(id: OverrideId, values: &Override) -> Self {
        let dates = values.dates(Dates::default());
        Self::part(DatesOf::Override(id), dates, values.late_until.value())
    }
}

/// The names of the dates of each kind of part.
const COURSE: [&str; 3] = ["starts_at", "ends_at", "enroll_until"];
const PART: [&str; 3] = ["available_from", "available_until", "due_at"];
const PAGE: [&str; 4] = ["available_from", "available_until", "due_at", "late_until"];

/// Fails with 422 at each date that such a part does not have.
fn require_here(entry: &DatesEntry, names: &[&str]) -> Result<()> {
    let elsewhere = entry
        .dates()
        .into_iter()
        .filter(|(name, change)| !change.is_keep() && !names.contains(name));
    let errors: Vec<FieldError> = elsewhere.map(|(name, _)| wrong(name, Message::DateNotHere)).collect();
    require_no_errors(errors)
}

/// A 422 at a field of the entry, or at the whole of it.
fn refused(field: Option<&str>, message: Message) -> Error {
    let mut error = wrong(field.unwrap_or_default(), message);
    if field.is_none() {
        error.loc.truncate(1);
    }
    error.input = Value::Null;
    Error::invalid(error)
}
