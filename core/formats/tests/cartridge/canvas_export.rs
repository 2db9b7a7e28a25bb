//! A package as Canvas exports it, written for these tests: one module with every kind of item, and a quiz with all ten
//! question types of Canvas's own file, of which the file of the profile holds four.

use kurso_formats::content;
use kurso_formats::quiz::{Kind, require_complete};
use kurso_formats::testing::folder;

use crate::{lines, read_ok};

/// One `<item>` of Canvas's QTI: its type, prompt, responses and conditions.
fn item(kind: &str, prompt: &str, responses: &str, conditions: &str) -> String {
    format!(
        "<item ident=\"{kind}\"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>\
         <fieldentry>{kind}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation><material>\
         <mattext texttype=\"text/html\">{prompt}</mattext></material>{responses}</presentation>\
         <resprocessing>{conditions}</resprocessing></item>"
    )
}

fn choice(response: &str, cardinality: &str, labels: &[(&str, &str)]) -> String {
    let labels: String = labels
        .iter()
        .map(|(id, text)| {
            format!("<response_label ident=\"{id}\"><material><mattext>{text}</mattext></material></response_label>")
        })
        .collect();
    format!(
        "<response_lid ident=\"{response}\" rcardinality=\"{cardinality}\"><material><mattext>{response}</mattext></material>\
         <render_choice>{labels}</render_choice></response_lid>"
    )
}

fn scored(condition: &str, score: &str) -> String {
    format!(
        "<respcondition><conditionvar>{condition}</conditionvar><setvar action=\"Add\" varname=\"SCORE\">{score}</setvar></respcondition>"
    )
}

fn equals(response: &str, value: &str) -> String {
    format!("<varequal respident=\"{response}\">{value}</varequal>")
}

fn all_types() -> Vec<String> {
    let text = "<response_str ident=\"response1\" rcardinality=\"Single\"><render_fib/></response_str>";
    let range = "<vargte respident=\"response1\">33.32</vargte><varlte respident=\"response1\">33.34</varlte>";
    let pairs = [("l1", "Toyota"), ("l2", "Honda")];
    let sides = [("r1", "Corolla"), ("r2", "Civic")];
    let matching: String = pairs
        .iter()
        .map(|(id, name)| {
            choice(&format!("response_{id}"), "Single", &sides)
                .replace(&format!("<mattext>response_{id}<"), &format!("<mattext>{name}<"))
        })
        .collect();
    vec![
        item(
            "multiple_choice_question",
            "What is 1 + 2?",
            &choice("response1", "Single", &[("a", "2"), ("b", "3")]),
            &scored(&equals("response1", "b"), "100"),
        ),
        item(
            "true_false_question",
            "The sky is green.",
            &choice("response1", "Single", &[("t", "True"), ("f", "False")]),
            &scored(&equals("response1", "f"), "100"),
        ),
        item(
            "multiple_answers_question",
            "Which are even?",
            &choice("response1", "Multiple", &[("a", "2"), ("b", "3"), ("c", "4")]),
            &scored(
                &format!(
                    "<and>{}<not>{}</not>{}</and>",
                    equals("response1", "a"),
                    equals("response1", "b"),
                    equals("response1", "c")
                ),
                "100",
            ),
        ),
        item(
            "multiple_dropdowns_question",
            "Roses are [one].",
            &choice("response_one", "Single", &[("a", "red"), ("b", "blue")])
                .replace("<mattext>response_one<", "<mattext>one<"),
            &scored(&equals("response_one", "a"), "100"),
        ),
        item(
            "matching_question",
            "Match the cars.",
            &matching,
            &format!(
                "{}{}",
                scored(&equals("response_l1", "r1"), "50"),
                scored(&equals("response_l2", "r2"), "50")
            ),
        ),
        item(
            "numerical_question",
            "A third of a hundred?",
            text,
            &scored(range, "100"),
        ),
        item(
            "short_answer_question",
            "The capital of France?",
            text,
            &scored(&equals("response1", "Paris"), "100"),
        ),
        item("essay_question", "Write an essay.", text, ""),
        item("text_only_question", "Only text.", "", ""),
        item("file_upload_question", "Hand in a file.", "", ""),
    ]
}

fn assessment(items: &[String]) -> String {
    format!(
        "<questestinterop><assessment ident=\"quiz1\" title=\"All types\"><section ident=\"root_section\">{}</section></assessment></questestinterop>",
        items.concat()
    )
}

/// A condition that shows a feedback.
fn shows(condition: &str, name: &str, score: &str) -> String {
    let score = match score {
        "" => String::new(),
        score => format!("<setvar action=\"Set\" varname=\"SCORE\">{score}</setvar>"),
    };
    format!(
        "<respcondition continue=\"Yes\"><conditionvar>{condition}</conditionvar>{score}<displayfeedback feedbacktype=\"Response\" \
         linkrefid=\"{name}\"/></respcondition>"
    )
}

#[test]
fn feedback_of_single_options_is_theirs() {
    let labels = [("a", "One"), ("b", "Two"), ("c", "Three"), ("d", "Four")];
    let feedback: String = ["general_fb", "correct_fb", "general_incorrect_fb", "a_fb", "b_fb", "b_more", "shared", "unused"]
        .iter()
        .map(|name| {
            format!("<itemfeedback ident=\"{name}\"><flow_mat><material><mattext>Says {name}.</mattext></material></flow_mat></itemfeedback>")
        })
        .collect();
    let is = |option: &str| equals("response1", option);
    let conditions = [
        shows("<other/>", "general_fb", ""),
        shows(&is("a"), "a_fb", ""),
        shows(&is("b"), "b_fb", "100"),
        shows(&is("b"), "b_more", ""),
        shows(&is("c"), "shared", ""),
        shows(&is("d"), "shared", ""),
        shows(&is("b"), "correct_fb", "100"),
        shows("<other/>", "general_incorrect_fb", ""),
    ];
    let asked = |kind: &str, cardinality: &str| {
        item(
            kind,
            "How many?",
            &choice("response1", cardinality, &labels),
            &conditions.concat(),
        )
        .replace("</resprocessing></item>", &format!("</resprocessing>{feedback}</item>"))
    };
    let items = [
        asked("multiple_choice_question", "Single"),
        asked("multiple_answers_question", "Multiple"),
    ];
    let manifest = "<manifest xmlns=\"x\"><organizations/><resources><resource identifier=\"q\" type=\"imsqti_xmlv1p2/imscc_xmlv1p1/assessment\">\
                    <file href=\"q.xml\"/></resource></resources></manifest>";
    let dir = folder(&[("imsmanifest.xml", manifest), ("q.xml", &assessment(&items))]);
    let (course, report, _files) = read_ok(dir.path());
    let told = lines(&report).join("\n");
    let quiz = course.pages().find_map(|page| page.quiz.as_ref()).unwrap();
    assert_eq!(quiz.questions.len(), 2, "{told}");
    for question in &quiz.questions {
        let (Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. }) = &question.kind else {
            panic!("{question:?}")
        };
        let said = options.iter().map(|option| option.feedback.as_ref().map(content::text));
        let expected = [
            Some("Says a_fb.".to_owned()),
            Some("Says b_fb.\nSays b_more.".to_owned()),
            None,
            None,
        ];
        assert_eq!(said.collect::<Vec<_>>(), expected, "{told}");
        let explanation = content::text(question.explanation.as_ref().unwrap());
        for (name, is_in) in [
            ("general_fb", true),
            ("correct_fb", true),
            ("general_incorrect_fb", true),
            ("shared", true),
            ("unused", true),
            ("a_fb", false),
            ("b_fb", false),
        ] {
            assert_eq!(
                explanation.contains(&format!("Says {name}.")),
                is_in,
                "{name}: {explanation}"
            );
        }
    }
}

#[test]
fn every_canvas_question_type_is_converted_or_reported() {
    let items = all_types();
    let manifest = r#"<manifest xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"><organizations><organization identifier="org_1"><item identifier="LearningModules">
<item identifier="module1"><title>Week one</title>
<item identifier="i1"><title>Heading</title></item>
<item identifier="i2" identifierref="page1"><title>Reading</title></item>
<item identifier="i3" identifierref="quiz1"><title>All types</title></item>
<item identifier="i4" identifierref="link1"><title>A web link</title></item>
</item></item></organization></organizations><resources>
<resource identifier="page1" type="webcontent" href="wiki_content/reading.html"><file href="wiki_content/reading.html"/></resource>
<resource identifier="quiz1" type="imsqti_xmlv1p2/imscc_xmlv1p1/assessment"><file href="quiz1/assessment_qti.xml"/></resource>
<resource identifier="link1" type="imswl_xmlv1p1"><file href="link1.xml"/></resource>
</resources></manifest>"#;
    let dir = folder(&[
        ("imsmanifest.xml", manifest),
        (
            "course_settings/canvas_export.txt",
            "Q: What did the panda say when he was forced out of his natural habitat?",
        ),
        (
            "wiki_content/reading.html",
            "<html><head><title>Reading</title></head><body><p>Before the quiz, <a href=\"$WIKI_REFERENCE$/pages/gone\">read this</a>.</p></body></html>",
        ),
        (
            "link1.xml",
            "<webLink><title>A web link</title><url href=\"https://example.com/more\"/></webLink>",
        ),
        ("quiz1/assessment_qti.xml", &assessment(&items[..4])),
        ("non_cc_assessments/quiz1.xml.qti", &assessment(&items)),
    ]);
    let (course, report, _files) = read_ok(dir.path());
    let told = lines(&report).join("\n");
    let page = course.pages().find(|page| page.quiz.is_some()).unwrap();
    let quiz = page.quiz.as_ref().unwrap();
    require_complete(quiz).unwrap();
    let kinds: Vec<_> = quiz
        .questions
        .iter()
        .map(|question| match &question.kind {
            Kind::SingleChoice { .. } => "single_choice",
            Kind::MultipleChoice { .. } => "multiple_choice",
            Kind::ShortText { .. } => "short_text",
            Kind::Numeric { .. } => "numeric",
            Kind::Formula { .. } => "formula",
            Kind::Matching { .. } => "matching",
            Kind::Ordering { .. } => "ordering",
            Kind::FillBlank { .. } => "fill_blank",
            Kind::Essay { .. } => "essay",
            Kind::Hotspot { .. } => "hotspot",
            Kind::FileUpload { .. } => "file_upload",
            Kind::HandIn { .. } => "hand_in",
            Kind::Draw { .. } => "draw",
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "single_choice",
            "single_choice",
            "multiple_choice",
            "fill_blank",
            "matching",
            "numeric",
            "short_text",
            "essay",
            "file_upload"
        ],
        "{told}"
    );
    let Kind::Matching { pairs } = &quiz.questions[4].kind else {
        panic!()
    };
    let pairs: Vec<_> = pairs
        .iter()
        .map(|pair| (content::text(&pair.left), content::text(&pair.right)))
        .collect();
    assert_eq!(
        pairs,
        [("Toyota".into(), "Corolla".into()), ("Honda".into(), "Civic".into())]
    );
    let Kind::Numeric { value, tolerance, .. } = &quiz.questions[5].kind else {
        panic!()
    };
    assert_eq!(
        (value.as_ref().unwrap().as_f64(), tolerance.as_f64()),
        (Some(33.33), Some(0.01))
    );
    // What Kurso has no question for stays as text on the page, and the report names it.
    let words = content::text(&page.content.read());
    assert!(words.contains("Only text."), "{words}");
    assert_eq!(content::text(&quiz.questions[7].prompt), "Write an essay.");
    for part in ["10 in the Canvas file, 4 in the profile file", "WIKI_REFERENCE"] {
        assert!(told.contains(part), "{part}\n{told}");
    }
    let link = course
        .pages()
        .find(|page| page.title.as_deref() == Some("A web link"))
        .unwrap();
    assert!(link.content.to_string().contains("https://example.com/more"));
}
