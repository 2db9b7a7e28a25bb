//! What is to become of a file: how it is read, and where it goes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Kurso;
use crate::access::Viewer;
use crate::error::{FieldError, Result};
use crate::exchange::Format;
use crate::ids::CourseId;
use crate::input::Fields;
use crate::messages::Message;

/// Where what was read goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "mode", content = "course_id")]
pub enum Into {
    /// A new course of the person.
    New,
    /// The modules go after the last of this course.
    Append(CourseId),
    /// This course is made to say what the file says; what has the same keys stays, with visits and attempts.
    Update(CourseId),
}

#[derive(Clone, Copy)]
enum Mode {
    New,
    Append,
    Update,
}

const MODES: &[(&str, Mode)] = &[("new", Mode::New), ("append", Mode::Append), ("update", Mode::Update)];

impl Into {
    /// Reads `mode` and `course_id`; None when neither is given. A course without a mode is appended to.
    pub fn from_body(body: &Value) -> Result<Option<Self>> {
        let mut fields = Fields::of(body)?;
        let into = Self::read(&mut fields);
        fields.finish()?;
        Ok(into)
    }

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let mode = fields.optional_word("mode", MODES);
        let course = fields.optional_id("course_id");
        match (mode, course) {
            (None, None) => None,
            (Some(Mode::New), _) => Some(Into::New),
            (Some(Mode::Update), Some(course)) => Some(Into::Update(course)),
            (Some(Mode::Append) | None, Some(course)) => Some(Into::Append(course)),
            (Some(Mode::Append | Mode::Update), None) => {
                if fields.value("course_id").is_none_or(Value::is_null) {
                    fields.refuse(FieldError::body(
                        "missing",
                        "course_id",
                        Message::FieldRequired,
                        Value::Null,
                    ));
                }
                None
            }
        }
    }

    /// As callers name it.
    pub fn mode(self) -> &'static str {
        match self {
            Into::New => "new",
            Into::Append(_) => "append",
            Into::Update(_) => "update",
        }
    }

    /// The course that is compared with what was read before that takes its place.
    pub(super) fn compared(self) -> Option<CourseId> {
        match self {
            Into::Update(course) => Some(course),
            Into::New | Into::Append(_) => None,
        }
    }

    /// The course that is there already.
    pub fn course(self) -> Option<CourseId> {
        match self {
            Into::New => None,
            Into::Append(course) | Into::Update(course) => Some(course),
        }
    }
}

/// What an import is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub into: Into,
    /// None: told by what is there.
    pub format: Option<Format>,
    /// To be shown before it is stored.
    pub preview: bool,
}

impl Plan {
    /// Reads `mode`, `course_id`, `format` and `preview`, each of which may be left out.
    pub fn from_body(body: &Value) -> Result<Self> {
        let formats: Vec<(&'static str, Format)> = Format::ALL.map(|format| (format.name(), format)).into();
        let mut fields = Fields::of(body)?;
        let into = Into::read(&mut fields);
        let format = fields.optional_word("format", &formats);
        let preview = fields.flag("preview");
        fields.finish()?;
        Ok(Plan {
            into: into.unwrap_or(Into::New),
            format,
            preview: preview.unwrap_or(true),
        })
    }

    pub(crate) async fn require(&self, kurso: &Kurso, viewer: &Viewer) -> Result<()> {
        self.into.require(kurso, viewer).await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plan_is_read_from_whatever_is_given() {
        let course = CourseId::new();
        let read = |body: Value| Plan::from_body(&body).map(|plan| (plan.into, plan.format, plan.preview));
        let id = course.to_string();
        assert_eq!(read(json!({})).unwrap(), (Into::New, None, true));
        assert_eq!(
            read(json!({"course_id": id, "format": "gift", "preview": "false"})).unwrap(),
            (Into::Append(course), Some(Format::Gift), false)
        );
        let update = json!({"course_id": id, "mode": "update"});
        assert_eq!(read(update).unwrap().0, Into::Update(course));
        assert_eq!(read(json!({"course_id": id, "mode": "new"})).unwrap().0, Into::New);
        for bad in [
            json!({"mode": "append"}),
            json!({"mode": "elsewhere"}),
            json!({"course_id": "x"}),
            json!({"format": "doc"}),
            json!({"preview": "perhaps"}),
        ] {
            assert!(Plan::from_body(&bad).is_err(), "{bad}");
        }
    }
}
