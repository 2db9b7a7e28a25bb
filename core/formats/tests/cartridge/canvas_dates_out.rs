//! What an export tells Canvas about dates and prerequisites.

use kurso_formats::testing::folder;
use kurso_formats::{CourseDraft, export_cartridge, read, unwatched};

use crate::{lines, read_ok};

const COURSE: &str = "title = \"C\"\ntime_zone = \"Europe/Moscow\"\nstarts_at = 2026-09-01\nends_at = 2026-12-31\n";
const QUIZ: &str = "[quiz]\npass_percent = 50\n+++\n\n??? points=4\n\nQ\n\n= a\n";

/// The course of Kurso Markdown with two modules, of which the second needs the first.
fn course(page: &str, quiz: &str) -> (CourseDraft, tempfile::TempDir) {
    let module = "key = \"b\"\navailable_from = 2026-09-07\navailable_until = 2026-12-01\ndue_at = 2026-10-05\nprerequisites = [\"a\", \"l\"]\n";
    let dir = folder(&[
        ("course.toml", COURSE),
        ("1-a/module.toml", "key = \"a\"\ntitle = \"A\"\n"),
        ("1-a/1-l/lesson.toml", "key = \"l\"\n"),
        ("1-a/1-l/1-p.md", "+++\nkey = \"p\"\ntitle = \"p\"\n+++\n\np\n"),
        (
            "1-a/1-l/2-draft.md",
            "+++\nkey = \"draft\"\npublished = false\n+++\n\nd\n",
        ),
        ("1-a/1-l/3-q.md", &format!("+++\nkey = \"q\"\ntitle = \"q\"\n{QUIZ}")),
        ("2-b/module.toml", module),
        (
            "2-b/1-m/lesson.toml",
            "key = \"m\"\navailable_from = 2026-09-08\ndue_at = 2026-10-01\n",
        ),
        (
            "2-b/1-m/1-s.md",
            &format!("+++\nkey = \"s\"\ntitle = \"s\"\n{page}+++\n\ns\n"),
        ),
        (
            "2-b/1-m/2-t.md",
            &format!("+++\nkey = \"t\"\ntitle = \"t\"\n{quiz}{QUIZ}"),
        ),
    ]);
    let scratch = tempfile::TempDir::new().unwrap();
    let (course, report) = read(dir.path(), None, scratch.path(), &mut unwatched).unwrap();
    assert_eq!(lines(&report), Vec::<String>::new());
    (course, scratch)
}

/// The files of the package unpacked, and the report of the export.
fn exported(course: &CourseDraft) -> (tempfile::TempDir, String) {
    let dir = tempfile::TempDir::new().unwrap();
    let report = export_cartridge(course, &dir.path().join("package.imscc")).unwrap();
    let said = lines(&report).join("\n");
    let out = dir.path().join("out");
    zip::ZipArchive::new(std::fs::File::open(dir.path().join("package.imscc")).unwrap())
        .unwrap()
        .extract(&out)
        .unwrap();
    (dir, said)
}

/// The elements of one line each, such as `due_at=…`, and metas of a page.
fn times(text: &str) -> Vec<String> {
    let names = [
        "start_at",
        "conclude_at",
        "unlock_at",
        "due_at",
        "lock_at",
        "todo_date",
        "restrict_enrollments_to_course_dates",
    ];
    let lines = text.lines().filter(|line| names.iter().any(|name| line.contains(name)));
    lines
        .map(|line| {
            let line = line.trim().replace("<meta name=\"", "<").replace("\" content=\"", ">");
            let (name, rest) = line.trim_start_matches('<').split_once('>').unwrap();
            let value = rest.split(['<', '"']).next().unwrap();
            format!("{name}={}", value.trim_start_matches("2026-").trim_end_matches(":00Z"))
        })
        .collect()
}

#[test]
fn canvas_reads_dates_prerequisites_and_what_completes_a_module() {
    let (course, _files) = course(
        "due_at = 2026-09-20\n",
        "available_until = 2026-11-01\nlate_penalty_per_day = 5\n",
    );
    let (dir, said) = exported(&course);
    let text = |path: &str| std::fs::read_to_string(dir.path().join("out").join(path)).unwrap();
    assert_eq!(
        times(&text("course_settings/course_settings.xml")),
        [
            "start_at=08-31T21:00",
            "conclude_at=12-31T20:59",
            "restrict_enrollments_to_course_dates=true"
        ]
    );
    assert!(text("course_settings/course_settings.xml").contains("<time_zone>Europe/Moscow</time_zone>"));
    let modules = text("course_settings/module_meta.xml");
    assert_eq!(times(&modules), ["unlock_at=09-06T21:00"]);
    let bare: String = modules.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "<prerequisites> <prerequisite type=\"context_module\"> <title>A</title> <identifierref>kmod_a</identifierref> </prerequisite> </prerequisites> <items>",
        "</items> <completionRequirements> <completionRequirement type=\"must_view\"> <identifierref>kitem_p</identifierref> </completionRequirement> \
         <completionRequirement type=\"min_score\"> <min_score>2</min_score> <identifierref>kitem_q</identifierref> </completionRequirement> </completionRequirements>",
    ] {
        assert!(bare.contains(part), "{part}\n{bare}");
    }
    assert_eq!(
        bare.matches("<completionRequirements>").count(),
        1,
        "nothing needs the second module"
    );
    // The lesson opens later than its module; the module ends both.
    assert_eq!(
        times(&text("wiki_content/s.html")),
        ["todo_date=09-20T20:59", "unlock_at=09-07T21:00", "lock_at=12-01T20:59"]
    );
    assert_eq!(times(&text("wiki_content/p.html")), Vec::<String>::new());
    assert_eq!(
        times(&text("kpage_t/assessment_meta.xml")),
        ["due_at=10-01T20:59", "lock_at=11-01T20:59", "unlock_at=09-07T21:00"]
    );
    let only_here: Vec<_> = said
        .lines()
        .filter(|line| line.contains("only Kurso can read these"))
        .collect();
    let places = ["B", "t"].map(|place| format!("changed {place}: "));
    assert_eq!(only_here.len(), 2, "{said}");
    for (line, place) in only_here.iter().zip(places) {
        assert!(line.to_lowercase().starts_with(&place.to_lowercase()), "{line}");
    }
}

#[test]
fn a_quiz_closes_in_canvas_when_it_takes_no_more_attempts() {
    let closes = |quiz: &str| {
        let (course, _files) = course("", quiz);
        let (dir, _) = exported(&course);
        let path = dir.path().join("out/kpage_t/assessment_meta.xml");
        times(&std::fs::read_to_string(path).unwrap())
    };
    let of = |lock: &str| {
        [
            "due_at=10-01T20:59".to_owned(),
            format!("lock_at={lock}"),
            "unlock_at=09-07T21:00".to_owned(),
        ]
    };
    assert_eq!(closes(""), of("10-01T20:59"), "nothing is accepted late");
    assert_eq!(closes("late_until = 2026-10-10\n"), of("10-10T20:59"));
    assert_eq!(
        closes("late_penalty_per_day = 0\n"),
        of("12-01T20:59"),
        "until the module ends"
    );
}

#[test]
fn without_kursos_own_file_the_dates_of_canvas_remain() {
    let (course, _files) = course("due_at = 2026-09-20\n", "late_penalty_per_day = 5\n");
    let (dir, _) = exported(&course);
    std::fs::remove_dir_all(dir.path().join("out/kurso")).unwrap();
    let (back, report, _scratch) = read_ok(&dir.path().join("out"));
    let said = lines(&report).join("\n");
    assert_eq!(back.dates.starts_at, course.dates.starts_at, "{said}");
    let module = &back.modules[1];
    assert_eq!(module.dates.available_from, course.modules[1].dates.available_from);
    assert_eq!(module.prerequisites, [back.modules[0].id]);
    let (page, quiz) = (&module.lessons[0].pages[0], &module.lessons[0].pages[1]);
    assert_eq!(page.dates.due_at, course.modules[1].lessons[0].pages[0].dates.due_at);
    assert_eq!(quiz.dates.due_at, course.modules[1].lessons[0].dates.due_at);
    assert_eq!(
        quiz.late.late_penalty_per_day,
        Some(0),
        "Canvas has no policy of one quiz"
    );
}

#[test]
fn windows_without_a_moment_in_common_change_no_page_of_a_round_trip() {
    let (course, _files) = course(
        "available_from = 2026-12-20\n",
        "available_from = 2026-12-20\ndue_at = 2026-12-25\n",
    );
    let (dir, _) = exported(&course);
    let (back, report, _scratch) = read_ok(&dir.path().join("out"));
    let said = lines(&report).join("\n");
    assert!(!said.contains("out of order"), "{said}");
    for (page, other) in course.pages().zip(back.pages()) {
        assert_eq!((page.dates, page.late), (other.dates, other.late));
        assert_eq!(page.content.to_string(), other.content.to_string());
    }
}

/// A course of three modules of two lessons each, all but the second module with a published page in each lesson.
fn rows(settings: &str, second_lesson: &str) -> (CourseDraft, tempfile::TempDir) {
    let course = format!("title = \"C\"\n{settings}");
    let mut files = vec![("course.toml".to_owned(), course)];
    for (number, module) in (1..).zip(["a", "b", "c"]) {
        files.push((
            format!("{number}-{module}/module.toml"),
            format!("key = \"{module}\"\ntitle = \"{module}\"\n"),
        ));
        for (place, more) in [(1, ""), (2, second_lesson)] {
            let key = format!("{module}{place}");
            let more = more.replace('?', &format!("{module}1"));
            files.push((
                format!("{number}-{module}/{place}-l/lesson.toml"),
                format!("key = \"{key}\"\n{more}"),
            ));
            let page = format!(
                "+++\nkey = \"p{key}\"\ntitle = \"p{key}\"\npublished = {}\n+++\n\np\n",
                module != "b"
            );
            files.push((format!("{number}-{module}/{place}-l/1-p.md"), page));
        }
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let dir = folder(&files);
    let scratch = tempfile::TempDir::new().unwrap();
    let (course, report) = read(dir.path(), None, scratch.path(), &mut unwatched).unwrap();
    assert_eq!(lines(&report), Vec::<String>::new());
    (course, scratch)
}

#[test]
fn lessons_in_a_row_are_modules_in_a_row_in_canvas() {
    let (course, _files) = rows("sequential = true\n", "");
    let (dir, said) = exported(&course);
    assert!(!said.contains("only Kurso can read these"), "{said}");
    let modules = std::fs::read_to_string(dir.path().join("out/course_settings/module_meta.xml")).unwrap();
    assert_eq!(
        modules
            .matches("<require_sequential_progress>true</require_sequential_progress>")
            .count(),
        3
    );
    let needs = modules.split("<prerequisite type=\"context_module\">").skip(1);
    let needs: Vec<_> = needs.map(|rest| rest.split(['<', '>']).nth(2).unwrap()).collect();
    assert_eq!(
        needs,
        ["a"],
        "the last module needs the first: nothing of the second is published"
    );
    std::fs::remove_dir_all(dir.path().join("out/kurso")).unwrap();
    let (back, ..) = read_ok(&dir.path().join("out"));
    for module in &back.modules {
        assert_eq!(module.lessons[1].prerequisites, [module.lessons[0].id]);
    }
    assert_eq!(back.modules[2].prerequisites, [back.modules[0].id]);
}

#[test]
fn a_module_whose_lessons_need_each_the_one_before_is_in_a_row_in_canvas() {
    let (course, _files) = rows("", "prerequisites = [\"?\"]\n");
    let (dir, said) = exported(&course);
    assert!(!said.contains("only Kurso can read these"), "{said}");
    let modules = std::fs::read_to_string(dir.path().join("out/course_settings/module_meta.xml")).unwrap();
    assert_eq!(modules.matches("<require_sequential_progress>").count(), 3);
    assert_eq!(modules.matches("<prerequisites>").count(), 0);
    let (course, _files) = rows("", "");
    let (dir, _) = exported(&course);
    let modules = std::fs::read_to_string(dir.path().join("out/course_settings/module_meta.xml")).unwrap();
    assert!(!modules.contains("require_sequential_progress") && !modules.contains("completionRequirements"));
}
