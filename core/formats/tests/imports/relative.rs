//! Dates that Kurso Markdown counts from the start of the course, and a start that is given at the import.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use kurso_base::messages::Lang;
use kurso_base::schedule::shift::Shift;
use kurso_base::schedule::{CourseDates, Dates, Late, ScheduleTime, TimeZone};
use kurso_formats::quiz::Quiz;
use kurso_formats::testing::folder;
use kurso_formats::{
    CourseDraft, DateForm, LessonDraft, ModuleDraft, Options, PageDraft, content, export_with, read_with, unwatched,
};
use proptest::prelude::*;
use tempfile::TempDir;

fn read_at(path: &std::path::Path, starts_at: Option<&str>) -> (CourseDraft, Vec<String>) {
    let options = Options {
        starts_at: starts_at.map(|text| ScheduleTime::parse(text).unwrap()),
        ..Options::default()
    };
    let scratch = TempDir::new().unwrap();
    let (course, report) = read_with(path, &options, scratch.path(), &mut unwatched).unwrap();
    let said = report.entries.iter().map(|entry| entry.to_line(Lang::En)).collect();
    (course, said)
}

fn text(at: Option<DateTime<Utc>>) -> String {
    at.map_or_else(|| "-".to_owned(), |at| at.format("%d.%m.%y %H:%M:%S%.f").to_string())
}

fn written(course: &str, page: &str, starts_at: Option<&str>) -> (CourseDraft, Vec<String>) {
    let dir = folder(&[
        ("course.toml", course),
        ("01-m/01-l/01-p.md", &format!("+++\n{page}\n[quiz]\n+++\n")),
    ]);
    read_at(dir.path(), starts_at)
}

#[test]
fn dates_are_counted_from_the_local_day_of_the_start() {
    let course = "time_zone = \"Europe/Moscow\"\nstarts_at = 2026-09-01T10:00\nends_at = \"+120d\"\nenroll_until = \"+7d 12:00\"\n";
    let page =
        "available_from = \"+0d\"\ndue_at = \"+7d 23:59\"\nlate_until = \"+9d\"\navailable_until = \"+20d 09:30:15\"\n";
    let (found, said) = written(course, page, None);
    assert_eq!(said, Vec::<String>::new());
    let dates = &found.dates;
    assert_eq!(
        [dates.starts_at, dates.ends_at, dates.enroll_until].map(text),
        ["01.09.26 07:00:00", "30.12.26 20:59:00", "08.09.26 09:00:00"]
    );
    let page = found.pages().next().unwrap();
    assert_eq!(
        [
            page.dates.available_from,
            page.dates.due_at,
            page.late.late_until,
            page.dates.available_until
        ]
        .map(text),
        [
            "31.08.26 21:00:00",
            "08.09.26 20:59:00",
            "10.09.26 20:59:00",
            "21.09.26 06:30:15"
        ]
    );
}

#[test]
fn a_date_without_a_start_or_in_another_form_is_reported_and_unread() {
    for (course, page, why) in [
        ("title = \"C\"\n", "due_at = \"+7d 23:59\"", "no start"),
        ("starts_at = \"+1d\"\n", "", "no start"),
        ("starts_at = 2026-09-01\n", "due_at = \"+7 23:59\"", "date"),
        ("starts_at = 2026-09-01\n", "due_at = \"+7d 25:00\"", "date"),
        ("starts_at = 2026-09-01\n", "due_at = \"+99999d\"", "2099"),
    ] {
        let (found, said) = written(course, page, None);
        assert!(said.len() == 1 && said[0].contains(why), "{course}{page}: {said:?}");
        let unread = found.unread_dates;
        assert!(unread.course || unread.parts.len() == 1, "{course}{page}");
    }
}

#[test]
fn a_template_without_a_start_gets_the_one_that_is_given() {
    let page = "due_at = \"+7d 23:59\"";
    let (found, said) = written("time_zone = \"Europe/Moscow\"\n", page, Some("2027-02-01"));
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(text(found.dates.starts_at), "31.01.27 21:00:00");
    assert_eq!(text(found.pages().next().unwrap().dates.due_at), "08.02.27 20:59:00");
}

#[test]
fn a_given_start_moves_all_dates_of_any_file() {
    let course = "starts_at = 2026-09-01T10:00\nends_at = 2026-12-01\n";
    let page = "due_at = 2026-09-08T20:00:00Z";
    let day = written(course, page, Some("2026-09-11")).0;
    assert_eq!(
        [day.dates.starts_at, day.dates.ends_at].map(text),
        ["11.09.26 10:00:00", "11.12.26 23:59:00"]
    );
    assert_eq!(text(day.pages().next().unwrap().dates.due_at), "18.09.26 20:00:00");
    let moment = written(course, page, Some("2026-09-11T08:30")).0;
    assert_eq!(text(moment.dates.starts_at), "11.09.26 08:30:00");
    assert_eq!(text(moment.pages().next().unwrap().dates.due_at), "18.09.26 20:00:00");

    // Without a start in the file there is nothing to move by.
    let (none, said) = written("ends_at = 2026-12-01\n", page, Some("2026-09-11"));
    assert_eq!(
        [none.dates.starts_at, none.dates.ends_at].map(text),
        ["11.09.26 00:00:00", "01.12.26 23:59:00"]
    );
    assert_eq!(
        (text(none.pages().next().unwrap().dates.due_at).as_str(), said.len()),
        ("08.09.26 20:00:00", 0)
    );

    for (given, why) in [
        ("2099-12-01", "would leave the years"),
        ("2099-12-01T10:00", "would leave the years"),
    ] {
        let (kept, said) = written(course, page, Some(given));
        assert_eq!(text(kept.dates.starts_at), "01.09.26 10:00:00");
        assert!(said.len() == 1 && said[0].contains(why), "{said:?}");
    }
}

#[test]
fn an_export_counts_from_the_start_only_if_there_is_one() {
    let dir = TempDir::new().unwrap();
    let course = written("ends_at = 2026-12-01\n", "due_at = 2026-09-08", None).0;
    let report = export_with(&course, DateForm::FromStart, &dir.path().join("a")).unwrap();
    assert_eq!(report.entries.len(), 1);
    let said = std::fs::read_to_string(dir.path().join("a/course.toml")).unwrap();
    assert!(said.contains("ends_at = 2026-12-01T23:59:00Z"), "{said}");

    let course = written(
        "starts_at = 2026-09-01\nends_at = 2026-12-01\n",
        "due_at = 2026-09-08\n",
        None,
    )
    .0;
    let report = export_with(&course, DateForm::FromStart, &dir.path().join("b")).unwrap();
    assert_eq!(report.entries.len(), 0);
    let said = std::fs::read_to_string(dir.path().join("b/course.toml")).unwrap();
    assert!(
        said.contains("starts_at = 2026-09-01T00:00:00Z\nends_at = \"+91d 23:59\"\n"),
        "{said}"
    );
}

const ZONES: [&str; 5] = [
    "UTC",
    "Europe/Moscow",
    "Europe/Berlin",
    "Australia/Lord_Howe",
    "America/New_York",
];

/// A course whose dates are at local minutes of the zone, in the order that the server demands.
fn courses() -> impl Strategy<Value = (CourseDraft, TimeZone)> {
    let minutes = || prop::collection::vec(0_i64..400_000, 4);
    (
        prop::sample::select(&ZONES),
        0_i64..600,
        minutes(),
        minutes(),
        minutes(),
        minutes(),
    )
        .prop_map(|(zone, first, course, module, lesson, page)| {
            let zone = TimeZone::named(zone).unwrap();
            let start = NaiveDate::from_ymd_opt(2025, 1, 1)
                .unwrap()
                .and_hms_opt(10, 0, 0)
                .unwrap()
                + Duration::days(first);
            let sorted = |mut offsets: Vec<i64>| {
                offsets.sort_unstable();
                offsets
            };
            let opens = |minutes: i64| Some(ScheduleTime::Local(start + Duration::minutes(minutes)).opening(zone));
            let ends = |minutes: i64| Some(ScheduleTime::Local(start + Duration::minutes(minutes)).closing(zone));
            let dates = |offsets: &[i64]| Dates {
                available_from: opens(offsets[0]),
                due_at: ends(offsets[1]),
                available_until: ends(offsets[3]),
            };
            let (course, module, lesson, page) = (sorted(course), sorted(module), sorted(lesson), sorted(page));
            let mut quiz = PageDraft::new(Some("P".into()), content::empty(), "p.md");
            quiz.key = Some("p".into());
            quiz.quiz = Some(Quiz::default());
            quiz.dates = dates(&page);
            quiz.late = Late {
                late_until: ends(page[2]),
                late_penalty_per_day: Some(10),
                late_penalty_max: None,
            };
            let mut l = LessonDraft::new("L", vec![quiz]);
            (l.key, l.dates) = (Some("l".into()), dates(&lesson));
            let mut m = ModuleDraft::new("M", vec![l]);
            (m.key, m.dates) = (Some("m".into()), dates(&module));
            let mut draft = CourseDraft::new("C", vec![m]);
            draft.dates = CourseDates {
                starts_at: opens(0),
                enroll_until: ends(course[1]),
                ends_at: ends(course[3]),
                time_zone: Some(zone.name().to_owned()),
                ..CourseDates::default()
            };
            (draft, zone)
        })
}

fn all_dates(course: &CourseDraft) -> (CourseDates, Dates, Dates, Dates, Late) {
    let module = &course.modules[0];
    let lesson = &module.lessons[0];
    let page = &lesson.pages[0];
    (course.dates.clone(), module.dates, lesson.dates, page.dates, page.late)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_export_in_days_that_starts_on_another_day_is_the_shifted_course((course, zone) in courses(), days in -700_i64..700) {
        let dir = TempDir::new().unwrap();
        let out = dir.path().join("out");
        export_with(&course, DateForm::FromStart, &out).unwrap();
        let (same, said) = read_at(&out, None);
        prop_assert_eq!(all_dates(&same), all_dates(&course));
        prop_assert_eq!(said, Vec::<String>::new());

        // Only the start in the file differs: the others are counted from it.
        let start = zone.day_of(course.dates.starts_at.unwrap()) + Duration::days(days);
        let file = out.join("course.toml");
        let toml = std::fs::read_to_string(&file).unwrap();
        let lines = toml.lines().map(|line| match line.starts_with("starts_at") {
            true => format!("starts_at = {start}T10:00:00\n"),
            false => format!("{line}\n"),
        });
        std::fs::write(&file, lines.collect::<String>()).unwrap();
        let (edited, said) = read_at(&out, None);
        prop_assert_eq!(said, Vec::<String>::new());

        let shift = Shift { days, zone };
        let (dates, module, lesson, page, late) = all_dates(&course);
        let page = shift.part(&page).unwrap();
        let shifted = (
            shift.course(&dates).unwrap(),
            shift.part(&module).unwrap(),
            shift.part(&lesson).unwrap(),
            page,
            shift.late(&late, &page).unwrap(),
        );
        prop_assert_eq!(&all_dates(&edited), &shifted);

        // The start may also be given at the import.
        std::fs::write(&file, toml).unwrap();
        prop_assert_eq!(&all_dates(&read_at(&out, Some(&start.to_string())).0), &shifted);
    }
}
