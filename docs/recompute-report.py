"""Recomputes every figure of a client report from its data: python3 recompute-report.py data.csv [--json]

Prints what the sections of the report say, computed from nothing but the file that GET /api/v1/client-reports/{id}/data.csv
returns. Ends with status 1 if a percentage, a score of WordPress sites or a response time in the file is not what its other columns give.
"""
import csv, datetime, json, math, sys, zoneinfo

ROWS_MAX, NAMED_MAX, NAME_CHARS_MAX, RENEWAL_DAYS, SOON_DAYS, DAY_MS = 200, 5, 120, 14, 30, 86_400_000
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec".split()
SUMS = ("observed_ms", "up_ms", "left_out_ms", "successful_checks", "failed_checks", "response_us")
SEVERITIES = ("critical", "warning", "info")


def whole(text): return int(text or 0)
def time_ms(text): return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)
def number(value): return f"{value:,}"
def count(value, noun): return f"{value} {noun}{'' if value == 1 else 's'}"
def short(name): return name if len(name) <= NAME_CHARS_MAX else name[: NAME_CHARS_MAX - 1] + "…"
def total(rows, column): return sum(whole(row[column]) for row in rows)


# Percentages are rounded down: 100 means no downtime.
def uptime(observed, up):
    if observed <= 0: return None
    return 100 if up >= observed else min(999_999, math.floor(float(up) * 1_000_000 / observed)) / 10_000

def observed_share(observed, length): return 0 if length <= 0 else min(100, math.floor(observed * 10_000 / length) / 100)

def percent(value):
    if value is None: return "no data"
    return "100 %" if value >= 100 else f"{math.floor(value * 100 + 0.005) / 100:.2f} %"

def response(checks, microseconds): return None if checks == 0 else microseconds / checks / 1000
# The percentage of checks that pass; one without data does not.
def checks_score(rows): return 100 * total(rows, "passing") // sum(total(rows, name) for name in ("passing", "failing", "unknown"))

def milliseconds(value): return "no data" if value is None else f"{number(math.floor(value + 0.5))} ms"

def duration(ms):
    seconds = max(0, math.floor(ms / 1000 + 0.5))
    units = [(seconds // 86_400, "d"), (seconds // 3600 % 24, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s")]
    while units and units[0][0] == 0: units.pop(0)
    return " ".join(f"{value} {unit}" for value, unit in units[:2] if value) or "0 s"

def size(value):
    unit = 0
    while value >= 999.5 and unit < 5: value, unit = value / 1000, unit + 1
    return f"{value:.{0 if unit == 0 or value >= 99.95 else 1}f} {('B', 'kB', 'MB', 'GB', 'TB', 'PB')[unit]}"


class Checks:
    """Sums of checks."""
    def __init__(self, rows):
        self.observed, self.up, self.left_out, self.good, self.failed, self.response_us = (total(rows, column) for column in SUMS)
        self.down = max(0, self.observed - self.up)
        self.seen = self.observed + self.left_out
    def uptime(self): return uptime(self.observed, self.up)
    def response(self): return response(self.good, self.response_us)


class Incidents:
    """Sums of incidents."""
    def __init__(self, rows):
        self.rows, self.total, self.outages, self.resolved = rows, *(total(rows, c) for c in ("incidents", "outages", "resolved"))
        self.by_severity = {name: total(rows, name) for name in SEVERITIES}
        self.recovery = total(rows, "recovery_ms") / self.resolved if self.resolved else None
    def recovery_text(self):
        if self.recovery is not None: return duration(self.recovery)
        return "no incidents" if self.total == 0 else "none resolved"


def renewal(row): return row["days"] <= RENEWAL_DAYS or row["grade"] in ("T", "F")

def table(rows, cells, more):
    left = len(rows) - ROWS_MAX
    return {"rows": [cells(row) for row in rows[:ROWS_MAX]], "notes": [f"{number(left)} {more}."] if left > 0 else []}


class Report:
    def __init__(self, rows):
        of = lambda record, period=None: [r for r in rows if r["record"] == record and period in (None, r["period"])]
        head = of("report")[0]
        self.zone = zoneinfo.ZoneInfo(head["time_zone"])
        self.from_ms, self.made = time_ms(head["from"]), time_ms(head["checked_at"])
        self.names = [row["name"] for row in of("section")]
        self.monitors, self.before_rows = of("monitor", "this"), of("monitor", "before")
        self.period, self.before = Checks(self.monitors), Checks(self.before_rows)
        self.days, self.longest = of("day"), of("longest_outage")
        self.incidents, self.incidents_before = Incidents(of("incidents", "this")), Incidents(of("incidents", "before"))
        self.certificates, self.blacklists, self.backups = of("certificate"), of("blacklist"), of("backup")
        self.domains = of("domain")
        self.email_domains, self.scans = of("email_domain"), of("scan")
        self.sites, self.plugins, self.licences = of("wordpress_site"), of("vulnerable_plugin"), of("notice")
        self.without = sum(whole(row["count"]) for row in of("https_monitors_without_certificate"))
        for row in self.domains: row["days"] = (time_ms(row["to"]) - self.made) // DAY_MS if row["to"] else None
        for row in self.certificates: row["days"] = (time_ms(row["to"]) - self.made) // DAY_MS
        self.length = sum(time_ms(row["to"]) - time_ms(row["from"]) for row in self.monitors)

    def local(self, text): return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(self.zone)
    def day(self, text): at = self.local(text); return f"{at.day} {MONTHS[at.month - 1]}"
    def date(self, text): return f"{self.day(text)} {self.local(text).year}"
    def time(self, text): return f"{self.date(text)}, {self.local(text):%H:%M}"

    def todo(self):
        def named(rows, say, more):
            rest = len(rows) - NAMED_MAX
            return [say(row) for row in rows[:NAMED_MAX]] + ([f"{number(rest)} {more}."] if rest > 0 else [])
        def certificate(row):
            if row["days"] < 0 or row["grade"] == "F": return f"Renew the certificate of {short(row['name'])}: it has expired."
            if row["grade"] == "T": return f"Replace the certificate of {short(row['name'])}: browsers do not trust it."
            return f"Renew the certificate of {short(row['name'])}: {count(row['days'], 'day')} left."
        def domain(row):
            left = "its registration has expired" if row["days"] < 0 else f"{count(row['days'], 'day')} left"
            return f"Renew the domain {short(row['name'])}: {left}."
        def listing(row):
            lists = ", ".join(one.rsplit(" since ", 1)[0] for one in row["listings"].split("; "))
            return f"Ask for the delisting of {short(row['name'])} from {lists}."
        def incident(row):
            return f"Look into {short(row['name'])}: {count(whole(row['open']), 'incident')} not resolved at the end of the period."
        bad = lambda row, *names: sum(whole(row[name]) for name in names)
        lost = {"silent": "no contact for 24 hours", "disconnected": "it was disconnected"}
        return (
            named([row for row in self.certificates if renewal(row)], certificate, "more certificates need a renewal")
            + named([row for row in self.domains if row["days"] is not None and row["days"] <= RENEWAL_DAYS], domain,
                    "more domains need a renewal")
            + named([row for row in self.blacklists if row["status"] == "listed"], listing, "more targets are listed on blacklists")
            + named([row for row in self.incidents.rows if whole(row["open"])], incident, "more have unresolved incidents")
            + named([row for row in self.email_domains if row["status"] == "failing"],
                    lambda row: f"Improve the e-mail settings of {short(row['name'])}: {row['to_improve']}.", "more e-mail domains are failing")
            + named([row for row in self.backups if bad(row, "failed", "missed")],
                    lambda row: f"Look into the backup {short(row['name'])}: {count(bad(row, 'failed', 'missed'), 'run')} failed or missed.",
                    "more backups have runs that failed or were missed")
            + named([row for row in self.sites if row["status"] != "connected"],
                    lambda row: f"Reconnect the WordPress site {short(row['name'])}: {lost[row['status']]}.", "more WordPress sites are not connected")
            + named([row for row in self.sites if bad(row, "failing")],
                    lambda row: f"Harden the WordPress site {short(row['name'])}: {count(bad(row, 'failing'), 'check')} failing.",
                    "more WordPress sites have failing checks")
            + named([row for row in self.scans if bad(row, "critical", "high")],
                    lambda row: f"Look into {short(row['name'])}: {count(bad(row, 'critical', 'high'), 'critical or high finding')} in its last scan.",
                    "more websites have critical or high findings")
        )

    def summary(self):
        todo = self.todo()
        strong = [] if self.monitors else ["No monitor was set up, so this report has no uptime figures."]
        strong += [f"{count(len(todo), 'thing')} to do:"] if todo else [] if strong else ["Nothing to do."]
        if not self.monitors: return {"texts": strong, "list": todo}
        versus = lambda text, known: f"{text} in the period before" if known else "no data of the period before"
        known, before = self.before.observed > 0, self.before
        return {
            "texts": strong + self.sentences(), "list": todo,
            "cards": {
                "Uptime": [percent(self.period.uptime()), versus(percent(before.uptime()), known)],
                "Downtime, all monitors": [self.down(self.period), versus(duration(before.down), known)],
                "Outages": [number(self.incidents.outages), versus(number(self.incidents_before.outages), known)],
                "Response time": [milliseconds(self.period.response()), versus(milliseconds(before.response()), before.good > 0)],
                "Mean time to recover": [self.incidents.recovery_text(), versus(self.incidents_before.recovery_text(), known)],
                "Time observed": [percent(observed_share(self.period.seen, self.length)), count(len(self.monitors), "monitor")],
            },
            "days": [[self.day(row["from"]), Checks([row]).uptime(), Checks([row]).response()] for row in self.days],
            **table(self.monitors, self.monitor_row, "more with less downtime"),
        }

    def down(self, checks): return duration(checks.down) if checks.observed > 0 else "no data"

    def monitor_row(self, row):
        checks = Checks([row])
        since = time_ms(row["from"])
        notes = [f"measured since {self.date(row['from'])}"] if since > self.from_ms else []
        notes += ["paused"] if row["paused"] == "true" else []
        notes += [f"{duration(checks.left_out)} of planned maintenance left out"] if checks.left_out else []
        share = observed_share(checks.seen, time_ms(row["to"]) - since)
        return [f"{row['name']} ({', '.join(notes)})" if notes else row["name"], percent(checks.uptime()), percent(share),
                self.down(checks), number(whole(row["outages"])), milliseconds(checks.response())]

    def sentences(self):
        left_out = [f"Uptime and downtime leave out {duration(self.period.left_out)} of planned maintenance, summed over the monitors. "
                    "Outages in that time are still counted as outages."] if self.period.left_out else []
        if self.period.uptime() is None: return left_out or ["There is no data of this period."]
        observed = [row for row in self.monitors if whole(row["observed_ms"]) > 0]
        flawed = [row for row in observed if Checks([row]).down > 0]
        all_of = "The monitor worked" if len(observed) == 1 else f"All {number(len(observed))} monitors worked"
        said = [f"{number(len(flawed))} of {count(len(observed), 'monitor')} had downtime, {duration(self.period.down)} in total."
                if flawed else f"{all_of} without any downtime."]
        for row in self.longest:
            end = "was not over at the end of the period" if whole(row["open"]) else f"lasted {duration(whole(row['longest_ms']))}"
            which = "The only outage" if self.incidents.outages == 1 else f"The longest of {number(self.incidents.outages)} outages"
            said.append(f"{which}, of {short(row['name'])}, began on {self.time(row['from'])} and {end}.")
        return said + left_out + self.changes()

    def changes(self):
        earlier = {row["id"]: Checks([row]) for row in self.before_rows}
        changed = sorted(
            ((row["name"], Checks([row]).down, earlier[row["id"]].down) for row in self.monitors
             if whole(row["observed_ms"]) > 0 and earlier[row["id"]].observed > 0), key=lambda one: one[1] - one[2])
        said = lambda ms: f"{duration(ms)} of downtime" if ms else "no downtime"
        sentence = lambda word, one: f"{short(one[0])} {word} most: {said(one[1])}, after {said(one[2])} in the period before."
        return ([sentence("improved", changed[0])] if changed and changed[0][1] < changed[0][2] else []) + (
            [sentence("worsened", changed[-1])] if changed and changed[-1][1] > changed[-1][2] else [])

    def certificate_section(self):
        rows, unseen = self.certificates, [f"{count(self.without, 'https monitor')} without a certificate yet."] if self.without else []
        domains = self.domain_table()
        if not rows:
            how = "Create a monitor of an https address: Picket then checks its certificate too."
            return {"texts": [f"There is no certificate data yet. {how}"], "rows": domains["rows"], "notes": unseen + domains["notes"]}
        urgent, expired = sum(map(renewal, rows)), sum(row["days"] < 0 for row in rows)
        shown = table(rows, lambda row: [row["name"], row["issuer"], row["grade"], self.date(row["to"]),
                                         "expired" if row["days"] < 0 else number(row["days"])], "more that expire later")
        return {
            "texts": [f"{number(urgent)} of {count(len(rows), 'certificate')} must be renewed or replaced." if urgent else
                      f"All {count(len(rows), 'certificate')} are trusted and valid for more than {RENEWAL_DAYS} days."],
            "cards": {"Certificates": [number(len(rows)), "of https monitors"], "Expired": [number(expired), "now"],
                      "Expiring": [number(sum(0 <= row["days"] <= SOON_DAYS for row in rows)), f"within {SOON_DAYS} days"]},
            "rows": shown["rows"] + domains["rows"], "notes": shown["notes"] + unseen + domains["notes"],
        }

    def domain_table(self):
        without = {"pending": "not checked yet", "not_registered": "not registered", "unreachable": "no answer"}
        return table(self.domains, lambda row: [
            row["name"], row["issuer"] or "–", self.date(row["to"]) if row["to"] else without.get(row["status"], "not published"),
            "–" if row["days"] is None else "expired" if row["days"] < 0 else number(row["days"])], "more domains that expire later")

    def blacklist_section(self):
        rows, of = self.blacklists, lambda status: sum(row["status"] == status for row in self.blacklists)
        if not rows:
            return {"texts": ["There is no blacklist data yet. Create a blacklist monitor of an address or domain to see its listings here."]}
        rest = f" {count(of('unknown'), 'target')} without data." if of("unknown") else ""
        said = ("There is no answer of a blacklist yet." if of("unknown") == len(rows) else f"No target is on a blacklist.{rest}")
        if of("listed"): said = f"{number(of('listed'))} of {count(len(rows), 'target')} on at least one blacklist.{rest}"
        since = lambda one: "{} since {}".format(one.rsplit(" since ", 1)[0], self.date(one.rsplit(" since ", 1)[1]))
        return {
            "texts": [said],
            "cards": {"Targets": [number(len(rows)), "addresses and domains"], "Listed": [number(of("listed")), "on at least one list"],
                      "Clean": [number(of("clean")), "on all lists that answered"]},
            **table(rows, lambda row: [
                row["name"], {"unknown": "no data"}.get(row["status"], row["status"]),
                number(whole(row["score"])) if row["score"] else "no data",
                "; ".join(map(since, row["listings"].split("; "))) if row["listings"] else "–",
                self.time(row["checked_at"]) if row["checked_at"] else "not yet"], "more without a listing"),
        }

    def email_section(self):
        rows, failing = self.email_domains, sum(row["status"] == "failing" for row in self.email_domains)
        if not rows:
            return {"texts": ["There is no data on e-mail yet. Add an e-mail domain to see its score here."]}
        scores = [whole(row["score"]) for row in rows if row["score"]]
        said = "No e-mail domain is failing." if scores else "There is no score of an e-mail domain yet."
        if failing: said = f"{number(failing)} of {count(len(rows), 'e-mail domain')} failing in at least one area."
        names = {"warning": "could be better", "unknown": "no data"}
        return {
            "texts": [said],
            "cards": {"Domains": [number(len(rows)), "checked daily"], "Failing": [number(failing), "in at least one area"],
                      "Lowest score": [number(min(scores)) if scores else "no data", "of 100"]},
            **table(rows, lambda row: [
                row["name"], names.get(row["status"], row["status"]), number(whole(row["score"])) if row["score"] else "no data",
                row["to_improve"] or "–", self.time(row["checked_at"]) if row["checked_at"] else "not yet"], "more with a higher score"),
        }

    def wordpress_section(self):
        rows = self.sites
        if not rows:
            return {"texts": ["There is no data on WordPress yet. Connect a WordPress site to see its checks here."]}
        passing, failing, unknown, fixes, incidents = (total(rows, name) for name in ("passing", "failing", "unknown", "fixes", "incidents"))
        plural = lambda value, noun: f"{number(value)} {noun}{'' if value == 1 else 's'}"
        of = f"{plural(passing + failing + unknown, 'check')} of {plural(len(rows), 'WordPress site')}"
        rest = f" {number(unknown)} without data." if unknown else ""
        said = f"No check of {of} is failing.{rest}" if unknown else f"All {of} pass."
        if failing: said = f"{number(failing)} of {of} failing.{rest}"
        statuses = {"silent": " (no contact for 24 hours)", "disconnected": " (disconnected)"}
        sites = table(rows, lambda row: [
            row["name"] + statuses.get(row["status"], ""), number(checks_score([row])),
            *(number(whole(row[name])) for name in ("passing", "failing", "unknown", "fixes")), row["to_improve"] or "–"], "more with a higher score")
        plugins = table(self.plugins, lambda row: [
            row["name"], row["site"], row["installed"] or "no data", number(whole(row["count"])), row["fixed_in"] or "no version known"],
            "more vulnerable plugins")
        return {
            "texts": [said],
            "cards": {"Score": [number(checks_score(rows)), "of 100"], "Failing": [number(failing), "checks"], "No data": [number(unknown), "checks"],
                      "Fixes": [number(fixes), "verified in the period"], "Incidents": [number(incidents), "began in the period"]},
            "rows": sites["rows"] + plugins["rows"],
            "notes": sites["notes"] + plugins["notes"] + [row["name"] for row in self.licences],
        }

    def scan_section(self):
        rows = self.scans
        if not rows:
            how = "Scan the website of a monitor to see its score here."
            return {"texts": [f"No security scan was completed in this period. {how}"]}
        bad, lowest = sum(whole(row["critical"]) + whole(row["high"]) > 0 for row in rows), min(whole(row["score"]) for row in rows)
        all_of = count(len(rows), "website")
        said = f"The last scan of {all_of} has no critical or high finding."
        if bad: said = f"{number(bad)} of {all_of} with a critical or high finding in its last scan."
        pair = lambda row, *names: ", ".join(number(whole(row[name])) for name in names)
        missing = lambda row: f" ({number(whole(row['unknown']))} not measured)" if whole(row["unknown"]) else ""
        return {
            "texts": [said],
            "cards": {"Websites": [number(len(rows)), "scanned in this period"], "With serious findings": [number(bad), "critical or high"],
                      "Lowest score": [number(lowest), "of 100"]},
            **table(rows, lambda row: [
                row["name"] + missing(row), number(whole(row["score"])), pair(row, "critical", "high"), pair(row, "medium", "low"),
                row["to_improve"] or "–", self.time(row["checked_at"])], "more with a higher score"),
        }

    def backup_section(self):
        rows = self.backups
        if not rows:
            how = "Create a backup job, and let the backup send a ping when it ends, to see its runs here."
            return {"texts": [f"There is no backup data yet. {how}"]}
        runs = lambda value: f"{number(value)} run{'' if value == 1 else 's'}"
        results = lambda row: [whole(row[name]) for name in ("succeeded", "failed", "missed")]
        rate = lambda good, bad: None if good + bad == 0 else good * 10_000 // (good + bad) / 100
        good, failed, missed = (sum(column) for column in zip(*map(results, rows)))
        bad, of = failed + missed, f"of {count(len(rows), 'backup job')}"
        said = f"{number(bad)} of {runs(good + bad)} {of} failed or {'was' if bad == 1 else 'were'} missed."
        if bad == 0: said = f"All {runs(good)} {of} were good." if good else f"No run {of} ended in this period."
        def cells(row):
            ok, *others = results(row)
            since = f" (measured since {self.date(row['from'])})" if time_ms(row["from"]) > self.from_ms else ""
            return [row["name"] + since, number(ok + sum(others)), percent(rate(ok, sum(others))), duration(whole(row["longest_gap_ms"])),
                    size(whole(row["size_bytes"])) if row["size_bytes"] else "no data",
                    self.time(row["last_good_at"]) if row["last_good_at"] else "none"]
        return {
            "texts": [said],
            "cards": {"Good runs": [percent(rate(good, bad)), runs(good + bad)], "Failed": [number(failed), "runs"], "Missed": [number(missed), "runs"],
                      "Longest gap": [duration(max(whole(row["longest_gap_ms"]) for row in rows)), "without a good run of a job"]},
            **table(rows, cells, "more with a higher share of good runs"),
        }

    def alerts(self):
        now, earlier = self.incidents, self.incidents_before
        if now.total == 0:
            after = f", after {number(earlier.total)} in the period before" if earlier.total else ""
            return {"texts": [f"No incident began in this period{after}."]}
        known = self.before.observed > 0 or earlier.total > 0
        before = lambda value: f"{number(value)} in the period before" if known else "no data of the period before"
        return {
            "texts": [f"{count(now.total, 'incident')} began in this period, {before(earlier.total)}."],
            "cards": {**{name.capitalize(): [number(now.by_severity[name]), before(earlier.by_severity[name])] for name in SEVERITIES},
                      "Mean time to recover": ["none resolved" if now.recovery is None else duration(now.recovery),
                                               f"{number(now.resolved)} of {number(now.total)} resolved"]},
            "days": [[self.day(row["from"]), *(whole(row[name]) for name in SEVERITIES)] for row in self.days],
            **table(now.rows, lambda row: [
                row["name"], number(whole(row["incidents"])), number(whole(row["critical"])), duration(whole(row["total_ms"])),
                duration(whole(row["longest_ms"])), number(whole(row["open"])) if whole(row["open"]) else "–"], "more with fewer incidents"),
        }

    def sections(self):
        known = {"Executive Summary": self.summary, "SSL & Domain Monitoring": self.certificate_section,
                 "Reputation & Blacklists": self.blacklist_section, "Email Deliverability": self.email_section,
                 "Backup Verification": self.backup_section, "WordPress Sites": self.wordpress_section, "Alerts Summary": self.alerts,
                 "Security Scans": self.scan_section}
        return {name: known[name]() for name in self.names if name in known}


def differences(rows):
    """Yields the computed columns that are not what the other columns of their row give."""
    sites = [row for row in rows if row["record"] == "wordpress_site"]
    for row in rows:
        if row["record"] in ("wordpress", "wordpress_site"):
            value = checks_score(sites if row["record"] == "wordpress" else [row])
            if whole(row["score"]) != value: yield f"{row['record']} {row['name']}: score is {row['score']}, computed {value}"
        if row["record"] not in ("monitor", "day"): continue
        checks = Checks([row])
        computed = {"uptime_percent": checks.uptime(), "response_ms": checks.response()}
        if row["to"]: computed["observed_percent"] = observed_share(checks.seen, time_ms(row["to"]) - time_ms(row["from"]))
        for column, value in computed.items():
            if (float(row[column]) if row[column] else None) != value:
                yield f"{row['record']} {row['name'] or row['from']}: {column} is {row[column] or 'empty'}, computed {value}"


def main(path, form="--text"):
    with open(path, encoding="utf-8", newline="") as file: rows = list(csv.DictReader(file))
    sections = Report(rows).sections()
    if form == "--json": print(json.dumps(sections))
    else:
        for name, says in sections.items():
            print(f"\n{name}")
            for text in says["texts"] + says.get("list", []): print(f"  {text}")
            for label, (value, note) in says.get("cards", {}).items(): print(f"  {label}: {value}, {note}")
            for cells in says.get("rows", []): print("  " + " | ".join(cells))
            for text in says.get("notes", []): print(f"  {text}")
    wrong = list(differences(rows))
    for text in wrong: print(text, file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3: sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
