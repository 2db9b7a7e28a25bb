use async_graphql::{Enum, SimpleObject};
use kurso_core::schedule::{self, Timing};

use super::{DateTime, int};

/// What the schedule says of a part of a course for the caller now. Staff are never locked out.
#[derive(SimpleObject)]
pub struct Timeline {
    /// Whether it can be read, and takes attempts.
    state: TimelineState,
    /// Latest start of the part and of those above it; null without one, if it never opens, and if only completing something opens it.
    opens_at: Option<DateTime>,
    /// Earliest end; of a quiz also the end of attempts.
    closes_at: Option<DateTime>,
    /// Nearest due date upwards.
    due_at: Option<DateTime>,
    /// End of late attempts at a quiz.
    late_until: Option<DateTime>,
    /// Percent of the score that an attempt would lose now.
    penalty_percent: i32,
    /// Why it is not open; empty when it is.
    reasons: Vec<TimelineReason>,
    /// Titles of the modules and lessons that the caller must complete before it opens, in reading order.
    needs: Vec<String>,
}

/// Whether a part of a course is open.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum TimelineState {
    /// It can be read.
    Open,
    /// Its contents are withheld.
    Locked,
    /// It can be read, but takes no attempts any more.
    Closed,
}

/// Why a part of a course is not open.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum TimelineReason {
    /// Its time has not begun.
    NotYet,
    /// Its time, or that of a part above it, has ended.
    Over,
    /// The course has ended.
    CourseOver,
    /// Something else must be completed first.
    Needs,
}

impl From<Timing> for Timeline {
    fn from(timing: Timing) -> Self {
        let reason = |reason| match reason {
            schedule::Reason::NotYet => TimelineReason::NotYet,
            schedule::Reason::Over => TimelineReason::Over,
            schedule::Reason::CourseOver => TimelineReason::CourseOver,
            schedule::Reason::Needs => TimelineReason::Needs,
        };
        Timeline {
            state: match timing.state {
                schedule::State::Open => TimelineState::Open,
                schedule::State::Locked => TimelineState::Locked,
                schedule::State::Closed => TimelineState::Closed,
            },
            opens_at: timing.opens_at.map(DateTime),
            closes_at: timing.closes_at.map(DateTime),
            due_at: timing.due_at.map(DateTime),
            late_until: timing.late_until.map(DateTime),
            penalty_percent: int(timing.penalty_percent),
            reasons: timing.reasons().map(reason).collect(),
            needs: timing.needs,
        }
    }
}
