//! Consistency checks of rows that belong together.

use kurso_base::error::Result;
use kurso_db::Snapshot;

use super::each;
use crate::check::{Report, Rule};

/// For each check: the row's table, the problem, the query for violations, and the query for the number of rows.
const COMPANIONS: [(&str, &str, &str, &str); 18] = [
    (
        "pages",
        "it has no content",
        "SELECT id FROM pages p WHERE NOT EXISTS (SELECT 1 FROM page_contents c WHERE c.page_id = p.id)",
        "SELECT COUNT(*) FROM pages",
    ),
    (
        "pages",
        "it is a content page but has a quiz",
        "SELECT p.id FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.kind = 'content' AND c.quiz IS NOT NULL",
        "SELECT COUNT(*) FROM page_contents",
    ),
    (
        "enrollments",
        "it has a visit to a page of another course",
        "SELECT e.id FROM visits v JOIN enrollments e ON e.id = v.enrollment_id JOIN pages p ON p.id = v.page_id
         WHERE p.course_id <> e.course_id",
        "SELECT COUNT(*) FROM visits",
    ),
    (
        "enrollments",
        "it has read a version that a page does not have yet",
        "SELECT DISTINCT v.enrollment_id FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.read_version > p.version",
        "SELECT COUNT(*) FROM visits",
    ),
    (
        "attempts",
        "it is at a page of another course",
        "SELECT a.id FROM attempts a JOIN enrollments e ON e.id = a.enrollment_id JOIN pages p ON p.id = a.page_id
         WHERE p.course_id <> e.course_id",
        "SELECT COUNT(*) FROM attempts",
    ),
    (
        "attempts",
        "the quiz version it answers is missing",
        "SELECT a.id FROM attempts a WHERE NOT EXISTS
         (SELECT 1 FROM taken_quizzes t WHERE t.page_id = a.page_id AND t.version = a.quiz_version)",
        "SELECT COUNT(*) FROM attempts",
    ),
    (
        "attempts",
        "it is at a page without a quiz",
        "SELECT a.id FROM attempts a JOIN pages p ON p.id = a.page_id WHERE p.kind = 'content'",
        "SELECT COUNT(*) FROM attempts",
    ),
    (
        "courses",
        "its owner is also listed as a collaborator",
        "SELECT c.id FROM courses c JOIN collaborators k ON k.course_id = c.id AND k.user_id = c.owner_id",
        "SELECT COUNT(*) FROM collaborators",
    ),
    (
        "enrollments",
        "its group is of another course",
        "SELECT e.id FROM enrollments e JOIN groups g ON g.id = e.group_id WHERE g.course_id <> e.course_id",
        "SELECT COUNT(*) FROM enrollments WHERE group_id IS NOT NULL",
    ),
    (
        "ended_enrollments",
        "its group is of another course",
        "SELECT e.id FROM ended_enrollments e JOIN groups g ON g.id = e.group_id WHERE g.course_id <> e.course_id",
        "SELECT COUNT(*) FROM ended_enrollments WHERE group_id IS NOT NULL",
    ),
    (
        "schedule_overrides",
        "its group or its part is of another course",
        "SELECT o.id FROM schedule_overrides o LEFT JOIN groups g ON g.id = o.group_id
         LEFT JOIN modules m ON m.id = o.module_id LEFT JOIN lessons l ON l.id = o.lesson_id
         LEFT JOIN pages p ON p.id = o.page_id
         WHERE COALESCE(g.course_id, o.course_id) <> o.course_id
         OR COALESCE(m.course_id, l.course_id, p.course_id, o.course_id) <> o.course_id",
        "SELECT COUNT(*) FROM schedule_overrides",
    ),
    (
        "schedule_overrides",
        "it is for a person who never learnt the course",
        "SELECT o.id FROM schedule_overrides o WHERE o.user_id IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM enrollments e WHERE e.course_id = o.course_id AND e.user_id = o.user_id)
         AND NOT EXISTS (SELECT 1 FROM ended_enrollments e WHERE e.course_id = o.course_id AND e.user_id = o.user_id)",
        "SELECT COUNT(*) FROM schedule_overrides WHERE user_id IS NOT NULL",
    ),
    (
        "prerequisites",
        "its parts are of another course",
        "SELECT r.id FROM prerequisites r
         LEFT JOIN modules m ON m.id = r.module_id LEFT JOIN lessons l ON l.id = r.lesson_id
         LEFT JOIN modules n ON n.id = r.needs_module_id LEFT JOIN lessons k ON k.id = r.needs_lesson_id
         WHERE COALESCE(m.course_id, l.course_id) <> r.course_id OR COALESCE(n.course_id, k.course_id) <> r.course_id",
        "SELECT COUNT(*) FROM prerequisites",
    ),
    (
        "grade_items",
        "its page or its category is of another course",
        "SELECT i.page_id FROM grade_items i JOIN pages p ON p.id = i.page_id LEFT JOIN grade_categories c ON c.id = i.category_id
         WHERE p.course_id <> i.course_id OR COALESCE(c.course_id, i.course_id) <> i.course_id",
        "SELECT COUNT(*) FROM grade_items",
    ),
    (
        "public_pages",
        "its cover is no public picture with a size",
        "SELECT v.course_id FROM public_pages v JOIN files f ON f.id = v.cover_file_id
         WHERE f.is_private OR f.width IS NULL OR f.height IS NULL",
        "SELECT COUNT(*) FROM public_pages",
    ),
    (
        "comment_threads",
        "it has no comment",
        "SELECT t.id FROM comment_threads t WHERE NOT EXISTS (SELECT 1 FROM page_comments c WHERE c.thread_id = t.id)",
        "SELECT COUNT(*) FROM comment_threads",
    ),
    (
        "grade_decisions",
        "its page is of another course",
        "SELECT d.id FROM grade_decisions d JOIN pages p ON p.id = d.page_id WHERE p.course_id <> d.course_id",
        "SELECT COUNT(*) FROM grade_decisions",
    ),
    (
        "grade_decisions",
        "it is about a person who never learnt the course",
        "SELECT d.id FROM grade_decisions d
         WHERE NOT EXISTS (SELECT 1 FROM enrollments e WHERE e.course_id = d.course_id AND e.user_id = d.user_id)
         AND NOT EXISTS (SELECT 1 FROM ended_enrollments e WHERE e.course_id = d.course_id AND e.user_id = d.user_id)",
        "SELECT COUNT(*) FROM grade_decisions",
    ),
];

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    each(on, report, Rule::Companions, &COMPANIONS).await
}
