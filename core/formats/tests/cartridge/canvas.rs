//! Two packages that Canvas itself exported, when they are at hand (`docs/testing.md`).

use kurso_formats::content;
use kurso_formats::quiz::{Filling, Kind, require_complete};
use kurso_formats::testing::{folder, real_courses};
use serde_json::Value;

use crate::{lines, read_ok};

fn count(lines: &[String], part: &str) -> usize {
    lines.iter().filter(|line| line.contains(part)).count()
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn canvas_import_reports_every_change() {
    let (course, report, _files) = read_ok(&real_courses().join("canvas-cc/course-1.imscc"));
    let said = lines(&report);
    let all = said.join("\n");
    assert_eq!(course.title, "COURSE-for-modules-testing");
    let module = &course.modules[0];
    assert_eq!(module.title, "First Module");
    // Ten of the items are pages; the eleventh is a text header, which starts a lesson.
    let titles: Vec<Vec<_>> = module
        .lessons
        .iter()
        .map(|lesson| lesson.pages.iter().map(|page| page.title.clone().unwrap()).collect())
        .collect();
    let lessons: Vec<_> = module.lessons.iter().map(|lesson| lesson.title.as_str()).collect();
    assert_eq!(lessons, ["First Module", "First Module Text Header 1"]);
    assert_eq!(
        titles,
        [
            vec![
                "First Module Assignment 1",
                "First Module Quiz 1",
                "photo.jpg",
                "Assignment with internal links",
                "First Module Wiki Page 1",
                "First Module Discussion 1",
            ],
            vec![
                "First Module External URL 1",
                "Sample Document",
                "First Module AnalyTics Beta External Tool",
                "The First Measured Century: 1930-1960 (60:00)",
            ],
        ],
        "{all}"
    );
    assert!(
        module
            .lessons
            .iter()
            .flat_map(|lesson| &lesson.pages)
            .all(|page| !page.published)
    );

    assert_eq!(course.modules.len(), 1, "{all}");
    let banks: Vec<_> = course
        .banks
        .iter()
        .map(|bank| (bank.title.as_str(), bank.questions.len()))
        .collect();
    assert_eq!(banks, [("Unfiled Questions", 1)]);
    let quiz = module.lessons[0].pages[1].quiz.as_ref().unwrap();
    assert_eq!((quiz.questions.len(), quiz.max_attempts), (1, Some(1)));
    require_complete(quiz).unwrap();

    let text = |lesson: usize, page: usize| content::text(&module.lessons[lesson].pages[page].content.read());
    assert!(text(0, 0).contains("This is RCE content for this assignment"));
    assert!(text(0, 1).contains("This is RCE content for Quiz 1"));
    assert!(text(0, 2).contains("web_resources/photo.jpg"));
    assert!(text(0, 3).contains("google"), "{}", text(0, 3));
    let work = module.lessons[0].pages[3].quiz.as_ref().unwrap();
    assert!(work.is_assignment(), "{work:?}");
    assert_eq!((work.questions[0].points.as_f64(), work.max_attempts), (10.0, None));
    assert!(text(0, 5).contains("This is RCE content for a Discussion"));
    assert!(text(1, 2).contains("https://canvas-analytics-iad-prod.inscloudgate.net"));
    assert!(text(1, 3).starts_with("Lorem ipsum"));
    assert_eq!(course.files.len(), 1);
    assert_eq!(course.files[0].content_type, "application/pdf");

    // Six resources name files that the package lacks, two of them the photo.
    for (part, times) in [
        ("file web_resources/photo.jpg", 2),
        ("file web_resources/sample.mp3", 1),
        ("file web_resources/published-document.pdf", 1),
        ("file web_resources/published-document-2.pdf", 1),
        ("file web_resources/unpublished-document.pdf", 1),
        ("second resource with the identifier publisheddocument", 1),
        ("items of the module: 11 in imsmanifest.xml, 9 in module_meta.xml", 1),
        ("item \"Sample Document\"", 1),
        ("item \"Assignment with internal links\"", 1),
        ("changed First Module: text header", 1),
        ("external tool (LTI)", 1),
        (": discussion: ", 1),
        (": assignment: ", 2),
        (": web link: ", 1),
        ("question bank", 1),
        // The package repeats the text with dead links; it is read once.
        ("link %24WIKI_REFERENCE%24/pages/wiki-sample", 1),
        ("link %24CANVAS_OBJECT_REFERENCE%24/", 5),
        ("link %24IMS-CC-FILEBASE%24/photo.jpg", 1),
        ("settings: ", 1),
    ] {
        assert_eq!(count(&said, part), times, "{part}\n{all}");
    }
    assert_eq!(count(&said, "the page: unpublished in the package"), 10, "{all}");
    let counts = report.counts;
    assert_eq!(
        (
            counts.modules,
            counts.lessons,
            counts.pages,
            counts.questions,
            counts.files
        ),
        (1, 2, 10, 2, 1)
    );
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn every_canvas_question_type_is_imported_or_reported() {
    let (course, report, _files) = read_ok(&real_courses().join("canvas-cc/all-question-types.imscc"));
    let said = lines(&report);
    let all = said.join("\n");
    assert_eq!((course.modules.len(), course.pages().count()), (1, 1), "{all}");
    let page = course.pages().next().unwrap();
    assert_eq!(
        (page.title.as_deref(), page.published),
        (Some("ALL QUESTION TYPES QUIZ"), false)
    );
    let quiz = page.quiz.as_ref().unwrap();
    require_complete(quiz).unwrap();
    let [single, truth, several, dropdowns, pairs, number, formula, essay, upload] = quiz.questions.as_slice() else {
        panic!("{} questions\n{all}", quiz.questions.len())
    };
    let text = |document: &Value| content::text(document);
    assert!(
        essay.kind.is_open() && text(&essay.prompt).contains("Write an Essay. Any Essay"),
        "{essay:?}"
    );
    assert!(
        matches!(upload.kind, Kind::FileUpload { .. }) && text(&upload.prompt).contains("Upload a File, Any File"),
        "{upload:?}"
    );
    let Kind::SingleChoice { options } = &single.kind else {
        panic!("{single:?}")
    };
    let right: Vec<_> = options
        .iter()
        .filter(|option| option.correct)
        .map(|option| text(&option.content))
        .collect();
    assert_eq!((options.len(), right), (4, vec!["3".to_owned()]));
    let mut explanation = text(single.explanation.as_ref().unwrap());
    for feedback in options.iter().filter_map(|option| option.feedback.as_ref()) {
        explanation.push_str(&text(feedback));
    }
    for words in [
        "alright",
        "nice job",
        "too bad",
        "add 2",
        "add 1",
        "good!",
        "subtract 1",
    ] {
        assert!(explanation.contains(words), "{explanation}");
    }
    let Kind::SingleChoice { options } = &truth.kind else {
        panic!("{truth:?}")
    };
    assert_eq!(
        (text(&options[1].content).as_str(), options[1].correct),
        ("False", true)
    );
    let Kind::MultipleChoice { options, .. } = &several.kind else {
        panic!("{several:?}")
    };
    let right: Vec<_> = options.iter().map(|option| option.correct).collect();
    assert_eq!(right, [true, false, false, true, true]);
    let Kind::FillBlank { text: sentence, blanks } = &dropdowns.kind else {
        panic!("{dropdowns:?}")
    };
    assert_eq!(content::blanks(sentence).len(), 2);
    let chosen: Vec<_> = blanks
        .iter()
        .map(|blank| {
            let Filling::Options(options) = &blank.filling else {
                panic!("{blank:?}")
            };
            text(&options.iter().find(|option| option.correct).unwrap().content)
        })
        .collect();
    assert_eq!(chosen, ["RED", "BLUE"]);
    let Kind::Matching { pairs } = &pairs.kind else {
        panic!("{pairs:?}")
    };
    let pairs: Vec<_> = pairs.iter().map(|pair| (text(&pair.left), text(&pair.right))).collect();
    assert_eq!(pairs[0], ("Toyota".into(), "Corolla".into()));
    assert_eq!(pairs[2], ("Mitsubishi".into(), "Lancer".into()));
    let Kind::Numeric { value, tolerance, .. } = &number.kind else {
        panic!("{number:?}")
    };
    assert_eq!(
        (value.as_ref().unwrap().as_f64(), tolerance.as_f64()),
        (Some(33.33), Some(0.01))
    );
    let Kind::Formula {
        parameters, expression, ..
    } = &formula.kind
    else {
        panic!("{formula:?}")
    };
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    assert_eq!(
        (text(&formula.prompt).as_str(), expression.as_str(), names.as_slice()),
        ("What is 5 plus {x}?", "5 + x", ["x"].as_slice())
    );

    let words = content::text(&page.content.read());
    for part in ["This quiz uses ALL Question Types", "Well, this is nothing but text"] {
        assert!(words.contains(part), "{words}");
    }
    for (part, times) in [
        ("text between questions", 1),
        ("distractors: Model X,; Escape,; Impala", 1),
        (
            "carried non_cc_assessments/iaa8f9f400b29e514ea8d28fd7ed067f4.xml.qti: question group",
            8,
        ),
        ("questions: 10 in the Canvas file, 4 in the profile file", 1),
        ("image https://lorprod.instructure.com/users/2/files/1018/preview", 1),
        ("feedback for single answers", 1),
        ("no module contains it", 1),
    ] {
        assert_eq!(count(&said, part), times, "{part}\n{all}");
    }
}

#[test]
fn prerequisites_of_canvas_modules_are_imported_and_other_conditions_reported() {
    let module = |id: &str, more: &str| {
        format!(
            r#"<module identifier="{id}"><title>{id}</title><workflow_state>active</workflow_state>{more}<items>
<item identifier="item_{id}"><content_type>WikiPage</content_type><workflow_state>active</workflow_state><title>P</title><identifierref>page_{id}</identifierref></item>
</items></module>"#
        )
    };
    let needs = |kind: &str, id: &str| {
        format!(r#"<prerequisite type="{kind}"><title>T</title><identifierref>{id}</identifierref></prerequisite>"#)
    };
    let resources: String = ["a", "b", "c"]
        .map(|id| {
            format!(r#"<resource identifier="page_{id}" type="webcontent" href="wiki_content/{id}.html"><file href="wiki_content/{id}.html"/></resource>"#)
        })
        .concat();
    let manifest = format!(r#"<manifest xmlns="x"><organizations/><resources>{resources}</resources></manifest>"#);
    let package = |modules: String| {
        let meta = format!("<modules>{modules}</modules>");
        let page = "<html><head><title>P</title></head><body><p>p</p></body></html>";
        let dir = folder(&[
            ("imsmanifest.xml", manifest.as_str()),
            ("course_settings/module_meta.xml", meta.as_str()),
            (
                "course_settings/course_settings.xml",
                "<course><title>C</title></course>",
            ),
            ("wiki_content/a.html", page),
            ("wiki_content/b.html", page),
            ("wiki_content/c.html", page),
        ]);
        let (course, report, _files) = read_ok(dir.path());
        (course, lines(&report).join("\n"))
    };
    let both = needs("context_module", "a") + &needs("context_module", "b");
    let (course, said) = package(
        module("a", "")
            + &module(
                "b",
                &format!("<prerequisites>{}</prerequisites>", needs("context_module", "a")),
            )
            + &module("c", &format!("<prerequisites>{both}</prerequisites>")),
    );
    let ids: Vec<_> = course.modules.iter().map(|module| module.id).collect();
    let found: Vec<_> = course
        .modules
        .iter()
        .map(|module| module.prerequisites.clone())
        .collect();
    assert_eq!(found, [vec![], vec![ids[0]], vec![ids[0], ids[1]]]);
    assert!(!said.contains("prerequisites"), "{said}");

    let required = "<completionRequirements><completionRequirement type=\"must_view\"><identifierref>item_b</identifierref></completionRequirement></completionRequirements>";
    let unknown = needs("context_module", "gone") + &needs("context_module", "a");
    let (course, said) = package(
        module("a", "")
            + &module("b", &format!("<prerequisites>{unknown}</prerequisites>{required}"))
            + &module("c", ""),
    );
    assert_eq!(course.modules[1].prerequisites, [course.modules[0].id]);
    assert!(said.contains("settings: completionRequirements: "), "{said}");
    assert!(
        said.contains("prerequisite \"T\": the package has no such module"),
        "{said}"
    );
}
