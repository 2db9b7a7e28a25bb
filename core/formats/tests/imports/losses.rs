//! Parts that readers once dropped silently: each is in the course, or a line of the report names it.

use kurso_formats::content;

use super::docx::docx;
use super::{PNG, course_text, import, lines, zipped};

fn html(body: &str) -> (kurso_formats::CourseDraft, Vec<String>) {
    let (course, report) = import("a.html", format!("<title>A</title>{body}").as_bytes()).unwrap();
    (course, lines(&report))
}

#[test]
fn text_directly_in_a_list_belongs_to_the_item_before() {
    let (course, said) = html("<ul>before <b>bold</b><li>one</li>after <i>it</i><li>two</li></ul>");
    assert_eq!(said, [""; 0]);
    let content = course.pages().next().unwrap().content.read();
    let text = |pointer: &str| content.pointer(pointer).unwrap().to_string();
    assert_eq!(
        content.pointer("/content/0/content").unwrap().as_array().unwrap().len(),
        3
    );
    let (first, second) = (text("/content/0/content/0"), text("/content/0/content/1"));
    assert!(first.contains("before ") && first.contains("bold"), "{first}");
    assert!(
        second.contains("one") && second.contains("after ") && second.contains("\"it\""),
        "{second}"
    );
}

#[test]
fn lists_keep_how_they_count() {
    let (course, said) = html(
        "<ol type=\"a\" start=\"3\"><li>one</li></ol><ol type=\"I\"><li>two</li></ol><ol type=\"x\"><li>three</li></ol>",
    );
    assert_eq!(said, [""; 0]);
    let content = course.pages().next().unwrap().content.read();
    let attrs = |at: usize| content.pointer(&format!("/content/{at}/attrs")).cloned();
    assert_eq!(attrs(0), Some(serde_json::json!({ "start": 3, "type": "a" })));
    assert_eq!(attrs(1), Some(serde_json::json!({ "type": "I" })));
    assert_eq!(attrs(2), None);
}

#[test]
fn subtitles_and_further_sources_of_a_player_are_reported() {
    let page = "<title>A</title><video><source src=\"a.mp4\"><source src=\"b.webm\"><track src=\"c.vtt\"></video>";
    let film = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom";
    let zip = zipped(&[("c/a.html", page.as_bytes()), ("c/a.mp4", film)]);
    let (_, report) = import("c.zip", &zip).unwrap();
    assert_eq!(
        lines(&report),
        [
            "not_carried a.html: other version of a recording: b.webm: a player has one file, the first",
            "not_carried a.html: subtitles c.vtt: players have none",
        ]
    );
}

#[test]
fn large_operators_with_unknown_signs_keep_their_limits() {
    let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let body = format!(
        "<w:p><m:oMath><m:nary><m:naryPr><m:chr m:val=\"⨆\"/></m:naryPr><m:sub>{}</m:sub><m:sup>{}</m:sup><m:e>{}</m:e></m:nary></m:oMath></w:p>",
        run("below"),
        run("above"),
        run("x")
    );
    let (course, _) = import("a.docx", &docx(&body, &[])).unwrap();
    let content = course.pages().next().unwrap().content.to_string();
    assert!(content.contains(r"\\mathop{⨆}_{below}^{above}{x}"), "{content}");
}

#[test]
fn a_formula_beyond_the_limit_stays_whole_as_text() {
    let long = format!("{}end", "x+".repeat(5_000));
    let body = format!("<w:p><m:oMath><m:r><m:t>{long}</m:t></m:r></m:oMath></w:p>");
    let (course, report) = import("a.docx", &docx(&body, &[])).unwrap();
    assert!(course_text(&course).contains("x+end"));
    assert_eq!(
        lines(&report),
        ["changed a.docx: formula longer than 10000 characters: kept as text"]
    );
}

/// A cartridge with one quiz, whose item has this presentation and these conditions.
fn quiz(presentation: &str, conditions: &str) -> Vec<u8> {
    let manifest = "<manifest><organizations><organization><item><item identifierref=\"q\"><title>Item</title></item></item></organization></organizations><resources>\
        <resource identifier=\"q\" type=\"imsqti_xmlv1p2/imscc_xmlv1p3/assessment\"><file href=\"q.xml\"/></resource></resources></manifest>";
    let quiz = format!(
        "<questestinterop><assessment title=\"Own title\"><section><item><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>\
         <fieldentry>fill_in_multiple_blanks_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation>{presentation}</presentation>\
         <resprocessing>{conditions}</resprocessing></item></section></assessment></questestinterop>"
    );
    zipped(&[("imsmanifest.xml", manifest.as_bytes()), ("q.xml", quiz.as_bytes())])
}

#[test]
fn parts_of_a_question_beyond_the_limits_are_reported() {
    let labels: String = (0..510)
        .map(|n| {
            format!("<response_label ident=\"l{n}\"><material><mattext>word {n}</mattext></material></response_label>")
        })
        .collect();
    let presentation = format!(
        "<material><mattext>Text [r]</mattext></material><response_lid ident=\"response_r\"><render_choice>{labels}</render_choice></response_lid>"
    );
    let (_, report) = import("c.imscc", &quiz(&presentation, "")).unwrap();
    let line = "not_carried q.xml: parts beyond the limit: 10: the first 500 were read".to_owned();
    assert!(lines(&report).contains(&line), "{:#?}", lines(&report));
}

#[test]
fn the_title_in_the_file_of_a_quiz_is_reported_if_the_contents_have_another() {
    let presentation = "<material><mattext>Text [r]</mattext></material><response_str ident=\"response_r\"><material><mattext>r</mattext></material></response_str>";
    let condition = "<respcondition><conditionvar><varequal respident=\"response_r\">word</varequal></conditionvar><setvar>100</setvar></respcondition>";
    let (course, report) = import("c.imscc", &quiz(presentation, condition)).unwrap();
    assert_eq!(course.pages().next().unwrap().title.as_deref(), Some("Item"));
    assert_eq!(
        lines(&report),
        ["not_carried q.xml: title \"Own title\" of the quiz: the page has the title of its item in the contents"]
    );
}

#[test]
fn every_problem_of_a_page_in_kurso_markdown_is_reported() {
    let page = "words <img alt=\"x\">\n\n".repeat(150);
    let zip = zipped(&[("course.toml", b"title = \"C\""), ("1-m/1-l/1-a.md", page.as_bytes())]);
    let (_, report) = import("c.zip", &zip).unwrap();
    assert_eq!(report.entries.len(), 150, "{:?}", lines(&report));
    assert!(
        lines(&report).last().unwrap().contains("1-a.md:299"),
        "{:?}",
        lines(&report).last()
    );
}

#[test]
fn the_title_of_a_text_of_open_edx_is_reported_unless_studio_made_it() {
    let course = "<course url_name=\"r\" org=\"O\" course=\"C\" display_name=\"Course\"><chapter display_name=\"M\"><sequential display_name=\"L\">\
        <vertical display_name=\"P\"><html display_name=\"Own\"><p>a</p></html><html display_name=\"Text\"><p>b</p></html><html display_name=\"P\"><p>c</p></html>\
        </vertical></sequential></chapter></course>";
    let (_, report) = import("course.zip", &zipped(&[("course.xml", course.as_bytes())])).unwrap();
    let said = lines(&report);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("title \"Own\" of a text"), "{said:?}");
}

#[test]
fn the_feedback_prompt_of_an_assessment_is_for_graders() {
    let course = "<course url_name=\"r\" org=\"O\" course=\"C\" display_name=\"Course\"><chapter display_name=\"M\"><sequential display_name=\"L\">\
        <vertical display_name=\"P\"><openassessment><rubric><criterion><label>Ideas</label></criterion><feedbackprompt>Say why</feedbackprompt>\
        <feedback_default_text>I think</feedback_default_text></rubric></openassessment></vertical></sequential></chapter></course>";
    let (course, report) = import("course.zip", &zipped(&[("course.xml", course.as_bytes())])).unwrap();
    let quiz = course.pages().next().unwrap().quiz.as_ref().unwrap();
    let guide = content::text(quiz.questions[0].kind.guide().unwrap());
    assert!(guide.contains("Say why") && guide.contains("I think"), "{guide}");
    assert_eq!(lines(&report).len(), 1, "{:?}", lines(&report));
}

#[test]
fn a_damaged_docx_is_called_damaged() {
    let whole = docx("<w:p><w:r><w:t>words</w:t></w:r></w:p>", &[("word/media/a.png", PNG)]);
    let cut = &whole[..whole.len() / 2];
    let broken_xml = docx("<w:p>", &[]);
    let mut broken_zip = whole.clone();
    let at = whole.windows(4).position(|bytes| bytes == b"PK\x03\x04").unwrap() + 60;
    broken_zip[at..at + 20].fill(0x55);
    for (name, bytes) in [("cut", cut), ("xml", &broken_xml), ("zip", &broken_zip)] {
        let error = import("a.docx", bytes).unwrap_err().to_string();
        assert!(error.contains("damaged"), "{name}: {error}");
    }
}
