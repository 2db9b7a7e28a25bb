//! Import of Open edX courses with old components.

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
fn checkboxes_that_earn_all_or_nothing_are_reported() {
    let problem = "<problem><choiceresponse><checkboxgroup><choice correct=\"true\">a</choice><choice correct=\"true\">b</choice>\
                   <choice correct=\"false\">c</choice></checkboxgroup></choiceresponse></problem>";
    let (_, report) = unit(problem, &[]);
    assert!(
        lines(&report).iter().any(|line| line.contains("all points or none")),
        "{:?}",
        lines(&report)
    );
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
