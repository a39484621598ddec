import type { Clock } from '../../../kernel/clock.js';
import type { MonitorChanges } from './changes-store.js';

/** A change becomes visible some time after it was written, when it is committed. Each read goes back this far. */
const OVERLAP_MS = 15_000;

/** Reads the changes since the newest known one and refreshes the monitors that they name. */
export function createChangeReader(
  changes: Pick<MonitorChanges, 'since'>,
  refresh: (ids: readonly string[]) => Promise<void>,
  clock: Pick<Clock, 'monotonic'>,
) {
  let newestMs = 0;
  /** Until then a change from before the newest one may still become visible. */
  let overlapUntilMs = 0;
  let seen = new Map<string, string>();
  return {
    /** Called before all monitors are loaded: the load includes every older change. */
    async begin(): Promise<void> {
      newestMs = (await changes.since(null))[0]?.at.getTime() ?? 0;
    },
    async read(): Promise<void> {
      const overlapMs = clock.monotonic() < overlapUntilMs ? OVERLAP_MS : 0;
      const rows = await changes.since(new Date(Math.max(0, newestMs - overlapMs)));
      const states = new Map(rows.map((row) => [row._id, `${row.at.getTime()}/${row.count}`]));
      await refresh([...states].filter(([id, state]) => seen.get(id) !== state).map(([id]) => id));
      seen = states;
      const newestRowMs = Math.max(0, ...rows.map((row) => row.at.getTime()));
      if (newestRowMs <= newestMs) return;
      newestMs = newestRowMs;
      overlapUntilMs = clock.monotonic() + OVERLAP_MS;
    },
  };
}
