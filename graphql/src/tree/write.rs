//! What each field says, as JSON text. The resolvers of the schema's objects in `types` say the same of the same view.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use kurso_core::access::Role;
use kurso_core::courses;
use kurso_core::courses::tree::PageKind;
use kurso_core::learning::progress::Reason;
use kurso_core::learning::view::CourseView;
use kurso_core::wire::time_text;

use super::json::{Text, boolean, id, list, null, number, object, optional, optional_number, text, word};
use super::plan::{
    CourseField, EnrollmentField, LessonField, ModuleField, OwnerField, PageField, Plan, ProgressField, ReasonField,
    VisitField,
};

/// What is the learner's own in a tree, at a place of it. Everything else is the same for all learners of a version of the
/// course.
#[derive(Clone, Debug)]
pub enum Mark {
    Visited(usize),
    Completed(usize),
    BestPercent(usize),
    AttemptsLeft(usize),
    Reason(usize, Arc<Plan<ReasonField>>),
    LessonCompleted(usize),
    LessonPagesDone(usize),
}

/// Where a tree is written to: as it is for one learner, or with the marks left open.
pub trait Out: Text + Sized {
    fn mark(&mut self, view: &CourseView, mark: Mark);
}

impl Out for String {
    fn mark(&mut self, view: &CourseView, mark: Mark) {
        fill(self, view, &mark);
    }
}

/// Writes one mark of a learner.
pub fn fill(json: &mut String, view: &CourseView, mark: &Mark) {
    match mark {
        Mark::Visited(place) => boolean(json, view.marks.is_visited(*place)),
        Mark::Completed(place) => boolean(json, view.marks.is_done(&view.tree, *place)),
        Mark::BestPercent(place) => optional_number(json, view.best_percent(*place)),
        Mark::AttemptsLeft(place) => optional_number(json, view.attempts_left(*place)),
        Mark::Reason(place, plan) => match view.reason(*place) {
            Some(why) => reason(json, why, plan),
            None => null(json),
        },
        Mark::LessonCompleted(place) => boolean(json, view.is_lesson_completed(*place)),
        Mark::LessonPagesDone(place) => number(json, view.lesson_progress(*place).pages_done),
    }
}

/// A visited page, at its place; the modules of its course as `modules` writes them.
pub fn visit(
    json: &mut String,
    view: &CourseView,
    place: usize,
    plan: &Plan<VisitField>,
    modules: impl Fn(&mut String, &Plan<ModuleField>),
) {
    object(json, plan, |json, field| match field {
        VisitField::TypeName => word(json, "MarkPageVisitedPayload"),
        VisitField::Page(plan) => page(json, view, place, view.number(place), plan),
        VisitField::Lesson(plan) => lesson(json, view, view.page(place).lesson, plan),
        VisitField::Course(plan) => course(json, view, plan, &modules),
    });
}

/// A course; its modules as `modules` writes them.
pub fn course(
    json: &mut String,
    view: &CourseView,
    plan: &Plan<CourseField>,
    modules: impl Fn(&mut String, &Plan<ModuleField>),
) {
    let course = &view.course;
    object(json, plan, |json, field| match field {
        CourseField::TypeName => word(json, "Course"),
        CourseField::Id => id(json, course.id.0),
        CourseField::Title => text(json, &course.title),
        CourseField::Description => optional(json, course.description.as_deref()),
        CourseField::MyRole => word(json, role(course.role)),
        CourseField::ShareCode => optional(json, course.share_code.as_deref()),
        CourseField::CreatedAt => time(json, &course.created_at),
        CourseField::UpdatedAt => time(json, &course.updated_at),
        CourseField::Owner(plan) => owner(json, &course.owner, plan),
        CourseField::Progress(plan) => progress(json, view, plan),
        CourseField::Enrollment(plan) => match &course.enrollment {
            Some(own) => enrollment(json, view, own, plan),
            None => null(json),
        },
        CourseField::Modules(plan) => modules(json, plan),
    });
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Owner => "OWNER",
        Role::Editor => "EDITOR",
        Role::Teacher => "TEACHER",
        Role::Admin => "ADMIN",
        Role::Learner => "LEARNER",
    }
}

fn owner(json: &mut String, owner: &courses::Owner, plan: &Plan<OwnerField>) {
    object(json, plan, |json, field| match field {
        OwnerField::TypeName => word(json, "CourseOwner"),
        OwnerField::Id => id(json, owner.id.0),
        OwnerField::FullName => optional(json, owner.full_name.as_deref()),
        OwnerField::Email => optional(json, owner.email.as_deref()),
    });
}

fn progress(json: &mut String, view: &CourseView, plan: &Plan<ProgressField>) {
    let progress = &view.progress;
    object(json, plan, |json, field| match field {
        ProgressField::TypeName => word(json, "Progress"),
        ProgressField::CourseId => id(json, view.course.id.0),
        ProgressField::Percent => number(json, progress.percent()),
        ProgressField::PagesDone => number(json, progress.pages_done),
        ProgressField::PagesTotal => number(json, progress.pages_total),
        ProgressField::LessonsDone => number(json, progress.lessons_done),
        ProgressField::LessonsTotal => number(json, progress.lessons_total),
        ProgressField::CompletedAt => optional_time(json, progress.completed_at.as_ref()),
    });
}

fn enrollment(json: &mut String, view: &CourseView, own: &courses::Enrollment, plan: &Plan<EnrollmentField>) {
    object(json, plan, |json, field| match field {
        EnrollmentField::TypeName => word(json, "Enrollment"),
        EnrollmentField::Id => id(json, own.id.0),
        EnrollmentField::EnrolledAt => time(json, &own.enrolled_at),
        EnrollmentField::LastActivityAt => time(json, &own.last_activity_at),
        EnrollmentField::CompletedAt => optional_time(json, own.completed_at.as_ref()),
        EnrollmentField::NextPage(plan) => match view.next_to_do() {
            Some(place) => page(json, view, place, view.number(place), plan),
            None => null(json),
        },
    });
}

pub fn modules(out: &mut impl Out, view: &CourseView, plan: &Plan<ModuleField>) {
    list(out, 0..view.tree.modules.len(), |out, place| {
        module(out, view, place, plan);
    });
}

fn module(out: &mut impl Out, view: &CourseView, place: usize, plan: &Plan<ModuleField>) {
    let node = view.module(place);
    object(out, plan, |out, field| match field {
        ModuleField::TypeName => word(out, "Module"),
        ModuleField::Id => id(out, node.id.0),
        ModuleField::Title => text(out, &node.title),
        ModuleField::Description => optional(out, node.description.as_deref()),
        ModuleField::Position => number(out, node.position),
        ModuleField::AvatarUrl => optional(out, node.avatar_url.as_deref()),
        ModuleField::Lessons(plan) => {
            list(out, node.lessons.clone(), |out, place| {
                lesson(out, view, place, plan);
            });
        }
    });
}

fn lesson(out: &mut impl Out, view: &CourseView, place: usize, plan: &Plan<LessonField>) {
    let node = view.lesson(place);
    object(out, plan, |out, field| match field {
        LessonField::TypeName => word(out, "Lesson"),
        LessonField::Id => id(out, node.id.0),
        LessonField::Title => text(out, &node.title),
        LessonField::Position => number(out, node.position),
        LessonField::IsCompleted => out.mark(view, Mark::LessonCompleted(place)),
        LessonField::PagesDone => out.mark(view, Mark::LessonPagesDone(place)),
        LessonField::PagesTotal => number(out, view.lesson_progress(place).pages_total),
        LessonField::Pages(plan) => {
            let pages = view.pages_of(node).zip(1..);
            list(out, pages, |out, (place, number)| {
                page(out, view, place, number, plan);
            });
        }
    });
}

fn page(out: &mut impl Out, view: &CourseView, place: usize, in_lesson: usize, plan: &Plan<PageField>) {
    let node = view.page(place);
    object(out, plan, |out, field| match field {
        PageField::TypeName => word(out, "Page"),
        PageField::Id => id(out, node.id.0),
        PageField::Title => optional(out, node.title.as_deref()),
        PageField::Number => number(out, in_lesson),
        PageField::Kind => word(
            out,
            match node.kind {
                PageKind::Content => "CONTENT",
                PageKind::Quiz => "QUIZ",
            },
        ),
        PageField::Position => number(out, node.position),
        PageField::Published => boolean(out, node.published),
        PageField::IsVisited => out.mark(view, Mark::Visited(place)),
        PageField::IsCompleted => out.mark(view, Mark::Completed(place)),
        PageField::BestPercent => out.mark(view, Mark::BestPercent(place)),
        PageField::AttemptsLeft => out.mark(view, Mark::AttemptsLeft(place)),
        PageField::Reason(plan) => out.mark(view, Mark::Reason(place, plan.clone())),
    });
}

fn reason(json: &mut String, reason: Reason, plan: &Plan<ReasonField>) {
    let (kind, best_percent, attempts_left) = match reason {
        Reason::NotVisited => ("NOT_VISITED", None, None),
        Reason::QuizNotPassed {
            best_percent,
            attempts_left,
        } => ("QUIZ_NOT_PASSED", best_percent, attempts_left),
    };
    object(json, plan, |json, field| match field {
        ReasonField::TypeName => word(json, "Reason"),
        ReasonField::Kind => word(json, kind),
        ReasonField::BestPercent => optional_number(json, best_percent),
        ReasonField::AttemptsLeft => optional_number(json, attempts_left),
    });
}

fn time(json: &mut String, at: &DateTime<Utc>) {
    word(json, &time_text(at));
}

fn optional_time(json: &mut String, at: Option<&DateTime<Utc>>) {
    match at {
        Some(at) => time(json, at),
        None => null(json),
    }
}
