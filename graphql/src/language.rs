//! The languages of a request: that of its response, and that of the mails it causes.

use async_graphql::Context;
use kurso_base::messages::{Lang, Message};

/// The language of the mails that a request causes: its own, otherwise Russian.
#[derive(Clone, Copy)]
pub struct MailLang(pub Lang);

/// The language of the response.
pub fn lang(ctx: &Context<'_>) -> Lang {
    ctx.data_opt::<Lang>().copied().unwrap_or_default()
}

pub fn mail_lang(ctx: &Context<'_>) -> Lang {
    ctx.data_opt::<MailLang>().map_or(Lang::Ru, |MailLang(lang)| *lang)
}

/// The text of a message in the language of the response.
pub fn say(ctx: &Context<'_>, message: Message) -> String {
    message.text(lang(ctx))
}
