//! Watching, with the rights looked at anew for each event: who may no longer see it gets a refusal in place of it, and the
//! watch is over. `next` answers with None when something was missed: then what is shown is to be read anew.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::live::Subscriber;
use super::presence::{Editor, Presence};
use super::{Activity, Change, Event, Topic};
use crate::access::{Right, Viewer};
use crate::auth;
use crate::courses::{self, Course};
use crate::error::{Error, Result};
use crate::ids::{CourseId, PageId, UserId};
use crate::learning::students::{self, Student};
use crate::messages::Message;
use crate::{Kurso, sql};

/// What somebody watches of one course.
#[derive(Debug)]
struct Watch {
    viewer: Viewer,
    course: CourseId,
    right: Right,
    events: Subscriber,
}

impl Watch {
    /// First watches, then looks whether that is allowed: nothing is missed in between.
    async fn start(kurso: &Kurso, viewer: &Viewer, course: CourseId, right: Right, topics: &[Topic]) -> Result<Self> {
        let common = [Topic::Removed(course), Topic::Person(viewer.id())];
        let topics: Vec<Topic> = topics.iter().copied().chain(common).collect();
        let events = kurso.db.live().subscribe(&topics).await;
        courses::find(&kurso.db, viewer, course, right).await?;
        let viewer = viewer.clone();
        Ok(Watch {
            viewer,
            course,
            right,
            events,
        })
    }

    /// The next event of any topic and the course as it is seen now. Two statements.
    async fn next(&mut self, kurso: &Kurso) -> Result<Option<(Arc<Event>, Course)>> {
        let Some(event) = self.events.next().await else {
            return Ok(None);
        };
        let (viewer, _) = auth::still(kurso, &self.viewer).await?;
        let course = courses::find(&kurso.db, &viewer, self.course, self.right).await?;
        Ok(Some((event, course)))
    }
}

/// What the learners of a course do, for those who may see them.
#[derive(Debug)]
pub struct CourseWatch(Watch);

/// What one learner did.
#[derive(Clone, Debug)]
pub struct CourseActivity {
    pub what: Activity,
    /// As they are now.
    pub student: Student,
    pub at: DateTime<Utc>,
}

impl CourseWatch {
    /// 404 without a relation to the course, 403 for learners.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Self> {
        let topics = [Topic::Course(course)];
        let watch = Watch::start(kurso, viewer, course, Right::SeeStudents, &topics).await?;
        Ok(CourseWatch(watch))
    }

    /// At most seven statements for each event, four when the course's tree is known.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<CourseActivity>> {
        while let Some((event, course)) = self.0.next(kurso).await? {
            let Event::Activity {
                enrollment, what, at, ..
            } = *event
            else {
                continue;
            };
            // Who left the course since did nothing in it.
            if let Some(student) = students::find(kurso, &course, enrollment).await? {
                return Ok(Some(CourseActivity { what, student, at }));
            }
        }
        Ok(None)
    }
}

/// What becomes of a page, for those who may change it.
#[derive(Debug)]
pub struct PageWatch {
    watch: Watch,
    page: PageId,
    is_over: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PageChange {
    pub page: PageId,
    pub what: Change,
    /// As it is now; None of a page that was deleted with what it was in.
    pub version: Option<i64>,
    /// None when the account is gone, and of a page that was deleted with what it was in.
    pub by: Option<Somebody>,
    /// Which of their open editors, if they said so.
    pub session: Option<String>,
    pub at: DateTime<Utc>,
}

/// A person by the name they gave.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Somebody {
    pub id: UserId,
    pub full_name: Option<String>,
}

impl PageWatch {
    /// 404 without a relation to the course, 403 for those who may not change the page.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Self> {
        let course = courses::find_by_page(&kurso.db, viewer, page, Right::Edit).await?.id;
        let watch = Watch::start(kurso, viewer, course, Right::Edit, &[Topic::Page(page)]).await?;
        require_page(kurso, page).await?;
        let is_over = false;
        Ok(PageWatch { watch, page, is_over })
    }

    /// After its deletion there is nothing more to hear of a page.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// At most three statements for each event.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<PageChange>> {
        while let Some((event, _)) = self.watch.next(kurso).await? {
            let is_gone = matches!(*event, Event::Removed { .. }) && !is_there(kurso, self.page).await?;
            let change = match &*event {
                Event::Page {
                    page,
                    what,
                    version,
                    by,
                    session,
                    at,
                } => PageChange {
                    page: *page,
                    what: *what,
                    version: Some(*version),
                    by: people(kurso, &[*by]).await?.pop(),
                    session: session.clone(),
                    at: *at,
                },
                Event::Removed { .. } if is_gone => PageChange {
                    page: self.page,
                    what: Change::Deleted,
                    version: None,
                    by: None,
                    session: None,
                    at: kurso.clock.now(),
                },
                _ => continue,
            };
            self.is_over = change.what == Change::Deleted;
            return Ok(Some(change));
        }
        Ok(None)
    }
}

/// Who has a page open in an editor; whoever watches that has it open too.
#[derive(Debug)]
pub struct EditorsWatch {
    watch: Watch,
    page: PageId,
    /// As they were last shown.
    last: Option<Vec<Editor>>,
    _own: Presence,
}

/// An editor somebody has open.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenEditor {
    pub id: Uuid,
    pub by: Somebody,
    /// As the editor names itself when it saves.
    pub session: Option<String>,
    pub since: DateTime<Utc>,
}

impl EditorsWatch {
    /// `session`: as the editor names itself when it saves; at most 128 characters. 404 without a relation to the course, 403
    /// for those who may not change the page.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, page: PageId, session: Option<String>) -> Result<Self> {
        courses::page::check_session(session.as_deref())?;
        let course = courses::find_by_page(&kurso.db, viewer, page, Right::Edit).await?.id;
        let watch = Watch::start(kurso, viewer, course, Right::Edit, &[Topic::Editors(page)]).await?;
        require_page(kurso, page).await?;
        let now = kurso.clock.now();
        Ok(EditorsWatch {
            watch,
            page,
            last: None,
            _own: kurso.db.live().open_editor(page, viewer.id(), session, now),
        })
    }

    /// Everybody who has the page open, first come first: at once, and each time it changes. 404 when the page is gone. Four
    /// statements for each change.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<Vec<OpenEditor>>> {
        let editors = loop {
            if self.last.is_some() {
                match self.watch.next(kurso).await? {
                    None => return Ok(None),
                    Some(_) => require_page(kurso, self.page).await?,
                }
            }
            let editors = kurso.db.live().open_editors(self.page);
            if self.last.as_ref() != Some(&editors) {
                break editors;
            }
        };
        self.last = Some(editors.clone());
        let ids: Vec<UserId> = editors.iter().map(|editor| editor.user).collect();
        let people = people(kurso, &ids).await?;
        let named = editors.into_iter().filter_map(|editor| {
            Some(OpenEditor {
                by: people.iter().find(|somebody| somebody.id == editor.user)?.clone(),
                id: editor.id,
                session: editor.session,
                since: editor.since,
            })
        });
        Ok(Some(named.collect()))
    }
}

/// Whether a person is still signed in, for whoever holds something open for them.
#[derive(Debug)]
pub struct PersonWatch {
    viewer: Viewer,
    events: Subscriber,
}

impl PersonWatch {
    pub async fn start(kurso: &Kurso, viewer: &Viewer) -> Self {
        PersonWatch {
            events: kurso.db.live().subscribe(&[Topic::Person(viewer.id())]).await,
            viewer: viewer.clone(),
        }
    }

    /// Done when the person may be signed in no longer; false: something was missed.
    pub async fn changed(&mut self) -> bool {
        self.events.next().await.is_some()
    }

    /// The person as they are now and when their session ends; [`Error::BadCredentials`] when it is over. One statement.
    pub async fn still(&self, kurso: &Kurso) -> Result<(Viewer, DateTime<Utc>)> {
        auth::still(kurso, &self.viewer).await
    }
}

async fn is_there(kurso: &Kurso, page: PageId) -> Result<bool> {
    let found = sql!("SELECT id FROM pages WHERE id = $1", page);
    Ok(found.fetch_optional::<(PageId,)>(&kurso.db).await?.is_some())
}

async fn require_page(kurso: &Kurso, page: PageId) -> Result<()> {
    match is_there(kurso, page).await? {
        true => Ok(()),
        false => Err(Error::NotFound(Message::PageNotFound)),
    }
}

async fn people(kurso: &Kurso, ids: &[UserId]) -> Result<Vec<Somebody>> {
    let people = sql!("SELECT id, full_name FROM users WHERE id IN ").push_in(ids.iter().copied());
    Ok(people.fetch_all(&kurso.db).await?)
}
