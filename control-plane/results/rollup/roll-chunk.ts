import type { Clock } from '../../../kernel/clock.js';
import type { UptimeSummary } from '../../monitors/documents.js';
import type { MonitorDirectory, MonitorLookup } from '../../monitors/monitors.js';
import { hoursExpireAt, minutesExpireAt } from '../../retention/retention.js';
import type { ResultsStore } from '../store.js';
import { readSums, spreadOf, tailOf, uptimeRule } from '../uptime/figures.js';
import type { UptimeSettings, UptimeStore } from '../uptime/store.js';
import { summaryOf, sumsAreDue, sumsOf } from '../uptime/sums.js';
import type { UptimeRule, VoidSpans } from '../uptime/uptime.js';
import { addSlot, emptySlot, type HistorySlot, type RolledResult, unpackSlot } from './packed-slots.js';
import { rebuildRollup } from './rebuild.js';
import { absorb, floorTo, HOUR_MS, type HourWrite, type RollupHead } from './rollup.js';
import type { HistoryOwner, RollupStore, StoredHead } from './store.js';

interface RollChunkDependencies {
  store: RollupStore;
  results: Pick<ResultsStore, 'finals'>;
  uptimes: UptimeStore;
  directory: Pick<MonitorDirectory, 'lookup'>;
  clock: Clock;
}

/** One pass of the roll-up over results in order of arrival. */
export interface Pass {
  nowMs: number;
  /** Full minute up to which slots are written. */
  targetMs: number;
  /** Everything that arrived from then on is part of the pass. */
  arrivedFromMs: number;
  voids: VoidSpans;
  fence: number;
}

/** One monitor on its way through a pass. */
interface Rolling {
  owner: HistoryOwner;
  monitor: MonitorLookup;
  settings: UptimeSettings;
  rule: UptimeRule;
  head: RollupHead;
  hours: HourWrite[];
}

type RollChunk = (
  monitorIds: readonly string[],
  arrived: ReadonlyMap<string, RolledResult[]>,
  pass: Pass,
) => Promise<{ monitors: number; rebuilt: number }>;

/** Rolls some monitors forward: slots first, then the figures, the heads last. */
export function createRollChunk({ store, results, uptimes, directory }: RollChunkDependencies): RollChunk {
  async function writeHours(
    rolled: readonly Pick<Rolling, 'owner' | 'monitor' | 'hours'>[],
    fence: number,
  ): Promise<void> {
    const minutes = rolled.flatMap(({ owner, monitor, hours }) =>
      hours
        .filter((hour) => hour.minutes.size > 0 || hour.opening !== null)
        .map((hour) => ({ ...owner, hour, expiresAt: minutesExpireAt(monitor.plan, hour.hour_ms) })),
    );
    await store.saveMinutes(minutes, fence);
    await closeHours(rolled, fence);
  }

  /** Hours that have ended get their hour slot, from the minutes at hand or from those that are stored. */
  async function closeHours(
    rolled: readonly Pick<Rolling, 'owner' | 'monitor' | 'hours'>[],
    fence: number,
  ): Promise<void> {
    const slots: Parameters<RollupStore['saveHours']>[0][number][] = [];
    const stored: { owner: HistoryOwner; monitor: MonitorLookup; hourMs: number }[] = [];
    for (const { owner, monitor, hours } of rolled) {
      for (const hour of hours) {
        if (!hour.complete) continue;
        if (hour.whole) slots.push(hourSlot(owner, monitor, hour.hour_ms, sumOf(hour.minutes.values())));
        else stored.push({ owner, monitor, hourMs: hour.hour_ms });
      }
    }
    if (stored.length > 0) {
      const wanted = stored.map(({ owner, hourMs }) => ({ monitorId: owner.monitorId, hourMs }));
      const documents = new Map(
        (await store.hourDocuments(wanted)).map((document) => [
          `${document.monitor_id}/${document.start_ms}`,
          document,
        ]),
      );
      for (const { owner, monitor, hourMs } of stored) {
        const document = documents.get(`${owner.monitorId}/${hourMs}`);
        if (document === undefined) continue;
        slots.push(hourSlot(owner, monitor, hourMs, sumOf(Object.values(document.slots ?? {}).map(unpackSlot))));
      }
    }
    await store.saveHours(slots, fence);
  }

  /** Merged in memory where the results are recent, from raw results otherwise. */
  async function roll(
    known: { monitor: MonitorLookup; settings: UptimeSettings; stored: StoredHead | undefined },
    incoming: readonly RolledResult[],
    pass: Pass,
  ): Promise<Rolling & { rebuilt: boolean }> {
    const { monitor, settings, stored } = known;
    const owner = { workspaceId: monitor.workspace_id, monitorId: monitor.id };
    const rule = uptimeRule(monitor, stored?.pausesMs ?? [], settings.paused_at_ms, pass.voids);
    const head = stored !== undefined && stored.head.through_ms > 0 ? stored.head : null;
    const base = { owner, monitor, settings, rule };
    const isNew = settings.created_at_ms - CLOCKS_APART_MS >= pass.arrivedFromMs;
    const mergeable = head ?? (isNew ? newbornHead(incoming) : null);
    const absorbed = mergeable === null ? null : absorb(mergeable, incoming, rule, pass.targetMs);
    if (absorbed !== null) return { ...base, ...absorbed, rebuilt: false };
    let hours: HourWrite[] = [];
    const write = async (hour: HourWrite) => {
      hours.push(hour);
      if (hours.length < HOURS_AT_ONCE) return;
      await writeHours([{ owner, monitor, hours }], pass.fence);
      hours = [];
    };
    const input = { owner, head, incoming, rule, targetMs: pass.targetMs };
    const rebuilt = await rebuildRollup({ store, results, write }, input);
    return { ...base, head: rebuilt, hours, rebuilt: true };
  }

  /** Reads the sums of those whose turn it is. */
  async function renewSums(rolled: readonly Rolling[], nowMs: number): Promise<void> {
    const due = rolled.filter(({ owner, head }) => sumsAreDue(head.sums, nowMs, spreadOf(owner.monitorId)));
    const sums = await readSums(
      store,
      due.map(({ owner, head }) => ({ monitorId: owner.monitorId, horizonMs: head.horizon_ms })),
    );
    for (const one of due) one.head = { ...one.head, sums: sums.get(one.owner.monitorId) ?? one.head.sums };
  }

  return async (monitorIds, arrived, pass) => {
    const [heads, settings] = await Promise.all([store.heads(monitorIds), uptimes.settings(monitorIds)]);
    const gone = monitorIds.filter((id) => !settings.has(id) && heads.has(id));
    if (gone.length > 0) await store.removeHeads(gone);

    const rolled: (Rolling & { rebuilt: boolean })[] = [];
    for (const id of monitorIds) {
      const monitor = directory.lookup(id);
      const itsSettings = settings.get(id);
      if (monitor === null || itsSettings === undefined) continue;
      rolled.push(await roll({ monitor, settings: itsSettings, stored: heads.get(id) }, arrived.get(id) ?? [], pass));
    }
    await writeHours(rolled, pass.fence);

    await renewSums(rolled, pass.nowMs);
    const figures: { workspaceId: string; monitorId: string; uptime: UptimeSummary }[] = [];
    for (const { owner, head, rule, settings: its } of rolled) {
      if (head.sums === null) continue;
      const uptime = summaryOf(head.sums, tailOf(head, head.recent, rule, pass.nowMs), pass.nowMs);
      if (isWorthWriting(its.uptime, uptime)) figures.push({ ...owner, uptime });
    }
    await uptimes.save(figures);
    await store.saveHeads(
      rolled.map(({ owner, head }) => ({ ...owner, head })),
      pass.nowMs,
      pass.fence,
    );
    return { monitors: rolled.length, rebuilt: rolled.filter((one) => one.rebuilt).length };
  };
}

/** Clocks of control planes may differ by as much without a new monitor being taken for one with a past. */
const CLOCKS_APART_MS = 30_000;
/** Hours of a long rebuild that are held in memory before they are written. */
const HOURS_AT_ONCE = 48;

/** For a monitor whose every result is part of the pass: nothing was there before the first of them. */
function newbornHead(incoming: readonly RolledResult[]): RollupHead | null {
  if (incoming.length === 0) return null;
  const first = incoming.reduce((least, result) => Math.min(least, result.slot_ms), Number.POSITIVE_INFINITY);
  const startMs = floorTo(first, HOUR_MS);
  return { through_ms: startMs, horizon_ms: startMs, recent: [], sums: sumsOf(new Map(), startMs, NOTHING) };
}

const NOTHING = { observed_ms: 0, up_ms: 0 };

function hourSlot(owner: HistoryOwner, monitor: MonitorLookup, hourMs: number, sum: HistorySlot) {
  const slot = sum.observed_ms === 0 && sum.locations.size === 0 ? null : sum;
  return { ...owner, hourMs, slot, expiresAt: hoursExpireAt(monitor.plan, hourMs - (hourMs % DAY_MS)) };
}

const DAY_MS = 86_400_000;

function sumOf(slots: Iterable<HistorySlot | null>): HistorySlot {
  const sum = emptySlot();
  for (const slot of slots) if (slot !== null) addSlot(sum, slot);
  return sum;
}

/** A coverage that has grown by less than a hundredth of itself may wait as long. */
const DRIFT_MS_MAX = 300_000;

/** Figures that read the same are not written again; nor, for some minutes, those whose coverage merely drifts. */
function isWorthWriting(before: UptimeSummary | null, after: UptimeSummary): boolean {
  if (before === null) return true;
  const isDriftDue = after.computed_at_ms - before.computed_at_ms >= DRIFT_MS_MAX;
  return (['day', 'week', 'month'] as const).some((name) => {
    if (before[name].uptime !== after[name].uptime) return true;
    const driftMin = isDriftDue ? 0 : before[name].coverage / 100;
    return Math.abs(after[name].coverage - before[name].coverage) > driftMin;
  });
}
