"""Uses the package icalendar to read the feeds of a core test whose clock jumps. feeds.ts reads the same feeds with ical.js."""

import json
import os
from pathlib import Path

from feed import read_feed


def test_icalendar_finds_every_event_in_feeds_whose_servers_clock_jumps() -> None:
    rounds = sorted(Path(os.environ["KURSO_FEEDS"]).glob("*.ics"))
    assert len(rounds) == 50
    last = 0
    found = []
    for feed in rounds:
        events, sequence = read_feed(feed.read_bytes())
        expected = json.loads(feed.with_suffix(".json").read_text())
        assert [[uid, at] for uid, at, _ in events] == expected, feed.name
        assert sequence > last, f"{feed.name} is no revision after the one before"
        last = sequence
        found.append([feed.name, events, sequence])
    Path(os.environ["KURSO_READ"]).write_text(json.dumps(found))
