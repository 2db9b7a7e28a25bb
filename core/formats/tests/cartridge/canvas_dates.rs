//! Dates, prerequisites and late policies of Canvas, in packages written for these tests.

use kurso_base::schedule::{Dates, Late};
use kurso_formats::testing::folder;
use kurso_formats::{CourseDraft, content};

use crate::{lines, read_ok};

const MANIFEST: &str = r#"<manifest xmlns="x"><organizations/><resources>
<resource identifier="page" type="webcontent" href="wiki_content/p.html"><file href="wiki_content/p.html"/></resource>
<resource identifier="task" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" href="task/t.html"><file href="task/t.html"/><file href="task/assignment_settings.xml"/></resource>
<resource identifier="quiz" type="imsqti_xmlv1p2/imscc_xmlv1p1/assessment"><file href="quiz/assessment_qti.xml"/><dependency identifierref="quiz_meta"/></resource>
<resource identifier="quiz_meta" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" href="quiz/assessment_meta.xml"><file href="quiz/assessment_meta.xml"/></resource>
<resource identifier="talk" type="imsdt_xmlv1p1"><file href="talk.xml"/><dependency identifierref="talk_meta"/></resource>
<resource identifier="talk_meta" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" href="talk_meta.xml"><file href="talk_meta.xml"/></resource>
</resources></manifest>"#;

const QTI: &str = r#"<questestinterop><assessment ident="quiz"><section ident="s"><item ident="q"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>short_answer_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><material><mattext>Capital of France?</mattext></material><response_str ident="r"><render_fib/></response_str></presentation>
<resprocessing><respcondition><conditionvar><varequal respident="r">Paris</varequal></conditionvar><setvar action="Add">100</setvar></respcondition></resprocessing></item></section></assessment></questestinterop>"#;

/// What differs between the packages of the tests.
#[derive(Default)]
struct Package<'a> {
    settings: &'a str,
    module: &'a str,
    head: &'a str,
    task: &'a str,
    quiz: &'a str,
    talk: &'a str,
    late: &'a str,
}

fn item(id: &str, kind: &str) -> String {
    format!(
        "<item identifier=\"i_{id}\"><content_type>{kind}</content_type><title>{id}</title><identifierref>{id}</identifierref></item>"
    )
}

impl Package<'_> {
    fn read(&self) -> (CourseDraft, String) {
        let items = [
            item("page", "WikiPage"),
            "<item identifier=\"head\"><content_type>ContextModuleSubHeader</content_type><title>Second</title></item>"
                .into(),
            item("task", "Assignment"),
            item("quiz", "Quizzes::Quiz"),
            item("talk", "DiscussionTopic"),
        ];
        let dir = folder(&[
            ("imsmanifest.xml", MANIFEST),
            ("course_settings/canvas_export.txt", "Q"),
            (
                "course_settings/course_settings.xml",
                &format!("<course><title>C</title>{}</course>", self.settings),
            ),
            (
                "course_settings/module_meta.xml",
                &format!(
                    "<modules><module identifier=\"m\"><title>M</title>{}<items>{}</items></module></modules>",
                    self.module,
                    items.concat()
                ),
            ),
            (
                "course_settings/late_policy.xml",
                &format!("<late_policy>{}</late_policy>", self.late),
            ),
            (
                "wiki_content/p.html",
                &format!(
                    "<html><head><title>P</title>{}</head><body><p>p</p></body></html>",
                    self.head
                ),
            ),
            (
                "task/t.html",
                "<html><head><title>Assignment: T</title></head><body><p>t</p></body></html>",
            ),
            (
                "task/assignment_settings.xml",
                &format!(
                    "<assignment>{}<workflow_state>published</workflow_state></assignment>",
                    self.task
                ),
            ),
            ("quiz/assessment_qti.xml", QTI),
            (
                "quiz/assessment_meta.xml",
                &format!("<quiz><title>quiz</title>{}</quiz>", self.quiz),
            ),
            (
                "talk.xml",
                "<topic><title>talk</title><text texttype=\"text/html\">Talk</text></topic>",
            ),
            ("talk_meta.xml", &format!("<topicMeta>{}</topicMeta>", self.talk)),
        ]);
        let (course, report, _files) = read_ok(dir.path());
        (course, lines(&report).join("\n"))
    }
}

fn text(at: Option<chrono::DateTime<chrono::Utc>>) -> String {
    at.map_or_else(|| "-".to_owned(), |at| at.format("%d.%m %H:%M").to_string())
}

/// From, due and until.
fn times(dates: &Dates) -> String {
    [dates.available_from, dates.due_at, dates.available_until]
        .map(text)
        .join(", ")
}

fn page(course: &CourseDraft, number: usize) -> (String, Late, String) {
    let page = course.pages().nth(number).unwrap();
    (times(&page.dates), page.late, content::text(&page.content.read()))
}

const THREE: &str = "<unlock_at>2026-09-01T06:00:00</unlock_at><due_at>2026-09-08T20:59:59</due_at><lock_at>2026-09-10T20:59:59</lock_at>";

#[test]
fn dates_of_pages_assignments_quizzes_and_discussions_become_dates() {
    let (course, said) = Package {
        head: "<meta name=\"todo_date\" content=\"2026-09-03 20:59:59 UTC\"/><meta name=\"unlock_at\" content=\"2026-09-02T06:00:00Z\"/>",
        task: THREE,
        quiz: THREE,
        talk: "<delayed_post_at>2026-09-01T06:00:00</delayed_post_at><lock_at>2026-10-01T06:00:00</lock_at><assignment identifier=\"a\"><due_at>2026-09-05T06:00:00</due_at></assignment>",
        ..Package::default()
    }
    .read();
    let all = "01.09 06:00, 08.09 20:59, 10.09 20:59";
    assert_eq!(page(&course, 0).0, "02.09 06:00, 03.09 20:59, -", "{said}");
    assert_eq!((page(&course, 1).0.as_str(), page(&course, 2).0.as_str()), (all, all));
    assert_eq!(page(&course, 3).0, "01.09 06:00, 05.09 06:00, 01.10 06:00");
    // What became a date is not also a text that nothing shifts.
    for number in 0..4 {
        let words = page(&course, number).2;
        assert!(!words.contains("2026"), "{words}");
    }
    assert!(!said.contains("not_carried"), "{said}");
}

#[test]
fn each_date_of_an_item_comes_before_that_of_its_assignment() {
    let assignment = format!("<assignment identifier=\"a\">{THREE}</assignment>");
    let (course, said) = Package {
        head: "",
        task: THREE,
        quiz: &format!("<due_at>2026-09-07T06:00:00</due_at>{assignment}"),
        talk: &format!("<lock_at>2026-10-01T06:00:00</lock_at>{assignment}"),
        ..Package::default()
    }
    .read();
    assert_eq!(page(&course, 2).0, "01.09 06:00, 07.09 06:00, 10.09 20:59", "{said}");
    assert_eq!(page(&course, 3).0, "01.09 06:00, 08.09 20:59, 01.10 06:00", "{said}");
    assert!(!said.contains("not_carried"), "{said}");

    // Dates that contradict each other are reported together, whatever they come from, and stay readable on the page.
    let (course, said) = Package {
        talk: &format!("<delayed_post_at>2026-09-09T06:00:00</delayed_post_at>{assignment}"),
        ..Package::default()
    }
    .read();
    assert_eq!(page(&course, 3).0, "-, -, -");
    assert!(said.contains("delayed_post_at, due_at, lock_at"), "{said}");
    for day in ["2026-09-09", "2026-09-08", "2026-09-10"] {
        assert!(page(&course, 3).2.contains(day), "{day}");
    }
}

#[test]
fn a_quiz_accepts_late_attempts_as_canvas_does() {
    let quiz = |quiz: &str, late: &str| {
        page(
            &Package {
                quiz,
                late,
                ..Package::default()
            }
            .read()
            .0,
            2,
        )
        .1
    };
    let late = |per_day, most| Late {
        late_until: None,
        late_penalty_per_day: per_day,
        late_penalty_max: most,
    };
    assert_eq!(quiz("", ""), Late::default(), "no due date");
    assert_eq!(
        quiz(THREE, ""),
        late(Some(0), None),
        "late attempts are accepted until the end"
    );
    let same = "<due_at>2026-09-08T20:59:59</due_at><lock_at>2026-09-08T20:59:59</lock_at>";
    assert_eq!(quiz(same, ""), Late::default(), "the quiz closes when it is due");
    let policy = |interval: &str, off: &str| {
        format!(
            "<late_submission_deduction_enabled>true</late_submission_deduction_enabled><late_submission_deduction>{off}</late_submission_deduction>\
             <late_submission_interval>{interval}</late_submission_interval><late_submission_minimum_percent_enabled>true</late_submission_minimum_percent_enabled>\
             <late_submission_minimum_percent>40.0</late_submission_minimum_percent>"
        )
    };
    assert_eq!(quiz(THREE, &policy("day", "10.0")), late(Some(10), Some(60)));
    for (bad, name) in [
        (policy("hour", "1.0"), "late_submission_interval = hour"),
        (policy("day", "2.5"), "late_submission_deduction = 2.5"),
        (policy("day", "1e300"), "late_submission_deduction = 1e300"),
    ] {
        let (course, said) = Package {
            quiz: THREE,
            late: &bad,
            ..Package::default()
        }
        .read();
        assert_eq!(page(&course, 2).1, late(Some(0), None), "{bad}");
        assert!(said.contains(&format!("late policy: {name}: ")), "{said}");
    }
    let missing = "<missing_submission_deduction_enabled>true</missing_submission_deduction_enabled>";
    let (_, said) = Package {
        late: missing,
        ..Package::default()
    }
    .read();
    assert!(said.contains("late policy: missing_submission_deduction"), "{said}");
}

#[test]
fn dates_of_the_course_are_carried_where_canvas_applies_them() {
    let days = "<start_at>2026-09-01T00:00:00</start_at><conclude_at>2026-12-31T20:59:00</conclude_at>";
    let course = |more: &str| {
        let (course, said) = Package {
            settings: &format!("{days}{more}"),
            ..Package::default()
        }
        .read();
        let dates = course.dates.clone();
        let found = [dates.starts_at, dates.ends_at].map(text).join(", ");
        (found, dates.time_zone, course.unread_dates.course, said)
    };
    let both = "01.09 00:00, 31.12 20:59";
    for (zone, name) in [
        ("America/Denver", "America/Denver"),
        ("(GMT-07:00) America/Denver", "America/Denver"),
        ("(GMT-07:00) Mountain Time (US &amp; Canada)", "America/Denver"),
        ("(GMT+03:00) Moscow", "Europe/Moscow"),
    ] {
        let (found, zone, is_unread, said) = course(&format!("<time_zone>{zone}</time_zone>"));
        assert_eq!((found.as_str(), zone.as_deref(), is_unread), (both, Some(name), false));
        assert!(!said.contains("settings"), "{said}");
    }
    let (found, zone, is_unread, said) = course("<time_zone>Kitezh</time_zone>");
    assert_eq!((found.as_str(), zone, is_unread), (both, None, true));
    assert!(said.contains("time zone Kitezh: unknown"), "{said}");
    let (found, ..) = course("<restrict_enrollments_to_course_dates>true</restrict_enrollments_to_course_dates>");
    assert_eq!(found, both);
    let (found, _, _, said) =
        course("<restrict_enrollments_to_course_dates>false</restrict_enrollments_to_course_dates>");
    assert_eq!(found, "-, -");
    assert!(
        said.contains("start and end of the course: Canvas does not apply them"),
        "{said}"
    );
}

#[test]
fn a_module_opens_at_its_date_and_its_lessons_in_order() {
    let (course, said) = Package {
        module: "<unlock_at>2026-09-01T06:00:00Z</unlock_at><require_sequential_progress>true</require_sequential_progress>",
        ..Package::default()
    }
    .read();
    let module = &course.modules[0];
    assert_eq!(times(&module.dates), "01.09 06:00, -, -");
    let [first, second] = module.lessons.as_slice() else {
        panic!("{said}")
    };
    assert_eq!(
        (first.prerequisites.len(), second.prerequisites.clone()),
        (0, vec![first.id])
    );
    assert!(said.contains("changed M: items of the module in order"), "{said}");
}

#[test]
fn dates_that_cannot_be_taken_are_reported_and_stay_on_the_page() {
    let (course, said) = Package {
        settings: "<start_at>2026-09-02T00:00:00</start_at><conclude_at>2026-09-01T00:00:00</conclude_at>",
        module: "<unlock_at>1970-01-01T00:00:00</unlock_at>",
        task: "<due_at>someday</due_at>",
        quiz: "<unlock_at>2026-09-03T00:00:00</unlock_at><due_at>2026-09-01T00:00:00</due_at>",
        ..Package::default()
    }
    .read();
    assert!(course.dates.starts_at.is_none() && course.dates.ends_at.is_none());
    let task = page(&course, 1);
    assert_eq!((task.0.as_str(), task.2.contains("Due: someday")), ("-, -, -", true));
    let (dates, late, words) = page(&course, 2);
    assert_eq!((dates.as_str(), late), ("-, -, -", Late::default()));
    assert!(
        words.contains("Opens: 2026-09-03 00:00:00") && words.contains("Due: 2026-09-01"),
        "{words}"
    );
    for part in [
        "not_carried M: date unlock_at = 1970-01-01T00:00:00: ",
        "date due_at = someday: not a date from 2000 to 2099",
        "dates unlock_at, due_at: out of order",
        "dates start_at, conclude_at: out of order",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    // An update keeps what is stored.
    let ids: Vec<_> = course.pages().map(|page| page.id).collect();
    let unread = &course.unread_dates;
    assert!(unread.course);
    assert_eq!(unread.parts, [course.modules[0].id, ids[1], ids[2]].into());
}

#[test]
fn prerequisites_beyond_the_limit_are_reported() {
    let needs = |count: usize| (0..count).map(|at| format!("kmod_n{at}")).collect::<Vec<_>>();
    let modules: String = needs(103)
        .iter()
        .map(|id| format!("<item identifier=\"{id}\"><title>{id}</title></item>"))
        .collect();
    let manifest = format!(
        "<manifest><organizations><organization><item>{modules}<item identifier=\"kmod_last\"><title>L</title><item identifier=\"i\" identifierref=\"kpage_p\"><title>P</title></item></item></item></organization></organizations>\
         <resources><resource identifier=\"kpage_p\" type=\"webcontent\" href=\"p.html\"><file href=\"p.html\"/></resource></resources></manifest>"
    );
    let own = format!(
        "<course><module identifier=\"kmod_last\" needs=\"{}\"/></course>",
        needs(103).join(" ")
    );
    let dir = folder(&[
        ("imsmanifest.xml", &manifest),
        ("p.html", "<p>p</p>"),
        ("kurso/course.xml", &own),
    ]);
    let (course, report, _files) = read_ok(dir.path());
    let said = lines(&report).join("\n");
    assert_eq!(course.modules.last().unwrap().prerequisites.len(), 100);
    assert!(
        said.contains("kmod_last: prerequisites beyond the limit: 3: the first 100 were read"),
        "{said}"
    );

    let canvas: String = needs(103)
        .iter()
        .map(|id| format!("<prerequisite type=\"context_module\"><title>T</title><identifierref>{id}</identifierref></prerequisite>"))
        .collect();
    let others: String = needs(103)
        .iter()
        .map(|id| format!("<module identifier=\"{id}\"><title>{id}</title><items/></module>"))
        .collect();
    let meta = format!(
        "<modules>{others}<module identifier=\"kmod_last\"><title>L</title><prerequisites>{canvas}</prerequisites><items/></module></modules>"
    );
    let dir = folder(&[
        ("imsmanifest.xml", &manifest),
        ("p.html", "<p>p</p>"),
        ("course_settings/module_meta.xml", &meta),
    ]);
    let (course, report, _files) = read_ok(dir.path());
    let said = lines(&report).join("\n");
    assert_eq!(course.modules.last().unwrap().prerequisites.len(), 100, "{said}");
    assert!(
        said.contains("L: prerequisites beyond the limit: 3: the first 100 were read"),
        "{said}"
    );
}
