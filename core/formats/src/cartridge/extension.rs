//! `kurso/course.xml`: what Common Cartridge cannot hold of a course, written and read side by side.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use kurso_base::schedule::{CourseDates, Dates, Late, ScheduleTime, TimeZone};
use kurso_base::values::{Checked as _, FEW, Percentage};
use kurso_base::wire::time_text;
use roxmltree::Node;
use uuid::Uuid;

use super::html::escaped;
use super::write::dates::is_sequential;
use super::write::names::Plan;
use super::xml::{attr, children, text_of};
use super::{EXTENSION, LESSON_ID, MODULE_ID};
use crate::course::{CourseDraft, UnreadDates};
use crate::note::Note;
use crate::note::cartridge::Note as CartridgeNote;
use crate::report::Report;

#[derive(Default)]
pub struct Extension {
    pub present: bool,
    /// Description and avatar path by the identifier of the module.
    modules: HashMap<String, (Option<String>, Option<String>)>,
    /// Identifiers of pages without a title.
    pub untitled: HashSet<String>,
    course: CourseDates,
    /// By the identifier of the module, lesson or page.
    dates: HashMap<String, (Dates, Late)>,
    /// Where dates could not be read: the identifiers of modules, lessons and pages.
    unread: HashSet<String>,
    is_course_unread: bool,
    /// Whether the file exists, but cannot be read.
    is_unreadable: bool,
    /// The identifiers of prerequisites, by the identifier of the module or lesson.
    needs: HashMap<String, Vec<String>>,
}

impl Extension {
    /// A file that exists, but cannot be read.
    pub fn unreadable() -> Self {
        Extension {
            is_course_unread: true,
            is_unreadable: true,
            ..Extension::default()
        }
    }

    pub fn read(root: Node<'_, '_>, notes: &mut Vec<(String, CartridgeNote)>) -> Self {
        let id = |node| attr(node, "identifier").map(str::to_owned);
        let (course, is_course_read) = read_course_dates(root);
        let (mut dates, mut unread) = (HashMap::new(), HashSet::new());
        for node in ["module", "lesson", "page"]
            .into_iter()
            .flat_map(|name| children(root, name))
        {
            let Some(id) = id(node) else { continue };
            let (found, is_read) = read_dates(node);
            if !is_read {
                notes.push((EXTENSION.to_owned(), CartridgeNote::BadDates(id.clone())));
                unread.insert(id.clone());
            }
            dates.insert(id, found);
        }
        if !is_course_read {
            notes.push((EXTENSION.to_owned(), CartridgeNote::BadDates("course".to_owned())));
        }
        Extension {
            present: true,
            modules: children(root, "module")
                .filter_map(|node| {
                    let avatar = attr(node, "avatar").map(str::to_owned);
                    Some((id(node)?, (text_of(node, "description"), avatar)))
                })
                .collect(),
            untitled: children(root, "page")
                .filter(|node| attr(*node, "untitled").is_some())
                .filter_map(id)
                .collect(),
            course,
            dates,
            unread,
            is_course_unread: !is_course_read,
            is_unreadable: false,
            needs: ["module", "lesson"]
                .into_iter()
                .flat_map(|name| children(root, name))
                .filter_map(|node| {
                    let needs = attr(node, "needs")?.split_whitespace();
                    let count = needs.clone().count().saturating_sub(FEW);
                    if count > 0 {
                        notes.push((id(node)?, CartridgeNote::MoreNeeds { count, most: FEW }));
                    }
                    Some((id(node)?, needs.take(FEW).map(str::to_owned).collect()))
                })
                .collect(),
        }
    }

    /// The dates of a module, lesson or page; none that are out of order.
    pub fn dates_of(&self, id: Option<&str>) -> (Dates, Late) {
        id.and_then(|id| self.dates.get(id)).copied().unwrap_or_default()
    }

    /// Whether the dates of a module, lesson or page could not be read.
    pub fn is_unread(&self, id: Option<&str>) -> bool {
        self.is_unreadable || id.is_some_and(|id| self.unread.contains(id))
    }

    /// Sets the fields that the package holds in this file only. Avatars become the paths of their files.
    pub fn apply(&self, course: &mut CourseDraft) {
        if self.present {
            course.dates.clone_from(&self.course);
            course.unread_dates = UnreadDates::default();
            self.set_prerequisites(course);
        }
        course.unread_dates.course |= self.is_course_unread;
        course.unread_dates.flags = self.is_unreadable;
        course.unread_dates.prerequisites = self.is_unreadable;
        let unread = &mut course.unread_dates.parts;
        for module in &mut course.modules {
            let id = module.key.as_ref().map(|key| format!("{MODULE_ID}{key}"));
            if self.present {
                (module.dates, _) = self.dates_of(id.as_deref());
            }
            unread.extend(self.is_unread(id.as_deref()).then_some(module.id));
            for lesson in &mut module.lessons {
                let id = lesson.key.as_ref().map(|key| format!("{LESSON_ID}{key}"));
                if self.present {
                    (lesson.dates, _) = self.dates_of(id.as_deref());
                }
                unread.extend(self.is_unread(id.as_deref()).then_some(lesson.id));
            }
            let found = id.and_then(|id| self.modules.get(&id)).cloned();
            (module.description, module.avatar) = found.unwrap_or_default();
        }
    }

    fn set_prerequisites(&self, course: &mut CourseDraft) {
        let named = |prefix: &str, key: &Option<String>| key.as_ref().map(|key| format!("{prefix}{key}"));
        let modules = course
            .modules
            .iter()
            .map(|module| (module.id, named(MODULE_ID, &module.key)));
        let lessons = course
            .lessons()
            .map(|lesson| (lesson.id, named(LESSON_ID, &lesson.key)));
        let named: Vec<_> = modules
            .chain(lessons)
            .filter_map(|(id, name)| Some((id, name?)))
            .collect();
        let name_of: HashMap<Uuid, &str> = named.iter().map(|(id, name)| (*id, name.as_str())).collect();
        let id_of: HashMap<&str, Uuid> = named.iter().map(|(id, name)| (name.as_str(), *id)).collect();
        for (part, needs) in course.prerequisites_mut() {
            needs.clear(); // a module of Canvas knows less of what it needs
            let names = name_of.get(&part).and_then(|name| self.needs.get(*name));
            let ids = names
                .into_iter()
                .flatten()
                .filter_map(|name| id_of.get(name.as_str()).copied());
            needs.extend(ids);
        }
    }

    /// The content of the file, in the order of the course. The report lists the modules in it.
    pub fn write(course: &CourseDraft, plan: &Plan<'_>, report: &mut Report) -> String {
        let mut only_here = |title: &str| report.add(title, Note::Cartridge(CartridgeNote::OnlyHere));
        let dates = course_dates(&course.dates);
        // What the files of Canvas have as well is left out.
        let for_all = CourseDates {
            starts_at: None,
            ends_at: None,
            time_zone: None,
            sequential: false,
            ..course.dates.clone()
        };
        if for_all != CourseDates::default() {
            only_here(&course.title);
        }
        let modules = course.modules.iter().zip(&plan.modules);
        let named = modules.flat_map(|(module, named)| {
            let lessons = module.lessons.iter().zip(&named.lessons);
            let lessons = lessons.map(|(lesson, id)| (lesson.id, id.as_str()));
            std::iter::once((module.id, named.id.as_str())).chain(lessons)
        });
        let named: HashMap<Uuid, &str> = named.collect();
        let modules: HashSet<Uuid> = course.modules.iter().map(|module| module.id).collect();
        let needs_of = |needs: &[Uuid]| {
            let needs: Vec<&str> = needs.iter().filter_map(|id| named.get(id).copied()).collect();
            attributes([("needs", (!needs.is_empty()).then(|| needs.join(" ")))])
        };
        let mut text =
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<course xmlns=\"urn:kurso:course:1\"{dates}>\n");
        for (module, named) in course.modules.iter().zip(&plan.modules) {
            let avatar = module.avatar.as_ref().and_then(|key| plan.files.get(key));
            let avatar = avatar.map(|(path, _)| format!(" avatar=\"{}\"", escaped(path)));
            let sequential = is_sequential(course, module);
            let mut before = None;
            for (lesson, id) in module.lessons.iter().zip(&named.lessons) {
                let first = before.replace(lesson.id).filter(|_| sequential);
                let dates = dates_of(&lesson.dates, &Late::default()) + &needs_of(&lesson.prerequisites);
                if lesson.prerequisites.iter().any(|need| Some(*need) != first) {
                    only_here(&lesson.title);
                }
                if !dates.is_empty() {
                    text.push_str(&format!("  <lesson identifier=\"{id}\"{dates}/>\n"));
                }
            }
            let dates = dates_of(&module.dates, &Late::default()) + &needs_of(&module.prerequisites);
            if module.description.is_none() && avatar.is_none() && dates.is_empty() {
                continue;
            }
            let needs_lessons = !module.prerequisites.iter().all(|id| modules.contains(id));
            if module.description.is_some() || avatar.is_some() || needs_lessons {
                only_here(&module.title);
            }
            let avatar = avatar.unwrap_or_default();
            let start = format!("  <module identifier=\"{}\"{avatar}{dates}", named.id);
            text.push_str(&match &module.description {
                None => format!("{start}/>\n"),
                Some(said) => format!("{start}><description>{}</description></module>\n", escaped(said)),
            });
        }
        for (page, named) in course.pages().zip(&plan.pages) {
            let dates = dates_of(&page.dates, &page.late);
            if page.late.late_penalty_per_day.is_some_and(|percent| percent > 0) {
                only_here(&named.title);
            }
            let untitled = if page.title.is_none() { " untitled=\"true\"" } else { "" };
            if !untitled.is_empty() || !dates.is_empty() {
                text.push_str(&format!("  <page identifier=\"{}\"{untitled}{dates}/>\n", named.id));
            }
        }
        text.push_str("</course>\n");
        text
    }
}

/// Attributes with a value; each begins with a space.
fn attributes<const N: usize>(values: [(&str, Option<String>); N]) -> String {
    let known = values.into_iter().filter_map(|(name, value)| Some((name, value?)));
    known
        .map(|(name, value)| format!(" {name}=\"{}\"", escaped(&value)))
        .collect()
}

fn course_dates(dates: &CourseDates) -> String {
    let time = |at: &Option<DateTime<Utc>>| at.as_ref().map(time_text);
    attributes([
        ("starts_at", time(&dates.starts_at)),
        ("ends_at", time(&dates.ends_at)),
        ("enroll_until", time(&dates.enroll_until)),
        ("time_zone", dates.time_zone.clone()),
        (
            "hide_locked_titles",
            dates.hide_locked_titles.then(|| "true".to_owned()),
        ),
        ("sequential", dates.sequential.then(|| "true".to_owned())),
    ])
}

fn dates_of(dates: &Dates, late: &Late) -> String {
    let time = |at: &Option<DateTime<Utc>>| at.as_ref().map(time_text);
    let number = |number: Option<i64>| number.map(|number| number.to_string());
    attributes([
        ("available_from", time(&dates.available_from)),
        ("available_until", time(&dates.available_until)),
        ("due_at", time(&dates.due_at)),
        ("late_until", time(&late.late_until)),
        ("late_penalty_per_day", number(late.late_penalty_per_day)),
        ("late_penalty_max", number(late.late_penalty_max)),
    ])
}

/// A date, and whether it is absent or could be read.
fn read_time(node: Node<'_, '_>, name: &str, is_read: &mut bool) -> Option<DateTime<Utc>> {
    let found = ScheduleTime::parse(attr(node, name)?);
    *is_read &= found.is_ok();
    found.ok().map(|time| time.opening(TimeZone::UTC))
}

/// The dates of a course, and whether all could be read. None that are out of order.
fn read_course_dates(root: Node<'_, '_>) -> (CourseDates, bool) {
    let mut is_read = true;
    let zone = attr(root, "time_zone").map(TimeZone::named);
    is_read &= zone != Some(None);
    let mut dates = CourseDates {
        starts_at: read_time(root, "starts_at", &mut is_read),
        ends_at: read_time(root, "ends_at", &mut is_read),
        enroll_until: read_time(root, "enroll_until", &mut is_read),
        time_zone: zone.flatten().map(|zone| zone.name().to_owned()),
        hide_locked_titles: attr(root, "hide_locked_titles") == Some("true"),
        sequential: attr(root, "sequential") == Some("true"),
    };
    if !dates.misplaced().is_empty() {
        is_read = false;
        (dates.starts_at, dates.ends_at, dates.enroll_until) = (None, None, None);
    }
    (dates, is_read)
}

/// The dates of a module, lesson or page, and whether all could be read. None that are out of order.
fn read_dates(node: Node<'_, '_>) -> ((Dates, Late), bool) {
    let mut is_read = true;
    let dates = Dates {
        available_from: read_time(node, "available_from", &mut is_read),
        available_until: read_time(node, "available_until", &mut is_read),
        due_at: read_time(node, "due_at", &mut is_read),
    };
    let late_until = read_time(node, "late_until", &mut is_read);
    let mut percent = |name| {
        let text = attr(node, name)?;
        let found = text.parse().ok().and_then(|number| Percentage::check(number).ok());
        is_read &= found.is_some();
        found.map(Percentage::get)
    };
    let late = Late {
        late_until,
        late_penalty_per_day: percent("late_penalty_per_day"),
        late_penalty_max: percent("late_penalty_max"),
    };
    if dates.misplaced().is_empty() && late.misplaced(&dates).is_empty() {
        ((dates, late), is_read)
    } else {
        (<(Dates, Late)>::default(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::xml;
    use super::*;

    #[test]
    fn dates_that_cannot_be_read_are_reported() {
        let text = r#"<course starts_at="2026-09-01T00:00:00Z" time_zone="Europe/Kitezh">
            <module identifier="m" available_from="soon" due_at="2026-10-01T00:00:00Z"/>
            <lesson identifier="l" available_from="2026-10-02T00:00:00Z" due_at="2026-10-01T00:00:00Z"/>
            <page identifier="p" due_at="2026-10-01T00:00:00Z" late_penalty_per_day="500"/>
            <page identifier="q" due_at="2026-10-01T00:00:00Z" late_penalty_per_day="5"/>
            </course>"#;
        let mut notes = Vec::new();
        let document = xml::parse(text).unwrap();
        let read = Extension::read(document.root_element(), &mut notes);
        let bad = ["m", "l", "p", "course"].map(|id| (EXTENSION.to_owned(), CartridgeNote::BadDates(id.to_owned())));
        assert_eq!(notes, bad);
        let due = Some("2026-10-01T00:00:00Z".parse().unwrap());
        let of = |id| read.dates_of(Some(id));
        assert_eq!((of("m").0.available_from, of("m").0.due_at), (None, due));
        assert_eq!(of("l"), <(Dates, Late)>::default());
        assert_eq!(of("q").1.late_penalty_per_day, Some(5));
        assert_eq!(
            ["m", "l", "p", "q"].map(|id| read.is_unread(Some(id))),
            [true, true, true, false]
        );
        assert_eq!((read.course.time_zone, read.course.starts_at.is_some()), (None, true));
        assert!(read.is_course_unread);
    }
}
