//! Consistency checks of courses: positions, keys, share codes, page numbers, prerequisites, and rows that belong together.

use futures_util::TryStreamExt as _;
use uuid::Uuid;

use super::repair::Remedy;
use super::{Report, Rule};
use crate::courses::prerequisites::Structure;
use crate::courses::sharing;
use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_base::messages::Lang;
use kurso_db::sql;
use kurso_db::{Snapshot, Sql};
use kurso_formats::keys;

pub async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    positions(on, report).await?;
    keys(on, report).await?;
    share_codes(on, report).await?;
    mark_numbers(on, report).await?;
    companions(on, report).await?;
    prerequisites(on, report).await?;
    versions(on, report).await
}

/// A parent whose children's positions are not 0, 1, 2, …
#[derive(sqlx::FromRow)]
struct MisnumberedParent {
    course_id: CourseId,
    parent: Uuid,
    children: i64,
    first: i64,
    last: i64,
    different: i64,
}

macro_rules! disordered {
    ($table:literal, $parent:literal) => {
        concat!(
            "SELECT MIN_ID.course_id, s.* FROM (SELECT ",
            $parent,
            " AS parent, COUNT(*) AS children,
             MIN(position) AS first, MAX(position) AS last, COUNT(DISTINCT position) AS different
             FROM ",
            $table,
            " GROUP BY ",
            $parent,
            ") s
             JOIN (SELECT DISTINCT ",
            $parent,
            " AS of, course_id FROM ",
            $table,
            ") MIN_ID ON MIN_ID.of = s.parent
             WHERE s.first <> 0 OR s.last <> s.children - 1 OR s.different <> s.children"
        )
    };
}

async fn positions(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let levels = [
        (
            "modules",
            "course",
            disordered!("modules", "course_id"),
            "SELECT COUNT(*) FROM modules",
        ),
        (
            "lessons",
            "module",
            disordered!("lessons", "module_id"),
            "SELECT COUNT(*) FROM lessons",
        ),
        (
            "pages",
            "lesson",
            disordered!("pages", "lesson_id"),
            "SELECT COUNT(*) FROM pages",
        ),
        (
            "groups",
            "course",
            disordered!("groups", "course_id"),
            "SELECT COUNT(*) FROM groups",
        ),
        (
            "grade_categories",
            "course",
            disordered!("grade_categories", "course_id"),
            "SELECT COUNT(*) FROM grade_categories",
        ),
    ];
    for (table, parent, text, count) in levels {
        let mut rows = on.records::<MisnumberedParent>(sql!(text))?;
        while let Some(row) = rows.try_next().await? {
            let problem = format!(
                "its {} {table} have {} different positions from {} to {}; 0 to {} are expected",
                row.children,
                row.different,
                row.first,
                row.last,
                row.children - 1
            );
            report.found(
                Rule::Positions,
                format!("{parent}s {}", row.parent),
                problem,
                Some(Remedy::Order(row.course_id)),
            );
        }
        drop(rows);
        count_rows(on, report, Rule::Positions, sql!(count)).await?;
    }
    Ok(())
}

pub(super) async fn count_rows(on: &mut Snapshot, report: &mut Report, rule: Rule, sql: Sql<'_>) -> Result<()> {
    let (count,) = sql.fetch_one::<(i64,)>(on).await?;
    report.checked(rule, count.unsigned_abs());
    Ok(())
}

async fn keys(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let levels = [
        (
            "modules",
            "SELECT id, key FROM modules WHERE key IS NOT NULL",
            "SELECT course_id, key, COUNT(*) FROM modules WHERE key IS NOT NULL GROUP BY course_id, key HAVING COUNT(*) > 1",
        ),
        (
            "lessons",
            "SELECT id, key FROM lessons WHERE key IS NOT NULL",
            "SELECT course_id, key, COUNT(*) FROM lessons WHERE key IS NOT NULL GROUP BY course_id, key HAVING COUNT(*) > 1",
        ),
        (
            "pages",
            "SELECT id, key FROM pages WHERE key IS NOT NULL",
            "SELECT course_id, key, COUNT(*) FROM pages WHERE key IS NOT NULL GROUP BY course_id, key HAVING COUNT(*) > 1",
        ),
    ];
    for (table, all, twice) in levels {
        let mut rows = on.records::<(Uuid, String)>(sql!(all))?;
        let mut count = 0;
        while let Some((id, key)) = rows.try_next().await? {
            count += 1;
            if !keys::is_key(&key) {
                report.found(
                    Rule::Keys,
                    format!("{table} {id}"),
                    format!("{key:?} is not a valid key"),
                    None,
                );
            }
        }
        drop(rows);
        report.checked(Rule::Keys, count);
        let rows = sql!(twice).fetch_all::<(CourseId, String, i64)>(&mut *on).await?;
        for (course, key, count) in rows {
            report.found(
                Rule::Keys,
                format!("courses {course}"),
                format!("{count} {table} have the key {key}"),
                None,
            );
        }
    }
    Ok(())
}

async fn share_codes(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    for (table, all) in [
        (
            "courses",
            "SELECT id, share_code FROM courses WHERE share_code IS NOT NULL",
        ),
        (
            "groups",
            "SELECT id, share_code FROM groups WHERE share_code IS NOT NULL",
        ),
    ] {
        let mut rows = on.records::<(Uuid, String)>(sql!(all))?;
        while let Some((id, code)) = rows.try_next().await? {
            report.checked(Rule::ShareCodes, 1);
            if sharing::parse(&code).as_ref() != Some(&code) {
                report.found(
                    Rule::ShareCodes,
                    format!("{table} {id}"),
                    format!("{code:?} is not a valid share code"),
                    None,
                );
            }
        }
    }
    let list = [(
        "groups",
        "its share code is also that of a course",
        "SELECT g.id FROM groups g JOIN courses c ON c.share_code = g.share_code",
        "SELECT COUNT(*) FROM groups WHERE share_code IS NOT NULL",
    )];
    each(on, report, Rule::ShareCodes, &list).await
}

async fn mark_numbers(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let wrong = sql!(
        "SELECT c.id, c.mark_nos, MIN(p.mark_no), MAX(p.mark_no) FROM courses c JOIN pages p ON p.course_id = c.id
         GROUP BY c.id, c.mark_nos HAVING MAX(p.mark_no) >= c.mark_nos OR MIN(p.mark_no) < 0"
    )
    .fetch_all::<(CourseId, i64, i64, i64)>(&mut *on)
    .await?;
    for (course, given, first, last) in wrong {
        let problem = format!("its pages have the numbers {first} to {last}, but its counter is {given}");
        report.found(
            Rule::MarkNumbers,
            format!("courses {course}"),
            problem,
            (first >= 0).then_some(Remedy::MarkNumbers(course)),
        );
    }
    let twice = sql!(
        "SELECT course_id, mark_no, COUNT(*) FROM pages WHERE mark_no IS NOT NULL
         GROUP BY course_id, mark_no HAVING COUNT(*) > 1"
    )
    .fetch_all::<(CourseId, i64, i64)>(&mut *on)
    .await?;
    for (course, number, count) in twice {
        let problem = format!("{count} pages have the number {number}");
        report.found(
            Rule::MarkNumbers,
            format!("courses {course}"),
            problem,
            Some(Remedy::Renumber(course)),
        );
    }
    let count = sql!("SELECT COUNT(*) FROM pages WHERE mark_no IS NOT NULL");
    count_rows(on, report, Rule::MarkNumbers, count).await
}

/// For each check: the row's table, the problem, the query for violations, and the query for the number of rows.
const COMPANIONS: [(&str, &str, &str, &str); 17] = [
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

/// Prerequisites without cycles: nobody could complete a course with one.
async fn prerequisites(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let courses = sql!("SELECT DISTINCT course_id FROM prerequisites")
        .fetch_all::<(CourseId,)>(&mut *on)
        .await?;
    report.checked(Rule::Prerequisites, u64::try_from(courses.len()).unwrap_or(u64::MAX));
    for (course,) in courses {
        if let Some(titles) = Structure::read(&mut *on, course).await?.cycle() {
            let problem = format!("its prerequisites form a cycle: {}", titles.text(Lang::En));
            report.found(Rule::Prerequisites, format!("courses {course}"), problem, None);
        }
    }
    Ok(())
}

async fn companions(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    each(on, report, Rule::Companions, &COMPANIONS).await
}

/// Runs checks given as in [`COMPANIONS`].
pub async fn each(
    on: &mut Snapshot,
    report: &mut Report,
    rule: Rule,
    list: &[(&'static str, &str, &'static str, &'static str)],
) -> Result<()> {
    for (table, problem, wrong, all) in list {
        let mut rows = on.records::<(Uuid,)>(sql!(*wrong))?;
        while let Some((id,)) = rows.try_next().await? {
            report.found(rule, format!("{table} {id}"), (*problem).to_owned(), None);
        }
        drop(rows);
        count_rows(on, report, rule, sql!(*all)).await?;
    }
    Ok(())
}

async fn versions(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let list = [
        (
            "pages",
            "its quiz is said to have changed at a version that it does not have yet",
            "SELECT id FROM pages WHERE quiz_version > version",
            "SELECT COUNT(*) FROM pages",
        ),
        (
            "pages",
            "its history holds a version that it does not have yet",
            // Drafts have the next versions, and discarded ones stay in the history.
            "SELECT DISTINCT p.id FROM page_versions v JOIN pages p ON p.id = v.page_id
             WHERE v.version > p.version AND v.published_at IS NOT NULL",
            "SELECT COUNT(*) FROM page_versions",
        ),
        (
            "pages",
            "its important version is one that it does not have yet, or that has no date",
            "SELECT id FROM pages WHERE important_version > version OR (important_version IS NULL) <> (important_at IS NULL)",
            "SELECT COUNT(*) FROM pages",
        ),
        (
            "page_drafts",
            "its page is not published, so that nothing needs to be hidden",
            "SELECT d.page_id FROM page_drafts d JOIN pages p ON p.id = d.page_id WHERE NOT p.published",
            "SELECT COUNT(*) FROM page_drafts",
        ),
        (
            "page_drafts",
            "it begins from a version that its page does not have yet, or has the version of its page",
            "SELECT d.page_id FROM page_drafts d JOIN pages p ON p.id = d.page_id
             WHERE d.base_version > p.version OR d.version = p.version",
            "SELECT COUNT(*) FROM page_drafts",
        ),
        (
            "page_drafts",
            "the history does not hold its text",
            "SELECT d.page_id FROM page_drafts d WHERE NOT EXISTS (
               SELECT 1 FROM page_versions v WHERE v.page_id = d.page_id AND v.version = d.version)",
            "SELECT COUNT(*) FROM page_drafts",
        ),
        (
            "pages",
            "a quiz was taken at a version that it does not have yet",
            "SELECT DISTINCT p.id FROM taken_quizzes t JOIN pages p ON p.id = t.page_id WHERE t.version > p.version",
            "SELECT COUNT(*) FROM taken_quizzes",
        ),
        (
            "bank_questions",
            "its history holds a version that it does not have yet",
            "SELECT DISTINCT q.id FROM bank_question_versions v JOIN bank_questions q ON q.id = v.question_id
             WHERE v.version >= q.version",
            "SELECT COUNT(*) FROM bank_question_versions",
        ),
    ];
    each(on, report, Rule::Versions, &list).await
}
