//! All texts of the server for people, in English and Russian. Third-party clients know the English texts of users,
//! login and items: never change these.

mod email_problem;
mod english;
mod lang;
mod request_limit;
mod russian;
mod title_chain;
pub mod wording;

use std::fmt;

pub use email_problem::EmailProblem;
pub use lang::Lang;
pub use request_limit::RequestLimit;
pub use title_chain::TitleChain;

/// A message with its arguments; rendered at the API layer, where the language is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    // Statuses and tokens
    NotFound,
    MethodNotAllowed,
    NotAuthenticated,
    BadCredentials,
    UserGone,
    InactiveUser,
    NotEnoughPrivileges,
    /// A guest asked for something that takes an account.
    AccountNeeded,
    /// The token to merge is not one of a guest.
    NotAGuest,
    /// The course does not allow people without an account.
    NoGuests,
    /// The name of a guest, with a number.
    GuestName(u64),
    InternalError,
    Busy,
    NoRoom,
    ReadOnly,
    DiskFailed,
    DatabaseAway,
    StoreAway,
    BodyTooLarge,
    BodyNotUtf8,
    BodyTooSlow,
    RangeNotSatisfiable,
    WrongContentType,
    TooManyRequests,
    // Accounts
    WrongLogin,
    EmailTaken,
    LoggedOut,
    /// For a superuser who creates an account.
    EmailTakenInSystem,
    /// For a person who changes an address.
    EmailOfAnother,
    UserIdUnknown,
    UsernameUnknown,
    SuperuserDeletesSelf,
    UserDeleted,
    WrongPassword,
    SamePassword,
    PasswordUpdated,
    BadLink,
    RecoverySent,
    EmailChangeUndone,
    TestMailSent,
    SessionNotFound,
    SessionEnded,
    // Items
    ItemNotFound,
    ItemForbidden,
    ItemDeleted,
    // Question banks
    BankNotFound,
    BankQuestionNotFound,
    BankForbidden,
    BankOwnerOnly,
    BankDeleted,
    BankMemberNotFound,
    BankUnshared,
    BankOwnerIsNoMember,
    /// How many pages draw from it.
    BankInUse(i64),
    /// The limit on banks of a person.
    TooManyBanks(i64),
    /// The limit on questions of a bank.
    BankFull(i64),
    BankQuestionChanged,
    /// The limit on tags of a question.
    TooManyTags(usize),
    /// A link to a page of a course, with the place in the question.
    PageLinkInBank(String),
    NoQuestionsInFile,
    // Courses and learning
    CourseNotFound,
    ModuleNotFound,
    LessonNotFound,
    PageNotFound,
    PageDraftNotFound,
    VersionNotFound,
    FileNotFound,
    FileAddressExpired,
    // The trash
    TrashEntryNotFound,
    /// The part above is in the trash too.
    TrashParentInTrash,
    TrashParentGone,
    /// A lesson is given for a part that is no page, or a module for one that is no lesson.
    TrashTargetNotHere,
    TrashConflict,
    TrashDeletedForever,
    // Snapshots
    SnapshotNotFound,
    SnapshotDeleted,
    /// The limit on named snapshots of a course.
    TooManySnapshots(i64),
    /// The course is not the one with which the snapshot was compared.
    SnapshotOutdated,
    CourseForbidden,
    OwnerOnly,
    NotEnrolled,
    StudentNotFound,
    StudentRemoved,
    GroupNotFound,
    GroupDeleted,
    /// The limit on groups of a course.
    TooManyGroups(i64),
    UnknownGroup,
    StudentsMovedMeanwhile,
    UnknownStudent,
    OverrideNotFound,
    OverrideDeleted,
    OverrideForWhom,
    OverrideOfWhat,
    CourseZoneChanged,
    OverrideChanged,
    OverrideEmpty,
    OverrideNotHere,
    /// The limit on overrides of a course.
    TooManyOverrides(i64),
    // Grades
    GradeCategoryNotFound,
    GradeCategoryDeleted,
    UnknownGradeCategory,
    /// The limit on categories of a course.
    TooManyGradeCategories(i64),
    /// A page that is no quiz of the course.
    UnknownQuiz,
    /// A page that is not in the gradebook.
    NotGraded,
    /// How many thresholds the scheme has.
    ThresholdCount(usize),
    ThresholdsOutOfOrder,
    PointsRequired,
    PointsNotHere,
    ExcusedFromCourse,
    ReasonRequired,
    /// The most points for the item, or percent of the course.
    GivenTooMuch(String),
    /// The cell was changed by somebody else.
    GradeChanged,
    AnswerNotFound,
    AnswerGraded,
    AssessmentsReleased(u64),
    NotAGradeTable,
    NoEmailColumn,
    /// The limit on changes of one table.
    TooManyGradeTableChanges(usize),
    UnknownGradeColumn,
    GradeColumnTwice,
    StudentTwice,
    NotAGrade,
    GradeTableOutdated,
    /// The limit on changes of one cell.
    TooManyGradeChanges(i64),
    MemberNotFound,
    MemberRemoved,
    OwnerIsInTeam,
    OwnerCannotLeave,
    TeamLeft,
    CourseLeft,
    InvitationGone,
    InvitationOfAnother,
    UnknownAccount,
    UnknownShareCode,
    NoQuiz,
    NoUploadQuestion,
    NoRubric,
    /// Something other than the work of an assignment cannot be returned for revision.
    OnlyWorkIsReturned,
    /// Returned work has no points yet.
    ReturnedWithoutPoints,
    /// Work is returned with a comment.
    ReturnedWithComment,
    /// A draft was saved on the basis of an older one.
    DraftChanged,
    /// Drafts exist on assignment pages only.
    NoAssignment,
    PointsOfMarks,
    TooManyRemarks,
    OutOfAttempts,
    /// The quiz has no time limit and is checked at the end, so no attempt at it can be started.
    NoTimeLimit,
    /// A submission arrived for a quiz with running attempts while none was running.
    AttemptNotStarted,
    /// A bank has too few questions to draw from.
    BankTooSmall,
    /// The answers to save were given after the end of the time, or arrived after the grace period.
    TimeIsOver,
    /// The quiz is checked at the end, so no single answer can be checked during an attempt.
    ChecksAtEnd,
    PracticeStopped,
    PracticeResumed,
    CardNotFound,
    NotPractised,
    PractisedMeanwhile,
    /// The answers to save belong to an attempt that was submitted or graded.
    AttemptEnded,
    /// A start ticket that this server did not give to the learner.
    WrongTicket,
    PageLocked,
    PageNeverOpens,
    PageClosed,
    EnrollmentClosed,
    EnrollmentNotFound,
    AttemptsReset(u64),
    AttemptGranted,
    AttemptTakenBack,
    NoUnusedAttempt,
    BadGrant,
    AttemptsRemain,
    ProgressFixed {
        checked: usize,
        changed: usize,
    },
    PageChanged,
    /// For unpublished changes of pages.
    PageDraftsChanged,
    ConsequencesChanged,
    RegradeNotFound,
    /// It cannot be undone any more.
    RegradeIsFinal,
    /// A later one of the same pages has to be undone first.
    RegradeIsFollowed,
    AnnouncementNotFound,
    /// Somebody else has changed it since.
    AnnouncementChanged,
    /// It can no longer get a time.
    AnnouncementPublished,
    AnnouncementTooLong(usize),
    TooManyAnnouncements(i64),
    AnnouncementDeleted,
    ThreadNotFound,
    CommentNotFound,
    TooManyThreads(i64),
    TooManyComments(i64),
    CommentOfAnother,
    /// Only its starter, the owner and editors resolve and reopen a thread.
    ThreadOfAnother,
    NoSuggestion,
    SuggestionDecided,
    SuggestionOutdated,
    SuggestionChangesNothing,
    SuggestionNeedsBlock,
    SuggestionTooLong(usize),
    SuggestionWithNewFile,
    BlockNeedsVersion,
    NoSuchBlock,
    DiscussionNotFound,
    PostNotFound,
    /// Off in the course, or under the page.
    DiscussionsOff,
    TooManyDiscussions(i64),
    TooManyPosts(i64),
    PostOfAnother,
    /// Nobody marks or reports their own posts.
    OwnPost,
    /// Only the asking learner and the staff resolve a discussion.
    DiscussionOfAnother,
    ModeratorsOnly,
    DiscussionLocked,
    PostHidden,
    PostDeleted,
    AnonymousNotAllowed,
    AskedWithName,
    PostEmpty,
    PostTooLong(usize),
    TooManyPictures(usize),
    TooManyLinks(usize),
    /// What kind of block a post cannot have.
    NotInPosts(String),
    /// A word of the course's filter.
    ForbiddenWord(String),
    ReasonNeeded,
    /// The opening post, or one of another discussion.
    NoSuchReply,
    NoteNotFound,
    /// Changed since it was read.
    NoteChanged,
    NoteDeleted,
    NoteEmpty,
    NoSuchWords,
    NoSuchTask,
    TooManyNotes(i64),
    TooManyNotesOnPage(i64),
    TooManyBookmarks(i64),
    TooManyTicks(i64),
    // Certificates
    CertificateNotFound,
    /// The course gives none.
    NoCertificates,
    /// The learner has not reached what the course requires.
    CertificateNotEarned,
    /// The account has no full name.
    CertificateNeedsName,
    /// The certificate has the name already.
    CertificateNameCurrent,
    /// It was revoked, or has expired.
    CertificateNotValid,
    CertificateReplaced,
    DraftHasOnlyText,
    DatesChanged,
    SettingChanged,
    DatesOfWhat,
    DateNotHere,
    CourseDeleted,
    ModuleDeleted,
    LessonDeleted,
    PageDeleted,
    UnknownModule,
    UnknownLesson,
    UnknownPage,
    /// The location in the body that names the file or page.
    UnknownFile(String),
    UnknownPageLink(String),
    QuizOnContentPage,
    LateOnContentPage,
    /// A prerequisite that is no module or lesson of the course.
    UnknownPart,
    NeedsItself,
    PrerequisiteCycle(TitleChain),
    // Calendar
    CalendarFeedNotFound,
    CalendarFeedRevoked,
    /// The name of a feed in calendar programs.
    CalendarName,
    CourseStarts(String),
    PartOpens(String),
    PartDue(String),
    PartCloses(String),
    CourseEnds(String),
    OfCourse(String),
    YouTeach,
    // Notices
    /// The token of a notice mail is forged or expired, or belongs to an earlier address.
    NoticeLinkGone,
    Unsubscribed,
    /// The endpoint of a device is not at an allowed push service.
    PushServiceNotAllowed,
    /// The browser receives pushes of another account, and its keys do not match.
    DeviceOfAnother,
    PushesOff,
    BadPushKey,
    DeviceNotFound,
    DeviceRemoved,
    TestPushSent,
    // Imports and exports
    ImportNotFound,
    ImportNotReady,
    ImportOutdated,
    ImportEnded,
    /// The limit on unfinished imports.
    TooManyImports(i64),
    JobGivenUp,
    JobNotHeld,
    /// The token of a download address is forged, expired or for another purpose.
    ExportLinkGone,
    // Files
    /// The size limit in bytes.
    FileTooLarge(u64),
    QuotaFull,
    ContentQuotaFull,
    EmptyFile,
    NotAFile,
    BrokenForm,
    NotAPicture,
    BrokenPicture,
    /// The size limit in megapixels.
    TooManyPixels(u32),
    // Fields
    FieldRequired,
    NotAList,
    TooFewItems(usize),
    TooManyItems(usize),
    NotAString,
    TooShort(usize),
    TooLong(usize),
    NotAnObject,
    BadJson,
    BadEmail(EmailProblem),
    BadInteger,
    NotAnInteger,
    NotANumber,
    NotADecimal,
    DecimalTooSmall(String),
    DecimalTooLarge(String),
    FractionalInteger,
    IntegerTooSmall(i64),
    IntegerTooLarge(i64),
    NotABoolean,
    NotOneOf(Vec<&'static str>),
    NotAUuid,
    BadUuid(String),
    BadTime,
    BadDate,
    FarDate,
    NoStart,
    DatesOutOfOrder,
    UnknownTimeZone,
    BadDayTime,
    /// Quiet hours with equal start and end times.
    NoQuietHours,
    BadBoolean,
    BadPattern(&'static str),
    ZeroByte,
    BadCursor,
    // GraphQL over HTTP
    BadGraphqlBody,
    MutationByGet,
    SubscriptionByHttp,
    /// The name of a fragment that contains itself.
    FragmentCycle(String),
    /// The term that clients search for, the same in all languages.
    PersistedQueryNotFound,
    BadPersistedQuery,
    WrongQueryHash,
    OverLimit {
        limit: RequestLimit,
        found: u64,
        allowed: u64,
    },
    // Subscriptions over WebSocket
    ForeignOrigin,
    BadUpgrade,
    SubscriptionsOnly,
    OneFieldAtATime,
    TooManySubscriptions(usize),
    EventsMissed,
    /// A text of the content model, given in both languages.
    Text {
        en: String,
        ru: String,
    },
}

impl Message {
    pub fn text(&self, lang: Lang) -> String {
        match lang {
            Lang::En => self.english(),
            Lang::Ru => self.russian(),
        }
    }
}

/// For logs; people get [`Message::text`].
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english())
    }
}
