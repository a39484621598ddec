import type { Actor } from '../actor.js';
import type { MonitorDocument } from '../monitors/documents.js';
import type { Transaction } from '../storage/transaction.js';
import type { ImportMatch } from './import-match.js';
import { mapInParts, type Turn } from './in-parts.js';
import type { TransferNeeds } from './needs.js';
import type { PortableMonitor } from './portable.js';

/** Up to this many new monitors are checked at once; more wait for their slot in the schedule. */
const CHECKED_AT_ONCE_MAX = 100;
/** Monitors that are written with the same statements. Between them it turns out that an import takes too long. */
const WRITTEN_AT_ONCE_MAX = 250;

/** Writes what the matches mean. Returns their monitors in the same order; null for a refused match. */
export async function writeMatches(
  needs: TransferNeeds,
  tx: Transaction,
  actor: Actor,
  { entries, matches, turn }: { entries: readonly PortableMonitor[]; matches: readonly ImportMatch[]; turn: Turn },
): Promise<(MonitorDocument | null)[]> {
  const { monitors, clock } = needs;
  const nowMs = clock.now();
  const changes = await mapInParts(matches, turn, (match) =>
    match.action === 'updated' ? [monitors.updating(actor, match.existing.monitor, match.settings)] : [],
  );
  const updated = await inParts(changes.flat(), turn, (some) => monitors.write(tx, actor, some));
  const fresh = matches.flatMap((match, index) =>
    match.action === 'created'
      ? [{ settings: match.settings, pausedAtMs: entries[index]?.paused === true ? nowMs : null }]
      : [],
  );
  const created = await inParts(fresh, turn, (some) => monitors.create(tx, actor, some));
  if (updated.length > 0) await monitors.announce(tx, updated, null);
  const active = created.filter((monitor) => monitor.paused_at_ms === null);
  if (created.length > 0) await monitors.announce(tx, created, active.length <= CHECKED_AT_ONCE_MAX ? 'manual' : null);
  const [nextUpdated, nextCreated] = [updated.values(), created.values()];
  return matches.map((match) => {
    if (match.action === 'unchanged') return match.existing.monitor;
    if (match.action === 'updated') return nextUpdated.next().value ?? null;
    return match.action === 'created' ? (nextCreated.next().value ?? null) : null;
  });
}

async function inParts<Item, Result>(
  items: readonly Item[],
  turn: Turn,
  work: (items: readonly Item[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += WRITTEN_AT_ONCE_MAX) {
    await turn();
    results.push(...(await work(items.slice(from, from + WRITTEN_AT_ONCE_MAX))));
  }
  return results;
}
