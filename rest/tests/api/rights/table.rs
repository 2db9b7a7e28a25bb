//! The table of rights: each operation, its body, and the status for each user.

use serde_json::{Value, json};

use super::fixture::{MISSED_QUESTION, TIMED_QUESTION};

/// The columns of the table.
pub const USERS: [&str; 9] = [
    "nobody",
    "stranger",
    "learner",
    "reviewer",
    "teacher",
    "editor",
    "owner",
    "superuser",
    "guest",
];

/// An operation, its body, and its status for each of [`USERS`] but the guest.
pub struct Row {
    pub operation: &'static str,
    pub body: Body,
    statuses: [u16; 8],
}

/// Operations whose status for a guest is not that of the learner: those that need an account, and those of things that only the learner of the fixture has.
const OF_GUESTS: &[(&str, u16)] = &[
    ("banks-create_bank", 403),
    ("calendar-create_feed", 403),
    ("calendar-revoke_feed", 404), // there is none
    ("courses-accept_invitation", 403),
    ("courses-create_course", 403),
    ("courses-import_course", 403),
    ("courses-issue_certificate", 403),
    ("courses-mark_post", 403),
    ("courses-reply_discussion", 403),
    ("courses-report_post", 403),
    ("courses-start_discussion", 403),
    ("courses-upload_answer_file", 403),
    ("courses-upload_file", 403),
    ("items-create_item", 403),
    ("notices-add_device", 403),
    ("notices-choose", 403),
    ("notices-reset", 403),
    ("notices-set_settings", 403),
    ("users-merge_guest", 403),
    ("users-update_password_me", 403),
    ("users-update_user_me", 403),
    // Of the learner.
    ("courses-check_answer", 403),
    ("courses-save_answers", 403),
    ("courses-certificate_badge", 404),
    ("courses-reissue_certificate", 404),
    ("courses-set_certificate_privacy", 404),
    ("courses-answer_practice", 404),
    ("courses-set_practice", 404),
];

impl Row {
    /// The status for each of [`USERS`].
    pub fn statuses(&self) -> [u16; 9] {
        let [nobody, stranger, learner, reviewer, teacher, editor, owner, superuser] = self.statuses;
        let other = OF_GUESTS.iter().find(|(operation, _)| *operation == self.operation);
        let guest = other.map_or(learner, |(_, status)| *status);
        [
            nobody, stranger, learner, reviewer, teacher, editor, owner, superuser, guest,
        ]
    }
}

/// Names in braces stand for values of the fixture.
pub enum Body {
    None,
    Json(Value),
    Form(&'static [(&'static str, &'static str)]),
    /// The name and the bytes of the field `file`.
    File(&'static str, &'static [u8]),
}

/// The public key of a browser, from RFC 8291.
pub const BROWSER_KEY: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

/// A question or an answer.
fn post() -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "x"}]}]})
}

macro_rules! table {
    ($($operation:literal, $body:expr => $statuses:expr;)*) => {
        vec![$(Row { operation: $operation, body: $body, statuses: $statuses }),*]
    };
}

// Frequent statuses, in the order of USERS.
const ANYONE: [u16; 8] = [200; 8];
const SIGNED_IN: [u16; 8] = [401, 200, 200, 200, 200, 200, 200, 200];
const SUPERUSERS: [u16; 8] = [401, 403, 403, 403, 403, 403, 403, 200];
/// Everyone with a role in the course.
const READERS: [u16; 8] = [401, 404, 200, 200, 200, 200, 200, 200];
const STAFF: [u16; 8] = [401, 404, 403, 200, 200, 200, 200, 200];
/// Staff who see students.
const STUDENT_VIEWERS: [u16; 8] = [401, 404, 403, 403, 200, 200, 200, 200];
const DRAFT_READERS: [u16; 8] = [401, 404, 403, 200, 403, 200, 200, 403];
const COMMENTERS: [u16; 8] = [401, 404, 403, 200, 200, 200, 200, 403];
/// Owner, editors, teachers and learners.
const DISCUSSING: [u16; 8] = [401, 404, 200, 403, 200, 200, 200, 403];
/// Owner, editors and teachers.
const ANSWERING: [u16; 8] = [401, 404, 403, 403, 200, 200, 200, 403];
const EDITORS: [u16; 8] = [401, 404, 403, 403, 403, 200, 200, 403];
/// Owner and teachers.
const TEACHERS: [u16; 8] = [401, 404, 403, 403, 200, 403, 200, 403];
/// Owner, teachers and superusers, who answer for the certificates that the server issues.
const REVOKERS: [u16; 8] = [401, 404, 403, 403, 200, 403, 200, 200];
const OWNER: [u16; 8] = [401, 404, 403, 403, 403, 403, 200, 403];
const DISPOSERS: [u16; 8] = [401, 404, 403, 403, 403, 403, 200, 200];
/// Learners only; staff are not enrolled.
const ENROLLED: [u16; 8] = [401, 404, 200, 403, 403, 403, 403, 403];
/// A question that the learner practises. Others get 404, superusers too.
const CARD: [u16; 8] = [401, 404, 200, 404, 404, 404, 404, 404];
/// A certificate of the learner. Others get 404, the staff of the course too.
const HOLDER: [u16; 8] = [401, 404, 200, 404, 404, 404, 404, 404];
/// A note of the owner. Others get 404, superusers too.
const NOTE: [u16; 8] = [401, 404, 404, 404, 404, 404, 200, 404];
/// An item of the owner. Others get 403, because an item's existence is not hidden.
const ITEM: [u16; 8] = [401, 403, 403, 403, 403, 403, 200, 200];
/// An import of the owner. Others get 404.
const IMPORT: [u16; 8] = [401, 404, 404, 404, 404, 404, 200, 200];

/// A question bank that the owner shares with the editor as an editor and with the teacher as a viewer.
const BANK_READERS: [u16; 8] = [401, 404, 404, 404, 200, 200, 200, 200];
const BANK_EDITORS: [u16; 8] = [401, 404, 404, 404, 403, 200, 200, 403];
const BANK_OWNER: [u16; 8] = [401, 404, 404, 404, 403, 403, 200, 403];

const PICTURE: &[u8] = include_bytes!("../../../../core/tests/pictures/red-blue-444.avif");

pub fn rows() -> Vec<Row> {
    use Body::{File, Form, Json, None};
    let titled = || Json(json!({"title": "Новое название"}));
    let drafted = || {
        let page = json!({"page_id": "{drafted_page_id}", "version": 2, "page_version": 1});
        Json(json!({"pages": [page]}))
    };
    table! {
        "courses-list_courses", None => SIGNED_IN;
        "courses-deleted_courses", None => SIGNED_IN;
        "notices-list", None => SIGNED_IN;
        "notices-mark_read", Json(json!({"ids": ["{user_id}"]})) => SIGNED_IN;
        "notices-mark_all_read", Json(json!({"before": "{user_id}"})) => SIGNED_IN;
        "courses-create_course", titled() => SIGNED_IN;
        "courses-get_course", None => STAFF;
        "courses-update_course", titled() => EDITORS;
        "courses-delete_course", None => DISPOSERS;
        "courses-duplicate_course", None => EDITORS;
        "courses-set_dates", Json(json!({"dates": [{"starts_at": "2026-01-01"}]})) => EDITORS;
        "courses-generate_share_code", None => OWNER;
        "courses-create_module", titled() => EDITORS;
        "courses-get_module", None => STAFF;
        "courses-update_module", titled() => EDITORS;
        "courses-delete_module", None => EDITORS;
        "courses-duplicate_module", None => EDITORS;
        "courses-create_lesson", titled() => EDITORS;
        "courses-get_lesson", None => STAFF;
        "courses-update_lesson", titled() => EDITORS;
        "courses-delete_lesson", None => EDITORS;
        "courses-duplicate_lesson", None => EDITORS;
        "courses-create_page", titled() => EDITORS;
        "courses-get_page", None => STAFF;
        "courses-update_page", titled() => EDITORS;
        "courses-delete_page", None => EDITORS;
        "courses-duplicate_page", None => EDITORS;
        "courses-page_versions", None => STAFF;
        "courses-restore_page_version", None => EDITORS;
        "courses-trash", None => EDITORS;
        "courses-restore_from_trash", Json(json!({})) => EDITORS;
        "courses-delete_forever", None => EDITORS;
        "courses-page_draft", None => DRAFT_READERS;
        "courses-snapshots", None => EDITORS;
        "courses-take_snapshot", Json(json!({"name": "x"})) => EDITORS;
        "courses-snapshot", None => EDITORS;
        "courses-snapshot_page", None => EDITORS;
        "courses-snapshot_changes", None => EDITORS;
        "courses-rename_snapshot", Json(json!({"name": "x"})) => EDITORS;
        "courses-delete_snapshot", None => EDITORS;
        "courses-restore_snapshot", Json(json!({"digest": "{digest}"})) => EDITORS;
        "courses-discard_page_draft", None => EDITORS;
        "courses-unpublished_changes", None => DRAFT_READERS;
        "courses-publish_page_drafts", drafted() => EDITORS;
        "courses-consequences", drafted() => EDITORS;
        "courses-regrades", None => EDITORS;
        "courses-undo_regrade", None => EDITORS;
        "courses-enroll", Json(json!({"share_code": "{share_code}"})) => SIGNED_IN;
        "courses-my_enrolled_courses", None => SIGNED_IN;
        "courses-enrolled_course", None => READERS;
        "courses-enrolled_page", None => READERS;
        "courses-mark_page_visited", None => ENROLLED;
        "courses-mark_reread", Json(json!({"version": 1})) => ENROLLED;
        "courses-important_changes", None => SIGNED_IN;
        "courses-keep_reading_place", Json(json!({"version": 1, "block": 2, "part": 500})) => ENROLLED;
        "courses-preview_course", None => STAFF;
        "courses-preview_page", None => STAFF;
        "courses-preview_progress", None => STAFF;
        "courses-my_progress", None => ENROLLED;
        "courses-debug_progress", None => ENROLLED;
        "courses-fix_progress", None => [401, 404, 200, 403, 200, 200, 200, 403];
        "courses-start_attempt", None => ENROLLED;
        "courses-save_answers", Json(json!({"ticket": "{ticket}", "elapsed_seconds": 1, "answers": []})) => ENROLLED;
        "courses-check_answer", Json(json!({"ticket": "{ticket}", "elapsed_seconds": 1, "answer": {"question_id": TIMED_QUESTION, "number": "6"}})) => ENROLLED;
        "courses-practice", None => SIGNED_IN;
        "courses-answer_practice", Json(json!({"reviews": 1, "answer": {"question_id": MISSED_QUESTION, "number": "4"}})) => CARD;
        "courses-set_practice", Json(json!({"is_stopped": true})) => CARD;
        "courses-submit_quiz", Json(json!({"answers": []})) => ENROLLED;
        "courses-answer_draft", None => ENROLLED;
        "courses-save_answer_draft", Json(json!({"version": 0, "content": "So far"})) => ENROLLED;
        "courses-try_quiz", Json(json!({"answers": []})) => STAFF;
        "courses-read_questions", Json(json!({"text": "2 + 2 {=4}"})) => SIGNED_IN;
        "courses-grant_attempt", None => [401, 404, 403, 403, 409, 409, 409, 403];
        "courses-take_back_attempt", None => [401, 404, 403, 403, 409, 409, 409, 403];
        "courses-reset_attempts", None => [401, 404, 403, 403, 200, 200, 200, 403];
        "courses-course_students", None => STUDENT_VIEWERS;
        "courses-student_detailed_progress", None => STUDENT_VIEWERS;
        "courses-course_heat_map", None => STUDENT_VIEWERS;
        "courses-quiz_analysis", None => STUDENT_VIEWERS;
        "courses-remove_student", None => TEACHERS;
        "courses-groups", None => STUDENT_VIEWERS;
        "courses-create_group", titled() => TEACHERS;
        "courses-update_group", titled() => TEACHERS;
        "courses-delete_group", None => TEACHERS;
        "courses-generate_group_code", None => TEACHERS;
        "courses-remove_group_code", None => TEACHERS;
        "courses-overrides", None => STUDENT_VIEWERS;
        "courses-set_override", Json(json!({"group_id": "{group_id}", "available_until": null})) => TEACHERS;
        "courses-set_overrides", Json(json!({"group_id": "{group_id}", "overrides": [{"available_until": null}]})) => TEACHERS;
        "courses-override_times", None => STUDENT_VIEWERS;
        "courses-delete_override", None => TEACHERS;
        "courses-gradebook", None => STUDENT_VIEWERS;
        "courses-my_grades", None => ENROLLED;
        "courses-grade_settings", None => STUDENT_VIEWERS;
        "courses-update_grade_settings", Json(json!({"scheme": "five_point"})) => TEACHERS;
        "courses-create_grade_category", titled() => TEACHERS;
        "courses-update_grade_category", titled() => TEACHERS;
        "courses-delete_grade_category", None => TEACHERS;
        "courses-set_grade_items", Json(json!({"page_ids": ["{quiz_page_id}"], "points": "5"})) => TEACHERS;
        "courses-grade", None => STUDENT_VIEWERS;
        "courses-decide_grade", Json(json!({"page_id": "{quiz_page_id}", "version": 0, "kind": "excused", "reason": "x"})) => TEACHERS;
        "courses-import_grades", Json(json!({"table": "Email\n", "reason": "x"})) => TEACHERS;
        "courses-grading_queue", None => STUDENT_VIEWERS;
        "courses-open_answer", None => STUDENT_VIEWERS;
        "courses-claim_answer", None => TEACHERS;
        "courses-claim_next_answer", None => TEACHERS;
        "courses-assess_answer", Json(json!({"version": 0, "points": 0})) => TEACHERS;
        "courses-release_assessments", None => TEACHERS;
        "courses-rubrics", None => STAFF;
        "courses-move_students", Json(json!({"enrollment_ids": ["{enrollment_id}"], "group_id": "{group_id}"})) => TEACHERS;
        "courses-move_students_by_email", Json(json!({"emails": "{email}", "group_id": "{group_id}"})) => TEACHERS;
        "courses-page_threads", None => COMMENTERS;
        "courses-course_threads", None => COMMENTERS;
        "courses-commenters", None => COMMENTERS;
        "courses-start_thread", Json(json!({"text": "x", "version": 1, "block": 0})) => COMMENTERS;
        "courses-add_comment", Json(json!({"text": "x"})) => COMMENTERS;
        // A comment of the owner.
        "courses-edit_comment", Json(json!({"text": "y"})) => [401, 404, 403, 403, 403, 403, 200, 403];
        "courses-delete_comment", None => EDITORS;
        "courses-resolve_thread", None => EDITORS;
        "courses-reopen_thread", None => EDITORS;
        "courses-accept_suggestion", Json(json!({"version": 1})) => EDITORS;
        "courses-reject_suggestion", None => EDITORS;
        "courses-mark_thread_read", Json(json!({"comment_id": "{comment_id}"})) => COMMENTERS;
        "courses-announcements", None => READERS;
        "courses-announcement", None => READERS;
        "courses-create_announcement", Json(json!({"title": "x", "content": {"type": "doc", "content": [{"type": "paragraph"}]}})) => TEACHERS;
        "courses-update_announcement", Json(json!({"version": 1, "is_pinned": true})) => TEACHERS;
        "courses-delete_announcement", None => TEACHERS;
        "courses-mark_announcements_read", Json(json!({"announcement_ids": ["{announcement_id}"]})) => READERS;
        "courses-nudge_students", Json(json!({"enrollment_ids": ["{enrollment_id}"], "text": "x"})) => TEACHERS;
        "courses-page_notes", None => READERS;
        "courses-noted_courses", None => SIGNED_IN;
        "courses-course_notes", None => READERS;
        "courses-export_notes", None => READERS;
        "courses-create_note", Json(json!({"color": "green", "body": "x"})) => READERS;
        "courses-update_note", Json(json!({"version": 1, "color": "pink"})) => NOTE;
        "courses-delete_note", None => NOTE;
        "courses-set_bookmark", Json(json!({"is_bookmarked": true})) => READERS;
        "courses-tick_task", Json(json!({"version": 1, "task": 0, "is_ticked": true})) => READERS;
        "courses-page_discussions", None => DISCUSSING;
        "courses-course_discussions", None => ANSWERING;
        "courses-discussion", None => DISCUSSING;
        "courses-discussion_answers", None => DISCUSSING;
        "courses-page_questions", None => DISCUSSING;
        "courses-start_discussion", Json(json!({"body": post()})) => DISCUSSING;
        "courses-reply_discussion", Json(json!({"body": post()})) => DISCUSSING;
        // A question of the owner.
        "courses-edit_post", Json(json!({"body": post()})) => [401, 404, 403, 403, 403, 403, 200, 403];
        "courses-delete_post", None => TEACHERS;
        "courses-change_discussion", Json(json!({"is_resolved": true})) => ANSWERING;
        "courses-note_discussion", Json(json!({"follows": true})) => DISCUSSING;
        "courses-mark_post", Json(json!({"is_useful": true})) => [401, 404, 200, 403, 200, 200, 409, 403];
        "courses-report_post", Json(json!({"reason": "x"})) => [401, 404, 200, 403, 200, 200, 409, 403];
        "courses-moderate_post", Json(json!({"action": "dismiss"})) => TEACHERS;
        "courses-discussion_settings", None => ANSWERING;
        "courses-set_discussions", Json(json!({"is_on": true})) => TEACHERS;
        "courses-set_page_discussions", Json(json!({"is_on": true})) => TEACHERS;
        "courses-public_course", None => ANYONE;
        "courses-catalogue", None => ANYONE;
        "courses-guest_course", None => ANYONE;
        "courses-public_page", None => STAFF;
        "courses-set_visibility", Json(json!({"visibility": "public"})) => OWNER;
        "courses-upload_cover", File("a.avif", PICTURE) => EDITORS;
        "courses-remove_cover", None => EDITORS;
        "courses-join_course", None => SIGNED_IN;
        "courses-certificate_design", None => STAFF;
        "courses-set_certificate_design", Json(json!({"is_on": true})) => EDITORS;
        "courses-upload_certificate_picture", File("a.avif", PICTURE) => EDITORS;
        "courses-remove_certificate_picture", None => EDITORS;
        "courses-my_certificate", None => ENROLLED;
        "courses-issue_certificate", None => ENROLLED;
        "courses-my_certificates", None => SIGNED_IN;
        "courses-reissue_certificate", None => HOLDER;
        "courses-set_certificate_privacy", Json(json!({"is_name_shown": false})) => HOLDER;
        "courses-certificate_badge", None => HOLDER;
        "courses-certificates", None => STUDENT_VIEWERS;
        "courses-revoke_certificate", Json(json!({"reason": "x"})) => REVOKERS;
        "courses-restore_certificate", None => REVOKERS;
        "courses-public_certificate", None => ANYONE;
        "courses-leave_course", None => [401, 404, 200, 200, 200, 200, 409, 403];
        "courses-collaborators", None => STAFF;
        "courses-invite_collaborator", Json(json!({"email": "{new_email}", "role": "teacher"})) => OWNER;
        "courses-remove_collaborator", None => OWNER;
        "courses-accept_invitation", Json(json!({"token": "forged"})) => [401, 400, 400, 400, 400, 400, 400, 400];
        "courses-hand_over", Json(json!({"user_id": "{user_id}"})) => DISPOSERS;
        "courses-all_courses", None => SUPERUSERS;
        "courses-search", None => SIGNED_IN;
        "courses-search_content", None => SIGNED_IN;
        "courses-import_course", File("a.gift", b"::Q:: 2 + 2 {=4}") => SIGNED_IN;
        "courses-import_job", None => IMPORT;
        "courses-my_imports", None => SIGNED_IN;
        "courses-confirm_import", Json(json!({})) => [401, 404, 404, 404, 404, 404, 200, 403];
        "courses-cancel_import", None => IMPORT;
        "courses-export_course", None => EDITORS;
        "courses-export_report", None => EDITORS;
        "courses-upload_file", File("a.txt", b"text") => SIGNED_IN;
        "courses-upload_answer_file", File("a.txt", b"text") => READERS;
        "courses-upload_module_avatar", File("a.avif", PICTURE) => EDITORS;
        "login-login_access_token", Form(&[("username", "stranger@example.com"), ("password", "wrong password")]) => [400; 8];
        "login-start_as_guest", Json(json!({"course_id": "{course_id}"})) => ANYONE;
        "login-test_token", None => SIGNED_IN;
        "login-logout", None => SIGNED_IN;
        "login-read_sessions", None => SIGNED_IN;
        "login-end_session", None => [401, 404, 404, 404, 404, 404, 200, 404];
        "login-recover_password", None => ANYONE;
        "login-recover_password_html_content", None => SUPERUSERS;
        "login-reset_password", Json(json!({"token": "forged", "new_password": "long enough"})) => [400; 8];
        "login-undo_email_change", Json(json!({"token": "forged"})) => [400; 8];
        "users-read_user_me", None => SIGNED_IN;
        "users-texts_of_me", None => SIGNED_IN;
        "users-update_user_me", Json(json!({"full_name": "Другое имя"})) => SIGNED_IN;
        "users-delete_user_me", None => [401, 200, 200, 200, 200, 200, 200, 403];
        "users-update_password_me", Json(json!({"current_password": "wrong password", "new_password": "long enough"})) => [401, 400, 400, 400, 400, 400, 400, 400];
        "users-merge_guest", Json(json!({"guest_token": "{guest_token}"})) => SIGNED_IN;
        "users-register_user", Json(json!({"email": "{new_email}", "password": "long enough"})) => ANYONE;
        "users-read_users", None => SUPERUSERS;
        "users-create_user", Json(json!({"email": "{new_email}", "password": "long enough"})) => SUPERUSERS;
        "users-read_user_by_id", None => SUPERUSERS;
        "users-update_user", Json(json!({"full_name": "Другое имя"})) => SUPERUSERS;
        "users-delete_user", None => SUPERUSERS;
        "items-read_items", None => SIGNED_IN;
        "items-create_item", titled() => SIGNED_IN;
        "items-read_item", None => ITEM;
        "items-update_item", titled() => ITEM;
        "items-delete_item", None => ITEM;
        "banks-my_banks", None => SIGNED_IN;
        "banks-create_bank", titled() => SIGNED_IN;
        "banks-get_bank", None => BANK_READERS;
        "banks-update_bank", titled() => BANK_OWNER;
        "banks-delete_bank", None => [401, 404, 404, 404, 403, 403, 200, 200];
        "banks-questions", None => BANK_READERS;
        "banks-questions_by_id", None => SIGNED_IN;
        "banks-question_versions", None => BANK_READERS;
        "banks-add_questions", Json(json!({"questions": [{"question": {"type": "numeric", "prompt": "?"}}]})) => BANK_EDITORS;
        "banks-update_question", Json(json!({"version": 1, "tags": ["x"]})) => BANK_EDITORS;
        "banks-tag_questions", Json(json!({"question_ids": ["{bank_question_id}"], "add": ["x"]})) => BANK_EDITORS;
        "banks-delete_questions", Json(json!({"question_ids": ["{bank_question_id}"]})) => BANK_EDITORS;
        "banks-import_questions", File("a.gift", b"2 + 2 {#4}") => BANK_EDITORS;
        "banks-share", Json(json!({"email": "{email}", "role": "viewer"})) => BANK_OWNER;
        // The editor leaves the bank.
        "banks-unshare", None => [401, 404, 404, 404, 403, 200, 200, 403];
        "calendar-read_events", None => SIGNED_IN;
        "calendar-read_upcoming", None => SIGNED_IN;
        "calendar-read_feed_state", None => SIGNED_IN;
        "calendar-create_feed", None => SIGNED_IN;
        "calendar-revoke_feed", None => SIGNED_IN;
        "calendar-read_feed", None => ANYONE;
        "notices-read_preferences", None => SIGNED_IN;
        "notices-set_settings", Json(json!({"language": "ru", "time_zone": "Europe/Moscow"})) => SIGNED_IN;
        "notices-choose", Json(json!({"course_id": "{course_id}", "kind": "graded", "in_app": true, "mail": "daily"})) => READERS;
        "notices-reset", None => READERS;
        "notices-read_devices", None => SIGNED_IN;
        "notices-add_device", Json(json!({"endpoint": "https://fcm.googleapis.com/{user_id}", "p256dh": BROWSER_KEY, "auth": "BTBZMqHH6r4Tts7J_aSIgg"})) => SIGNED_IN;
        "notices-remove_device", None => [401, 404, 404, 404, 404, 404, 200, 404];
        "notices-test_device", None => [401, 404, 404, 404, 404, 404, 200, 404];
        "notices-read_subscription", None => ANYONE;
        "notices-open_unsubscribe", None => ANYONE;
        "notices-unsubscribe", Json(json!({})) => ANYONE;
        "private-create_user", Json(json!({"email": "{new_email}", "password": "long enough", "full_name": "Имя"})) => ANYONE;
        "utils-test_email", None => [401, 403, 403, 403, 403, 403, 403, 201];
        "files-read_file", None => ANYONE;
        "utils-server_status", None => SUPERUSERS;
        "utils-read_audit_log", None => SUPERUSERS;
        "utils-health_check", None => ANYONE;
    }
}
