import type { Db, Document } from 'mongodb';
import type { PackedDocument } from '../rollup/documents.js';
import type { PackedSlot } from '../rollup/packed-slots.js';
import { packedId } from '../rollup/slot-store.js';
import { floorTo, HOUR_MS, MINUTE_MS } from '../rollup/slots.js';
import { addToStep, DAY_MS, type StepSum, type StepWindow, type Sums } from './steps.js';

/** Reads the rolled-up history of many monitors at once. */
export interface StepsReads {
  /** Returns the sums by monitor. Monitors without history in the window are left out. */
  sums(workspaceId: string, ids: readonly string[], window: StepWindow, nowMs: number): Promise<Map<string, Sums>>;
}

/** A day that is over, summed up by the database: a month of hours is many times larger than what a list shows. */
type DaySum = Pick<PackedDocument, 'monitor_id' | 'start_ms'> & StepSum;

export function createStepsReads(db: Db): StepsReads {
  const minutes = db.collection<PackedDocument>('result_minutes');
  const hours = db.collection<PackedDocument>('result_hours');

  return {
    async sums(workspaceId, ids, window, nowMs) {
      const hourMs = floorTo(nowMs, HOUR_MS);
      const wholeDaysUntilMs = window.stepMs === DAY_MS ? floorTo(nowMs, DAY_MS) : window.fromMs;
      const inDays = (fromMs: number, toMs: number) => ({
        _id: { $in: packedIds(ids, floorTo(fromMs, DAY_MS), toMs, DAY_MS) },
        workspace_id: workspaceId,
      });
      const [wholeDays, days, recent] = await Promise.all([
        wholeDaysUntilMs === window.fromMs
          ? []
          : hours.aggregate<DaySum>(daySums(inDays(window.fromMs, wholeDaysUntilMs))).toArray(),
        hours.find(inDays(wholeDaysUntilMs, nowMs + 1)).toArray(),
        // The hour slot of the previous hour is written some minutes after its end.
        minutes
          .find({ _id: { $in: packedIds(ids, hourMs - HOUR_MS, nowMs + 1, HOUR_MS) }, workspace_id: workspaceId })
          .project<Pick<PackedDocument, 'monitor_id' | 'start_ms' | 'slots'>>({ monitor_id: 1, start_ms: 1, slots: 1 })
          .toArray(),
      ]);
      const byMonitor = new Map<string, Sums>();
      const add = (monitorId: string, atMs: number, sum: StepSum) => {
        const sums = byMonitor.get(monitorId) ?? new Map();
        byMonitor.set(monitorId, sums);
        addToStep(sums, window, atMs, sum);
      };
      for (const { monitor_id, start_ms, ...sum } of wholeDays) add(monitor_id, start_ms, sum);
      const written = new Set<string>();
      for (const [{ monitor_id }, atMs, slot] of slotsIn(days, HOUR_MS)) {
        written.add(packedId(monitor_id, atMs));
        add(monitor_id, atMs, sumOf(slot));
      }
      const unwritten = recent.filter(({ monitor_id, start_ms }) => !written.has(packedId(monitor_id, start_ms)));
      for (const [{ monitor_id }, atMs, slot] of slotsIn(unwritten, MINUTE_MS)) add(monitor_id, atMs, sumOf(slot));
      return byMonitor;
    },
  };
}

function packedIds(ids: readonly string[], fromMs: number, toMs: number, documentMs: number): string[] {
  const all: string[] = [];
  for (const id of ids) {
    for (let startMs = fromMs; startMs < toMs; startMs += documentMs) all.push(packedId(id, startMs));
  }
  return all;
}

function* slotsIn<Packed extends Pick<PackedDocument, 'monitor_id' | 'start_ms' | 'slots'>>(
  documents: readonly Packed[],
  slotMs: number,
): Generator<[Packed, number, PackedSlot]> {
  for (const document of documents) {
    for (const [index, slot] of Object.entries(document.slots ?? {})) {
      yield [document, document.start_ms + Number(index) * slotMs, slot];
    }
  }
}

function sumOf({ o, u, l }: PackedSlot): StepSum {
  const sum = { observed_ms: o, up_ms: u, good: 0, sum_us: 0 };
  for (const [count = 0, failed = 0, sum_us = 0] of Object.values(l)) {
    sum.good += count - failed;
    sum.sum_us += sum_us;
  }
  return sum;
}

/** Returns the pipeline that sums up each document, as `sumOf` does it for one slot. */
function daySums(match: Document): Document[] {
  const values = (object: string) => ({ $map: { input: { $objectToArray: object }, as: 'entry', in: '$$entry.v' } });
  const number = (index: number) => ({ $arrayElemAt: ['$$one', index] });
  const total = (of: Document) => ({ $sum: { $map: { input: '$stats', as: 'one', in: of } } });
  return [
    { $match: match },
    { $project: { monitor_id: 1, start_ms: 1, slots: values('$slots') } },
    {
      $project: {
        monitor_id: 1,
        start_ms: 1,
        slots: 1,
        stats: {
          $reduce: { input: '$slots', initialValue: [], in: { $concatArrays: ['$$value', values('$$this.l')] } },
        },
      },
    },
    {
      $project: {
        _id: 0,
        monitor_id: 1,
        start_ms: 1,
        observed_ms: { $sum: '$slots.o' },
        up_ms: { $sum: '$slots.u' },
        good: total({ $subtract: [number(0), number(1)] }),
        sum_us: total(number(2)),
      },
    },
  ];
}
