//! What holders do: claim a certificate, list theirs, reissue one in another name, and choose what others see of it.
//!
//! Holders claim their certificates, so that they see the name on it before it is final.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CertificateId, CourseId, EnrollmentId, UserId};
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_base::random;
use kurso_db::{Executor, Tx, sql};

use super::claim::{Reached, name_of, of_learner, reached};
use super::design::{self, Design};
use super::rules::{self, Basis, Requirement, State};
use super::statuses;
use super::{Certificate, Look, certificate_columns, find, zone_of};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::auth::limits::Limit;
use crate::courses::{self, Scope};

/// Issues the certificate of the viewer in a course, in their full name. The one that they have already is returned, so that a repeated or concurrent
/// request makes no second one. Fails with 403 without an enrollment, with 409 if the course gives none, it is not earned, the account has no
/// full name, or it was revoked or has expired.
pub async fn issue(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Certificate> {
    viewer.require_account()?;
    let found = courses::find(&kurso.db, viewer, course, Right::Read).await?;
    if found.enrollment.is_none() {
        return Err(Error::Forbidden(Message::NotEnrolled));
    }
    if let Some(certificate) = of_learner(&kurso.db, course, viewer.id()).await? {
        return still_valid(kurso, certificate);
    }
    let design = design::of_course(&kurso.db, course).await?;
    let has_grades = design.basis == Basis::Grade || design.has_grade;
    let reached = reached(kurso, viewer, found, has_grades).await?;
    require_earned(&design, &reached)?;
    let name = name_of(viewer).ok_or(Error::Conflict(Message::CertificateNeedsName))?;
    let mut tx = courses::begin(&kurso.db, course, Scope::Unchanged).await?;
    if let Some(certificate) = of_learner(&mut tx, course, viewer.id()).await? {
        tx.rollback().await?;
        return still_valid(kurso, certificate);
    }
    // The transaction holds the lock of the course, so neither the enrollment nor the design can change.
    let enrollment = sql!("SELECT id FROM enrollments WHERE id = $1", reached.enrollment);
    if enrollment.fetch_optional::<(EnrollmentId,)>(&mut tx).await?.is_none() {
        return Err(Error::Forbidden(Message::NotEnrolled));
    }
    let design = design::of_course(&mut tx, course).await?;
    require_earned(&design, &reached)?;
    let new = New {
        user_id: viewer.id(),
        course_id: course,
        name,
        requirement: design.requirement(),
        valid_months: design.valid_months,
        has_grade: design.has_grade,
        look: design.look(),
    };
    let certificate = insert(kurso, &mut tx, new, reached).await?;
    let entry = Entry::new(Act::CertificateIssued).by(viewer.id()).to(viewer.id());
    entry.in_course(course).write(&mut tx, certificate.issued_at).await?;
    tx.commit().await?;
    Ok(certificate)
}

/// Fails with 409 if the course gives no certificates, or the learner has not earned one.
fn require_earned(design: &Design, reached: &Reached) -> Result<()> {
    match design.is_on {
        false => Err(Error::Conflict(Message::NoCertificates)),
        true if !design.requirement().is_met(&reached.standing) => Err(Error::Conflict(Message::CertificateNotEarned)),
        true => Ok(()),
    }
}

fn still_valid(kurso: &Kurso, certificate: Certificate) -> Result<Certificate> {
    require_valid(&certificate, kurso.clock.now())?;
    Ok(certificate)
}

/// A certificate to insert.
struct New {
    user_id: UserId,
    course_id: CourseId,
    name: String,
    requirement: Requirement,
    valid_months: Option<i64>,
    has_grade: bool,
    look: Look,
}

async fn insert(kurso: &Kurso, tx: &mut Tx, new: New, reached: Reached) -> Result<Certificate> {
    let now = kurso.clock.now();
    let grade = reached.grade.filter(|_| new.has_grade);
    let at = statuses::take(tx).await?;
    let zone = zone_of(reached.time_zone.as_deref());
    let certificate = Certificate {
        id: CertificateId::new(),
        user_id: new.user_id,
        course_id: new.course_id,
        name: new.name,
        course_title: reached.course_title,
        basis: new.requirement.basis,
        min_percent: new.requirement.percent(),
        grade: grade.map(|(percent, label)| rules::grade_text(percent, label, new.look.language)),
        time_zone: reached.time_zone,
        look: new.look,
        awarded_at: now,
        issued_at: now,
        expires_at: rules::expiry(now, new.valid_months, zone),
        is_name_shown: true,
        is_grade_shown: false,
        revoked_at: None,
        revoke_reason: None,
        replaced_by: None,
        status_list: at.list,
        status_position: at.position,
        salt: random::key(),
    };
    store(tx, &certificate).await?;
    Ok(certificate)
}

async fn store(tx: &mut Tx, certificate: &Certificate) -> Result<()> {
    let look = &certificate.look;
    sql!(
        "INSERT INTO certificates (id, user_id, course_id, name, course_title, basis, min_percent, grade, time_zone, language, heading, text, accent,
           background, signer, logo_file_id, signature_file_id, awarded_at, issued_at, expires_at, is_name_shown, is_grade_shown, status_list,
           status_position, salt)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)",
        certificate.id,
        certificate.user_id,
        certificate.course_id,
        &certificate.name,
        &certificate.course_title,
        certificate.basis,
        certificate.min_percent,
        &certificate.grade,
        &certificate.time_zone,
        look.language,
        &look.heading,
        &look.text,
        &look.accent,
        &look.background,
        &look.signer,
        look.logo_file_id,
        look.signature_file_id,
        certificate.awarded_at,
        certificate.issued_at,
        certificate.expires_at,
        certificate.is_name_shown,
        certificate.is_grade_shown,
        certificate.status_list,
        certificate.status_position,
        &certificate.salt
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// All certificates of the viewer, also replaced ones and those of courses that are out of reach or deleted; the latest first. With the texts of
/// the person they are what an account takes along.
pub async fn list_own(kurso: &Kurso, viewer: &Viewer, page: Page) -> Result<Listed<Certificate>> {
    let rows = sql!(
        concat!(
            "SELECT ",
            certificate_columns!(),
            " FROM certificates t WHERE t.user_id = $1 ORDER BY t.issued_at DESC, t.id LIMIT $2 OFFSET $3"
        ),
        viewer.id(),
        page.limit,
        page.skip
    );
    let data = rows.fetch_all::<Certificate>(&kurso.db).await?;
    let count = sql!("SELECT COUNT(*) FROM certificates WHERE user_id = $1", viewer.id());
    let (count,) = count.fetch_one::<(i64,)>(&kurso.db).await?;
    Ok(Listed { data, count })
}

/// A certificate of the viewer; 404 for others.
pub(super) async fn own(on: impl Executor, viewer: &Viewer, id: CertificateId) -> Result<Certificate> {
    let found = find(on, id).await?;
    match found.user_id == viewer.id() {
        true => Ok(found),
        false => Err(Error::NotFound(Message::CertificateNotFound)),
    }
}

/// Makes a certificate out in the current full name of its holder. The new one keeps the day and the end of the old one, which says that it is
/// replaced and is revoked as a badge. Fails with 404 for others than the holder, with 409 without a name or another one, and if it is not valid, and with
/// 429 after ten times a day.
pub async fn reissue(kurso: &Kurso, viewer: &Viewer, id: CertificateId) -> Result<Certificate> {
    let old = own(&kurso.db, viewer, id).await?;
    let now = kurso.clock.now();
    require_valid(&old, now)?;
    let name = name_of(viewer).ok_or(Error::Conflict(Message::CertificateNeedsName))?;
    if old.name == name {
        return Err(Error::Conflict(Message::CertificateNameCurrent));
    }
    kurso
        .limits
        .acquire(&[(Limit::Reissues, viewer.id().to_string())], now)?;
    let new = CertificateId::new();
    let mut tx = kurso.db.begin().await?;
    // The row is locked from here on, unless it was replaced or revoked meanwhile.
    let replace = sql!(
        "UPDATE certificates SET replaced_by = $2 WHERE id = $1 AND replaced_by IS NULL AND revoked_at IS NULL",
        id,
        new
    );
    if replace.execute(&mut tx).await? == 0 {
        tx.rollback().await?;
        require_valid(&find(&kurso.db, id).await?, now)?;
        return Err(Error::Busy);
    }
    let at = statuses::take(&mut tx).await?;
    let certificate = Certificate {
        id: new,
        name,
        issued_at: now,
        replaced_by: None,
        status_list: at.list,
        status_position: at.position,
        salt: random::key(),
        // What the holder has chosen meanwhile.
        ..find(&mut tx, id).await?
    };
    store(&mut tx, &certificate).await?;
    statuses::revoke(&mut tx, old.position()).await?;
    let entry = Entry::new(Act::CertificateReissued).by(viewer.id()).to(viewer.id());
    entry.in_course(certificate.course_id).write(&mut tx, now).await?;
    tx.commit().await?;
    Ok(certificate)
}

/// Fails with 409 if the certificate is not valid any more.
pub(super) fn require_valid(certificate: &Certificate, now: DateTime<Utc>) -> Result<()> {
    match certificate.state(now) {
        State::Valid => Ok(()),
        State::Replaced => Err(Error::Conflict(Message::CertificateReplaced)),
        State::Expired | State::Revoked => Err(Error::Conflict(Message::CertificateNotValid)),
    }
}

/// What the public page shows. Fields that are None stay as they are.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct SetPrivacy {
    /// The name, and the PDF, which has it.
    pub is_name_shown: Option<bool>,
    pub is_grade_shown: Option<bool>,
}

/// Sets what the public page of a certificate shows. Fails with 404 for others than its holder.
pub async fn set_privacy(kurso: &Kurso, viewer: &Viewer, id: CertificateId, to: SetPrivacy) -> Result<Certificate> {
    own(&kurso.db, viewer, id).await?;
    let set = sql!(
        "UPDATE certificates SET is_name_shown = COALESCE($3, is_name_shown), is_grade_shown = COALESCE($4, is_grade_shown)
         WHERE id = $1 AND user_id = $2",
        id,
        viewer.id(),
        to.is_name_shown,
        to.is_grade_shown
    );
    set.execute(&kurso.db).await?;
    find(&kurso.db, id).await
}
