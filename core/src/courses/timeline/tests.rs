//! The timeline of a whole course: dates of ancestors, overrides of a group and of a learner, prerequisites and sequential lessons together,
//! compared with a slow reference. It goes through windows and pages one by one, where the code merges and counts.

mod cases;

use chrono::TimeDelta;
use kurso_base::ids::{CourseId, GroupId, UserId};
use kurso_base::schedule::Dates;
use kurso_base::values::Change;
use proptest::prelude::*;

use self::cases::{Case, case, part_at};
use super::*;
use crate::access::Role;
use crate::courses::Owner;
use crate::courses::groups::GroupName;
use crate::courses::overrides::Overrides;
use crate::courses::tree::samples::SamplePage;
use crate::schedule::Reason;
use crate::schedule::overrides::Override;
use crate::schedule::samples::at;

type At = Option<DateTime<Utc>>;

impl Case {
    /// Each page with its lesson and module.
    fn pages(&self) -> Vec<(SamplePage, Part, Part)> {
        let lessons = self.modules.iter().enumerate();
        let lessons = lessons.flat_map(|(module, (_, lessons))| lessons.iter().map(move |lesson| (module, lesson)));
        let pages = lessons.enumerate().flat_map(|(lesson, (module, (_, pages)))| {
            let above = (Part::Lesson(lesson), Part::Module(module));
            pages.iter().map(move |page| (*page, above.0, above.1))
        });
        pages.collect()
    }

    /// Whether a published page in this module or lesson is left to do.
    fn is_unfinished(&self, part: Part) -> bool {
        let mut pages = self.pages().into_iter().zip(&self.done);
        pages.any(|(((_, published, ..), lesson, module), done)| {
            published && !done && (lesson == part || module == part)
        })
    }

    fn has_pages(&self, part: Part) -> bool {
        let mut pages = self.pages().into_iter();
        pages.any(|((_, published, ..), lesson, _)| published && lesson == part)
    }

    /// The titles of what is to be completed before the part at the end of a path.
    fn needed(&self, path: &[(Place, Dates)]) -> Vec<String> {
        let waiting: Vec<Part> = path.iter().filter_map(|(place, _)| part_at(*place)).collect();
        let parts: Vec<Part> = self.places().into_iter().filter_map(part_at).collect();
        let before = waiting
            .iter()
            .find(|part| matches!(part, Part::Lesson(_)))
            .and_then(|lesson| {
                let earlier = parts.iter().take_while(|part| *part != lesson);
                earlier
                    .filter(|part| matches!(part, Part::Lesson(_)) && self.has_pages(**part))
                    .last()
            });
        let before = before.filter(|_| self.course.sequential);
        let is_needed =
            |need: &Part| before == Some(need) || waiting.iter().any(|part| self.needs.contains(&(*part, *need)));
        let unmet = parts
            .iter()
            .filter(|part| is_needed(part) && self.is_unfinished(**part));
        let title = |part: &Part| match part {
            Part::Module(module) => format!("M{module}"),
            Part::Lesson(lesson) => format!("L{lesson}"),
        };
        unmet.map(title).take(10).collect()
    }

    /// What is said of a field of a place by the learner, their group and the course, in this order: None if nobody sets it or lifts it.
    fn said(&self, place: Place, of: fn(&Override) -> Change<DateTime<Utc>>, own: At) -> Option<At> {
        for (at, over) in self.learner.iter().chain(&self.group) {
            match of(over) {
                _ if *at != place => {}
                Change::Keep => {}
                Change::Clear => return Some(None),
                Change::Set(at) => return Some(Some(at)),
            }
        }
        own.map(Some)
    }

    /// The timing of the part at the end of a path, from the rules.
    fn reference(&self, path: &[(Place, Dates)], now: DateTime<Utc>) -> Timing {
        let starts: Vec<_> = path
            .iter()
            .filter_map(|(place, own)| self.said(*place, |over| over.available_from, own.available_from)?)
            .collect();
        let end =
            |(place, own): &(Place, Dates)| self.said(*place, |over| over.available_until, own.available_until)?;
        let ends: Vec<_> = path.iter().filter_map(end).collect();
        let due = path
            .iter()
            .skip(1)
            .rev()
            .find_map(|(place, own)| self.said(*place, |over| over.due_at, own.due_at));
        let due_at = due.flatten();
        // Of a quiz that is due: the late policy that applies.
        let quiz = match path.last() {
            Some((Place::Page(page), _)) => Some(self.pages()[*page].0).filter(|page| page.0.takes_attempts()),
            _ => None,
        };
        let (mut late_until, mut last_attempt, mut penalty_percent) = (None, None, 0);
        if let (Some(due), Some((.., late))) = (due_at, quiz) {
            let until = self.said(path.last().unwrap().0, |over| over.late_until, late.late_until);
            let is_late_allowed = until.is_some() || late.late_penalty_per_day.is_some();
            if is_late_allowed {
                late_until = until.flatten().map(|until| if until < due { due } else { until });
                last_attempt = late_until;
                let mut day_begins = due;
                while day_begins < now {
                    penalty_percent += late.late_penalty_per_day.unwrap_or(0);
                    day_begins += TimeDelta::days(1);
                }
                penalty_percent = penalty_percent.min(late.late_penalty_max.unwrap_or(100)).min(100);
            } else {
                last_attempt = Some(due);
            }
        }
        let never_opens = starts.iter().any(|start| ends.iter().any(|end| start > end));
        let closes_at = ends.iter().copied().chain(last_attempt).min();
        let course_end = end(&path[0]);
        let is_course_over = course_end
            .is_some_and(|course_end| course_end < now || (never_opens && ends.iter().all(|end| *end >= course_end)));
        let over = Some(if is_course_over {
            Reason::CourseOver
        } else {
            Reason::Over
        });
        let (state, reason) = if never_opens {
            (State::Locked, over)
        } else if starts.iter().any(|start| *start > now) {
            (State::Locked, Some(Reason::NotYet))
        } else if closes_at.is_some_and(|end| end < now) {
            (State::Closed, over)
        } else {
            (State::Open, None)
        };
        let start = if never_opens { None } else { starts.into_iter().max() };
        let needs = self.needed(path);
        let is_still_to_open = needs.is_empty() || reason == Some(Reason::NotYet);
        let timing = Timing {
            state: if needs.is_empty() { state } else { State::Locked },
            opens_at: start.filter(|_| is_still_to_open),
            start,
            closes_at,
            due_at,
            late_until,
            penalty_percent,
            reason,
            needs,
        };
        match self.role {
            Role::Learner => timing,
            _ => Timing {
                state: State::Open,
                opens_at: start,
                penalty_percent: 0,
                reason: None,
                needs: vec![],
                ..timing
            },
        }
    }

    /// The course and its tree as they are stored, with the learner in the group.
    fn stored(&self) -> (Course, Tree) {
        let group = GroupName {
            id: GroupId::new(),
            title: "A".to_owned(),
        };
        let group_id = group.id;
        let course = Course {
            id: CourseId::new(),
            title: "Course".to_owned(),
            description: None,
            owner: Owner {
                id: UserId::new(),
                full_name: None,
                email: None,
            },
            role: Role::Learner,
            share_code: None,
            structure_version: 1,
            dates: self.course.clone(),
            has_overrides: true,
            created_at: at(0),
            updated_at: at(0),
            enrollment: None,
        };
        let mut course = course.for_newcomer(Some(group), at(0));
        course.role = self.role;
        let user = course.enrollment.as_ref().unwrap().user_id;
        let layers = ((group_id, self.group.clone()), (user, self.learner.clone()));
        let tree = Tree::from_dates(&self.modules, &self.needs);
        (course, tree.with_overrides(Overrides::of_two(layers.0, layers.1)))
    }

    /// The progress of the learner in each lesson.
    fn progress(&self) -> Vec<LessonProgress> {
        let lessons = self.modules.iter().map(|(_, lessons)| lessons.len()).sum();
        let mut progress = vec![LessonProgress::default(); lessons];
        for (((_, published, ..), lesson, _), done) in self.pages().into_iter().zip(&self.done) {
            if let (true, Part::Lesson(lesson)) = (published, lesson) {
                progress[lesson].pages_total += 1;
                progress[lesson].pages_done += usize::from(*done);
            }
        }
        progress
    }

    /// Every date of the case and the days after it, each with a microsecond before and after it, in order.
    fn moments(&self) -> Vec<DateTime<Utc>> {
        let paths = self.paths();
        let own = paths.iter().filter_map(|path| path.last()).map(|(_, dates)| dates);
        let mut all: Vec<At> = own
            .flat_map(|own| [own.available_from, own.available_until, own.due_at])
            .collect();
        all.extend(self.pages().iter().map(|((.., late), ..)| late.late_until));
        for (_, over) in self.group.iter().chain(&self.learner) {
            let changes = [over.available_from, over.available_until, over.due_at, over.late_until];
            all.extend(changes.map(Change::value));
        }
        let days = |at| [0, 1, 2].map(|days| at + TimeDelta::days(days));
        let boundaries = all.into_iter().flatten().flat_map(days);
        let around = |at| [-1, 0, 1].map(|shift| at + TimeDelta::microseconds(shift));
        let mut moments: Vec<_> = boundaries.flat_map(around).collect();
        moments.sort_unstable();
        moments.dedup();
        moments
    }
}

/// What the timeline says of a place.
fn timing(timeline: Timeline<'_>, place: Place) -> Timing {
    match place {
        Place::Course => timeline.course(),
        Place::Module(module) => timeline.module(module),
        Place::Lesson(lesson) => timeline.lesson(lesson),
        Place::Page(page) => timeline.page(page),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_timeline_of_a_course_agrees_with_the_reference_at_every_boundary(mut case in case()) {
        let (course, tree) = case.stored();
        let (own, progress) = (Own::of(&course, &tree), case.progress());
        if case.role != Role::Learner {
            // Staff see the dates of the course.
            (case.group, case.learner) = (vec![], vec![]);
        }
        let paths = case.paths();
        for now in case.moments() {
            let timeline = Timeline::of(&course, &tree, &own, &progress, now);
            for path in &paths {
                let place = path.last().unwrap().0;
                prop_assert_eq!(timing(timeline, place), case.reference(path, now), "{:?} at {}", place, now);
            }
        }
    }

    #[test]
    fn later_never_locks_again_what_only_time_had_opened(case in case()) {
        let (course, tree) = case.stored();
        let (own, progress) = (Own::of(&course, &tree), case.progress());
        let order = |state| match state {
            State::Locked => 0,
            State::Open => 1,
            State::Closed => 2,
        };
        for place in case.places() {
            let mut before = (0, 0);
            for now in case.moments() {
                let timing = timing(Timeline::of(&course, &tree, &own, &progress, now), place);
                let after = (order(timing.state), timing.penalty_percent);
                prop_assert!(before.0 <= after.0 && before.1 <= after.1, "{:?} at {}: {:?}, then {:?}", place, now, before, after);
                before = after;
            }
        }
    }

    #[test]
    fn nothing_is_open_in_a_part_that_is_locked(case in case()) {
        let (course, tree) = case.stored();
        let (own, progress) = (Own::of(&course, &tree), case.progress());
        for now in case.moments().into_iter().step_by(5) {
            let timeline = Timeline::of(&course, &tree, &own, &progress, now);
            for path in case.paths() {
                let states: Vec<_> = path.iter().map(|(place, _)| timing(timeline, *place).state).collect();
                let first = states.iter().position(|state| *state == State::Locked).unwrap_or(states.len());
                prop_assert!(states[first..].iter().all(|state| *state == State::Locked), "{:?} at {}", path, now);
            }
        }
    }
}
