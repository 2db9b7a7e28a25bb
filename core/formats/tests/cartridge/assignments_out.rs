//! Assignments in the exported package: as Canvas keeps its own, and complete for Kurso.

use std::path::Path;

use kurso_formats::quiz::{Kind, Quiz, Release};
use kurso_formats::testing::folder;
use kurso_formats::{CourseDraft, content, export_cartridge};

use crate::{lines, read_ok};

const PAGE: &str = "+++\ntitle = \"River\"\nkey = \"river\"\nkind = \"assignment\"\n\n[quiz]\npass_percent = 50\nmax_attempts = 3\nrelease = \"together\"\n+++\n\n\
                    Describe a river.\n\n";

/// What only Kurso reads.
const DETAILS: &str =
    "??? hand_in takes_text min_words=10 max_files=3 extensions=\"pdf docx\" max_links=2 points=12.5\n\nOne page.\n";

const PLAIN: &str = "??? hand_in takes_text max_files=3 extensions=\"pdf docx\" max_links=1 points=12.5\n\nOne page.\n";

/// A course whose only page is an assignment with this question.
fn course(question: &str) -> (CourseDraft, tempfile::TempDir) {
    page_with(PAGE, question)
}

/// A course of one page.
fn page_with(page: &str, questions: &str) -> (CourseDraft, tempfile::TempDir) {
    let dir = folder(&[
        ("course.toml", "title = \"C\"\n"),
        ("01-m/module.toml", "title = \"M\"\nkey = \"m\"\n"),
        ("01-m/01-l/lesson.toml", "title = \"L\"\nkey = \"l\"\n"),
        ("01-m/01-l/01-p.md", &format!("{page}{questions}")),
    ]);
    let (course, report, scratch) = read_ok(dir.path());
    assert_eq!(lines(&report), Vec::<String>::new());
    (course, scratch)
}

/// The files of the package unpacked, and the lines of the export's report.
fn exported(course: &CourseDraft) -> (tempfile::TempDir, Vec<String>) {
    let dir = tempfile::TempDir::new().unwrap();
    let package = dir.path().join("package.imscc");
    let report = export_cartridge(course, &package).unwrap();
    let file = std::fs::File::open(&package).unwrap();
    zip::ZipArchive::new(file).unwrap().extract(dir.path()).unwrap();
    std::fs::remove_file(package).unwrap();
    (dir, lines(&report))
}

fn text_at(package: &Path, name: &str) -> String {
    std::fs::read_to_string(package.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

const SETTINGS: &str = "kpage_river/assignment_settings.xml";
const TEXT: &str = "kpage_river/assignment.html";

/// The only page of an imported package: its text and its quiz.
fn back(package: &Path) -> (String, Quiz) {
    let (course, ..) = read_ok(package);
    assert_eq!(course.pages().count(), 1);
    let page = course.pages().next().unwrap();
    assert_eq!(page.title.as_deref(), Some("River"));
    (content::text(&page.content.read()), page.quiz.clone().unwrap())
}

#[test]
fn canvas_finds_the_settings_and_the_whole_text() {
    let (course, _scratch) = course(PLAIN);
    let (package, said) = exported(&course);
    assert_eq!(said, Vec::<String>::new());
    let settings = text_at(package.path(), SETTINGS);
    let document = roxmltree::Document::parse(&settings).unwrap();
    let value = |name: &str| -> String {
        let mut found = document.descendants().filter(|node| node.tag_name().name() == name);
        let node = found.next().unwrap_or_else(|| panic!("no {name} in {settings}"));
        assert!(found.next().is_none(), "{name} twice in {settings}");
        node.text().unwrap_or_default().to_owned()
    };
    let names = [
        "title",
        "workflow_state",
        "points_possible",
        "grading_type",
        "submission_types",
        "allowed_extensions",
        "allowed_attempts",
        "post_manually",
    ];
    assert_eq!(
        names.map(value),
        [
            "River",
            "published",
            "12.5",
            "points",
            "online_text_entry,online_upload,online_url",
            "pdf,docx",
            "3",
            "true"
        ]
    );
    let root = document.root_element();
    assert_eq!(
        root.tag_name().namespace(),
        Some("http://canvas.instructure.com/xsd/cccv1p0")
    );
    assert_eq!(root.attribute("identifier"), Some("kpage_river"));
    // Canvas has no place for the prompt but the text of the assignment.
    let html = text_at(package.path(), TEXT);
    let (instructions, prompt) = (html.find("Describe a river."), html.find("One page."));
    assert!(instructions.is_some() && instructions < prompt, "{html}");
    let meta = text_at(package.path(), "course_settings/module_meta.xml");
    assert!(meta.contains("<content_type>Assignment</content_type>"), "{meta}");
    assert!(meta.contains("<identifierref>kpage_river</identifierref>"), "{meta}");
}

#[test]
fn an_unchanged_assignment_comes_back_whole() {
    for question in [PLAIN, DETAILS, "??? hand_in takes_text\n", "??? hand_in max_links=20\n"] {
        let (course, _scratch) = course(question);
        let before = course.pages().next().unwrap();
        let (package, _) = exported(&course);
        let (text, quiz) = back(package.path());
        assert_eq!(text, "Describe a river.", "{question}");
        assert_eq!(Some(&quiz), before.quiz.as_ref(), "{question}");
    }
}

#[test]
fn what_only_kurso_reads_is_reported() {
    for (question, is_reported) in [
        (DETAILS, true),
        ("??? hand_in takes_text max_words=9\n", true),
        ("??? hand_in max_links=2\n", true),
        ("??? hand_in takes_text\n\n~ Be kind.\n", true),
        ("??? hand_in takes_text max_files=1 max_links=1\n", false),
    ] {
        let (course, _scratch) = course(question);
        let (_package, said) = exported(&course);
        let line = "changed River: number of words, further links, note for graders or rubric of an assignment: only Kurso reads them";
        let expected: &[&str] = if is_reported { &[line] } else { &[] };
        assert_eq!(said, expected, "{question}");
    }
}

#[test]
fn what_only_kurso_reads_of_open_questions_is_reported() {
    let details = "changed River: number of words, number or kinds of files, note for graders or rubric of an open question: only Kurso reads them";
    let simplified = "changed River: question of the type \"file upload\": not in the profile: other systems read it as an essay question; Canvas and Kurso read it unchanged";
    for (questions, expected) in [
        ("??? essay\n\nWhy?\n", vec![]),
        ("??? essay min_words=9\n\nWhy?\n", vec![details]),
        ("??? essay\n\nWhy?\n\n~ Be kind.\n", vec![details]),
        (
            "??? essay rubric=hidden\n\nWhy?\n\n== Ideas\n\n(1) Clear\n",
            vec![details],
        ),
        ("??? file_upload\n\nDraw.\n", vec![simplified]),
        ("??? file_upload max_files=2\n\nDraw.\n", vec![simplified, details]),
        ("??? file_upload\n\nDraw.\n\n~ Be kind.\n", vec![simplified, details]),
        (
            "??? essay\n\nWhy?\n\n~ Be kind.\n\n??? essay\n\nHow?\n\n~ Be kind.\n",
            vec![details],
        ),
    ] {
        let (course, _scratch) = page_with(&PAGE.replace("kind = \"assignment\"\n", "kind = \"quiz\"\n"), questions);
        let (_package, said) = exported(&course);
        assert_eq!(said, expected, "{questions}");
    }
}

#[test]
fn an_edit_made_in_another_system_wins() {
    let edits = [
        ("<points_possible>12.5<", "<points_possible>20<"),
        ("online_text_entry,online_upload,online_url", "online_text_entry"),
        ("<allowed_extensions>pdf,docx<", "<allowed_extensions>pdf<"),
        ("<allowed_attempts>3<", "<allowed_attempts>-1<"),
        ("<post_manually>true<", "<post_manually>false<"),
    ];
    for (from, to) in edits {
        let (course, _scratch) = course(DETAILS);
        let (package, _) = exported(&course);
        let settings = text_at(package.path(), SETTINGS);
        assert!(settings.contains(from), "{settings}");
        std::fs::write(package.path().join(SETTINGS), settings.replace(from, to)).unwrap();
        let (text, quiz) = back(package.path());
        // The settings of Canvas hold now, and the text is the one that it shows.
        assert_eq!(text, "Describe a river.\nOne page.", "{to}");
        let [question] = quiz.questions.as_slice() else {
            panic!("{to}")
        };
        let Kind::HandIn {
            takes_text,
            min_words,
            max_files,
            extensions,
            max_links,
            ..
        } = &question.kind
        else {
            panic!("{to}")
        };
        assert_eq!((*takes_text, *min_words), (true, None), "{to}");
        let is = |name: &str| from.contains(name) || to.contains(name);
        assert_eq!(question.points.as_f64(), if is("points") { 20.0 } else { 12.5 });
        assert_eq!((*max_files, *max_links), if is("online") { (0, 0) } else { (20, 1) });
        let kinds: &[&str] = match to {
            "online_text_entry" => &[],
            _ if is("extensions") => &["pdf"],
            _ => &["pdf", "docx"],
        };
        assert_eq!(extensions, kinds, "{to}");
        assert_eq!(quiz.max_attempts, (!is("attempts")).then_some(3));
        let at_once = is("manually");
        assert_eq!(quiz.release == Release::AtOnce, at_once);
    }
}

#[test]
fn an_edited_text_replaces_the_instructions() {
    let (course, _scratch) = course(PLAIN);
    let (package, _) = exported(&course);
    let html = text_at(package.path(), TEXT);
    let edited = html.replace("Describe a river.", "Describe a lake.");
    std::fs::write(package.path().join(TEXT), edited).unwrap();
    let (text, quiz) = back(package.path());
    assert_eq!(text, "Describe a lake.");
    assert_eq!(content::text(&quiz.questions[0].prompt), "One page.");

    // An edited prompt stays in the text, and the old one is gone.
    let edited = html.replace("One page.", "Two pages.");
    std::fs::write(package.path().join(TEXT), edited).unwrap();
    let (text, quiz) = back(package.path());
    assert_eq!(text, "Describe a river.\nTwo pages.");
    assert_eq!(content::text(&quiz.questions[0].prompt), "");
}

#[test]
fn an_unfinished_assignment_comes_back_too() {
    let (course, _scratch) = course("??? hand_in\n");
    let (package, _) = exported(&course);
    assert!(text_at(package.path(), SETTINGS).contains("<submission_types>none</submission_types>"));
    let (text, quiz) = back(package.path());
    assert_eq!(text, "Describe a river.");
    assert_eq!(Some(&quiz), course.pages().next().unwrap().quiz.as_ref());
}
