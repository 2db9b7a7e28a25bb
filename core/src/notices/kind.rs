//! The kinds of notices.

use serde::{Deserialize, Serialize};

/// The kind of a notice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, sqlx::Type, Serialize, Deserialize)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A result that was graded by a person is visible to the learner.
    Graded,
    /// Work was returned for another try.
    Returned,
    /// A regrading changed a result.
    ResultChanged,
    /// A teacher gave another attempt.
    AttemptGiven,
    /// Within a day, an attempt that the learner has not made yet becomes late or is no longer accepted.
    DeadlineNear,
    /// A page that the person has read has an important change.
    ImportantChange,
    /// An author comment mentions the person.
    Mention,
    /// Somebody replied in a thread of author comments that the person takes part in.
    Comment,
    /// The person is invited to the team of a course.
    Invited,
    /// An import of the person has ended.
    ImportDone,
    /// A learner completed a course that the person teaches.
    CourseCompleted,
    /// The staff of a course have published an announcement.
    Announcement,
    /// A teacher has sent the learner a reminder.
    Nudge,
    /// Somebody wrote under a question that the person asked, answered or follows.
    Answered,
    /// A learner asked a question in a course that the person teaches.
    Asked,
    /// Somebody reported a question or an answer in a course that the person teaches.
    Reported,
}

impl Kind {
    pub const ALL: [Kind; 16] = [
        Kind::Graded,
        Kind::Returned,
        Kind::ResultChanged,
        Kind::AttemptGiven,
        Kind::DeadlineNear,
        Kind::ImportantChange,
        Kind::Mention,
        Kind::Comment,
        Kind::Invited,
        Kind::ImportDone,
        Kind::CourseCompleted,
        Kind::Announcement,
        Kind::Nudge,
        Kind::Answered,
        Kind::Asked,
        Kind::Reported,
    ];

    /// The name in the database and in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Graded => "graded",
            Kind::Returned => "returned",
            Kind::ResultChanged => "result_changed",
            Kind::AttemptGiven => "attempt_given",
            Kind::DeadlineNear => "deadline_near",
            Kind::ImportantChange => "important_change",
            Kind::Mention => "mention",
            Kind::Comment => "comment",
            Kind::Invited => "invited",
            Kind::ImportDone => "import_done",
            Kind::CourseCompleted => "course_completed",
            Kind::Announcement => "announcement",
            Kind::Nudge => "nudge",
            Kind::Answered => "answered",
            Kind::Asked => "asked",
            Kind::Reported => "reported",
        }
    }
}

kurso_base::values::choices! {
    Kind: "graded" => Kind::Graded, "returned" => Kind::Returned, "result_changed" => Kind::ResultChanged,
        "attempt_given" => Kind::AttemptGiven, "deadline_near" => Kind::DeadlineNear,
        "important_change" => Kind::ImportantChange, "mention" => Kind::Mention, "comment" => Kind::Comment,
        "invited" => Kind::Invited, "import_done" => Kind::ImportDone, "course_completed" => Kind::CourseCompleted,
        "announcement" => Kind::Announcement, "nudge" => Kind::Nudge, "answered" => Kind::Answered, "asked" => Kind::Asked, "reported" => Kind::Reported;
}
