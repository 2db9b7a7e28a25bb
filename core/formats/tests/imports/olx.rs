//! Import of Open edX courses with old components.

use kurso_formats::quiz::{Kind, require_complete};
use kurso_formats::{CourseDraft, Report, content};

use super::{course_text, import, lines, zipped};

fn unit(component: &str, others: &[(&str, &[u8])]) -> (CourseDraft, Report) {
    let course = format!(
        "<course url_name=\"r\" org=\"O\" course=\"C\" display_name=\"Course\"><chapter display_name=\"M\"><sequential display_name=\"L\">\
         <vertical display_name=\"P\">{component}</vertical></sequential></chapter></course>"
    );
    let mut files: Vec<(&str, &[u8])> = vec![("course.xml", course.as_bytes())];
    files.extend(others);
    import("course.zip", &zipped(&files)).unwrap()
}

#[test]
fn files_are_found_by_the_names_that_open_edx_gave_them() {
    let html = "<html><p><a href=\"/static/Learning_Goals__1_.pdf\">goals</a></p></html>";
    let (course, report) = unit(html, &[("static/Learning Goals (1).pdf", b"%PDF-1.7")]);
    assert_eq!(course.files.len(), 1, "{:?}", lines(&report));
    assert_eq!(course.files[0].filename, "Learning Goals (1).pdf");
}

#[test]
fn words_of_annotations_are_kept() {
    let problem = "<problem><annotationresponse><annotationinput><title>Title 1</title><text>Text 2</text><comment>Comment 3</comment>\
                   <comment_prompt>Prompt 4</comment_prompt><tag_prompt>Tags 5</tag_prompt><options><option choice=\"correct\">Option 6</option></options>\
                   </annotationinput></annotationresponse></problem>";
    let (course, _) = unit(problem, &[]);
    let text = course_text(&course);
    for words in ["Title 1", "Text 2", "Comment 3", "Prompt 4", "Tags 5", "Option 6"] {
        assert!(text.contains(words), "{words} is not in {text}");
    }
    let text = "<annotatable><p>Before <annotation title=\"Note\" body=\"said aside\">the words</annotation> after</p></annotatable>";
    let (course, _) = unit(text, &[]);
    assert!(
        course_text(&course).contains("Before the words [Note: said aside] after"),
        "{}",
        course_text(&course)
    );
}

#[test]
fn instructions_and_labels_are_kept() {
    let (course, _) = unit("<staffgradedxblock instructions=\"&lt;p&gt;Bring it&lt;/p&gt;\"/>", &[]);
    assert!(course_text(&course).contains("Bring it"), "{}", course_text(&course));
    let problem =
        "<problem><stringresponse answer=\"4\"><textline label=\"How much is 2+2?\"/></stringresponse></problem>";
    let (course, _) = unit(problem, &[]);
    let quiz = course.pages().next().unwrap().quiz.as_ref().unwrap();
    assert_eq!(content::text(&quiz.questions[0].prompt), "How much is 2+2?");
}

#[test]
fn image_responses_with_a_picture_become_hotspots() {
    let input = |src: &str| {
        format!(
            "<problem><p>Where is it?</p><imageresponse><imageinput src=\"/static/{src}\" width=\"400\" height=\"200\" alt=\"A map\" \
             rectangle=\"(40,20)-(80,60);(200,0)-(400,200)\" regions=\"[[0,0],[40,0],[10,10],[0,40]]\"/></imageresponse></problem>"
        )
    };
    let dot: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";
    let (course, report) = unit(&input("map.png"), &[("static/map.png", dot)]);
    let quiz = course.pages().next().unwrap().quiz.as_ref().unwrap();
    require_complete(quiz).unwrap();
    let Kind::Hotspot {
        picture,
        zones,
        mark_all,
        ..
    } = &quiz.questions[0].kind
    else {
        panic!("{quiz:?}")
    };
    assert_eq!((zones.len(), mark_all), (3, &false));
    let picture = picture.as_ref().unwrap().to_string();
    assert!(
        picture.contains(&course.files[0].address()) && picture.contains("A map"),
        "{picture}"
    );
    assert_eq!(content::text(&quiz.questions[0].prompt), "Where is it?");
    assert!(
        !lines(&report).join("\n").contains("imageresponse"),
        "{:?}",
        lines(&report)
    );

    let (course, report) = unit(&input("gone.png"), &[]);
    assert!(course.pages().next().unwrap().quiz.is_none());
    assert!(course_text(&course).contains("Where is it?"));
    assert!(
        lines(&report).join("\n").contains("problem with imageresponse"),
        "{:?}",
        lines(&report)
    );
}

#[test]
fn dropdowns_in_a_table_show_their_row() {
    let menu = |right: &str| {
        format!("<optionresponse><optioninput options=\"('cat','dog')\" correct=\"{right}\"/></optionresponse>")
    };
    let problem = format!(
        "<problem display_name=\"Animals\"><table><tr><th>Sound</th><th>Who</th></tr><tr><td>meow</td><td>{}</td></tr><tr><td>woof</td><td>{}</td></tr></table></problem>",
        menu("cat"),
        menu("dog")
    );
    let (course, _) = unit(&problem, &[]);
    let quiz = course.pages().next().unwrap().quiz.as_ref().unwrap();
    let prompts: Vec<String> = quiz
        .questions
        .iter()
        .map(|question| content::text(&question.prompt))
        .collect();
    assert_eq!(prompts.len(), 2);
    assert!(
        prompts[0].contains("Sound") && prompts[0].ends_with("meow | _____"),
        "{prompts:?}"
    );
    assert_eq!(prompts[1], "woof | _____");
}

#[test]
fn checkboxes_without_partial_credit_are_all_or_nothing() {
    let problem = "<problem><choiceresponse><checkboxgroup><choice correct=\"true\">a</choice><choice correct=\"true\">b</choice>\
                   <choice correct=\"false\">c</choice></checkboxgroup></choiceresponse></problem>";
    let rule = |problem: &str| {
        let (course, report) = unit(problem, &[]);
        let quiz = course.pages().find_map(|page| page.quiz.clone()).unwrap();
        let Kind::MultipleChoice { all_or_nothing, .. } = quiz.questions[0].kind else {
            panic!("{:?}", quiz.questions[0])
        };
        (all_or_nothing, lines(&report).join("\n").contains("partial credit"))
    };
    assert_eq!(rule(problem), (true, false));
    let partial = problem.replace("<choiceresponse>", "<choiceresponse partial_credit=\"EDC\">");
    assert_eq!(rule(&partial), (false, true));
}

#[test]
fn hints_beyond_those_of_a_question_are_collapsed() {
    let hints: String = (1..=7).map(|number| format!("<hint>Hint {number}</hint>")).collect();
    let problem = format!(
        "<problem><stringresponse answer=\"4\"><label>2+2?</label><textline/></stringresponse>\
         <demandhint>{hints}<hint> </hint></demandhint></problem>"
    );
    let (course, report) = unit(&problem, &[]);
    let quiz = course.pages().find_map(|page| page.quiz.clone()).unwrap();
    let kept: Vec<String> = quiz.questions[0].hints.iter().map(content::text).collect();
    assert_eq!(kept, ["Hint 1", "Hint 2", "Hint 3", "Hint 4", "Hint 5"]);
    let prompt = content::text(&quiz.questions[0].prompt);
    assert!(prompt.contains("Hint 6") && prompt.contains("Hint 7"), "{prompt}");
    assert!(lines(&report).join("\n").contains("hints on request: 2"));
}

#[test]
fn updates_in_json_are_reported() {
    let (_, report) = unit("<html><p>a</p></html>", &[("info/updates.items.json", b"[]")]);
    assert!(
        lines(&report)
            .iter()
            .any(|line| line.contains("info/updates.items.json"))
    );
}

/// A course of one chapter, sequential and unit with these attributes, and this problem twice.
fn dated(course: &str, chapter: &str, sequential: &str, vertical: &str, problems: [&str; 2]) -> (CourseDraft, String) {
    let problem = |attrs: &str| {
        format!(
            "<problem {attrs}><stringresponse answer=\"4\"><label>2+2?</label><textline/></stringresponse></problem>"
        )
    };
    let text = format!(
        "<course url_name=\"r\" org=\"O\" course=\"C\" display_name=\"Course\" {course}><chapter display_name=\"M\" {chapter}>\
         <sequential display_name=\"L\" {sequential}><vertical display_name=\"P\" {vertical}>{}{}</vertical></sequential></chapter></course>",
        problem(problems[0]),
        problem(problems[1])
    );
    let policy = br#"{"course/r": {"enrollment_end": "2026-09-10T00:00:00Z", "start": "2000-01-01T00:00:00Z", "lti_passports": ["secret"]}}"#;
    let files: Vec<(&str, &[u8])> = vec![("course.xml", text.as_bytes()), ("policies/r/policy.json", policy)];
    let (course, report) = import("course.zip", &zipped(&files)).unwrap();
    (course, lines(&report).join("\n"))
}

fn said(at: Option<chrono::DateTime<chrono::Utc>>) -> String {
    at.map_or_else(|| "-".to_owned(), |at| at.format("%d.%m.%y %H:%M").to_string())
}

#[test]
fn dates_of_open_edx_are_dates_of_the_course() {
    let (course, report) = dated(
        "start=\"2026-09-01T00:00:00Z\" end=\"&quot;2026-12-31T20:00:00+00:00&quot;\"",
        "start=\"2026-09-02 06:00\"",
        "start=\"2026-09-03\" due=\"2026-10-01T20:00\" format=\"Homework\"",
        "start=\"2026-09-04T00:00:00Z\"",
        ["due=\"2026-09-20\"", "due=\"2026-09-20T23:59:00Z\""],
    );
    let dates = &course.dates;
    assert_eq!(
        [dates.starts_at, dates.ends_at, dates.enroll_until].map(said),
        ["01.09.26 00:00", "31.12.26 20:00", "10.09.26 00:00"]
    );
    let module = &course.modules[0];
    let lesson = &module.lessons[0];
    let page = &lesson.pages[0];
    let own =
        [module.dates, lesson.dates, page.dates].map(|dates| [dates.available_from, dates.due_at].map(said).join(", "));
    assert_eq!(
        own,
        [
            "02.09.26 06:00, -",
            "03.09.26 00:00, 01.10.26 20:00",
            "04.09.26 00:00, 20.09.26 23:59"
        ]
    );
    assert!(!report.contains("due") && !report.contains("start"), "{report}");
    assert!(report.contains("setting format of sequential (1)"), "{report}");
}

#[test]
fn dates_of_open_edx_that_cannot_be_taken_are_reported() {
    let (course, report) = dated(
        "start=\"2030-01-01T00:00:00Z\" end=\"never\"",
        "start=\"null\"",
        "start=\"2026-10-03\" due=\"2026-10-01\"",
        "",
        ["due=\"2026-09-20\"", "due=\"2026-09-21\""],
    );
    assert_eq!(
        (course.dates.starts_at, course.dates.ends_at, course.unread_dates.course),
        (None, None, true)
    );
    let lesson = &course.modules[0].lessons[0];
    assert_eq!(said(lesson.dates.available_from.or(lesson.dates.due_at)), "-");
    assert_eq!(said(lesson.pages[0].dates.due_at), "21.09.26 23:59", "the last one");
    for part in [
        "start of the course in 2030",
        "date end of course: not a date from 2000 to 2099",
        "dates of sequential: out of order",
        "different values of due on one page",
    ] {
        assert!(report.contains(part), "{part}\n{report}");
    }
    let (course, report) = dated(
        "self_paced=\"true\"",
        "due=\"2026-10-01\"",
        "due=\"2026-10-01\"",
        "",
        [""; 2],
    );
    assert_eq!(
        (
            course.modules[0].dates.due_at,
            course.modules[0].lessons[0].dates.due_at
        ),
        (None, None)
    );
    assert!(report.contains("due dates: 2: they have no effect"), "{report}");
}
