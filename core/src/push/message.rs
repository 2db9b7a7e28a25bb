//! What a push says. The service worker of the web app shows it (`web/public/push.js`).

use kurso_base::error::Result;
use kurso_base::ids::{NoticeId, UserId};
use kurso_base::messages::Lang;
use serde::Serialize;

use super::encryption::MAX_MESSAGE;
use crate::Kurso;
use crate::inbox::Notice;
use crate::mail::cut;
use crate::notice_mails::tellable::{Tellable, path, quote, tellable, title, who};
use crate::notice_mails::texts;

/// The maximum numbers of characters of the title, of a name in the text, and of a quote.
const MAX_TITLE: usize = 100;
const MAX_NAME: usize = 100;
const MAX_QUOTE: usize = 200;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Message {
    pub title: String,
    pub body: String,
    /// The path of the screen that it opens.
    pub url: String,
    /// Of two shown pushes with the same tag, the later one replaces the earlier one.
    pub tag: String,
    pub lang: &'static str,
}

/// Composes the push about these notices. Leaves out those that were read or withdrawn, that the person may no longer read, and whose pushes the
/// person has turned off since. None if none are left.
pub(super) async fn compose(
    kurso: &Kurso,
    lang: Lang,
    user: UserId,
    ids: &[NoticeId],
    tag: String,
) -> Result<Option<Message>> {
    let told = tellable(kurso, user, ids, |delivery| delivery.push).await?;
    Ok(match told.notices.as_slice() {
        [] => None,
        [notice] => Some(about_one(lang, notice, &told, tag)),
        several => Some(about_several(lang, several, tag)),
    })
}

/// The message of a test.
pub(super) fn test(lang: Lang, tag: String) -> Message {
    let (title, body) = texts::test_push(lang);
    Message {
        title: title.to_owned(),
        body: body.to_owned(),
        url: "/settings/notices".to_owned(),
        tag,
        lang: lang.name(),
    }
}

fn about_one(lang: Lang, notice: &Notice, told: &Tellable, tag: String) -> Message {
    let course = notice.course.as_ref().and_then(|course| course.title.as_deref());
    let parts = [title(notice), course, who(notice)].into_iter().flatten();
    let parts: Vec<String> = parts.map(|part| cut(part, MAX_NAME)).collect();
    let quote = quote(notice, &told.quotes).map(|quote| cut(&quote, MAX_QUOTE));
    let lines = [Some(parts.join(" · ")), quote].into_iter().flatten();
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    Message {
        title: texts::title(notice.kind, lang).to_owned(),
        body: lines.join("\n"),
        url: path(notice, &told.quotes),
        tag,
        lang: lang.name(),
    }
}

/// Counts several notices, and names their courses.
fn about_several(lang: Lang, notices: &[Notice], tag: String) -> Message {
    let mut courses: Vec<&str> = vec![];
    for notice in notices {
        let title = notice.course.as_ref().and_then(|course| course.title.as_deref());
        courses.extend(title.filter(|title| !courses.contains(title)));
    }
    let courses: Vec<String> = courses.into_iter().take(3).map(|title| cut(title, MAX_NAME)).collect();
    Message {
        title: texts::count(notices.len(), lang),
        body: courses.join(" · "),
        url: "/notices".to_owned(),
        tag,
        lang: lang.name(),
    }
}

impl Message {
    /// The JSON that is encrypted; it always fits into a push.
    pub fn json(&self) -> serde_json::Result<Vec<u8>> {
        let json = serde_json::to_vec(self)?;
        if json.len() <= MAX_MESSAGE {
            return Ok(json);
        }
        let body = String::new();
        let title = cut(&self.title, MAX_TITLE);
        serde_json::to_vec(&Message {
            title,
            body,
            ..self.clone()
        })
    }
}
