//! The fields that the fast path can write: without arguments, and found in the view of the course or its counts. A selection
//! with any other field has no plan.

use std::sync::Arc;

use kurso_core::courses::tree::{LessonNode, ModuleNode, PageNode};
use kurso_core::courses::{Counts, Enrollment, Owner};
use kurso_core::learning::progress::Reason;
use kurso_core::learning::view::CourseView;
use kurso_core::schedule::Timing;

use super::scalars::{self, Scalar, scalar};
use super::selection::Selected;

/// The fields of an object by their keys in the answer, in order.
pub type Plan<F> = Vec<(String, F)>;

/// Fields of `MarkPageVisitedPayload`.
#[derive(Debug)]
pub enum VisitField {
    Own(Scalar<()>),
    Page(Plan<PageField>),
    Lesson(Plan<LessonField>),
    Course(Plan<CourseField>),
}

/// Fields of the page of `Query.page`, which may lead to its lesson and its course.
#[derive(Debug)]
pub enum RootPageField {
    Own(PageField),
    Lesson(Plan<LessonField>),
    Course(Plan<CourseField>),
}

#[derive(Debug)]
pub enum CourseField {
    Own(Scalar<CourseView>),
    Count(Scalar<Counts>),
    Owner(Plan<Scalar<Owner>>),
    Progress(Plan<Scalar<CourseView>>),
    Enrollment(Plan<EnrollmentField>),
    Modules(Plan<ModuleField>),
    Timeline(Plan<Scalar<Timing>>),
}

#[derive(Debug)]
pub enum EnrollmentField {
    Own(Scalar<Enrollment>),
    NextPage(Plan<PageField>),
}

#[derive(Debug)]
pub enum ModuleField {
    Own(Scalar<ModuleNode>),
    Lessons(Plan<LessonField>),
    Timeline(Arc<Plan<Scalar<Timing>>>),
}

#[derive(Debug)]
pub enum LessonField {
    Own(Scalar<LessonNode>),
    IsCompleted,
    PagesDone,
    PagesTotal,
    Pages(Plan<PageField>),
    Timeline(Arc<Plan<Scalar<Timing>>>),
}

#[derive(Debug)]
pub enum PageField {
    Own(Scalar<PageNode>),
    Number,
    IsVisited,
    IsCompleted,
    BestPercent,
    AttemptsLeft,
    Reason(Arc<Plan<Scalar<Reason>>>),
    Timeline(Arc<Plan<Scalar<Timing>>>),
}

/// Compiles the selections below fields of the same key in an object of the type; None when one of the fields cannot be
/// written.
fn plan<'a, F>(
    fields: &[Selected<'a>],
    type_name: &str,
    compile: impl Fn(&str, &[Selected<'a>]) -> Option<F>,
) -> Option<Plan<F>> {
    // Fields of the same key in several fragments are one field of the answer.
    let mut grouped: Vec<(&'a str, Vec<Selected<'a>>)> = Vec::new();
    for field in fields {
        for selected in field.children(type_name)? {
            if !selected.field.arguments.is_empty() {
                return None;
            }
            match grouped.iter_mut().find(|(key, _)| *key == selected.key()) {
                Some((_, same)) => same.push(selected),
                None => grouped.push((selected.key(), vec![selected])),
            }
        }
    }
    let compiled = grouped.into_iter().map(|(key, same)| {
        let field = compile(same.first()?.name(), &same)?;
        Some((key.to_owned(), field))
    });
    compiled.collect()
}

pub fn visit(same: &[Selected<'_>]) -> Option<Plan<VisitField>> {
    plan(same, "MarkPageVisitedPayload", |name, same| {
        Some(match name {
            "page" => VisitField::Page(pages(same)?),
            "lesson" => VisitField::Lesson(lessons(same)?),
            "course" => VisitField::Course(course(same)?),
            _ => VisitField::Own(scalar(scalars::VISIT, name)?),
        })
    })
}

pub fn course(same: &[Selected<'_>]) -> Option<Plan<CourseField>> {
    plan(same, "Course", |name, same| {
        Some(match name {
            "owner" => CourseField::Owner(plan(same, "CourseOwner", |name, _| scalar(scalars::OWNER, name))?),
            "progress" => CourseField::Progress(plan(same, "Progress", |name, _| scalar(scalars::PROGRESS, name))?),
            "enrollment" => CourseField::Enrollment(enrollment(same)?),
            "modules" => CourseField::Modules(modules(same)?),
            "timeline" => CourseField::Timeline(timeline(same)?),
            _ => match scalar(scalars::COUNTS, name) {
                Some(count) => CourseField::Count(count),
                None => CourseField::Own(scalar(scalars::COURSE, name)?),
            },
        })
    })
}

fn timeline(same: &[Selected<'_>]) -> Option<Plan<Scalar<Timing>>> {
    plan(same, "Timeline", |name, _| scalar(scalars::TIMELINE, name))
}

fn enrollment(same: &[Selected<'_>]) -> Option<Plan<EnrollmentField>> {
    plan(same, "Enrollment", |name, same| {
        Some(match name {
            "nextPage" => EnrollmentField::NextPage(pages(same)?),
            _ => EnrollmentField::Own(scalar(scalars::ENROLLMENT, name)?),
        })
    })
}

fn modules(same: &[Selected<'_>]) -> Option<Plan<ModuleField>> {
    plan(same, "Module", |name, same| {
        Some(match name {
            "lessons" => ModuleField::Lessons(lessons(same)?),
            "timeline" => ModuleField::Timeline(Arc::new(timeline(same)?)),
            _ => ModuleField::Own(scalar(scalars::MODULE, name)?),
        })
    })
}

fn lessons(same: &[Selected<'_>]) -> Option<Plan<LessonField>> {
    plan(same, "Lesson", |name, same| {
        Some(match name {
            "isCompleted" => LessonField::IsCompleted,
            "pagesDone" => LessonField::PagesDone,
            "pagesTotal" => LessonField::PagesTotal,
            "pages" => LessonField::Pages(pages(same)?),
            "timeline" => LessonField::Timeline(Arc::new(timeline(same)?)),
            _ => LessonField::Own(scalar(scalars::LESSON, name)?),
        })
    })
}

pub fn root_page(same: &[Selected<'_>]) -> Option<Plan<RootPageField>> {
    plan(same, "Page", |name, same| {
        Some(match name {
            "lesson" => RootPageField::Lesson(lessons(same)?),
            "course" => RootPageField::Course(course(same)?),
            _ => RootPageField::Own(page_field(name, same)?),
        })
    })
}

fn pages(same: &[Selected<'_>]) -> Option<Plan<PageField>> {
    plan(same, "Page", page_field)
}

fn page_field(name: &str, same: &[Selected<'_>]) -> Option<PageField> {
    Some(match name {
        "number" => PageField::Number,
        "isVisited" => PageField::IsVisited,
        "isCompleted" => PageField::IsCompleted,
        "bestPercent" => PageField::BestPercent,
        "attemptsLeft" => PageField::AttemptsLeft,
        "timeline" => PageField::Timeline(Arc::new(timeline(same)?)),
        "reason" => {
            let reason = plan(same, "Reason", |name, _| scalar(scalars::REASON, name))?;
            PageField::Reason(Arc::new(reason))
        }
        _ => PageField::Own(scalar(scalars::PAGE, name)?),
    })
}
