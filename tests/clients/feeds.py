"""Reads the feeds of a core test whose clock jumps: with the package icalendar, and with the calendar program khal, which uses it. feeds.ts reads the same
feeds with ical.js."""

import json
import os
import subprocess
import sys
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


# khal shows local times; the places of its settings and data are in the environment.
KHAL = """
[calendars]
[[feed]]
path = {folder}
type = calendar
[locale]
timeformat = %H:%M:%S
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%dT%H:%M:%SZ
longdatetimeformat = %Y-%m-%dT%H:%M:%SZ
local_timezone = UTC
default_timezone = UTC
"""


def test_khal_shows_every_event_of_a_feed(tmp_path: Path) -> None:
    (tmp_path / "khal").mkdir()
    (tmp_path / "khal/config").write_text(KHAL.format(folder=tmp_path / "calendar"))
    (tmp_path / "calendar").mkdir()
    places = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    khal = Path(sys.executable).with_name("khal")
    # Each run starts the program anew, so not all 50.
    for feed in sorted(Path(os.environ["KURSO_FEEDS"]).glob("*.ics"))[::10]:
        run = subprocess.run(
            [khal, "printics", "--format", "{uid}{tab}{start}", feed],
            env={**os.environ, **places},
            capture_output=True,
            text=True,
            check=True,
        )
        count, *shown = run.stdout.splitlines()
        expected = json.loads(feed.with_suffix(".json").read_text())
        assert count == f"{len(expected)} events found in {feed}"
        assert sorted(line.split("\t") for line in shown) == expected, feed.name
