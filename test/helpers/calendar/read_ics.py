"""Reads an iCalendar text (RFC 5545) from standard input and prints its events as JSON. Fails where the text breaks a rule."""

import json
import re
import sys
from datetime import datetime, timezone

raw = sys.stdin.buffer.read()
assert raw.endswith(b"\r\n"), "the text ends with a line"
physical = raw[:-2].split(b"\r\n")
for line in physical:
    assert len(line) <= 75, f"{len(line)} octets: {line!r}"
    assert b"\n" not in line and b"\r" not in line, line
    line.decode("utf-8")  # No character is cut.

lines = []
for line in physical:
    if line[:1] in (b" ", b"\t"):
        lines[-1] += line[1:]
    else:
        lines.append(line)


def text_of(value):
    assert not re.search(r"(?<!\\)(?:\\\\)*[;,]", value), f"not escaped: {value}"
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] in "nN" else found[1], value)


def time_of(value):
    assert re.fullmatch(r"\d{8}T\d{6}Z", value), value
    return datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc).isoformat()


TIMES = {"DTSTAMP", "DTSTART", "DTEND"}
calendar, events, event, open_parts = {}, [], None, []
for line in lines:
    name, _, value = line.decode("utf-8").partition(":")
    name = name.partition(";")[0]
    assert re.fullmatch(r"[A-Z-]+", name), name
    assert not re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value), f"control character in {value!r}"
    if name == "BEGIN":
        open_parts.append(value)
        if value == "VEVENT":
            event = {}
        continue
    if name == "END":
        assert open_parts.pop() == value, value
        if value == "VEVENT":
            assert {"UID", "DTSTAMP", "DTSTART", "DTEND"} <= event.keys(), event
            events.append(event)
            event = None
        continue
    part = calendar if event is None else event
    assert name not in part, f"twice: {name}"
    if name in TIMES:
        part[name] = time_of(value)
    else:
        part[name] = value if name in ("URL", "SEQUENCE") else text_of(value)

assert open_parts == [], open_parts
assert calendar["VERSION"] == "2.0" and calendar["PRODID"], calendar
assert len({event["UID"] for event in events}) == len(events), "a UID is there twice"
print(json.dumps({"calendar": calendar, "events": events}))
