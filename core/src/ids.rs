//! Ids: UUID v7, one type a table, so that a lesson's id cannot be passed for a page's.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, sqlx::Type, serde::Serialize, serde::Deserialize,
        )]
        #[sqlx(transparent)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new id, after all earlier ones of this process.
            #[expect(clippy::new_without_default, reason = "a new id is no default value")]
            pub fn new() -> Self {
                Self(Uuid::now_v7())
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
    PageId,
    FileId,
    EnrollmentId,
    AttemptId,
}
