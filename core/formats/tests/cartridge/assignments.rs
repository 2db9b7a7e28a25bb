//! Assignments of Canvas that learners hand in online, in packages written for these tests.

use kurso_base::schedule::Late;
use kurso_formats::quiz::{Kind, Quiz, Release, require_complete};
use kurso_formats::testing::folder;
use kurso_formats::{CourseDraft, content};

use crate::{lines, read_ok};

const ID: &str = "g5f0a3c2b1d4e5f60718293a4b5c6d7e8";

/// What differs between the packages of the tests.
struct Package<'a> {
    title: &'a str,
    /// The settings of the assignment.
    settings: &'a str,
    rubrics: &'a str,
}

fn with(settings: &str) -> (CourseDraft, Vec<String>) {
    Package {
        title: "C",
        settings,
        rubrics: "",
    }
    .read()
}

impl Package<'_> {
    fn read(&self) -> (CourseDraft, Vec<String>) {
        let manifest = format!(
            "<manifest xmlns=\"x\"><organizations/><resources>\
             <resource identifier=\"{ID}\" type=\"associatedcontent/imscc_xmlv1p1/learning-application-resource\" href=\"{ID}/essay.html\">\
             <file href=\"{ID}/essay.html\"/><file href=\"{ID}/assignment_settings.xml\"/></resource></resources></manifest>"
        );
        let dir = folder(&[
            ("imsmanifest.xml", &manifest),
            ("course_settings/canvas_export.txt", "Q"),
            (
                "course_settings/course_settings.xml",
                &format!("<course><title>{}</title></course>", self.title),
            ),
            (
                "course_settings/module_meta.xml",
                &format!(
                    "<modules><module identifier=\"m\"><title>M</title><items><item identifier=\"i\"><content_type>Assignment</content_type>\
                     <title>Essay</title><identifierref>{ID}</identifierref></item></items></module></modules>"
                ),
            ),
            (
                "course_settings/rubrics.xml",
                &format!(
                    "<rubrics xmlns=\"http://canvas.instructure.com/xsd/cccv1p0\">{}</rubrics>",
                    self.rubrics
                ),
            ),
            (
                "course_settings/late_policy.xml",
                "<late_policy><late_submission_deduction_enabled>true</late_submission_deduction_enabled><late_submission_deduction>10</late_submission_deduction></late_policy>",
            ),
            (
                &format!("{ID}/essay.html"),
                "<html><head><title>Assignment: Essay</title></head><body><p>Describe a river.</p></body></html>",
            ),
            (
                &format!("{ID}/assignment_settings.xml"),
                &format!(
                    "<assignment identifier=\"{ID}\" xmlns=\"http://canvas.instructure.com/xsd/cccv1p0\"><title>Essay</title>{}<workflow_state>published</workflow_state></assignment>",
                    self.settings
                ),
            ),
        ]);
        let (course, report, _files) = read_ok(dir.path());
        assert_eq!(course.pages().count(), 1);
        (course, lines(&report))
    }
}

fn quiz(course: &CourseDraft) -> &Quiz {
    let quiz = course.pages().next().unwrap().quiz.as_ref().unwrap();
    require_complete(quiz).unwrap();
    assert_eq!(quiz.questions.len(), 1);
    quiz
}

fn text(course: &CourseDraft) -> String {
    content::text(&course.pages().next().unwrap().content.read())
}

/// An assignment in the form in which Canvas writes it.
const WHOLE: &str = "<due_at>2026-09-08T20:59:59</due_at><lock_at/><unlock_at/><module_locked>false</module_locked>\
    <assignment_group_identifierref>g1</assignment_group_identifierref>\
    <rubric_identifierref>r1</rubric_identifierref><rubric_use_for_grading>true</rubric_use_for_grading><rubric_hide_points>false</rubric_hide_points>\
    <assignment_overrides><override set_type=\"Noop\" set_id=\"1\" title=\"x\"/></assignment_overrides>\
    <allowed_extensions>pdf,.DOCX,tar.gz</allowed_extensions><has_group_category>false</has_group_category>\
    <points_possible>12.5</points_possible><grading_type>points</grading_type><all_day>false</all_day>\
    <submission_types>online_text_entry,online_upload</submission_types><position>1</position><peer_review_count>2</peer_review_count><peer_reviews>true</peer_reviews>\
    <anonymous_grading>false</anonymous_grading><allowed_attempts>3</allowed_attempts><post_policy><post_manually>true</post_manually></post_policy>";

const RUBRICS: &str = "<rubric identifier=\"r1\"><read_only>false</read_only><title>River</title><points_possible>12.5</points_possible><criteria>\
    <criterion><criterion_id>_1</criterion_id><points>10.0</points><description>Ideas</description><long_description>Is there one theme?</long_description><ratings>\
    <rating><description>Full</description><points>10.0</points><criterion_id>_1</criterion_id><long_description>Clear.</long_description><id>b1</id></rating>\
    <rating><description>None</description><points>0.0</points><criterion_id>_1</criterion_id><id>b2</id></rating></ratings></criterion>\
    <criterion><criterion_id>_2</criterion_id><points>2.5</points><description>Form</description><long_description>&lt;p&gt;Two &lt;b&gt;pages&lt;/b&gt;&lt;/p&gt;</long_description></criterion>\
    </criteria></rubric><rubric identifier=\"r2\"><title>Unused</title><criteria/></rubric>";

#[test]
fn an_assignment_stays_an_assignment() {
    let (course, said) = Package {
        title: "C",
        settings: WHOLE,
        rubrics: RUBRICS,
    }
    .read();
    let page = course.pages().next().unwrap();
    assert_eq!((page.title.as_deref(), page.published), (Some("Essay"), true));
    assert_eq!(text(&course), "Describe a river.");
    let quiz = quiz(&course);
    assert_eq!(
        (quiz.pass_percent, quiz.max_attempts, quiz.release),
        (0, Some(3), Release::Together)
    );
    let question = &quiz.questions[0];
    assert_eq!(question.id.simple().to_string(), ID[1..], "an update finds it again");
    assert!(content::is_empty(&question.prompt), "the page has the instructions");
    assert_eq!(question.points.as_f64(), 12.5);
    let Kind::HandIn {
        takes_text,
        max_files,
        extensions,
        max_links,
        ..
    } = &question.kind
    else {
        panic!("{question:?}")
    };
    assert_eq!(
        (*takes_text, *max_files, extensions.join(" "), *max_links),
        (true, 20, "pdf docx".into(), 0)
    );
    let guide = content::text(question.kind.guide().unwrap());
    assert_eq!(
        guide.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
        [
            "Ideas (10)",
            "Is there one theme?",
            "Full (10): Clear.",
            "None (0)",
            "Form (2.5)",
            "Two pages"
        ]
    );
    assert!(page.dates.due_at.is_some());
    let late = Late {
        late_until: None,
        late_penalty_per_day: Some(10),
        late_penalty_max: None,
    };
    assert_eq!(page.late, late);
    let place = format!("{ID}/essay.html");
    assert_eq!(
        said,
        [
            format!(
                "changed {place}: assignment: it became an assignment that is done when learners hand in; teachers grade it"
            ),
            format!("not_carried {place}: quiz setting: peer_reviews = true: quizzes have no such setting"),
            format!("not_carried {place}: quiz setting: assignment_overrides = 1: quizzes have no such setting"),
            format!(
                "not_carried {place}: kinds of files: tar.gz: a question accepts up to 30 kinds; each has 1 to 10 Latin letters and digits"
            ),
            "not_carried course_settings/rubrics.xml: rubric \"Unused\": no assignment that became a quiz has it"
                .into(),
        ]
    );
}

#[test]
fn an_assignment_takes_what_its_ways_to_hand_in_say() {
    for (ways, expected) in [
        ("online_text_entry", "text"),
        ("online_url", "link"),
        ("online_text_entry,online_url", "text link"),
        ("online_upload", "files"),
        ("media_recording", "files"),
        ("online_upload,online_url", "files link"),
        ("online_text_entry,online_upload,online_url,on_paper", "text files link"),
        ("on_paper", "-"),
        ("none", "-"),
        ("not_graded", "-"),
        ("external_tool", "-"),
        ("student_annotation", "-"),
    ] {
        let settings = format!("<submission_types>{ways}</submission_types><points_possible>5.0</points_possible>");
        let (course, said) = with(&settings);
        let kind = course
            .pages()
            .next()
            .unwrap()
            .quiz
            .as_ref()
            .map(|quiz| &quiz.questions[0].kind);
        let found = match kind {
            Some(Kind::HandIn {
                takes_text,
                max_files,
                max_links,
                ..
            }) => {
                let all = [
                    (*takes_text, "text"),
                    (*max_files == 20, "files"),
                    (*max_links == 1, "link"),
                ];
                let taken = all.iter().filter(|(is_taken, _)| *is_taken).map(|(_, way)| *way);
                taken.collect::<Vec<_>>().join(" ")
            }
            _ => "-".into(),
        };
        assert_eq!(found, expected, "{ways}");
        let is_page = expected == "-";
        assert_eq!(text(&course).contains("Points: 5"), is_page, "{ways}");
        let all = said.join("\n");
        assert_eq!(all.contains("its text became a page"), is_page, "{ways}: {all}");
        assert_eq!(all.contains("became an assignment"), !is_page, "{ways}: {all}");
        let is_paper = ways.contains(",on_paper");
        assert_eq!(
            all.contains("other ways to hand in: on_paper"),
            is_paper,
            "{ways}: {all}"
        );
    }
    let (course, _) = with("<submission_types>online_upload</submission_types><grading_type>not_graded</grading_type>");
    assert!(course.pages().next().unwrap().quiz.is_none());
}

#[test]
fn points_that_a_question_cannot_have_are_reported() {
    for (points, expected) in [("", 1.0), ("0.0", 1.0), ("-3", 1.0), ("many", 1.0), ("5000", 1000.0)] {
        let element = match points {
            "" => String::new(),
            points => format!("<points_possible>{points}</points_possible>"),
        };
        let (course, said) = with(&format!("<submission_types>online_upload</submission_types>{element}"));
        assert_eq!(quiz(&course).questions[0].points.as_f64(), expected, "{points}");
        assert!(
            said.join("\n").contains("points of the assignment"),
            "{points}: {said:#?}"
        );
    }
    let (course, said) =
        with("<submission_types>online_upload</submission_types><points_possible>0.5</points_possible>");
    assert_eq!(quiz(&course).questions[0].points.as_f64(), 0.5);
    assert_eq!(said.len(), 1, "{said:#?}");
}

#[test]
fn attempts_are_unlimited_unless_the_assignment_limits_them() {
    for (attempts, expected) in [("-1", None), ("0", None), ("2", Some(2)), ("9999", None)] {
        let settings = format!(
            "<submission_types>online_text_entry</submission_types><points_possible>1</points_possible><allowed_attempts>{attempts}</allowed_attempts>"
        );
        assert_eq!(quiz(&with(&settings).0).max_attempts, expected, "{attempts}");
    }
}

#[test]
fn a_rubric_that_the_package_lacks_is_reported() {
    let (course, said) = with(
        "<submission_types>online_text_entry</submission_types><points_possible>1</points_possible><rubric_identifierref>gone</rubric_identifierref>",
    );
    assert_eq!(quiz(&course).questions[0].kind.guide(), None);
    assert!(said.join("\n").contains("rubric of the assignment"), "{said:#?}");
}

#[test]
fn a_rubric_without_criteria_is_no_note_for_graders() {
    let (course, said) = Package {
        title: "C",
        settings: "<submission_types>online_text_entry</submission_types><points_possible>1</points_possible><rubric_identifierref>r2</rubric_identifierref>",
        rubrics: "<rubric identifier=\"r2\"><title>Empty</title><criteria/></rubric>",
    }
    .read();
    assert_eq!(quiz(&course).questions[0].kind.guide(), None);
    assert!(!said.join("\n").contains("rubric"), "{said:#?}");
}

#[test]
fn an_assignment_of_the_profile_stays_an_assignment() {
    let read = |gradable: &str| {
        let assignment = format!(
            "<assignment identifier=\"a\" xmlns=\"http://www.imsglobal.org/xsd/imscc_extensions/assignment\"><title>Essay</title>\
             <text texttype=\"text/html\">&lt;p&gt;Describe a river.&lt;/p&gt;</text>{gradable}<submission_formats><format type=\"html\"/></submission_formats></assignment>"
        );
        let dir = folder(&[
            (
                "imsmanifest.xml",
                "<manifest xmlns=\"x\"><organizations><organization><item><item identifierref=\"a\"><title>Essay</title></item></item></organization></organizations>\
                 <resources><resource identifier=\"a\" type=\"assignment_xmlv1p0\" href=\"a.xml\"><file href=\"a.xml\"/></resource></resources></manifest>",
            ),
            ("a.xml", &assignment),
        ]);
        read_ok(dir.path()).0
    };
    let course = read("<gradable points_possible=\"4\">true</gradable>");
    assert_eq!(text(&course), "Describe a river.");
    let question = &quiz(&course).questions[0];
    assert_eq!(question.points.as_f64(), 4.0);
    assert!(matches!(
        question.kind,
        Kind::HandIn {
            takes_text: true,
            max_files: 0,
            ..
        }
    ));
    assert!(
        read("<gradable>false</gradable>")
            .pages()
            .next()
            .unwrap()
            .quiz
            .is_none()
    );
}

/// A rubric of one criterion with two ratings, and more elements of the criterion.
fn rated(details: &str, more: &str) -> String {
    format!(
        "<rubric identifier=\"r1\"><title>River</title><criteria><criterion><points>5.0</points><description>Ideas</description>\
         <long_description>{details}</long_description>{more}<ratings>\
         <rating><description>Full</description><points>5.0</points><long_description>Clear.</long_description></rating>\
         <rating><description>None</description><points>0.0</points></rating></ratings></criterion></criteria></rubric>"
    )
}

fn with_rubric(points: &str, rubrics: &str) -> Kind {
    let settings = format!(
        "<submission_types>online_text_entry</submission_types><points_possible>{points}</points_possible><rubric_identifierref>r1</rubric_identifierref>"
    );
    let (course, said) = Package {
        title: "C",
        settings: &settings,
        rubrics,
    }
    .read();
    assert!(!said.join("\n").contains("rubric"), "{said:#?}");
    quiz(&course).questions[0].kind.clone()
}

#[test]
fn a_rubric_with_the_points_of_its_assignment_is_shown_to_learners() {
    let kind = with_rubric("5.0", &rated("Is there one theme?", ""));
    let rubric = kind.rubric().unwrap();
    assert_eq!((kind.guide(), rubric.is_shown, rubric.criteria.len()), (None, true, 1));
    let criterion = &rubric.criteria[0];
    assert_eq!(
        (criterion.name.as_str(), criterion.description.as_str()),
        ("Ideas", "Is there one theme?")
    );
    let levels: Vec<_> = criterion
        .levels
        .iter()
        .map(|level| (level.name.as_str(), level.points.as_f64(), level.description.as_str()))
        .collect();
    assert_eq!(levels, [("Full", 5.0, "Clear."), ("None", 0.0, "")]);
    // What a rubric cannot show stays in the note as well.
    let kind = with_rubric("5.0", &rated("&lt;p&gt;&lt;b&gt;One&lt;/b&gt; theme&lt;/p&gt;", ""));
    assert_eq!(kind.rubric().unwrap().criteria[0].description, "One theme");
    assert!(kind.guide().unwrap().to_string().contains("bold"));
}

#[test]
fn a_rubric_that_gives_other_points_is_a_note_for_graders() {
    for (points, more) in [
        ("4.0", ""),
        ("5.0", "<criterion_use_range>true</criterion_use_range>"),
        ("5.0", "<ignore_for_scoring>true</ignore_for_scoring>"),
    ] {
        let kind = with_rubric(points, &rated("", more));
        assert_eq!(kind.rubric(), None, "{points} {more}");
        assert!(content::text(kind.guide().unwrap()).contains("Full (5): Clear."));
    }
}
