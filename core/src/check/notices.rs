//! Consistency checks of notices: their kinds are known, their pages belong to their courses, and no mail or push is due for a notice that was read.

use uuid::Uuid;

use super::structure::{count_rows, each};
use super::{Report, Rule};
use crate::notices::Kind;
use kurso_base::error::Result;
use kurso_db::{Snapshot, sql};

const NOTICES: [(&str, &str, &str, &str); 3] = [
    (
        "notices",
        "its page is of another course",
        "SELECT n.id FROM notices n JOIN pages p ON p.id = n.page_id WHERE n.course_id IS NULL OR n.course_id <> p.course_id",
        "SELECT COUNT(*) FROM notices WHERE page_id IS NOT NULL",
    ),
    (
        "notices",
        "it was read, but a mail for it is due",
        "SELECT id FROM notices WHERE read_at IS NOT NULL AND mail_at IS NOT NULL",
        "SELECT COUNT(*) FROM notices WHERE read_at IS NOT NULL",
    ),
    (
        "notices",
        "it was read, but a push for it is due",
        "SELECT id FROM notices WHERE read_at IS NOT NULL AND push_at IS NOT NULL",
        "SELECT COUNT(*) FROM notices WHERE read_at IS NOT NULL",
    ),
];

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    kinds(on, report, Rule::Companions, "notices").await?;
    each(on, report, Rule::Companions, &NOTICES).await
}

/// Reports the rows of a table whose `kind` is not a known kind of notice.
pub(super) async fn kinds(on: &mut Snapshot, report: &mut Report, rule: Rule, table: &'static str) -> Result<()> {
    let unknown = sql!("SELECT id FROM ")
        .push(table)
        .push(" WHERE kind NOT IN ")
        .push_in(Kind::ALL);
    for (id,) in unknown.fetch_all::<(Uuid,)>(&mut *on).await? {
        report.found(rule, format!("{table} {id}"), "its kind is unknown".to_owned(), None);
    }
    count_rows(on, report, rule, sql!("SELECT COUNT(*) FROM ").push(table)).await
}
