//! Moves the dates of a course that was read, so that it starts on another day.

use kurso_base::schedule::ScheduleTime;
use kurso_base::schedule::shift::Shift;

use crate::course::CourseDraft;
use crate::note::Note;
use crate::report::Report;

/// Lets the course start then. All dates move by the days between the old and the new start, at the same times of day in its zone; a day
/// without a time also keeps the time of the start. A course without a start only gets one. What would be impossible is reported and
/// changes nothing.
pub fn begin_at(course: &mut CourseDraft, start: ScheduleTime, report: &mut Report) {
    let zone = course.dates.zone();
    let new = start.opening(zone);
    let days = course.dates.starts_at.map_or(0, |old| {
        zone.day_of(new).signed_duration_since(zone.day_of(old)).num_days()
    });
    if !move_by(course, Shift { days, zone }) {
        report.add(&course.title, Note::StartTooFar);
        return;
    }
    if matches!(start, ScheduleTime::Day(_)) && course.dates.starts_at.is_some() {
        return;
    }
    let before = course.dates.starts_at.replace(new);
    if !course.dates.misplaced().is_empty() {
        course.dates.starts_at = before;
        report.add(&course.title, Note::StartAfterEnd);
    }
}

/// Whether all dates were moved; if one would be outside of the years of dates, none is.
fn move_by(course: &mut CourseDraft, shift: Shift) -> bool {
    if shift.days == 0 {
        return true;
    }
    let Some(dates) = shift.course(&course.dates) else {
        return false;
    };
    let modules = course.modules.iter().map(|module| &module.dates);
    let lessons = course.lessons().map(|lesson| &lesson.dates);
    let parts: Option<Vec<_>> = modules.chain(lessons).map(|dates| shift.part(dates)).collect();
    let pages: Option<Vec<_>> = course
        .pages()
        .map(|page| {
            let dates = shift.part(&page.dates)?;
            Some((dates, shift.late(&page.late, &dates)?))
        })
        .collect();
    let (Some(parts), Some(pages)) = (parts, pages) else {
        return false;
    };
    course.dates = dates;
    let count = course.modules.len();
    let (modules, lessons) = parts.split_at(count);
    for (module, dates) in course.modules.iter_mut().zip(modules) {
        module.dates = *dates;
    }
    let all = course.modules.iter_mut().flat_map(|module| &mut module.lessons);
    for (lesson, dates) in all.zip(lessons) {
        lesson.dates = *dates;
    }
    for (page, (dates, late)) in course.pages_mut().zip(pages) {
        (page.dates, page.late) = (dates, late);
    }
    true
}
