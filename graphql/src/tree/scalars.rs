//! The fields of the tree that are one value, each in one line: its name in the schema and how it is written.

use chrono::{DateTime, Utc};
use kurso_base::wire::time_text;
use kurso_core::access::Role;
use kurso_core::courses::tree::{LessonNode, ModuleNode, PageKind, PageNode};
use kurso_core::courses::{Counts, Enrollment, Owner};
use kurso_core::learning::progress::Reason;
use kurso_core::learning::view::CourseView;
use kurso_core::schedule::{self, State, Timing};

use super::json::{boolean, id, list, null, number, optional, optional_number, plain, string};

/// Writes one value of a `T`.
pub type Scalar<T> = fn(&mut String, &T);

/// The scalar fields of an object.
pub type Scalars<T> = &'static [(&'static str, Scalar<T>)];

/// The scalar of this name; None when the object has no such scalar.
pub fn scalar<T>(scalars: Scalars<T>, name: &str) -> Option<Scalar<T>> {
    scalars
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, write)| *write)
}

pub const VISIT: Scalars<()> = &[("__typename", |json, ()| plain(json, "MarkPageVisitedPayload"))];

pub const COURSE: Scalars<CourseView> = &[
    ("__typename", |json, _| plain(json, "Course")),
    ("id", |json, view| id(json, view.course.id.0)),
    ("title", |json, view| string(json, &view.course.title)),
    ("description", |json, view| {
        optional(json, view.course.description.as_deref())
    }),
    ("myRole", |json, view| plain(json, role(view.course.role))),
    ("shareCode", |json, view| {
        optional(json, view.course.share_code.as_deref())
    }),
    ("createdAt", |json, view| time(json, &view.course.created_at)),
    ("updatedAt", |json, view| time(json, &view.course.updated_at)),
    ("startsAt", |json, view| {
        optional_time(json, view.course.dates.starts_at.as_ref())
    }),
    ("endsAt", |json, view| {
        optional_time(json, view.course.dates.ends_at.as_ref())
    }),
    ("enrollUntil", |json, view| {
        optional_time(json, view.course.dates.enroll_until.as_ref())
    }),
    ("timeZone", |json, view| {
        optional(json, view.course.dates.time_zone.as_deref())
    }),
    ("hideLockedTitles", |json, view| {
        boolean(json, view.course.dates.hide_locked_titles)
    }),
    ("sequential", |json, view| boolean(json, view.course.dates.sequential)),
];

/// Fields of `Course` that need a statement.
pub const COUNTS: Scalars<Counts> = &[
    ("modulesCount", |json, counts| number(json, counts.modules)),
    ("lessonsCount", |json, counts| number(json, counts.lessons)),
    ("pagesCount", |json, counts| number(json, counts.pages)),
    ("studentsCount", |json, counts| number(json, counts.students)),
];

pub const OWNER: Scalars<Owner> = &[
    ("__typename", |json, _| plain(json, "CourseOwner")),
    ("id", |json, owner| id(json, owner.id.0)),
    ("fullName", |json, owner| optional(json, owner.full_name.as_deref())),
    ("email", |json, owner| optional(json, owner.email.as_deref())),
];

pub const PROGRESS: Scalars<CourseView> = &[
    ("__typename", |json, _| plain(json, "Progress")),
    ("courseId", |json, view| id(json, view.course.id.0)),
    ("percent", |json, view| number(json, view.progress.percent())),
    ("pagesDone", |json, view| number(json, view.progress.pages_done)),
    ("pagesTotal", |json, view| number(json, view.progress.pages_total)),
    ("lessonsDone", |json, view| number(json, view.progress.lessons_done)),
    ("lessonsTotal", |json, view| number(json, view.progress.lessons_total)),
    ("completedAt", |json, view| {
        optional_time(json, view.progress.completed_at.as_ref())
    }),
];

pub const ENROLLMENT: Scalars<Enrollment> = &[
    ("__typename", |json, _| plain(json, "Enrollment")),
    ("id", |json, own| id(json, own.id.0)),
    ("groupTitle", |json, own| {
        optional(json, own.group.as_ref().map(|group| group.title.as_str()))
    }),
    ("enrolledAt", |json, own| time(json, &own.enrolled_at)),
    ("lastActivityAt", |json, own| time(json, &own.last_activity_at)),
    ("completedAt", |json, own| {
        optional_time(json, own.completed_at.as_ref())
    }),
];

pub const MODULE: Scalars<ModuleNode> = &[
    ("__typename", |json, _| plain(json, "Module")),
    ("id", |json, module| id(json, module.id.0)),
    ("title", |json, module| string(json, &module.title)),
    ("description", |json, module| {
        optional(json, module.description.as_deref())
    }),
    ("position", |json, module| number(json, module.position)),
    ("avatarUrl", |json, module| optional(json, module.avatar_url.as_deref())),
    ("availableFrom", |json, module| {
        optional_time(json, module.own_dates().available_from.as_ref())
    }),
    ("availableUntil", |json, module| {
        optional_time(json, module.own_dates().available_until.as_ref())
    }),
    ("dueAt", |json, module| {
        optional_time(json, module.own_dates().due_at.as_ref())
    }),
    ("prerequisites", |json, module| {
        list(json, module.prerequisites.iter(), |json, part| id(json, *part));
    }),
];

pub const LESSON: Scalars<LessonNode> = &[
    ("__typename", |json, _| plain(json, "Lesson")),
    ("id", |json, lesson| id(json, lesson.id.0)),
    ("title", |json, lesson| string(json, &lesson.title)),
    ("position", |json, lesson| number(json, lesson.position)),
    ("availableFrom", |json, lesson| {
        optional_time(json, lesson.own_dates().available_from.as_ref())
    }),
    ("availableUntil", |json, lesson| {
        optional_time(json, lesson.own_dates().available_until.as_ref())
    }),
    ("dueAt", |json, lesson| {
        optional_time(json, lesson.own_dates().due_at.as_ref())
    }),
    ("prerequisites", |json, lesson| {
        list(json, lesson.prerequisites.iter(), |json, part| id(json, *part));
    }),
];

pub const PAGE: Scalars<PageNode> = &[
    ("__typename", |json, _| plain(json, "Page")),
    ("id", |json, page| id(json, page.id.0)),
    ("title", |json, page| optional(json, page.title.as_deref())),
    ("kind", |json, page| {
        let kind = match page.kind {
            PageKind::Content => "CONTENT",
            PageKind::Quiz => "QUIZ",
            PageKind::Assignment => "ASSIGNMENT",
        };
        plain(json, kind);
    }),
    ("position", |json, page| number(json, page.position)),
    ("published", |json, page| boolean(json, page.published)),
    ("availableFrom", |json, page| {
        optional_time(json, page.own_dates().0.available_from.as_ref())
    }),
    ("availableUntil", |json, page| {
        optional_time(json, page.own_dates().0.available_until.as_ref())
    }),
    ("dueAt", |json, page| {
        optional_time(json, page.own_dates().0.due_at.as_ref())
    }),
    ("lateUntil", |json, page| {
        optional_time(json, page.own_dates().1.late_until.as_ref())
    }),
    ("latePenaltyPerDay", |json, page| {
        optional_number(json, page.own_dates().1.late_penalty_per_day)
    }),
    ("latePenaltyMax", |json, page| {
        optional_number(json, page.own_dates().1.late_penalty_max)
    }),
];

pub const TIMELINE: Scalars<Timing> = &[
    ("__typename", |json, _| plain(json, "Timeline")),
    ("state", |json, timing| {
        let state = match timing.state {
            State::Open => "OPEN",
            State::Locked => "LOCKED",
            State::Closed => "CLOSED",
        };
        plain(json, state);
    }),
    ("opensAt", |json, timing| optional_time(json, timing.opens_at.as_ref())),
    ("closesAt", |json, timing| {
        optional_time(json, timing.closes_at.as_ref())
    }),
    ("dueAt", |json, timing| optional_time(json, timing.due_at.as_ref())),
    ("lateUntil", |json, timing| {
        optional_time(json, timing.late_until.as_ref())
    }),
    ("penaltyPercent", |json, timing| number(json, timing.penalty_percent)),
    ("reasons", |json, timing| {
        list(json, timing.reasons(), |json, reason| {
            let reason = match reason {
                schedule::Reason::NotYet => "NOT_YET",
                schedule::Reason::Over => "OVER",
                schedule::Reason::CourseOver => "COURSE_OVER",
                schedule::Reason::Needs => "NEEDS",
            };
            plain(json, reason);
        });
    }),
    ("needs", |json, timing| texts(json, &timing.needs)),
];

pub const REASON: Scalars<Reason> = &[
    ("__typename", |json, _| plain(json, "Reason")),
    ("kind", |json, reason| {
        let kind = match reason {
            Reason::Locked { .. } => "LOCKED",
            Reason::NotVisited => "NOT_VISITED",
            Reason::QuizNotPassed { .. } => "QUIZ_NOT_PASSED",
        };
        plain(json, kind);
    }),
    ("bestPercent", |json, reason| match reason {
        Reason::QuizNotPassed { best_percent, .. } => optional_number(json, *best_percent),
        Reason::NotVisited | Reason::Locked { .. } => null(json),
    }),
    ("attemptsLeft", |json, reason| match reason {
        Reason::QuizNotPassed { attempts_left, .. } => optional_number(json, *attempts_left),
        Reason::NotVisited | Reason::Locked { .. } => null(json),
    }),
    ("isWaiting", |json, reason| match reason {
        Reason::QuizNotPassed { is_waiting, .. } => boolean(json, *is_waiting),
        Reason::NotVisited | Reason::Locked { .. } => boolean(json, false),
    }),
    ("isReturned", |json, reason| match reason {
        Reason::QuizNotPassed { is_returned, .. } => boolean(json, *is_returned),
        Reason::NotVisited | Reason::Locked { .. } => boolean(json, false),
    }),
    ("opensAt", |json, reason| match reason {
        Reason::Locked { opens_at, .. } => optional_time(json, opens_at.as_ref()),
        Reason::NotVisited | Reason::QuizNotPassed { .. } => null(json),
    }),
    ("needs", |json, reason| match reason {
        Reason::Locked { needs, .. } => texts(json, needs),
        Reason::NotVisited | Reason::QuizNotPassed { .. } => texts(json, &[]),
    }),
];

fn role(role: Role) -> &'static str {
    match role {
        Role::Owner => "OWNER",
        Role::Editor => "EDITOR",
        Role::Teacher => "TEACHER",
        Role::Reviewer => "REVIEWER",
        Role::Admin => "ADMIN",
        Role::Learner => "LEARNER",
    }
}

fn texts(json: &mut String, texts: &[String]) {
    list(json, texts.iter(), |json, text| string(json, text));
}

fn time(json: &mut String, at: &DateTime<Utc>) {
    plain(json, &time_text(at));
}

fn optional_time(json: &mut String, at: Option<&DateTime<Utc>>) {
    match at {
        Some(at) => time(json, at),
        None => null(json),
    }
}
