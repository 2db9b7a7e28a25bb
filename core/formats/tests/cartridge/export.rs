//! Export as Common Cartridge 1.3, and import of the result.

use std::collections::{BTreeMap, HashSet};
use std::io::Read as _;
use std::path::Path;

use kurso_base::messages::Lang;
use kurso_formats::testing::{folder, published_book, real_courses};
use kurso_formats::{CourseDraft, LessonDraft, ModuleDraft, PageDraft, export, export_cartridge, read};
use serde_json::Value;
use tempfile::TempDir;

use crate::{lines, read_ok};

/// The text of every file in a folder.
fn texts(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(
                    name,
                    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned(),
                );
            }
        }
    }
    found
}

/// The whole course as Kurso Markdown.
fn said(course: &CourseDraft) -> BTreeMap<String, String> {
    let dir = TempDir::new().unwrap();
    let to = dir.path().join("out");
    export(course, &to).unwrap();
    texts(&to)
}

/// Exports the course, checks the package, imports it, and compares everything.
fn round_trip(course: &CourseDraft) -> BTreeMap<String, Vec<u8>> {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    export_cartridge(course, &at("a.imscc")).unwrap();
    export_cartridge(course, &at("b.imscc")).unwrap();
    assert_eq!(
        std::fs::read(at("a.imscc")).unwrap(),
        std::fs::read(at("b.imscc")).unwrap()
    );
    let package = unzipped(&at("a.imscc"));
    check(&package);
    let (back, report, _files) = read_ok(&at("a.imscc"));
    let mut report = lines(&report);
    report.retain(|line| !line.contains("the page: unpublished in the package"));
    assert_eq!(report, Vec::<String>::new());
    let (before, after) = (said(course), said(&back));
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    for (name, text) in &before {
        assert_eq!(text, &after[name], "{name}");
    }
    package
}

fn unzipped(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut zip = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    (0..zip.len())
        .map(|index| {
            let mut entry = zip.by_index(index).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            (entry.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

/// Checks `imsmanifest.xml` against the rules of the profile, independently of the code that wrote it.
fn check(package: &BTreeMap<String, Vec<u8>>) {
    let text = String::from_utf8(package["imsmanifest.xml"].clone()).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let root = document.root_element();
    let cp = "http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1";
    let lom = "http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest";
    assert!(root.has_tag_name((cp, "manifest")) && root.attribute("identifier").is_some());
    let parts: Vec<_> = root
        .children()
        .filter(|node| node.is_element())
        .map(|node| node.tag_name().name())
        .collect();
    assert_eq!(parts, ["metadata", "organizations", "resources"]);
    let find = |name: &'static str| root.descendants().find(move |node| node.has_tag_name((cp, name)));
    assert_eq!(find("schema").unwrap().text(), Some("IMS Common Cartridge"));
    assert_eq!(find("schemaversion").unwrap().text(), Some("1.3.0"));
    let title = root
        .descendants()
        .find(|node| node.has_tag_name((lom, "title")))
        .unwrap();
    assert!(
        title
            .descendants()
            .any(|node| node.has_tag_name((lom, "string")) && node.text().is_some())
    );
    // One organization with one untitled root, whose items have titles.
    let organizations: Vec<_> = root
        .descendants()
        .filter(|node| node.has_tag_name((cp, "organization")))
        .collect();
    assert_eq!(organizations.len(), 1);
    assert_eq!(organizations[0].attribute("structure"), Some("rooted-hierarchy"));
    let tops: Vec<_> = organizations[0].children().filter(|node| node.is_element()).collect();
    assert_eq!(tops.len(), 1);
    assert!(tops[0].children().all(|node| !node.has_tag_name((cp, "title"))));
    let mut identifiers = HashSet::new();
    for node in root.descendants().filter(|node| node.is_element()) {
        if let Some(id) = node.attribute("identifier") {
            assert!(id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'), "{id}");
            assert!(
                id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)),
                "{id}"
            );
            assert!(identifiers.insert(id.to_owned()), "{id} twice");
        }
    }
    let resources: BTreeMap<_, _> = root
        .descendants()
        .filter(|node| node.has_tag_name((cp, "resource")))
        .map(|node| (node.attribute("identifier").unwrap(), node))
        .collect();
    for item in tops[0]
        .descendants()
        .skip(1)
        .filter(|node| node.has_tag_name((cp, "item")))
    {
        let title = item.children().find(|node| node.is_element()).unwrap();
        assert!(title.has_tag_name((cp, "title")) && !title.text().unwrap_or_default().is_empty());
        let is_folder = item.children().any(|node| node.has_tag_name((cp, "item")));
        if let Some(target) = item.attribute("identifierref") {
            assert!(resources.contains_key(target) && !is_folder, "{target}");
            // As in the packages of Canvas, only an assignment has no resource of a type of the profile.
            let resource = resources[target];
            let is_assignment = resource.children().any(|file| {
                file.attribute("href")
                    .is_some_and(|href| href.ends_with("/assignment_settings.xml"))
            });
            let kind = resource.attribute("type").unwrap();
            assert_eq!(kind.starts_with("associatedcontent"), is_assignment);
        }
    }
    let mut listed = HashSet::new();
    for (id, node) in &resources {
        let kind = node.attribute("type").unwrap();
        let known = [
            "webcontent",
            "imsqti_xmlv1p2/imscc_xmlv1p3/assessment",
            "associatedcontent/imscc_xmlv1p3/learning-application-resource",
        ];
        assert!(known.contains(&kind), "{kind}");
        let files: Vec<&str> = node
            .children()
            .filter(|node| node.has_tag_name((cp, "file")))
            .map(|node| node.attribute("href").unwrap())
            .collect();
        assert!(!files.is_empty(), "{id}");
        match node.attribute("href") {
            Some(href) => assert!(files.contains(&href), "{href}"),
            None => assert_ne!(kind, "webcontent"),
        }
        // A quiz has no href and a single file.
        if kind.ends_with("assessment") {
            assert_eq!((node.attribute("href"), files.len()), (None, 1));
            assessment(std::str::from_utf8(&package[files[0]]).unwrap());
        }
        for file in files {
            assert!(package.contains_key(file), "{file}");
            assert!(listed.insert(file.to_owned()), "{file} twice");
        }
        for needed in node.children().filter(|node| node.has_tag_name((cp, "dependency"))) {
            assert!(resources.contains_key(needed.attribute("identifierref").unwrap()));
        }
    }
    for name in package.keys().filter(|name| *name != "imsmanifest.xml") {
        assert!(listed.contains(name), "{name} is in no resource");
        if name.ends_with(".xml") || name.ends_with(".qti") {
            roxmltree::Document::parse(std::str::from_utf8(&package[name]).unwrap())
                .unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
}

/// Checks a quiz against the rules of the profile.
fn assessment(text: &str) {
    let document = roxmltree::Document::parse(text).unwrap();
    let root = document.root_element();
    assert_eq!(
        root.tag_name().namespace(),
        Some("http://www.imsglobal.org/xsd/ims_qtiasiv1p2")
    );
    let named = |name: &'static str| root.descendants().filter(move |node| node.tag_name().name() == name);
    assert_eq!((named("assessment").count(), named("section").count()), (1, 1));
    assert!(named("fieldentry").any(|node| node.text() == Some("cc.exam.v0p1")));
    let mut ids = HashSet::new();
    for item in named("item") {
        assert!(ids.insert(item.attribute("ident").unwrap()));
        let profile = item
            .descendants()
            .filter(|node| node.tag_name().name() == "fieldentry")
            .find_map(|node| node.text().filter(|text| text.starts_with("cc.")))
            .unwrap();
        let of = |name: &'static str| {
            item.descendants()
                .filter(move |node| node.tag_name().name() == name)
                .count()
        };
        assert_eq!((of("presentation"), of("resprocessing")), (1, 1));
        match profile {
            "cc.multiple_choice.v0p1" | "cc.multiple_response.v0p1" => {
                assert!(of("response_lid") == 1 && of("varequal") > 0)
            }
            "cc.fib.v0p1" => assert!(of("response_str") == 1 && of("varequal") > 0),
            "cc.essay.v0p1" => assert_eq!((of("response_str"), of("varequal")), (1, 0)),
            other => panic!("{other}"),
        }
        let labels: HashSet<_> = item
            .descendants()
            .filter(|node| node.tag_name().name() == "response_label")
            .map(|node| node.attribute("ident").unwrap())
            .collect();
        if of("response_lid") > 0 {
            for equal in item.descendants().filter(|node| node.tag_name().name() == "varequal") {
                assert!(labels.contains(equal.text().unwrap()));
            }
        }
        let said: HashSet<_> = item
            .descendants()
            .filter(|node| node.tag_name().name() == "itemfeedback")
            .map(|node| node.attribute("ident").unwrap())
            .collect();
        for shown in item
            .descendants()
            .filter(|node| node.tag_name().name() == "displayfeedback")
        {
            assert!(said.contains(shown.attribute("linkrefid").unwrap()));
        }
    }
}

fn course_at(path: &Path) -> (CourseDraft, TempDir) {
    let scratch = TempDir::new().unwrap();
    let (course, _) =
        read(path, None, scratch.path(), &mut kurso_formats::unwatched).unwrap_or_else(|error| panic!("{error}"));
    (course, scratch)
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn the_russian_book_survives_a_round_trip() {
    let (course, _scratch) = course_at(&real_courses().join("rust-book-ru"));
    let package = round_trip(&course);
    assert_eq!(
        package.keys().filter(|name| name.starts_with("wiki_content/")).count(),
        104
    );
    // HTML can express nearly everything in a real book.
    let marked: usize = package
        .values()
        .map(|bytes| String::from_utf8_lossy(bytes).matches("data-kurso=").count())
        .sum();
    assert!(marked < 60, "{marked} blocks need their own words");
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn quizzes_survive_a_round_trip() {
    let (course, _scratch) = course_at(&real_courses().join("rust-book-quizzes"));
    let questions = |course: &CourseDraft| -> usize {
        course
            .pages()
            .filter_map(|page| page.quiz.as_ref())
            .map(|quiz| quiz.questions.len())
            .sum()
    };
    assert_eq!(questions(&course), 222);
    let package = round_trip(&course);
    let own: usize = package
        .iter()
        .filter(|(name, _)| name.ends_with(".xml.qti"))
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).matches("<item ").count())
        .sum();
    assert_eq!(own, 222);
}

/// A course with every kind of content, as Kurso Markdown.
const ALL: &[(&str, &str)] = &[
    ("course.toml", "title = \"Всё & вся\"\ndescription = \"О <всём>\"\n"),
    (
        "01-m/module.toml",
        "title = \"Модуль\"\ndescription = \"Описание\"\navatar = \"files/a.png\"\nkey = \"m\"\n",
    ),
    ("01-m/01-l/lesson.toml", "title = \"Урок\"\nkey = \"l\"\n"),
    (
        "01-m/01-l/01-p.md",
        "+++\nkey = \"p\"\n+++\n\n# Первый уровень\n\n## Раз\n\nСлова  с  пробелами, $x^2$, ==знак== и `код`, [туда](02-q.md), [сюда](#раз), [файл](../../files/b.txt).\n\n- [ ] дело\n- [x] сделано\n\n> [!WARNING]\n> Осторожно\n\n```rust\nfn main() {}\n```\n\n$$\n\\frac{1}{2}\n$$\n\n![Схема](../../files/a.png \"Рис. 1\"){width=300}\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n",
    ),
    (
        "01-m/01-l/02-q.md",
        "+++\ntitle = \"Тест\"\nkey = \"q\"\npublished = false\n\n[quiz]\npass_percent = 50\nmax_attempts = 3\nshuffle_questions = true\nshuffle_options = true\nreveal = \"never\"\n+++\n\nОтветьте, см. [раз](01-p.md#раз).\n\n??? single_choice\n\nСколько?\n\n( ) 1\n-> Мало, см. [раз](01-p.md#раз).\n(x) ![два](../../files/a.png)\n-> ![да](../../files/a.png)\n! Потому.\n\n??? multiple_choice\n\nКакие?\n\n[x] a\n-> Да, **a**.\n[ ] b\n-> <b> & \\#\n[x] c\n\n??? short_text\n\nКто?\n\n= я\n= мы\n\n??? numeric\n\nПи?\n\n= 3.14 +- 0.01\n\n??? matching\n\nЧто к чему?\n\n<- a\n-> 1\n<- b\n-> 2\n\n??? ordering\n\nПо порядку\n\n1) раз\n2) два\n\n??? fill_blank\n\nСтолица — [[=Париж|Лютеция]].\n",
    ),
    (
        "01-m/01-l/03-a.md",
        "+++\ntitle = \"Работа\"\nkey = \"a\"\nkind = \"assignment\"\n\n[quiz]\npass_percent = 50\n+++\n\nОпишите реку, см. [раз](01-p.md#раз).\n\n??? hand_in takes_text min_words=10 max_files=3 extensions=\"pdf docx\" max_links=2 points=12.5\n\nИли ![два](../../files/a.png)\n",
    ),
    ("02-empty/module.toml", "title = \"Пустой\"\nkey = \"e\"\n"),
    ("02-empty/01-none/lesson.toml", "title = \"Нет страниц\"\nkey = \"n\"\n"),
    ("files/b.txt", "текст"),
];

#[test]
fn a_published_book_survives_export_and_import() {
    let (course, _scratch) = course_at(&published_book());
    let package = round_trip(&course);
    let pages = package.keys().filter(|name| name.starts_with("wiki_content/")).count();
    assert_eq!(pages, course.pages().count());
}

#[test]
fn a_course_with_every_kind_of_content_survives_a_round_trip() {
    let dir = folder(ALL);
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";
    std::fs::write(dir.path().join("files/a.png"), picture).unwrap();
    let (course, _scratch) = course_at(dir.path());
    assert_eq!(
        (course.modules.len(), course.pages().count(), course.files.len()),
        (2, 3, 2)
    );
    let quiz = course.pages().nth(1).unwrap().quiz.clone().unwrap();
    assert_eq!(quiz.questions.len(), 7);
    let package = round_trip(&course);
    let text = |name: &str| String::from_utf8(package[name].clone()).unwrap();
    assert!(text("kpage_q/assessment_qti.xml").contains("cc.essay.v0p1"));
    let canvas = text("non_cc_assessments/kpage_q.xml.qti");
    assert!(canvas.contains("matching_question"));
    // Choices with feedback need no field of Kurso's own.
    for item in canvas.split("<item ").skip(1).take(2) {
        assert!(
            item.matches("_fb\"").count() >= 4 && !item.contains("kurso_question"),
            "{item}"
        );
    }
    let meta = text("course_settings/module_meta.xml");
    assert!(meta.contains("ContextModuleSubHeader") && meta.contains("<workflow_state>unpublished</workflow_state>"));

    // The quiz is identical, including its ids.
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("c.imscc");
    let report = export_cartridge(&course, &path).unwrap();
    let kinds: Vec<_> = report.entries.iter().map(|entry| entry.note.key()).collect();
    assert_eq!(
        kinds.iter().filter(|kind| **kind == "cartridge_simplified").count(),
        4,
        "{kinds:?}"
    );
    let (back, ..) = read_ok(&path);
    let ids =
        |quiz: &kurso_formats::quiz::Quiz| -> Vec<_> { quiz.questions.iter().map(|question| question.id).collect() };
    assert_eq!(ids(back.pages().nth(1).unwrap().quiz.as_ref().unwrap()), ids(&quiz));

    // Readers that know neither Canvas nor Kurso see the same outline and texts in the manifest.
    let plain = TempDir::new().unwrap();
    for (name, bytes) in &package {
        if name.starts_with("course_settings/") || name.starts_with("kurso/") || name.starts_with("non_cc_assessments/")
        {
            continue;
        }
        let path = plain.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let (bare, ..) = read_ok(plain.path());
    let outline = |course: &CourseDraft| -> Vec<Value> {
        let lessons =
            |course: &CourseDraft| -> Vec<String> { course.lessons().map(|lesson| lesson.title.clone()).collect() };
        vec![
            serde_json::json!(
                course
                    .modules
                    .iter()
                    .map(|module| module.title.clone())
                    .collect::<Vec<_>>()
            ),
            serde_json::json!(lessons(course)),
        ]
    };
    assert_eq!(outline(&bare), outline(&course));
    let questions = &bare.pages().nth(1).unwrap().quiz.as_ref().unwrap().questions;
    assert_eq!(questions.len(), 7);
    let kurso_formats::quiz::Kind::SingleChoice { options } = &questions[0].kind else {
        panic!("{:?}", questions[0])
    };
    let feedback: Vec<_> = options.iter().filter_map(|option| option.feedback.as_ref()).collect();
    assert_eq!(feedback.len(), 2);
    assert!(kurso_formats::content::text(feedback[0]).contains("Мало"));
    assert!(feedback[1].to_string().contains("/files/"), "{}", feedback[1]);
}

#[test]
fn a_linked_html_file_comes_back_as_a_file() {
    let dir = folder(&[
        ("course.toml", "title = \"Курс\"\n"),
        ("01-m/module.toml", "title = \"Модуль\"\nkey = \"m\"\n"),
        ("01-m/01-l/lesson.toml", "title = \"Урок\"\nkey = \"l\"\n"),
        (
            "01-m/01-l/01-p.md",
            "+++\nkey = \"p\"\n+++\n\n[файл](../../files/c.html)\n",
        ),
        (
            "files/c.html",
            "<title>Файл</title><button onclick=\"x()\">Нажмите</button><script>x()</script>",
        ),
    ]);
    let (course, _scratch) = course_at(dir.path());
    assert_eq!((course.pages().count(), course.files.len()), (1, 1));
    round_trip(&course);
}

#[test]
fn an_export_too_large_to_be_imported_again_says_so() {
    let text = serde_json::json!({ "type": "text", "text": "words ".repeat(300_000) });
    let document = serde_json::json!({ "type": "doc", "content": [{ "type": "paragraph", "content": [text] }] });
    let dir = TempDir::new().unwrap();
    let lines = |pages: usize, name: &str| -> Vec<String> {
        let pages = (0..pages).map(|_| PageDraft::new(None, document.clone(), ""));
        let module = ModuleDraft::new("M", vec![LessonDraft::new("L", pages.collect())]);
        let course = CourseDraft::new("C", vec![module]);
        let report = if name.ends_with(".zip") {
            export(&course, &dir.path().join(name))
        } else {
            export_cartridge(&course, &dir.path().join(name))
        };
        let entries = report.unwrap().entries;
        entries.iter().map(|entry| entry.to_line(Lang::En)).collect()
    };
    for name in ["c.zip", "c.imscc"] {
        assert_eq!(lines(1, name), [""; 0]);
        let line = "course: the way back: 68 MB of text: Kurso imports at most 64 MB, so it cannot import this file";
        assert_eq!(lines(40, name), [line]);
    }
}
