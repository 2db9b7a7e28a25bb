//! Settings of assignments, discussions and quizzes in Canvas and similar systems, as readable lines.

use roxmltree::Node;

use super::assignment::Work;
use super::canvas_dates::{ItemDates, Lookup, in_node};
use super::labels::Labels;
use super::xml::{attr, child, children, find, text_of};
use crate::quiz::MAX_TIME_LIMIT;

/// Names and values to show on the page, and whether the page is published.
#[derive(Default)]
pub struct Settings {
    pub lines: Vec<(String, String)>,
    pub dates: ItemDates,
    pub unpublished: bool,
    /// What learners hand in online; then the lines do not say how.
    pub work: Option<Work>,
}

/// Reads an assignment of the profile or Canvas's `assignment_settings.xml`. The dates of the item that it belongs to come before its own.
pub fn assignment(root: Node<'_, '_>, labels: &Labels, item: Option<Lookup<'_>>) -> Settings {
    let own = find(root, "extensions").and_then(|node| find(node, "assignment"));
    let own = own.unwrap_or(root);
    let mut settings = Settings::default();
    let points = child(root, "gradable").and_then(|node| attr(node, "points_possible"));
    let points = points.map(str::to_owned).or_else(|| text_of(own, "points_possible"));
    let ways: Vec<String> = match text_of(own, "submission_types") {
        Some(types) => types.split(',').map(|way| way.trim().to_owned()).collect(),
        None => child(root, "submission_formats")
            .into_iter()
            .flat_map(|node| children(node, "format"))
            .filter_map(|format| attr(format, "type").map(str::to_owned))
            .collect(),
    };
    let is_gradable = text_of(root, "gradable").is_none_or(|value| value != "false");
    settings.work = is_gradable.then(|| Work::read(own, &ways, points.as_deref())).flatten();
    let is_online = settings.work.is_some();
    if let Some(points) = points
        .filter(|_| !is_online)
        .filter(|points| points.parse::<f64>().is_ok_and(|points| points > 0.0))
    {
        let whole = points.strip_suffix(".0").unwrap_or(&points);
        settings.lines.push((labels.points.into(), whole.into()));
    }
    let own_dates = in_node(own);
    let found = match item {
        Some(item) => ItemDates::of(&[item, &own_dates]),
        None => ItemDates::of(&[&own_dates]),
    };
    dates(found, labels, &mut settings);
    if !is_online && !ways.is_empty() && ways != ["none"] {
        settings.lines.push((labels.submissions.into(), ways.join(", ")));
    }
    if let Some(grading) = text_of(own, "grading_type").filter(|kind| kind != "points") {
        settings.lines.push((labels.grading.into(), grading));
    }
    settings.unpublished = is_unpublished(own);
    settings
}

/// Takes the dates of the item. Those that cannot be read become lines.
pub fn dates(found: ItemDates, labels: &Labels, settings: &mut Settings) {
    for (name, value) in &found.unread {
        let word = match *name {
            "lock_at" => labels.closes,
            "due_at" | "todo_date" => labels.due,
            _ => labels.opens,
        };
        settings.lines.push((word.into(), value.replace('T', " ")));
    }
    settings.dates = found;
}

pub fn is_unpublished(node: Node<'_, '_>) -> bool {
    text_of(node, "workflow_state").is_some_and(|state| matches!(state.as_str(), "unpublished" | "post_delayed"))
}

/// The content of `assessment_meta.xml`.
#[derive(Default)]
pub struct QuizMeta {
    pub title: Option<String>,
    pub description: Option<String>,
    pub shuffle_options: bool,
    /// `None` if the file does not say.
    pub attempts: Option<i64>,
    /// Minutes for an attempt.
    pub time_limit: Option<u32>,
    pub never_reveal: bool,
    pub reveal: bool,
    pub settings: Settings,
    pub dates: ItemDates,
    /// Settings that Kurso quizzes do not support.
    pub lost: Vec<(String, String)>,
    /// Other identifiers of the same quiz.
    pub aliases: Vec<String>,
}

/// The longest time limit of a quiz in minutes.
const MAX_MINUTES: u32 = MAX_TIME_LIMIT / 60;
/// Settings whose default value need not be reported.
const USUAL: &[(&str, &str)] = &[
    ("scoring_policy", "keep_highest"),
    ("one_question_at_a_time", "false"),
    ("cant_go_back", "false"),
    ("require_lockdown_browser", "false"),
    ("anonymous_submissions", "false"),
    ("one_time_results", "false"),
    ("ip_filter", ""),
    ("show_correct_answers_at", ""),
    ("hide_correct_answers_at", ""),
];

pub fn quiz(root: Node<'_, '_>, labels: &Labels) -> QuizMeta {
    let yes = |name| text_of(root, name).is_some_and(|value| value == "true");
    let mut meta = QuizMeta {
        title: text_of(root, "title"),
        description: text_of(root, "description"),
        shuffle_options: yes("shuffle_answers"),
        attempts: text_of(root, "allowed_attempts").and_then(|n| n.parse().ok()),
        never_reveal: text_of(root, "hide_results").is_some_and(|value| value == "always"),
        reveal: yes("show_correct_answers"),
        ..QuizMeta::default()
    };
    if let Some(minutes) = text_of(root, "time_limit") {
        meta.time_limit = minutes
            .parse()
            .ok()
            .filter(|minutes| (1..=MAX_MINUTES).contains(minutes));
        if meta.time_limit.is_none() {
            let line = format!("{minutes} {}", labels.minutes);
            meta.settings.lines.push((labels.time_limit.into(), line));
            meta.lost.push(("time_limit".into(), minutes));
        }
    }
    let assignment = child(root, "assignment");
    meta.dates = match assignment {
        Some(assignment) => ItemDates::of(&[&in_node(root), &in_node(assignment)]),
        None => ItemDates::of(&[&in_node(root)]),
    };
    let overrides = child(root, "assignment_overrides").map_or(0, |node| children(node, "override").count());
    if overrides > 0 {
        meta.lost.push(("assignment_overrides".into(), overrides.to_string()));
    }
    meta.settings.unpublished = text_of(root, "available").is_some_and(|value| value == "false");
    for (name, usual) in USUAL {
        if let Some(value) = text_of(root, name).filter(|value| value != usual) {
            meta.lost.push(((*name).to_owned(), value));
        }
    }
    // The report must not reveal a password.
    if text_of(root, "access_code").is_some() {
        meta.lost.push(("access_code".into(), "…".into()));
    }
    meta.aliases
        .extend(assignment.and_then(|node| attr(node, "identifier")).map(str::to_owned));
    meta
}
