import type { ServerIdentity } from '../../../control-plane/servers/servers.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { newServerId, type ServerHistory } from './history.js';

// In the future, because the database removes expired documents by its own clock.
export const HOUR = Date.UTC(2031, 0, 31, 10);
const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const PERIOD_MS = 10_000;
/** The pack job waits this long after the end of an hour. */
const PACK_DELAY_MS = 180_000;
/** The time at which only the hour that starts at HOUR is due. */
export const DUE = HOUR + HOUR_MS + PACK_DELAY_MS;

type Values = Record<string, number>;
export type Samples = (readonly [atMs: number, Values])[];
/** One sample each 10 s from `fromMs` on. Each has values of its own. */
export const samplesFrom = (fromMs: number, count: number): Samples =>
  Array.from({ length: count }, (_, at) => [
    fromMs + at * PERIOD_MS + (at % 3),
    { cpu_percent: (at * 7.13) % 100, load_1: at / 100, 'disk_used_percent:/var': 50 + at / 1_000 },
  ]);

/** The points that the store must return for these samples. */
export function expected(delivered: Samples, series: string, stepMs: number | null) {
  const buckets = new Map<number, number[]>();
  for (const [atMs, values] of [...delivered].sort(([a], [b]) => a - b)) {
    const value = values[series];
    if (value === undefined) continue;
    const startMs = stepMs === null ? atMs : atMs - (atMs % stepMs);
    buckets.set(startMs, [...(buckets.get(startMs) ?? []), Math.round(value * 100)]);
  }
  return [...buckets].map(([atMs, hundredths]) => ({
    atMs,
    value: Math.round(hundredths.reduce((sum, one) => sum + one, 0) / hundredths.length) / 100,
  }));
}

export const STEPS = { raw: null, '1m': MINUTE_MS, '5m': 5 * MINUTE_MS, '1h': HOUR_MS } as const;

interface Comparing {
  strictSame(found: unknown, wanted: unknown, message: string): boolean;
}

/** What several tests of the history of servers do. */
export function historyChecks(mongo: Mongo, history: ServerHistory) {
  async function readStored(
    server: ServerIdentity,
    resolution: keyof typeof STEPS,
    fromMs: number,
    toMs: number,
    read = history.readHistory,
  ) {
    const range = { ...server, fromMs, toMs, metrics: null, wants: () => true };
    const blocks = await read({ ...range, resolution, pointsMax: Number.POSITIVE_INFINITY });
    const found: Record<string, { atMs: number; value: number }[]> = {};
    for (const { times, series } of blocks ?? []) {
      for (const [name, { counts, sums }] of series) {
        for (const [slot, atMs] of times.entries()) {
          const samples = counts[slot] ?? 0;
          if (samples === 0) continue;
          found[name] ??= [];
          found[name].push({ atMs, value: Math.round((sums[slot] ?? 0) / samples) / 100 });
        }
      }
    }
    return found;
  }
  async function expectAll(t: Comparing, server: ServerIdentity, delivered: Samples, message: string) {
    const times = delivered.map(([atMs]) => atMs);
    const [fromMs, toMs] = [Math.min(...times), Math.max(...times) + 1];
    const names = new Set(delivered.flatMap(([, values]) => Object.keys(values)));
    for (const [resolution, stepMs] of Object.entries(STEPS)) {
      const found = await readStored(server, resolution as keyof typeof STEPS, fromMs, toMs);
      const wanted = Object.fromEntries([...names].map((name) => [name, expected(delivered, name, stepMs)]));
      t.strictSame(found, wanted, `${message}: ${resolution}`);
    }
  }

  return {
    readStored,
    expectAll,
    newServer: (): ServerIdentity => ({ workspaceId: 'ws_history', serverId: newServerId() }),
    count: (collection: string, { serverId }: ServerIdentity) =>
      mongo.db.collection<{ _id: string }>(collection).countDocuments({ _id: { $regex: `^${serverId}/` } }),
    /** Runs the job once, with a lease owner of its own. */
    async pack(nowMs: number, over: Parameters<ServerHistory['newPackJob']>[1] = {}) {
      const job = history.newPackJob(`job ${Math.random()}`, over);
      try {
        return await job.runOnce(nowMs);
      } finally {
        await job.stop();
      }
    },
  };
}
