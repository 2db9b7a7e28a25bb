//! The mutations of the schema, one file per resource. A mutation takes an input object and returns a payload; expected outcomes are
//! data, failures are errors.

mod account;
mod announcements;
mod avatars;
mod banks;
mod calendar;
mod certificates;
mod comments;
mod courses;
mod dates;
mod discussions;
mod expected_dates;
mod gradebook;
mod grading;
mod groups;
mod guests;
mod imports;
mod items;
mod learning;
mod lessons;
mod login;
mod modules;
mod notes;
mod notice_devices;
mod notice_preferences;
mod notices;
mod overrides;
mod page_drafts;
mod pages;
mod practice;
mod public_pages;
mod quiz;
mod recovery;
mod running;
mod sharing;
mod snapshots;
mod students;
mod team;
mod trash;
mod users;
mod work;

use async_graphql::MergedObject;

/// Mutations. They run one after another, in the order of the operation.
#[derive(Default, MergedObject)]
pub struct Mutation(
    login::LoginMutation,
    account::AccountMutation,
    recovery::RecoveryMutation,
    users::UsersMutation,
    items::ItemsMutation,
    courses::CoursesMutation,
    modules::ModulesMutation,
    lessons::LessonsMutation,
    pages::PagesMutation,
    page_drafts::PageDraftsMutation,
    sharing::SharingMutation,
    learning::LearningMutation,
    quiz::QuizMutation,
    running::RunningMutation,
    work::WorkMutation,
    banks::BanksMutation,
    students::StudentsMutation,
    groups::GroupsMutation,
    overrides::OverridesMutation,
    dates::DatesMutation,
    gradebook::GradebookMutation,
    grading::GradingMutation,
    team::TeamMutation,
    avatars::AvatarMutation,
    imports::ImportsMutation,
    calendar::CalendarMutation,
    notice_preferences::NoticePreferencesMutation,
    notice_devices::NoticeDevicesMutation,
    trash::TrashMutation,
    comments::CommentsMutation,
    snapshots::SnapshotsMutation,
    notices::NoticesMutation,
    announcements::AnnouncementsMutation,
    discussions::DiscussionsMutation,
    notes::NotesMutation,
    practice::PracticeMutation,
    public_pages::PublicPagesMutation,
    guests::GuestsMutation,
    certificates::CertificatesMutation,
);
