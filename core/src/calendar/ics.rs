//! Events as an iCalendar object (RFC 5545).

use chrono::{DateTime, Utc};

use super::{Event, Kind, Part};
use kurso_base::messages::{Lang, Message};

/// How often calendars are asked to read the feed again.
const REFRESH: &str = "PT1H";

/// The most octets of a line.
const LINE: usize = 75;

/// The revision of a feed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp {
    /// Greater than that of every earlier revision.
    pub sequence: i64,
    pub at: DateTime<Utc>,
}

/// Writes the events; `page` returns the address of a page of the web app.
///
/// An event is an instant: it has a start and no end. RFC 5545 forbids an end that is not later than the start, Google Calendar writes
/// such events in the same way, and none of the calendars shows it as time that is taken.
pub(super) fn write(events: &[Event], lang: Lang, stamp: Stamp, page: impl Fn(&str) -> String) -> String {
    let mut out = Lines::default();
    out.line("BEGIN", "VCALENDAR");
    out.line("VERSION", "2.0");
    out.line("PRODID", "-//Kurso//Calendar//EN");
    out.line("CALSCALE", "GREGORIAN");
    out.text("X-WR-CALNAME", &Message::CalendarName.text(lang));
    out.line("REFRESH-INTERVAL;VALUE=DURATION", REFRESH);
    out.line("X-PUBLISHED-TTL", REFRESH);
    for event in events {
        let path = match event.page() {
            Some(page) => format!("/view-page/{page}"),
            None => format!("/view-course/{}", event.course_id),
        };
        out.line("BEGIN", "VEVENT");
        out.line("UID", &event.uid());
        out.line("DTSTAMP", &instant(stamp.at));
        out.line("LAST-MODIFIED", &instant(stamp.at));
        out.line("SEQUENCE", &stamp.sequence.to_string());
        out.line("DTSTART", &instant(event.at));
        out.text("SUMMARY", &summary(event).text(lang));
        out.text("DESCRIPTION", &description(event, lang));
        out.line("URL", &page(&path));
        out.line("TRANSP", "TRANSPARENT");
        out.line("END", "VEVENT");
    }
    out.line("END", "VCALENDAR");
    out.0
}

/// Content lines, folded and ended by CRLF.
#[derive(Default)]
struct Lines(String);

impl Lines {
    /// Adds a property whose value needs no escaping.
    fn line(&mut self, name: &str, value: &str) {
        let mut size = 0;
        for c in name.chars().chain([':']).chain(value.chars()) {
            if size + c.len_utf8() > LINE {
                self.0.push_str("\r\n ");
                size = 1;
            }
            self.0.push(c);
            size += c.len_utf8();
        }
        self.0.push_str("\r\n");
    }

    /// Adds a property with a value of the type TEXT, which contains no control characters except line breaks.
    fn text(&mut self, name: &str, value: &str) {
        let mut escaped = String::with_capacity(value.len());
        for c in value.chars() {
            match c {
                '\n' => escaped.push_str("\\n"),
                '\\' | ',' | ';' => escaped.extend(['\\', c]),
                c if c.is_control() => escaped.push(' '),
                c => escaped.push(c),
            }
        }
        self.line(name, &escaped);
    }
}

/// In UTC, without fractions of a second, which RFC 5545 does not have.
fn instant(at: DateTime<Utc>) -> String {
    at.format("%Y%m%dT%H%M%SZ").to_string()
}

fn summary(event: &Event) -> Message {
    let title = event.title().to_owned();
    match event.kind {
        Kind::Starts => Message::CourseStarts(title),
        Kind::Opens => Message::PartOpens(title),
        Kind::Due => Message::PartDue(title),
        Kind::Closes => Message::PartCloses(title),
        Kind::Ends => Message::CourseEnds(title),
    }
}

fn description(event: &Event, lang: Lang) -> String {
    let course = (event.part != Part::Course).then(|| Message::OfCourse(event.course_title.clone()).text(lang));
    let teaching = event.is_teaching().then(|| Message::YouTeach.text(lang));
    let lines: Vec<_> = course.into_iter().chain(teaching).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone as _;
    use kurso_base::ids::{CourseId, PageId};
    use proptest::prelude::*;

    use super::*;
    use crate::access::Role;
    use crate::courses::tree::PageKind;

    fn due(title: &str, course: &str) -> Event {
        Event {
            kind: Kind::Due,
            at: Utc.with_ymd_and_hms(2026, 12, 1, 20, 59, 0).unwrap(),
            course_id: CourseId(uuid::Uuid::nil()),
            course_title: course.to_owned(),
            time_zone: None,
            role: Role::Teacher,
            part: Part::Page {
                id: PageId(uuid::Uuid::nil()),
                title: Some(title.to_owned()),
                number: 1,
                kind: PageKind::Quiz,
                lesson_title: "Lesson".to_owned(),
            },
            is_done: false,
            is_overdue: false,
            todo: super::super::Todo::Now,
        }
    }

    fn text(events: &[Event], lang: Lang) -> String {
        let at = Utc.with_ymd_and_hms(2026, 11, 21, 9, 0, 0).unwrap();
        let stamp = Stamp { sequence: 7, at };
        write(events, lang, stamp, |path| format!("https://kurso.example{path}"))
    }

    /// The lines as they were before folding.
    fn unfolded(text: &str) -> Vec<String> {
        text.replace("\r\n ", "")
            .split_terminator("\r\n")
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn an_event_is_an_instant_with_a_stable_uid() {
        assert_eq!(
            unfolded(&text(&[due("Тест; 1, a\\b", "Курс")], Lang::Ru)),
            [
                "BEGIN:VCALENDAR",
                "VERSION:2.0",
                "PRODID:-//Kurso//Calendar//EN",
                "CALSCALE:GREGORIAN",
                "X-WR-CALNAME:Kurso: сроки курсов",
                "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
                "X-PUBLISHED-TTL:PT1H",
                "BEGIN:VEVENT",
                "UID:due-00000000-0000-0000-0000-000000000000@kurso",
                "DTSTAMP:20261121T090000Z",
                "LAST-MODIFIED:20261121T090000Z",
                "SEQUENCE:7",
                "DTSTART:20261201T205900Z",
                "SUMMARY:Срок: Тест\\; 1\\, a\\\\b",
                "DESCRIPTION:Курс: Курс\\nВы преподаёте в этом курсе",
                "URL:https://kurso.example/view-page/00000000-0000-0000-0000-000000000000",
                "TRANSP:TRANSPARENT",
                "END:VEVENT",
                "END:VCALENDAR",
            ]
        );
    }

    #[test]
    fn a_calendar_without_events_is_valid() {
        assert!(text(&[], Lang::En).ends_with("X-PUBLISHED-TTL:PT1H\r\nEND:VCALENDAR\r\n"));
    }

    proptest! {
        #[test]
        fn no_title_breaks_the_lines(title in "\\PC{0,300}|.{0,80}|[\r\n\t ,;:\\\\А-я\u{0}-\u{1f}🙂]{0,255}") {
            let text = text(&[due(&title, &title)], Lang::En);
            for line in text.split_terminator("\r\n") {
                prop_assert!(line.len() <= 75, "{line}");
                prop_assert!(!line.chars().any(char::is_control), "{line:?}");
            }
            let lines = unfolded(&text);
            prop_assert_eq!(lines.len(), 19);
            let shown: String = title.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect();
            let escaped = shown.replace('\\', "\\\\").replace(',', "\\,").replace(';', "\\;").replace('\n', "\\n");
            prop_assert!(lines.contains(&format!("SUMMARY:Due: {escaped}")), "{lines:?}");
        }
    }
}
