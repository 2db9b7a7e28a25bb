//! The dates of a stored course that an update by a file changes.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use kurso_base::schedule::{CourseDates, Dates, Late};
use kurso_formats::CourseDraft;

/// A date of a course, module, lesson or page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateField {
    StartsAt,
    EndsAt,
    EnrollUntil,
    AvailableFrom,
    AvailableUntil,
    DueAt,
    LateUntil,
}

/// The kind of a part of a course that has dates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DatedPart {
    Course,
    Module,
    Lesson,
    Page,
}

/// A date that differs after the update.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DateChange {
    pub part: DatedPart,
    /// The title after the update; none for a page without one.
    pub title: Option<String>,
    /// Position among its siblings, from 1.
    pub number: i64,
    pub field: DateField,
    pub before: Option<DateTime<Utc>>,
    pub after: Option<DateTime<Utc>>,
}

type Times = Vec<(DateField, Option<DateTime<Utc>>)>;

fn of_course(dates: &CourseDates) -> Times {
    vec![
        (DateField::StartsAt, dates.starts_at),
        (DateField::EndsAt, dates.ends_at),
        (DateField::EnrollUntil, dates.enroll_until),
    ]
}

fn of_part(dates: &Dates, late: &Late) -> Times {
    vec![
        (DateField::AvailableFrom, dates.available_from),
        (DateField::AvailableUntil, dates.available_until),
        (DateField::DueAt, dates.due_at),
        (DateField::LateUntil, late.late_until),
    ]
}

/// A part with its dates.
struct Dated<'a> {
    id: Uuid,
    part: DatedPart,
    title: Option<&'a str>,
    number: i64,
    times: Times,
}

/// The modules, lessons and pages in reading order.
fn parts(draft: &CourseDraft) -> impl Iterator<Item = Dated<'_>> {
    let none = Late::default();
    (1..).zip(&draft.modules).flat_map(move |(number, module)| {
        let own = Dated {
            id: module.id,
            part: DatedPart::Module,
            title: Some(&module.title),
            number,
            times: of_part(&module.dates, &none),
        };
        let lessons = (1..).zip(&module.lessons).flat_map(move |(number, lesson)| {
            let own = Dated {
                id: lesson.id,
                part: DatedPart::Lesson,
                title: Some(&lesson.title),
                number,
                times: of_part(&lesson.dates, &none),
            };
            let pages = (1..).zip(&lesson.pages).map(|(number, page)| Dated {
                id: page.id,
                part: DatedPart::Page,
                title: page.title.as_deref(),
                number,
                times: of_part(&page.dates, &page.late),
            });
            std::iter::once(own).chain(pages)
        });
        std::iter::once(own).chain(lessons)
    })
}

/// The dates that differ, in reading order. New and removed parts have none: the preview names their pages. `draft` has the ids of the stored
/// course.
pub(super) fn between(stored: &CourseDraft, draft: &CourseDraft) -> Vec<DateChange> {
    let before: HashMap<Uuid, Times> = parts(stored).map(|part| (part.id, part.times)).collect();
    let course = Dated {
        id: Uuid::nil(),
        part: DatedPart::Course,
        title: Some(&draft.title),
        number: 1,
        times: of_course(&draft.dates),
    };
    let mut changes = changed(&of_course(&stored.dates), course);
    for part in parts(draft) {
        if let Some(before) = before.get(&part.id) {
            changes.extend(changed(before, part));
        }
    }
    changes
}

fn changed(before: &Times, after: Dated<'_>) -> Vec<DateChange> {
    let pairs = before.iter().zip(after.times);
    pairs
        .filter(|((_, before), (_, after))| before != after)
        .map(|((field, before), (_, at))| DateChange {
            part: after.part,
            title: after.title.map(str::to_owned),
            number: after.number,
            field: *field,
            before: *before,
            after: at,
        })
        .collect()
}
