//! Packages of Brightspace.

use kurso_formats::content;
use kurso_formats::testing::folder;

use super::{page, qti, questions, summary};
use crate::{lines, read_ok};

const BRIGHTSPACE: &str = r#"<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:d2l_2p0="http://desire2learn.com/xsd/d2lcp_v2p0">
<organizations><organization identifier="o">
<item identifier="i1" identifierref="r1"><title>Unit</title>
  <item identifier="i2" identifierref="r2"><title>Notes</title></item>
  <item identifier="i3" identifierref="r3"><title>Site</title></item>
</item></organization></organizations><resources>
<resource identifier="r1" type="webcontent" d2l_2p0:material_type="contentmodule" href=""/>
<resource identifier="r2" type="webcontent" d2l_2p0:material_type="content" href="notes.html?ou=1"/>
<resource identifier="r3" type="webcontent" d2l_2p0:material_type="contentlink" href="https://example.com/a b?x=1"/>
<resource identifier="quiz" type="webcontent" d2l_2p0:material_type="d2lquiz" href="quiz_d2l_1.xml" title="Quiz"/>
</resources></manifest>"#;

#[test]
fn brightspace_quizzes_are_imported() {
    let item = |kind: &str, prompt: &str, conditions: &str| {
        format!(
            "<item ident=\"OBJ\"><itemmetadata><qtimetadata><qti_metadatafield><fieldlabel>qmd_questiontype</fieldlabel><fieldentry>{kind}</fieldentry>\
             </qti_metadatafield><qti_metadatafield><fieldlabel>qmd_weighting</fieldlabel><fieldentry>2.000000000</fieldentry></qti_metadatafield>\
             </qtimetadata></itemmetadata><presentation><flow>{prompt}</flow></presentation><resprocessing>{conditions}</resprocessing></item>"
        )
    };
    let words = |text: &str| format!("<material><mattext texttype=\"text/html\">{text}</mattext></material>");
    let labels = |names: &[(&str, &str)]| -> String {
        let each = names.iter().map(|(id, text)| {
            format!(
                "<flow_label><response_label ident=\"{id}\"><flow_mat>{}</flow_mat></response_label></flow_label>",
                words(text)
            )
        });
        format!("<render_choice>{}</render_choice>", each.collect::<String>())
    };
    let test = |response: &str, value: &str, set: &str| {
        format!(
            "<respcondition><conditionvar><varequal respident=\"{response}\">{value}</varequal></conditionvar>{set}</respcondition>"
        )
    };
    let percent = |n: &str| format!("<setvar action=\"Set\">{n}.000000000</setvar>");
    let counts = |name: &str| format!("<setvar varname=\"D2L_{name}\" action=\"Add\">1</setvar>");
    let (right, wrong) = (counts("Correct"), counts("Incorrect"));
    let fill = |id: &str| {
        format!(
            "<response_str ident=\"{id}_STR\" rcardinality=\"Single\"><render_fib fibtype=\"String\"><response_label ident=\"{id}_ANS\"/>\
             </render_fib></response_str>"
        )
    };
    let group = |id: &str, left: &str| {
        format!(
            "<response_grp respident=\"{id}\" rcardinality=\"Single\">{}{}</response_grp>",
            words(left),
            labels(&[("m1", "Rome"), ("m2", "Paris")])
        )
    };
    let ab = labels(&[("a", "A"), ("b", "B")]);
    let items = [
        item(
            "Multiple Choice",
            &(words("?") + &format!("<response_lid ident=\"l\" rcardinality=\"Multiple\">{ab}</response_lid>")),
            &(test("l", "a", &percent("0")) + &test("l", "b", &percent("100"))),
        )
        .replace(
            "</item>",
            &format!("<hint><hintmaterial>{}</hintmaterial></hint></item>", words("Think")),
        ),
        item(
            "Multi-Select",
            &(words("?") + &format!("<response_lid ident=\"l\" rcardinality=\"Multiple\">{ab}</response_lid>")),
            &(test("l", "a", &right) + &test("l", "b", &wrong)),
        ),
        item(
            "Short Answer",
            &(words("?") + &fill("s")),
            &test("s_ANS", "tree", &percent("100")),
        ),
        item(
            "Ordering",
            &(words("?") + &format!("<response_grp ident=\"o\" rcardinality=\"Ordered\">{ab}</response_grp>")),
            &(test("a", "2", &right) + &test("b", "1", &right)),
        ),
        item(
            "Matching",
            &(words("?") + &group("g1", "Italy") + &group("g2", "France")),
            &(test("g1", "m1", &right)
                + &test("g1", "m2", &wrong)
                + &test("g2", "m1", &wrong)
                + &test("g2", "m2", &right)),
        ),
        item(
            "Fill in the Blanks",
            &(words("Roses are ") + &fill("f1") + &words(" and violets ") + &fill("f2") + &words(".")),
            &(test("f1_ANS", "red", &percent("50")) + &test("f2_ANS", "blue", &percent("50"))),
        ),
    ];
    let dir = folder(&[
        ("imsmanifest.xml", BRIGHTSPACE),
        ("notes.html", "<p>Read this</p>"),
        (
            "quiz_d2l_1.xml",
            &qti(&format!(
                "<assessment title=\"Quiz\"><assess_procextension><attempts_allowed>2</attempts_allowed></assess_procextension>\
                 <section>{}</section></assessment>",
                items.concat()
            )),
        ),
    ]);
    let (course, report, _files) = read_ok(dir.path());
    let told = lines(&report).join("\n");
    let unit: Vec<_> = course.modules[0].lessons[0]
        .pages
        .iter()
        .map(|page| page.title.as_deref())
        .collect();
    assert_eq!(unit, [Some("Notes"), Some("Site")], "{told}");
    assert!(content::text(&page(&course, "Notes").content.read()).contains("Read this"));
    assert!(
        page(&course, "Site")
            .content
            .to_string()
            .contains("https://example.com/a%20b?x=1")
    );
    let quiz = page(&course, "Quiz");
    assert_eq!(quiz.quiz.as_ref().unwrap().max_attempts, Some(2));
    let explanation = questions(quiz)[0].explanation.as_ref().map(content::text);
    assert_eq!(explanation.as_deref().map(str::trim), Some("Think"));
    let found: Vec<String> = questions(quiz).iter().map(summary).collect();
    assert_eq!(
        found,
        [
            "one A +B = 2",
            "many +A B = 2",
            "text tree = 2",
            "order B A = 2",
            "pairs Italy-Rome France-Paris = 2",
            "blanks \"Roses are  and violets  .\" red / blue = 2",
        ],
        "{told}"
    );
}
