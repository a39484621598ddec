import { seriesName, splitSeries } from '../../../proto/metrics.js';
import {
  atEnd,
  type ByteCursor,
  type ByteWriter,
  byteWriter,
  readSigned,
  readText,
  readUnsigned,
} from './packed-bytes.js';
import type { Series, SeriesBlock } from './series-block.js';

/**
 * The stored form of a block: the slots, and a column for each metric, so that one metric can be read without the others.
 * A column contains the series of the metric one after another: device, number of values in each slot, sums.
 */
export interface PackedBlock {
  slots: Uint8Array;
  columns: Record<string, Uint8Array>;
}

const VERSION = 1;
/** How the value counts of a series are stored: equal to the sample counts of the block, or as separate counts. */
const IN_EVERY_SAMPLE = 0;
const COUNTED = 1;

export function packBlock(block: SeriesBlock): PackedBlock {
  const slots = byteWriter();
  slots.unsigned(VERSION);
  writeTimes(slots, block.times);
  writeRuns(slots, block.counts);
  const columns = new Map<string, ByteWriter>();
  for (const [name, series] of [...block.series].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { metric, device } = splitSeries(name);
    const column = columns.get(metric) ?? byteWriter();
    columns.set(metric, column);
    column.text(device);
    writeSeries(column, series, block.counts);
  }
  const packed: PackedBlock = { slots: slots.bytes(), columns: {} };
  for (const [metric, column] of columns) packed.columns[metric] = column.bytes();
  return packed;
}

/** Returns the wanted series of the given columns. Throws for bytes that are not from `packBlock`. */
export function unpackBlock(packed: PackedBlock, wants: (series: string) => boolean): SeriesBlock {
  const slots = { bytes: packed.slots, at: 0 };
  const version = readUnsigned(slots);
  if (version !== VERSION) throw new RangeError(`packed series have the unknown version ${version}`);
  const times = readTimes(slots);
  const counts = readRuns(slots, times.length);
  const series = new Map<string, Series>();
  for (const [metric, bytes] of Object.entries(packed.columns)) {
    const column = { bytes, at: 0 };
    while (!atEnd(column)) {
      const name = seriesName(metric, readText(column));
      const one = readSeries(column, counts);
      if (wants(name)) series.set(name, one);
    }
  }
  return { times, counts, series };
}

/** Writes the median interval between two slots once, then the difference of each interval: mostly one byte per slot. */
function writeTimes(writer: ByteWriter, times: readonly number[]): void {
  const intervals = times.slice(1).map((time, at) => time - (times[at] as number));
  const usual = [...intervals].sort((a, b) => a - b)[intervals.length >> 1] ?? 0;
  writer.unsigned(times.length);
  writer.unsigned(usual);
  writer.unsigned(times[0] ?? 0);
  for (const interval of intervals) writer.signed(interval - usual);
}

function readTimes(cursor: ByteCursor): number[] {
  const length = readUnsigned(cursor);
  const usual = readUnsigned(cursor);
  const times = [readUnsigned(cursor)];
  while (times.length < length) times.push((times.at(-1) as number) + usual + readSigned(cursor));
  return times.slice(0, length);
}

function writeRuns(writer: ByteWriter, counts: readonly number[]): void {
  for (let at = 0; at < counts.length; ) {
    const count = counts[at] as number;
    let end = at;
    while (counts[end] === count) end++;
    writer.unsigned(count);
    writer.unsigned(end - at);
    at = end;
  }
}

function readRuns(cursor: ByteCursor, length: number): number[] {
  const counts: number[] = [];
  while (counts.length < length) {
    const count = readUnsigned(cursor);
    const run = readUnsigned(cursor);
    if (run === 0 || run > length - counts.length) throw new RangeError('packed counts do not fit their slots');
    for (let at = 0; at < run; at++) counts.push(count);
  }
  return counts;
}

function writeSeries(writer: ByteWriter, { counts, sums }: Series, sampleCounts: readonly number[]): void {
  if (counts.every((count, at) => count === sampleCounts[at])) {
    writer.unsigned(IN_EVERY_SAMPLE);
  } else {
    writer.unsigned(COUNTED);
    writeRuns(writer, counts);
  }
  let before = 0;
  for (const [at, sum] of sums.entries()) {
    if (counts[at] === 0) continue;
    writer.signed(sum - before);
    before = sum;
  }
}

function readSeries(cursor: ByteCursor, sampleCounts: readonly number[]): Series {
  const counts = readUnsigned(cursor) === IN_EVERY_SAMPLE ? sampleCounts : readRuns(cursor, sampleCounts.length);
  const sums = new Float64Array(counts.length);
  let before = 0;
  for (let at = 0; at < sums.length; at++) {
    if (counts[at] === 0) continue;
    before += readSigned(cursor);
    sums[at] = before;
  }
  return { counts, sums };
}
