import type { Db } from 'mongodb';
import type { ResultDocument } from '../../../control-plane/results/documents.js';

/** The first attempt of a scheduled check, as it is stored. */
export interface ScheduledCheck {
  monitorId: string;
  location: string;
  slotMs: number;
  checkedAtMs: number;
}

/** Returns all scheduled checks of these monitors. */
export async function scheduledChecks(db: Db, monitorIds: readonly string[]): Promise<ScheduledCheck[]> {
  const filter = { monitor_id: { $in: [...monitorIds] }, reason: 'schedule', attempt: 0 };
  const found = await db.collection<ResultDocument>('results').find(filter).toArray();
  return found.map((one) => ({
    monitorId: one.monitor_id,
    location: one.location,
    slotMs: one.slot_ms,
    checkedAtMs: one.checked_at_ms,
  }));
}

/**
 * Returns the slots between both times without a stored check, as `<monitor> <location> <time>`, and each pair of a
 * monitor and a location without any check.
 */
export function missingSlots(
  checks: readonly ScheduledCheck[],
  expected: {
    monitorIds: readonly string[];
    locations: readonly string[];
    intervalMs: number;
    fromMs: number;
    untilMs: number;
  },
): string[] {
  const { intervalMs, fromMs, untilMs } = expected;
  const byPair = new Map<string, number[]>();
  for (const { monitorId, location, slotMs } of checks) {
    const pair = `${monitorId} ${location}`;
    byPair.set(pair, [...(byPair.get(pair) ?? []), slotMs]);
  }
  const pairs = expected.monitorIds.flatMap((id) => expected.locations.map((location) => `${id} ${location}`));
  return pairs.flatMap((pair) => {
    const stored = new Set(byPair.get(pair));
    const [known] = stored;
    if (known === undefined) return [pair];
    const missing: string[] = [];
    const first = known - Math.floor((known - fromMs) / intervalMs) * intervalMs;
    for (let slotMs = first; slotMs <= untilMs; slotMs += intervalMs) {
      if (!stored.has(slotMs)) missing.push(`${pair} ${new Date(slotMs).toISOString()}`);
    }
    return missing;
  });
}
