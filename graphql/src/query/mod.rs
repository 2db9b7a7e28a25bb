//! The queries of the schema.

mod admin;
mod announcements;
mod banks;
mod calendar;
mod certificates;
mod consequences;
mod courses;
mod discussions;
mod gradebook;
pub mod grading;
mod guests;
mod imports;
mod items;
mod learning;
mod notes;
mod notice_devices;
mod notice_preferences;
mod notices;
mod overrides;
mod practice;
mod preview;
mod public_pages;
mod snapshots;
mod trash;
mod users;

use async_graphql::MergedObject;

/// Queries.
#[derive(Default, MergedObject)]
pub struct Query(
    users::UsersQuery,
    items::ItemsQuery,
    courses::CoursesQuery,
    learning::LearningQuery,
    calendar::CalendarQuery,
    notice_preferences::NoticePreferencesQuery,
    notice_devices::NoticeDevicesQuery,
    overrides::OverridesQuery,
    gradebook::GradebookQuery,
    grading::GradingQuery,
    preview::PreviewQuery,
    admin::AdminQuery,
    imports::ImportsQuery,
    banks::BanksQuery,
    trash::TrashQuery,
    snapshots::SnapshotsQuery,
    consequences::ConsequencesQuery,
    notices::NoticesQuery,
    announcements::AnnouncementsQuery,
    discussions::DiscussionsQuery,
    notes::NotesQuery,
    practice::PracticeQuery,
    public_pages::PublicPagesQuery,
    guests::GuestsQuery,
    certificates::CertificatesQuery,
);
