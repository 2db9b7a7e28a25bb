//! Properties of prerequisites. The reference of the search for cycles is a learner who does whatever is open.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
struct Case {
    course: Prerequisites,
    is_sequential: bool,
    /// Pages done and in all, of each lesson.
    progress: Vec<LessonProgress>,
}

fn course(lessons_per_module: std::ops::Range<usize>) -> impl Strategy<Value = Case> {
    let part = (any::<bool>(), any::<prop::sample::Index>());
    let needs = prop::collection::vec((part.clone(), part), 0..7);
    let counts = prop::collection::vec((0..3_usize, 0..3_usize), 12);
    (
        prop::collection::vec(lessons_per_module, 1..5),
        needs,
        any::<bool>(),
        counts,
    )
        .prop_map(|(sizes, needs, is_sequential, counts)| {
            let mut start = 0;
            let ranges: Vec<_> = sizes
                .iter()
                .map(|size| {
                    start += size;
                    start - size..start
                })
                .collect();
            let mut course = Prerequisites::of(ranges);
            let part = |(is_module, index): (bool, prop::sample::Index)| match is_module || start == 0 {
                true => Part::Module(index.index(sizes.len())),
                false => Part::Lesson(index.index(start)),
            };
            for (waits, need) in needs {
                let waits = part(waits);
                let all = [course.needs(waits), &[part(need)]].concat();
                course.set(waits, all);
            }
            let counts = counts.into_iter().take(start);
            let progress = counts.map(|(done, left)| LessonProgress {
                pages_done: done,
                pages_total: done + left,
            });
            Case {
                course,
                is_sequential,
                progress: progress.collect(),
            }
        })
}

impl Case {
    fn unmet(&self, part: Part, progress: &[LessonProgress]) -> Vec<Part> {
        self.course.unmet(part, self.is_sequential, progress)
    }

    /// Whether a learner of lessons with one page each comes to the end.
    fn can_be_completed(&self) -> bool {
        let page = |done| LessonProgress {
            pages_done: done,
            pages_total: 1,
        };
        let mut progress = vec![page(0); self.course.module_of.len()];
        loop {
            let open = |lesson: &usize| {
                progress[*lesson] == page(0) && self.unmet(Part::Lesson(*lesson), &progress).is_empty()
            };
            match (0..progress.len()).find(open) {
                Some(lesson) => progress[lesson] = page(1),
                None => return progress.iter().all(|lesson| *lesson == page(1)),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn there_is_a_cycle_exactly_when_nobody_could_complete_the_course(case in course(1..4)) {
        prop_assert_eq!(case.course.cycle(case.is_sequential).is_none(), case.can_be_completed());
    }

    #[test]
    fn a_course_without_a_cycle_can_be_completed_also_with_empty_modules(case in course(0..3)) {
        if case.course.cycle(case.is_sequential).is_none() {
            prop_assert!(case.can_be_completed());
        }
    }

    #[test]
    fn each_part_of_a_cycle_waits_for_the_next_one(case in course(0..4)) {
        let Some(cycle) = case.course.cycle(case.is_sequential) else { return Ok(()) };
        prop_assert!(cycle.len() > 1 && cycle.first() == cycle.last(), "{:?}", cycle);
        for step in cycle.windows(2) {
            prop_assert!(case.course.before(step[0], case.is_sequential).contains(&step[1]), "{:?}", cycle);
        }
        let inner: HashSet<_> = cycle.iter().skip(1).collect();
        prop_assert_eq!(inner.len() + 1, cycle.len(), "no part comes twice: {:?}", &cycle);
    }

    #[test]
    fn broken_cycles_leave_none(case in course(0..4)) {
        let mut course = case.course.clone();
        let broken = course.break_cycles(case.is_sequential);
        prop_assert_eq!(course.cycle(case.is_sequential), None);
        prop_assert_eq!(broken.is_empty(), case.course.cycle(case.is_sequential).is_none());
    }

    #[test]
    fn completing_more_never_locks_more(case in course(0..4), which in any::<prop::sample::Index>()) {
        prop_assume!(!case.progress.is_empty());
        let mut after = case.progress.clone();
        let lesson = &mut after[which.index(case.progress.len())];
        lesson.pages_done = lesson.pages_total;
        for part in case.course.parts() {
            let (before, after) = (case.unmet(part, &case.progress), case.unmet(part, &after));
            prop_assert!(after.iter().all(|need| before.contains(need)), "{:?}: {:?} then {:?}", part, before, after);
        }
    }

    #[test]
    fn a_part_needs_exactly_what_is_set_for_it_or_above_it_and_is_not_done(case in course(0..4)) {
        let course = &case.course;
        let is_left = |lesson: usize| case.progress[lesson].pages_done < case.progress[lesson].pages_total;
        let inside = |part: Part| match part {
            Part::Module(module) => course.modules[module].clone().collect(),
            Part::Lesson(lesson) => vec![lesson],
        };
        for part in course.parts() {
            let mut wanted = course.needs(part).to_vec();
            if let Part::Lesson(lesson) = part {
                let module = course.modules.iter().position(|lessons| lessons.contains(&lesson)).unwrap();
                wanted.extend(course.needs(Part::Module(module)));
                if case.is_sequential {
                    // The lesson before is the nearest earlier lesson that has pages.
                    let pages = (0..lesson).flat_map(|before| vec![before; case.progress[before].pages_total]);
                    wanted.extend(pages.last().map(Part::Lesson));
                }
            }
            let mut expected: Vec<Part> = wanted.into_iter().filter(|need| inside(*need).into_iter().any(is_left)).collect();
            let unmet = case.unmet(part, &case.progress);
            prop_assert!(unmet.is_sorted_by_key(|need| course.order(*need)));
            expected.sort_unstable();
            expected.dedup();
            let mut found = unmet;
            found.sort_unstable();
            prop_assert_eq!(found, expected, "{:?}", part);
        }
    }

    #[test]
    fn a_learner_who_is_through_finds_everything_open(case in course(0..4)) {
        let done: Vec<_> = case.progress.iter().map(|lesson| LessonProgress { pages_done: lesson.pages_total, ..*lesson }).collect();
        for part in case.course.parts() {
            prop_assert_eq!(case.unmet(part, &done), vec![]);
        }
    }
}

/// Two modules of two lessons each; each lesson has one page.
fn four_lessons() -> Prerequisites {
    Prerequisites::of([0..2, 2..4])
}

fn progress(done: [usize; 4]) -> Vec<LessonProgress> {
    let lesson = |pages_done| LessonProgress {
        pages_done,
        pages_total: 1,
    };
    done.map(lesson).to_vec()
}

use Part::{Lesson, Module};

#[test]
fn a_lesson_needs_what_its_module_needs() {
    let mut course = four_lessons();
    course.set(Module(1), vec![Lesson(0)]);
    course.set(Lesson(3), vec![Lesson(2), Module(0)]);
    let unmet = |part, done| course.unmet(part, false, &progress(done));
    assert_eq!(unmet(Module(1), [0, 0, 0, 0]), [Lesson(0)]);
    assert_eq!(unmet(Lesson(2), [0, 0, 0, 0]), [Lesson(0)]);
    assert_eq!(
        unmet(Lesson(3), [0, 0, 0, 0]),
        [Module(0), Lesson(0), Lesson(2)],
        "in reading order"
    );
    assert_eq!(unmet(Lesson(3), [1, 0, 1, 0]), [Module(0)]);
    assert_eq!(unmet(Lesson(3), [1, 1, 1, 0]), []);
    assert_eq!(unmet(Lesson(1), [0, 0, 0, 0]), []);
}

#[test]
fn a_sequence_skips_lessons_without_pages() {
    let course = four_lessons();
    let mut counts = progress([0, 0, 0, 0]);
    assert_eq!(course.unmet(Lesson(0), true, &counts), []);
    assert_eq!(course.unmet(Lesson(2), true, &counts), [Lesson(1)], "across modules");
    assert_eq!(course.unmet(Module(1), true, &counts), []);
    counts[1] = LessonProgress::default();
    assert_eq!(course.unmet(Lesson(2), true, &counts), [Lesson(0)]);
    counts[0].pages_done = 1;
    assert_eq!(course.unmet(Lesson(2), true, &counts), []);
}

#[test]
fn what_has_no_pages_is_complete() {
    let mut course = Prerequisites::of([0..1, 1..1, 1..2]);
    course.set(Lesson(1), vec![Lesson(0), Module(1)]);
    assert_eq!(course.unmet(Lesson(1), false, &[LessonProgress::default(); 2]), []);
}

#[test]
fn cycles_are_found_with_their_parts_in_order() {
    let cycle = |needs: &[(Part, Part)], is_sequential| {
        let mut course = four_lessons();
        for (part, need) in needs {
            course.set(*part, vec![*need]);
        }
        course.cycle(is_sequential)
    };
    assert_eq!(
        cycle(&[(Lesson(0), Lesson(0))], false),
        Some(vec![Lesson(0), Lesson(0)])
    );
    let own_module = cycle(&[(Lesson(0), Module(0))], false).unwrap();
    assert_eq!(own_module.len(), 3, "{own_module:?}");
    assert!(cycle(&[(Module(0), Lesson(1))], false).is_some(), "its own lesson");
    assert!(cycle(&[(Module(0), Module(1)), (Lesson(2), Lesson(0))], false).is_some());
    assert_eq!(cycle(&[(Lesson(1), Lesson(3))], false), None);
    let in_a_row = cycle(&[(Lesson(1), Lesson(3))], true).unwrap();
    assert_eq!(in_a_row.len(), 4, "{in_a_row:?}");
    assert_eq!(cycle(&[(Lesson(3), Lesson(1)), (Module(1), Module(0))], true), None);
}

#[test]
fn a_long_course_in_a_row_is_searched_at_once() {
    let mut course = Prerequisites::of(std::iter::once(0..50_000));
    course.set(Lesson(0), vec![Lesson(49_999)]);
    assert_eq!(course.cycle(true).map(|cycle| cycle.len()), Some(50_001));
}
