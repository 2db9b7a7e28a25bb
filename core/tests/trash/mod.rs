//! The trash on both databases: an entry keeps every row, restores every row, and disappears when it expires or its account is deleted.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod meanwhile;
mod random;
pub mod world;

use std::collections::BTreeSet;

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::TrashEntryId;
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_core::access::Right;
use kurso_core::audit::{self, Filter};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::courses::{course, lesson, module, page};
use kurso_core::files::cleanup;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, assert_dense, command};
use kurso_core::trash::{self, RestoreFromTrash, TrashKind};
use kurso_core::{both, drafts, users};
use kurso_db::references::{Catalogue, OnDelete};
use kurso_db::sql;
use kurso_formats::Report;
use kurso_formats::keys::key_of;
use serde_json::json;
use uuid::Uuid;

use world::{QUIZ, World, assert_same, dump};

/// The tables whose rows go with a course.
async fn tables_of_courses(kurso: &TestKurso) -> BTreeSet<String> {
    let mut tx = kurso.db.begin().await.unwrap();
    let catalogue = Catalogue::read(&mut tx).await.unwrap();
    let mut found = BTreeSet::from([catalogue.table("courses").unwrap()]);
    loop {
        let cascading = catalogue
            .references
            .iter()
            .filter(|reference| reference.on_delete == OnDelete::Cascade && found.contains(&reference.to));
        let more: BTreeSet<usize> = cascading.map(|reference| reference.from).collect();
        if more.is_subset(&found) {
            break;
        }
        found.extend(more);
    }
    found
        .into_iter()
        .map(|index| catalogue.tables[index].name.clone())
        .collect()
}

async fn restore(kurso: &TestKurso, world: &World, entry: TrashEntryId) {
    trash::restore(kurso, &world.owner, entry, RestoreFromTrash::default())
        .await
        .unwrap();
}

async fn count(kurso: &TestKurso, table: &'static str) -> i64 {
    sql!(table).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
}

both! {
    async fn a_course_goes_to_the_trash_and_back_with_every_table(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let before = dump(&kurso.db).await;
        let tables = tables_of_courses(&kurso).await;
        let empty: Vec<_> = tables.iter().filter(|table| before[*table].is_empty()).collect();
        assert!(empty.is_empty(), "the sample has no row in {empty:?}: add one to core/tests/trash/world.rs");

        course::delete(&kurso, &world.owner, world.course).await.unwrap();
        let deleted = dump(&kurso.db).await;
        let left: Vec<_> = tables.iter().filter(|table| !deleted[*table].is_empty()).collect();
        assert!(left.is_empty(), "{left:?} still have rows");
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM search_documents WHERE page_id IS NOT NULL").await, 0);

        // A visit locks the enrollment before it refers to the page; the other order could deadlock.
        let order = "SELECT MAX(CASE WHEN table_name = 'enrollments' THEN seq END) < MIN(CASE WHEN table_name = 'pages' THEN seq END) FROM trash_rows";
        assert!(sql!(order).fetch_one::<(bool,)>(&kurso.db).await.unwrap().0, "enrollments are taken before pages");

        let entry = trash::deleted_courses(&kurso, &world.owner).await.unwrap().remove(0);
        assert_eq!((entry.kind, entry.page_count, entry.attempt_count), (TrashKind::Course, 7, 2));
        assert_eq!(entry.expires_at - entry.deleted_at, Duration::days(30));
        restore(&kurso, &world, entry.id).await;
        assert_same("a course", &before, &dump(&kurso.db).await);
        assert_eq!(count(&kurso, "SELECT COUNT(DISTINCT page_id) FROM search_documents WHERE page_id IS NOT NULL").await, 7);
    }

    async fn parts_go_to_the_trash_and_back(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let before = dump(&kurso.db).await;
        for page in &world.pages {
            page::delete(&kurso, &world.owner, *page).await.unwrap();
            restore(&kurso, &world, world.entries(&kurso).await[0].id).await;
            assert_same("a page", &before, &dump(&kurso.db).await);
        }
        for lesson in &world.lessons {
            lesson::delete(&kurso, &world.owner, *lesson).await.unwrap();
            restore(&kurso, &world, world.entries(&kurso).await[0].id).await;
            assert_same("a lesson", &before, &dump(&kurso.db).await);
        }
        for module in &world.modules {
            module::delete(&kurso, &world.owner, *module).await.unwrap();
            let entry = world.entries(&kurso).await.remove(0);
            assert_eq!(entry.deleted_by, Some(world.owner.id()));
            restore(&kurso, &world, entry.id).await;
            assert_same("a module", &before, &dump(&kurso.db).await);
        }
        let acts = audit::list(&kurso, &kurso.superuser("head").await, &Filter::default(), Page::default()).await.unwrap();
        let named = |name: &str| acts.data.iter().filter(|entry| entry.act.name() == name && entry.actor.is_some()).count();
        assert_eq!((named("part_deleted"), named("restored_from_trash")), (12, 12));
    }

    /// A table that a migration adds belongs to the parts of a course by its foreign keys alone.
    async fn a_table_added_later_is_carried(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        for create in [
            "CREATE TABLE later (id UUID NOT NULL PRIMARY KEY, page_id UUID NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
               user_id UUID REFERENCES users (id) ON DELETE CASCADE, note TEXT)",
            "CREATE TABLE later_still (later_id UUID NOT NULL REFERENCES later (id) ON DELETE CASCADE, number BIGINT NOT NULL,
               above BIGINT, PRIMARY KEY (later_id, number))",
            "CREATE TABLE linked (id UUID NOT NULL PRIMARY KEY, page_id UUID REFERENCES pages (id) ON DELETE SET NULL)",
        ] {
            sql!(create).execute(&kurso.db).await.unwrap();
        }
        let page = world.pages[0];
        for n in 0..700_i64 {
            let id = Uuid::now_v7();
            let person = world.learners[(n % 2) as usize].id();
            sql!("INSERT INTO later (id, page_id, user_id, note) VALUES ($1, $2, $3, $4)", id, page, person, "ё\n\"\\".repeat(900))
                .execute(&kurso.db).await.unwrap();
            sql!("INSERT INTO later_still (later_id, number) VALUES ($1, $2)", id, n).execute(&kurso.db).await.unwrap();
            sql!("INSERT INTO linked (id, page_id) VALUES ($1, $2)", id, Some(page).filter(|_| n % 3 > 0)).execute(&kurso.db).await.unwrap();
        }
        let before = dump(&kurso.db).await;
        page::delete(&kurso, &world.owner, page).await.unwrap();
        for table in ["SELECT COUNT(*) FROM later", "SELECT COUNT(*) FROM later_still", "SELECT COUNT(*) FROM linked WHERE page_id IS NOT NULL"] {
            assert_eq!(count(&kurso, table).await, 0, "{table}");
        }
        restore(&kurso, &world, world.entries(&kurso).await[0].id).await;
        assert_same("tables added later", &before, &dump(&kurso.db).await);

        // Deleting an account deletes its rows from the trash too.
        page::delete(&kurso, &world.owner, page).await.unwrap();
        users::delete_me(&kurso, &world.learners[0]).await.unwrap();
        restore(&kurso, &world, world.entries(&kurso).await[0].id).await;
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM later").await, 350);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM later_still").await, 350);
    }

    async fn an_entry_of_an_older_schema_is_restored(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        page::delete(&kurso, &world.owner, world.pages[QUIZ]).await.unwrap();
        // As if columns and a table had been removed and others added since.
        sql!("UPDATE trash_rows SET columns = REPLACE(columns, '\"quiz_version\"', '\"gone\"') WHERE table_name = 'pages'")
            .execute(&kurso.db).await.unwrap();
        sql!("UPDATE trash_rows SET table_name = 'gone' WHERE table_name = 'extra_attempts'").execute(&kurso.db).await.unwrap();
        restore(&kurso, &world, world.entries(&kurso).await[0].id).await;
        let page = sql!("SELECT quiz_version FROM pages WHERE id = $1", world.pages[QUIZ]).fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(page.0, 1, "the default of the column");
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM extra_attempts").await, 0);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM attempts").await, 2);
    }

    async fn files_in_the_trash_are_kept_until_it_is_emptied(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let files = async || count(&kurso, "SELECT COUNT(*) FROM files").await;
        let sweep = async || {
            for _ in 0..2 {
                cleanup::delete_unused(&kurso).await.unwrap();
                kurso.clock.advance(Duration::days(8));
            }
        };
        let all = files().await;
        course::delete(&kurso, &world.owner, world.course).await.unwrap();
        sweep().await;
        assert_eq!(files().await, all);
        assert_eq!(trash::delete_expired(&kurso).await.unwrap(), 0);
        kurso.clock.advance(Duration::days(30));
        assert_eq!(trash::delete_expired(&kurso).await.unwrap(), 1);
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM trash_rows").await, 0);
        sweep().await;
        assert_eq!(files().await, 0);
        assert!(trash::deleted_courses(&kurso, &world.owner).await.unwrap().is_empty());
    }

    async fn an_update_by_an_import_moves_parts_to_the_trash(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Content], &[Content]], &[&[Content]]]).await;
        let dir = tempfile::TempDir::new().unwrap();
        let mut draft = drafts::load(&kurso, course, None, dir.path()).await.unwrap();
        for module in &mut draft.modules {
            module.key = Some(key_of(module.id));
            for lesson in &mut module.lessons {
                lesson.key = Some(key_of(lesson.id));
                for page in &mut lesson.pages {
                    page.key = Some(key_of(page.id));
                }
            }
        }
        draft.modules.remove(1);
        draft.modules[0].lessons.remove(1);
        draft.modules[0].lessons[0].pages.remove(1);
        drafts::update(&kurso, &owner, course, draft, &mut Report::default(), dir.path()).await.unwrap();
        let mut entries = trash::of_course(&kurso, &owner, course).await.unwrap();
        entries.sort_by_key(|entry| entry.place.len());
        let kinds: Vec<_> = entries.iter().map(|entry| (entry.kind, entry.page_count)).collect();
        assert_eq!(kinds, [(TrashKind::Module, 1), (TrashKind::Lesson, 1), (TrashKind::Page, 1)]);
        for entry in entries {
            trash::restore(&kurso, &owner, entry.id, RestoreFromTrash::default()).await.unwrap();
        }
        let view = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap();
        assert_dense(&view);
        assert_eq!(view.tree.pages.len(), 4);
    }

    async fn the_trash_goes_with_its_course_and_its_owner(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let entries = async || count(&kurso, "SELECT COUNT(*) FROM trash_entries").await;
        page::delete(&kurso, &world.owner, world.pages[0]).await.unwrap();
        course::delete(&kurso, &world.owner, world.course).await.unwrap();
        let part = count(&kurso, "SELECT COUNT(*) FROM trash_entries WHERE kind = 'page'").await;
        assert_eq!((part, entries().await), (1, 2));
        let hidden = trash::of_course(&kurso, &world.owner, world.course).await;
        assert!(matches!(hidden, Err(Error::NotFound(Message::CourseNotFound))), "{hidden:?}");
        let course = trash::deleted_courses(&kurso, &world.owner).await.unwrap().remove(0);
        restore(&kurso, &world, course.id).await;
        assert_eq!(world.entries(&kurso).await.len(), 1, "what was deleted from the course is in its trash again");

        course::delete(&kurso, &world.owner, world.course).await.unwrap();
        let course = trash::deleted_courses(&kurso, &world.owner).await.unwrap().remove(0);
        trash::delete_forever(&kurso, &world.owner, course.id).await.unwrap();
        assert_eq!((entries().await, count(&kurso, "SELECT COUNT(*) FROM trash_files").await), (0, 0));

        let other = kurso.course(&world.owner, &[&[]]).await;
        let added = module::create(&kurso, &world.owner, other, command(json!({"title": "x"}))).await.unwrap();
        module::delete(&kurso, &world.owner, added.id).await.unwrap();
        let third = kurso.course(&world.owner, &[&[]]).await;
        course::delete(&kurso, &world.owner, third).await.unwrap();
        assert_eq!(entries().await, 2);
        users::delete_me(&kurso, &world.owner).await.unwrap();
        assert_eq!(entries().await, 0);
    }
}
