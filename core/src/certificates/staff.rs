//! What the staff of a course do: list its certificates, revoke one and undo the revocation. They issue none: the rules of the course decide.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CertificateId, CourseId, UserId};
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::Search;
use kurso_base::values::RevocationReason;
use kurso_db::sql;

use super::rules::State;
use super::statuses;
use super::{Certificate, certificate_columns, find};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses;
use crate::subscriptions::PersonName;

/// A certificate of a course, with its holder.
#[derive(Clone, Debug)]
pub struct CourseCertificate {
    pub certificate: Certificate,
    /// As the account has them now; None for people who have left the course.
    pub full_name: Option<String>,
    pub email: Option<String>,
    /// Who revoked it; None if nobody did or the account was deleted.
    pub revoked_by: Option<PersonName>,
}

#[derive(sqlx::FromRow)]
struct Row {
    #[sqlx(flatten)]
    certificate: Certificate,
    holder_name: Option<String>,
    holder_email: Option<String>,
    by_id: Option<UserId>,
    by_name: Option<String>,
}

impl From<Row> for CourseCertificate {
    fn from(row: Row) -> Self {
        CourseCertificate {
            certificate: row.certificate,
            full_name: row.holder_name,
            email: row.holder_email,
            revoked_by: row.by_id.map(|id| PersonName {
                id,
                full_name: row.by_name,
            }),
        }
    }
}

macro_rules! select {
    () => {
        concat!(
            "SELECT ",
            certificate_columns!(),
            ", u.full_name AS holder_name, u.email AS holder_email, r.id AS by_id, r.full_name AS by_name
             FROM certificates t LEFT JOIN enrollments e ON e.course_id = t.course_id AND e.user_id = t.user_id
             LEFT JOIN users u ON u.id = e.user_id LEFT JOIN users r ON r.id = t.revoked_by WHERE "
        )
    };
}

/// The certificates of a course, also of people who have left it, without those that others replace; the latest first, then by id. For the staff who see
/// students. A search selects those with all of its words in the name on the certificate, or in the present name or the address of the holder. Three
/// statements.
pub async fn list(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    search: &Search,
    page: Page,
) -> Result<Listed<CourseCertificate>> {
    let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?.id;
    let (ids, count) = if search.is_empty() {
        let ids = sql!(
            "SELECT id FROM certificates WHERE course_id = $1 AND replaced_by IS NULL ORDER BY issued_at DESC, id LIMIT $2 OFFSET $3",
            course,
            page.limit,
            page.skip
        );
        let count = sql!(
            "SELECT COUNT(*) FROM certificates WHERE course_id = $1 AND replaced_by IS NULL",
            course
        );
        let ids = ids.fetch_all::<(CertificateId,)>(&kurso.db).await?;
        let ids: Vec<_> = ids.into_iter().map(|(id,)| id).collect();
        (ids, count.fetch_one::<(i64,)>(&kurso.db).await?.0)
    } else {
        let all = sql!(
            "SELECT t.id, t.name, COALESCE(u.full_name, ''), COALESCE(u.email, '') FROM certificates t
             LEFT JOIN enrollments e ON e.course_id = t.course_id AND e.user_id = t.user_id LEFT JOIN users u ON u.id = e.user_id
             WHERE t.course_id = $1 AND t.replaced_by IS NULL ORDER BY t.issued_at DESC, t.id",
            course
        );
        let all = all
            .fetch_all::<(CertificateId, String, String, String)>(&kurso.db)
            .await?;
        let found = all.into_iter().filter(|(_, a, b, c)| search.matches(&[a, b, c]));
        let found = page.of(found.map(|(id, ..)| id).collect());
        (found.data, found.count)
    };
    if ids.is_empty() {
        return Ok(Listed { data: vec![], count });
    }
    let rows = sql!(concat!(select!(), "t.id IN ")).push_in(ids);
    let rows = rows
        .push(" ORDER BY t.issued_at DESC, t.id")
        .fetch_all::<Row>(&kurso.db)
        .await?;
    Ok(Listed {
        data: rows.into_iter().map(CourseCertificate::from).collect(),
        count,
    })
}

async fn one(kurso: &Kurso, id: CertificateId) -> Result<CourseCertificate> {
    let row = sql!(concat!(select!(), "t.id = $1"), id);
    let row = row.fetch_optional::<Row>(&kurso.db).await?;
    row.map(CourseCertificate::from)
        .ok_or(Error::NotFound(Message::CertificateNotFound))
}

/// A revocation.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct Revoke {
    /// Its holder and the staff of the course read it, visitors of the public page do not.
    pub reason: RevocationReason,
}

/// Checks that the viewer may revoke a certificate: the owner and teachers of its course may, and superusers, who answer for what the server issues, even
/// after the course is deleted. Fails with 403 or 404 for others.
async fn require_revoker(kurso: &Kurso, viewer: &Viewer, id: CertificateId) -> Result<()> {
    match viewer.user.is_superuser {
        true => find(&kurso.db, id).await.map(|_| ()),
        false => courses::find(&kurso.db, viewer, id, Right::ManageStudents)
            .await
            .map(|_| ()),
    }
}

/// Revokes a certificate: its public page and its badge say so, and the learner cannot claim another. [`require_revoker`] says who may. A
/// certificate that is already revoked stays as it is. Fails with 409 if it was replaced.
pub async fn revoke(kurso: &Kurso, viewer: &Viewer, id: CertificateId, to: Revoke) -> Result<CourseCertificate> {
    require_revoker(kurso, viewer, id).await?;
    let now = kurso.clock.now();
    let mut tx = kurso.db.begin().await?;
    let revoke = sql!(
        "UPDATE certificates SET revoked_at = $2, revoked_by = $3, revoke_reason = $4
         WHERE id = $1 AND revoked_at IS NULL AND replaced_by IS NULL",
        id,
        now,
        viewer.id(),
        to.reason.as_str().to_owned()
    );
    if revoke.execute(&mut tx).await? == 0 {
        tx.rollback().await?;
        return unchanged(kurso, id).await;
    }
    let certificate = find(&mut tx, id).await?;
    statuses::revoke(&mut tx, certificate.position()).await?;
    let entry = Entry::new(Act::CertificateRevoked)
        .by(viewer.id())
        .to(certificate.user_id);
    entry.in_course(certificate.course_id).write(&mut tx, now).await?;
    tx.commit().await?;
    one(kurso, id).await
}

/// Undoes a revocation. Whoever may revoke a certificate may restore it. A certificate that is not revoked stays as it is. Fails with 409 if it was replaced.
pub async fn restore(kurso: &Kurso, viewer: &Viewer, id: CertificateId) -> Result<CourseCertificate> {
    require_revoker(kurso, viewer, id).await?;
    let now = kurso.clock.now();
    let mut tx = kurso.db.begin().await?;
    let restore = sql!(
        "UPDATE certificates SET revoked_at = NULL, revoked_by = NULL, revoke_reason = NULL WHERE id = $1 AND revoked_at IS NOT NULL",
        id
    );
    if restore.execute(&mut tx).await? == 0 {
        tx.rollback().await?;
        return unchanged(kurso, id).await;
    }
    let certificate = find(&mut tx, id).await?;
    statuses::restore(&mut tx, certificate.position()).await?;
    let entry = Entry::new(Act::CertificateRestored)
        .by(viewer.id())
        .to(certificate.user_id);
    entry.in_course(certificate.course_id).write(&mut tx, now).await?;
    tx.commit().await?;
    one(kurso, id).await
}

async fn unchanged(kurso: &Kurso, id: CertificateId) -> Result<CourseCertificate> {
    let found = one(kurso, id).await?;
    match found.certificate.state(kurso.clock.now()) {
        State::Replaced => Err(Error::Conflict(Message::CertificateReplaced)),
        State::Valid | State::Expired | State::Revoked => Ok(found),
    }
}
