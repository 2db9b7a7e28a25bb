use async_graphql::{Enum, ID, Object, SimpleObject};
use kurso_core::audit::{self, Act, Named};
use kurso_core::messages::Lang;
use kurso_core::signals::Status;

use super::{DateTime, id_of};

pub struct ServerStatus(pub Status);

/// How the node that answers is doing, since its start. Counts are floats, for they may be more than an Int holds.
#[Object]
impl ServerStatus {
    /// Of the server.
    async fn version(&self) -> &str {
        self.0.version
    }
    /// `sqlite` or `postgres`.
    async fn database(&self) -> &str {
        self.0.database
    }
    /// When the node started.
    async fn started_at(&self) -> DateTime {
        DateTime(self.0.started_at)
    }
    /// Answers given.
    async fn requests(&self) -> f64 {
        self.0.requests as f64
    }
    /// Answers of 500 and above.
    async fn faults(&self) -> f64 {
        self.0.faults as f64
    }
    /// Requests under way, this one included.
    async fn running(&self) -> f64 {
        self.0.running as f64
    }
    /// What an answer took, in milliseconds: the mean.
    async fn request_millis(&self) -> f64 {
        self.0.request_millis
    }
    /// Statements run.
    async fn statements(&self) -> f64 {
        self.0.statements as f64
    }
    /// What a statement took, in milliseconds: the mean.
    async fn statement_millis(&self) -> f64 {
        self.0.statement_millis
    }
    /// Connections to the database that are open.
    async fn connections(&self) -> f64 {
        self.0.connections as f64
    }
    /// Of them, how many are in use.
    async fn connections_in_use(&self) -> f64 {
        self.0.connections_in_use as f64
    }
    /// Who waits for a connection.
    async fn waiting(&self) -> f64 {
        self.0.waiting as f64
    }
    /// Running subscriptions.
    async fn subscriptions(&self) -> f64 {
        self.0.subscriptions as f64
    }
    /// Sign-ins.
    async fn logins(&self) -> f64 {
        self.0.logins as f64
    }
    /// Sign-ins that failed.
    async fn logins_failed(&self) -> f64 {
        self.0.logins_failed as f64
    }
    /// Files uploaded.
    async fn uploads(&self) -> f64 {
        self.0.uploads as f64
    }
    /// Mails sent.
    async fn mails_sent(&self) -> f64 {
        self.0.mails_sent as f64
    }
    /// Mails that could not be sent.
    async fn mails_failed(&self) -> f64 {
        self.0.mails_failed as f64
    }
    /// Bytes of the process; null where the system does not tell.
    async fn memory(&self) -> Option<f64> {
        self.0.memory.map(|bytes| bytes as f64)
    }
}

/// What was done.
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
    /// The e-mail address was changed.
    EmailChanged,
    /// A change of the e-mail address was undone.
    EmailChangeUndone,
    /// An account was made.
    UserCreated,
    /// The rights of an account were changed.
    UserChanged,
    /// An account was deleted.
    UserDeleted,
    /// A course was deleted.
    CourseDeleted,
    /// A course was handed over.
    CourseHandedOver,
    /// A course was imported.
    CourseImported,
    /// A course was changed by an import.
    CourseUpdated,
    /// A course was exported.
    CourseExported,
    /// The share code was renewed.
    ShareCodeRenewed,
    /// Somebody was invited to a team.
    MemberInvited,
    /// Somebody joined a team or got another role in it.
    MemberAdded,
    /// Somebody was taken out of a team.
    MemberRemoved,
    /// Somebody left a course or its team.
    MemberLeft,
    /// A student was removed.
    StudentRemoved,
    /// The attempts of a student were reset.
    AttemptsReset,
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
            AuditKind::CourseDeleted => Act::CourseDeleted,
            AuditKind::CourseHandedOver => Act::CourseHandedOver,
            AuditKind::CourseImported => Act::CourseImported,
            AuditKind::CourseUpdated => Act::CourseUpdated,
            AuditKind::CourseExported => Act::CourseExported,
            AuditKind::ShareCodeRenewed => Act::ShareCodeRenewed,
            AuditKind::MemberInvited => Act::MemberInvited,
            AuditKind::MemberAdded => Act::MemberAdded,
            AuditKind::MemberRemoved => Act::MemberRemoved,
            AuditKind::MemberLeft => Act::MemberLeft,
            AuditKind::StudentRemoved => Act::StudentRemoved,
            AuditKind::AttemptsReset => Act::AttemptsReset,
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
            Act::CourseDeleted => AuditKind::CourseDeleted,
            Act::CourseHandedOver => AuditKind::CourseHandedOver,
            Act::CourseImported => AuditKind::CourseImported,
            Act::CourseUpdated => AuditKind::CourseUpdated,
            Act::CourseExported => AuditKind::CourseExported,
            Act::ShareCodeRenewed => AuditKind::ShareCodeRenewed,
            Act::MemberInvited => AuditKind::MemberInvited,
            Act::MemberAdded => AuditKind::MemberAdded,
            Act::MemberRemoved => AuditKind::MemberRemoved,
            Act::MemberLeft => AuditKind::MemberLeft,
            Act::StudentRemoved => AuditKind::StudentRemoved,
            Act::AttemptsReset => AuditKind::AttemptsReset,
        }
    }
}

/// Who or what an entry of the audit log speaks of, as it is called today.
#[derive(SimpleObject)]
pub struct AuditName {
    /// Of the account or the course.
    id: ID,
    /// Null: it is gone.
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
    pub written: audit::Written,
    pub lang: Lang,
}

/// An act that matters for security or cannot be undone.
#[Object]
impl AuditEntry {
    /// Of the entry.
    async fn id(&self) -> ID {
        id_of(self.written.id)
    }
    /// When it was done.
    async fn at(&self) -> DateTime {
        DateTime(self.written.at)
    }
    /// What was done.
    async fn kind(&self) -> AuditKind {
        AuditKind::of(self.written.act)
    }
    /// The same in the reader's language.
    async fn text(&self) -> &str {
        self.written.act.text(self.lang)
    }
    /// Who did it; null: whoever runs the server, or nobody who is known.
    async fn actor(&self) -> Option<AuditName> {
        AuditName::of(&self.written.actor)
    }
    /// To whom.
    async fn person(&self) -> Option<AuditName> {
        AuditName::of(&self.written.person)
    }
    /// In which course.
    async fn course(&self) -> Option<AuditName> {
        AuditName::of(&self.written.course)
    }
    /// A word or a number: a role, how many.
    async fn detail(&self) -> Option<&str> {
        self.written.detail.as_deref()
    }
}
