//! Mutations of notice preferences.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::messages::Message;
use kurso_core::notice_mails::preferences::{self, ChooseNotices, ResetNotices, SetNoticeSettings};
use kurso_core::notice_mails::unsubscribe::{self, UnsubscribeNotices};
use serde_json::json;

use crate::context::{kurso, origin, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::types::{Language, NoticeKind, NoticeMail, NoticePreferences};

#[derive(Default)]
pub struct NoticePreferencesMutation;

/// Hours of each day in which no mail and no push about notices is sent.
#[derive(InputObject)]
pub struct QuietHoursInput {
    /// A local time such as `22:00`.
    from: String,
    /// A local time; on the next day if it is earlier than `from`. It must differ from `from`.
    until: String,
}

/// Language, time zone and quiet hours of the caller.
#[derive(InputObject)]
pub struct SetNoticeSettingsInput {
    /// Language of mails and pushes.
    language: Language,
    /// IANA name such as `Europe/Moscow`.
    time_zone: String,
    /// Null or absent: mails and pushes are sent at any time.
    quiet_hours: Option<QuietHoursInput>,
}

/// The settings are stored.
#[derive(SimpleObject)]
pub struct SetNoticeSettingsPayload {
    /// The updated preferences.
    preferences: NoticePreferences,
}

/// How notices of a kind are delivered.
#[derive(InputObject)]
pub struct ChooseNoticesInput {
    /// ID of a course; null or absent for all courses without a choice of their own.
    course_id: Option<ID>,
    /// The kind.
    kind: NoticeKind,
    /// Whether they appear in the list of notices.
    in_app: bool,
    /// How soon they are mailed.
    mail: NoticeMail,
    /// Whether they are pushed to the devices of the caller. Null or absent: as before.
    push: Option<bool>,
}

/// The choice is stored.
#[derive(SimpleObject)]
pub struct ChooseNoticesPayload {
    /// The updated preferences.
    preferences: NoticePreferences,
}

/// A choice to remove.
#[derive(InputObject)]
pub struct ResetNoticesInput {
    /// ID of a course; null or absent for the choice for all courses.
    course_id: Option<ID>,
    /// The kind.
    kind: NoticeKind,
}

/// The choice was removed.
#[derive(SimpleObject)]
pub struct ResetNoticesPayload {
    /// The updated preferences.
    preferences: NoticePreferences,
}

/// What to unsubscribe from.
#[derive(InputObject)]
pub struct UnsubscribeNoticesInput {
    /// Token of the link in a mail.
    token: String,
    /// Null or absent: all notice mails.
    kind: Option<NoticeKind>,
    /// ID of the course that the mail was about; null or absent for all courses.
    course_id: Option<ID>,
}

/// The mails are turned off.
#[derive(SimpleObject)]
pub struct UnsubscribeNoticesPayload {
    /// A message in the language of the request.
    message: String,
}

#[Object]
impl NoticePreferencesMutation {
    /// Sets the language, time zone and quiet hours of the caller. Notice mails and pushes that are not due yet are rescheduled.
    async fn set_notice_settings(
        &self,
        ctx: &Context<'_>,
        input: SetNoticeSettingsInput,
    ) -> Result<SetNoticeSettingsPayload> {
        let viewer = viewer(ctx)?;
        let quiet = |quiet: QuietHoursInput| json!({"from": quiet.from, "until": quiet.until});
        let new = command!(
            ctx,
            SetNoticeSettings {
                language: known(input.language.into()),
                time_zone: required(input.time_zone),
                quiet_hours: optional(input.quiet_hours.map(quiet)),
            }
        );
        let found = preferences::set_settings(kurso(ctx), viewer, new)
            .await
            .map_err(wrap(ctx))?;
        Ok(SetNoticeSettingsPayload {
            preferences: found.into(),
        })
    }

    /// Chooses how notices of a kind are delivered to the caller. Notice mails and pushes that are not due yet are rescheduled. NOT_FOUND for a course
    /// to which the caller has no relation.
    async fn choose_notices(&self, ctx: &Context<'_>, input: ChooseNoticesInput) -> Result<ChooseNoticesPayload> {
        let viewer = viewer(ctx)?;
        let choice = command!(
            ctx,
            ChooseNotices {
                course_id: optional(input.course_id.map(|id| id.0)),
                kind: known(input.kind.into()),
                in_app: known(input.in_app),
                mail: known(input.mail.into()),
                push: known(input.push),
            }
        );
        let found = preferences::choose(kurso(ctx), viewer, choice)
            .await
            .map_err(wrap(ctx))?;
        Ok(ChooseNoticesPayload {
            preferences: found.into(),
        })
    }

    /// Removes a choice of the caller. Repeating the call has no effect. NOT_FOUND for a course to which the caller has no relation.
    async fn reset_notices(&self, ctx: &Context<'_>, input: ResetNoticesInput) -> Result<ResetNoticesPayload> {
        let viewer = viewer(ctx)?;
        let choice = command!(
            ctx,
            ResetNotices {
                course_id: optional(input.course_id.map(|id| id.0)),
                kind: known(input.kind.into()),
            }
        );
        let found = preferences::reset(kurso(ctx), viewer, choice)
            .await
            .map_err(wrap(ctx))?;
        Ok(ResetNoticesPayload {
            preferences: found.into(),
        })
    }

    /// Turns off notice mails by the token of the link in such a mail, without signing in. The notices stay in the list. NOT_FOUND for an invalid or
    /// expired link, and for a course that the mail was not about.
    async fn unsubscribe_notices(
        &self,
        ctx: &Context<'_>,
        input: UnsubscribeNoticesInput,
    ) -> Result<UnsubscribeNoticesPayload> {
        let what = command!(
            ctx,
            UnsubscribeNotices {
                token: required(input.token),
                kind: known(input.kind.map(Into::into)),
                course_id: optional(input.course_id.map(|id| id.0)),
            }
        );
        unsubscribe::unsubscribe(kurso(ctx), origin(ctx).address, &what)
            .await
            .map_err(wrap(ctx))?;
        Ok(UnsubscribeNoticesPayload {
            message: say(ctx, Message::Unsubscribed),
        })
    }
}
