//! Notes, bookmarks and ticks on both databases.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod belongings;
mod marks;
mod privacy;

use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Viewer};
use kurso_core::check::{self, Depth};
use kurso_core::courses::page;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::learning::view::CourseView;
use kurso_core::notes::{self, About, CourseNotes, Note, NoteColor, NoteFilter};
use kurso_core::testing::{TestKurso, command};
use kurso_core::{both, learning};
use kurso_db::sql;
use kurso_formats::content::quote::QuotePlace;
use serde_json::{Value, json};
use uuid::Uuid;

const TEXT: [&str; 3] = [
    "Ownership is a set of rules that govern how a program manages memory.",
    "Each value has an owner. There can only be one owner at a time.",
    "When the owner goes out of scope, the value will be dropped.",
];

struct World {
    kurso: TestKurso,
    owner: Viewer,
    anna: Viewer,
    boris: Viewer,
    course: CourseId,
    /// With [`TEXT`] as its version 2.
    page: PageId,
    other: PageId,
}

fn paragraph(text: &str) -> Value {
    json!({"type": "paragraph", "content": [{"type": "text", "text": text}]})
}

fn document(blocks: &[Value]) -> Value {
    json!({"type": "doc", "content": blocks})
}

impl World {
    async fn new(kurso: TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        let [anna, boris] = [kurso.person("anna").await, kurso.person("boris").await];
        for learner in [&anna, &boris] {
            sql!(
                "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
                Uuid::now_v7(),
                course,
                learner.id(),
                kurso.clock.now()
            )
            .execute(&kurso.db)
            .await
            .unwrap();
        }
        let view = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap();
        let world = World {
            page: view.page(0).id,
            other: view.page(1).id,
            owner,
            anna,
            boris,
            course,
            kurso,
        };
        world.write(&TEXT.map(paragraph)).await;
        world
    }

    async fn write(&self, blocks: &[Value]) {
        self.update(json!({"content": document(blocks)})).await;
    }

    async fn update(&self, fields: Value) {
        let updated = page::update(&self.kurso, &self.owner, self.page, None, command(fields));
        updated.await.unwrap();
    }

    async fn note(&self, by: &Viewer, fields: Value) -> Result<Note, Error> {
        let mut all = json!({"color": "yellow", "body": ""});
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        notes::create(&self.kurso, by, self.page, command(all)).await
    }

    /// A note of Anna about the second occurrence of a word.
    async fn of_owner(&self) -> Note {
        let words = json!({"version": 2, "block": 1, "quote": "owner", "start": 47, "body": "Only one!"});
        self.note(&self.anna, words).await.unwrap()
    }

    async fn on_page(&self, of: &Viewer) -> Result<Vec<Note>, Error> {
        notes::of_page(&self.kurso, of, self.page).await
    }

    async fn in_course(&self, of: &Viewer, filter: NoteFilter) -> Result<CourseNotes, Error> {
        notes::in_course(&self.kurso, of, self.course, &filter, Page::new(0, 100)).await
    }

    async fn problems(&self) -> Vec<String> {
        let report = check::check(&self.kurso, Depth::default()).await.unwrap();
        let findings = report.findings.into_iter();
        findings
            .map(|finding| format!("{}: {}", finding.at, finding.problem))
            .collect()
    }
}

fn place(note: &Note) -> Option<QuotePlace> {
    match &note.about {
        About::Words(_, place) => place.map(|found| found.place),
        About::Page | About::Withheld => None,
    }
}

fn at(block: usize, start: usize, end: usize) -> Option<QuotePlace> {
    Some(QuotePlace { block, start, end })
}

both! {
    async fn a_note_follows_its_words(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let note = world.of_owner().await;
        assert_eq!((note.version, note.color, note.body.as_str()), (1, NoteColor::Yellow, "Only one!"));
        assert_eq!(place(&note), at(1, 47, 52));
        world.write(&[paragraph("New"), paragraph(&TEXT[1].replace("value", "single value")), paragraph(TEXT[2])]).await;
        let moved = world.on_page(&world.anna).await.unwrap();
        assert_eq!(place(&moved[0]), at(1, 54, 59));
        // Another place of the same words is not it.
        world.write(&[paragraph("The owner of a value."), paragraph(TEXT[2])]).await;
        let gone = world.on_page(&world.anna).await.unwrap();
        let About::Words(words, None) = &gone[0].about else { panic!("{gone:?}") };
        assert_eq!(words.exact, "owner");
        world.write(&TEXT.map(paragraph)).await;
        assert_eq!(place(&world.on_page(&world.anna).await.unwrap()[0]), at(1, 47, 52));
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn what_is_not_there_cannot_be_noted(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let invalid = |fields| world.note(&world.anna, fields);
        for fields in [
            json!({"version": 2, "block": 1, "quote": "owner"}), // twice
            json!({"version": 2, "block": 1, "quote": "owner", "start": 46}),
            json!({"version": 2, "block": 9, "quote": "owner", "start": 0}),
            json!({"version": 2, "block": 1}),
            json!({"block": 1, "quote": "owner", "start": 47}),
            json!({"body": " "}),
        ] {
            let refused = invalid(fields.clone()).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{fields}: {refused:?}");
        }
        let unknown = invalid(json!({"version": 1, "block": 0, "quote": "x", "start": 0})).await;
        assert!(matches!(unknown, Err(Error::Conflict(Message::PageChanged))), "{unknown:?}");
        let whole = invalid(json!({"body": "Read again"})).await.unwrap();
        assert_eq!(whole.about, About::Page);
    }

    async fn a_change_of_an_older_version_is_refused(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let note = world.of_owner().await;
        let change = |fields| notes::update(&world.kurso, &world.anna, note.id, command(fields));
        let changed = change(json!({"version": 1, "body": "Never two"})).await.unwrap();
        assert_eq!((changed.version, changed.body.as_str(), changed.color), (2, "Never two", NoteColor::Yellow));
        let stale = change(json!({"version": 1, "color": "pink"})).await;
        assert!(matches!(stale, Err(Error::Conflict(Message::NoteChanged))), "{stale:?}");
        let changed = change(json!({"version": 2, "color": "pink", "body": ""})).await.unwrap();
        assert_eq!((changed.color, changed.body.as_str(), place(&changed)), (NoteColor::Pink, "", at(1, 47, 52)));
        notes::delete(&world.kurso, &world.anna, note.id).await.unwrap();
        assert_eq!(world.on_page(&world.anna).await.unwrap(), vec![]);
        let missing = notes::delete(&world.kurso, &world.anna, note.id).await;
        assert!(matches!(missing, Err(Error::NotFound(Message::NoteNotFound))), "{missing:?}");
    }

    async fn a_page_takes_a_bounded_number_of_notes(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let note = world.of_owner().await;
        let copies = notes::MAX_ON_PAGE - 1;
        for _ in 0..copies {
            sql!(
                "INSERT INTO notes (id, user_id, page_id, color, body, created_at, updated_at) SELECT $2, user_id, page_id, color, body, created_at, updated_at FROM notes WHERE id = $1",
                note.id,
                kurso_base::ids::NoteId::new()
            )
            .execute(&world.kurso.db)
            .await
            .unwrap();
        }
        let full = world.note(&world.anna, json!({"body": "More"})).await;
        assert!(matches!(full, Err(Error::Conflict(Message::TooManyNotesOnPage(200)))), "{full:?}");
        world.note(&world.boris, json!({"body": "Mine"})).await.unwrap();
    }

    async fn a_course_lists_its_notes_in_its_order(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let on_other = command(json!({"color": "blue", "body": "Later"}));
        notes::create(&world.kurso, &world.anna, world.other, on_other).await.unwrap();
        world.of_owner().await;
        world.note(&world.anna, json!({"version": 2, "block": 0, "quote": "a set of rules", "color": "green"})).await.unwrap();
        world.note(&world.anna, json!({"body": "First of all"})).await.unwrap();
        let bodies = |found: &CourseNotes| found.notes.data.iter().map(|note| note.body.clone()).collect::<Vec<_>>();
        let all = world.in_course(&world.anna, NoteFilter::default()).await.unwrap();
        assert_eq!(bodies(&all), ["First of all", "", "Only one!", "Later"]);
        assert_eq!(all.notes.count, 4);
        let window = notes::in_course(&world.kurso, &world.anna, world.course, &NoteFilter::default(), Page::new(1, 2)).await.unwrap();
        assert_eq!((bodies(&window).len(), window.notes.count), (2, 4));
        let blue = NoteFilter { color: Some(NoteColor::Blue), search: None };
        assert_eq!(bodies(&world.in_course(&world.anna, blue).await.unwrap()), ["Later"]);
        for (search, count) in [("SET of", 1), ("only", 1), ("nothing", 0), (" ", 4)] {
            let search = NoteFilter { color: None, search: Some(kurso_base::values::NoteSearch::parse(search).unwrap()) };
            assert_eq!(world.in_course(&world.anna, search).await.unwrap().notes.count, count);
        }
        let text = notes::markdown(&world.kurso, &world.anna, world.course, Lang::En).await.unwrap();
        assert!(text.starts_with("# Notes: "), "{text}");
        assert!(text.contains("\nFirst of all\n\n> a set of rules\n\n> owner\n\nOnly one!\n"), "{text}");
    }
}
