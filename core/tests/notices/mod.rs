//! Notices on both databases: who is notified of what, who may read it, and how it is withdrawn.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod deadlines;
mod list;
mod many;
mod results;
mod rights;
mod team;

use kurso_core::access::Viewer;
use kurso_core::check::{self, Depth};
use kurso_core::inbox::{self, List, MAX_LISTED, Notice, Wanted};
use kurso_core::testing::TestKurso;
use kurso_db::sql;

/// All notices of a person.
async fn listed(kurso: &TestKurso, who: &Viewer) -> List {
    let wanted = Wanted {
        first: MAX_LISTED,
        ..Wanted::default()
    };
    inbox::list(kurso, who, wanted).await.unwrap()
}

async fn notices(kurso: &TestKurso, who: &Viewer) -> Vec<Notice> {
    listed(kurso, who).await.items
}

/// The kinds of a person's notices, newest first.
async fn kinds(kurso: &TestKurso, who: &Viewer) -> Vec<&'static str> {
    let list = listed(kurso, who).await;
    let unread = list.items.iter().filter(|notice| notice.read_at.is_none()).count();
    assert_eq!(list.unread, unread, "the number is that of the list");
    list.items.iter().map(|notice| notice.kind.name()).collect()
}

async fn read_all(kurso: &TestKurso, who: &Viewer) {
    let ids: Vec<_> = notices(kurso, who).await.iter().map(|notice| notice.id).collect();
    if !ids.is_empty() {
        assert_eq!(inbox::mark_read(kurso, who, &ids).await.unwrap(), 0);
    }
}

/// The number of all stored notices, without those of completed courses.
async fn stored(kurso: &TestKurso) -> i64 {
    let count = sql!("SELECT COUNT(*) FROM notices WHERE kind <> 'course_completed'").fetch_one::<(i64,)>(&kurso.db);
    count.await.unwrap().0
}

async fn assert_consistent(kurso: &TestKurso) {
    let report = check::check(kurso, Depth::default()).await.unwrap();
    assert_eq!(report.problems, 0, "{:?}", report.findings);
}
