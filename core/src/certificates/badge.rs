//! Certificates as Open Badges 3.0: the signed credential of a holder, and what verifiers read to check it.

use chrono::Duration;
use kurso_base::error::{Error, Result};
use kurso_base::ids::CertificateId;
use kurso_base::messages::{Lang, Message};
use kurso_certificate::badge::{
    self as open, Achievement, Badge, Issuer, Recipient, RecipientEmail, Status, StatusList, sign_status_list,
};
use serde_json::Value;

use super::{Certificate, find, holder, issuer_name, keys, statuses};
use crate::Kurso;
use crate::access::Viewer;
use crate::auth::Origin;
use crate::auth::limits::Limit;

/// For how long verifiers may use a status list: a revocation is known after that.
const LIST_LIFETIME: Duration = Duration::hours(1);

/// The times of status lists are cut to whole minutes, so that the same list is the same text for a while.
const LIST_STEP: i64 = 60;

fn issuer_of(kurso: &Kurso) -> Issuer {
    Issuer {
        id: kurso.mail.page("/c/issuer"),
        name: issuer_name(kurso),
        url: kurso.mail.page(""),
        keys: kurso.mail.page("/c/keys"),
    }
}

fn list_address(kurso: &Kurso, list: i64) -> String {
    kurso.mail.page(&format!("/c/status/{list}"))
}

fn achievement_of(kurso: &Kurso, certificate: &Certificate) -> Achievement {
    let language = certificate.look.language;
    let title = &certificate.course_title;
    Achievement {
        id: kurso.mail.page(&format!("{}/achievement", certificate.page_url())),
        name: title.clone(),
        description: match language {
            Lang::Ru => format!("Курс «{title}»"),
            Lang::En => format!("The course “{title}”"),
        },
        criteria: certificate.requirement().text(language),
        image: None,
    }
}

/// The badge of a certificate as a signed credential (JWT). It has the name and the grade if the public page shows them, and with the name the email
/// address as a salted hash, by which others can confirm who the holder is. For the holder only: 404 for others. Fails with 409 if the certificate was revoked or replaced.
pub async fn badge(kurso: &Kurso, viewer: &Viewer, id: CertificateId) -> Result<String> {
    let certificate = holder::own(&kurso.db, viewer, id).await?;
    if !certificate.state(kurso.clock.now()).has_documents() {
        return Err(Error::Conflict(Message::CertificateNotValid));
    }
    let key = keys::current(kurso).await?;
    let badge = Badge {
        id: kurso.mail.page(&certificate.page_url()),
        issuer: issuer_of(kurso),
        achievement: achievement_of(kurso, &certificate),
        valid_from: certificate.awarded_at,
        valid_until: certificate.expires_at,
        status: Status {
            list: list_address(kurso, certificate.status_list),
            index: u32::try_from(certificate.status_position).map_err(Error::internal)?,
        },
        grade: certificate.grade.filter(|_| certificate.is_grade_shown),
        recipient: match certificate.is_name_shown {
            true => Recipient {
                name: Some(certificate.name),
                email: Some(RecipientEmail {
                    address: viewer.user.email.clone(),
                    salt: certificate.salt,
                }),
            },
            false => Recipient::default(),
        },
    };
    open::sign(&badge, &key).map_err(Error::internal)
}

/// The profile of this server as the issuer of badges.
pub fn issuer(kurso: &Kurso) -> Value {
    open::issuer(&issuer_of(kurso))
}

/// What the badge of a certificate is awarded for; rate-limited per client address. Fails with 404 if there is no such certificate.
pub async fn achievement(kurso: &Kurso, origin: &Origin, id: CertificateId) -> Result<Value> {
    kurso
        .limits
        .acquire_of_address(Limit::Visits, origin.address, kurso.clock.now())?;
    let certificate = find(&kurso.db, id).await?;
    Ok(open::achievement(
        &achievement_of(kurso, &certificate),
        &issuer_of(kurso),
    ))
}

/// All public keys that have signed badges, as a JSON Web Key Set; rate-limited per client address.
pub async fn jwks(kurso: &Kurso, origin: &Origin) -> Result<Value> {
    kurso
        .limits
        .acquire_of_address(Limit::Visits, origin.address, kurso.clock.now())?;
    let keys = keys::public(kurso).await?;
    Ok(open::jwks(&issuer_of(kurso).keys, &keys))
}

/// The public key with this id; rate-limited per client address; 404 if there is none.
pub async fn jwk(kurso: &Kurso, origin: &Origin, id: &str) -> Result<Value> {
    kurso
        .limits
        .acquire_of_address(Limit::Visits, origin.address, kurso.clock.now())?;
    let keys = keys::public(kurso).await?;
    let key = keys.iter().find(|key| key.id() == id);
    let key = key.ok_or(Error::NotFound(Message::NotFound))?;
    Ok(open::jwk(&issuer_of(kurso).keys, key))
}

/// A status list as a signed credential (JWT), valid for an hour; rate-limited per client address. Fails with 404 if there is no such list.
pub async fn status_list(kurso: &Kurso, origin: &Origin, list: i64) -> Result<String> {
    kurso
        .limits
        .acquire_of_address(Limit::Visits, origin.address, kurso.clock.now())?;
    let revoked = statuses::revoked(&kurso.db, list).await?;
    let revoked = revoked.ok_or(Error::NotFound(Message::NotFound))?;
    let key = keys::current(kurso).await?;
    let now = kurso.clock.now();
    let from = now - Duration::seconds(now.timestamp().rem_euclid(LIST_STEP));
    let list = StatusList {
        id: list_address(kurso, list),
        issuer: issuer_of(kurso),
        valid_from: from,
        valid_until: Some(from + LIST_LIFETIME),
    };
    sign_status_list(&list, revoked, &key).map_err(Error::internal)
}
