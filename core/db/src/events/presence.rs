//! Presence: which pages are open in which editors, on all nodes. Kept in memory only.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Event;
use super::bus::EventBus;
use super::relay::Message;
use kurso_base::ids::{PageId, UserId};

/// Maximum editors listed per page.
const MAX_LISTED: usize = 50;

/// An open editor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Editor {
    pub id: Uuid,
    pub user: UserId,
    /// The name the editor gives itself when it saves.
    pub session: Option<String>,
    pub since: DateTime<Utc>,
    /// Index of the block with the cursor; None if the cursor is not in the text, or if that is unknown.
    #[serde(default)]
    pub block: Option<i64>,
}

/// Open editors by page, each with its node.
#[derive(Debug, Default)]
pub(super) struct Editors(Mutex<HashMap<PageId, Vec<(Uuid, Editor)>>>);

/// Registers an open editor until dropped.
#[derive(Debug)]
pub struct Presence {
    bus: EventBus,
    page: PageId,
    id: Uuid,
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.bus.editors().remove(self.page, self.id);
        let (page, id) = (self.page, self.id);
        self.bus.outgoing().send(Message::EditorClosed { page, id });
        self.bus.deliver(Event::Editors { page });
    }
}

impl EventBus {
    /// Registers an editor as open and announces it to the subscribers of all nodes.
    pub fn open_editor(&self, page: PageId, user: UserId, session: Option<String>, now: DateTime<Utc>) -> Presence {
        let editor = Editor {
            id: Uuid::now_v7(),
            user,
            session,
            since: now,
            block: None,
        };
        let id = editor.id;
        self.editors().insert(page, self.node(), editor.clone());
        self.outgoing().send(Message::EditorOpened { page, editor });
        self.deliver(Event::Editors { page });
        let bus = self.clone();
        Presence { bus, page, id }
    }

    /// Notes the block at which the editors of this user with this session are, on all nodes, and announces it to their subscribers.
    pub fn move_editor(&self, page: PageId, user: UserId, session: String, block: Option<i64>) {
        self.moved(page, user, &session, block);
        self.outgoing().send(Message::EditorMoved {
            page,
            user,
            session,
            block,
        });
    }

    /// As [`EventBus::move_editor`], of another node.
    pub(super) fn moved(&self, page: PageId, user: UserId, session: &str, block: Option<i64>) {
        if self.editors().set_block(page, user, session, block) {
            self.deliver(Event::Editors { page });
        }
    }

    /// The editors that have the page open, in order of opening; at most 50.
    pub fn open_editors(&self, page: PageId) -> Vec<Editor> {
        let editors = self.editors().lock();
        let here = editors.get(&page).into_iter().flatten();
        let mut here: Vec<Editor> = here.map(|(_, editor)| editor.clone()).collect();
        here.sort_by_key(|editor| (editor.since, editor.id));
        here.truncate(MAX_LISTED);
        here
    }
}

impl Editors {
    /// Adds an editor. Returns false if it is known already, at the same block.
    pub fn insert(&self, page: PageId, node: Uuid, editor: Editor) -> bool {
        let mut editors = self.lock();
        let here = editors.entry(page).or_default();
        match here.iter_mut().find(|(_, known)| known.id == editor.id) {
            Some((_, known)) => std::mem::replace(&mut known.block, editor.block) != editor.block,
            None => {
                here.push((node, editor));
                true
            }
        }
    }

    /// Returns false if nothing changes.
    fn set_block(&self, page: PageId, user: UserId, session: &str, block: Option<i64>) -> bool {
        let (mut editors, mut changed) = (self.lock(), false);
        for (_, editor) in editors.get_mut(&page).into_iter().flatten() {
            if editor.user == user && editor.session.as_deref() == Some(session) {
                changed |= std::mem::replace(&mut editor.block, block) != block;
            }
        }
        changed
    }

    pub fn remove(&self, page: PageId, id: Uuid) {
        let mut editors = self.lock();
        if let Some(here) = editors.get_mut(&page) {
            here.retain(|(_, editor)| editor.id != id);
            if here.is_empty() {
                editors.remove(&page);
            }
        }
    }

    /// The editors of one node.
    pub fn of(&self, node: Uuid) -> Vec<(PageId, Editor)> {
        let editors = self.lock();
        let all = editors
            .iter()
            .flat_map(|(page, here)| here.iter().map(move |one| (page, one)));
        all.filter(|(_, (of, _))| *of == node)
            .map(|(page, (_, editor))| (*page, editor.clone()))
            .collect()
    }

    /// Removes the editors of all nodes that `is_kept` rejects. Returns the pages that lost an editor.
    pub fn retain_nodes(&self, is_kept: impl Fn(Uuid) -> bool) -> BTreeSet<PageId> {
        let mut changed = BTreeSet::new();
        self.lock().retain(|page, here| {
            let before = here.len();
            here.retain(|(node, _)| is_kept(*node));
            if here.len() < before {
                changed.insert(*page);
            }
            !here.is_empty()
        });
        changed
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PageId, Vec<(Uuid, Editor)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
