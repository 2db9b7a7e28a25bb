//! The fields of a course that can be written: no arguments, nothing that takes a statement of its own or leads out of the
//! course. What is not here goes the general way.

use std::sync::Arc;

use super::selected::Selected;

/// The fields of one kind of object by their keys in the answer, in order.
pub type Plan<F> = Vec<(String, F)>;

/// Of the answer to `markPageVisited`.
#[derive(Debug)]
pub enum VisitField {
    TypeName,
    Page(Plan<PageField>),
    Lesson(Plan<LessonField>),
    Course(Plan<CourseField>),
}

#[derive(Debug)]
pub enum CourseField {
    TypeName,
    Id,
    Title,
    Description,
    MyRole,
    ShareCode,
    CreatedAt,
    UpdatedAt,
    Owner(Plan<OwnerField>),
    Progress(Plan<ProgressField>),
    Enrollment(Plan<EnrollmentField>),
    Modules(Plan<ModuleField>),
}

#[derive(Debug)]
pub enum OwnerField {
    TypeName,
    Id,
    FullName,
    Email,
}

#[derive(Debug)]
pub enum ProgressField {
    TypeName,
    CourseId,
    Percent,
    PagesDone,
    PagesTotal,
    LessonsDone,
    LessonsTotal,
    CompletedAt,
}

#[derive(Debug)]
pub enum EnrollmentField {
    TypeName,
    Id,
    EnrolledAt,
    LastActivityAt,
    CompletedAt,
    NextPage(Plan<PageField>),
}

#[derive(Debug)]
pub enum ModuleField {
    TypeName,
    Id,
    Title,
    Description,
    Position,
    AvatarUrl,
    Lessons(Plan<LessonField>),
}

#[derive(Debug)]
pub enum LessonField {
    TypeName,
    Id,
    Title,
    Position,
    IsCompleted,
    PagesDone,
    PagesTotal,
    Pages(Plan<PageField>),
}

#[derive(Debug)]
pub enum PageField {
    TypeName,
    Id,
    Title,
    Number,
    Kind,
    Position,
    Published,
    IsVisited,
    IsCompleted,
    BestPercent,
    AttemptsLeft,
    Reason(Arc<Plan<ReasonField>>),
}

#[derive(Debug)]
pub enum ReasonField {
    TypeName,
    Kind,
    BestPercent,
    AttemptsLeft,
}

/// Reads what is selected below fields of the same key in an object of the type; None when one of them cannot be written.
pub fn plan<S: Selected, F>(fields: &[S], type_name: &str, read: impl Fn(&str, &[S]) -> Option<F>) -> Option<Plan<F>> {
    // Fields may stand in several fragments: those of one key are one field of the answer.
    let mut grouped: Vec<(String, Vec<S>)> = Vec::new();
    for field in fields {
        for selected in field.children(type_name)? {
            if selected.has_arguments() {
                return None;
            }
            match grouped.iter_mut().find(|(found, _)| found == selected.key()) {
                Some((_, same)) => same.push(selected),
                None => grouped.push((selected.key().to_owned(), vec![selected])),
            }
        }
    }
    let mut plan = Vec::with_capacity(grouped.len());
    for (key, same) in grouped {
        let field = read(same.first()?.name(), &same)?;
        plan.push((key, field));
    }
    Some(plan)
}

pub fn visit<S: Selected>(same: &[S]) -> Option<Plan<VisitField>> {
    plan(same, "MarkPageVisitedPayload", |name, same| {
        Some(match name {
            "__typename" => VisitField::TypeName,
            "page" => VisitField::Page(pages(same)?),
            "lesson" => VisitField::Lesson(lessons(same)?),
            "course" => VisitField::Course(course(same)?),
            _ => return None,
        })
    })
}

pub fn course<S: Selected>(same: &[S]) -> Option<Plan<CourseField>> {
    plan(same, "Course", |name, same| {
        Some(match name {
            "__typename" => CourseField::TypeName,
            "id" => CourseField::Id,
            "title" => CourseField::Title,
            "description" => CourseField::Description,
            "myRole" => CourseField::MyRole,
            "shareCode" => CourseField::ShareCode,
            "createdAt" => CourseField::CreatedAt,
            "updatedAt" => CourseField::UpdatedAt,
            "owner" => CourseField::Owner(owner(same)?),
            "progress" => CourseField::Progress(progress(same)?),
            "enrollment" => CourseField::Enrollment(enrollment(same)?),
            "modules" => CourseField::Modules(modules(same)?),
            _ => return None,
        })
    })
}

fn owner<S: Selected>(same: &[S]) -> Option<Plan<OwnerField>> {
    plan(same, "CourseOwner", |name, _| {
        Some(match name {
            "__typename" => OwnerField::TypeName,
            "id" => OwnerField::Id,
            "fullName" => OwnerField::FullName,
            "email" => OwnerField::Email,
            _ => return None,
        })
    })
}

fn progress<S: Selected>(same: &[S]) -> Option<Plan<ProgressField>> {
    plan(same, "Progress", |name, _| {
        Some(match name {
            "__typename" => ProgressField::TypeName,
            "courseId" => ProgressField::CourseId,
            "percent" => ProgressField::Percent,
            "pagesDone" => ProgressField::PagesDone,
            "pagesTotal" => ProgressField::PagesTotal,
            "lessonsDone" => ProgressField::LessonsDone,
            "lessonsTotal" => ProgressField::LessonsTotal,
            "completedAt" => ProgressField::CompletedAt,
            _ => return None,
        })
    })
}

fn enrollment<S: Selected>(same: &[S]) -> Option<Plan<EnrollmentField>> {
    plan(same, "Enrollment", |name, same| {
        Some(match name {
            "__typename" => EnrollmentField::TypeName,
            "id" => EnrollmentField::Id,
            "enrolledAt" => EnrollmentField::EnrolledAt,
            "lastActivityAt" => EnrollmentField::LastActivityAt,
            "completedAt" => EnrollmentField::CompletedAt,
            "nextPage" => EnrollmentField::NextPage(pages(same)?),
            _ => return None,
        })
    })
}

pub fn modules<S: Selected>(same: &[S]) -> Option<Plan<ModuleField>> {
    plan(same, "Module", |name, same| {
        Some(match name {
            "__typename" => ModuleField::TypeName,
            "id" => ModuleField::Id,
            "title" => ModuleField::Title,
            "description" => ModuleField::Description,
            "position" => ModuleField::Position,
            "avatarUrl" => ModuleField::AvatarUrl,
            "lessons" => ModuleField::Lessons(lessons(same)?),
            _ => return None,
        })
    })
}

fn lessons<S: Selected>(same: &[S]) -> Option<Plan<LessonField>> {
    plan(same, "Lesson", |name, same| {
        Some(match name {
            "__typename" => LessonField::TypeName,
            "id" => LessonField::Id,
            "title" => LessonField::Title,
            "position" => LessonField::Position,
            "isCompleted" => LessonField::IsCompleted,
            "pagesDone" => LessonField::PagesDone,
            "pagesTotal" => LessonField::PagesTotal,
            "pages" => LessonField::Pages(pages(same)?),
            _ => return None,
        })
    })
}

fn pages<S: Selected>(same: &[S]) -> Option<Plan<PageField>> {
    plan(same, "Page", |name, same| {
        Some(match name {
            "__typename" => PageField::TypeName,
            "id" => PageField::Id,
            "title" => PageField::Title,
            "number" => PageField::Number,
            "kind" => PageField::Kind,
            "position" => PageField::Position,
            "published" => PageField::Published,
            "isVisited" => PageField::IsVisited,
            "isCompleted" => PageField::IsCompleted,
            "bestPercent" => PageField::BestPercent,
            "attemptsLeft" => PageField::AttemptsLeft,
            "reason" => PageField::Reason(Arc::new(reason(same)?)),
            _ => return None,
        })
    })
}

fn reason<S: Selected>(same: &[S]) -> Option<Plan<ReasonField>> {
    plan(same, "Reason", |name, _| {
        Some(match name {
            "__typename" => ReasonField::TypeName,
            "kind" => ReasonField::Kind,
            "bestPercent" => ReasonField::BestPercent,
            "attemptsLeft" => ReasonField::AttemptsLeft,
            _ => return None,
        })
    })
}
