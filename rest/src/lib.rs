//! The REST API layer: parses requests, calls one function of the core and serialises the result. It contains no product rules
//! and no SQL.

mod admin;
mod admission;
mod announcements;
mod banks;
mod body;
mod calendar;
mod certificates;
mod comments;
mod consequences;
mod cors;
mod courses;
mod discussions;
mod drain;
mod error;
mod extract;
mod fields;
mod files;
mod gradebook;
mod grading;
mod groups;
mod guests;
mod items;
mod json_error;
mod layers;
mod learning;
mod login;
mod me;
mod message;
mod monitoring;
mod notes;
mod notice_devices;
mod notice_preferences;
mod notices;
mod openapi;
mod openapi_parts;
mod origin;
mod overrides;
mod page_kind;
mod paths;
mod person;
mod private;
mod public_pages;
mod quiz;
mod recovery;
mod regrades;
mod request_id;
mod response;
mod sessions;
mod snapshots;
mod students;
mod team;
mod trash;
mod upload;
mod users;
mod utils;
mod visitors;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, FromRef, State};
use axum::routing::{MethodRouter, any, delete, get, patch, post, put};
use axum::{Extension, Router};
use http::{HeaderName, HeaderValue, header};
use kurso_core::Kurso;
use tower_http::set_header::SetResponseHeaderLayer;

use body::takes_json;
use courses::{exports, imports, lessons, modules, page_drafts, pages, uploads};
use extract::MeantFor;
pub use layers::with_layers;
use learning::{preview, progress};
pub use monitoring::{Monitoring, monitoring_router};
pub use openapi::{openapi, openapi_json};
pub use origin::Proxies;

/// Settings of the HTTP layer.
#[derive(Clone, Debug)]
pub struct Options {
    /// The exact origins whose scripts may call, with credentials, such as `http://localhost:5173`.
    pub cors_origins: Vec<String>,
    /// The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
    pub trusted_proxies: Vec<IpAddr>,
    /// The origin of the public URL, such as `https://kurso.example`; None if the operator has set none.
    pub public_origin: Option<String>,
    /// Adds the calls that create accounts without a token. Only for a server that listens on loopback.
    pub development: bool,
    /// The public URL is `https`: responses have HSTS.
    pub https: bool,
    /// Logs every request.
    pub access_log: bool,
    /// Logs requests that take longer; None logs none.
    pub slow_request: Option<Duration>,
    /// The most requests, waiting ones included, and also the most uploads.
    pub max_requests: usize,
    /// The longest time of a request. Uploads must keep a minimum speed instead.
    pub request_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            cors_origins: vec![],
            trusted_proxies: vec![],
            public_origin: None,
            development: false,
            https: false,
            access_log: false,
            slow_request: None,
            max_requests: 512,
            request_timeout: Duration::from_secs(90),
        }
    }
}

/// The state of every handler.
#[derive(Clone)]
struct App {
    kurso: Arc<Kurso>,
    proxies: Proxies,
    public_origin: Option<Arc<str>>,
}

impl FromRef<App> for Arc<Kurso> {
    fn from_ref(app: &App) -> Self {
        app.kurso.clone()
    }
}

/// The core, for handlers.
type KursoState = State<Arc<Kurso>>;

macro_rules! routes {
    ($($path:literal => $call:expr;)*) => {
        vec![$(($path, $call)),*]
    };
}

/// Every call, by its path below `/api/v1`.
fn calls() -> Vec<(&'static str, MethodRouter<App>)> {
    routes! {
        "/login/access-token" => post(login::access_token);
        "/login/test-token" => post(login::test_token);
        "/login/guest" => takes_json(post(guests::start_as_guest));
        "/login/logout" => post(login::logout);
        "/login/sessions" => get(sessions::list);
        "/login/sessions/{session_id}" => delete(sessions::end);
        "/login/undo-email-change" => takes_json(post(recovery::undo_email_change));
        "/password-recovery/{email}" => post(recovery::ask);
        "/password-recovery-html-content/{email}" => post(recovery::html_content);
        "/reset-password/" => takes_json(post(recovery::reset));
        "/users/" => takes_json(get(users::list).post(users::create));
        "/users/me" => takes_json(get(me::read).patch(me::update).delete(me::delete));
        "/users/me/merge_guest" => takes_json(post(guests::merge_guest));
        "/users/me/texts" => get(me::texts);
        "/users/me/password" => takes_json(patch(me::update_password));
        "/users/signup" => takes_json(post(users::signup).merge(user_by_id()));
        "/users/{user_id}" => takes_json(user_by_id());
        "/items/" => takes_json(get(items::list).post(items::create));
        "/items/{id}" => takes_json(get(items::read).put(items::update).delete(items::delete));
        "/courses/list_courses" => get(courses::list_courses);
        "/courses/get_course/{course_id}" => get(courses::get_course);
        "/courses/create_course" => takes_json(post(courses::create_course));
        "/courses/update_course/{course_id}" => takes_json(put(courses::update_course));
        "/courses/delete_course/{course_id}" => delete(courses::delete_course);
        "/courses/duplicate_course/{course_id}" => post(courses::duplicate_course);
        "/courses/generate_share_code/{course_id}" => post(courses::generate_share_code);
        "/courses/create_module/{course_id}" => takes_json(post(modules::create_module));
        "/courses/get_module/{module_id}" => get(modules::get_module);
        "/courses/update_module/{module_id}" => takes_json(put(modules::update_module));
        "/courses/delete_module/{module_id}" => delete(modules::delete_module);
        "/courses/duplicate_module/{module_id}" => post(modules::duplicate_module);
        "/courses/create_lesson/{module_id}" => takes_json(post(lessons::create_lesson));
        "/courses/get_lesson/{lesson_id}" => get(lessons::get_lesson);
        "/courses/update_lesson/{lesson_id}" => takes_json(put(lessons::update_lesson));
        "/courses/delete_lesson/{lesson_id}" => delete(lessons::delete_lesson);
        "/courses/duplicate_lesson/{lesson_id}" => post(lessons::duplicate_lesson);
        "/courses/create_page/{lesson_id}" => takes_json(post(pages::create_page));
        "/courses/get_page/{page_id}" => get(pages::get_page);
        "/courses/update_page/{page_id}" => takes_json(put(pages::update_page));
        "/courses/delete_page/{page_id}" => delete(pages::delete_page);
        "/courses/duplicate_page/{page_id}" => post(pages::duplicate_page);
        "/courses/page_versions/{page_id}" => get(pages::page_versions);
        "/courses/restore_page_version/{page_id}/{version}" => post(pages::restore_page_version);
        "/courses/page_draft/{page_id}" => get(page_drafts::page_draft);
        "/courses/discard_page_draft/{page_id}" => delete(page_drafts::discard_page_draft);
        "/courses/unpublished_changes/{course_id}" => get(page_drafts::unpublished_changes);
        "/courses/publish_page_drafts/{course_id}" => takes_json(post(regrades::publish_page_drafts));
        "/courses/consequences/{course_id}" => takes_json(post(regrades::consequences));
        "/courses/regrades/{course_id}" => get(regrades::regrades);
        "/courses/undo_regrade/{regrade_id}" => post(regrades::undo_regrade);
        "/courses/upload_file" => takes_file(post(uploads::upload_file));
        "/courses/upload_module_avatar/{module_id}" => takes_file(post(uploads::upload_module_avatar));
        "/courses/import" => takes_file(post(imports::import_course));
        "/courses/import/{job_id}" => get(imports::import_job);
        "/courses/my_imports" => get(imports::my_imports);
        "/courses/confirm_import/{job_id}" => takes_json(post(imports::confirm_import));
        "/courses/cancel_import/{job_id}" => post(imports::cancel_import);
        "/courses/export/{course_id}" => get(exports::export_course);
        "/courses/export_report/{course_id}" => get(exports::export_report);
        "/courses/enroll" => takes_json(post(learning::enroll));
        "/courses/my_enrolled_courses" => get(learning::my_enrolled_courses);
        "/courses/enrolled_course/{course_id}" => get(learning::enrolled_course);
        "/courses/enrolled_page/{page_id}" => get(learning::enrolled_page);
        "/courses/mark_page_visited/{page_id}" => post(learning::mark_page_visited);
        "/courses/mark_reread/{page_id}" => takes_json(post(learning::reading::mark_reread));
        "/courses/important_changes" => get(learning::reading::important_changes);
        "/courses/keep_reading_place/{page_id}" => takes_json(put(learning::keep_reading_place));
        "/courses/start_attempt/{page_id}" => post(quiz::running::start_attempt);
        "/courses/save_answers/{page_id}" => takes_json(put(quiz::running::save_answers));
        "/courses/check_answer/{page_id}" => takes_json(post(quiz::running::check_answer));
        "/courses/practice" => get(quiz::practice::practice);
        "/courses/answer_practice/{card_id}" => takes_json(post(quiz::practice::answer_practice));
        "/courses/set_practice/{card_id}" => takes_json(put(quiz::practice::set_practice));
        "/courses/submit_quiz/{page_id}" => takes_json(post(quiz::submit_quiz));
        "/courses/upload_answer_file/{page_id}/{question_id}" => takes_file(post(quiz::upload_answer_file));
        "/courses/answer_draft/{page_id}" => get(quiz::draft::answer_draft);
        "/courses/save_answer_draft/{page_id}" => takes_json(put(quiz::draft::save_answer_draft));
        "/courses/try_quiz/{page_id}" => takes_json(post(quiz::try_quiz));
        "/courses/read_questions" => takes_json(post(courses::questions::read_questions));
        "/courses/grant_attempt/{enrollment_id}/{page_id}" => post(quiz::grant_attempt);
        "/courses/take_back_attempt/{enrollment_id}/{page_id}" => post(quiz::take_back_attempt);
        "/courses/reset_attempts/{enrollment_id}/{page_id}" => post(quiz::reset_attempts);
        "/courses/preview_course/{course_id}" => get(preview::preview_course);
        "/courses/preview_page/{page_id}" => get(preview::preview_page);
        "/courses/preview_progress/{course_id}" => get(preview::preview_progress);
        "/courses/my_progress/{course_id}" => get(progress::my_progress);
        "/courses/debug_progress/{course_id}" => get(progress::debug_progress);
        "/courses/fix_progress/{course_id}" => post(progress::fix_progress);
        "/courses/course_students/{course_id}" => get(students::course_students);
        "/courses/course_heat_map/{course_id}" => get(students::course_heat_map);
        "/courses/quiz_analysis/{page_id}" => get(students::quiz_analysis);
        "/courses/student_detailed_progress/{enrollment_id}" => get(students::student_detailed_progress);
        "/courses/remove_student/{enrollment_id}" => delete(students::remove_student);
        "/courses/groups/{course_id}" => get(groups::groups);
        "/courses/create_group/{course_id}" => takes_json(post(groups::create_group));
        "/courses/update_group/{group_id}" => takes_json(put(groups::update_group));
        "/courses/delete_group/{group_id}" => delete(groups::delete_group);
        "/courses/generate_group_code/{group_id}" => post(groups::generate_group_code);
        "/courses/remove_group_code/{group_id}" => delete(groups::remove_group_code);
        "/courses/overrides/{course_id}" => get(overrides::overrides);
        "/courses/set_dates/{course_id}" => takes_json(put(courses::dates::set_dates));
        "/courses/set_override/{course_id}" => takes_json(put(overrides::set_override));
        "/courses/set_overrides/{course_id}" => takes_json(put(overrides::set_overrides));
        "/courses/override_times/{course_id}" => get(overrides::override_times);
        "/courses/delete_override/{override_id}" => delete(overrides::delete_override);
        "/courses/gradebook/{course_id}" => get(gradebook::gradebook);
        "/courses/my_grades/{course_id}" => get(gradebook::my_grades);
        "/courses/grade_settings/{course_id}" => get(gradebook::grade_settings);
        "/courses/update_grade_settings/{course_id}" => takes_json(put(gradebook::update_grade_settings));
        "/courses/create_grade_category/{course_id}" => takes_json(post(gradebook::create_grade_category));
        "/courses/update_grade_category/{category_id}" => takes_json(put(gradebook::update_grade_category));
        "/courses/delete_grade_category/{category_id}" => delete(gradebook::delete_grade_category);
        "/courses/set_grade_items/{course_id}" => takes_json(put(gradebook::set_grade_items));
        "/courses/grade/{enrollment_id}" => get(gradebook::grade);
        "/courses/import_grades/{course_id}" => takes_json(post(gradebook::import_grades));
        "/courses/decide_grade/{enrollment_id}" => takes_json(put(gradebook::decide_grade));
        "/courses/grading_queue/{course_id}" => get(grading::grading_queue);
        "/courses/open_answer/{attempt_id}/{question_id}" => get(grading::open_answer);
        "/courses/claim_answer/{attempt_id}/{question_id}" => post(grading::claim_answer);
        "/courses/claim_next_answer/{course_id}" => post(grading::claim_next_answer);
        "/courses/assess_answer/{attempt_id}/{question_id}" => takes_json(put(grading::assess_answer));
        "/courses/release_assessments/{page_id}" => post(grading::release_assessments);
        "/courses/rubrics/{course_id}" => get(grading::rubrics);
        "/courses/move_students/{course_id}" => takes_json(post(groups::move_students));
        "/courses/move_students_by_email/{course_id}" => takes_json(post(groups::move_students_by_email));
        "/courses/all_courses" => get(courses::all_courses);
        "/courses/search" => get(courses::finding::search);
        "/courses/search_content" => get(courses::content_search::search_content);
        "/courses/trash/{course_id}" => get(trash::trash);
        "/courses/deleted_courses" => get(trash::deleted_courses);
        "/courses/restore_from_trash/{entry_id}" => takes_json(post(trash::restore_from_trash));
        "/courses/delete_forever/{entry_id}" => delete(trash::delete_forever);
        "/courses/page_threads/{page_id}" => get(comments::page_threads);
        "/courses/course_threads/{course_id}" => get(comments::course_threads);
        "/courses/commenters/{course_id}" => get(comments::commenters);
        "/courses/announcements/{course_id}" => get(announcements::announcements);
        "/courses/create_announcement/{course_id}" => takes_json(post(announcements::create_announcement));
        "/courses/announcement/{announcement_id}" => get(announcements::announcement);
        "/courses/update_announcement/{announcement_id}" => takes_json(put(announcements::update_announcement));
        "/courses/delete_announcement/{announcement_id}" => delete(announcements::delete_announcement);
        "/courses/mark_announcements_read/{course_id}" => takes_json(post(announcements::mark_announcements_read));
        "/courses/nudge_students/{course_id}" => takes_json(post(announcements::nudge_students));
        "/courses/start_thread/{page_id}" => takes_json(post(comments::start_thread));
        "/courses/add_comment/{thread_id}" => takes_json(post(comments::add_comment));
        "/courses/edit_comment/{comment_id}" => takes_json(put(comments::edit_comment));
        "/courses/delete_comment/{comment_id}" => delete(comments::delete_comment);
        "/courses/resolve_thread/{thread_id}" => post(comments::resolve_thread);
        "/courses/reopen_thread/{thread_id}" => post(comments::reopen_thread);
        "/courses/accept_suggestion/{thread_id}" => takes_json(post(comments::accept_suggestion));
        "/courses/reject_suggestion/{thread_id}" => post(comments::reject_suggestion);
        "/courses/mark_thread_read/{thread_id}" => takes_json(post(comments::mark_thread_read));
        "/courses/page_notes/{page_id}" => get(notes::page_notes);
        "/courses/noted_courses" => get(notes::noted_courses);
        "/courses/course_notes/{course_id}" => get(notes::course_notes);
        "/courses/export_notes/{course_id}" => get(notes::export_notes);
        "/courses/create_note/{page_id}" => takes_json(post(notes::create_note));
        "/courses/update_note/{note_id}" => takes_json(put(notes::update_note));
        "/courses/delete_note/{note_id}" => delete(notes::delete_note);
        "/courses/set_bookmark/{page_id}" => takes_json(put(notes::set_bookmark));
        "/courses/tick_task/{page_id}" => takes_json(put(notes::tick_task));
        "/courses/page_discussions/{page_id}" => get(discussions::page_discussions);
        "/courses/course_discussions/{course_id}" => get(discussions::course_discussions);
        "/courses/discussion/{discussion_id}" => get(discussions::discussion);
        "/courses/discussion_answers/{discussion_id}" => get(discussions::discussion_answers);
        "/courses/page_questions/{page_id}" => get(discussions::page_questions);
        "/courses/start_discussion/{page_id}" => takes_json(post(discussions::start_discussion));
        "/courses/reply_discussion/{discussion_id}" => takes_json(post(discussions::reply_discussion));
        "/courses/edit_post/{post_id}" => takes_json(put(discussions::edit_post));
        "/courses/delete_post/{post_id}" => delete(discussions::delete_post);
        "/courses/change_discussion/{discussion_id}" => takes_json(put(discussions::change_discussion));
        "/courses/note_discussion/{discussion_id}" => takes_json(put(discussions::note_discussion));
        "/courses/mark_post/{post_id}" => takes_json(put(discussions::mark_post));
        "/courses/report_post/{post_id}" => takes_json(post(discussions::report_post));
        "/courses/moderate_post/{post_id}" => takes_json(post(discussions::moderate_post));
        "/courses/discussion_settings/{course_id}" => get(discussions::discussion_settings);
        "/courses/set_discussions/{course_id}" => takes_json(put(discussions::set_discussions));
        "/courses/set_page_discussions/{page_id}" => takes_json(put(discussions::set_page_discussions));
        "/courses/snapshots/{course_id}" => get(snapshots::snapshots);
        "/courses/take_snapshot/{course_id}" => takes_json(post(snapshots::take_snapshot));
        "/courses/snapshot/{snapshot_id}" => get(snapshots::snapshot);
        "/courses/snapshot_page/{snapshot_id}/{page_id}" => get(snapshots::snapshot_page);
        "/courses/snapshot_changes/{snapshot_id}" => get(snapshots::snapshot_changes);
        "/courses/rename_snapshot/{snapshot_id}" => takes_json(put(snapshots::rename_snapshot));
        "/courses/delete_snapshot/{snapshot_id}" => delete(snapshots::delete_snapshot);
        "/courses/restore_snapshot/{snapshot_id}" => takes_json(post(snapshots::restore_snapshot));
        "/courses/guest_course/{share_code}" => get(guests::guest_course);
        "/courses/public_course/{course_id}" => get(public_pages::public_course);
        "/courses/catalogue" => get(public_pages::catalogue);
        "/courses/public_page/{course_id}" => get(public_pages::public_page);
        "/courses/set_visibility/{course_id}" => takes_json(put(public_pages::set_visibility));
        "/courses/upload_cover/{course_id}" => takes_file(post(public_pages::upload_cover));
        "/courses/remove_cover/{course_id}" => delete(public_pages::remove_cover);
        "/courses/join_course/{course_id}" => post(public_pages::join_course);
        "/courses/certificate_design/{course_id}" => get(certificates::certificate_design);
        "/courses/set_certificate_design/{course_id}" => takes_json(put(certificates::set_certificate_design));
        "/courses/upload_certificate_picture/{course_id}" => takes_file(post(certificates::upload_certificate_picture));
        "/courses/remove_certificate_picture/{course_id}" => delete(certificates::remove_certificate_picture);
        "/courses/my_certificate/{course_id}" => get(certificates::my_certificate);
        "/courses/issue_certificate/{course_id}" => post(certificates::issue_certificate);
        "/courses/my_certificates" => get(certificates::my_certificates);
        "/courses/reissue_certificate/{certificate_id}" => post(certificates::reissue_certificate);
        "/courses/set_certificate_privacy/{certificate_id}" => takes_json(put(certificates::set_certificate_privacy));
        "/courses/certificate_badge/{certificate_id}" => get(certificates::certificate_badge);
        "/courses/certificates/{course_id}" => get(certificates::certificates);
        "/courses/revoke_certificate/{certificate_id}" => takes_json(post(certificates::revoke_certificate));
        "/courses/restore_certificate/{certificate_id}" => post(certificates::restore_certificate);
        "/courses/public_certificate/{certificate_id}" => get(certificates::public_certificate);
        "/courses/leave_course/{course_id}" => post(team::leave_course);
        "/courses/collaborators/{course_id}" => takes_json(get(team::collaborators).post(team::invite_collaborator));
        "/courses/collaborators/{course_id}/{user_id}" => delete(team::remove_collaborator);
        "/courses/accept_invitation" => takes_json(post(team::accept_invitation));
        "/courses/hand_over/{course_id}" => takes_json(post(team::hand_over));
        "/banks/my_banks" => get(banks::my_banks);
        "/banks/create_bank" => takes_json(post(banks::create_bank));
        "/banks/get_bank/{bank_id}" => get(banks::get_bank);
        "/banks/update_bank/{bank_id}" => takes_json(put(banks::update_bank));
        "/banks/delete_bank/{bank_id}" => delete(banks::delete_bank);
        "/banks/questions/{bank_id}" => get(banks::questions::questions);
        "/banks/questions_by_id" => get(banks::questions::questions_by_id);
        "/banks/question_versions/{question_id}" => get(banks::questions::question_versions);
        "/banks/add_questions/{bank_id}" => takes_json(post(banks::questions::add_questions));
        "/banks/update_question/{question_id}" => takes_json(put(banks::questions::update_question));
        "/banks/tag_questions/{bank_id}" => takes_json(post(banks::questions::tag_questions));
        "/banks/delete_questions/{bank_id}" => takes_json(post(banks::questions::delete_questions));
        "/banks/import_questions/{bank_id}" => takes_file(post(banks::questions::import_questions));
        "/banks/share/{bank_id}" => takes_json(post(banks::share));
        "/banks/share/{bank_id}/{user_id}" => delete(banks::unshare);
        "/calendar/events" => get(calendar::events);
        "/calendar/upcoming" => get(calendar::upcoming);
        "/calendar/feed" => get(calendar::feed_state).post(calendar::create_feed).delete(calendar::revoke_feed);
        "/calendar/{token}/kurso.ics" => get(calendar::read_feed);
        "/notices" => get(notices::list);
        "/notices/mark_read" => takes_json(post(notices::mark_read));
        "/notices/mark_all_read" => takes_json(post(notices::mark_all_read));
        "/notices/preferences" => get(notice_preferences::preferences);
        "/notices/settings" => takes_json(put(notice_preferences::set_settings));
        "/notices/choice" => takes_json(put(notice_preferences::choose).delete(notice_preferences::reset));
        "/notices/devices" => takes_json(get(notice_devices::list).post(notice_devices::add));
        "/notices/devices/{device_id}" => delete(notice_devices::remove);
        "/notices/devices/{device_id}/test" => post(notice_devices::test);
        "/notices/subscription/{token}" => get(notice_preferences::subscription);
        "/notices/unsubscribe/{token}" => takes_json(get(notice_preferences::open_unsubscribe).post(notice_preferences::unsubscribe));
        "/utils/test-email/" => post(utils::test_email);
        "/utils/server-status" => get(admin::server_status);
        "/utils/audit-log" => get(admin::audit_log);
        "/utils/health-check/" => get(utils::health_check);
        "/openapi.json" => get(openapi::serve);
    }
}

/// Removes axum's limit, which is for bodies in memory. The core limits the size of files.
fn takes_file(calls: MethodRouter<App>) -> MethodRouter<App> {
    calls.route_layer(DefaultBodyLimit::disable())
}

/// The calls of `/users/{user_id}`. They also answer at `/users/signup`, except for its own POST.
fn user_by_id() -> MethodRouter<App> {
    get(users::read)
        .patch(users::update)
        .delete(users::delete)
        .route_layer(Extension(MeantFor("/api/v1/users/{user_id}")))
}

/// The calls that exist in development only.
fn development_calls() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![("/private/users/", takes_json(post(private::create_user)))]
}

/// Returns the routes of `/api`, `/files` and the pages for visitors; unknown paths below the first two are a JSON 404. The server merges them with its other
/// routes and adds [`with_layers`].
pub fn router(kurso: Arc<Kurso>, options: &Options) -> Router {
    let app = App {
        kurso,
        proxies: Proxies::new(options),
        public_origin: options.public_origin.as_deref().map(Into::into),
    };
    let mut router = Router::new();
    let development = options.development.then(development_calls).unwrap_or_default();
    for (path, call) in calls().into_iter().chain(development) {
        let path = format!("{}{path}", paths::API);
        router = router
            .route(&paths::other_slash(&path), any(paths::redirect))
            .route(&path, call);
    }
    for unknown in ["/api", "/api/", "/api/{*rest}", "/files", "/files/"] {
        router = router.route(unknown, any(paths::not_found));
    }
    router
        .route("/files/{*path}", get(files::serve))
        .merge(visitors::routes())
        .method_not_allowed_fallback(paths::method_not_allowed)
        .layer(header_unless_set(header::CACHE_CONTROL, "no-store"))
        .with_state(app)
}

fn header_unless_set(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}
