//! Mutations of how people are told of notices.

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

/// Hours of each day in which no mail about notices is sent.
#[derive(InputObject)]
pub struct QuietHoursInput {
    /// A local time such as `22:00`.
    from: String,
    /// A local time, of the next day if it is earlier than `from`. It may not be the same.
    until: String,
}

/// Language and clock of the caller.
#[derive(InputObject)]
pub struct SetNoticeSettingsInput {
    /// Language of mails.
    language: Language,
    /// IANA name such as `Europe/Moscow`.
    time_zone: String,
    /// Null or absent: mails come at any hour.
    quiet_hours: Option<QuietHoursInput>,
}

/// The settings are stored.
#[derive(SimpleObject)]
pub struct SetNoticeSettingsPayload {
    /// The preferences as they are now.
    preferences: NoticePreferences,
}

/// How to be told of notices of a kind.
#[derive(InputObject)]
pub struct ChooseNoticesInput {
    /// ID of a course; null or absent for all courses that have no choice of their own.
    course_id: Option<ID>,
    /// The kind.
    kind: NoticeKind,
    /// Whether they are in the list of notices.
    in_app: bool,
    /// How soon a mail comes.
    mail: NoticeMail,
}

/// The choice is stored.
#[derive(SimpleObject)]
pub struct ChooseNoticesPayload {
    /// The preferences as they are now.
    preferences: NoticePreferences,
}

/// A choice to take back.
#[derive(InputObject)]
pub struct ResetNoticesInput {
    /// ID of a course; null or absent for the choice for all courses that have none of their own.
    course_id: Option<ID>,
    /// The kind.
    kind: NoticeKind,
}

/// The choice is taken back.
#[derive(SimpleObject)]
pub struct ResetNoticesPayload {
    /// The preferences as they are now.
    preferences: NoticePreferences,
}

/// What to stop.
#[derive(InputObject)]
pub struct UnsubscribeNoticesInput {
    /// Token of the link in a mail.
    token: String,
    /// Null or absent: all mails about notices.
    kind: Option<NoticeKind>,
    /// ID of the course that the mail was about; null or absent for all courses.
    course_id: Option<ID>,
}

/// The mails are stopped.
#[derive(SimpleObject)]
pub struct UnsubscribeNoticesPayload {
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl NoticePreferencesMutation {
    /// Sets language, time zone and quiet hours of the caller. Mails about notices that are not due yet move with them.
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

    /// Chooses how the caller is told of notices of a kind. Mails about notices that are not due yet follow the choice. NOT_FOUND for a course
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
            }
        );
        let found = preferences::choose(kurso(ctx), viewer, choice)
            .await
            .map_err(wrap(ctx))?;
        Ok(ChooseNoticesPayload {
            preferences: found.into(),
        })
    }

    /// Takes back a choice of the caller; without one nothing changes. NOT_FOUND for a course to which the caller has no relation.
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

    /// Stops mails about notices by the token of a link in such a mail, without signing in. The notices stay in the list. NOT_FOUND for a link
    /// that is not or no longer good, and for a course that the mail was not about.
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
