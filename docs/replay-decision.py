"""Replays outages, one response per line: curl -H "Authorization: Bearer $KEY" $URL/v1/alerts/inc_… | python3 replay-decision.py"""
import datetime, json, sys

def ms(time): return time and round(datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp() * 1000)
def made(vote): return min(ms(vote["result"]["checked_at"]), ms(vote["result"]["received_at"]))

def replay(record):
    before, assigned, now = record["before"], record["rule"]["assigned_locations"], ms(record["evaluated_at"])
    up, down = ([vote for vote in record["votes"] if vote["counted_as"] == way] for way in ("up", "down"))
    valid = up + [vote for vote in record["votes"] if vote["vote"] == "down"]  # with failures that do not count yet
    voters = len(valid) + sum(vote["abstained"] == "late" for vote in record["votes"])
    needed = min(record["rule"]["confirmations"] or max(voters // 2 + 1, min(2, assigned)), assigned)
    if len(valid) < needed: return "unchanged"
    if len(down) >= needed:  # Picket waits up to 700 ms for locations that have not replied since the first failure.
        first, due = ms(before["first_failed_at"]), sorted(ms(vote["result"]["received_at"]) for vote in down)[needed - 1] + 700
        silent = any(vote["retrying"] or vote in up and made(vote) < (first or min(map(made, down))) for vote in valid)
        return "unchanged" if before["status"] == "up" and (silent or voters > len(valid)) and 0 < due - now <= 700 else "down"
    recovers = before["recovering_since"] and sum(made(vote) > ms(before["first_good_round_at"]) for vote in up) > voters - needed
    return "up" if voters - len(up) < needed and (before["status"] == "up" or recovers) else "unchanged"

records = [json.loads(line)["data"][key] for line in sys.stdin for key in ("decision", "recovery")]
replays = [(record["outcome"], replay(record), record["reason"]) for record in records if record and "votes" in record]
for replayed in replays: print("recorded {}, replayed {}: {}".format(*replayed))
sys.exit(any(recorded != replayed for recorded, replayed, reason in replays))
