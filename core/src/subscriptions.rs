//! Subscriptions with access checks: the rights of the viewer are checked again for every event. A viewer who lost them
//! gets an error, which ends the subscription. `next` returns None if events were lost; the client must then reload.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tokio::sync::{Semaphore, SemaphorePermit};
use uuid::Uuid;

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::auth;
use crate::courses::groups::GroupFilter;
use crate::courses::{self, Course};
use crate::students::{self, Student};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::{BlockIndex, EditorSession};
use kurso_db::events::{Activity, Change, Editor, Event, Presence, Subscriber, Topic};
use kurso_db::sql;

/// The number of watches that read from the database at the same time: fewer than the connections of a pool.
const READING: usize = 4;

/// Bounds how many watches read at the same time. An event may concern thousands of them. Without a bound, they would occupy all connections,
/// and watches and requests would time out while they wait for one.
#[derive(Debug)]
pub struct WatchQueue(Semaphore);

impl Default for WatchQueue {
    fn default() -> Self {
        WatchQueue(Semaphore::new(READING))
    }
}

impl WatchQueue {
    /// Waits, first come first served, until the watch may read; it may until the permit is dropped. Must not be called while holding one.
    pub async fn enter(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.0.acquire().await.ok()
    }
}

/// A subscription to events of one course.
#[derive(Debug)]
pub(crate) struct Watch {
    viewer: Viewer,
    course: CourseId,
    right: Right,
    events: Subscriber,
}

impl Watch {
    /// Subscribes before checking the rights, so that no event is missed in between.
    pub async fn start(
        kurso: &Kurso,
        viewer: &Viewer,
        course: CourseId,
        right: Right,
        topics: &[Topic],
    ) -> Result<Self> {
        let common = [Topic::Removed(course), Topic::Person(viewer.id())];
        let topics: Vec<Topic> = topics.iter().copied().chain(common).collect();
        let events = kurso.db.event_bus().subscribe(&topics).await;
        courses::find(&kurso.db, viewer, course, right).await?;
        let viewer = viewer.clone();
        Ok(Watch {
            viewer,
            course,
            right,
            events,
        })
    }

    /// The next event of any topic, with the course as the viewer now sees it. Two statements.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<(Arc<Event>, Course)>> {
        let Some(event) = self.events.next().await else {
            return Ok(None);
        };
        let _permit = kurso.watch_queue.enter().await;
        let (viewer, _) = auth::revalidate(kurso, &self.viewer).await?;
        let course = courses::find(&kurso.db, &viewer, self.course, self.right).await?;
        Ok(Some((event, course)))
    }
}

/// Learner activity of a course, for those who may see its students.
#[derive(Debug)]
pub struct CourseWatch {
    watch: Watch,
    group: GroupFilter,
}

/// One activity of a learner.
#[derive(Clone, Debug)]
pub struct CourseActivity {
    pub what: Activity,
    /// The learner's current state.
    pub student: Student,
    pub at: DateTime<Utc>,
}

impl CourseWatch {
    /// Watches the learners that are in the group when they act. Fails with 404 without a relation to the course, with 403
    /// for learners.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, course: CourseId, group: GroupFilter) -> Result<Self> {
        let topics = [Topic::Course(course)];
        let watch = Watch::start(kurso, viewer, course, Right::SeeStudents, &topics).await?;
        Ok(CourseWatch { watch, group })
    }

    /// At most eight statements per event; four if the course tree is cached.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<CourseActivity>> {
        while let Some((event, course)) = self.watch.next(kurso).await? {
            let Event::Activity {
                enrollment, what, at, ..
            } = *event
            else {
                continue;
            };
            let _permit = kurso.watch_queue.enter().await;
            // Skips activity of a learner who has left the course since.
            let student = students::find(kurso, &course, enrollment).await?;
            let is_watched = |student: &Student| self.group.admits(student.group.as_ref().map(|group| group.id));
            if let Some(student) = student.filter(is_watched) {
                return Ok(Some(CourseActivity { what, student, at }));
            }
        }
        Ok(None)
    }
}

/// Changes of the groups of a course, of who is in them, of overrides, and of many dates at once, for those who may see its students.
#[derive(Debug)]
pub struct GroupsWatch(Watch);

impl GroupsWatch {
    /// Fails with 404 without a relation to the course, with 403 for learners.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Self> {
        let topics = [Topic::Groups(course)];
        let watch = Watch::start(kurso, viewer, course, Right::SeeStudents, &topics).await?;
        Ok(GroupsWatch(watch))
    }

    /// The course after each change. Two statements per event.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<Course>> {
        while let Some((event, course)) = self.0.next(kurso).await? {
            if matches!(*event, Event::Groups { .. }) {
                return Ok(Some(course));
            }
        }
        Ok(None)
    }
}

/// Changes of the gradebook of a course, for those who may see its students: of its settings, of decisions, of what learners submit, and of
/// the pages of the course.
#[derive(Debug)]
pub struct GradesWatch(Watch);

impl GradesWatch {
    /// Fails with 404 without a relation to the course, with 403 for learners.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Self> {
        let topics = [Topic::Grades(course), Topic::Course(course), Topic::Groups(course)];
        let watch = Watch::start(kurso, viewer, course, Right::SeeStudents, &topics).await?;
        Ok(GradesWatch(watch))
    }

    /// The course after each change. Two statements per event.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<Course>> {
        while let Some((event, course)) = self.0.next(kurso).await? {
            let changes = match &*event {
                Event::Grades { .. } | Event::Groups { .. } => true,
                Event::Activity { what, .. } => matches!(what, Activity::Enrolled | Activity::Submitted { .. }),
                _ => false,
            };
            if changes {
                return Ok(Some(course));
            }
        }
        Ok(None)
    }
}

/// Changes of a page and its comments, for those who may comment. Who reads no drafts is not told of their changes.
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
    /// The current version; None if the page was deleted together with its lesson, module or course.
    pub version: Option<i64>,
    /// None if the account was deleted, or if the page was deleted together with its lesson, module or course.
    pub by: Option<PersonName>,
    /// The editor session that made the change, if the client named it.
    pub session: Option<String>,
    pub at: DateTime<Utc>,
}

/// A person's id and name.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct PersonName {
    pub id: UserId,
    pub full_name: Option<String>,
}

impl PageWatch {
    /// Fails with 404 without a relation to the course, with 403 without the right to comment.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Self> {
        let course = courses::find(&kurso.db, viewer, page, Right::Comment).await?.id;
        let watch = Watch::start(kurso, viewer, course, Right::Comment, &[Topic::Page(page)]).await?;
        require_page(kurso, page).await?;
        let is_over = false;
        Ok(PageWatch { watch, page, is_over })
    }

    /// Whether the page was deleted, after which no more events follow.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// At most three statements per event.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<PageChange>> {
        while let Some((event, course)) = self.watch.next(kurso).await? {
            let is_gone = matches!(*event, Event::Removed { .. }) && !page_exists(kurso, self.page).await?;
            let change = match &*event {
                Event::Page { what, .. } if what.is_of_draft() && !course.role.may(Right::ReadDrafts) => continue,
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

/// The editors that have a page open. The subscriber counts as one of them.
#[derive(Debug)]
pub struct EditorsWatch {
    watch: Watch,
    page: PageId,
    /// The editors last returned.
    last: Option<Vec<Editor>>,
    _own: Presence,
}

/// An open editor with the name of its user.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenEditor {
    pub id: Uuid,
    pub by: PersonName,
    /// The name the editor gives itself when it saves.
    pub session: Option<String>,
    pub since: DateTime<Utc>,
    /// Index of the block with the cursor; None if the cursor is not in the text, or if the editor has not said so.
    pub block: Option<i64>,
}

/// Where the cursor of an open editor is.
#[derive(Clone, Debug)]
pub struct MoveEditor {
    /// The name that the editor subscribed with.
    pub user_session_id: EditorSession,
    /// Index among the blocks of the text; None if the cursor is not in the text.
    pub block: Option<BlockIndex>,
}

/// Tells the other editors of a page where the cursor of one of the viewer's editors is. Nothing is stored. Owner and editors. One statement.
pub async fn move_editor(kurso: &Kurso, viewer: &Viewer, page: PageId, to: MoveEditor) -> Result<()> {
    courses::find(&kurso.db, viewer, page, Right::Edit).await?;
    let (session, block) = (to.user_session_id.into(), to.block.map(BlockIndex::get));
    kurso.db.event_bus().move_editor(page, viewer.id(), session, block);
    Ok(())
}

impl EditorsWatch {
    /// `session` is the name that the editor saves with. 404 without a relation to the course, 403 without the right to edit
    /// the page.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, page: PageId, session: Option<EditorSession>) -> Result<Self> {
        let course = courses::find(&kurso.db, viewer, page, Right::Edit).await?.id;
        let watch = Watch::start(kurso, viewer, course, Right::Edit, &[Topic::Editors(page)]).await?;
        require_page(kurso, page).await?;
        let now = kurso.clock.now();
        Ok(EditorsWatch {
            watch,
            page,
            last: None,
            _own: kurso
                .db
                .event_bus()
                .open_editor(page, viewer.id(), session.map(String::from), now),
        })
    }

    /// All editors that have the page open, in order of opening: immediately at first, then after each change. Fails
    /// with 404 if the page was deleted. Four statements per change.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<Vec<OpenEditor>>> {
        let editors = loop {
            if self.last.is_some() {
                match self.watch.next(kurso).await? {
                    None => return Ok(None),
                    Some(_) => require_page(kurso, self.page).await?,
                }
            }
            let editors = kurso.db.event_bus().open_editors(self.page);
            if self.last.as_ref() != Some(&editors) {
                break editors;
            }
        };
        self.last = Some(editors.clone());
        let ids: Vec<UserId> = editors.iter().map(|editor| editor.user).collect();
        let people = people(kurso, &ids).await?;
        let named = editors.into_iter().filter_map(|editor| {
            Some(OpenEditor {
                by: people.iter().find(|person| person.id == editor.user)?.clone(),
                id: editor.id,
                session: editor.session,
                since: editor.since,
                block: editor.block,
            })
        });
        Ok(Some(named.collect()))
    }
}

/// Whether a person is still logged in, for connections held open for them.
#[derive(Debug)]
pub struct PersonWatch {
    viewer: Viewer,
    events: Subscriber,
}

impl PersonWatch {
    pub async fn start(kurso: &Kurso, viewer: &Viewer) -> Self {
        PersonWatch {
            events: kurso.db.event_bus().subscribe(&[Topic::Person(viewer.id())]).await,
            viewer: viewer.clone(),
        }
    }

    /// Waits until the person's rights or sessions may have changed. False if events were lost.
    pub async fn changed(&mut self) -> bool {
        self.events.next().await.is_some()
    }

    /// The person's current state and the end of their session; fails with [`Error::BadCredentials`] if it is over. One
    /// statement.
    pub async fn still(&self, kurso: &Kurso) -> Result<(Viewer, DateTime<Utc>)> {
        auth::revalidate(kurso, &self.viewer).await
    }
}

async fn page_exists(kurso: &Kurso, page: PageId) -> Result<bool> {
    let found = sql!("SELECT id FROM pages WHERE id = $1", page);
    Ok(found.fetch_optional::<(PageId,)>(&kurso.db).await?.is_some())
}

async fn require_page(kurso: &Kurso, page: PageId) -> Result<()> {
    match page_exists(kurso, page).await? {
        true => Ok(()),
        false => Err(Error::NotFound(Message::PageNotFound)),
    }
}

async fn people(kurso: &Kurso, ids: &[UserId]) -> Result<Vec<PersonName>> {
    let people = sql!("SELECT id, full_name FROM users WHERE id IN ").push_in(ids.iter().copied());
    Ok(people.fetch_all(&kurso.db).await?)
}
