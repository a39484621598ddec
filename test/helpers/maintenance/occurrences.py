"""Reads schedules as JSON from standard input and prints the begins of their occurrences, by dateutil and zoneinfo."""

import json
import sys
from datetime import datetime, timedelta, timezone

from dateutil import rrule, tz


def begins(schedule):
    zone = tz.gettz(schedule["time_zone"])
    days = {"bymonthday": schedule["days"] or None, "byweekday": schedule["weekdays"] or None}
    rule = rrule.rrule(
        rrule.DAILY,
        dtstart=datetime.fromisoformat(schedule["from"]) - timedelta(days=2),
        until=datetime.fromisoformat(schedule["to"]) + timedelta(days=2),
        bymonth=schedule["months"] or None,
        byhour=schedule["hours"],
        byminute=schedule["minutes"],
        bysecond=0,
        **days,
    )
    start = datetime.fromisoformat(schedule["from"]).replace(tzinfo=timezone.utc)
    end = datetime.fromisoformat(schedule["to"]).replace(tzinfo=timezone.utc)
    # A time that clocks skip is as much later; a time that occurs twice is the first one (fold=0).
    instants = {tz.resolve_imaginary(local.replace(tzinfo=zone)).astimezone(timezone.utc) for local in rule}
    return [int(at.timestamp() * 1000) for at in sorted(instants) if start <= at < end]


print(json.dumps([begins(schedule) for schedule in json.load(sys.stdin)]))
