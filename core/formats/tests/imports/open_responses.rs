//! Import of open response assessments of Open edX.

use kurso_formats::quiz::{Kind, Quiz, Reveal, require_complete};
use kurso_formats::{PageDraft, content};

use super::{import, lines, zipped};

/// The first page of a course with one unit, and the lines of the report.
fn page(components: &str) -> (PageDraft, Vec<String>) {
    page_of("", components)
}

fn page_of(course: &str, components: &str) -> (PageDraft, Vec<String>) {
    let (mut pages, said) = pages_of(course, components);
    assert_eq!(pages.len(), 1);
    (pages.remove(0), said)
}

fn pages_of(course: &str, components: &str) -> (Vec<PageDraft>, Vec<String>) {
    let course = format!(
        "<course url_name=\"r\" org=\"O\" course=\"C\" display_name=\"Course\" {course}><chapter display_name=\"M\"><sequential display_name=\"L\">\
         <vertical display_name=\"P\">{components}</vertical></sequential></chapter></course>"
    );
    let (mut course, report) = import("course.zip", &zipped(&[("course.xml", course.as_bytes())])).unwrap();
    let pages = std::mem::take(&mut course.modules[0].lessons[0].pages);
    (pages, lines(&report))
}

fn quiz(page: &PageDraft) -> &Quiz {
    let quiz = page.quiz.as_ref().unwrap();
    require_complete(quiz).unwrap();
    quiz
}

/// The instructions, the points, and what is taken: a text, and how many files of which kinds.
fn taken(page: &PageDraft) -> String {
    let quiz = quiz(page);
    assert!(quiz.is_assignment(), "{quiz:?}");
    let Kind::HandIn {
        takes_text,
        max_files,
        extensions,
        ..
    } = &quiz.questions[0].kind
    else {
        panic!("{quiz:?}")
    };
    let text = if *takes_text { "text " } else { "" };
    let files = match max_files {
        0 => String::new(),
        most => format!("{most} {}", extensions.join(" ")),
    };
    let points = quiz.questions[0].points.as_f64();
    format!("{} = {points}: {text}{files}", content::text(&page.content.read()))
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
fn an_open_response_becomes_an_assignment_that_teachers_grade() {
    let (page, said) = page(WHOLE);
    assert_eq!(
        taken(&page),
        "The river report\nDescribe a river.\nWhere does it end? = 8: text 20 pdf docx"
    );
    let quiz = quiz(&page);
    assert_eq!((quiz.pass_percent, quiz.max_attempts), (0, Some(1)));
    let prompt = page.content.read().to_string();
    assert!(prompt.contains("bulletList") && prompt.contains("bold"), "{prompt}");
    assert!(content::is_empty(&quiz.questions[0].prompt));
    let guide = content::text(quiz.questions[0].kind.guide().unwrap());
    assert_eq!(
        guide.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
        ["What stood out?", "I think that"]
    );
    let rubric = quiz.questions[0].kind.rubric().unwrap();
    let criteria = rubric.criteria.iter().map(|criterion| {
        let levels = criterion
            .levels
            .iter()
            .map(|level| format!("{} ({}): {}", level.name, level.points.as_f64(), level.description));
        (
            criterion.name.as_str(),
            criterion.description.as_str(),
            levels.collect::<Vec<_>>(),
        )
    });
    assert_eq!(
        criteria.collect::<Vec<_>>(),
        [
            (
                "Main ideas",
                "Is there one theme?\nIs it clear?",
                vec!["Poor (0): No theme <at all>.".to_owned(), "Very good (5): ".to_owned()]
            ),
            ("Content", "", vec!["Full (3): All facts.".to_owned()]),
        ]
    );
    assert!(!rubric.is_shown);
    let due = page.dates.due_at.map(|due| due.to_rfc3339());
    assert_eq!(due.as_deref(), Some("2026-10-05T20:00:00+00:00"));
    assert_eq!(
        said,
        [
            "changed course.xml: open response assessment: it became an assignment, which teachers grade; a rubric without points for each option became its note for graders",
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
        ("", "text "),
        ("text_response=\"optional\" file_upload_response=\"\"", "text "),
        (
            "text_response=\"\" file_upload_response=\"\" file_upload_type=\"\"",
            "text 20 ",
        ),
        (
            "file_upload_response=\"required\" file_upload_type=\"image\" allow_multiple_files=\"False\"",
            "1 jpg jpeg png gif",
        ),
        (
            "text_response=\"optional\" file_upload_response=\"required\" file_upload_type=\"pdf-and-image\"",
            "text 20 pdf jpg jpeg png gif",
        ),
        (
            "text_response=\"required\" file_upload_response=\"required\"",
            "text 20 ",
        ),
        // Older assessments.
        ("file_upload_type=\"image\"", "text 20 jpg jpeg png gif"),
        ("allow_file_upload=\"True\"", "text 20 jpg jpeg png gif"),
        ("allow_file_upload=\"False\"", "text "),
    ] {
        let (page, said) = page(&format!(
            "<openassessment {settings}><title>Open Response Assessment</title><rubric><prompt>Say it</prompt></rubric></openassessment>"
        ));
        assert_eq!(taken(&page), format!("Say it = 1: {expected}"), "{settings}");
        let is_both = settings.matches("required").count() == 2;
        assert_eq!(said.join("\n").contains("may hand in either"), is_both, "{settings}");
    }
}

#[test]
fn an_assignment_has_at_most_1000_points_and_then_a_note_for_graders() {
    let (page, _) = page(
        "<openassessment text_response=\"optional\" file_upload_response=\"required\"><prompts><prompt><description>Say it</description></prompt></prompts>\
         <rubric><criterion><name>Ideas</name><option points=\"2000\"><name>Good</name></option></criterion></rubric></openassessment>",
    );
    assert_eq!(taken(&page), "Say it = 1000: text 20 ");
    let kind = &quiz(&page).questions[0].kind;
    assert_eq!((kind.guide().is_some(), kind.rubric().is_some()), (true, false));
}

#[test]
fn prompts_are_html_only_if_they_say_so() {
    let prompt = |attr: &str| {
        let (page, _) = page(&format!(
            "<openassessment {attr}><prompts><prompt><description>&lt;b&gt;One&lt;/b&gt;\n\nTwo</description></prompt></prompts></openassessment>"
        ));
        content::text(&page.content.read())
    };
    assert_eq!(prompt("prompts_type=\"text\""), "<b>One</b>\nTwo");
    assert_eq!(prompt("prompts_type=\"html\""), "One Two");
    assert_eq!(prompt(""), "One Two", "as in the first years");
}

#[test]
fn an_open_response_without_a_prompt_is_an_assignment_without_instructions() {
    let (page, _) = page("<openassessment><title/></openassessment>");
    assert_eq!(taken(&page), " = 1: text ");
}

#[test]
fn an_open_response_is_a_page_of_its_own_with_the_text_before_it() {
    let problem = |answer: u8| {
        format!(
            "<problem showanswer=\"never\" max_attempts=\"3\"><p>{answer}?</p><stringresponse answer=\"{answer}\"><textline/></stringresponse></problem>"
        )
    };
    let components = format!(
        "{}<html>Read this.</html><openassessment allow_learner_resubmissions=\"True\"><rubric><prompt>Say it</prompt></rubric></openassessment>{}",
        problem(4),
        problem(5)
    );
    let (pages, said) = pages_of("", &components);
    let kinds: Vec<_> = pages
        .iter()
        .map(|page| {
            let quiz = page.quiz.as_ref().unwrap();
            (
                quiz.is_assignment(),
                quiz.questions.len(),
                quiz.pass_percent,
                quiz.max_attempts,
                quiz.reveal,
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [
            (false, 1, 70, Some(3), Reveal::Never),
            (true, 1, 0, None, Reveal::AfterPass),
            (false, 1, 70, Some(3), Reveal::Never),
        ]
    );
    assert_eq!(taken(&pages[1]), "Read this.\nSay it = 1: text ");
    assert!(!said.join("\n").contains("max_attempts"), "{said:#?}");
}

#[test]
fn a_link_leads_to_the_page_of_its_component() {
    let problem = |name: &str| {
        format!(
            "<problem url_name=\"{name}\"><p>{name}?</p><stringresponse answer=\"4\"><textline/></stringresponse></problem>"
        )
    };
    let response = |name: &str| format!("<openassessment url_name=\"{name}\"><prompt>{name}</prompt></openassessment>");
    let without_prompt = "<openassessment url_name=\"bare\"/>";
    let names = ["before", "first", "bare", "box", "second", "empty", "after", "last"];
    let links: String = names
        .iter()
        .map(|name| format!("<p><a href=\"/jump_to_id/{name}\">to {name}</a></p>"))
        .collect();
    let components = [
        format!("<html url_name=\"links\">{links}</html>"),
        problem("before"),
        response("first"),
        without_prompt.to_owned(),
        format!("<wrapper url_name=\"box\">{}</wrapper>", response("second")),
        "<html url_name=\"empty\"></html>".to_owned(),
        problem("after"),
        "<html url_name=\"last\">The end.</html>".to_owned(),
    ];
    let (pages, _) = pages_of("", &components.concat());
    let text = pages[0].content.read().to_string();
    let number_of = |name: &str| {
        let at = text
            .find(&format!("\"to {name}\""))
            .unwrap_or_else(|| panic!("{name} in {text}"));
        let near = &text[at.saturating_sub(100)..at];
        let is_target = |page: &PageDraft| near.contains(&format!("page:{}", page.id));
        1 + pages
            .iter()
            .position(is_target)
            .unwrap_or_else(|| panic!("no page for {name}: {near}"))
    };
    let found: Vec<_> = names.map(|name| (name, number_of(name))).to_vec();
    let expected = [
        ("before", 1),
        ("first", 2),
        ("bare", 3),
        ("box", 4),
        ("second", 4),
        ("empty", 5),
        ("after", 5),
        ("last", 6),
    ];
    assert_eq!(found, expected, "{text}");
    assert_eq!(pages.len(), 6);
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

#[test]
fn a_rubric_that_learners_saw_is_shown_and_one_without_points_is_a_note() {
    let response = |options: &str| {
        format!(
            "<openassessment url_name=\"o\" show_rubric_during_response=\"true\"><prompt>Say it</prompt>\
             <rubric><criterion><name>idea</name>{options}</criterion></rubric></openassessment>"
        )
    };
    let (shown, said) = page(&response("<option points=\"2\"><name>Good</name></option>"));
    let kind = &quiz(&shown).questions[0].kind;
    assert_eq!((kind.rubric().unwrap().is_shown, kind.guide()), (true, None));
    assert_eq!(said.len(), 1, "{said:#?}");
    let (noted, said) = page(&response("<option><name>Good</name></option>"));
    let kind = &quiz(&noted).questions[0].kind;
    assert_eq!(kind.rubric(), None);
    assert!(content::text(kind.guide().unwrap()).contains("Good"));
    assert!(
        said.join("\n")
            .contains("setting show_rubric_during_response of openassessment (1)"),
        "{said:#?}"
    );
}
