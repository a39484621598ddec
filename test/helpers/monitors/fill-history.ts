import type { Db } from 'mongodb';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { PackedDocument } from '../../../control-plane/results/rollup/documents.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BATCH_ROWS = 1_000;
const TEAMS = 12;
/** Of this many monitors, one is down, and one had an outage. */
const ONE_DOWN_IN = 500;
const ONE_FLAWED_IN = 20;

/** Gives all monitors of a database what months of checks would have given them: figures, tags and hours of history. */
export async function fillHistory(db: Db, nowMs: number): Promise<void> {
  const monitors = db.collection<MonitorDocument>('monitors');
  const hours = db.collection<PackedDocument>('result_hours');
  const ids = await monitors.find({}, { projection: { workspace_id: 1, locations: 1 } }).toArray();
  for (let from = 0; from < ids.length; from += BATCH_ROWS) {
    const batch = ids.slice(from, from + BATCH_ROWS);
    await monitors.bulkWrite(
      batch.map(({ _id, locations }, offset) => ({
        updateOne: { filter: { _id }, update: { $set: figures(from + offset, locations, nowMs) } },
      })),
      { ordered: false },
    );
    const days = batch.flatMap(({ _id, workspace_id, locations }) =>
      [0, 1].map((back) => hoursOfDay(_id, workspace_id, locations, nowMs - (nowMs % DAY_MS) - back * DAY_MS, nowMs)),
    );
    await hours.insertMany(days, { ordered: false });
  }
}

function figures(index: number, locations: readonly string[], nowMs: number) {
  const uptime = index % ONE_FLAWED_IN === 0 ? 99.2 + (index % 79) / 100 : 100;
  const window = { uptime, coverage: 100 };
  const response_time_ms = 20 + ((index * 7_919) % 900);
  return {
    tags: [`team-${index % TEAMS}`, index % 3 === 0 ? 'staging' : 'production'],
    'state.status': index % ONE_DOWN_IN === 1 ? ('down' as const) : ('up' as const),
    'state.changed_at_ms': nowMs - index * 60_000,
    good: Object.fromEntries(
      locations.map((location, at) => [
        location,
        { checked_at_ms: nowMs, response_time_ms: response_time_ms + at * 11 },
      ]),
    ),
    certificate: {
      ...{ grade: 'A' as const, not_after_ms: nowMs + (5 + (index % 85)) * DAY_MS, fingerprint: 'f'.repeat(64) },
      ...{ issuer: 'R11', subject: 'bench.example', checked_at_ms: nowMs },
    },
    uptime: { computed_at_ms: nowMs, day: window, week: window, month: window },
  };
}

function hoursOfDay(
  monitor_id: string,
  workspace_id: string,
  locations: readonly string[],
  start_ms: number,
  nowMs: number,
): PackedDocument {
  const slots: PackedDocument['slots'] = {};
  for (let hour = 0; hour < 24 && start_ms + (hour + 1) * HOUR_MS <= nowMs; hour++) {
    const sum = 60 * (30 + hour) * 1_000;
    slots[hour] = {
      ...{ o: HOUR_MS, u: hour === 3 ? HOUR_MS * 0.9 : HOUR_MS },
      l: Object.fromEntries(locations.map((location) => [location, [60, 0, sum, sum / 120, sum / 30]])),
    };
  }
  return {
    _id: `${monitor_id}/${String(start_ms).padStart(13, '0')}`,
    ...{ workspace_id, monitor_id, start_ms, slots, fence: 0, expires_at: new Date(nowMs + 90 * DAY_MS) },
  };
}
