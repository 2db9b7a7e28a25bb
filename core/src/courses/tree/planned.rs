//! The tree of a course as an update by a file would make it.

use std::collections::HashMap;
use std::sync::Arc;

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_db::Db;
use kurso_formats::CourseDraft;

use super::{ModuleRow, PageKind, PageRow, Rows, Tree};
use crate::courses::Course;
use crate::courses::lesson::Lesson;
use crate::courses::overrides::{self, Overrides};

impl Tree {
    /// Builds the tree of a course after an update by a draft whose parts have their stored IDs. `now` is the current tree. Leaves out avatars
    /// and attempt limits. One statement if the course has overrides.
    pub(crate) async fn planned(db: &Db, course: &Course, now: &Tree, draft: &CourseDraft) -> Result<Tree> {
        let mut tree = Tree::grow(rows(course.id, now, draft));
        if course.has_overrides {
            let found = overrides::read_all(db, [course.id].into_iter()).await?;
            let rows = found.into_values().flatten().collect();
            tree.overrides = Arc::new(Overrides::of(rows, &tree));
        }
        Ok(tree)
    }
}

fn rows(course_id: CourseId, now: &Tree, draft: &CourseDraft) -> Rows {
    let numbers: HashMap<PageId, Option<i64>> = now.pages.iter().map(|page| (page.id, page.mark_no)).collect();
    let (mut modules, mut lessons, mut pages, mut needs) = Rows::default();
    for (position, module) in (0..).zip(&draft.modules) {
        let module_id = ModuleId(module.id);
        needs.extend(module.prerequisites.iter().map(|need| (module.id, *need)));
        modules.push(ModuleRow {
            course_id,
            id: module_id,
            title: module.title.clone(),
            description: module.description.clone(),
            position,
            avatar_key: None,
            avatar_name: None,
            dates: module.dates,
        });
        for (position, lesson) in (0..).zip(&module.lessons) {
            let lesson_id = LessonId(lesson.id);
            needs.extend(lesson.prerequisites.iter().map(|need| (lesson.id, *need)));
            lessons.push(Lesson {
                course_id,
                id: lesson_id,
                module_id,
                title: lesson.title.clone(),
                position,
                dates: lesson.dates,
                prerequisites: vec![],
                pages: vec![],
            });
            pages.extend((0..).zip(&lesson.pages).map(|(position, page)| PageRow {
                course_id,
                id: PageId(page.id),
                lesson_id,
                title: page.title.clone(),
                kind: PageKind::of(page.quiz.as_ref()),
                position,
                published: page.published,
                max_attempts: None,
                mark_no: numbers.get(&PageId(page.id)).copied().flatten(),
                dates: page.dates,
                late: page.late,
            }));
        }
    }
    (modules, lessons, pages, needs)
}
