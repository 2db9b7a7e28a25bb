//! The TOML fields of courses, modules and lessons, written and read side by side.

use super::front_matter::{Base, Fields, FrontMatter, PREREQUISITES};
use crate::course::{CourseDraft, LessonDraft, ModuleDraft};
use crate::keys::key_of;
use kurso_base::schedule::ScheduleTime;

pub fn write_course(course: &CourseDraft, mut fields: Fields) -> String {
    fields.raw("format", super::VERSION);
    fields.text("title", Some(&course.title));
    fields.text("description", course.description.as_deref());
    fields.course_dates(&course.dates);
    fields.into_text()
}

/// A missing field leaves the draft as it is. `start` is that of a course without one in the file.
pub fn read_course(front: &mut FrontMatter, course: &mut CourseDraft, start: Option<ScheduleTime>) -> Base {
    front.number::<i64>("format");
    let title = front.text("title").filter(|title| !title.trim().is_empty());
    title.into_iter().for_each(|title| course.title = title);
    course.description = front.text("description");
    let (dates, base) = front.course_dates(start);
    course.dates = dates;
    base
}

/// `avatar` is the path of its file, and `needs` has the keys of its prerequisites.
pub fn write_module(module: &ModuleDraft, mut fields: Fields, avatar: Option<&str>, needs: &[&str]) -> String {
    fields.text("title", Some(&module.title));
    fields.text("description", module.description.as_deref());
    fields.text("avatar", avatar);
    fields.dates(&module.dates);
    fields.texts(PREREQUISITES, needs);
    fields.text("key", Some(&module.key.clone().unwrap_or_else(|| key_of(module.id))));
    fields.into_text()
}

/// A missing title leaves that of the draft. The avatar is the path of its file; the key is not checked. Returns the keys of the
/// prerequisites.
pub fn read_module(front: &mut FrontMatter, module: &mut ModuleDraft, base: Base) -> Vec<String> {
    front.text("title").into_iter().for_each(|title| module.title = title);
    module.description = front.text("description");
    module.avatar = front.text("avatar");
    module.key = front.text("key");
    module.dates = front.dates(base);
    front.prerequisites()
}

/// `needs` has the keys of its prerequisites.
pub fn write_lesson(lesson: &LessonDraft, mut fields: Fields, needs: &[&str]) -> String {
    fields.text("title", Some(&lesson.title));
    fields.dates(&lesson.dates);
    fields.texts(PREREQUISITES, needs);
    fields.text("key", Some(&lesson.key.clone().unwrap_or_else(|| key_of(lesson.id))));
    fields.into_text()
}

/// A missing title leaves that of the draft. The key is not checked. Returns the keys of the prerequisites.
pub fn read_lesson(front: &mut FrontMatter, lesson: &mut LessonDraft, base: Base) -> Vec<String> {
    front.text("title").into_iter().for_each(|title| lesson.title = title);
    lesson.key = front.text("key");
    lesson.dates = front.dates(base);
    front.prerequisites()
}
