use async_graphql::{Enum, ID, Object, SimpleObject};
use kurso_base::messages::Lang;
use kurso_core::audit::{self, Act, Named};
use kurso_core::metrics::Status;

use super::{DateTime, id_of};

/// Counters of the node that responds, since its start. Counts are floats because they may exceed Int.
#[derive(SimpleObject)]
pub struct ServerStatus {
    /// Version of the server.
    version: &'static str,
    /// `sqlite` or `postgres`.
    database: &'static str,
    /// When the node started.
    started_at: DateTime,
    /// Number of responses.
    requests: f64,
    /// Number of responses with status 500 and above.
    faults: f64,
    /// Number of requests in progress, including this one.
    running: f64,
    /// Mean response time, in milliseconds.
    request_millis: f64,
    /// Number of executed SQL statements.
    statements: f64,
    /// Mean time of a statement, in milliseconds.
    statement_millis: f64,
    /// Number of open database connections.
    connections: f64,
    /// Number of database connections in use.
    connections_in_use: f64,
    /// Number of tasks that wait for a database connection.
    waiting: f64,
    /// Number of active subscriptions.
    subscriptions: f64,
    /// Number of sign-ins.
    logins: f64,
    /// Number of failed sign-ins.
    logins_failed: f64,
    /// Number of uploaded files.
    uploads: f64,
    /// Number of sent mails.
    mails_sent: f64,
    /// Number of mails that could not be sent.
    mails_failed: f64,
    /// Resident memory of the process, in bytes; null where the system does not report it.
    memory: Option<f64>,
}

impl From<Status> for ServerStatus {
    fn from(status: Status) -> Self {
        ServerStatus {
            version: status.version,
            database: status.database,
            started_at: DateTime(status.started_at),
            requests: status.requests as f64,
            faults: status.faults as f64,
            running: status.running as f64,
            request_millis: status.request_millis,
            statements: status.statements as f64,
            statement_millis: status.statement_millis,
            connections: status.connections as f64,
            connections_in_use: status.connections_in_use as f64,
            waiting: status.waiting as f64,
            subscriptions: status.subscriptions as f64,
            logins: status.logins as f64,
            logins_failed: status.logins_failed as f64,
            uploads: status.uploads as f64,
            mails_sent: status.mails_sent as f64,
            mails_failed: status.mails_failed as f64,
            memory: status.memory.map(|bytes| bytes as f64),
        }
    }
}

/// Kind of the action.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum AuditKind {
    /// The server was started.
    ServerStarted,
    /// A sign-in failed.
    SignInFailed,
    /// A session was ended.
    SessionEnded,
    /// The password was changed.
    PasswordChanged,
    /// The password was reset by a link from a mail.
    PasswordReset,
    /// The email address was changed.
    EmailChanged,
    /// A change of the email address was undone.
    EmailChangeUndone,
    /// An account was created.
    UserCreated,
    /// The rights of an account were changed.
    UserChanged,
    /// An account was deleted.
    UserDeleted,
    /// What a guest did was moved to an account.
    GuestMerged,
    /// A question bank was created.
    BankCreated,
    /// A question bank was deleted.
    BankDeleted,
    /// A question bank was shared, or a role in it changed.
    BankShared,
    /// The sharing of a question bank was ended.
    BankUnshared,
    /// A question bank got another owner.
    BankHandedOver,
    /// A course was deleted.
    CourseDeleted,
    /// A module, lesson or page was moved to the trash.
    PartDeleted,
    /// A course, module, lesson or page was restored from the trash.
    RestoredFromTrash,
    /// A course, module, lesson or page was deleted from the trash.
    DeletedForever,
    /// A snapshot of a course was taken; `detail` is its ID.
    SnapshotTaken,
    /// A course was restored from a snapshot; `detail` is its ID.
    SnapshotRestored,
    /// A snapshot of a course was deleted; `detail` is its ID.
    SnapshotDeleted,
    /// A course was transferred to another owner.
    CourseHandedOver,
    /// A course was imported.
    CourseImported,
    /// A course was changed by an import.
    CourseUpdated,
    /// A course was exported.
    CourseExported,
    /// The visibility of a course was changed; `detail` is the new one.
    VisibilityChanged,
    /// Starting a course without an account was turned on or off.
    GuestsAllowed,
    /// The share code was renewed.
    ShareCodeRenewed,
    /// A user was invited to a team.
    MemberInvited,
    /// A user joined a team or got another role in it.
    MemberAdded,
    /// A user was removed from a team.
    MemberRemoved,
    /// A user left a course or its team.
    MemberLeft,
    /// A student was removed.
    StudentRemoved,
    /// Students were moved to another group or out of one; `detail` is their number, unless it is one.
    StudentsMoved,
    /// An announcement was published.
    AnnouncementPublished,
    /// An announcement was deleted.
    AnnouncementDeleted,
    /// Students were nudged; `detail` is their number.
    StudentsNudged,
    /// A group was deleted; `detail` is the number of its students.
    GroupDeleted,
    /// The share code of a group was renewed.
    GroupCodeRenewed,
    /// The share code of a group was removed.
    GroupCodeRemoved,
    /// The attempts of a student were reset.
    AttemptsReset,
    /// Unpublished changes of pages were published; the detail is the number of pages if there were several.
    ChangesPublished,
    /// Attempts were regraded with the changed quizzes; `detail` is the number of attempts.
    AttemptsRegraded,
    /// A regrading was undone.
    RegradeUndone,
    /// A suggested change of a page was accepted.
    SuggestionAccepted,
    /// An author comment of somebody else was deleted.
    CommentDeleted,
    /// Dates of parts of a course were changed together; `detail` is their number.
    DatesSet,
    /// An override of dates was set for a group or a student.
    OverrideSet,
    /// An override of dates was deleted.
    OverrideDeleted,
    /// The settings of a gradebook were changed.
    GradeSettingsChanged,
    /// A grade was overridden, excused or restored.
    GradeDecided,
    /// Grades were imported from a file.
    GradesImported,
    /// An answer to an open question was graded.
    AnswerGraded,
    /// The points of the open answers of a quiz were released.
    AssessmentsReleased,
    /// A student was given one more attempt.
    AttemptGranted,
    /// An unused additional attempt of a student was taken back.
    AttemptTakenBack,
    /// Staff saw a course as a learner; `detail` is the moment, or `now`, after `group` and its ID or `new` for a learner without progress.
    CoursePreviewed,
    /// A secret address of a calendar was made.
    CalendarFeedCreated,
    /// The secret address of a calendar was revoked.
    CalendarFeedRevoked,
    /// A question or an answer under a page was hidden.
    PostHidden,
    /// A hidden question or answer was shown again.
    PostShown,
    /// A question or an answer of somebody else was deleted.
    PostDeleted,
    /// A question was moved to another page.
    DiscussionMoved,
    /// A learner got a certificate.
    CertificateIssued,
    /// A certificate was reissued in another name.
    CertificateReissued,
    /// A certificate was revoked.
    CertificateRevoked,
    /// The revocation of a certificate was taken back.
    CertificateRestored,
    /// The settings of questions under pages were changed.
    DiscussionSettingsChanged,
}

impl AuditKind {
    pub fn act(self) -> Act {
        match self {
            AuditKind::ServerStarted => Act::ServerStarted,
            AuditKind::SignInFailed => Act::SignInFailed,
            AuditKind::SessionEnded => Act::SessionEnded,
            AuditKind::PasswordChanged => Act::PasswordChanged,
            AuditKind::PasswordReset => Act::PasswordReset,
            AuditKind::EmailChanged => Act::EmailChanged,
            AuditKind::EmailChangeUndone => Act::EmailChangeUndone,
            AuditKind::UserCreated => Act::UserCreated,
            AuditKind::UserChanged => Act::UserChanged,
            AuditKind::UserDeleted => Act::UserDeleted,
            AuditKind::GuestMerged => Act::GuestMerged,
            AuditKind::BankCreated => Act::BankCreated,
            AuditKind::BankDeleted => Act::BankDeleted,
            AuditKind::BankShared => Act::BankShared,
            AuditKind::BankUnshared => Act::BankUnshared,
            AuditKind::BankHandedOver => Act::BankHandedOver,
            AuditKind::CourseDeleted => Act::CourseDeleted,
            AuditKind::PartDeleted => Act::PartDeleted,
            AuditKind::RestoredFromTrash => Act::RestoredFromTrash,
            AuditKind::DeletedForever => Act::DeletedForever,
            AuditKind::SnapshotTaken => Act::SnapshotTaken,
            AuditKind::SnapshotRestored => Act::SnapshotRestored,
            AuditKind::SnapshotDeleted => Act::SnapshotDeleted,
            AuditKind::CourseHandedOver => Act::CourseHandedOver,
            AuditKind::CourseImported => Act::CourseImported,
            AuditKind::CourseUpdated => Act::CourseUpdated,
            AuditKind::CourseExported => Act::CourseExported,
            AuditKind::VisibilityChanged => Act::VisibilityChanged,
            AuditKind::GuestsAllowed => Act::GuestsAllowed,
            AuditKind::ShareCodeRenewed => Act::ShareCodeRenewed,
            AuditKind::MemberInvited => Act::MemberInvited,
            AuditKind::MemberAdded => Act::MemberAdded,
            AuditKind::MemberRemoved => Act::MemberRemoved,
            AuditKind::MemberLeft => Act::MemberLeft,
            AuditKind::StudentRemoved => Act::StudentRemoved,
            AuditKind::StudentsMoved => Act::StudentsMoved,
            AuditKind::AnnouncementPublished => Act::AnnouncementPublished,
            AuditKind::AnnouncementDeleted => Act::AnnouncementDeleted,
            AuditKind::StudentsNudged => Act::StudentsNudged,
            AuditKind::GroupDeleted => Act::GroupDeleted,
            AuditKind::GroupCodeRenewed => Act::GroupCodeRenewed,
            AuditKind::GroupCodeRemoved => Act::GroupCodeRemoved,
            AuditKind::AttemptsReset => Act::AttemptsReset,
            AuditKind::ChangesPublished => Act::ChangesPublished,
            AuditKind::AttemptsRegraded => Act::AttemptsRegraded,
            AuditKind::RegradeUndone => Act::RegradeUndone,
            AuditKind::SuggestionAccepted => Act::SuggestionAccepted,
            AuditKind::CommentDeleted => Act::CommentDeleted,
            AuditKind::DatesSet => Act::DatesSet,
            AuditKind::OverrideSet => Act::OverrideSet,
            AuditKind::OverrideDeleted => Act::OverrideDeleted,
            AuditKind::GradeSettingsChanged => Act::GradeSettingsChanged,
            AuditKind::GradeDecided => Act::GradeDecided,
            AuditKind::GradesImported => Act::GradesImported,
            AuditKind::AnswerGraded => Act::AnswerGraded,
            AuditKind::AssessmentsReleased => Act::AssessmentsReleased,
            AuditKind::AttemptGranted => Act::AttemptGranted,
            AuditKind::AttemptTakenBack => Act::AttemptTakenBack,
            AuditKind::CoursePreviewed => Act::CoursePreviewed,
            AuditKind::CalendarFeedCreated => Act::CalendarFeedCreated,
            AuditKind::CalendarFeedRevoked => Act::CalendarFeedRevoked,
            AuditKind::PostHidden => Act::PostHidden,
            AuditKind::PostShown => Act::PostShown,
            AuditKind::PostDeleted => Act::PostDeleted,
            AuditKind::DiscussionMoved => Act::DiscussionMoved,
            AuditKind::CertificateIssued => Act::CertificateIssued,
            AuditKind::CertificateReissued => Act::CertificateReissued,
            AuditKind::CertificateRevoked => Act::CertificateRevoked,
            AuditKind::CertificateRestored => Act::CertificateRestored,
            AuditKind::DiscussionSettingsChanged => Act::DiscussionSettingsChanged,
        }
    }

    fn of(act: Act) -> Self {
        match act {
            Act::ServerStarted => AuditKind::ServerStarted,
            Act::SignInFailed => AuditKind::SignInFailed,
            Act::SessionEnded => AuditKind::SessionEnded,
            Act::PasswordChanged => AuditKind::PasswordChanged,
            Act::PasswordReset => AuditKind::PasswordReset,
            Act::EmailChanged => AuditKind::EmailChanged,
            Act::EmailChangeUndone => AuditKind::EmailChangeUndone,
            Act::UserCreated => AuditKind::UserCreated,
            Act::UserChanged => AuditKind::UserChanged,
            Act::UserDeleted => AuditKind::UserDeleted,
            Act::GuestMerged => AuditKind::GuestMerged,
            Act::BankCreated => AuditKind::BankCreated,
            Act::BankDeleted => AuditKind::BankDeleted,
            Act::BankShared => AuditKind::BankShared,
            Act::BankUnshared => AuditKind::BankUnshared,
            Act::BankHandedOver => AuditKind::BankHandedOver,
            Act::CourseDeleted => AuditKind::CourseDeleted,
            Act::PartDeleted => AuditKind::PartDeleted,
            Act::RestoredFromTrash => AuditKind::RestoredFromTrash,
            Act::DeletedForever => AuditKind::DeletedForever,
            Act::SnapshotTaken => AuditKind::SnapshotTaken,
            Act::SnapshotRestored => AuditKind::SnapshotRestored,
            Act::SnapshotDeleted => AuditKind::SnapshotDeleted,
            Act::CourseHandedOver => AuditKind::CourseHandedOver,
            Act::CourseImported => AuditKind::CourseImported,
            Act::CourseUpdated => AuditKind::CourseUpdated,
            Act::CourseExported => AuditKind::CourseExported,
            Act::VisibilityChanged => AuditKind::VisibilityChanged,
            Act::GuestsAllowed => AuditKind::GuestsAllowed,
            Act::ShareCodeRenewed => AuditKind::ShareCodeRenewed,
            Act::MemberInvited => AuditKind::MemberInvited,
            Act::MemberAdded => AuditKind::MemberAdded,
            Act::MemberRemoved => AuditKind::MemberRemoved,
            Act::MemberLeft => AuditKind::MemberLeft,
            Act::StudentRemoved => AuditKind::StudentRemoved,
            Act::StudentsMoved => AuditKind::StudentsMoved,
            Act::AnnouncementPublished => AuditKind::AnnouncementPublished,
            Act::AnnouncementDeleted => AuditKind::AnnouncementDeleted,
            Act::StudentsNudged => AuditKind::StudentsNudged,
            Act::GroupDeleted => AuditKind::GroupDeleted,
            Act::GroupCodeRenewed => AuditKind::GroupCodeRenewed,
            Act::GroupCodeRemoved => AuditKind::GroupCodeRemoved,
            Act::AttemptsReset => AuditKind::AttemptsReset,
            Act::ChangesPublished => AuditKind::ChangesPublished,
            Act::AttemptsRegraded => AuditKind::AttemptsRegraded,
            Act::RegradeUndone => AuditKind::RegradeUndone,
            Act::SuggestionAccepted => AuditKind::SuggestionAccepted,
            Act::CommentDeleted => AuditKind::CommentDeleted,
            Act::DatesSet => AuditKind::DatesSet,
            Act::OverrideSet => AuditKind::OverrideSet,
            Act::OverrideDeleted => AuditKind::OverrideDeleted,
            Act::GradeSettingsChanged => AuditKind::GradeSettingsChanged,
            Act::GradeDecided => AuditKind::GradeDecided,
            Act::GradesImported => AuditKind::GradesImported,
            Act::AnswerGraded => AuditKind::AnswerGraded,
            Act::AssessmentsReleased => AuditKind::AssessmentsReleased,
            Act::AttemptGranted => AuditKind::AttemptGranted,
            Act::AttemptTakenBack => AuditKind::AttemptTakenBack,
            Act::CoursePreviewed => AuditKind::CoursePreviewed,
            Act::CalendarFeedCreated => AuditKind::CalendarFeedCreated,
            Act::CalendarFeedRevoked => AuditKind::CalendarFeedRevoked,
            Act::PostHidden => AuditKind::PostHidden,
            Act::PostShown => AuditKind::PostShown,
            Act::PostDeleted => AuditKind::PostDeleted,
            Act::DiscussionMoved => AuditKind::DiscussionMoved,
            Act::CertificateIssued => AuditKind::CertificateIssued,
            Act::CertificateReissued => AuditKind::CertificateReissued,
            Act::CertificateRevoked => AuditKind::CertificateRevoked,
            Act::CertificateRestored => AuditKind::CertificateRestored,
            Act::DiscussionSettingsChanged => AuditKind::DiscussionSettingsChanged,
        }
    }
}

/// An account, a course or a page that an audit entry refers to, with its current name.
#[derive(SimpleObject)]
pub struct AuditName {
    /// ID of the account, the course or the page.
    id: ID,
    /// Null when it is deleted.
    name: Option<String>,
}

impl AuditName {
    fn of<I: std::fmt::Display + Copy>(named: &Option<Named<I>>) -> Option<Self> {
        named.as_ref().map(|named| AuditName {
            id: id_of(named.id),
            name: named.name.clone(),
        })
    }
}

pub struct AuditEntry {
    pub written: audit::StoredEntry,
    pub lang: Lang,
}

/// A logged action that is relevant to security or cannot be undone.
#[Object]
impl AuditEntry {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.written.id)
    }
    /// Time of the action.
    async fn at(&self) -> DateTime {
        DateTime(self.written.at)
    }
    /// Kind of the action.
    async fn kind(&self) -> AuditKind {
        AuditKind::of(self.written.act)
    }
    /// Description in the language of the request.
    async fn text(&self) -> &str {
        self.written.act.text(self.lang)
    }
    /// Actor; null for a server operator, and when unknown.
    async fn actor(&self) -> Option<AuditName> {
        AuditName::of(&self.written.actor)
    }
    /// Affected user.
    async fn person(&self) -> Option<AuditName> {
        AuditName::of(&self.written.person)
    }
    /// Affected course.
    async fn course(&self) -> Option<AuditName> {
        AuditName::of(&self.written.course)
    }
    /// Affected quiz page. A page without a title has that of its lesson.
    async fn page(&self) -> Option<AuditName> {
        AuditName::of(&self.written.page)
    }
    /// Detail, such as a role or a number.
    async fn detail(&self) -> Option<&str> {
        self.written.detail.as_deref()
    }
}
