//! Import of open response assessments of Open edX.

use kurso_formats::quiz::{Kind, Quiz, Reveal, require_complete};
use kurso_formats::{PageDraft, content};

use super::{import, lines, zipped};

/// The first page of a course with one unit, and the lines of the report.
fn page(components: &str) -> (PageDraft, Vec<String>) {
    page_of("", components)
}

fn page_of(course: &str, components: &str) -> (PageDraft, Vec<String>) {
    let course = format!(
        "<course url_name=\"r\" org=\"O\" course=\"C\" display_name=\"Course\" {course}><chapter display_name=\"M\"><sequential display_name=\"L\">\
         <vertical display_name=\"P\">{components}</vertical></sequential></chapter></course>"
    );
    let (mut course, report) = import("course.zip", &zipped(&[("course.xml", course.as_bytes())])).unwrap();
    let mut pages = std::mem::take(&mut course.modules[0].lessons[0].pages);
    assert_eq!(pages.len(), 1);
    (pages.remove(0), lines(&report))
}

fn quiz(page: &PageDraft) -> &Quiz {
    let quiz = page.quiz.as_ref().unwrap();
    require_complete(quiz).unwrap();
    quiz
}

/// The prompts with their points and, of files, how many of which kinds.
fn questions(page: &PageDraft) -> Vec<String> {
    let all = quiz(page).questions.iter();
    all.map(|question| {
        let prompt = content::text(&question.prompt);
        let points = question.points.as_f64();
        match &question.kind {
            Kind::Essay { .. } => format!("{prompt} = {points}"),
            Kind::FileUpload {
                max_files, extensions, ..
            } => format!("{prompt} = {points}, {max_files} {}", extensions.join(" ")),
            other => panic!("{other:?}"),
        }
    })
    .collect()
}

/// An assessment in the form in which Open edX writes it.
const WHOLE: &str = r#"<openassessment url_name="ab12" submission_start="2001-01-01T00:00" submission_due="2026-10-05T20:00:00+00:00" leaderboard_show="3"
  text_response="required" text_response_editor="tinymce" file_upload_response="optional" file_upload_type="custom" white_listed_file_types="pdf,.DOCX,tar.gz"
  allow_multiple_files="True" allow_latex="False" allow_learner_resubmissions="False" prompts_type="html" teams_enabled="False" selected_teamset_id=""
  show_rubric_during_response="False">
  <title>The river report</title>
  <assessments>
    <assessment name="student-training"><example><answer><part>It is a river.</part></answer><select criterion="Ideas" option="Poor"/></example>
      <example><answer><part>Rivers differ.</part></answer><select criterion="Ideas" option="Good"/></example></assessment>
    <assessment name="peer-assessment" must_grade="5" must_be_graded_by="3" enable_flexible_grading="False" grading_strategy="median"
      start="2001-01-01T00:00" due="2029-01-01T00:00"/>
    <assessment name="self-assessment" start="2026-10-06T00:00" due="2026-10-08T00:00"/>
    <assessment name="staff-assessment" required="True"/>
    <assessment name="robot-assessment"/>
  </assessments>
  <prompts>
    <prompt><description>&lt;p&gt;Describe a &lt;strong&gt;river&lt;/strong&gt;.&lt;/p&gt;</description></prompt>
    <prompt><description>&lt;ul&gt;&lt;li&gt;Where does it end?&lt;/li&gt;&lt;/ul&gt;</description></prompt>
  </prompts>
  <rubric>
    <criterion feedback="optional"><name>Ideas</name><label>Main ideas</label><prompt>Is there one theme?
Is it clear?</prompt>
      <option points="0"><name>Poor</name><label>Poor</label><explanation>No theme &lt;at all&gt;.</explanation></option>
      <option points="5"><name>Good</name><label>Very good</label><explanation/></option></criterion>
    <criterion><name>Content</name><label>Content</label><prompt/>
      <option points="3"><name>Full</name><label>Full</label><explanation>All facts.</explanation></option></criterion>
    <feedbackprompt>What stood out?</feedbackprompt>
    <feedback_default_text>I think that</feedback_default_text>
  </rubric>
</openassessment>"#;

#[test]
fn an_open_response_becomes_questions_that_teachers_grade() {
    let (page, said) = page(WHOLE);
    assert_eq!(
        questions(&page),
        [
            "The river report\nDescribe a river.\nWhere does it end? = 8",
            "Attach your files = 0, 20 pdf docx"
        ]
    );
    let quiz = quiz(&page);
    assert_eq!((quiz.pass_percent, quiz.max_attempts), (0, Some(1)));
    let prompt = quiz.questions[0].prompt.to_string();
    assert!(prompt.contains("bulletList") && prompt.contains("bold"), "{prompt}");
    let guide = content::text(quiz.questions[0].kind.guide().unwrap());
    assert_eq!(
        guide.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
        [
            "Main ideas",
            "Is there one theme?",
            "Is it clear?",
            "Poor (0): No theme <at all>.",
            "Very good (5)",
            "Content",
            "Full (3): All facts.",
            "What stood out?",
            "I think that",
        ]
    );
    assert_eq!(quiz.questions[1].kind.guide(), None, "one rubric for both");
    let due = page.dates.due_at.map(|due| due.to_rfc3339());
    assert_eq!(due.as_deref(), Some("2026-10-05T20:00:00+00:00"));
    assert_eq!(content::text(&page.content.read()), "");
    assert_eq!(
        said,
        [
            "changed course.xml: open response assessment: it became open questions; teachers give points for the whole answer, and the rubric is their note for graders",
            "not_carried course.xml: example responses to practise grading: 2: learners do not grade",
            "not_carried course.xml: peer assessment and its dates: learners do not grade each other; teachers grade the response",
            "not_carried course.xml: self-assessment and its dates: learners do not grade themselves; teachers grade the response",
            "not_carried course.xml: assessment step robot-assessment: teachers grade the response",
            "not_carried course.xml: kinds of files: tar.gz: a question accepts up to 30 kinds; each has 1 to 10 Latin letters and digits",
            "not_carried course.xml: setting leaderboard_show of openassessment (1): not supported; its value was not read",
        ]
    );
}

#[test]
fn the_settings_of_an_open_response_say_what_is_handed_in() {
    for (settings, expected) in [
        ("", vec!["Say it = 1"]),
        (
            "text_response=\"optional\" file_upload_response=\"\"",
            vec!["Say it = 1"],
        ),
        (
            "text_response=\"\" file_upload_response=\"\" file_upload_type=\"\"",
            vec!["Say it = 1", "Attach your files = 0, 20 "],
        ),
        (
            "file_upload_response=\"required\" file_upload_type=\"image\" allow_multiple_files=\"False\"",
            vec!["Say it = 1, 1 jpg jpeg png gif"],
        ),
        (
            "text_response=\"optional\" file_upload_response=\"required\" file_upload_type=\"pdf-and-image\"",
            vec!["Say it = 0", "Attach your files = 1, 20 pdf jpg jpeg png gif"],
        ),
        (
            "text_response=\"required\" file_upload_response=\"required\"",
            vec!["Say it = 1", "Attach your files = 0, 20 "],
        ),
        // Older assessments.
        (
            "file_upload_type=\"image\"",
            vec!["Say it = 1", "Attach your files = 0, 20 jpg jpeg png gif"],
        ),
        (
            "allow_file_upload=\"True\"",
            vec!["Say it = 1", "Attach your files = 0, 20 jpg jpeg png gif"],
        ),
        ("allow_file_upload=\"False\"", vec!["Say it = 1"]),
    ] {
        let (page, _) = page(&format!(
            "<openassessment {settings}><title>Open Response Assessment</title><rubric><prompt>Say it</prompt></rubric></openassessment>"
        ));
        assert_eq!(questions(&page), expected, "{settings}");
    }
}

#[test]
fn the_guide_stands_at_the_question_with_the_points() {
    let (page, _) = page(
        "<openassessment text_response=\"optional\" file_upload_response=\"required\"><prompts><prompt><description>Say it</description></prompt></prompts>\
         <rubric><criterion><name>Ideas</name><option points=\"2000\"><name>Good</name></option></criterion></rubric></openassessment>",
    );
    assert_eq!(
        questions(&page),
        ["Say it = 0", "Attach your files = 1000, 20 "],
        "at most 1000 points"
    );
    let guides: Vec<_> = quiz(&page)
        .questions
        .iter()
        .map(|question| question.kind.guide().is_some())
        .collect();
    assert_eq!(guides, [false, true]);
}

#[test]
fn prompts_are_html_only_if_they_say_so() {
    let prompt = |attr: &str| {
        let (page, _) = page(&format!(
            "<openassessment {attr}><prompts><prompt><description>&lt;b&gt;One&lt;/b&gt;\n\nTwo</description></prompt></prompts></openassessment>"
        ));
        content::text(&quiz(&page).questions[0].prompt)
    };
    assert_eq!(prompt("prompts_type=\"text\""), "<b>One</b>\nTwo");
    assert_eq!(prompt("prompts_type=\"html\""), "One Two");
    assert_eq!(prompt(""), "One Two", "as in the first years");
}

#[test]
fn an_open_response_without_a_prompt_still_asks() {
    let (page, _) = page("<openassessment><title/></openassessment>");
    assert_eq!(questions(&page), ["Hand in your response = 1"]);
    let (page, _) = page_of("language=\"ru\"", "<openassessment file_upload_type=\"image\"/>");
    assert_eq!(
        questions(&page),
        ["Сдайте ответ = 1", "Приложите файлы = 0, 20 jpg jpeg png gif"]
    );
}

#[test]
fn an_open_response_beside_problems_keeps_their_settings() {
    let problem = "<problem showanswer=\"never\" max_attempts=\"3\"><p>2+2?</p><stringresponse answer=\"4\"><textline/></stringresponse></problem>";
    let (page, said) = page(&format!(
        "{problem}<openassessment allow_learner_resubmissions=\"True\"><rubric><prompt>Say it</prompt></rubric></openassessment>"
    ));
    let quiz = page.quiz.as_ref().unwrap();
    assert_eq!(
        (quiz.questions.len(), quiz.reveal, quiz.pass_percent, quiz.max_attempts),
        (2, Reveal::Never, 70, None)
    );
    assert!(!said.join("\n").contains("showanswer"), "{said:#?}");
    assert!(said.join("\n").contains("max_attempts"), "{said:#?}");
}

#[test]
fn a_due_date_that_nobody_set_is_no_due_date() {
    let due = |course: &str, at: &str| {
        let component = format!("<openassessment submission_due=\"{at}\"/>");
        let (page, said) = page_of(course, &component);
        (page.dates.due_at.is_some(), said.join("\n"))
    };
    assert!(due("", "2026-10-05T20:00").0);
    for undecided in ["2029-01-01T00:00", "2029-01-01T00:00:00+00:00"] {
        let (is_due, said) = due("", undecided);
        assert!(!is_due && !said.contains("due"), "{said}");
    }
    let (is_due, said) = due("", "soon");
    assert!(
        !is_due && said.contains("date submission_due of openassessment"),
        "{said}"
    );
    let (is_due, said) = due("self_paced=\"true\"", "2026-10-05T20:00");
    assert!(!is_due && said.contains("due dates: 1"), "{said}");
}
