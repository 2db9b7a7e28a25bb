//! Writes the fields of a plan as JSON. The resolvers in `types` give the same values from the same view.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use kurso_base::wire::time_text;
use kurso_core::access::Role;
use kurso_core::courses::tree::PageKind;
use kurso_core::courses::{self, Counts};
use kurso_core::learning::progress::Reason;
use kurso_core::learning::view::CourseView;

use super::json::{Buffer, boolean, id, list, null, number, object, optional, optional_number, plain, string};
use super::plan::{
    Count, CourseField, EnrollmentField, LessonField, ModuleField, OwnerField, PageField, Plan, ProgressField,
    ReasonField, RootPageField, VisitField,
};

/// A value in a tree that is the learner's own, with the index of its page or lesson. All other values are the same for all
/// learners of a version of the course.
#[derive(Clone, Debug)]
pub enum LearnerValue {
    Visited(usize),
    Completed(usize),
    BestPercent(usize),
    AttemptsLeft(usize),
    Reason(usize, Arc<Plan<ReasonField>>),
    LessonCompleted(usize),
    LessonPagesDone(usize),
}

/// The target of a tree: the answer to one learner, or a template for all.
pub trait Target: Buffer + Sized {
    fn learner_value(&mut self, view: &CourseView, value: LearnerValue);
}

impl Target for String {
    fn learner_value(&mut self, view: &CourseView, value: LearnerValue) {
        fill(self, view, &value);
    }
}

/// Writes one value of a learner.
pub fn fill(json: &mut String, view: &CourseView, value: &LearnerValue) {
    match value {
        LearnerValue::Visited(page) => boolean(json, view.marks.is_visited(*page)),
        LearnerValue::Completed(page) => boolean(json, view.marks.is_done(&view.tree, *page)),
        LearnerValue::BestPercent(page) => optional_number(json, view.best_percent(*page)),
        LearnerValue::AttemptsLeft(page) => optional_number(json, view.attempts_left(*page)),
        LearnerValue::Reason(page, plan) => match view.reason(*page) {
            Some(why) => reason(json, why, plan),
            None => null(json),
        },
        LearnerValue::LessonCompleted(lesson) => boolean(json, view.is_lesson_completed(*lesson)),
        LearnerValue::LessonPagesDone(lesson) => number(json, view.lesson_progress(*lesson).pages_done),
    }
}

/// A course as the caller sees it, and what writes its modules.
pub struct CourseWriter<'a, M> {
    pub view: &'a CourseView,
    /// Zero when the plan has no counts.
    pub counts: Counts,
    pub modules: M,
}

impl<M: Fn(&mut String, &Plan<ModuleField>)> CourseWriter<'_, M> {
    /// The payload of a visit to the page at this index.
    pub fn visit(&self, json: &mut String, index: usize, plan: &Plan<VisitField>) {
        let view = self.view;
        object(json, plan, |json, field| match field {
            VisitField::TypeName => plain(json, "MarkPageVisitedPayload"),
            VisitField::Page(plan) => page(json, view, index, view.number(index), plan),
            VisitField::Lesson(plan) => lesson(json, view, view.page(index).lesson, plan),
            VisitField::Course(plan) => self.course(json, plan),
        });
    }

    /// The page at this index.
    pub fn page(&self, json: &mut String, index: usize, plan: &Plan<RootPageField>) {
        let view = self.view;
        object(json, plan, |json, field| match field {
            RootPageField::Own(field) => page_field(json, view, index, view.number(index), field),
            RootPageField::Lesson(plan) => lesson(json, view, view.page(index).lesson, plan),
            RootPageField::Course(plan) => self.course(json, plan),
        });
    }

    pub fn course(&self, json: &mut String, plan: &Plan<CourseField>) {
        let course = &self.view.course;
        object(json, plan, |json, field| match field {
            CourseField::TypeName => plain(json, "Course"),
            CourseField::Id => id(json, course.id.0),
            CourseField::Title => string(json, &course.title),
            CourseField::Description => optional(json, course.description.as_deref()),
            CourseField::MyRole => plain(json, role(course.role)),
            CourseField::ShareCode => optional(json, course.share_code.as_deref()),
            CourseField::CreatedAt => time(json, &course.created_at),
            CourseField::UpdatedAt => time(json, &course.updated_at),
            CourseField::Count(Count::Modules) => number(json, self.counts.modules),
            CourseField::Count(Count::Lessons) => number(json, self.counts.lessons),
            CourseField::Count(Count::Pages) => number(json, self.counts.pages),
            CourseField::Count(Count::Students) => number(json, self.counts.students),
            CourseField::Owner(plan) => owner(json, &course.owner, plan),
            CourseField::Progress(plan) => progress(json, self.view, plan),
            CourseField::Enrollment(plan) => match &course.enrollment {
                Some(own) => enrollment(json, self.view, own, plan),
                None => null(json),
            },
            CourseField::Modules(plan) => (self.modules)(json, plan),
        });
    }
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
        OwnerField::TypeName => plain(json, "CourseOwner"),
        OwnerField::Id => id(json, owner.id.0),
        OwnerField::FullName => optional(json, owner.full_name.as_deref()),
        OwnerField::Email => optional(json, owner.email.as_deref()),
    });
}

fn progress(json: &mut String, view: &CourseView, plan: &Plan<ProgressField>) {
    let progress = &view.progress;
    object(json, plan, |json, field| match field {
        ProgressField::TypeName => plain(json, "Progress"),
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
        EnrollmentField::TypeName => plain(json, "Enrollment"),
        EnrollmentField::Id => id(json, own.id.0),
        EnrollmentField::EnrolledAt => time(json, &own.enrolled_at),
        EnrollmentField::LastActivityAt => time(json, &own.last_activity_at),
        EnrollmentField::CompletedAt => optional_time(json, own.completed_at.as_ref()),
        EnrollmentField::NextPage(plan) => match view.next_to_do() {
            Some(index) => page(json, view, index, view.number(index), plan),
            None => null(json),
        },
    });
}

pub fn modules(out: &mut impl Target, view: &CourseView, plan: &Plan<ModuleField>) {
    list(out, 0..view.tree.modules.len(), |out, index| {
        module(out, view, index, plan);
    });
}

fn module(out: &mut impl Target, view: &CourseView, index: usize, plan: &Plan<ModuleField>) {
    let node = view.module(index);
    object(out, plan, |out, field| match field {
        ModuleField::TypeName => plain(out, "Module"),
        ModuleField::Id => id(out, node.id.0),
        ModuleField::Title => string(out, &node.title),
        ModuleField::Description => optional(out, node.description.as_deref()),
        ModuleField::Position => number(out, node.position),
        ModuleField::AvatarUrl => optional(out, node.avatar_url.as_deref()),
        ModuleField::Lessons(plan) => {
            list(out, node.lessons.clone(), |out, index| {
                lesson(out, view, index, plan);
            });
        }
    });
}

fn lesson(out: &mut impl Target, view: &CourseView, index: usize, plan: &Plan<LessonField>) {
    let node = view.lesson(index);
    object(out, plan, |out, field| match field {
        LessonField::TypeName => plain(out, "Lesson"),
        LessonField::Id => id(out, node.id.0),
        LessonField::Title => string(out, &node.title),
        LessonField::Position => number(out, node.position),
        LessonField::IsCompleted => out.learner_value(view, LearnerValue::LessonCompleted(index)),
        LessonField::PagesDone => out.learner_value(view, LearnerValue::LessonPagesDone(index)),
        LessonField::PagesTotal => number(out, view.lesson_progress(index).pages_total),
        LessonField::Pages(plan) => {
            let pages = view.pages_of(node).zip(1..);
            list(out, pages, |out, (index, number)| {
                page(out, view, index, number, plan);
            });
        }
    });
}

fn page(out: &mut impl Target, view: &CourseView, index: usize, in_lesson: usize, plan: &Plan<PageField>) {
    object(out, plan, |out, field| page_field(out, view, index, in_lesson, field));
}

/// `in_lesson`: the page's number, from 1.
fn page_field(out: &mut impl Target, view: &CourseView, index: usize, in_lesson: usize, field: &PageField) {
    let node = view.page(index);
    match field {
        PageField::TypeName => plain(out, "Page"),
        PageField::Id => id(out, node.id.0),
        PageField::Title => optional(out, node.title.as_deref()),
        PageField::Number => number(out, in_lesson),
        PageField::Kind => plain(
            out,
            match node.kind {
                PageKind::Content => "CONTENT",
                PageKind::Quiz => "QUIZ",
            },
        ),
        PageField::Position => number(out, node.position),
        PageField::Published => boolean(out, node.published),
        PageField::IsVisited => out.learner_value(view, LearnerValue::Visited(index)),
        PageField::IsCompleted => out.learner_value(view, LearnerValue::Completed(index)),
        PageField::BestPercent => out.learner_value(view, LearnerValue::BestPercent(index)),
        PageField::AttemptsLeft => out.learner_value(view, LearnerValue::AttemptsLeft(index)),
        PageField::Reason(plan) => out.learner_value(view, LearnerValue::Reason(index, plan.clone())),
    }
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
        ReasonField::TypeName => plain(json, "Reason"),
        ReasonField::Kind => plain(json, kind),
        ReasonField::BestPercent => optional_number(json, best_percent),
        ReasonField::AttemptsLeft => optional_number(json, attempts_left),
    });
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
