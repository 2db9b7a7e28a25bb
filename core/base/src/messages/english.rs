//! The English texts of [`Message`].

use super::{Lang, Message, bytes, choice};

impl Message {
    pub(super) fn english(&self) -> String {
        match self {
            Self::NotFound => "Not Found",
            Self::MethodNotAllowed => "Method Not Allowed",
            Self::NotAuthenticated => "Not authenticated",
            Self::BadCredentials => "Could not validate credentials",
            Self::UserGone => "User not found",
            Self::InactiveUser => "Inactive user",
            Self::NotEnoughPrivileges => "The user doesn't have enough privileges",
            Self::InternalError => "Internal Server Error",
            Self::Busy => "The server is busy, please try again in a moment",
            Self::NoRoom => "The server has no room left, so nothing was saved. Please tell those who run it",
            Self::ReadOnly => "The server cannot write at the moment, so nothing was saved. Please try again later",
            Self::DiskFailed => "The server's disk has failed, so nothing was saved. Please tell those who run it",
            Self::DatabaseAway => "The server cannot reach its database. Please try again in a moment",
            Self::StoreAway => "The server cannot reach the store of its files. Please try again in a moment",
            Self::BodyTooLarge => "The body is too large",
            Self::BodyNotUtf8 => "There was an error parsing the body",
            Self::BodyTooSlow => "The body did not arrive in time",
            Self::RangeNotSatisfiable => "The file does not reach that far",
            Self::WrongContentType => "Unsupported content type",
            Self::TooManyRequests => "Too many attempts, please try again later",
            Self::WrongLogin => "Incorrect email or password",
            Self::EmailTaken => "The user with this email already exists in the system",
            Self::LoggedOut => "Signed out",
            Self::EmailTakenInSystem => "The user with this email already exists in the system.",
            Self::EmailOfAnother => "User with this email already exists",
            Self::UserIdUnknown => "The user with this id does not exist in the system",
            Self::UsernameUnknown => "The user with this username does not exist in the system.",
            Self::SuperuserDeletesSelf => "Super users are not allowed to delete themselves",
            Self::UserDeleted => "User deleted successfully",
            Self::WrongPassword => "Incorrect password",
            Self::SamePassword => "New password cannot be the same as the current one",
            Self::PasswordUpdated => "Password updated successfully",
            Self::BadLink => "Invalid token",
            Self::RecoverySent => "If that email is registered, we sent a password recovery link",
            Self::EmailChangeUndone => "The email address is the old one again, and every session has ended",
            Self::TestMailSent => "Test email sent",
            Self::SessionNotFound => "Session not found",
            Self::SessionEnded => "Session ended",
            Self::ItemNotFound => "Item not found",
            Self::ItemForbidden => "Not enough permissions",
            Self::ItemDeleted => "Item deleted successfully",
            Self::BankNotFound => "There is no such question bank",
            Self::BankQuestionNotFound => "There is no such question in a bank",
            Self::BankForbidden => "You may read this question bank, but not change it",
            Self::BankOwnerOnly => "Only the owner of the question bank may do this",
            Self::BankDeleted => "The question bank was deleted",
            Self::BankMemberNotFound => "The question bank is not shared with this person",
            Self::BankUnshared => "The question bank is no longer shared with this person",
            Self::BankOwnerIsNoMember => "This is the owner of the question bank",
            Self::BankInUse(pages) => {
                return match pages {
                    1 => "The quiz of 1 page draws from this question bank, so it cannot be deleted".to_owned(),
                    n => format!("The quizzes of {n} pages draw from this question bank, so it cannot be deleted"),
                };
            }
            Self::TooManyBanks(n) => return format!("You can have at most {n} question banks"),
            Self::BankFull(n) => return format!("A question bank can have at most {n} questions"),
            Self::BankQuestionChanged => "Somebody else has changed this question since you opened it",
            Self::TooManyTags(n) => return format!("A question can have at most {n} tags"),
            Self::PageLinkInBank(path) => {
                return format!("{path}: a question of a bank belongs to no course, so it cannot link to a page");
            }
            Self::NoQuestionsInFile => "There are no questions in this file that a bank could hold",
            Self::CourseNotFound => "Course not found",
            Self::ModuleNotFound => "Module not found",
            Self::LessonNotFound => "Lesson not found",
            Self::PageNotFound => "Page not found",
            Self::PageDraftNotFound => "This page has no unpublished changes",
            Self::VersionNotFound => "This page has no such version",
            Self::FileAddressExpired => "This link has expired. Open the file from its page again",
            Self::FileNotFound => "File not found",
            Self::ImportNotFound => "Import not found",
            Self::ImportNotReady => "This import is not waiting to be confirmed",
            Self::ImportOutdated => {
                "The course has changed since it was compared with the file: pages would go that the preview did not \
                 show. Begin the import anew."
            }
            Self::ImportEnded => "This import has come to its end already",
            Self::TooManyImports(n) => {
                return format!("You have {n} imports under way already: confirm or cancel one of them first");
            }
            Self::JobGivenUp => "The server tried several times and could not do it; please try again later",
            Self::JobNotHeld => "Somebody else works on this already",
            Self::ExportLinkGone => "This link to a download is no longer valid: ask for a new one",
            Self::TrashEntryNotFound => "This is not in the trash any more",
            Self::TrashParentInTrash => "The part of the course that contained this is in the trash too: restore it first",
            Self::TrashParentGone => "The part of the course that contained this is gone: choose another one",
            Self::TrashTargetNotHere => "A page is restored to a lesson, and a lesson to a module",
            Self::TrashConflict => "This conflicts with what was added to the course meanwhile and cannot be restored",
            Self::TrashDeletedForever => "Deleted forever",
            Self::SnapshotNotFound => "Snapshot not found",
            Self::SnapshotDeleted => "The snapshot was deleted",
            Self::TooManySnapshots(n) => return format!("A course can have at most {n} named snapshots. Delete one that you no longer need"),
            Self::SnapshotOutdated => "The course has changed since it was compared with the snapshot. Look at the changes again",
            Self::CourseForbidden => "Your role in this course does not allow this",
            Self::OwnerOnly => "Only the owner of the course may do this",
            Self::NotEnrolled => "You are not enrolled in this course",
            Self::StudentNotFound => "There is no such student",
            Self::StudentRemoved => "The student was removed from the course",
            Self::GroupNotFound => "There is no such group",
            Self::GroupDeleted => "The group was deleted",
            Self::TooManyGroups(n) => return format!("A course can have at most {n} groups"),
            Self::UnknownGroup => "The course has no such group",
            Self::UnknownStudent => "The course has no such student",
            Self::OverrideNotFound => "There is no such override",
            Self::OverrideDeleted => "The override was deleted",
            Self::OverrideForWhom => "An override is for one group or one student",
            Self::OverrideOfWhat => "An override is of the course, one module, one lesson or one page",
            Self::StudentsMovedMeanwhile => "Somebody else has moved these students to another group since you read it",
            Self::CourseZoneChanged => "Somebody else has changed the time zone of the course. Check the times",
            Self::OverrideChanged => "Somebody else has changed this override since you read it",
            Self::OverrideEmpty => "The override changes nothing",
            Self::OverrideNotHere => "This cannot be overridden here",
            Self::TooManyOverrides(n) => return format!("A course can have at most {n} overrides"),
            Self::GradeCategoryNotFound => "Category not found",
            Self::GradeCategoryDeleted => "The category was deleted",
            Self::UnknownGradeCategory => "This course has no such category",
            Self::TooManyGradeCategories(n) => { return format!("The course already has {n} categories. No more can be created") }
            Self::UnknownQuiz => "This course has no such quiz or assignment",
            Self::NotGraded => "This page is not graded: the gradebook has only the published quizzes and assignments of the course",
            Self::ThresholdCount(n) => { return format!("This scheme has {n} thresholds") }
            Self::ThresholdsOutOfOrder => "Each threshold must be lower than the one before it",
            Self::PointsRequired => "Enter the points",
            Self::PointsNotHere => "Points belong to an override only",
            Self::ExcusedFromCourse => "Nobody can be excused from the course as a whole: override its grade",
            Self::ReasonRequired => "Enter the reason",
            Self::GivenTooMuch(most) => { return format!("Too many: at most {most}") }
            Self::AnswerNotFound => "There is no such answer, or its student is not enrolled any more",
            Self::AnswerGraded => "Somebody else has graded this answer meanwhile",
            Self::GradeChanged => "Somebody else has changed this grade meanwhile",
            Self::NotAGradeTable => "This is no table of grades: a CSV text with a line of headings is expected",
            Self::NoEmailColumn => "The table has no column Email",
            Self::TooManyGradeTableChanges(n) => { return format!("The table changes more than {n} grades. Split it into parts") }
            Self::UnknownGradeColumn => "The gradebook of this course has no such column",
            Self::GradeColumnTwice => "This column is twice in the table",
            Self::StudentTwice => "This student is twice in the table",
            Self::NotAGrade => "Points, \"excused\" or \"auto\" are expected",
            Self::GradeTableOutdated => "The grades have changed since the preview. Look at the changes again",
            Self::TooManyGradeChanges(n) => { return format!("This grade has been changed {n} times already. It cannot be changed any more") }
            Self::MemberNotFound => "There is no such person or invitation in the team of this course",
            Self::MemberRemoved => "Removed from the team of the course",
            Self::OwnerIsInTeam => "This is the owner of the course, who needs no invitation",
            Self::OwnerCannotLeave => "The owner cannot leave the course: hand it over to somebody first",
            Self::TeamLeft => "You have left the team of the course",
            Self::CourseLeft => "You have left the course",
            Self::InvitationGone => {
                "This invitation is no longer valid: it was used, withdrawn or renewed, or its time is over"
            }
            Self::InvitationOfAnother => {
                "This invitation is for another address: sign in with the account it was sent to"
            }
            Self::UnknownAccount => "There is no active account like this",
            Self::UnknownShareCode => "There is no course with this code",
            Self::NoRubric => "This question has no rubric",
            Self::OnlyWorkIsReturned => "Only work that was handed in for an assignment can be returned for revision",
            Self::ReturnedWithoutPoints => "Work that is returned for revision gets no points",
            Self::ReturnedWithComment => "Write what should be revised",
            Self::DraftChanged => "The draft was changed in another window or on another device meanwhile",
            Self::NoAssignment => "This page has no assignment",
            Self::TooManyRemarks => "The comments on this answer were changed too often",
            Self::PointsOfMarks => "The points are not the sum of the chosen levels",
            Self::NoUploadQuestion => "This quiz has no such question answered with files",
            Self::NoQuiz => "This page has no quiz",
            Self::OutOfAttempts => "There are no attempts left",
            Self::NoTimeLimit => "The quiz has no time limit: submit the answers without starting an attempt",
            Self::AttemptNotStarted => "No attempt at this quiz is running: start one, unless its time is over",
            Self::BankTooSmall => "The question bank has too few questions for this quiz. Tell your teacher",
            Self::TimeIsOver => "The time is over. The answers saved before count",
            Self::AttemptEnded => "The attempt has ended",
            Self::WrongTicket => "The attempt was not started with this ticket",
            Self::PageLocked => "This page is not open for you yet",
            Self::PageNeverOpens => "This page will not open for you: its time ends before it begins",
            Self::PageClosed => "The time for this quiz is over",
            Self::EnrollmentClosed => "Enrollment in this course has ended",
            Self::EnrollmentNotFound => "Enrollment not found",
            Self::AttemptGranted => "The student has one more attempt",
            Self::AttemptTakenBack => "The additional attempt was taken back",
            Self::NoUnusedAttempt => "The student has no additional attempt, or has already used it",
            Self::BadGrant => "This is no `grant` of a response",
            Self::AttemptsRemain => "The student has attempts left",
            Self::AssessmentsReleased(0) => "There is nothing to release: no new grades",
            Self::AssessmentsReleased(n) => return format!("Grades released: {n}"),
            Self::AttemptsReset(n) => return format!("Attempts removed: {n}"),
            Self::ProgressFixed { checked, changed } => {
                return format!("Enrollments checked: {checked}, changed: {changed}");
            }
            Self::CalendarFeedNotFound => "There is no calendar at this address",
            Self::CalendarFeedRevoked => "The address of the calendar no longer works",
            Self::NoticeLinkGone => "The link is not or no longer good. Sign in to change what is mailed to you",
            Self::Unsubscribed => "These mails will no longer be sent to you",
            Self::CalendarName => "Kurso: course dates",
            Self::CourseStarts(title) => return format!("Starts: {title}"),
            Self::PartOpens(title) => return format!("Opens: {title}"),
            Self::PartDue(title) => return format!("Due: {title}"),
            Self::PartCloses(title) => return format!("Closes: {title}"),
            Self::CourseEnds(title) => return format!("Ends: {title}"),
            Self::OfCourse(title) => return format!("Course: {title}"),
            Self::YouTeach => "You teach this course",
            Self::SettingChanged => "Somebody else has changed this setting since you read it",
            Self::ConsequencesChanged => "The results of learners would change otherwise than you were shown. Nothing was published",
            Self::RegradeNotFound => "Regrading not found",
            Self::ThreadNotFound => "There is no such thread of comments",
            Self::AnnouncementNotFound => "There is no such announcement",
            Self::AnnouncementChanged => "Somebody else has changed this announcement since you opened it",
            Self::AnnouncementPublished => "This announcement is already published",
            Self::AnnouncementTooLong(n) => return format!("An announcement can have at most {n} kilobytes"),
            Self::TooManyAnnouncements(n) => return format!("A course can have at most {n} announcements; delete old ones first"),
            Self::AnnouncementDeleted => "Announcement deleted successfully",
            Self::CommentNotFound => "There is no such comment",
            Self::TooManyThreads(n) => {
                return format!("The page already has {n} open threads of comments. Resolve some of them first");
            }
            Self::TooManyComments(n) => {
                return format!("The thread already has {n} comments. Start a new one");
            }
            Self::CommentOfAnother => "Only its author can change this comment",
            Self::ThreadOfAnother => "Only who started this thread, the owner and editors can do this",
            Self::NoSuggestion => "This thread suggests no change",
            Self::SuggestionDecided => "This suggestion was accepted or rejected already",
            Self::SuggestionOutdated => "The place has changed since this was suggested. Make the change by hand, or reject it",
            Self::SuggestionChangesNothing => "The suggestion changes nothing",
            Self::SuggestionNeedsBlock => "A suggestion needs the block that it changes",
            Self::SuggestionTooLong(n) => return format!("A suggestion can have at most {n} kilobytes"),
            Self::SuggestionWithNewFile => "A suggestion can only have files that the page has already",
            Self::BlockNeedsVersion => "The version of the page in which the block has this index is missing",
            Self::NoSuchBlock => "The page has no such block",
            Self::RegradeIsFinal => "This regrading was already undone, or it is older than 30 days",
            Self::RegradeIsFollowed => "Undo the later regrading of the same pages first",
            Self::PageDraftsChanged => "Somebody else has changed these pages since you opened them. Nothing was published",
            Self::DraftHasOnlyText => "A draft has only a title, content and a quiz. Change everything else without `draft`",
            Self::DatesChanged => "Somebody else has changed this date since you read it",
            Self::DatesOfWhat => "An entry names one module, lesson, page or override, and none comes twice",
            Self::DateNotHere => "There is no such date here",
            Self::PageChanged => "Somebody else has changed this page since you opened it",
            Self::CourseDeleted => "Course deleted successfully",
            Self::ModuleDeleted => "Module deleted successfully",
            Self::LessonDeleted => "Lesson deleted successfully",
            Self::PageDeleted => "Page deleted successfully",
            Self::UnknownModule => "There is no such module in this course",
            Self::UnknownLesson => "There is no such lesson in this course",
            Self::UnknownPage => "There is no such page in this course",
            Self::QuizOnContentPage => "A content page has no quiz",
            Self::LateOnContentPage => "Only a quiz or an assignment has late attempts",
            Self::UnknownPart => "There is no such module or lesson in this course",
            Self::NeedsItself => "A module or lesson cannot need itself, the module it is in, or a lesson in it",
            Self::PrerequisiteCycle(titles) => return format!("Nobody could complete this: {}", titles.text(Lang::En)),
            Self::FileTooLarge(n) => return format!("The file is larger than {}", bytes(*n, "MB", "KB")),
            Self::ContentQuotaFull => {
                "There is no room left for the content of this owner's courses; delete pages or courses that are no longer needed"
            }
            Self::QuotaFull => "There is no room left for your files; delete pages or courses you no longer need",
            Self::EmptyFile => "The file is empty",
            Self::NotAFile => "A file is expected here",
            Self::BrokenForm => "The form cannot be read: multipart/form-data is expected",
            Self::NotAPicture => "A picture is expected: PNG, JPEG, WebP, GIF or AVIF",
            Self::BrokenPicture => "The picture is broken, or of a kind that cannot be read here",
            Self::TooManyPixels(n) => return format!("The picture has more than {n} megapixels"),
            Self::NotAList => "A list is expected",
            Self::TooFewItems(1) => "The list must have at least one entry",
            Self::TooFewItems(n) => return format!("The list must have at least {n} entries"),
            Self::TooManyItems(n) => return format!("The list can have at most {n} entries"),
            Self::FieldRequired => "Field required",
            Self::NotAString => "Input should be a valid string",
            Self::NotAnObject => "Input should be a valid dictionary or object to extract fields from",
            Self::BadJson => "JSON decode error",
            Self::BadInteger => "Input should be a valid integer, unable to parse string as an integer",
            Self::NotAnInteger => "Input should be a valid integer",
            Self::NotADecimal => "Input should be a decimal number such as 12.5, with at most two digits after the point",
            Self::DecimalTooSmall(least) => { return format!("Input should be greater than or equal to {least}") }
            Self::DecimalTooLarge(most) => { return format!("Input should be less than or equal to {most}") }
            Self::NotANumber => "Input should be a valid number",
            Self::NotABoolean => "Input should be a valid boolean",
            Self::BadBoolean => "Input should be a valid boolean, unable to interpret input",
            Self::FractionalInteger => "Input should be a valid integer, got a number with a fractional part",
            Self::NotAUuid => "UUID input should be a string, bytes or UUID object",
            Self::ZeroByte => "Input should not contain a zero byte",
            Self::BadCursor => "This is no cursor of this list",
            Self::BadGraphqlBody => "This is no GraphQL request: an object with a `query` is expected",
            Self::MutationByGet => "GET takes queries only, a mutation needs POST",
            Self::SubscriptionByHttp => "Subscriptions are served over WebSocket only",
            Self::PersistedQueryNotFound => "PersistedQueryNotFound",
            Self::BadPersistedQuery => {
                "extensions.persistedQuery should be an object with version 1 and sha256Hash, 64 hexadecimal digits"
            }
            Self::WrongQueryHash => "The sha256Hash of persistedQuery is not that of the query",
            Self::FragmentCycle(name) => return format!("The fragment {name} spreads itself"),
            Self::OverLimit { limit, found, allowed } => return limit.text(Lang::En, *found, *allowed),
            Self::ForeignOrigin => "Pages of this origin may not connect",
            Self::BadUpgrade => "A WebSocket of version 13 with the subprotocol graphql-transport-ws is expected",
            Self::SubscriptionsOnly => "The WebSocket is for subscriptions only, send queries and mutations over HTTP",
            Self::OneFieldAtATime => "A subscription has exactly one field, and no fragment in its place",
            Self::EventsMissed => "Events were missed: read anew what you show, and subscribe again",
            Self::TooManySubscriptions(n) => return format!("At most {n} subscriptions at once on one connection"),
            Self::TooShort(n) => {
                return format!(
                    "String should have at least {n} character{}",
                    if *n == 1 { "" } else { "s" }
                );
            }
            Self::TooLong(n) => return format!("String should have at most {n} characters"),
            Self::IntegerTooLarge(n) => return format!("Input should be less than or equal to {n}"),
            Self::IntegerTooSmall(n) => return format!("Input should be greater than or equal to {n}"),
            Self::BadEmail(problem) => {
                return format!("value is not a valid email address: {}", problem.text(Lang::En));
            }
            Self::UnknownFile(path) => {
                return format!("{path}: there is no such file, or it is not yours to use");
            }
            Self::UnknownPageLink(path) => return format!("{path}: there is no such page in this course"),
            Self::NotOneOf(words) => return format!("Input should be {}", choice(words, "or")),
            Self::BadDate => {
                "Write a date as 2026-09-01, a local time as 2026-09-01T10:00 or a time with its offset as 2026-09-01T10:00:00+03:00"
            }
            Self::FarDate => "The year should be from 2000 to 2099",
            Self::NoStart => "The course has no start to count this date from",
            Self::DatesOutOfOrder => "This date should not be before an earlier one of the same thing",
            Self::UnknownTimeZone => "There is no time zone of this name",
            Self::BadDayTime => "Input should be a time of day such as 22:00",
            Self::NoQuietHours => "Quiet hours must not end when they begin",
            Self::BadTime => "Input should be a time such as 2026-11-21T09:00:00Z",
            Self::BadUuid(reason) => return format!("Input should be a valid UUID, {reason}"),
            Self::BadPattern(pattern) => return format!("String should match pattern '{pattern}'"),
            Self::Text { en, .. } => en,
        }
        .to_owned()
    }
}
