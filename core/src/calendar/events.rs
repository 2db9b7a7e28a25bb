//! From the schedule of a course to its events.

use chrono::{DateTime, Utc};

use super::{Event, Kind, OVERDUE_FOR, Part, Todo, Upcoming};
use crate::learning::view::CourseView;
use crate::schedule::{State, Timing, is_past};

type At = Option<DateTime<Utc>>;

/// The events of a course as its viewer sees it, in no order.
pub(super) fn of_course(view: &CourseView) -> Vec<Event> {
    let mut found = Vec::new();
    let is_staff = view.course.role.is_staff();
    let timeline = view.timeline();
    let whole = timeline.course();
    let mut keep = |times: &[(Kind, At)], part: &Part, todo: Todo| {
        for (kind, at) in times {
            let Some(at) = *at else { continue };
            found.push(Event {
                kind: *kind,
                at,
                course_id: view.course.id,
                course_title: view.course.title.clone(),
                time_zone: view.course.dates.time_zone.clone(),
                role: view.course.role,
                part: part.clone(),
                is_done: todo == Todo::Done && !is_staff,
                is_overdue: *kind == Kind::Due && is_past(Some(at), view.now) && todo < Todo::Nothing && !is_staff,
                todo,
            });
        }
    };
    let times = [(Kind::Starts, whole.start), (Kind::Ends, whole.closes_at)];
    keep(&times, &Part::Course, done_if(view.progress.is_complete()));
    for (place, node) in view.tree.modules.iter().enumerate() {
        let module = timeline.module(place);
        let mut of_module = Vec::new();
        for place in node.lessons.clone() {
            let node = view.lesson(place);
            let mut pages = (1..).zip(view.pages_of(node)).peekable();
            let first_page = pages.peek().map(|(_, page)| view.page(*page).id);
            if first_page.is_none() && !is_staff {
                continue;
            }
            let lesson = timeline.lesson(place);
            let mut of_lesson = Vec::new();
            for (number, place) in pages {
                let page = timeline.page(place);
                let todo = Todo::of(&page, view.marks.is_done(&view.tree, place));
                of_lesson.push((page.due_at, todo));
                let part = Part::Page {
                    id: view.page(place).id,
                    title: view.page(place).title.clone(),
                    number,
                    kind: view.page(place).kind,
                    lesson_title: node.title.clone(),
                };
                keep(&own(&page, &lesson), &part, todo);
            }
            let part = Part::Lesson {
                id: node.id,
                title: node.title.clone(),
                first_page,
            };
            let [opens, due, closes] = own(&lesson, &module);
            keep(&[due], &part, due_with(due.1, &of_lesson));
            keep(&[opens, closes], &part, done_if(all_done(&of_lesson)));
            of_module.append(&mut of_lesson);
        }
        if !of_module.is_empty() || is_staff {
            let part = Part::Module {
                id: node.id,
                title: node.title.clone(),
            };
            let [opens, due, closes] = own(&module, &whole);
            keep(&[due], &part, due_with(due.1, &of_module));
            keep(&[opens, closes], &part, done_if(all_done(&of_module)));
        }
    }
    found
}

fn done_if(is_done: bool) -> Todo {
    if is_done { Todo::Done } else { Todo::Now }
}

impl Todo {
    fn of(page: &Timing, is_done: bool) -> Self {
        match page.state {
            _ if is_done => Todo::Done,
            State::Open => Todo::Now,
            State::Locked if !page.is_over() => Todo::Later,
            State::Locked | State::Closed => Todo::Never,
        }
    }
}

/// What there is to do of a lesson or module when it is due at `due`. `pages` are the due date and the state of each of its pages that the
/// viewer sees. Only pages with the same due date count: others have their own, or none.
fn due_with(due: At, pages: &[(At, Todo)]) -> Todo {
    let counted = pages.iter().filter(|(own, _)| *own == due);
    let is_done = all_done(pages);
    counted
        .map(|(_, todo)| *todo)
        .min()
        .unwrap_or(if is_done { Todo::Done } else { Todo::Nothing })
}

fn all_done(pages: &[(At, Todo)]) -> bool {
    !pages.is_empty() && pages.iter().all(|(_, todo)| *todo == Todo::Done)
}

/// The times of a part that differ from those of what is above it. An end at the due date says nothing more.
fn own(part: &Timing, above: &Timing) -> [(Kind, At); 3] {
    let differs = |own: At, above: At| own.filter(|_| own != above);
    let closes = differs(part.closes_at, above.closes_at);
    [
        (Kind::Opens, differs(part.start, above.start)),
        (Kind::Due, differs(part.due_at, above.due_at)),
        (Kind::Closes, closes.filter(|_| closes != part.due_at)),
    ]
}

/// What of a learner's events, sorted by time, there is to do at `now`.
pub(super) fn upcoming(events: Vec<Event>, now: DateTime<Utc>, most: usize) -> Upcoming {
    let due = events
        .into_iter()
        .filter(|event| event.kind == Kind::Due && matches!(event.todo, Todo::Now | Todo::Later));
    let (mut overdue, mut next): (Vec<_>, Vec<_>) = due.partition(|event| event.is_overdue);
    overdue.retain(|event| event.todo == Todo::Now && !is_past(Some(event.at + OVERDUE_FOR), now));
    overdue.reverse();
    let overdue_count = overdue.len();
    overdue.truncate(most);
    next.truncate(most);
    Upcoming {
        overdue_count,
        overdue,
        next,
    }
}

/// The `most` events that are nearest to `now`, in their order.
pub(super) fn nearest(mut events: Vec<Event>, now: DateTime<Utc>, most: usize) -> Vec<Event> {
    if events.len() > most {
        events.sort_by_key(|event| (event.at - now).abs());
        events.truncate(most);
        events.sort_by_cached_key(|event| (event.at, event.kind, event.uid()));
    }
    events
}

#[cfg(test)]
mod tests {
    use chrono::{Duration, TimeZone as _};
    use kurso_base::ids::{CourseId, ModuleId};

    use super::*;
    use crate::access::Role;

    fn day(day: i64) -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2026, 11, 1, 12, 0, 0).unwrap() + Duration::days(day)
    }

    fn timing(opens: Option<i64>, due: Option<i64>, closes: Option<i64>) -> Timing {
        Timing {
            start: opens.map(day),
            due_at: due.map(day),
            closes_at: closes.map(day),
            ..Timing::UNLIMITED
        }
    }

    fn due(at: DateTime<Utc>, now: DateTime<Utc>) -> Event {
        Event {
            kind: Kind::Due,
            at,
            course_id: CourseId::new(),
            course_title: "Course".to_owned(),
            time_zone: None,
            role: Role::Learner,
            part: Part::Module {
                id: ModuleId::new(),
                title: "Module".to_owned(),
            },
            is_done: false,
            is_overdue: is_past(Some(at), now),
            todo: Todo::Now,
        }
    }

    #[test]
    fn a_part_has_events_of_its_own_times_only() {
        let of = |part: &Timing, above: &Timing| own(part, above).map(|(_, at)| at);
        let course = timing(Some(1), None, Some(30));
        assert_eq!(of(&course, &course), [None, None, None], "inherited");
        assert_eq!(
            of(&timing(Some(2), Some(5), Some(30)), &course),
            [Some(day(2)), Some(day(5)), None]
        );
        assert_eq!(of(&timing(Some(1), None, Some(9)), &course), [None, None, Some(day(9))]);
        let lesson = timing(Some(1), Some(7), Some(30));
        let quiz = timing(Some(1), Some(7), Some(7));
        assert_eq!(
            of(&quiz, &lesson),
            [None, None, None],
            "attempts end at the due date of the lesson"
        );
        let late = timing(Some(1), Some(7), Some(9));
        assert_eq!(
            of(&late, &lesson),
            [None, None, Some(day(9))],
            "the end of late attempts"
        );
        assert_eq!(of(&Timing::UNLIMITED, &course), [None, None, None], "never opens");
    }

    #[test]
    fn upcoming_has_the_latest_overdue_and_the_soonest_next() {
        let now = day(40);
        let mut events: Vec<Event> = [5, 10, 20, 39, 40, 41, 50, 60].map(|at| due(day(at), now)).into();
        events[3].todo = Todo::Done;
        events[2].todo = Todo::Never;
        events.insert(0, due(day(35), now));
        events.sort_by_key(|event| event.at);
        let days = |events: &[Event]| {
            events
                .iter()
                .map(|event| (event.at - day(0)).num_days())
                .collect::<Vec<_>>()
        };
        let all = upcoming(events.clone(), now, 10);
        assert_eq!(
            days(&all.overdue),
            [35, 10],
            "5 is more than 30 days ago, 20 is closed, 39 is done"
        );
        assert_eq!(days(&all.next), [40, 41, 50, 60]);
        let some = upcoming(events, now, 1);
        assert_eq!(
            (some.overdue_count, days(&some.overdue), days(&some.next)),
            (2, vec![35], vec![40])
        );
    }

    #[test]
    fn a_full_feed_keeps_the_nearest_events_in_order() {
        let now = day(0);
        let events: Vec<Event> = [-9, -2, -1, 3, 4, 99].map(|at| due(day(at), now)).into();
        let kept = nearest(events.clone(), now, 4);
        assert_eq!(kept, events[1..5]);
        assert_eq!(nearest(events.clone(), now, 6), events);
    }
}
