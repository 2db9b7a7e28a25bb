//! The kinds of notices.

/// What a notice says. In the order in which people choose how to be told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Kind {
    /// A result that a person has graded is shown to the learner.
    Graded,
    /// Work was returned for another try.
    Returned,
    /// A regrading changed a result.
    ResultChanged,
    /// A teacher gave another attempt.
    AttemptGiven,
    /// Within a day, an attempt that is still to be made is late or no longer taken.
    DeadlineNear,
    /// A page that the learner has read has an important change.
    ImportantChange,
    /// An author comment mentions the person.
    Mention,
    /// Somebody answered in a thread of author comments that the person takes part in.
    Comment,
    /// The person is invited to the team of a course.
    Invited,
    /// An import of the person has ended, well or not.
    ImportDone,
    /// A learner completed a course that the person teaches.
    CourseCompleted,
}

impl Kind {
    pub const ALL: [Self; 11] = [
        Self::Graded,
        Self::Returned,
        Self::ResultChanged,
        Self::AttemptGiven,
        Self::DeadlineNear,
        Self::ImportantChange,
        Self::Mention,
        Self::Comment,
        Self::Invited,
        Self::ImportDone,
        Self::CourseCompleted,
    ];

    /// The name as stored and in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            Self::Graded => "graded",
            Self::Returned => "returned",
            Self::ResultChanged => "result_changed",
            Self::AttemptGiven => "attempt_given",
            Self::DeadlineNear => "deadline_near",
            Self::ImportantChange => "important_change",
            Self::Mention => "mention",
            Self::Comment => "comment",
            Self::Invited => "invited",
            Self::ImportDone => "import_done",
            Self::CourseCompleted => "course_completed",
        }
    }
}

kurso_base::values::choices! {
    Kind: "graded" => Kind::Graded, "returned" => Kind::Returned, "result_changed" => Kind::ResultChanged,
        "attempt_given" => Kind::AttemptGiven, "deadline_near" => Kind::DeadlineNear, "important_change" => Kind::ImportantChange,
        "mention" => Kind::Mention, "comment" => Kind::Comment, "invited" => Kind::Invited, "import_done" => Kind::ImportDone,
        "course_completed" => Kind::CourseCompleted;
}
