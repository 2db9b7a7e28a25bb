//! Kurso Markdown: import, export and round trips through the database.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

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
    let draft = load(kurso, course, scratch.path()).await.unwrap();
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
        let first = content::parse(&content_of(&kurso, view.page(0).id).await.unwrap().content).unwrap();
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
        let draft = load(&kurso, stored.course_id, scratch.path()).await.unwrap();
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
        let text = content_of(&kurso, ids[0]).await.unwrap().content;
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

#[test]
fn invalid_parts_are_reported_and_the_rest_is_imported() {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("course");
    write(&dir.path().join("outside"), &[("secret.png", "x")]);
    write(
        &folder,
        &[
            ("course.toml", "title = \"К\"\ncolour = \"red\"\n"),
            (
                "1-m/1-l/1-a.md",
                "+++\ntitle = \"A\"\nkey = \"Bad Key\"\nfoo = 1\n+++\n\n![](../../../outside/secret.png)\n\n![](gone.png) [x](javascript:alert(1)) [y](nowhere.md) ![w](https://example.com/a.png)\n\n<script>alert(1)</script>\n",
            ),
            (
                "1-m/1-l/2-b.md",
                "+++\nkey = \"k\"\n+++\n\n```{=kurso}\n{\"type\":\"marquee\"}\n```\n\nслова\n",
            ),
            (
                "1-m/1-l/3-c.md",
                "+++\nkey = \"k\"\ntitle = broken\n+++\n\n??? essay\nПишите\n??? short_text\nКак?\n/(/\n??? short_text\nТак?\n= да\n",
            ),
            ("1-m/1-l/4-d.md", "\u{feff}Просто текст\r\nв две строки\r\n"),
        ],
    );
    std::os::unix::fs::symlink(dir.path().join("outside"), folder.join("1-m/2-link")).unwrap();
    std::fs::write(folder.join("1-m/1-l/5-e.md"), b"\xcf\xf0\xe8\xe2\xe5\xf2").unwrap();
    let (course, report) = read_from(&folder);
    let said = lines(&report).join("\n");
    for line in [
        "course.toml:1: field colour",
        "key \"Bad Key\"",
        "field foo",
        "image ../../../outside/secret.png: the path leaves",
        "image gone.png: the file does not exist",
        "link javascript:alert(1)",
        "link nowhere.md",
        "image https://example.com/a.png",
        "block of the page",
        ": settings: line ",
        "line \"essay\" of a question",
        "3-c.md:8: a question",
        "1-m/1-l/5-e.md: encoding of the text: converted from windows-1251",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    for page in course.pages() {
        assert_eq!(content::validate(&page.content.read()), Ok(()), "{}", page.source);
    }
    let titles: Vec<_> = course.pages().map(|page| page.title.clone()).collect();
    assert_eq!(
        titles,
        [Some("A".into()), None, None, Some("d".into()), Some("e".into())]
    );
    assert_eq!(course.pages().nth(2).unwrap().quiz.as_ref().unwrap().questions.len(), 1);
    assert!(course.files.is_empty());
}

/// A zip with these names and contents.
fn zipped(path: &Path, entries: &[(&str, &[u8])], link: Option<(&str, &str)>) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in entries {
        zip.start_file(*name, options).unwrap();
        std::io::Write::write_all(&mut zip, bytes).unwrap();
    }
    if let Some((name, target)) = link {
        zip.add_symlink(name, target, options).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn hostile_zips_stay_in_their_folder_and_are_bounded() {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    let course: &[(&str, &[u8])] = &[
        ("book/course.toml", b"title = \"Zip\"\n"),
        ("book/1-m/1-l/1-a.md", "слова ![x](../../link.png)".as_bytes()),
        ("book/1-m/1-l/1-A.md", b"the same name to some"),
        ("../evil.md", b"out"),
        ("/evil.md", b"out"),
        ("book/..\\evil.md", b"out"),
    ];
    zipped(&at("a.zip"), course, Some(("book/link.png", "/etc/passwd")));
    let (course, report) = read_from(&at("a.zip"));
    assert_eq!((course.title.as_str(), course.pages().count()), ("Zip", 1));
    let said = lines(&report).join("\n");
    for line in [
        "../evil.md: file in the archive",
        "book/..\\evil.md: file in the archive",
        "book/1-m/1-l/1-A.md: file in the archive: another file",
        "book/link.png: file in the archive: links",
        "image ../../link.png",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    assert!(!at("evil.md").exists() && !dir.path().parent().unwrap().join("evil.md").exists());

    // A bomb is rejected before it fills the disk.
    let zeros = vec![0; 40 << 20];
    zipped(
        &at("bomb.zip"),
        &[("course.toml", b""), ("a", &zeros), ("b", &zeros), ("c", &zeros)],
        None,
    );
    std::fs::write(at("no.zip"), b"PK\x03\x04 nothing").unwrap();
    for (name, why) in [
        ("bomb.zip", "exceeds 64 MB"),
        ("no.zip", "not a zip archive"),
        ("gone.zip", "does not exist"),
    ] {
        let scratch = TempDir::new().unwrap();
        let error = read(&at(name), None, scratch.path(), &mut unwatched).unwrap_err();
        assert!(error.to_string().contains(why), "{name}: {error}");
    }
    // An unknown format is rejected as well.
    std::fs::create_dir(at("empty")).unwrap();
    let scratch = TempDir::new().unwrap();
    let error = read(&at("empty"), None, scratch.path(), &mut unwatched).unwrap_err();
    assert!(error.to_string().contains("no supported format"), "{error}");
}
