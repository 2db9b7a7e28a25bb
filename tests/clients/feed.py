"""Reads an iCalendar feed with the package icalendar. feed.ts does the same with ical.js."""

from datetime import timezone

from icalendar import Calendar


def read_feed(text: bytes) -> tuple[list[tuple[str, str, str]], int]:
    """The events of a feed as (UID, time, title), by UID, and the SEQUENCE of its events."""
    calendar = Calendar.from_ical(text)
    assert not calendar.errors
    found = calendar.walk("VEVENT")
    sequences = {int(event["SEQUENCE"]) for event in found}
    assert len(sequences) <= 1
    events = []
    for event in found:
        assert not event.errors and event.end == event.start, "an event is an instant"
        at = event.start.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        events.append((str(event["UID"]), at, str(event["SUMMARY"])))
    return sorted(events), max(sequences, default=0)
