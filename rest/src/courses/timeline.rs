//! Response schemas of dates: as authors set them, and as they hold for the caller.

use chrono::{DateTime, Utc};
use kurso_base::{schedule as stored, wire};
use kurso_core::schedule::{self, Timing};
use serde::Serialize;
use utoipa::ToSchema;

/// The own dates of a module, lesson or page; those of the parts above it also apply.
#[derive(Serialize, ToSchema)]
pub struct Dates {
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub available_from: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub available_until: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub due_at: Option<DateTime<Utc>>,
}

impl From<stored::Dates> for Dates {
    fn from(dates: stored::Dates) -> Self {
        Dates {
            available_from: dates.available_from,
            available_until: dates.available_until,
            due_at: dates.due_at,
        }
    }
}

/// The late policy of a quiz page. Without one, attempts end at the due date.
#[derive(Serialize, ToSchema)]
pub struct Late {
    /// End of late attempts.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub late_until: Option<DateTime<Utc>>,
    /// Percent of the score that an attempt loses for each begun day after the due date.
    #[schema(required)]
    pub late_penalty_per_day: Option<i64>,
    /// The most percent that an attempt loses; null means 100.
    #[schema(required)]
    pub late_penalty_max: Option<i64>,
}

impl From<stored::Late> for Late {
    fn from(late: stored::Late) -> Self {
        Late {
            late_until: late.late_until,
            late_penalty_per_day: late.late_penalty_per_day,
            late_penalty_max: late.late_penalty_max,
        }
    }
}

/// What the schedule says of a part of a course for the caller now. Staff are never locked out.
#[derive(Serialize, ToSchema)]
pub struct Timeline {
    #[schema(inline)]
    pub state: TimelineState,
    /// Latest start of the part and of those above it; null without one, if it never opens, and if only completing something opens it.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub opens_at: Option<DateTime<Utc>>,
    /// Earliest end; of a quiz also the end of attempts.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub closes_at: Option<DateTime<Utc>>,
    /// Nearest due date upwards.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub due_at: Option<DateTime<Utc>>,
    /// End of late attempts at a quiz.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub late_until: Option<DateTime<Utc>>,
    /// Percent of the score that an attempt would lose now.
    pub penalty_percent: i64,
    /// Why it is not open.
    #[schema(inline)]
    pub reasons: Vec<TimelineReason>,
    /// Titles of the modules and lessons that the caller must complete before it opens, in reading order.
    pub needs: Vec<String>,
}

/// `locked`: the contents are withheld; `closed`: it can be read, but takes no attempts any more.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimelineState {
    Open,
    Locked,
    Closed,
}

/// `not_yet`: its time has not begun; `over`: its time has ended; `course_over`: the course has ended; `needs`: something else must be
/// completed first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimelineReason {
    NotYet,
    Over,
    CourseOver,
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
            opens_at: timing.opens_at,
            closes_at: timing.closes_at,
            due_at: timing.due_at,
            late_until: timing.late_until,
            penalty_percent: timing.penalty_percent,
            reasons: timing.reasons().map(reason).collect(),
            needs: timing.needs,
        }
    }
}

/// The page is locked for the caller.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct PageLocked {
    detail: String,
    /// `LOCKED`
    code: String,
    /// Null if time does not open it.
    #[schema(required)]
    opens_at: Option<DateTime<Utc>>,
    #[schema(inline)]
    reasons: Vec<TimelineReason>,
    /// Titles of what must be completed first; of many, the first ones.
    needs: Vec<String>,
}

/// The part has closed; nothing was stored.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct TimeIsOver {
    detail: String,
    /// `CLOSED`
    code: String,
    #[schema(required)]
    closed_at: Option<DateTime<Utc>>,
}
