//! How many learners have read announcements.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::AnnouncementId;
use kurso_db::sql;

use crate::Kurso;

/// Counts of learners that the course, or the group, has now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Those who have read it.
    pub readers: i64,
    pub receivers: i64,
}

/// The learners to whom an announcement `a` is: `e` is the enrollment, `u` the account, `c` the course.
macro_rules! receivers {
    () => {
        "u.is_active AND c.owner_id <> e.user_id AND (a.group_id IS NULL OR e.group_id = a.group_id)
         AND NOT EXISTS (SELECT 1 FROM collaborators k WHERE k.course_id = c.id AND k.user_id = e.user_id)"
    };
}
pub(super) use receivers;

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
    .push(concat!(" AND ", receivers!(), " GROUP BY a.id"))
    .fetch_all::<(AnnouncementId, i64, i64)>(&kurso.db)
    .await?;
    let mut found: HashMap<AnnouncementId, Counts> = ids.iter().map(|id| (*id, Counts::default())).collect();
    for (id, readers, receivers) in counts {
        found.insert(id, Counts { readers, receivers });
    }
    Ok(found)
}
