//! The JSON of a badge: an `OpenBadgeCredential` in the data model 2.0 of Verifiable Credentials.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// One certificate as an Open Badge.
#[derive(Clone, Debug)]
pub struct Badge {
    /// The address of the certificate.
    pub id: String,
    pub issuer: Issuer,
    pub recipient: Recipient,
    pub achievement: Achievement,
    /// Cut to seconds.
    pub valid_from: DateTime<Utc>,
    /// Cut to seconds.
    pub valid_until: Option<DateTime<Utc>>,
    /// The grade, e.g. `92 %`, if the holder shows it.
    pub grade: Option<String>,
    pub status: Status,
}

/// The server, as issuer of badges.
#[derive(Clone, Debug)]
pub struct Issuer {
    /// The address of its [profile](issuer).
    pub id: String,
    pub name: String,
    /// The address of its web site.
    pub url: String,
    /// The address of its [keys](super::jwks), without a trailing slash.
    pub keys: String,
}

/// Who holds a badge. Both are missing from the badge if the holder shows neither.
#[derive(Clone, Debug, Default)]
pub struct Recipient {
    /// The name in plain text: everybody who has the badge can read it.
    pub name: Option<String>,
    pub email: Option<RecipientEmail>,
}

/// An e-mail address that a badge contains only as a salted hash. Whoever knows the address can check it; guessing is possible, since the
/// badge has the salt.
#[derive(Clone, Debug)]
pub struct RecipientEmail {
    pub address: String,
    /// Random, different for each badge.
    pub salt: String,
}

/// The achievement that a badge attests: completing the course.
#[derive(Clone, Debug)]
pub struct Achievement {
    /// The address of [its description](achievement).
    pub id: String,
    pub name: String,
    pub description: String,
    /// What a learner has to do for it.
    pub criteria: String,
    /// The address of a picture.
    pub image: Option<String>,
}

/// Where a badge is found to be revoked.
#[derive(Clone, Debug)]
pub struct Status {
    /// The address of the status list.
    pub list: String,
    /// Below [`super::STATUS_LIST_LENGTH`].
    pub index: u32,
}

/// The contexts of a badge: the data model, then the terms of Open Badges.
const CONTEXTS: [&str; 2] = [
    "https://www.w3.org/ns/credentials/v2",
    "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json",
];

/// The credential of a badge, unsigned. The subject is identified by the address of the certificate with the fragment `holder`, because
/// a JWT has to name one; it says nothing about the person.
pub fn credential(badge: &Badge) -> Value {
    let mut subject = json!({
        "id": format!("{}#holder", badge.id),
        "type": ["AchievementSubject"],
        "achievement": achievement_members(&badge.achievement, &badge.issuer),
    });
    let identifiers = identifiers(&badge.recipient);
    if !identifiers.is_empty() {
        insert(&mut subject, "identifier", identifiers.into());
    }
    if let Some(grade) = &badge.grade {
        insert(&mut subject, "result", json!([{ "type": ["Result"], "value": grade }]));
    }
    let Status { list, index } = &badge.status;
    let mut credential = json!({
        "@context": CONTEXTS,
        "id": badge.id,
        "type": ["VerifiableCredential", "OpenBadgeCredential"],
        "name": badge.achievement.name,
        "issuer": issuer_members(&badge.issuer),
        "validFrom": time(badge.valid_from),
        "credentialSubject": subject,
        "credentialStatus": {
            "id": format!("{list}#{index}"),
            "type": "BitstringStatusListEntry",
            "statusPurpose": "revocation",
            "statusListIndex": index.to_string(),
            "statusListCredential": list,
        },
    });
    if let Some(until) = badge.valid_until {
        insert(&mut credential, "validUntil", time(until).into());
    }
    credential
}

/// The profile of an issuer, as its [`id`](Issuer::id) answers.
pub fn issuer(issuer: &Issuer) -> Value {
    let mut profile = issuer_members(issuer);
    insert(&mut profile, "@context", json!(CONTEXTS));
    profile
}

/// The description of an achievement, as its [`id`](Achievement::id) answers.
pub fn achievement(achievement: &Achievement, issuer: &Issuer) -> Value {
    let mut members = achievement_members(achievement, issuer);
    insert(&mut members, "@context", json!(CONTEXTS));
    members
}

/// The `identityHash` of Open Badges: `sha256$` and the hex digest of identity and salt.
pub fn identity_hash(identity: &str, salt: &str) -> String {
    let digest = Sha256::new().chain_update(identity).chain_update(salt).finalize();
    let digits = digest.iter().map(|byte| format!("{byte:02x}"));
    format!("sha256${}", digits.collect::<String>())
}

fn identifiers(recipient: &Recipient) -> Vec<Value> {
    let email = recipient.email.as_ref().map(|RecipientEmail { address, salt }| {
        json!({
            "type": "IdentityObject",
            "identityType": "emailAddress",
            "hashed": true,
            // Verifiers hash what a person types; lower case is the convention of Open Badges.
            "identityHash": identity_hash(&address.trim().to_lowercase(), salt),
            "salt": salt,
        })
    });
    let name = recipient
        .name
        .as_ref()
        .map(|name| json!({ "type": "IdentityObject", "identityType": "name", "hashed": false, "identityHash": name }));
    email.into_iter().chain(name).collect()
}

fn issuer_members(issuer: &Issuer) -> Value {
    json!({ "id": issuer.id, "type": ["Profile"], "name": issuer.name, "url": issuer.url })
}

fn achievement_members(achievement: &Achievement, issuer: &Issuer) -> Value {
    let mut members = json!({
        "id": achievement.id,
        "type": ["Achievement"],
        "achievementType": "Course",
        "name": achievement.name,
        "description": achievement.description,
        "criteria": { "narrative": achievement.criteria },
        "creator": issuer_members(issuer),
    });
    if let Some(image) = &achievement.image {
        insert(&mut members, "image", json!({ "id": image, "type": "Image" }));
    }
    members
}

/// A time as the data model writes it, in whole seconds, so that `nbf` and `exp` equal it.
pub(super) fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

pub(super) fn insert(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), value);
    }
}
