"""Reads recurrence rules as JSON from standard input and prints the begins of their occurrences, by dateutil and zoneinfo."""

import json
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from dateutil import rrule


def begins(case):
    zone = ZoneInfo(case["time_zone"])
    # dateutil adds days on the clock of the zone. UNTIL is an instant, so it is compared with instants.
    rule = rrule.rrulestr(case["rule"], dtstart=datetime.fromisoformat(case["start"]))
    end = datetime.fromisoformat(case["end"])
    until = datetime.fromisoformat(case["until"]).replace(tzinfo=timezone.utc) if case["until"] else None
    instants = set()
    for local in rule.xafter(datetime.fromisoformat(case["start"]), inc=True):
        if local >= end:
            break
        # A time that clocks skip has the offset from before; one that occurs twice is the first one (fold=0).
        instant = local.replace(tzinfo=zone).astimezone(timezone.utc)
        if until is None or instant <= until:
            instants.add(instant)
    return [int(at.timestamp() * 1000) for at in sorted(instants)]


print(json.dumps([begins(case) for case in json.load(sys.stdin)]))
