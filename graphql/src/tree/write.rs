//! Writes the fields of a plan as JSON. The resolvers in `types` give the same values from the same view.

use std::sync::Arc;

use kurso_core::courses::{self, Counts};
use kurso_core::learning::progress::Reason;
use kurso_core::learning::view::CourseView;
use kurso_core::schedule::Timing;

use super::json::{Buffer, boolean, list, null, number, object, optional_number};
use super::plan::{CourseField, EnrollmentField, LessonField, ModuleField, PageField, Plan, RootPageField, VisitField};
use super::scalars::Scalar;

/// A value in a tree that is the learner's own or depends on the time, with the index of its page, lesson or module. All other values are the same for all
/// learners of a version of the course.
#[derive(Clone, Debug)]
pub enum LearnerValue {
    Visited(usize),
    Completed(usize),
    BestPercent(usize),
    AttemptsLeft(usize),
    Reason(usize, Arc<Plan<Scalar<Reason>>>),
    LessonCompleted(usize),
    LessonPagesDone(usize),
    PageTimeline(usize, Arc<Plan<Scalar<Timing>>>),
    LessonTimeline(usize, Arc<Plan<Scalar<Timing>>>),
    ModuleTimeline(usize, Arc<Plan<Scalar<Timing>>>),
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
            Some(why) => scalars(json, &why, plan),
            None => null(json),
        },
        LearnerValue::LessonCompleted(lesson) => boolean(json, view.is_lesson_completed(*lesson)),
        LearnerValue::PageTimeline(page, plan) => scalars(json, &view.timeline().page(*page), plan),
        LearnerValue::LessonTimeline(lesson, plan) => scalars(json, &view.timeline().lesson(*lesson), plan),
        LearnerValue::ModuleTimeline(module, plan) => scalars(json, &view.timeline().module(*module), plan),
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
            VisitField::Own(write) => write(json, &()),
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
            CourseField::Own(write) => write(json, self.view),
            CourseField::Count(write) => write(json, &self.counts),
            CourseField::Owner(plan) => scalars(json, &course.owner, plan),
            CourseField::Timeline(plan) => scalars(json, &self.view.timeline().course(), plan),
            CourseField::Progress(plan) => scalars(json, self.view, plan),
            CourseField::Enrollment(plan) => match &course.enrollment {
                Some(own) => enrollment(json, self.view, own, plan),
                None => null(json),
            },
            CourseField::Modules(plan) => (self.modules)(json, plan),
        });
    }
}

fn scalars<T>(json: &mut String, of: &T, plan: &Plan<Scalar<T>>) {
    object(json, plan, |json, write| write(json, of));
}

fn enrollment(json: &mut String, view: &CourseView, own: &courses::Enrollment, plan: &Plan<EnrollmentField>) {
    object(json, plan, |json, field| match field {
        EnrollmentField::Own(write) => write(json, own),
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
        ModuleField::Own(write) => write(out.buffer(), node),
        ModuleField::Timeline(plan) => out.learner_value(view, LearnerValue::ModuleTimeline(index, plan.clone())),
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
        LessonField::Own(write) => write(out.buffer(), node),
        LessonField::IsCompleted => out.learner_value(view, LearnerValue::LessonCompleted(index)),
        LessonField::PagesDone => out.learner_value(view, LearnerValue::LessonPagesDone(index)),
        LessonField::PagesTotal => number(out, view.lesson_progress(index).pages_total),
        LessonField::Timeline(plan) => out.learner_value(view, LearnerValue::LessonTimeline(index, plan.clone())),
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
        PageField::Own(write) => write(out.buffer(), node),
        PageField::Number => number(out, in_lesson),
        PageField::IsVisited => out.learner_value(view, LearnerValue::Visited(index)),
        PageField::IsCompleted => out.learner_value(view, LearnerValue::Completed(index)),
        PageField::BestPercent => out.learner_value(view, LearnerValue::BestPercent(index)),
        PageField::AttemptsLeft => out.learner_value(view, LearnerValue::AttemptsLeft(index)),
        PageField::Timeline(plan) => out.learner_value(view, LearnerValue::PageTimeline(index, plan.clone())),
        PageField::Reason(plan) => out.learner_value(view, LearnerValue::Reason(index, plan.clone())),
    }
}
