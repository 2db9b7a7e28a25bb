//! Extractors of query strings. Each reports all errors of the query at once.

mod banks;
mod certificates;
mod comments;
mod discussions;
mod export;
mod notes;
mod notices;
pub mod reader;

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::email::Email;
use kurso_base::error as core;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, LessonId, ModuleId, PageId, SnapshotId, UserId};
use kurso_base::pagination::Page;
use kurso_base::schedule::ScheduleTime;
use kurso_base::search::Search;
use kurso_base::values::{Checked as _, EditorSession, Problem};
use kurso_core::assessments::{AnswerFilter, AnswerState};
use kurso_core::attempts::AttemptGrant;
use kurso_core::courses::duplicate::DuplicateCourse;
use kurso_core::courses::groups::GroupFilter;
use kurso_core::courses::overrides::{ExpectedOverride, TargetFilter, TimesOf};
use kurso_core::gradebook::csv::Separator;
use kurso_core::inbox::Wanted;
use kurso_core::preview::Preview;
use kurso_core::{announcements, audit, calendar, content_search, exports, gradebook, students};
use kurso_formats::{DateForm, Outcome};
use serde_json::Value;

use super::location;
use crate::App;
use crate::error::{Error, Result};
pub use banks::{BankQuestionsQuery, QuestionIdsQuery};
pub use certificates::CertificatePictureQuery;
pub use comments::{ThreadStateQuery, ThreadsQuery};
pub use discussions::{DiscussionAnswersQuery, DiscussionsQuery};
pub use export::ExportRequest;
pub use notes::NotesQuery;
pub use notices::NoticeChoiceQuery;
use reader::{Query, format, json_value, outcome, query_value, search_text, signed, time, to_version, whole_number};

/// `skip`, `limit` and `search` of a list.
pub struct Listing {
    pub page: Page,
    pub search: Search,
}

/// `text`, `course_id`, `skip` and `limit` of a full-text search.
pub struct ContentQuery {
    pub text: String,
    pub course: Option<CourseId>,
    pub page: Page,
}

/// `skip` and `limit` of a list of announcements.
pub struct AnnouncementsQuery(pub announcements::Wanted);

/// `skip`, `limit`, `search`, `group_id`, `state`, `stopped_at` and `sort` of a class list.
pub struct StudentsQuery {
    pub page: Page,
    pub students: students::Query,
}

/// `skip`, `limit`, `search`, `group_id` and `sort` of a gradebook.
pub struct GradebookQuery {
    pub page: Page,
    pub rows: gradebook::Query,
}

/// `page_id` of a grade.
pub struct GradeCellQuery(pub Option<PageId>);

/// `since` of a comparison with a snapshot.
pub struct SinceQuery(pub Option<SnapshotId>);

/// `page_id`, `question_id`, `group_id`, `state`, `skip` and `limit` of the grading queue.
pub struct AnswersQuery {
    pub filter: AnswerFilter,
    pub state: AnswerState,
    pub page: Page,
}

/// `page_id`, `question_id` and `group_id` of the next answer to grade.
pub struct NextAnswerQuery(pub AnswerFilter);

/// `separator` of a table.
struct SeparatorQuery(Option<Separator>);

/// `group_id`: the students of one group, or those without.
pub struct GroupQuery(pub GroupFilter);

/// `skip`, `limit`, `group_id` and `enrollment_id` of overrides.
pub struct OverridesQuery {
    pub page: Page,
    pub filter: TargetFilter,
}

/// `expected` of the deletion of an override.
pub struct ExpectedQuery(pub Option<ExpectedOverride>);

/// The part, whom, and `limits` of the times of an override.
pub struct TimesQuery(pub TimesOf);

/// `skip`, `limit`, `kind`, `user_id`, `since` and `until` of the audit log.
pub struct AuditQuery {
    pub page: Page,
    pub filter: audit::Filter,
}

/// `skip`, `limit` and `outcome` of the report of an import.
pub struct ReportQuery {
    pub page: Page,
    pub outcome: Option<Outcome>,
}

/// `format`, `relative_dates`, `drafts`, `skip` and `limit` of the report of an export.
pub struct ExportReportQuery {
    pub page: Page,
    pub format: exports::Format,
    pub dates: DateForm,
    pub drafts: bool,
}

/// `from`, `until`, `skip` and `limit` of the calendar.
pub struct CalendarQuery {
    pub page: Page,
    pub span: calendar::Span,
}

/// `enrollment_id`, `group_id`, `at` and `drafts` of a preview.
pub struct PreviewQuery(pub Preview);

/// `relative_dates` and `drafts` of an export.
pub struct TextsQuery(pub DateForm, pub bool);

/// `draft` of a version to restore and of a quiz to try out.
pub struct DraftQuery(pub bool);

/// `version` of a draft.
pub struct VersionQuery(pub i64);

/// `version` of the text that a learner was shown.
pub struct ShownQuery(pub Option<i64>);

/// `shift_days` of a copy.
pub struct DuplicateQuery(pub DuplicateCourse);

/// `grant` of attempts to take back.
pub struct GrantQuery(pub Option<AttemptGrant>);

/// The default number of notices.
const LISTED_NOTICES: i64 = 30;
/// The default number of announcements in a response.
const LISTED_ANNOUNCEMENTS: i64 = 20;

/// `skip`, `limit` and `unread_only` of notices.
pub struct NoticesQuery(pub Wanted);

/// `limit` of what is due next.
pub struct UpcomingQuery(pub usize);

/// `user_session_id`, the open editor that sent the request, and `draft`.
pub struct SaveQuery {
    pub session: Option<EditorSession>,
    pub draft: bool,
}

/// Implements extractors that read values of the query. The errors come in the order of the reads.
macro_rules! from_query {
    ($($name:ty = |$query:ident| $read:expr;)*) => {$(
        impl FromRequestParts<App> for $name {
            type Rejection = Error;

            async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
                let mut $query = Query::of(parts);
                let read = $read;
                $query.finish(read)
            }
        }
    )*};
}

from_query! {
    Page = |query| query.page();
    Listing = |query| Listing { page: query.page(), search: query.search() };
    ContentQuery = |query| ContentQuery {
        text: query.read("text", |text| search_text(text).map(|()| text.to_owned())).unwrap_or_default(),
        course: query.read("course_id", |text| CourseId::check(text.to_owned())),
        page: query.page_of(content_search::DEFAULT_LISTED),
    };
    StudentsQuery = |query| StudentsQuery {
        page: query.page(),
        students: students::Query { search: query.search(), group: query.group(), progress: query.progress(), order: query.order() },
    };
    AnnouncementsQuery = |query| AnnouncementsQuery({
        let page = query.page_of(LISTED_ANNOUNCEMENTS);
        announcements::Wanted {
            first: usize::try_from(page.limit).unwrap_or_default(),
            after: None,
            skip: usize::try_from(page.skip).unwrap_or_default(),
        }
    });
    GradebookQuery = |query| GradebookQuery {
        page: query.page(),
        rows: gradebook::Query { search: query.search(), group: query.group(), order: query.order() },
    };
    GradeCellQuery = |query| GradeCellQuery(query.read("page_id", |text| PageId::check(text.to_owned())));
    SinceQuery = |query| SinceQuery(query.read("since", |text| SnapshotId::check(text.to_owned())));
    AnswersQuery = |query| AnswersQuery {
        filter: query.answers(),
        state: query.read("state", |text| AnswerState::check(text.to_owned())).unwrap_or_default(),
        page: query.page(),
    };
    NextAnswerQuery = |query| NextAnswerQuery(query.answers());
    SeparatorQuery = |query| SeparatorQuery(query.read("separator", |text| Separator::check(text.to_owned())));
    OverridesQuery = |query| OverridesQuery {
        page: query.page(),
        filter: TargetFilter::of(
            query.read("group_id", |text| GroupId::check(text.to_owned())),
            query.read("enrollment_id", |text| EnrollmentId::check(text.to_owned())),
        ),
    };
    ExpectedQuery = |query| ExpectedQuery(query.read("expected", json_value));
    TimesQuery = |query| TimesQuery(TimesOf {
        group_id: query.read("group_id", |text| GroupId::check(text.to_owned())),
        enrollment_id: query.read("enrollment_id", |text| EnrollmentId::check(text.to_owned())),
        module_id: query.read("module_id", |text| ModuleId::check(text.to_owned())),
        lesson_id: query.read("lesson_id", |text| LessonId::check(text.to_owned())),
        page_id: query.read("page_id", |text| PageId::check(text.to_owned())),
        limits: query.read("limits", json_value),
    });
    GroupQuery = |query| GroupQuery(query.group());
    AuditQuery = |query| AuditQuery {
        filter: audit::Filter {
            act: query.read("kind", |text| audit::Act::parse(text).ok_or_else(|| Problem::not_one_of(audit::Act::names()))),
            person: query.read("user_id", |text| UserId::check(text.to_owned())),
            since: query.read("since", time),
            until: query.read("until", time),
        },
        page: query.page(),
    };
    ReportQuery = |query| ReportQuery { page: query.page(), outcome: query.read("outcome", outcome) };
    ExportReportQuery = |query| ExportReportQuery {
        page: query.page(),
        format: query.read("format", format).unwrap_or(exports::Format::Markdown),
        dates: query.dates(),
        drafts: query.flag("drafts"),
    };
    CalendarQuery = |query| CalendarQuery {
        span: calendar::Span { from: query.read("from", time), until: query.read("until", time) },
        page: query.page(),
    };
    PreviewQuery = |query| PreviewQuery(Preview {
        enrollment_id: query.read("enrollment_id", |text| EnrollmentId::check(text.to_owned())),
        group_id: query.read("group_id", |text| GroupId::check(text.to_owned())),
        at: query.read("at", ScheduleTime::parse),
        drafts: query.flag("drafts"),
    });
    TextsQuery = |query| TextsQuery(query.dates(), query.flag("drafts"));
    DraftQuery = |query| DraftQuery(query.flag("draft"));
    VersionQuery = |query| VersionQuery(query.required("version", |text| whole_number(text).map(to_version)));
    ShownQuery = |query| ShownQuery(query.read("version", |text| whole_number(text).map(to_version)));
    DuplicateQuery = |query| DuplicateQuery(DuplicateCourse { shift_days: query.read("shift_days", signed) });
    GrantQuery = |query| GrantQuery(query.read("grant", |text| AttemptGrant::check(text.to_owned())));
    NoticesQuery = |query| NoticesQuery({
        let page = query.page_of(LISTED_NOTICES);
        Wanted {
            first: usize::try_from(page.limit).unwrap_or_default(),
            after: None,
            skip: page.skip,
            unread_only: query.flag("unread_only"),
        }
    });
    UpcomingQuery = |query| UpcomingQuery(calendar::upcoming_size(query.read("limit", whole_number)));
    SaveQuery = |query| SaveQuery {
        session: query.read("user_session_id", |text| EditorSession::parse(text.to_owned())),
        draft: query.flag("draft"),
    };
}

/// The address in `?email_to=…`, which is required.
pub struct EmailTo(pub Email);

impl FromRequestParts<App> for EmailTo {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        const NAME: &str = "email_to";
        let (email, input) = match query_value(parts.uri.query().unwrap_or_default(), NAME) {
            Some(text) => (Email::check(text.clone().into_owned()), Value::from(text)),
            None => (Err(Problem::missing()), Value::Null),
        };
        Ok(EmailTo(email.map_err(|problem| {
            core::Error::invalid(problem.at(location("query", NAME), input))
        })?))
    }
}
