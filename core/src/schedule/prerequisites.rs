//! Prerequisites: which modules and lessons must be complete before another one opens. Pure; parts are places in a course tree.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

#[cfg(test)]
mod tests;

/// A module or lesson by its index among all modules or lessons of a course, in reading order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Part {
    Module(usize),
    Lesson(usize),
}

/// The pages of a lesson that count, and how many of them a learner has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LessonProgress {
    pub pages_done: usize,
    pub pages_total: usize,
}

impl LessonProgress {
    /// False for a lesson without pages, which counts nowhere.
    pub fn is_completed(self) -> bool {
        self.pages_total > 0 && self.pages_done == self.pages_total
    }

    /// Whether something is left to do. A lesson without pages holds up nobody.
    fn is_unfinished(self) -> bool {
        self.pages_done < self.pages_total
    }
}

/// The modules and lessons of a course, and what each of them needs.
#[derive(Clone, Debug, Default)]
pub struct Prerequisites {
    /// The lessons of each module.
    modules: Vec<Range<usize>>,
    /// The module of each lesson.
    module_of: Vec<usize>,
    /// What authors set. No entry is empty.
    needs: HashMap<Part, Vec<Part>>,
}

impl Prerequisites {
    /// A course without prerequisites, given the lessons of each module.
    pub fn of(modules: impl IntoIterator<Item = Range<usize>>) -> Self {
        let modules: Vec<_> = modules.into_iter().collect();
        let lessons = modules.iter().enumerate();
        let module_of = lessons.flat_map(|(module, lessons)| lessons.clone().map(move |_| module));
        Prerequisites {
            module_of: module_of.collect(),
            modules,
            needs: HashMap::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.needs.is_empty()
    }

    /// Replaces what a part needs.
    pub fn set(&mut self, part: Part, mut needs: Vec<Part>) {
        needs.sort_by_key(|need| self.order(*need));
        needs.dedup();
        if needs.is_empty() {
            self.needs.remove(&part);
        } else {
            self.needs.insert(part, needs);
        }
    }

    /// What authors set for a part, in reading order.
    pub fn needs(&self, part: Part) -> &[Part] {
        self.needs.get(&part).map_or(&[], Vec::as_slice)
    }

    /// Whether one of the two is the other, or in it.
    pub fn is_same_or_inside(&self, one: Part, other: Part) -> bool {
        let module = |part| match part {
            Part::Module(module) => Some(module),
            Part::Lesson(lesson) => self.module_of.get(lesson).copied(),
        };
        match (one, other) {
            (Part::Lesson(one), Part::Lesson(other)) => one == other,
            _ => module(one) == module(other),
        }
    }

    /// What must be completed before a part opens: what it and the module above it need and the learner has not completed, in reading
    /// order. In a sequential course a lesson also needs the nearest earlier lesson that has pages. `progress` is that of each
    /// lesson; a module or lesson without pages that count is complete.
    pub fn unmet(&self, part: Part, is_sequential: bool, progress: &[LessonProgress]) -> Vec<Part> {
        let of = |lesson: usize| progress.get(lesson).copied().unwrap_or_default();
        let is_unfinished = |part: &Part| match part {
            Part::Module(module) => self.lessons(*module).any(|lesson| of(lesson).is_unfinished()),
            Part::Lesson(lesson) => of(*lesson).is_unfinished(),
        };
        let mut unmet: Vec<Part> = Vec::new();
        if !self.is_empty() {
            let above = self.above(part);
            let all = above.into_iter().chain([part]).flat_map(|part| self.needs(part));
            unmet.extend(all.copied().filter(is_unfinished));
        }
        if let (true, Part::Lesson(lesson)) = (is_sequential, part) {
            let before = (0..lesson).rev().find(|before| of(*before).pages_total > 0);
            unmet.extend(before.map(Part::Lesson).filter(is_unfinished));
        }
        unmet.sort_by_key(|part| self.order(*part));
        unmet.dedup();
        unmet
    }

    /// A cycle, because of which nobody could complete the course: each part needs the next one, or contains it, and the last one is the
    /// first. None if there is no cycle. Publishing pages never makes one: an empty lesson counts here like any other.
    pub fn cycle(&self, is_sequential: bool) -> Option<Vec<Part>> {
        if self.is_empty() {
            return None; // lessons in a row make no cycle
        }
        let stuck = self.stuck(is_sequential);
        let stuck_of = |part: Part| {
            let before = self.before(part, is_sequential).into_iter();
            before.filter(|part| stuck.contains(part))
        };
        // Each stuck part waits for a stuck part, so that a walk comes to a cycle.
        let mut at = self.parts().find(|part| stuck.contains(part))?;
        let mut seen = HashSet::new();
        while seen.insert(at) {
            at = stuck_of(at).next()?;
        }
        // The shortest cycle through this part is the easiest one to understand.
        let mut came_from: HashMap<Part, Part> = HashMap::new();
        let mut queue = VecDeque::from([at]);
        while let Some(part) = queue.pop_front() {
            for next in stuck_of(part) {
                if next == at {
                    let mut cycle = vec![at];
                    let mut step = part;
                    while step != at {
                        cycle.push(step);
                        step = *came_from.get(&step)?;
                    }
                    cycle.push(at);
                    cycle.reverse();
                    return Some(cycle);
                }
                if let Entry::Vacant(vacant) = came_from.entry(next) {
                    vacant.insert(part);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// Drops prerequisites until there is no cycle: everything that the parts of a cycle need, and after 20 cycles all that are
    /// left. Returns the cycles.
    pub fn break_cycles(&mut self, is_sequential: bool) -> Vec<Vec<Part>> {
        let mut cycles = Vec::new();
        while let Some(cycle) = self.cycle(is_sequential) {
            for part in &cycle {
                let above = self.above(*part);
                for part in above.into_iter().chain([*part]) {
                    self.needs.remove(&part);
                }
            }
            cycles.push(cycle);
            if cycles.len() == 20 {
                self.needs.clear();
            }
        }
        cycles
    }

    /// The parts that can never be complete.
    fn stuck(&self, is_sequential: bool) -> HashSet<Part> {
        let mut waiting: HashMap<Part, usize> = HashMap::new();
        let mut waited_for: HashMap<Part, Vec<Part>> = HashMap::new();
        let mut free = Vec::new();
        for part in self.parts() {
            let before = self.before(part, is_sequential);
            if before.is_empty() {
                free.push(part);
            }
            waiting.insert(part, before.len());
            for first in before {
                waited_for.entry(first).or_default().push(part);
            }
        }
        while let Some(done) = free.pop() {
            waiting.remove(&done);
            for part in waited_for.remove(&done).unwrap_or_default() {
                if let Some(left) = waiting.get_mut(&part) {
                    *left -= 1;
                    if *left == 0 {
                        free.push(part);
                    }
                }
            }
        }
        waiting.into_keys().collect()
    }

    /// What must be complete before a part can be: what it needs, and the lessons of a module.
    fn before(&self, part: Part, is_sequential: bool) -> Vec<Part> {
        let mut before: Vec<Part> = self.needs(part).to_vec();
        match part {
            Part::Module(module) => before.extend(self.lessons(module).map(Part::Lesson)),
            Part::Lesson(lesson) => {
                before.extend(self.above(part).into_iter().flat_map(|part| self.needs(part)));
                if is_sequential {
                    before.extend(lesson.checked_sub(1).map(Part::Lesson));
                }
            }
        }
        before
    }

    /// The module of a lesson.
    fn above(&self, part: Part) -> Option<Part> {
        match part {
            Part::Module(_) => None,
            Part::Lesson(lesson) => self.module_of.get(lesson).copied().map(Part::Module),
        }
    }

    fn lessons(&self, module: usize) -> Range<usize> {
        self.modules.get(module).cloned().unwrap_or_default()
    }

    fn parts(&self) -> impl Iterator<Item = Part> {
        let lessons = (0..self.module_of.len()).map(Part::Lesson);
        (0..self.modules.len()).map(Part::Module).chain(lessons)
    }

    /// The key of the reading order: a module comes before its lessons.
    fn order(&self, part: Part) -> (usize, Option<usize>) {
        match part {
            Part::Module(module) => (module, None),
            Part::Lesson(lesson) => (self.module_of.get(lesson).copied().unwrap_or_default(), Some(lesson)),
        }
    }
}
