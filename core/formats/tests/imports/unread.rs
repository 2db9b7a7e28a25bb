//! Fields that cannot be read are marked, so that an update keeps what is stored.

use kurso_base::messages::Lang;
use kurso_formats::testing::folder;
use kurso_formats::{CourseDraft, read, unwatched};

/// A course of one page, and the lines of the report.
fn course_with(course: &str, page: &str) -> (CourseDraft, Vec<String>) {
    let page = format!("+++\n{page}\n[quiz]\n+++\n");
    let dir = folder(&[("course.toml", course), ("01-m/01-l/01-p.md", page.as_str())]);
    let scratch = tempfile::TempDir::new().unwrap();
    let (course, report) = read(dir.path(), None, scratch.path(), &mut unwatched).unwrap();
    let said = report.entries.iter().map(|entry| entry.to_line(Lang::En)).collect();
    (course, said)
}

#[test]
fn flags_are_unread_if_one_is_no_flag_or_the_file_is_no_toml() {
    let unread = |text: &str| {
        let unread = course_with(text, "").0.unread_dates;
        (unread.course, unread.flags)
    };
    assert_eq!(unread("sequential = true\n"), (false, false));
    assert_eq!(unread("title = \"C\"\n"), (false, false), "a flag that is left out");
    assert_eq!(unread("sequential = \"yes\"\n"), (false, true));
    assert_eq!(unread("hide_locked_titles = 1\n"), (false, true));
    assert_eq!(unread("sequential = true\nstarts_at = \"soon\"\n"), (true, false));
    assert_eq!(unread("sequential = true\ntitle = C\n"), (true, true));
}

#[test]
fn a_penalty_that_cannot_be_read_is_an_unread_date_of_its_page() {
    for good in ["", "late_penalty_per_day = 5", "late_penalty_max = 100"] {
        let (course, said) = course_with("", good);
        assert!(
            course.unread_dates.parts.is_empty() && said.is_empty(),
            "{good}: {said:?}"
        );
    }
    for bad in [
        "late_penalty_per_day = 500",
        "late_penalty_per_day = \"5\"",
        "late_penalty_max = -1",
        "late_penalty_max = 5.5",
    ] {
        let (course, said) = course_with("", bad);
        let page = course.pages().next().unwrap().id;
        assert_eq!(
            course.unread_dates.parts.into_iter().collect::<Vec<_>>(),
            [page],
            "{bad}"
        );
        assert_eq!(said.len(), 1, "{bad}: {said:?}");
    }
}

#[test]
fn local_times_are_unread_if_the_zone_of_the_course_is() {
    let due = |course: &str, page: &str| {
        let course = course_with(course, page).0;
        let due = course.pages().next().unwrap().dates.due_at;
        (due.map(|due| due.to_rfc3339()), course.unread_dates.parts.len())
    };
    let (local, instant) = ("due_at = 2026-12-01T10:00:00", "due_at = 2026-12-01T10:00:00+03:00");
    let at = |text: &str| Some(text.to_owned());
    let moscow = "time_zone = \"Europe/Moscow\"\n";
    assert_eq!(due(moscow, local), (at("2026-12-01T07:00:00+00:00"), 0));
    let bad = format!("{moscow}title = C\n");
    assert_eq!(due(&bad, local), (None, 1), "the zone is not UTC");
    assert_eq!(due(&bad, instant), (at("2026-12-01T07:00:00+00:00"), 0));
}

#[test]
fn prerequisites_of_a_wrong_type_are_unread() {
    for (bad, is_unread) in [
        ("prerequisites = \"a\"", true),
        ("prerequisites = [1]", true),
        ("title = A", true),
        ("prerequisites = []", false),
        ("", false),
    ] {
        let dir = folder(&[
            ("course.toml", "title = \"C\"\n"),
            ("01-m/module.toml", &format!("{bad}\n")),
            ("01-m/01-l/lesson.toml", &format!("{bad}\n")),
            ("01-m/01-l/01-p.md", "p\n"),
        ]);
        let scratch = tempfile::TempDir::new().unwrap();
        let (course, report) = read(dir.path(), None, scratch.path(), &mut unwatched).unwrap();
        let unread = course.unread_dates.needs;
        assert_eq!(unread.contains(&course.modules[0].id), is_unread, "{bad}");
        assert_eq!(unread.contains(&course.modules[0].lessons[0].id), is_unread, "{bad}");
        assert_eq!(report.entries.len(), if is_unread { 2 } else { 0 }, "{bad}");
    }
}
