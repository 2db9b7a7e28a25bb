//! Dates and prerequisites in the files that Canvas reads of its own.
//!
//! Canvas has no dates of lessons, and of a module only when it opens. What a module or lesson says otherwise is written to its pages.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use kurso_base::schedule::Dates;
use kurso_base::wire::time_text;
use uuid::Uuid;

use super::names::Plan;
use crate::cartridge::html::escaped;
use crate::course::{CourseDraft, LessonDraft, ModuleDraft, PageDraft};

type Time = Option<DateTime<Utc>>;

fn element(name: &str, at: Time) -> String {
    at.map_or_else(String::new, |at| format!("  <{name}>{}</{name}>\n", time_text(&at)))
}

/// The elements of `course_settings.xml`.
pub fn of_course(course: &CourseDraft) -> String {
    let dates = &course.dates;
    let mut text = element("start_at", dates.starts_at) + &element("conclude_at", dates.ends_at);
    if !text.is_empty() {
        text.push_str("  <restrict_enrollments_to_course_dates>true</restrict_enrollments_to_course_dates>\n");
    }
    if let Some(zone) = &dates.time_zone {
        text.push_str(&format!("  <time_zone>{}</time_zone>\n", escaped(zone)));
    }
    text
}

/// Whether each lesson of a module needs the one before it: `require_sequential_progress` of Canvas, which also makes the pages of a
/// lesson sequential.
pub fn is_sequential(course: &CourseDraft, module: &ModuleDraft) -> bool {
    let mut steps = module.lessons.iter().zip(module.lessons.iter().skip(1));
    let needs_each =
        module.lessons.len() > 1 && steps.all(|(before, lesson)| lesson.prerequisites.contains(&before.id));
    course.dates.sequential || needs_each
}

/// The dates that Canvas applies to a page: its own and what it has from its lesson and module.
#[derive(Clone, Copy)]
pub struct PageDates {
    opens: Time,
    due: Time,
    closes: Time,
}

impl PageDates {
    pub fn of(module: &ModuleDraft, lesson: &LessonDraft, page: &PageDraft) -> Self {
        let all = [page.dates, lesson.dates, module.dates];
        let until = all.iter().filter_map(|dates| dates.available_until).min();
        let due = all.iter().find_map(|dates| dates.due_at);
        let late = &page.late;
        // Canvas accepts late attempts until the quiz closes.
        let last = match due {
            Some(due) if page.quiz.is_some() => {
                if late.is_allowed() {
                    late.late_until
                } else {
                    Some(due)
                }
            }
            _ => None,
        };
        PageDates {
            opens: [page.dates, lesson.dates]
                .iter()
                .filter_map(|dates| dates.available_from)
                .max(),
            // A page without a quiz becomes an entry of a list of things to do: only if it has a date itself.
            due: if page.quiz.is_some() { due } else { page.dates.due_at },
            closes: [until, last].into_iter().flatten().min(),
        }
    }

    /// The elements of `assessment_meta.xml`.
    pub fn of_quiz(&self) -> String {
        element("due_at", self.due) + &element("lock_at", self.closes) + &element("unlock_at", self.opens)
    }

    /// Elements of the head of a page.
    pub fn of_html(&self) -> String {
        let meta = |name: &str, at: Time| {
            at.map_or_else(String::new, |at| {
                format!("<meta name=\"{name}\" content=\"{}\"/>\n", time_text(&at))
            })
        };
        meta("todo_date", self.due) + &meta("unlock_at", self.opens) + &meta("lock_at", self.closes)
    }
}

/// What modules of a course need, in the words of `module_meta.xml`.
pub struct Modules<'a> {
    /// Identifier and title by the id of the module.
    named: HashMap<Uuid, (&'a str, &'a str)>,
    /// The modules that each one needs: what its author set, and in a sequential course the one before it.
    needs: HashMap<Uuid, Vec<Uuid>>,
    /// The modules whose pages are sequential.
    sequential: HashSet<Uuid>,
    /// The modules that say what completes them.
    completing: HashSet<Uuid>,
}

impl<'a> Modules<'a> {
    pub fn of(course: &'a CourseDraft, plan: &'a Plan<'_>) -> Self {
        let named = course.modules.iter().zip(&plan.modules);
        let mut needs: HashMap<Uuid, Vec<Uuid>> = course
            .modules
            .iter()
            .map(|module| (module.id, module.prerequisites.clone()))
            .collect();
        if course.dates.sequential {
            // A module without published pages holds up nobody.
            let has_pages = |module: &&ModuleDraft| {
                module
                    .lessons
                    .iter()
                    .flat_map(|lesson| &lesson.pages)
                    .any(|page| page.published)
            };
            let mut before = None;
            for module in course.modules.iter().filter(has_pages) {
                let needs = needs.entry(module.id).or_default();
                needs.extend(before.filter(|before| !needs.contains(before)));
                before = Some(module.id);
            }
        }
        let sequential: HashSet<Uuid> = course
            .modules
            .iter()
            .filter(|module| is_sequential(course, module))
            .map(|module| module.id)
            .collect();
        Modules {
            named: named
                .map(|(module, named)| (module.id, (named.id.as_str(), module.title.as_str())))
                .collect(),
            completing: needs.values().flatten().chain(&sequential).copied().collect(),
            needs,
            sequential,
        }
    }

    /// The elements that say when a module opens. Canvas knows no prerequisites but modules.
    pub fn opening(&self, module: &ModuleDraft) -> String {
        let Dates { available_from, .. } = module.dates;
        let mut text = element("unlock_at", available_from).replace("  <", "    <");
        if self.sequential.contains(&module.id) {
            text.push_str("    <require_sequential_progress>true</require_sequential_progress>\n");
        }
        let needs = self.needs.get(&module.id).into_iter().flatten();
        let needs: String = needs
            .filter_map(|id| self.named.get(id))
            .map(|(id, title)| {
                format!(
                    "      <prerequisite type=\"context_module\">\n        <title>{}</title>\n        <identifierref>{id}</identifierref>\n      \
                     </prerequisite>\n",
                    escaped(title)
                )
            })
            .collect();
        if !needs.is_empty() {
            text.push_str(&format!("    <prerequisites>\n{needs}    </prerequisites>\n"));
        }
        text
    }

    /// When a module is complete. Canvas treats modules without completion requirements as complete and never as sequential, so the modules that
    /// others need, and those whose pages are sequential, have requirements. `items` has the identifier of each page's item.
    pub fn completion(&self, module: &ModuleDraft, items: &[&str]) -> String {
        if !self.completing.contains(&module.id) {
            return String::new();
        }
        let pages = module.lessons.iter().flat_map(|lesson| &lesson.pages).zip(items);
        let requirements: String = pages
            .filter(|(page, _)| page.published)
            .map(|(page, item)| {
                let (kind, least) = match &page.quiz {
                    None => ("must_view", String::new()),
                    Some(quiz) => {
                        let points: f64 = quiz.asked().map(|question| question.points.as_f64()).sum();
                        let least = points * f64::from(quiz.pass_percent) / 100.0;
                        ("min_score", format!("        <min_score>{least}</min_score>\n"))
                    }
                };
                format!(
                    "      <completionRequirement type=\"{kind}\">\n{least}        <identifierref>{item}</identifierref>\n      \
                     </completionRequirement>\n"
                )
            })
            .collect();
        format!("    <completionRequirements>\n{requirements}    </completionRequirements>\n")
    }
}
