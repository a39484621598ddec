import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { AssignmentSource, ProbeCommands } from '../../nodes/nodes.js';
import { spotCheckPasses } from './doubt.js';
import type { QuarantineStore } from './quarantine-store.js';

/** Checks a sample of a location's monitors to find out whether its network works. */
export interface SpotChecks {
  /** Starts a spot check of the location, unless one is running. Returns at once. */
  start(code: string): void;
  /** Reads the results of the running spot checks. */
  readResults(): Promise<void>;
  /** Returns when the last passed spot check of the location started; null without one. */
  passedAtMs(code: string): number | null;
}

interface SpotCheck {
  startedAtMs: number;
  monitorIds: string[];
}

const SAMPLE_MONITORS_MAX = 20;

/** A spot check without a clear result ends after this time, and a new one may start. */
const SPOT_CHECK_MS_MAX = 15_000;

export function createSpotChecks(needs: {
  clock: Clock;
  random: Random;
  store: Pick<QuarantineStore, 'countLatestResults'>;
  assignments: Pick<AssignmentSource, 'monitors'>;
  commands: ProbeCommands;
}): SpotChecks {
  const { clock, random, store, assignments, commands } = needs;
  const running = new Map<string, SpotCheck>();
  const passedAt = new Map<string, number>();

  async function readResult(code: string, { startedAtMs, monitorIds }: SpotCheck): Promise<void> {
    const latest = await store.countLatestResults(code, monitorIds, startedAtMs);
    const passed = spotCheckPasses({ requested: monitorIds.length, ...latest });
    if (passed) passedAt.set(code, startedAtMs);
    if (passed || clock.now() - startedAtMs > SPOT_CHECK_MS_MAX) running.delete(code);
  }

  return {
    start(code) {
      if (running.has(code)) return;
      const ids = Array.from(assignments.monitors(code), ({ id }) => id);
      const monitorIds = sample(ids, SAMPLE_MONITORS_MAX, random);
      const startedAtMs = clock.now();
      running.set(code, { startedAtMs, monitorIds });
      for (const monitorId of monitorIds) {
        commands.runNow({ monitorId, locations: [code], slotMs: startedAtMs, reason: 'confirm' });
      }
    },
    async readResults() {
      for (const [code, spotCheck] of running) await readResult(code, spotCheck);
    },
    passedAtMs: (code) => passedAt.get(code) ?? null,
  };
}

/** Returns `count` random items. Reorders `items`. */
function sample<T>(items: T[], count: number, random: Random): T[] {
  for (let index = 0; index < Math.min(count, items.length); index++) {
    const other = index + Math.floor(random.fraction() * (items.length - index));
    const chosen = items[other];
    const moved = items[index];
    if (chosen === undefined || moved === undefined) break;
    items[index] = chosen;
    items[other] = moved;
  }
  return items.slice(0, count);
}
