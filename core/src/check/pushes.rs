//! Consistency checks of pushes: the keys of devices are valid, and pending pushes name notices.

use futures_util::TryStreamExt as _;
use uuid::Uuid;

use super::{Report, Rule};
use crate::push;
use kurso_base::error::Result;
use kurso_db::{Snapshot, sql};

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    {
        let devices = sql!("SELECT id, p256dh, auth FROM push_devices");
        let mut rows = on.records::<(Uuid, String, String)>(devices)?;
        while let Some((id, p256dh, auth)) = rows.try_next().await? {
            report.checked(Rule::NoticePreferences, 1);
            if !push::are_keys(&p256dh, &auth) {
                let row = format!("push_devices {id}");
                report.found(Rule::NoticePreferences, row, "its keys are invalid".to_owned(), None);
            }
        }
    }
    let mut rows = on.records::<(Uuid, String)>(sql!("SELECT id, notices FROM pushes"))?;
    while let Some((id, notices)) = rows.try_next().await? {
        report.checked(Rule::NoticePreferences, 1);
        if serde_json::from_str::<Vec<Uuid>>(&notices).is_err() {
            let problem = "its notices are unreadable".to_owned();
            report.found(Rule::NoticePreferences, format!("pushes {id}"), problem, None);
        }
    }
    Ok(())
}
