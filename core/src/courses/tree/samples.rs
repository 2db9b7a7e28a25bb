//! Trees with dates, for tests of pure functions.

use super::*;

/// The own dates of a part, and what is in it.
pub type WithDates<T> = (Dates, Vec<T>);

/// A page: its kind, whether it is published, its dates and its late policy.
pub type SamplePage = (PageKind, bool, Dates, Late);

impl Tree {
    /// A tree of modules with lessons with pages; modules are titled `M0`, `M1`, …, and lessons `L0`, `L1`, … through the whole course.
    /// `needs` are pairs of a part and what it needs.
    pub fn from_dates(modules: &[WithDates<WithDates<SamplePage>>], needs: &[(Part, Part)]) -> Tree {
        let course_id = CourseId::new();
        let (mut module_rows, mut lesson_rows, mut page_rows) = (Vec::new(), Vec::new(), Vec::new());
        for (position, (dates, lessons)) in (0..).zip(modules) {
            let module_id = ModuleId::new();
            module_rows.push(ModuleRow {
                course_id,
                id: module_id,
                title: format!("M{position}"),
                description: None,
                position,
                avatar_key: None,
                avatar_name: None,
                dates: *dates,
            });
            for (position, (dates, pages)) in (0..).zip(lessons) {
                let lesson_id = LessonId::new();
                for (position, (kind, published, dates, late)) in (0..).zip(pages) {
                    page_rows.push(PageRow {
                        course_id,
                        id: PageId::new(),
                        lesson_id,
                        title: None,
                        kind: *kind,
                        position,
                        published: *published,
                        max_attempts: None,
                        mark_no: None,
                        dates: *dates,
                        late: *late,
                    });
                }
                lesson_rows.push(Lesson {
                    course_id,
                    id: lesson_id,
                    module_id,
                    title: format!("L{}", lesson_rows.len()),
                    position,
                    dates: *dates,
                    prerequisites: vec![],
                    pages: vec![],
                });
            }
        }
        let module_ids: Vec<_> = module_rows.iter().map(|module| module.id.0).collect();
        let lesson_ids: Vec<_> = lesson_rows.iter().map(|lesson| lesson.id.0).collect();
        let id = |part: &Part| match *part {
            Part::Module(place) => module_ids[place],
            Part::Lesson(place) => lesson_ids[place],
        };
        let needs = needs.iter().map(|(part, need)| (id(part), id(need))).collect();
        Tree::grow((module_rows, lesson_rows, page_rows, needs))
    }

    /// The same tree with overrides of one group and one learner.
    pub fn with_overrides(mut self, overrides: Overrides) -> Tree {
        self.overrides = Arc::new(overrides);
        self
    }
}
