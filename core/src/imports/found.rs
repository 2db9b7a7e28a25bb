//! What an import found in a file: a summary, the tree of titles, and the report in both languages.

use serde::{Deserialize, Serialize};

use super::changes::Changes;
use kurso_base::messages::Lang;
use kurso_formats::{Counts, CourseDraft, Outcome, Report};

/// Maximum number of lessons and pages in the tree; the preview serves only to recognise the course.
const MAX_LISTED: usize = 2_000;

/// A summary of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    pub title: String,
    pub description: Option<String>,
    pub counts: Counts,
    pub outcomes: Outcomes,
}

/// The number of report lines by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes {
    pub carried: i64,
    pub changed: i64,
    pub not_carried: i64,
}

/// The titles of the course as it would be stored; for an update, also its effect.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    pub modules: Vec<TreeModule>,
    /// Modules, lessons and pages not listed.
    pub omitted: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) changes: Option<Changes>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeModule {
    pub title: String,
    pub lessons: Vec<TreeLesson>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeLesson {
    pub title: String,
    pub pages: Vec<TreePage>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreePage {
    /// None if the page is shown by its number in the lesson.
    pub title: Option<String>,
    /// The number of questions of a quiz page; None for other pages.
    pub questions: Option<i64>,
    pub published: bool,
}

/// A line of the report in both languages; the reader's language is chosen when it is displayed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    #[serde(rename = "where")]
    pub place: String,
    pub outcome: String,
    pub en: (String, String),
    pub ru: (String, String),
}

impl Line {
    pub(super) fn is_of(&self, outcome: Option<Outcome>) -> bool {
        outcome.is_none_or(|outcome| outcome.name() == self.outcome)
    }
}

fn number(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

impl Found {
    pub fn of(draft: &CourseDraft, report: &Report) -> Self {
        Found {
            title: draft.title.clone(),
            description: draft.description.clone(),
            counts: report.counts,
            outcomes: Outcomes::of(report),
        }
    }
}

impl Outcomes {
    pub fn of(report: &Report) -> Self {
        let count = |outcome| number(report.of(outcome).count());
        Outcomes {
            carried: count(Outcome::Carried),
            changed: count(Outcome::Changed),
            not_carried: count(Outcome::NotCarried),
        }
    }
}

impl Tree {
    pub fn of(draft: &CourseDraft) -> Self {
        let mut tree = Tree::default();
        let mut room = MAX_LISTED;
        let mut has_room = || {
            let has = room > 0;
            room = room.saturating_sub(1);
            has
        };
        for module in &draft.modules {
            if !has_room() {
                tree.omitted += 1;
            } else {
                tree.modules.push(TreeModule {
                    title: module.title.clone(),
                    lessons: vec![],
                });
            }
            for lesson in &module.lessons {
                let into = tree.modules.last_mut().filter(|_| has_room());
                let Some(into) = into else {
                    tree.omitted += 1 + number(lesson.pages.len());
                    continue;
                };
                let mut shown = TreeLesson {
                    title: lesson.title.clone(),
                    pages: vec![],
                };
                for page in &lesson.pages {
                    if !has_room() {
                        tree.omitted += 1;
                        continue;
                    }
                    shown.pages.push(TreePage {
                        title: page.title.clone(),
                        questions: page.quiz.as_ref().map(|quiz| number(quiz.question_count())),
                        published: page.published,
                    });
                }
                into.lessons.push(shown);
            }
        }
        tree
    }
}

/// The report as it is stored.
pub fn lines(report: &Report) -> Vec<Line> {
    let line = |entry: &kurso_formats::Entry| Line {
        place: entry.place.clone(),
        outcome: entry.note.outcome().name().to_owned(),
        en: entry.texts(Lang::En),
        ru: entry.texts(Lang::Ru),
    };
    report.entries.iter().map(line).collect()
}
