//! `kurso/course.xml`: what Common Cartridge cannot hold of a course, written and read side by side.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use kurso_base::schedule::{CourseDates, Dates, Late, ScheduleTime, TimeZone};
use kurso_base::values::{Checked as _, FEW, Percentage};
use kurso_base::wire::time_text;
use roxmltree::Node;
use uuid::Uuid;

use super::html::escaped;
use super::write::names::Plan;
use super::xml::{attr, children, text_of};
use super::{LESSON_ID, MODULE_ID};
use crate::course::CourseDraft;
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
    /// The identifiers of prerequisites, by the identifier of the module or lesson.
    needs: HashMap<String, Vec<String>>,
}

impl Extension {
    pub fn read(root: Node<'_, '_>) -> Self {
        let id = |node| attr(node, "identifier").map(str::to_owned);
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
            course: read_course_dates(root),
            dates: ["module", "lesson", "page"]
                .into_iter()
                .flat_map(|name| children(root, name))
                .filter_map(|node| Some((id(node)?, read_dates(node))))
                .collect(),
            needs: ["module", "lesson"]
                .into_iter()
                .flat_map(|name| children(root, name))
                .filter_map(|node| {
                    let needs = attr(node, "needs")?.split_whitespace().take(FEW);
                    Some((id(node)?, needs.map(str::to_owned).collect()))
                })
                .collect(),
        }
    }

    /// The dates of a module, lesson or page; none that are out of order.
    pub fn dates_of(&self, id: Option<&str>) -> (Dates, Late) {
        id.and_then(|id| self.dates.get(id)).copied().unwrap_or_default()
    }

    /// Sets the fields that the package holds in this file only. Avatars become the paths of their files.
    pub fn apply(&self, course: &mut CourseDraft) {
        course.dates.clone_from(&self.course);
        if self.present {
            self.set_prerequisites(course);
        }
        for module in &mut course.modules {
            let id = module.key.as_ref().map(|key| format!("{MODULE_ID}{key}"));
            (module.dates, _) = self.dates_of(id.as_deref());
            for lesson in &mut module.lessons {
                let id = lesson.key.as_ref().map(|key| format!("{LESSON_ID}{key}"));
                (lesson.dates, _) = self.dates_of(id.as_deref());
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
        if !dates.is_empty() {
            only_here(&course.title);
        }
        let modules = course.modules.iter().zip(&plan.modules);
        let named = modules.flat_map(|(module, named)| {
            let lessons = module.lessons.iter().zip(&named.lessons);
            let lessons = lessons.map(|(lesson, id)| (lesson.id, id.as_str()));
            std::iter::once((module.id, named.id.as_str())).chain(lessons)
        });
        let named: HashMap<Uuid, &str> = named.collect();
        let needs_of = |needs: &[Uuid]| {
            let needs: Vec<&str> = needs.iter().filter_map(|id| named.get(id).copied()).collect();
            attributes([("needs", (!needs.is_empty()).then(|| needs.join(" ")))])
        };
        let mut text =
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<course xmlns=\"urn:kurso:course:1\"{dates}>\n");
        for (module, named) in course.modules.iter().zip(&plan.modules) {
            let avatar = module.avatar.as_ref().and_then(|key| plan.files.get(key));
            let avatar = avatar.map(|(path, _)| format!(" avatar=\"{}\"", escaped(path)));
            for (lesson, id) in module.lessons.iter().zip(&named.lessons) {
                let dates = dates_of(&lesson.dates, &Late::default()) + &needs_of(&lesson.prerequisites);
                if !dates.is_empty() {
                    only_here(&lesson.title);
                    text.push_str(&format!("  <lesson identifier=\"{id}\"{dates}/>\n"));
                }
            }
            let dates = dates_of(&module.dates, &Late::default()) + &needs_of(&module.prerequisites);
            if module.description.is_none() && avatar.is_none() && dates.is_empty() {
                continue;
            }
            only_here(&module.title);
            let avatar = avatar.unwrap_or_default();
            let start = format!("  <module identifier=\"{}\"{avatar}{dates}", named.id);
            text.push_str(&match &module.description {
                None => format!("{start}/>\n"),
                Some(said) => format!("{start}><description>{}</description></module>\n", escaped(said)),
            });
        }
        for (page, named) in course.pages().zip(&plan.pages) {
            let dates = dates_of(&page.dates, &page.late);
            if !dates.is_empty() {
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

fn read_time(node: Node<'_, '_>, name: &str) -> Option<DateTime<Utc>> {
    ScheduleTime::parse(attr(node, name)?)
        .ok()
        .map(|time| time.opening(TimeZone::UTC))
}

fn read_course_dates(root: Node<'_, '_>) -> CourseDates {
    let dates = CourseDates {
        starts_at: read_time(root, "starts_at"),
        ends_at: read_time(root, "ends_at"),
        enroll_until: read_time(root, "enroll_until"),
        time_zone: attr(root, "time_zone")
            .and_then(TimeZone::named)
            .map(|zone| zone.name().to_owned()),
        hide_locked_titles: attr(root, "hide_locked_titles") == Some("true"),
        sequential: attr(root, "sequential") == Some("true"),
    };
    Some(dates)
        .filter(|dates| dates.misplaced().is_empty())
        .unwrap_or_default()
}

fn read_dates(node: Node<'_, '_>) -> (Dates, Late) {
    let percent = |name| {
        Percentage::check(attr(node, name)?.parse().ok()?)
            .ok()
            .map(Percentage::get)
    };
    let dates = Dates {
        available_from: read_time(node, "available_from"),
        available_until: read_time(node, "available_until"),
        due_at: read_time(node, "due_at"),
    };
    let late = Late {
        late_until: read_time(node, "late_until"),
        late_penalty_per_day: percent("late_penalty_per_day"),
        late_penalty_max: percent("late_penalty_max"),
    };
    if dates.misplaced().is_empty() && late.misplaced(&dates).is_empty() {
        (dates, late)
    } else {
        <(Dates, Late)>::default()
    }
}
