//! Who has which page open in an editor, on every node. Kept in memory only: it is true as long as the nodes are there.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Event;
use super::live::Live;
use super::relay::Word;
use crate::ids::{PageId, UserId};

/// Open editors of one page that are shown.
const SHOWN: usize = 50;

/// An editor somebody has open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Editor {
    pub id: Uuid,
    pub user: UserId,
    /// As the editor names itself when it saves.
    pub session: Option<String>,
    pub since: DateTime<Utc>,
}

/// By page, and of each the node it is on.
#[derive(Debug, Default)]
pub(super) struct Editors(Mutex<HashMap<PageId, Vec<(Uuid, Editor)>>>);

/// An editor that is open until this is dropped.
#[derive(Debug)]
pub struct Presence {
    live: Live,
    page: PageId,
    id: Uuid,
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.live.editors().remove(self.page, self.id);
        let (page, id) = (self.page, self.id);
        self.live.outgoing().say(Word::Left { page, id });
        self.live.deliver(Event::Editors { page });
    }
}

impl Live {
    /// Somebody opens a page in an editor.
    pub fn open_editor(&self, page: PageId, user: UserId, session: Option<String>, now: DateTime<Utc>) -> Presence {
        let editor = Editor {
            id: Uuid::now_v7(),
            user,
            session,
            since: now,
        };
        let id = editor.id;
        self.editors().insert(page, self.node(), editor.clone());
        self.outgoing().say(Word::Came { page, editor });
        self.deliver(Event::Editors { page });
        let live = self.clone();
        Presence { live, page, id }
    }

    /// Who has the page open, first come first; at most 50.
    pub fn open_editors(&self, page: PageId) -> Vec<Editor> {
        let editors = self.editors().lock();
        let here = editors.get(&page).into_iter().flatten();
        let mut here: Vec<Editor> = here.map(|(_, editor)| editor.clone()).collect();
        here.sort_by_key(|editor| (editor.since, editor.id));
        here.truncate(SHOWN);
        here
    }
}

impl Editors {
    /// Once more is the same.
    pub fn insert(&self, page: PageId, node: Uuid, editor: Editor) -> bool {
        let mut editors = self.lock();
        let here = editors.entry(page).or_default();
        let is_new = here.iter().all(|(_, other)| other.id != editor.id);
        if is_new {
            here.push((node, editor));
        }
        is_new
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

    /// Those of a node.
    pub fn of(&self, node: Uuid) -> Vec<(PageId, Editor)> {
        let editors = self.lock();
        let all = editors
            .iter()
            .flat_map(|(page, here)| here.iter().map(move |one| (page, one)));
        all.filter(|(_, (of, _))| *of == node)
            .map(|(page, (_, editor))| (*page, editor.clone()))
            .collect()
    }

    /// Keeps those of the nodes that `stays` names; answers with the pages where somebody went.
    pub fn keep(&self, stays: impl Fn(Uuid) -> bool) -> BTreeSet<PageId> {
        let mut changed = BTreeSet::new();
        self.lock().retain(|page, here| {
            let before = here.len();
            here.retain(|(node, _)| stays(*node));
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
