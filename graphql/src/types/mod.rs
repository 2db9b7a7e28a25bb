//! The types of the schema. Their doc comments are the schema's descriptions.

mod admin;
mod announcement;
mod answer;
mod attempt;
mod bank;
mod bank_question;
mod body;
mod calendar;
mod certificate;
mod change_since_read;
mod collaborator;
mod comments;
mod content_match;
mod course;
mod discussions;
mod enrollment;
mod found;
mod grade_table;
mod gradebook;
mod grading;
mod group;
mod heat_map;
mod import;
mod import_changes;
mod item;
mod lesson;
mod loaders;
mod module;
mod notes;
mod notice;
mod notice_devices;
mod notice_preferences;
mod overrides;
mod own_grades;
mod page;
mod page_draft;
mod practice;
mod progress;
mod public_page;
mod quiz;
mod quiz_analysis;
mod regrade;
mod rubric;
mod scalars;
mod session;
mod snapshot;
mod student;
mod student_progress;
mod timeline;
mod trash;
mod user;
mod version;
mod view;
mod written_text;
mod zones;

pub use admin::{AuditEntry, AuditKind, ServerStatus};
pub use announcement::{Announcement, AnnouncementList};
pub(crate) use answer::given;
pub use answer::{Answer, AnswerDraft};
pub use attempt::{Attempt, QuestionResult, RunningAttempt};
pub use bank::{Bank, BankRole};
pub use bank_question::BankQuestion;
pub use body::Body;
pub use calendar::{CalendarEvent, CalendarFeed, Upcoming};
pub use certificate::{
    Certificate, CertificateBadge, CertificateBasis, CertificateDesign, CertificatePicture, CourseCertificate,
    MyCertificate, PublicCertificate,
};
pub use change_since_read::{ChangeImportance, ChangeSinceRead, ImportantChange};
pub use collaborator::{Collaborator, CollaboratorRole};
pub use comments::{CommentThread, Commenter, ThreadState};
pub use content_match::ContentMatch;
pub use course::Course;
pub use discussions::{
    BlockQuestions, Discussion, DiscussionFilter, DiscussionPost, DiscussionRules, DiscussionSettings,
};
pub use enrollment::Enrollment;
pub use found::Found;
pub use grade_table::GradeTable;
pub use gradebook::{
    Decimal, GradeCategory, GradeDecisionKind, GradeDetail, GradeScheme, GradeSettings, Gradebook, GradebookRow,
    GradebookSort,
};
pub use grading::{AnswerState, GradingQueue, OpenAnswer, PersonName};
pub use group::{Group, StudentGroup};
pub use heat_map::HeatMap;
pub use import::{
    ExportFormat, ImportFormat, ImportJob, ImportMode, ImportPreview, ImportReportEntry, ReadQuestions, TableSeparator,
    date_form,
};
pub use item::Item;
pub use lesson::Lesson;
pub use module::Module;
pub use notes::{CourseNotes, Note, NoteColor, NotedCourse};
pub use notice::{NoticeArrival, NoticeKind, NoticeList};
pub use notice_devices::{NoticeDevice, NoticeDevices};
pub use notice_preferences::{Language, NoticeMail, NoticePreferences, NoticeSubscription};
pub use overrides::{OverrideTimes, ScheduleOverride, part_ids};
pub use own_grades::MyGrades;
pub use page::{Page, PageKind};
pub use page_draft::PageDraft;
pub use practice::Practice;
pub use progress::{Progress, ProgressFacts, Reason};
pub use public_page::{CatalogueCourse, CourseVisibility, GuestCourse, PublicCourse, PublicPage};
pub use quiz::Quiz;
pub use quiz_analysis::QuizAnalysis;
pub use regrade::{Consequences, PastAttempts, PublishPageDraftInput, Regrade, RemovedQuestions, plan};
pub use rubric::UsedRubric;
pub use scalars::{DateTime, Document};
pub use session::Session;
pub use snapshot::{CourseSnapshot, SnapshotContent};
pub use student::{Student, StudentSort, StudentState};
pub use student_progress::StudentProgress;
pub use timeline::Timeline;
pub use trash::TrashEntry;
pub use user::User;
pub use version::{PageEditor, PageVersion, PageVersionText};
pub use view::View;
pub use written_text::WrittenText;

use async_graphql::{Context, ID, Result};
use kurso_base::error::Error;

use crate::error::wrap;

/// A count as an Int of GraphQL.
pub(crate) fn int(n: impl TryInto<i32>) -> i32 {
    n.try_into().unwrap_or(i32::MAX)
}

pub(crate) fn id_of(id: impl std::fmt::Display) -> ID {
    ID(id.to_string())
}

/// None for NOT_FOUND: the parent of a changed object may be deleted before the answer is ready.
fn unless_gone<T>(ctx: &Context<'_>, found: Result<T, Error>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(wrap(ctx)(error)),
    }
}
