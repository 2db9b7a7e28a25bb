//! What mails and pushes say about notices, with the rights and choices of the moment.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::{NoticeId, UserId};
use uuid::Uuid;

use super::preferences;
use crate::Kurso;
use crate::comments::mail::{Quote, quotes};
use crate::discussions;
use crate::inbox::{Notice, visible};
use crate::notices::Kind;
use crate::notices::choices::{Delivery, resolve};

/// Notices that may be told, oldest first, and the texts that they are about, by subject.
pub(crate) struct Tellable {
    pub notices: Vec<Notice>,
    pub quotes: HashMap<Uuid, Quote>,
}

/// Leaves out notices that were read or withdrawn, that the person may no longer read, and whose delivery is not wanted. Empty if the account is
/// inactive or deleted.
pub(crate) async fn tellable(
    kurso: &Kurso,
    user: UserId,
    ids: &[NoticeId],
    is_wanted: impl Fn(Delivery) -> bool,
) -> Result<Tellable> {
    let mut notices = visible(kurso, user, ids).await?;
    let choices = preferences::choices_of(&kurso.db, user).await?;
    notices.retain(|notice| {
        let course = notice.course.as_ref().map(|course| course.id);
        is_wanted(resolve(notice.kind, course, &choices))
    });
    let mut quotes = quotes_in(kurso, user, &notices).await?;
    let posts = notices.iter().filter(|notice| is_about_post(notice.kind));
    let posts: Vec<Uuid> = posts.map(|notice| notice.subject).collect();
    quotes.extend(discussions::mail::quotes(kurso, &posts).await?);
    // The comment may have been deleted, or no longer mention the person.
    notices.retain(|notice| notice.kind != Kind::Mention || quotes.contains_key(&notice.subject));
    Ok(Tellable { notices, quotes })
}

/// Reads the comments that notices are about, by subject.
async fn quotes_in(kurso: &Kurso, user: UserId, notices: &[Notice]) -> Result<HashMap<Uuid, Quote>> {
    let subjects = |kind: Kind| -> Vec<Uuid> {
        let found = notices.iter().filter(|notice| notice.kind == kind);
        found.map(|notice| notice.subject).collect()
    };
    quotes(kurso, user, &subjects(Kind::Mention), &subjects(Kind::Comment)).await
}

/// Whether the subject of notices of this kind is a question or an answer under a page.
fn is_about_post(kind: Kind) -> bool {
    matches!(kind, Kind::Answered | Kind::Asked | Kind::Reported)
}

/// The text that a mail or push quotes: of a nudge, a comment or a post.
pub(crate) fn quote(notice: &Notice, quotes: &HashMap<Uuid, Quote>) -> Option<String> {
    match notice.kind {
        Kind::Nudge => notice.text.clone(),
        _ => quotes.get(&notice.subject).map(|quote| quote.text.clone()),
    }
}

/// The title that a line about the notice names: of the page, or of an announcement.
pub(crate) fn title(notice: &Notice) -> Option<&str> {
    match notice.kind {
        Kind::Announcement => notice.text.as_deref(),
        _ => notice.page.as_ref()?.title.as_deref(),
    }
}

/// The person whom that line names: the learner who completed a course, or the author of a comment, an announcement or a nudge.
pub(crate) fn who(notice: &Notice) -> Option<&str> {
    let person = match notice.kind {
        Kind::CourseCompleted => notice.learner.as_ref(),
        Kind::Mention | Kind::Comment | Kind::Announcement | Kind::Nudge | Kind::Answered | Kind::Asked => {
            notice.actor.as_ref()
        }
        _ => None,
    };
    person?.full_name.as_deref().filter(|name| !name.is_empty())
}

/// The path of the screen that a mail or push links to.
pub(crate) fn path(notice: &Notice, quotes: &HashMap<Uuid, Quote>) -> String {
    let page = notice.page.as_ref().map(|page| page.id);
    let course = notice.course.as_ref().map(|course| course.id);
    let subject = notice.subject;
    match (notice.kind, page, course) {
        (Kind::Mention | Kind::Comment, Some(page), _) => {
            let thread = quotes.get(&subject).map_or(subject, |quote| quote.thread);
            format!("/edit-page/{page}?thread={thread}")
        }
        (Kind::Answered | Kind::Asked | Kind::Reported, Some(page), _) => {
            let question = quotes.get(&subject).map_or(subject, |quote| quote.thread);
            format!("/view-page/{page}?question={question}")
        }
        (Kind::ImportDone, ..) => format!("/import?job={subject}"),
        (Kind::CourseCompleted, _, Some(course)) => {
            format!("/edit-course/{course}?tab=students&student={subject}")
        }
        (Kind::Invited, ..) => "/".to_owned(),
        (Kind::Announcement, _, Some(course)) => format!("/view-course/{course}/announcements#a-{subject}"),
        (_, Some(page), _) => format!("/view-page/{page}"),
        (_, None, Some(course)) => format!("/view-course/{course}"),
        (_, None, None) => "/notices".to_owned(),
    }
}
