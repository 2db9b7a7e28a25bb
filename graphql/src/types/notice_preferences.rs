//! The notice preferences of the caller.

use async_graphql::{Enum, SimpleObject};
use kurso_base::messages::Lang;
use kurso_core::notice_mails::{preferences as core, unsubscribe};
use kurso_core::notices;

use super::id_of;
use super::notice::{NoticeKind, NoticePlace};
use crate::cost;

/// How soon a notice is mailed.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "notices::NoticeMail")]
pub enum NoticeMail {
    /// Never.
    Off,
    /// After two minutes.
    Once,
    /// At eight in the morning.
    Daily,
    /// On Monday at eight in the morning.
    Weekly,
}

/// A language of mails.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Lang")]
pub enum Language {
    /// English.
    En,
    /// Russian.
    Ru,
}

/// Hours of each day in which no mail and no push about notices is sent.
#[derive(SimpleObject)]
pub struct QuietHours {
    /// A local time such as `22:00`.
    from: String,
    /// A local time; on the next day if it is earlier than `from`.
    until: String,
}

/// How notices of a kind are delivered to the caller.
#[derive(SimpleObject)]
pub struct NoticeChoice {
    /// The kind.
    kind: NoticeKind,
    /// Whether they appear in the list of notices.
    in_app: bool,
    /// How soon they are mailed.
    mail: NoticeMail,
    /// Whether they are pushed to the devices of the caller, if there are any.
    push: bool,
    /// Whether it is the default of the kind.
    is_default: bool,
}

/// The choices of the caller for one course.
#[derive(SimpleObject)]
pub struct CourseNoticeChoices {
    /// The course.
    course: NoticePlace,
    /// Only the kinds with a choice for this course.
    #[graphql(complexity = "cost::list(cost::COURSE_CHOICES, child_complexity)")]
    choices: Vec<NoticeChoice>,
}

/// The notice preferences of the caller.
#[derive(SimpleObject)]
pub struct NoticePreferences {
    /// Language of mails and pushes.
    language: Language,
    /// IANA name of the time zone of quiet hours and mornings.
    time_zone: String,
    /// Null: mails and pushes are sent at any time.
    quiet_hours: Option<QuietHours>,
    /// Whether language, time zone and quiet hours are stored; otherwise they are the defaults.
    is_stored: bool,
    /// One choice per kind, for all courses without a choice of their own.
    #[graphql(complexity = "cost::list(cost::NOTICE_KINDS, child_complexity)")]
    choices: Vec<NoticeChoice>,
    /// The courses in which the caller learns or teaches, ordered by title; at most 1000.
    #[graphql(complexity = "cost::list(cost::OWN_COURSES, child_complexity)")]
    courses: Vec<CourseNoticeChoices>,
}

/// What the link in a notice mail can unsubscribe from.
#[derive(SimpleObject)]
pub struct NoticeSubscription {
    /// The masked address that the mail was sent to: `i***@example.com`.
    email: String,
    /// The kinds that the mail was about.
    kinds: Vec<NoticeKind>,
    /// The course that the mail was about; null if it was about several.
    course: Option<NoticePlace>,
}

impl From<core::KindChoice> for NoticeChoice {
    fn from(choice: core::KindChoice) -> Self {
        NoticeChoice {
            kind: choice.kind.into(),
            in_app: choice.delivery.in_app,
            mail: choice.delivery.mail.into(),
            push: choice.delivery.push,
            is_default: choice.is_default,
        }
    }
}

impl From<core::Preferences> for NoticePreferences {
    fn from(found: core::Preferences) -> Self {
        let choices = |choices: Vec<core::KindChoice>| choices.into_iter().map(Into::into).collect();
        let hours = found.settings.hours;
        NoticePreferences {
            language: found.settings.lang.into(),
            time_zone: hours.zone.name().to_owned(),
            quiet_hours: hours.quiet.map(|quiet| QuietHours {
                from: quiet.from().to_string(),
                until: quiet.until().to_string(),
            }),
            is_stored: found.is_stored,
            choices: choices(found.choices),
            courses: found
                .courses
                .into_iter()
                .map(|course| CourseNoticeChoices {
                    course: NoticePlace {
                        id: id_of(course.course),
                        title: Some(course.title),
                    },
                    choices: choices(course.choices),
                })
                .collect(),
        }
    }
}

impl NoticePreferences {
    /// The rows of both lists together.
    pub fn rows(&self) -> usize {
        let of_courses = self.courses.iter().map(|course| course.choices.len() + 1);
        self.choices.len() + of_courses.sum::<usize>()
    }
}

impl From<unsubscribe::Subscription> for NoticeSubscription {
    fn from(found: unsubscribe::Subscription) -> Self {
        NoticeSubscription {
            email: found.email,
            kinds: found.kinds.into_iter().map(Into::into).collect(),
            course: found.course.map(|(id, title)| NoticePlace {
                id: id_of(id),
                title: Some(title),
            }),
        }
    }
}
