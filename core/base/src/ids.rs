//! Ids, a type of its own per table, so that ids of different tables cannot be confused: UUID v7, and UUID v4 where knowing an id grants something.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::random;

macro_rules! ids {
    (@new) => {
        Uuid::now_v7()
    };
    (@new $make:path) => {
        $make()
    };
    ($($(#[$doc:meta])* $name:ident $(= $make:path)?),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
        )]
        #[cfg_attr(feature = "sqlx", derive(sqlx::Type), sqlx(transparent))]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new id. Those of version 7 are greater than all earlier ones of this process.
            #[expect(clippy::new_without_default, reason = "a new id is no default value")]
            pub fn new() -> Self {
                Self(ids!(@new $($make)?))
            }
        }
        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )*};
}

ids! {
    UserId,
    SessionId,
    EmailChangeId,
    ItemId,
    CourseId,
    ModuleId,
    LessonId,
    /// The id of a module or of a lesson.
    PartId,
    PageId,
    FileId,
    EnrollmentId,
    GroupId,
    OverrideId,
    GradeCategoryId,
    GradeDecisionId,
    InvitationId,
    AttemptId,
    AuditId,
    JobId,
    TrashEntryId,
    RegradeId,
    ThreadId,
    CommentId,
    SnapshotId,
    NoticeId,
    /// A browser that receives pushes.
    DeviceId,
    AnnouncementId,
    NudgeId,
    BankId,
    BankQuestionId,
    DiscussionId,
    PostId,
    NoteId,
    /// The id of a question that a learner practises.
    CardId,
    /// Random, because the ID alone grants access to the public page of the certificate.
    CertificateId = random::unguessable_id,
}

/// Why a text is not a UUID, worded as existing clients expect. Positions count from 1.
pub fn why_not_a_uuid(text: &str) -> String {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let braced = text.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
    let (digits, offset) = match (braced, text.strip_prefix("urn:uuid:")) {
        (Some(inner), _) => (inner, 1),
        (None, Some(inner)) => (inner, "urn:uuid:".len()),
        (None, None) => (text, 0),
    };
    let stranger = digits.char_indices().find(|(_, c)| !c.is_ascii_hexdigit() && *c != '-');
    if let Some((place, c)) = stranger {
        return format!("invalid character: found `{c}` at {}", place + offset + 1);
    }
    let groups: Vec<usize> = digits.split('-').map(str::len).collect();
    if groups.len() == 1 && offset == 0 {
        return format!(
            "invalid length: expected length 32 for simple format, found {}",
            text.len()
        );
    }
    if groups.len() != GROUPS.len() {
        return format!("invalid group count: expected 5, found {}", groups.len());
    }
    let wrong = groups
        .iter()
        .zip(GROUPS)
        .enumerate()
        .find(|(_, (found, expected))| *found != expected);
    match wrong {
        Some((group, (found, expected))) => {
            format!("invalid group length in group {group}: expected {expected}, found {found}")
        }
        None => format!(
            "invalid length: expected length 32 for simple format, found {}",
            text.len()
        ),
    }
}

/// An id that is the same for the same parts.
pub fn derived_id<const N: usize>(parts: [&[u8]; N]) -> Uuid {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(hash.finalize()).for_each(|(byte, of)| *byte = of);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_uuids_are_explained() {
        for (text, reason) in [
            ("nonsense", "invalid character: found `n` at 1"),
            ("0", "invalid length: expected length 32 for simple format, found 1"),
            ("", "invalid length: expected length 32 for simple format, found 0"),
            (
                "01890a5d-ac96-774b-bcce-b302099a805",
                "invalid group length in group 4: expected 12, found 11",
            ),
            ("01890a5d-ac96", "invalid group count: expected 5, found 2"),
            ("{x}", "invalid character: found `x` at 2"),
            ("urn:uuid:é", "invalid character: found `é` at 10"),
        ] {
            assert!(Uuid::try_parse(text).is_err());
            assert_eq!(why_not_a_uuid(text), reason, "{text}");
        }
    }
}
