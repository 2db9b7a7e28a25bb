//! The parameters of an import: destination, format and preview.

use serde::{Deserialize, Serialize};

use crate::Kurso;
use crate::access::Viewer;
use kurso_base::error;
use kurso_base::ids::CourseId;
use kurso_base::schedule::ScheduleTime;
use kurso_base::values::{Change, Problem};
use kurso_formats::{Format, Headings};

/// The destination of an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "mode", content = "course_id")]
pub enum Target {
    /// A new course owned by the person.
    New,
    /// The modules are appended to this course.
    Append(CourseId),
    /// This course is changed to match the file. Pages with the same keys remain, with their visits and attempts.
    Update(CourseId),
}

/// The names of [`Target`] in requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    New,
    Append,
    Update,
}

kurso_base::values::choices! {
    Mode: "new" => Mode::New, "append" => Mode::Append, "update" => Mode::Update;
}

impl Target {
    /// None when neither is given. A course without a mode is appended to; a problem of the course when it is missing.
    pub fn of(mode: Option<Mode>, course: Option<CourseId>) -> Result<Option<Self>, Problem> {
        match (mode, course) {
            (None, None) => Ok(None),
            (Some(Mode::New), _) => Ok(Some(Target::New)),
            (Some(Mode::Update), Some(course)) => Ok(Some(Target::Update(course))),
            (Some(Mode::Append) | None, Some(course)) => Ok(Some(Target::Append(course))),
            (Some(Mode::Append | Mode::Update), None) => Err(Problem::missing()),
        }
    }

    /// The name used by the APIs.
    pub fn mode(self) -> &'static str {
        match self {
            Target::New => "new",
            Target::Append(_) => "append",
            Target::Update(_) => "update",
        }
    }

    /// The course to be compared with the file before it is updated.
    pub(super) fn compared(self) -> Option<CourseId> {
        match self {
            Target::Update(course) => Some(course),
            Target::New | Target::Append(_) => None,
        }
    }

    /// The existing course, if the destination is one.
    pub fn course(self) -> Option<CourseId> {
        match self {
            Target::New => None,
            Target::Append(course) | Target::Update(course) => Some(course),
        }
    }
}

/// The parameters of an import.
#[derive(Clone, Debug)]
pub struct Plan {
    pub into: Target,
    /// None if the format is detected.
    pub format: Option<Format>,
    /// Whether the import waits for confirmation before it is stored.
    pub preview: bool,
    /// Whether the pages stay unpublished and a new course gets no share code. An update ignores it.
    pub draft: bool,
    /// What the headings of a single document begin. None if the reader decides.
    pub headings: Option<Headings>,
    /// When the course is to start: all dates move with its start. None: as in the file.
    pub starts_at: Option<ScheduleTime>,
}

/// What a confirmation says. None, or `Keep`: the value of the plan.
#[derive(Clone, Default, Debug)]
pub struct Confirmed {
    pub into: Option<Target>,
    pub draft: Option<bool>,
    /// Cleared, the reader decides.
    pub headings: Change<Headings>,
    pub starts_at: Option<ScheduleTime>,
}

impl Plan {
    pub(crate) async fn require(&self, kurso: &Kurso, viewer: &Viewer) -> error::Result<()> {
        self.into.require(kurso, viewer).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_without_a_mode_is_appended_to() {
        let course = CourseId::new();
        assert_eq!(Target::of(None, None), Ok(None));
        assert_eq!(Target::of(None, Some(course)), Ok(Some(Target::Append(course))));
        assert_eq!(Target::of(Some(Mode::New), Some(course)), Ok(Some(Target::New)));
        assert_eq!(
            Target::of(Some(Mode::Update), Some(course)),
            Ok(Some(Target::Update(course)))
        );
    }

    #[test]
    fn append_and_update_need_a_course() {
        for mode in [Mode::Append, Mode::Update] {
            assert_eq!(Target::of(Some(mode), None), Err(Problem::missing()));
        }
    }
}
