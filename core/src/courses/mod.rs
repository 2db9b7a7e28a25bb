//! Courses: access to one, lists of courses, and changes of their contents, team and sharing.

pub mod avatar;
mod by_token;
pub mod course;
pub mod cover;
mod dated_rows;
pub(crate) mod dates;
pub mod duplicate;
pub(crate) mod ended;
pub mod enrollment;
pub mod groups;
pub mod lesson;
mod lists;
mod lock;
mod lookup;
pub mod module;
pub(crate) mod order;
pub mod overrides;
pub mod page;
pub(crate) mod prerequisites;
pub mod quota;
pub mod set_dates;
pub mod sharing;
pub mod team;
pub mod timeline;
pub mod tree;
pub mod visibility;

pub use by_token::CoursesByToken;
pub(crate) use by_token::{find_by_token, find_by_token_and_page};
use chrono::{DateTime, Utc};
pub use enrollment::Enrollment;
pub(crate) use lists::in_reach_of;
pub use lists::{Counts, counts, everywhere, in_reach, learnt_by, taught_by};
pub(crate) use lock::{Scope, begin, begin_job, lock_all, renew_tree, touch};
pub(crate) use lookup::find_with_public_page;
pub use lookup::{CoursePart, find, find_as_learner};
pub use sharing::generate_share_code;

use crate::access::Role;
use kurso_base::ids::{CourseId, UserId};
use kurso_base::schedule::CourseDates;

/// Rows of one INSERT. With at most ten columns, they stay well below SQLite's limit of arguments.
const ROWS: usize = 500;

/// A course as one person may see it: fields that they may not see are None.
#[derive(Clone, Debug)]
pub struct Course {
    pub id: CourseId,
    pub title: String,
    pub description: Option<String>,
    pub owner: Owner,
    pub role: Role,
    /// `XXXX-XXXX`; owner and editors only.
    pub share_code: Option<String>,
    /// Increased by every change of the tree; the cache of [`tree::Tree`]s uses it as key.
    pub structure_version: i64,
    pub dates: CourseDates,
    /// Whether it has overrides, which its tree then holds.
    pub has_overrides: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// The enrollment of the viewer.
    pub enrollment: Option<Enrollment>,
}

/// The owner of a course.
#[derive(Clone, Debug)]
pub struct Owner {
    pub id: UserId,
    pub full_name: Option<String>,
    /// None for learners.
    pub email: Option<String>,
}
