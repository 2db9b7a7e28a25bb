//! Consistency checks of certificates: the states of their badges are theirs, and the keys of this server can be read.

use futures_util::TryStreamExt as _;
use kurso_base::error::Result;
use kurso_certificate::Rgb;
use kurso_certificate::badge::PublicJwk;
use kurso_db::{Snapshot, sql};
use uuid::Uuid;

use super::structure::each;
use super::{Report, Rule};

const ROWS: [(&str, &str, &str, &str); 6] = [
    (
        "certificates",
        "it is revoked or replaced, and its badge is not",
        "SELECT t.id FROM certificates t WHERE (t.revoked_at IS NOT NULL OR t.replaced_by IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM revoked_statuses r WHERE r.list = t.status_list AND r.position = t.status_position)",
        "SELECT COUNT(*) FROM certificates",
    ),
    (
        "certificates",
        "its badge is revoked, and it is not",
        "SELECT t.id FROM certificates t JOIN revoked_statuses r ON r.list = t.status_list AND r.position = t.status_position
         WHERE t.revoked_at IS NULL AND t.replaced_by IS NULL",
        "SELECT COUNT(*) FROM certificates",
    ),
    (
        "certificates",
        "its status list may give its position to another",
        "SELECT t.id FROM certificates t JOIN status_lists l ON l.number = t.status_list WHERE t.status_position >= l.taken OR t.status_position < 0",
        "SELECT COUNT(*) FROM certificates",
    ),
    (
        "certificates",
        "it is replaced by one that is missing or of somebody else",
        "SELECT t.id FROM certificates t LEFT JOIN certificates n ON n.id = t.replaced_by
         WHERE t.replaced_by IS NOT NULL AND (n.id IS NULL OR n.user_id <> t.user_id OR n.course_id <> t.course_id)",
        "SELECT COUNT(*) FROM certificates",
    ),
    (
        "certificates",
        "it was issued before it was awarded, or ends before it",
        "SELECT id FROM certificates WHERE issued_at < awarded_at OR expires_at < awarded_at",
        "SELECT COUNT(*) FROM certificates",
    ),
    (
        "certificate_designs",
        "a picture of it is no public picture with a size",
        "SELECT d.course_id FROM certificate_designs d JOIN files f ON f.id = d.logo_file_id OR f.id = d.signature_file_id
         WHERE f.is_private OR f.width IS NULL OR f.height IS NULL",
        "SELECT COUNT(*) FROM certificate_designs",
    ),
];

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    each(on, report, Rule::Certificates, &ROWS).await?;
    colors(on, report).await?;
    keys(on, report).await
}

/// The colors of designs and certificates can be read.
async fn colors(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let rows = sql!(
        "SELECT 'certificate_designs', course_id, accent, background FROM certificate_designs
         UNION ALL SELECT 'certificates', id, accent, background FROM certificates"
    );
    let mut rows = on.records::<(String, Uuid, String, String)>(rows)?;
    let mut wrong = vec![];
    while let Some((table, id, accent, background)) = rows.try_next().await? {
        if accent.parse::<Rgb>().is_err() || background.parse::<Rgb>().is_err() {
            wrong.push(format!("{table} {id}"));
        }
    }
    drop(rows);
    for at in wrong {
        report.found(Rule::Certificates, at, "a color cannot be read".to_owned(), None);
    }
    Ok(())
}

/// The id of each key belongs to its public key. Numbers may be missing, because an operator deletes a compromised key.
async fn keys(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let rows = sql!("SELECT number, id, public_jwk FROM signing_keys ORDER BY number");
    let rows = rows.fetch_all::<(i64, String, String)>(on).await?;
    report.checked(Rule::Certificates, rows.len() as u64);
    for (number, id, jwk) in rows {
        if PublicJwk::from_json(&jwk).ok().is_none_or(|key| key.id() != id) {
            let problem = "its public key cannot be read or has another id".to_owned();
            report.found(Rule::Certificates, format!("signing_keys {number}"), problem, None);
        }
    }
    Ok(())
}
