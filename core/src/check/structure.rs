//! Consistency checks of courses: positions, keys, share codes, page numbers, prerequisites, and rows that belong together.

mod companions;

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
    companions::check(on, report).await?;
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

/// Runs checks, each given as the table of the row, the problem, the query for violations, and the query for the number of rows.
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
