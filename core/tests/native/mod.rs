//! Kurso Markdown: import, export and round trips through the database.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod assignments;
mod invalid;

use std::collections::BTreeMap;
use std::path::Path;

use kurso_base::email::Email;
use kurso_base::ids::CourseId;
use kurso_base::messages::Lang;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::drafts::{load, store, update};
use kurso_core::learning::view::{CourseView, content as content_of};
use kurso_core::testing::{Backend, TestKurso};
use kurso_core::{both, users};
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::testing::{published_book, real_courses};
use kurso_formats::{CourseDraft, Report, export, read, unwatched};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A one-pixel image.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";

/// Every file in a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    found
}

fn write(folder: &Path, texts: &[(&str, &str)]) {
    for (path, text) in texts {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn lines(report: &Report) -> Vec<String> {
    report
        .entries
        .iter()
        .map(|entry| {
            assert!(!entry.to_line(Lang::Ru).is_empty());
            entry.to_line(Lang::En)
        })
        .collect()
}

fn read_from(folder: &Path) -> (CourseDraft, Report) {
    let scratch = TempDir::new().unwrap();
    read(folder, None, scratch.path(), &mut unwatched).unwrap_or_else(|error| panic!("{error}"))
}

/// Imports the folder and exports the course to another one.
async fn through(kurso: &TestKurso, folder: &Path, to: &Path) -> CourseId {
    let owner = kurso
        .person(&format!("owner{}", to.file_name().unwrap().to_str().unwrap()))
        .await;
    let scratch = TempDir::new().unwrap();
    let (draft, mut report) =
        read(folder, None, scratch.path(), &mut unwatched).unwrap_or_else(|error| panic!("{error}"));
    let stored = store::store(kurso, owner.id(), draft, &mut report).await.unwrap();
    take_out(kurso, stored.course_id, to).await;
    stored.course_id
}

async fn take_out(kurso: &TestKurso, course: CourseId, to: &Path) {
    let scratch = TempDir::new().unwrap();
    let draft = load(kurso, course, None, scratch.path()).await.unwrap();
    export(&draft, to).unwrap();
}

async fn owner_of(kurso: &TestKurso, course: CourseId) -> Viewer {
    let (email,) = sql!(
        "SELECT u.email FROM courses c JOIN users u ON u.id = c.owner_id WHERE c.id = $1",
        course
    )
    .fetch_one::<(String,)>(&kurso.db)
    .await
    .unwrap();
    let user = users::by_email(&kurso.db, &Email::parse(&email).unwrap())
        .await
        .unwrap()
        .unwrap();
    kurso.viewer(&user).await
}

/// A course as written by hand.
fn by_hand(folder: &Path) {
    write(
        folder,
        &[
            (
                "course.toml",
                "title = \"Языки\"\ndescription = \"О языках\\nи не только\"\n",
            ),
            (
                "01-first/module.toml",
                "title = \"Первый модуль\"\navatar = \"files/avatar.png\"\nkey = \"first\"\n",
            ),
            ("01-first/01-hello/lesson.toml", "title = \"Здравствуй\"\n"),
            (
                "01-first/01-hello/01-one.md",
                "# Раз\n\nСмотри [дальше](02-two.md#тут) и [файл](../../files/notes.txt), и [тест](page:the-quiz).\n\n![Схема](../../files/a.png \"Рис. 1\"){width=300}\n",
            ),
            (
                "01-first/01-hello/02-two.md",
                "+++\ntitle = \"Два\"\nkey = \"two\"\npublished = false\n+++\n\n## Тут\n\n> [!TIP]\n> Совет\n",
            ),
            (
                "01-first/01-hello/10-quiz.md",
                "+++\ntitle = \"Тест\"\nkey = \"the-quiz\"\n\n[quiz]\npass_percent = 50\nmax_attempts = 3\nreveal = \"never\"\n+++\n\nОтветьте.\n\n???\nСколько?\n( ) 1\n(x) ![два](../../files/a.png)\n! См. [раз](01-one.md)\n",
            ),
            ("02-second/01-empty/lesson.toml", "title = \"Пустой урок\"\n"),
            (
                "02-second/01-empty/01-draft.md",
                "+++\ntitle = \"Черновик\"\n[quiz]\n+++\n\n??? numeric\nПи?\n",
            ),
            ("files/notes.txt", "заметки"),
        ],
    );
    for name in ["a.png", "avatar.png"] {
        let mut bytes = PNG.to_vec();
        bytes.extend(name.as_bytes());
        std::fs::write(folder.join("files").join(name), bytes).unwrap();
    }
}

both! {
    async fn handwritten_courses_export_deterministically(kurso: TestKurso) {
        let dir = TempDir::new().unwrap();
        let at = |name: &str| dir.path().join(name);
        by_hand(&at("hand"));
        let (draft, report) = read_from(&at("hand"));
        assert_eq!(lines(&report), Vec::<String>::new());
        let counts = report.counts;
        assert_eq!((counts.modules, counts.lessons, counts.pages, counts.questions, counts.files), (2, 2, 4, 2, 3));
        let owner = kurso.person("owner").await;
        let mut report = report;
        let stored = store::store(&kurso, owner.id(), draft, &mut report).await.unwrap();
        assert_eq!(lines(&report), ["02-second/01-empty/01-draft.md: publication of the quiz: the quiz is incomplete, so the page is not published: Question 1: there is no right number"]);

        let view = CourseView::load(&kurso, &owner, stored.course_id, Right::Edit).await.unwrap();
        assert_eq!((view.course.title.as_str(), view.sizes()), ("Языки", (2, 2, 4)));
        let titles: Vec<_> = (0..4).map(|place| (view.page(place).title.clone().unwrap(), view.page(place).published)).collect();
        assert_eq!(titles, [("Раз".into(), true), ("Два".into(), false), ("Тест".into(), true), ("Черновик".into(), false)]);
        let (two, quiz_page) = (view.page(1).id, view.page(2).id);
        let first = content::parse(&content_of(&kurso, view.page(0).id, false).await.unwrap().content).unwrap();
        let words = &first["content"][0]["content"];
        assert_eq!(words[1]["marks"][0]["attrs"]["href"], format!("page:{two}#тут"));
        assert!(words[3]["marks"][0]["attrs"]["href"].as_str().unwrap().ends_with("/notes.txt"));
        assert_eq!(words[5]["marks"][0]["attrs"]["href"], format!("page:{quiz_page}"));
        let image = &first["content"][1]["attrs"];
        assert_eq!((&image["width"], &image["naturalWidth"], &image["caption"]), (&json!(300), &json!(1), &json!("Рис. 1")));
        let text = attempts::for_author(&kurso.db, &[quiz_page]).await.unwrap().remove(&quiz_page).unwrap();
        let taken: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&taken["pass_percent"], &taken["max_attempts"], &taken["reveal"]), (&json!(50), &json!(3), &json!("never")));
        assert_eq!(taken["questions"][0]["type"], "single_choice");

        take_out(&kurso, stored.course_id, &at("one")).await;
        through(&kurso, &at("one"), &at("two")).await;
        assert_eq!(files(&at("one")), files(&at("two")));
        let one = files(&at("one"));
        let names: Vec<_> = one.keys().map(String::as_str).collect();
        assert_eq!(names, [
            "01-pervyy-modul/01-zdravstvuy/01-raz.md", "01-pervyy-modul/01-zdravstvuy/02-dva.md",
            "01-pervyy-modul/01-zdravstvuy/03-test.md", "01-pervyy-modul/01-zdravstvuy/lesson.toml",
            "01-pervyy-modul/module.toml", "02-second/01-pustoy-urok/01-chernovik.md",
            "02-second/01-pustoy-urok/lesson.toml", "02-second/module.toml", "course.toml", "files/a.png",
            "files/avatar.png", "files/notes.txt",
        ]);
        let text = |name: &str| String::from_utf8(one[name].clone()).unwrap();
        assert_eq!(text("01-pervyy-modul/01-zdravstvuy/03-test.md"), "+++\ntitle = \"Тест\"\nkey = \"the-quiz\"\n\n[quiz]\npass_percent = 50\nmax_attempts = 3\nreveal = \"never\"\n+++\n\nОтветьте.\n\n??? single_choice\n\nСколько?\n\n( ) 1\n(x) ![два](../../files/a.png)\n! См. [раз](01-raz.md)\n");
        assert_eq!(text("01-pervyy-modul/module.toml"), "title = \"Первый модуль\"\navatar = \"files/avatar.png\"\nkey = \"first\"\n");

        // Exporting again into the same folder gives the same result and keeps other files.
        std::fs::write(at("one/notes.txt"), "mine").unwrap();
        take_out(&kurso, stored.course_id, &at("one")).await;
        std::fs::remove_file(at("one/notes.txt")).unwrap();
        assert_eq!(files(&at("one")), files(&at("two")));
        let scratch = TempDir::new().unwrap();
        let draft = load(&kurso, stored.course_id, None, scratch.path()).await.unwrap();
        assert!(export(&draft, dir.path()).unwrap_err().to_string().contains("is not an export"));
        // A zip contains the same course and is deterministic.
        for zip in [at("a.zip"), at("b.zip")] {
            export(&draft, &zip).unwrap();
        }
        assert_eq!(std::fs::read(at("a.zip")).unwrap(), std::fs::read(at("b.zip")).unwrap());
        through(&kurso, &at("a.zip"), &at("three")).await;
        assert_eq!(files(&at("three")), files(&at("two")));
    }

    async fn an_edited_folder_updates_its_course(kurso: TestKurso) {
        let dir = TempDir::new().unwrap();
        let at = |name: &str| dir.path().join(name);
        by_hand(&at("hand"));
        let course = through(&kurso, &at("hand"), &at("one")).await;
        let owner = owner_of(&kurso, course).await;
        let before = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap();
        let ids: Vec<_> = (0..4).map(|place| before.page(place).id).collect();
        let question = |text: &str| serde_json::from_str::<Value>(text).unwrap()["questions"].clone();
        let quiz_before = attempts::for_author(&kurso.db, &[ids[2]]).await.unwrap().remove(&ids[2]).unwrap();
        let learner = kurso.person("learner").await;
        sql!("INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
            course.0, course, learner.id(), kurso.clock.now()).execute(&kurso.db).await.unwrap();
        for page in &ids {
            sql!("INSERT INTO visits (enrollment_id, page_id, visited_at) VALUES ($1, $2, $3)", course.0, *page, kurso.clock.now())
                .execute(&kurso.db).await.unwrap();
        }
        let change = async |folder: &Path| {
            let scratch = TempDir::new().unwrap();
            let (draft, mut report) = read_from(folder);
            update(&kurso, &owner, course, draft, &mut report, scratch.path()).await.map(|_| report)
        };

        // Without edits, nothing is written.
        change(&at("one")).await.unwrap();
        let versions = "SELECT version FROM pages ORDER BY id";
        assert_eq!(sql!(versions).fetch_all::<(i64,)>(&kurso.db).await.unwrap(), [(1,), (1,), (1,), (1,)]);
        let files_before = sql!("SELECT COUNT(*) FROM files").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        take_out(&kurso, course, &at("same")).await;
        assert_eq!(files(&at("one")), files(&at("same")));

        // A page is rewritten, another moves, a question is inserted, a page and a module are removed.
        let lesson = at("one/01-pervyy-modul/01-zdravstvuy");
        let edit = |name: &str, from: &str, to: &str| {
            let text = std::fs::read_to_string(lesson.join(name)).unwrap();
            assert!(text.contains(from), "{text}");
            std::fs::write(lesson.join(name), text.replace(from, to)).unwrap();
        };
        edit("01-raz.md", "Смотри", "Гляди");
        edit("03-test.md", "??? single_choice", "??? short_text\n\nКто?\n\n= я\n\n??? single_choice");
        std::fs::create_dir(at("one/01-pervyy-modul/02-new")).unwrap();
        std::fs::rename(lesson.join("02-dva.md"), at("one/01-pervyy-modul/02-new/01-dva.md")).unwrap();
        edit("01-raz.md", "(02-dva.md#тут)", "(../02-new/01-dva.md#тут)");
        std::fs::remove_dir_all(at("one/02-second")).unwrap();
        std::fs::write(lesson.join("00-first.md"), "Совсем новая").unwrap();
        let report = change(&at("one")).await.unwrap();
        assert_eq!(lines(&report), Vec::<String>::new());
        let after = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap();
        assert_eq!((after.sizes(), after.course.share_code.clone()), ((1, 2, 4), before.course.share_code.clone()));
        let stayed: Vec<_> = (1..4).map(|place| after.page(place).id).collect();
        assert_eq!(stayed, [ids[0], ids[2], ids[1]], "the same pages, in their new order");
        let visits = sql!("SELECT page_id FROM visits ORDER BY page_id").fetch_all::<(kurso_base::ids::PageId,)>(&kurso.db).await.unwrap();
        assert_eq!(visits, [(ids[0],), (ids[1],), (ids[2],)]);
        let text = content_of(&kurso, ids[0], false).await.unwrap().content;
        assert!(text.contains("Гляди") && text.contains(&format!("page:{}#тут", ids[1])), "{text}");
        let quiz_after = attempts::for_author(&kurso.db, &[ids[2]]).await.unwrap().remove(&ids[2]).unwrap();
        assert_eq!(question(&quiz_after)[1], question(&quiz_before)[0], "the old question is the one it was");
        let history = sql!("SELECT COUNT(*) FROM page_versions WHERE page_id = $1", ids[0]).fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!((history, sql!("SELECT COUNT(*) FROM files").fetch_one::<(i64,)>(&kurso.db).await.unwrap()), ((2,), files_before));

        // Others are refused; a missing course is not found.
        let scratch = TempDir::new().unwrap();
        for (viewer, course) in [(&learner, course), (&owner, CourseId::new())] {
            let (draft, mut report) = read_from(&at("one"));
            assert!(update(&kurso, viewer, course, draft, &mut report, scratch.path()).await.is_err());
        }
    }

    async fn a_published_book_exports_the_same_after_import(kurso: TestKurso) {
        export_twice(&kurso, &published_book()).await;
    }
}

/// Imports `book`, exports it, imports the export, exports again: both exports are the same. Returns the first.
async fn export_twice(kurso: &TestKurso, book: &Path) -> (BTreeMap<String, Vec<u8>>, Report) {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    through(kurso, book, &at("one")).await;
    through(kurso, &at("one"), &at("two")).await;
    let one = files(&at("one"));
    assert_eq!(one, files(&at("two")));
    let (_, report) = read_from(&at("one"));
    assert_eq!(lines(&report), Vec::<String>::new());
    (one, report)
}

async fn rust_book_exports_the_same_after_import(backend: Backend) {
    let kurso = TestKurso::new(backend).await;
    let (exported, report) = export_twice(&kurso, &real_courses().join("rust-book-ru")).await;
    assert_eq!(exported.keys().filter(|name| name.ends_with(".md")).count(), 104);
    for (name, text) in &exported {
        // Kurso Markdown can express everything in a real book.
        assert!(!String::from_utf8_lossy(text).contains("{=kurso}"), "{name}");
    }
    let counts = report.counts;
    assert_eq!(
        (
            counts.code_blocks,
            counts.images,
            counts.tables,
            counts.quotes,
            counts.files
        ),
        (908, 18, 13, 42, 17)
    );
}

#[tokio::test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
async fn rust_book_exports_the_same_after_import_on_sqlite() {
    rust_book_exports_the_same_after_import(Backend::Sqlite).await;
}

#[tokio::test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
async fn rust_book_exports_the_same_after_import_on_postgres() {
    rust_book_exports_the_same_after_import(Backend::Postgres).await;
}
