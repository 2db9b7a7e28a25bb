//! The fields that the fast path can write: without arguments, and found in the view of the course or its counts. A selection
//! with any other field has no plan.

use std::sync::Arc;

use super::selection::Selected;

/// The fields of an object by their keys in the answer, in order.
pub type Plan<F> = Vec<(String, F)>;

/// Fields of `MarkPageVisitedPayload`.
#[derive(Debug)]
pub enum VisitField {
    TypeName,
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
    TypeName,
    Id,
    Title,
    Description,
    MyRole,
    ShareCode,
    CreatedAt,
    UpdatedAt,
    Count(Count),
    Owner(Plan<OwnerField>),
    Progress(Plan<ProgressField>),
    Enrollment(Plan<EnrollmentField>),
    Modules(Plan<ModuleField>),
}

#[derive(Debug)]
pub enum Count {
    Modules,
    Lessons,
    Pages,
    Students,
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
            "__typename" => VisitField::TypeName,
            "page" => VisitField::Page(pages(same)?),
            "lesson" => VisitField::Lesson(lessons(same)?),
            "course" => VisitField::Course(course(same)?),
            _ => return None,
        })
    })
}

pub fn course(same: &[Selected<'_>]) -> Option<Plan<CourseField>> {
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
            "modulesCount" => CourseField::Count(Count::Modules),
            "lessonsCount" => CourseField::Count(Count::Lessons),
            "pagesCount" => CourseField::Count(Count::Pages),
            "studentsCount" => CourseField::Count(Count::Students),
            "owner" => CourseField::Owner(owner(same)?),
            "progress" => CourseField::Progress(progress(same)?),
            "enrollment" => CourseField::Enrollment(enrollment(same)?),
            "modules" => CourseField::Modules(modules(same)?),
            _ => return None,
        })
    })
}

fn owner(same: &[Selected<'_>]) -> Option<Plan<OwnerField>> {
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

fn progress(same: &[Selected<'_>]) -> Option<Plan<ProgressField>> {
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

fn enrollment(same: &[Selected<'_>]) -> Option<Plan<EnrollmentField>> {
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

fn modules(same: &[Selected<'_>]) -> Option<Plan<ModuleField>> {
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

fn lessons(same: &[Selected<'_>]) -> Option<Plan<LessonField>> {
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
}

fn reason(same: &[Selected<'_>]) -> Option<Plan<ReasonField>> {
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
