//! The OpenAPI document, assembled from the handlers' descriptions.

mod modifiers;

use std::sync::LazyLock;

use axum::response::{IntoResponse as _, Response};
use http::header;
use utoipa::OpenApi;

use crate::openapi_parts::{HTTPError, HTTPValidationError};
use crate::{
    admin, announcements, banks, calendar, certificates, comments, courses, discussions, files, gradebook, grading,
    groups, guests, items, learning, login, me, notes, notice_devices, notice_preferences, notices, overrides, private,
    public_pages, quiz, recovery, regrades, sessions, snapshots, students, team, trash, users, utils,
};
use modifiers::{Bearer, ImpliedParts, NumbersOfAnySize};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Kurso",
        version = "0.1.0",
        description = "The REST API of Kurso, a course platform. Authors write courses of modules, lessons and pages; learners \
            enroll by a share code, and their progress is tracked.\n\nSign in with `POST /api/v1/login/access-token` and send \
            the token as `Authorization: Bearer …`. Messages are in the language of `Accept-Language`, `en` (default) or \
            `ru`. Times are RFC 3339 in UTC. Unknown fields of a body are ignored."
    ),
    paths(
        login::access_token, login::test_token, login::logout, guests::start_as_guest, guests::merge_guest, guests::guest_course,
        sessions::list, sessions::end,
        recovery::ask, recovery::reset, recovery::html_content, recovery::undo_email_change,
        users::list, users::create,
        me::read, me::update, me::delete, me::update_password, me::texts,
        users::signup, users::read, users::update, users::delete,
        items::list, items::create, items::read, items::update, items::delete,
        banks::my_banks, banks::create_bank, banks::get_bank, banks::update_bank, banks::delete_bank,
        banks::questions::questions, banks::questions::questions_by_id, banks::questions::question_versions,
        banks::questions::add_questions, banks::questions::update_question, banks::questions::tag_questions,
        banks::questions::delete_questions, banks::questions::import_questions, banks::share, banks::unshare,
        courses::list_courses, courses::get_course, courses::create_course, courses::update_course,
        courses::delete_course, courses::duplicate_course, courses::generate_share_code, courses::dates::set_dates,
        courses::modules::create_module, courses::modules::get_module, courses::modules::update_module,
        courses::modules::delete_module, courses::modules::duplicate_module,
        courses::lessons::create_lesson, courses::lessons::get_lesson, courses::lessons::update_lesson,
        courses::lessons::delete_lesson, courses::lessons::duplicate_lesson,
        courses::pages::create_page, courses::pages::get_page, courses::pages::update_page,
        courses::pages::delete_page, courses::pages::duplicate_page, courses::pages::page_versions,
        courses::pages::restore_page_version,
        courses::page_drafts::page_draft, courses::page_drafts::discard_page_draft,
        courses::page_drafts::unpublished_changes, regrades::publish_page_drafts,
        regrades::consequences, regrades::regrades, regrades::undo_regrade,
        courses::uploads::upload_file, courses::uploads::upload_module_avatar,
        courses::imports::import_course, courses::imports::import_job, courses::imports::my_imports,
        courses::imports::confirm_import, courses::imports::cancel_import,
        courses::exports::export_course, courses::exports::export_report,
        learning::enroll, learning::my_enrolled_courses, learning::enrolled_course, learning::enrolled_page,
        learning::mark_page_visited, learning::reading::mark_reread, learning::reading::important_changes,
        learning::keep_reading_place,
        quiz::running::start_attempt, quiz::running::save_answers, quiz::running::check_answer, quiz::practice::practice, quiz::practice::answer_practice, quiz::practice::set_practice, quiz::submit_quiz, quiz::draft::answer_draft, quiz::draft::save_answer_draft, quiz::upload_answer_file, quiz::try_quiz, courses::questions::read_questions, quiz::grant_attempt, quiz::take_back_attempt, quiz::reset_attempts,
        learning::preview::preview_course, learning::preview::preview_page, learning::preview::preview_progress,
        learning::progress::my_progress, learning::progress::debug_progress, learning::progress::fix_progress,
        students::course_students, students::student_detailed_progress, students::course_heat_map,
        students::quiz_analysis, students::remove_student,
        groups::groups, groups::create_group, groups::update_group, groups::delete_group,
        groups::generate_group_code, groups::remove_group_code,
        groups::move_students, groups::move_students_by_email,
        overrides::overrides, overrides::set_override, overrides::set_overrides, overrides::override_times, overrides::delete_override,
        gradebook::gradebook, gradebook::my_grades, gradebook::grade_settings, gradebook::update_grade_settings,
        gradebook::create_grade_category, gradebook::update_grade_category, gradebook::delete_grade_category,
        gradebook::set_grade_items, gradebook::grade, gradebook::decide_grade, gradebook::import_grades,
        grading::grading_queue, grading::open_answer, grading::claim_answer, grading::claim_next_answer,
        grading::assess_answer, grading::release_assessments, grading::rubrics,
        courses::all_courses,
        courses::finding::search,
        courses::content_search::search_content,
        trash::trash, trash::deleted_courses, trash::restore_from_trash, trash::delete_forever,
        comments::page_threads, comments::course_threads, comments::commenters, comments::start_thread,
        comments::add_comment, comments::edit_comment, comments::delete_comment, comments::resolve_thread,
        comments::reopen_thread, comments::accept_suggestion, comments::reject_suggestion, comments::mark_thread_read,
        announcements::announcements, announcements::create_announcement, announcements::announcement,
        announcements::update_announcement, announcements::delete_announcement, announcements::mark_announcements_read,
        announcements::nudge_students,
        notes::page_notes, notes::noted_courses, notes::course_notes, notes::export_notes, notes::create_note, notes::update_note, notes::delete_note,
        notes::set_bookmark, notes::tick_task,
        discussions::page_discussions, discussions::course_discussions, discussions::discussion, discussions::discussion_answers, discussions::page_questions,
        discussions::start_discussion, discussions::reply_discussion, discussions::edit_post, discussions::delete_post,
        discussions::change_discussion, discussions::note_discussion, discussions::mark_post, discussions::report_post,
        discussions::moderate_post, discussions::discussion_settings, discussions::set_discussions, discussions::set_page_discussions,
        snapshots::snapshots, snapshots::take_snapshot, snapshots::snapshot, snapshots::snapshot_page, snapshots::snapshot_changes,
        snapshots::rename_snapshot, snapshots::delete_snapshot, snapshots::restore_snapshot,
        public_pages::public_course, public_pages::catalogue, public_pages::public_page, public_pages::set_visibility,
        public_pages::upload_cover, public_pages::remove_cover, public_pages::join_course,
        certificates::certificate_design, certificates::set_certificate_design, certificates::upload_certificate_picture,
        certificates::remove_certificate_picture, certificates::my_certificate, certificates::issue_certificate, certificates::my_certificates,
        certificates::reissue_certificate, certificates::set_certificate_privacy, certificates::certificate_badge, certificates::certificates,
        certificates::revoke_certificate, certificates::restore_certificate, certificates::public_certificate,
        team::leave_course, team::collaborators, team::invite_collaborator, team::remove_collaborator,
        team::accept_invitation, team::hand_over,
        calendar::events, calendar::upcoming, calendar::feed_state, calendar::create_feed, calendar::revoke_feed,
        calendar::read_feed,
        notices::list, notices::mark_read, notices::mark_all_read,
        notice_preferences::preferences, notice_preferences::set_settings, notice_preferences::choose,
        notice_preferences::reset, notice_preferences::subscription, notice_preferences::open_unsubscribe,
        notice_preferences::unsubscribe,
        notice_devices::list, notice_devices::add, notice_devices::remove, notice_devices::test,
        utils::test_email,
        admin::server_status, admin::audit_log,
        utils::health_check,
        private::create_user,
        files::serve,
    ),
    components(schemas(HTTPError, HTTPValidationError)),
    tags(
        (name = "login", description = "Sign-in, sessions and password recovery"),
        (name = "users", description = "User accounts"),
        (name = "items", description = "Items: titles with a text that belong to a user"),
        (name = "courses", description = "Writing, sharing, learning and teaching courses"),
        (name = "banks", description = "Question banks: questions for quizzes, shared with colleagues"),
        (name = "calendar", description = "Dates of all courses of the caller, and the iCalendar feed"),
        (name = "notices", description = "Notices of the caller, notice preferences, and devices that receive pushes"),
        (name = "utils", description = "Health check and administration of the server"),
        (name = "private", description = "Operations of servers in development mode"),
        (name = "files", description = "Downloads of images and other files of pages"),
    ),
    modifiers(&Bearer, &ImpliedParts, &NumbersOfAnySize)
)]
struct Document;

pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// The document as JSON, as it is served and checked in.
pub fn openapi_json() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| openapi().to_pretty_json().unwrap_or_default());
    &TEXT
}

pub async fn serve() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi_json()).into_response()
}
