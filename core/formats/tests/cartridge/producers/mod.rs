//! Features of producers outside the profile. Here: groups, banks and New Quizzes of Canvas.

mod brightspace;
mod hotspots;

use kurso_formats::content;
use kurso_formats::quiz::{Filling, Kind, Question};
use kurso_formats::testing::folder;
use kurso_formats::{CourseDraft, PageDraft};
use serde_json::Value;
use tempfile::TempDir;

use crate::{lines, read_ok};

fn page<'c>(course: &'c CourseDraft, title: &str) -> &'c PageDraft {
    let found = course.pages().find(|page| page.title.as_deref() == Some(title));
    found.unwrap_or_else(|| panic!("no page {title}"))
}

fn questions(page: &PageDraft) -> &[Question] {
    page.quiz.as_ref().map_or(&[], |quiz| &quiz.questions)
}

/// A question as one line: its correct answers and its points.
fn summary(question: &Question) -> String {
    let text = |document: &Value| content::text(document).trim().to_owned();
    let right = |options: &[kurso_formats::quiz::Choice]| -> String {
        let each = options.iter().map(|option| match option.correct {
            true => format!("+{}", text(&option.content)),
            false => text(&option.content),
        });
        each.collect::<Vec<_>>().join(" ")
    };
    let answer = match &question.kind {
        Kind::SingleChoice { options } => format!("one {}", right(options)),
        Kind::MultipleChoice { options, .. } => format!("many {}", right(options)),
        Kind::ShortText { accepted, .. } => format!("text {}", accepted.join("|")),
        Kind::Numeric { value, tolerance, .. } => format!("number {} {tolerance}", value.as_ref().unwrap()),
        Kind::Formula { expression, .. } => format!("formula {expression}"),
        Kind::Matching { pairs } => {
            let each = pairs
                .iter()
                .map(|pair| format!("{}-{}", text(&pair.left), text(&pair.right)));
            format!("pairs {}", each.collect::<Vec<_>>().join(" "))
        }
        Kind::Ordering { items } => {
            let each = items.iter().map(|item| text(&item.content));
            format!("order {}", each.collect::<Vec<_>>().join(" "))
        }
        Kind::Essay { .. } => "essay".to_owned(),
        Kind::Hotspot { zones, mark_all, .. } => {
            let each = zones.iter().map(|zone| serde_json::to_string(&zone.shape).unwrap());
            format!("places {mark_all} {}", each.collect::<Vec<_>>().join(" "))
        }
        Kind::FileUpload { .. } => "files".to_owned(),
        Kind::HandIn { .. } => "hand in".to_owned(),
        Kind::Draw { .. } => "draw".to_owned(),
        Kind::FillBlank { text: words, blanks } => {
            let each = blanks.iter().map(|blank| match &blank.filling {
                Filling::Accepted(accepted) => accepted.join("|"),
                Filling::Options(options) => right(options),
            });
            format!("blanks {:?} {}", text(words), each.collect::<Vec<_>>().join(" / "))
        }
    };
    format!("{answer} = {}", question.points.as_f64())
}

fn manifest(resources: &str) -> String {
    format!("<manifest xmlns=\"x\"><organizations/><resources>{resources}</resources></manifest>")
}

fn item(kind: &str, prompt: &str, responses: &str, conditions: &str) -> String {
    format!(
        "<item ident=\"q\"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>{kind}</fieldentry>\
         </qtimetadatafield><qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>1.0</fieldentry></qtimetadatafield>\
         </qtimetadata></itemmetadata><presentation><material><mattext texttype=\"text/html\">{prompt}</mattext></material>{responses}\
         </presentation><resprocessing>{conditions}</resprocessing></item>"
    )
}

fn choose(response: &str, name: &str, labels: &[(&str, &str)], more: &str) -> String {
    let each = labels.iter().map(|(id, text)| {
        format!("<response_label ident=\"{id}\"><material><mattext>{text}</mattext></material></response_label>")
    });
    format!(
        "<response_lid ident=\"{response}\" {more}><material><mattext>{name}</mattext></material><render_choice>{}</render_choice></response_lid>",
        each.collect::<String>()
    )
}

fn scores(tests: &[(&str, &str)], score: &str) -> String {
    let each = tests
        .iter()
        .map(|(response, value)| format!("<varequal respident=\"{response}\">{value}</varequal>"));
    format!(
        "<respcondition><conditionvar>{}</conditionvar><setvar varname=\"SCORE\" action=\"Add\">{score}</setvar></respcondition>",
        each.collect::<String>()
    )
}

const TRUTH: &[(&str, &str)] = &[("t", "True"), ("f", "False")];

fn truth(prompt: &str) -> String {
    item(
        "true_false_question",
        prompt,
        &choose("response1", "", TRUTH, ""),
        &scores(&[("response1", "t")], "100"),
    )
}

fn qti(inside: &str) -> String {
    format!("<questestinterop xmlns=\"q\">{inside}</questestinterop>")
}

/// A package of one quiz with these items.
fn quiz_of(items: &[String]) -> TempDir {
    folder(&[
        (
            "imsmanifest.xml",
            &manifest("<resource identifier=\"a\" type=\"imsqti_xmlv1p2\"><file href=\"a.xml\"/></resource>"),
        ),
        (
            "a.xml",
            &qti(&format!(
                "<assessment title=\"Quiz\"><section>{}</section></assessment>",
                items.concat()
            )),
        ),
    ])
}

fn group(selection: &str, items: &str) -> String {
    format!(
        "<section title=\"Group\"><selection_ordering><selection>{selection}<selection_number>1</selection_number><selection_extension>\
         <points_per_item>5.0</points_per_item></selection_extension></selection></selection_ordering>{items}</section>"
    )
}

#[test]
fn canvas_groups_set_points_and_draw_from_banks() {
    let quiz = qti(&format!(
        "<assessment title=\"Quiz\"><section ident=\"root_section\">{}{}{}{}{}</section></assessment>",
        truth("before"),
        group("", &truth("in it")),
        group("", &(truth("left") + &truth("right"))),
        group("<sourcebank_ref>bank1</sourcebank_ref>", ""),
        group("<sourcebank_ref>elsewhere</sourcebank_ref>", ""),
    ));
    let bank = |title: &str, items: &str| {
        qti(&format!(
            "<objectbank><qtimetadata><qtimetadatafield><fieldlabel>bank_title</fieldlabel><fieldentry>{title}</fieldentry>\
             </qtimetadatafield></qtimetadata>{items}</objectbank>"
        ))
    };
    let dir = folder(&[
        (
            "imsmanifest.xml",
            &manifest(
                "<resource identifier=\"quiz1\" type=\"imsqti_xmlv1p2/imscc_xmlv1p1/assessment\"><file href=\"quiz1/assessment_qti.xml\"/></resource>\
                 <resource identifier=\"bank1\" type=\"associatedcontent/imscc_xmlv1p1/learning-application-resource\" href=\"non_cc_assessments/bank1.xml.qti\"/>\
                 <resource identifier=\"bank2\" type=\"associatedcontent/imscc_xmlv1p1/learning-application-resource\" href=\"non_cc_assessments/bank2.xml.qti\"/>",
            ),
        ),
        ("quiz1/assessment_qti.xml", &qti("<assessment title=\"Quiz\"/>")),
        ("non_cc_assessments/quiz1.xml.qti", &quiz),
        (
            "non_cc_assessments/bank1.xml.qti",
            &bank("Bank", &(truth("one") + &truth("two"))),
        ),
        ("non_cc_assessments/bank2.xml.qti", &bank("Unused", &truth("alone"))),
    ]);
    let (course, report, _files) = read_ok(dir.path());
    let found = questions(page(&course, "Quiz"));
    let prompts: Vec<String> = found
        .iter()
        .map(|question| match &question.kind {
            Kind::Draw { bank_id, count, .. } => {
                let bank = course.banks.iter().find(|bank| bank.id == *bank_id).unwrap();
                format!("{count} of {} {}", bank.title, question.points.as_f64())
            }
            _ => format!(
                "{} {}",
                content::text(&question.prompt).trim(),
                question.points.as_f64()
            ),
        })
        .collect();
    assert_eq!(prompts, ["before 1", "in it 5", "1 of Group 5", "1 of Bank 5"]);
    let banks: Vec<_> = course
        .banks
        .iter()
        .map(|bank| {
            let prompts: Vec<_> = bank
                .questions
                .iter()
                .map(|question| content::text(&question.question.as_question().prompt).trim().to_owned())
                .collect();
            format!("{}: {}", bank.title, prompts.join(", "))
        })
        .collect();
    assert_eq!(banks, ["Bank: one, two", "Unused: alone", "Group: left, right"]);
    assert_eq!(course.pages().count(), 1, "banks are no pages");
    let told = lines(&report).join("\n");
    for part in [
        "question group \"Group\", 1 of 2",
        "1, elsewhere",
        "question bank \"Unused\" (1)",
    ] {
        assert!(told.contains(part), "{told}");
    }
    // The same file gives the same banks.
    let (again, ..) = read_ok(dir.path());
    let ids = |course: &CourseDraft| course.banks.iter().map(|bank| bank.id).collect::<Vec<_>>();
    assert_eq!(ids(&again), ids(&course));
}

#[test]
fn all_accepted_texts_of_canvas_blanks_are_imported() {
    let blanks = |more: &str| {
        item(
            "fill_in_multiple_blanks_question",
            "Roses are [a] and [b].",
            &(choose("response_a", "a", &[("1", "red"), ("2", "scarlet")], more)
                + &choose("response_b", "b", &[("3", "sweet")], "")),
            &(scores(&[("response_a", "1")], "50.00") + &scores(&[("response_b", "3")], "50.00")),
        )
    };
    let categories = [("x", "apple"), ("y", "carrot"), ("z", "stone")];
    let items = [
        blanks(""),
        // New Quizzes: the same question type with a list of options.
        blanks("answer_type=\"dropdown\""),
        item(
            "categorization_question",
            "Sort",
            &(choose("k1", "Fruit", &categories, "rcardinality=\"Multiple\"")
                + &choose("k2", "Vegetable", &categories, "rcardinality=\"Multiple\"")),
            &(scores(&[("k1", "x")], "50") + &scores(&[("k2", "y")], "50")),
        ),
        item(
            "hot_spot_question",
            "Where is it?",
            "<response_xy ident=\"r\"><render_hotspot><response_label ident=\"h\"/></render_hotspot></response_xy>",
            "",
        ),
        item(
            "multiple_choice_question",
            "What is taken off is wrong",
            &choose("r", "", &[("1", "no"), ("2", "yes")], ""),
            &(scores(&[("r", "1")], "50").replace("Add", "Subtract") + &scores(&[("r", "2")], "100")),
        ),
    ];
    let dir = quiz_of(&items);
    let (course, report, _files) = read_ok(dir.path());
    let page = page(&course, "Quiz");
    let found: Vec<String> = questions(page).iter().map(summary).collect();
    assert_eq!(
        found,
        [
            "blanks \"Roses are  and .\" red|scarlet / sweet = 1",
            "blanks \"Roses are  and .\" +red scarlet / sweet = 1",
            "pairs apple-Fruit carrot-Vegetable = 1",
            "one no +yes = 1",
        ]
    );
    let told = lines(&report).join("\n");
    assert!(told.contains("distractors: stone"), "{told}");
    assert!(told.contains("hot_spot_question"), "{told}");
    assert!(content::text(&page.content.read()).contains("Where is it?"));
}

#[test]
fn all_assessments_of_a_file_are_read_and_other_qti_versions_are_attached() {
    let assessment = |title: &str| {
        format!(
            "<assessment title=\"{title}\"><section>{}</section></assessment>",
            truth(title)
        )
    };
    let dir = folder(&[
        (
            "imsmanifest.xml",
            &manifest(
                "<resource identifier=\"a\" type=\"imsqti_xmlv1p2\"><file href=\"a.xml\"/></resource>\
                 <resource identifier=\"b\" type=\"imsqti_item_xmlv2p1\" href=\"b.xml\"><file href=\"b.xml\"/></resource>",
            ),
        ),
        (
            "a.xml",
            &qti(&(assessment("First") + &assessment("Second") + &truth("Third"))),
        ),
        (
            "b.xml",
            "<assessmentItem xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p1\"><itemBody><p>Which?</p></itemBody></assessmentItem>",
        ),
    ]);
    let (course, report, _files) = read_ok(dir.path());
    assert_eq!(questions(page(&course, "First")).len(), 3);
    let other = course.pages().find(|page| page.source == "b.xml").unwrap();
    assert!(other.quiz.is_none() && other.content.to_string().contains("attachment"));
    let told = lines(&report).join("\n");
    assert!(told.contains("resource of the type \"imsqti_item_xmlv2p1\""), "{told}");
}

#[test]
fn canvas_pages_keep_math_videos_and_frames() {
    let body = r#"<p>Half: <img class="equation_image" title="\frac{1}{2}" src="https://canvas.example/equation_images/x" alt="LaTeX: \frac{1}{2}"></p>
<iframe title="A film" data-media-type="video" src="$IMS-CC-FILEBASE$/film.mp4?canvas_=1&amp;media_attachment=true"></iframe>
<iframe title="Slides" src="https://docs.example/embed"></iframe>
<iframe src="$CANVAS_COURSE_REFERENCE$/external_tools/retrieve?display=borderless&amp;url=https%3A%2F%2Ftool.example%2Fx%3Fa%3D1"></iframe>
<iframe src="javascript:alert(1)"></iframe><a href="$CANVAS_COURSE_REFERENCE$/assignments/syllabus">syllabus</a>"#;
    let items = |kind: &str| {
        format!(
            "<item identifier=\"i{kind}\"><content_type>ContextExternalTool</content_type><workflow_state>active</workflow_state>\
             <title>Tool {kind}</title><identifierref>tool</identifierref><url>https://tool.example/launch?item={kind}</url></item>"
        )
    };
    let dir = folder(&[
        (
            "imsmanifest.xml",
            &manifest(
                "<resource identifier=\"one\" type=\"webcontent\" href=\"wiki_content/one.html\"><file href=\"wiki_content/one.html\"/></resource>\
                 <resource identifier=\"tool\" type=\"imsbasiclti_xmlv1p0\"><file href=\"tool.xml\"/></resource>\
                 <resource identifier=\"syllabus\" type=\"associatedcontent/imscc_xmlv1p1/learning-application-resource\" href=\"course_settings/syllabus.html\"/>\
                 <resource identifier=\"old\" type=\"webcontent\" href=\"old.html\"><file href=\"old.html\"/></resource>\
                 <resource identifier=\"both\" type=\"webcontent\" href=\"web_resources/both.txt\"><metadata><lom><educational><intendedEndUserRole><value>Instructor</value>\
                 </intendedEndUserRole><intendedEndUserRole><value>Learner</value></intendedEndUserRole></educational></lom></metadata><file href=\"web_resources/both.txt\"/></resource>",
            ),
        ),
        (
            "wiki_content/one.html",
            &format!("<html><head><title>One</title></head><body>{body}</body></html>"),
        ),
        ("web_resources/film.mp4", "\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom"),
        ("web_resources/both.txt", "both"),
        (
            "old.html",
            "<html><head><title>Old</title></head><FRAMESET cols=\"20%,80%\"><frame src=\"wiki_content/one.html\"/>\
          <FRAME src=\"https://example.com/menu\"><noframes><body>no frames</body></noframes></FRAMESET></html>",
        ),
        (
            "tool.xml",
            "<link><title>Tool</title><launch_url>https://tool.example/launch</launch_url></link>",
        ),
        (
            "course_settings/syllabus.html",
            "<html><head><title>Syllabus</title></head><body><p>Plan</p></body></html>",
        ),
        (
            "course_settings/course_settings.xml",
            "<course><title>C</title></course>",
        ),
        ("course_settings/grading_standards.xml", "<gradingStandards/>"),
        (
            "course_settings/module_meta.xml",
            &format!(
                "<modules><module identifier=\"m\"><title>M</title><unlock_at>2030-01-01</unlock_at><items>{}{}</items></module></modules>",
                items("1"),
                items("2")
            ),
        ),
    ]);
    let (course, report, _files) = read_ok(dir.path());
    let told = lines(&report).join("\n");
    let one = page(&course, "One").content.read();
    let json = one.to_string();
    for part in [
        r#""latex":"\\frac{1}{2}""#,
        r#""type":"video""#,
        "https://docs.example/embed",
        "https://tool.example/x?a=1",
        r#""href":"page:"#,
    ] {
        assert!(json.contains(part), "{part} is not in {json}\n{told}");
    }
    assert!(content::text(&one).contains("Slides"));
    let old = page(&course, "Old").content.to_string();
    assert!(
        old.contains("\"href\":\"page:") && old.contains("https://example.com/menu"),
        "{old}"
    );
    assert!(!json.contains("javascript"), "{json}");
    assert!(course.modules[0].dates.available_from.is_some());
    for (title, address) in [("Tool 1", "launch?item=1"), ("Tool 2", "launch?item=2")] {
        let page = page(&course, title);
        assert!(page.content.to_string().contains(address), "{title}: {}", page.content);
    }
    for part in [
        "replaced by a link",
        "tag <iframe src=\"javascript:alert(1)\"> and its content",
        "grading_standards.xml",
    ] {
        assert!(told.contains(part), "{part} is not in\n{told}");
    }
    let files = course
        .pages()
        .find(|page| page.content.to_string().contains("both.txt"));
    assert!(files.is_some_and(|page| page.published), "{told}");
}
