import { bucketMs, type Resolution } from '../../retention/resolution.js';
import { readSamples, type SampleReader } from '../samples/read-sample.js';
import type { ReportsStore, StoredReport } from '../samples/store.js';
import { blockOfSamples, foldBlock, mergeBlocks, replaceSlots, type SeriesBlock } from './series-block.js';
import type { BlockRange, MetricsStore } from './store.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface HistoryRequest extends BlockRange {
  resolution: Resolution;
  /** Points of all series together; `Infinity` for no limit. */
  pointsMax: number;
}

/**
 * The history of one server as blocks in order of time, their slots as fine as asked for; the first and the last may
 * reach beyond the range. null when they hold more points than wanted.
 */
export type HistoryReader = (request: HistoryRequest) => Promise<SeriesBlock[] | null>;

interface HistoryDependencies {
  reports: Pick<ReportsStore, 'range'>;
  metrics: Pick<MetricsStore, 'reportHours' | 'reportsAt' | 'minuteHours' | 'hourDays'>;
  readSample: SampleReader;
}

/**
 * Reports that wait are read first and packed documents after them: a report that is packed meanwhile is in both, and
 * counts once; it is never in neither. Hours without waiting reports come from the roll-ups.
 */
export function createHistoryReader({ reports, metrics, readSample }: HistoryDependencies): HistoryReader {
  /** Reports as they are: each hour's packed ones and those that wait. */
  async function* rawBlocks(range: BlockRange, waiting: Map<number, SeriesBlock>) {
    for await (const packed of metrics.reportHours(range)) {
      const hourMs = startOf(packed, HOUR_MS);
      const more = waiting.get(hourMs);
      waiting.delete(hourMs);
      yield more === undefined ? packed : mergeBlocks(packed, more);
    }
    yield* waiting.values();
  }

  /** The packed reports of these hours by hour, where there are any. */
  async function packedReports(range: BlockRange, hoursMs: readonly number[]): Promise<Map<number, SeriesBlock>> {
    const packed = new Map<number, SeriesBlock>();
    if (hoursMs.length === 0) return packed;
    for await (const block of metrics.reportsAt(range, hoursMs)) packed.set(startOf(block, HOUR_MS), block);
    return packed;
  }

  /** Slots of the roll-up, but for hours with waiting reports: those are made of their reports anew. */
  async function* rolledBlocks(range: BlockRange, waiting: Map<number, SeriesBlock>, stepMs: number) {
    const isHours = stepMs === HOUR_MS;
    const documentMs = isHours ? DAY_MS : HOUR_MS;
    // On its way while the roll-ups are read: each of the two may be the newer one, and what is missing is looked for again.
    const reading = packedReports(range, [...waiting.keys()]);
    // Whoever stops early does not hear of its failure.
    reading.catch(() => undefined);
    for await (const rolled of isHours ? metrics.hourDays(range) : metrics.minuteHours(range)) {
      const startMs = startOf(rolled, documentMs);
      let block = rolled;
      for (const [hourMs, some] of waiting) {
        if (hourMs < startMs || hourMs >= startMs + documentMs) continue;
        const isRolled = rolled.times.some((time) => time >= hourMs && time < hourMs + HOUR_MS);
        // Rolled up and not packed: packed this very moment, or so long ago that the packed reports have expired.
        const before =
          (await reading).get(hourMs) ?? (isRolled ? (await packedReports(range, [hourMs])).get(hourMs) : undefined);
        waiting.delete(hourMs);
        // What they became says more than the few that wait.
        if (isRolled && before === undefined) continue;
        const hour = foldBlock(mergeBlocks(before ?? null, some), isHours ? HOUR_MS : MINUTE_MS);
        block = replaceSlots(block, hour, hourMs, hourMs + HOUR_MS);
      }
      yield isHours || stepMs === MINUTE_MS ? block : foldBlock(block, stepMs);
    }
    for (const [hourMs, some] of waiting)
      yield foldBlock(mergeBlocks((await reading).get(hourMs) ?? null, some), stepMs);
  }

  return async (request) => {
    const stepMs = bucketMs(request.resolution);
    // Whole buckets, so that the first and the last are averages of all that is in them.
    const range = {
      ...request,
      fromMs: request.fromMs - (request.fromMs % (stepMs ?? 1)),
      toMs: Math.ceil(request.toMs / (stepMs ?? 1)) * (stepMs ?? 1),
    };
    const waiting = blocksByHour(await reports.range(range, range.fromMs, range.toMs), readSample, range.wants);
    const found = stepMs === null ? rawBlocks(range, waiting) : rolledBlocks(range, waiting, stepMs);
    const blocks: SeriesBlock[] = [];
    let points = 0;
    for await (const block of found) {
      points += block.times.length * block.series.size;
      if (points > request.pointsMax) return null;
      blocks.push(block);
    }
    return blocks.sort((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0));
  };
}

/** Every block has a slot. */
function startOf(block: SeriesBlock, documentMs: number): number {
  const firstMs = block.times[0] ?? 0;
  return firstMs - (firstMs % documentMs);
}

function blocksByHour(
  reports: readonly StoredReport[],
  readSample: SampleReader,
  wants: (series: string) => boolean,
): Map<number, SeriesBlock> {
  const hours = new Map<number, StoredReport[]>();
  for (const report of reports) {
    const hourMs = report.atMs - (report.atMs % HOUR_MS);
    const hour = hours.get(hourMs);
    if (hour === undefined) hours.set(hourMs, [report]);
    else hour.push(report);
  }
  const blocks = new Map<number, SeriesBlock>();
  for (const [hourMs, ofHour] of hours) {
    const samples = readSamples(readSample, ofHour);
    if (samples.length > 0) blocks.set(hourMs, blockOfSamples(samples, wants));
  }
  return blocks;
}
