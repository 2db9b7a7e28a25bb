//! How many learners have read announcements.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::AnnouncementId;
use kurso_db::sql;

use crate::Kurso;

/// Counts of the current learners of the course, or of the group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// The learners who have read the announcement.
    pub readers: i64,
    pub receivers: i64,
}

/// An SQL condition: the learner receives announcement `a`. `e` is the enrollment, `u` the account and `c` the course.
macro_rules! is_receiver {
    () => {
        concat!(
            crate::courses::enrollment::is_active_learner!(),
            " AND (a.group_id IS NULL OR e.group_id = a.group_id)"
        )
    };
}
pub(super) use is_receiver;

/// The counts of published announcements. The caller has checked that the viewer may see them. One statement; none without ids.
pub async fn counts_of(kurso: &Kurso, ids: &[AnnouncementId]) -> Result<HashMap<AnnouncementId, Counts>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let counts = sql!(
        "SELECT a.id, COUNT(r.user_id), COUNT(*) FROM announcements a JOIN courses c ON c.id = a.course_id
         JOIN enrollments e ON e.course_id = a.course_id JOIN users u ON u.id = e.user_id
         LEFT JOIN announcement_reads r ON r.announcement_id = a.id AND r.user_id = e.user_id WHERE a.id IN "
    )
    .push_in(ids.iter().copied())
    .push(concat!(" AND ", is_receiver!(), " GROUP BY a.id"))
    .fetch_all::<(AnnouncementId, i64, i64)>(&kurso.db)
    .await?;
    let mut found: HashMap<AnnouncementId, Counts> = ids.iter().map(|id| (*id, Counts::default())).collect();
    for (id, readers, receivers) in counts {
        found.insert(id, Counts { readers, receivers });
    }
    Ok(found)
}
