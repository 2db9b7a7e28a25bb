//! One course with every field set goes through everything that copies a course, and is compared whole.
//!
//! A column, a table, a quiz setting, a type of question, or a node of the content model that is added must be added to the
//! sample here; every path that does not carry it then fails the test. What a path leaves out on purpose is listed with its reason.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod reports;
mod rows;
mod sample;

use std::collections::BTreeSet;
use std::path::Path;

use kurso_base::ids::{CourseId, PageId};
use kurso_base::values::{Checked as _, ShiftDays};
use kurso_core::access::Viewer;
use kurso_core::courses::duplicate::{self, DuplicateCourse};
use kurso_core::courses::page;
use kurso_core::drafts::{Stored, load, load_without_bytes, store, update};
use kurso_core::snapshots::{self, Changes};
use kurso_core::testing::{Backend, TestKurso, command};
use kurso_core::{backup, both};
use kurso_db::sql;
use kurso_formats::{CourseDraft, DateForm, Report, export, export_cartridge, export_with, read, unwatched};
use serde_json::json;
use uuid::Uuid;

use rows::{CHANGED_BY_DUPLICATE, NOT_CARRIED, assert_same, listed, rows_of};
use sample::complete::assert_complete;
use sample::{other_course, sample};

async fn stored(kurso: &TestKurso, owner: &Viewer, draft: CourseDraft) -> CourseId {
    let mut report = Report::default();
    let stored = store::store(kurso, owner.id(), draft, &mut report).await.unwrap();
    assert_eq!(report.entries.len(), 0, "{:?}", report.entries);
    stored.course_id
}

async fn loaded(kurso: &TestKurso, course: CourseId, scratch: &Path) -> CourseDraft {
    std::fs::create_dir_all(scratch).unwrap();
    load(kurso, course, None, scratch).await.unwrap()
}

fn opposite(kurso: &TestKurso) -> Backend {
    match kurso.db.name() {
        "sqlite" => Backend::Postgres,
        _ => Backend::Sqlite,
    }
}

both! {
    async fn nothing_of_a_course_is_lost_in_a_copy(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let dir = tempfile::TempDir::new().unwrap();
        let at = |name: &str| dir.path().join(name);
        let original = stored(&kurso, &owner, sample(&at("sample"))).await;
        let rows = rows_of(&kurso.db, original).await;
        assert_complete(&rows);
        let not_carried = listed(NOT_CARRIED);

        let copy = duplicate::course(&kurso, &owner, original, Default::default()).await.unwrap().id;
        let except = not_carried.union(&listed(CHANGED_BY_DUPLICATE)).copied().collect();
        assert_same("a duplicate", &rows, &rows_of(&kurso.db, copy).await, &except);
        let how = DuplicateCourse { shift_days: Some(ShiftDays::check(0).unwrap()) };
        let copy = duplicate::course(&kurso, &owner, original, how).await.unwrap().id;
        assert_same("a duplicate shifted by no day", &rows, &rows_of(&kurso.db, copy).await, &except);

        // A loaded draft has the ids of the stored course, so it is stored on another server.
        let there = TestKurso::new(opposite(&kurso)).await;
        let owner_there = there.person("owner").await;
        let reload = stored(&there, &owner_there, loaded(&kurso, original, &at("scratch")).await).await;
        assert_same("loading and storing", &rows, &rows_of(&there.db, reload).await, &not_carried);

        let draft = loaded(&kurso, original, &at("scratch")).await;
        export(&draft, &at("markdown.zip")).unwrap();
        export_with(&draft, DateForm::FromStart, &at("relative.zip")).unwrap();
        export_cartridge(&draft, &at("package.imscc")).unwrap();
        for file in ["markdown.zip", "relative.zip", "package.imscc"] {
            let read_back = || {
                let scratch = at(&format!("{file}-{}", Uuid::now_v7()));
                std::fs::create_dir_all(&scratch).unwrap();
                let (draft, _) = read(&at(file), None, &scratch, &mut unwatched).unwrap();
                draft
            };
            let import = stored(&kurso, &owner, read_back()).await;
            assert_same(file, &rows, &rows_of(&kurso.db, import).await, &not_carried);

            // An update of a live course sets every field, clears every field, and moves and adds parts.
            let live = stored(&kurso, &owner, other_course(&at("other"))).await;
            let before = rows_of(&kurso.db, live).await;
            let scratch = at("scratch");
            update(&kurso, &owner, live, read_back(), &mut Report::default(), &scratch).await.unwrap();
            assert_same("an update", &rows, &rows_of(&kurso.db, live).await, &not_carried);
            update(&kurso, &owner, live, other_course(&at("other")), &mut Report::default(), &scratch).await.unwrap();
let mut back = rows_of(&kurso.db, live).await;
            // The history of a page keeps its files.
            back.retain(|row, _| !["page_files ", "files "].iter().any(|table| row.starts_with(table)));
            assert_same("an update back", &before, &back, &not_carried);
        }

        // A snapshot brings back every field, also with the ids of questions.
        let live = stored(&kurso, &owner, sample(&at("live"))).await;
        let asked = sql!("SELECT id FROM pages WHERE course_id = $1 AND published AND kind <> 'assignment' ORDER BY position", live);
        for (page,) in asked.fetch_all::<(PageId,)>(&kurso.db).await.unwrap() {
            let draft = command(json!({"draft": true, "title": "Потом"}));
            page::update(&kurso, &owner, page, None, draft).await.unwrap();
        }
        let with_drafts = async || {
            let drafted = Stored { course: live, drafts: true };
            let drafted = load_without_bytes(&kurso, drafted, owner.id()).await.unwrap();
            (load_without_bytes(&kurso, live.into(), owner.id()).await.unwrap(), drafted)
        };
        let (before, drafts) = (rows_of(&kurso.db, live).await, with_drafts().await);
        let taken = snapshots::take(&kurso, &owner, live, command(json!({"name": "x"}))).await.unwrap().id;
        update(&kurso, &owner, live, other_course(&at("other")), &mut Report::default(), &at("scratch")).await.unwrap();
        let content = snapshots::content(&kurso, &owner, taken).await.unwrap();
        let shown = Changes::to(&kurso, &owner, &content, None).await.unwrap().digest.unwrap();
        snapshots::restore(&kurso, &owner, taken, &shown).await.unwrap();
        assert_same("a snapshot", &before, &rows_of(&kurso.db, live).await, &not_carried);
        assert_eq!(with_drafts().await, drafts);

        // Backups and moves carry every column of every table.
        let nothing = BTreeSet::new();
        backup::backup(&kurso, &at("backup.zip"), "test", &|_| {}).await.unwrap();
        let there = TestKurso::empty(opposite(&kurso)).await;
        backup::restore(&there.db, &there.files, &at("backup.zip"), &|_| {}).await.unwrap();
        assert_same("backup and restore", &rows, &rows_of(&there.db, original).await, &nothing);
        let there = TestKurso::empty(opposite(&kurso)).await;
        backup::move_all(&kurso.db, &there.db, "here", &|_| {}).await.unwrap();
        assert_same("a move", &rows, &rows_of(&there.db, original).await, &nothing);
    }
}
