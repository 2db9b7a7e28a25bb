//! When a part of a course is open for a learner, and until when. [`resolve`] is pure and decides alone; no other code compares
//! the dates of a course with the clock. [`prerequisites`] says what must be completed first.

use chrono::{DateTime, TimeDelta, Utc};

use kurso_base::error::{Error, Result};
use kurso_base::messages::Message;
use kurso_base::schedule::{CourseDates, Dates, Late};

pub mod overrides;
pub mod prerequisites;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

/// Whether a learner may read something, and whether it takes attempts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum State {
    #[default]
    Open,
    /// Its contents are withheld.
    Locked,
    /// It can be read, but takes no attempts any more.
    Closed,
}

impl State {
    /// The name in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Locked => "locked",
            State::Closed => "closed",
        }
    }
}

/// Why something is not open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Its time has not begun.
    NotYet,
    /// Its time, or that of a part above it, has ended.
    Over,
    /// The course has ended.
    CourseOver,
    /// Something else must be completed first.
    Needs,
}

impl Reason {
    /// The name in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            Reason::NotYet => "not_yet",
            Reason::Over => "over",
            Reason::CourseOver => "course_over",
            Reason::Needs => "needs",
        }
    }
}

/// What the schedule says of one part of a course at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timing {
    pub state: State,
    /// The latest start of the part and all parts above it. None without one, if it never opens, and if only something to complete opens it.
    pub opens_at: Option<DateTime<Utc>>,
    /// The same start, also where something must be completed first. A calendar shows it: it does not move as the learner goes on.
    pub start: Option<DateTime<Utc>>,
    /// The earliest end; for a quiz also the end of attempts.
    pub closes_at: Option<DateTime<Utc>>,
    /// The nearest due date upwards.
    pub due_at: Option<DateTime<Utc>>,
    /// The end of late attempts, if there are any and they end.
    pub late_until: Option<DateTime<Utc>>,
    /// Percent of the score that an attempt loses at this moment.
    pub penalty_percent: i64,
    /// Why it is not open at this time; None if it is.
    pub reason: Option<Reason>,
    /// The titles of what must be completed first, in reading order; of many, the first ones.
    pub needs: Vec<String>,
}

impl Timing {
    /// Without dates: always open.
    pub const UNLIMITED: Timing = Timing {
        state: State::Open,
        opens_at: None,
        start: None,
        closes_at: None,
        due_at: None,
        late_until: None,
        penalty_percent: 0,
        reason: None,
        needs: Vec::new(),
    };

    /// The same dates for staff, who are never locked out.
    #[must_use]
    pub fn for_staff(self) -> Self {
        Timing {
            state: State::Open,
            penalty_percent: 0,
            reason: None,
            needs: Vec::new(),
            ..self
        }
    }

    /// The same for a learner who must complete these first: it is locked, whatever the time. `opens_at` stays only if it is to come.
    #[must_use]
    pub fn needing(self, needs: Vec<String>) -> Self {
        if needs.is_empty() {
            return self;
        }
        Timing {
            state: State::Locked,
            opens_at: self.will_open_at(),
            needs,
            ..self
        }
    }

    /// Why the state is not open.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> + use<> {
        let needs = (!self.needs.is_empty()).then_some(Reason::Needs);
        self.reason.into_iter().chain(needs)
    }

    /// When the time opens what is locked now. None if it never does, and if only something to complete does.
    pub fn will_open_at(&self) -> Option<DateTime<Utc>> {
        self.opens_at.filter(|_| self.reason == Some(Reason::NotYet))
    }

    /// Whether its time is over: it is closed, or never opens.
    pub fn is_over(&self) -> bool {
        matches!(self.reason, Some(Reason::Over | Reason::CourseOver))
    }

    /// Fails with [`Error::Locked`] if the contents are withheld.
    pub fn require_readable(&self) -> Result<()> {
        match self.state {
            State::Locked => Err(Error::Locked {
                message: if self.is_over() && self.needs.is_empty() {
                    Message::PageNeverOpens
                } else {
                    Message::PageLocked
                },
                opens_at: self.will_open_at(),
                reasons: self.reasons().map(Reason::name).collect(),
                needs: self.needs.clone(),
            }),
            State::Open | State::Closed => Ok(()),
        }
    }

    /// Fails with [`Error::Locked`], or with [`Error::Closed`] if no attempts are accepted any more.
    pub fn require_open(&self) -> Result<()> {
        self.require_readable()?;
        match self.state {
            State::Closed => Err(Error::Closed {
                message: Message::PageClosed,
                closed_at: self.closes_at,
            }),
            State::Open | State::Locked => Ok(()),
        }
    }
}

/// Fails with [`Error::Closed`] after the end of enrollment.
pub fn require_enrollment(enroll_until: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Result<()> {
    match enroll_until {
        Some(end) if now > end => Err(Error::Closed {
            message: Message::EnrollmentClosed,
            closed_at: Some(end),
        }),
        _ => Ok(()),
    }
}

/// Resolves a part of a course at `now`. `chain` holds the own dates of the part and of those above it, outermost first; a part
/// without dates may be left out. `attempts` is the late policy of a quiz page, and None for everything that takes no attempts.
///
/// A part opens at its start and closes after its end: at the very end it is still open, and an attempt at the due date is on time.
pub fn resolve(course: &CourseDates, chain: &[&Dates], attempts: Option<&Late>, now: DateTime<Utc>) -> Timing {
    let Dates {
        available_from: from,
        available_until: until,
        due_at: due,
    } = joined(course, chain);
    let (late_until, last) = deadline(due, attempts);
    let closes_at = earlier(until, last);
    let never_opens = from.zip(until).is_some_and(|(from, until)| from > until);
    let over = match course.ends_at {
        Some(end) if now > end || (never_opens && until == Some(end)) => Reason::CourseOver,
        _ => Reason::Over,
    };
    let (state, reason) = if never_opens {
        (State::Locked, Some(over))
    } else if from.is_some_and(|from| now < from) {
        (State::Locked, Some(Reason::NotYet))
    } else if closes_at.is_some_and(|end| now > end) {
        (State::Closed, Some(over))
    } else {
        (State::Open, None)
    };
    let start = from.filter(|_| !never_opens);
    Timing {
        state,
        opens_at: start,
        start,
        closes_at,
        due_at: due,
        late_until,
        penalty_percent: attempts.map_or(0, |late| penalty(due, late, now)),
        reason,
        needs: Vec::new(),
    }
}

/// The effective dates of a part, with those inherited from the parts above it: the latest start, the earliest end, and the nearest due date
/// upwards. None: no limit. `chain` is as for [`resolve`].
pub fn joined(course: &CourseDates, chain: &[&Dates]) -> Dates {
    let of_course = Dates {
        available_from: course.starts_at,
        available_until: course.ends_at,
        due_at: None,
    };
    chain.iter().fold(of_course, |above, own| Dates {
        available_from: above.available_from.max(own.available_from),
        available_until: earlier(above.available_until, own.available_until),
        due_at: own.due_at.or(above.due_at),
    })
}

/// The own ends of the course and then of each part of the chain that come before `last`; None for every other end.
pub fn ends_before(course: &CourseDates, chain: &[&Dates], last: DateTime<Utc>) -> Vec<Option<DateTime<Utc>>> {
    let ends = std::iter::once(course.ends_at).chain(chain.iter().map(|dates| dates.available_until));
    ends.map(|end| end.filter(|end| *end < last)).collect()
}

/// Whether a due date is over: at the very end there is still time.
pub fn is_past(due: Option<DateTime<Utc>>, now: DateTime<Utc>) -> bool {
    due.is_some_and(|due| now > due)
}

/// The earlier of two ends; None has no end.
fn earlier(one: Option<DateTime<Utc>>, other: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// The end of late attempts, and the last moment for any attempt at a quiz, of the due date and the late policy that hold for it: without a
/// due date, nothing is late, and a late policy without an end has no last moment.
pub fn deadline(due: Option<DateTime<Utc>>, attempts: Option<&Late>) -> (Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
    let (Some(due), Some(late)) = (due, attempts) else {
        return (None, None);
    };
    if !late.is_allowed() {
        return (None, Some(due));
    }
    // An inherited due date may be later than the end of late attempts.
    let end = late.late_until.map(|end| end.max(due));
    (end, end)
}

/// Percent of the score that an attempt at `now` loses: for each begun day after the due date.
fn penalty(due: Option<DateTime<Utc>>, late: &Late, now: DateTime<Utc>) -> i64 {
    let Some(due) = due.filter(|due| late.is_allowed() && now > *due) else {
        return 0;
    };
    let day = TimeDelta::days(1).num_microseconds().unwrap_or(i64::MAX);
    let overdue = (now - due).num_microseconds().unwrap_or(i64::MAX);
    let days = overdue.saturating_add(day - 1) / day;
    let lost = days.saturating_mul(late.late_penalty_per_day.unwrap_or(0));
    lost.clamp(0, late.late_penalty_max.unwrap_or(100).clamp(0, 100))
}
