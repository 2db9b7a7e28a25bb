//! Consistency checks of notice preferences: languages, time zones, quiet hours and kinds are valid.

use futures_util::TryStreamExt as _;
use uuid::Uuid;

use super::notices::kinds;
use super::{Report, Rule};
use kurso_base::error::Result;
use kurso_base::schedule::{DayTime, QuietHours, TimeZone};
use kurso_db::{Snapshot, sql};

#[derive(sqlx::FromRow)]
struct Settings {
    user_id: Uuid,
    lang: String,
    time_zone: String,
    quiet_from: Option<i32>,
    quiet_until: Option<i32>,
}

impl Settings {
    /// The problems of the row.
    fn problems(&self) -> impl Iterator<Item = &'static str> {
        let time = |minutes: Option<i32>| minutes.and_then(DayTime::of_minutes);
        let quiet = time(self.quiet_from).zip(time(self.quiet_until));
        let has_quiet = self.quiet_from.is_some() || self.quiet_until.is_some();
        [
            (!matches!(self.lang.as_str(), "ru" | "en"), "its language is unknown"),
            (TimeZone::named(&self.time_zone).is_none(), "its time zone is unknown"),
            (
                has_quiet && quiet.and_then(|(from, until)| QuietHours::new(from, until)).is_none(),
                "its quiet hours are invalid",
            ),
        ]
        .into_iter()
        .filter_map(|(is_wrong, problem)| is_wrong.then_some(problem))
    }
}

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    report.checked(Rule::NoticePreferences, 0);
    {
        let mut rows = on.records::<Settings>(sql!(
            "SELECT user_id, lang, time_zone, quiet_from, quiet_until FROM notice_settings"
        ))?;
        while let Some(settings) = rows.try_next().await? {
            report.checked(Rule::NoticePreferences, 1);
            for problem in settings.problems() {
                let row = format!("notice_settings {}", settings.user_id);
                report.found(Rule::NoticePreferences, row, problem.to_owned(), None);
            }
        }
    }
    kinds(on, report, Rule::NoticePreferences, "notice_choices").await
}
