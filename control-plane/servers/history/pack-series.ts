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
 * A block as it is stored: what its series share, and a column for each metric, so that one metric is read without the
 * others. A column is the metric's series one after the other: device, samples in each slot, sums.
 */
export interface PackedBlock {
  slots: Uint8Array;
  columns: Record<string, Uint8Array>;
}

const VERSION = 1;
/** How the samples of a series are told: as many as the block has reports, or counted on their own. */
const IN_EVERY_REPORT = 0;
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

/** The series that `wants` names, of the columns that are there. Throws on bytes that `packBlock` did not make. */
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

/** The usual pause between two slots once, then how much each pause differs from it: mostly one byte a slot. */
function writeTimes(writer: ByteWriter, times: readonly number[]): void {
  const pauses = times.slice(1).map((time, at) => time - (times[at] as number));
  const usual = [...pauses].sort((a, b) => a - b)[pauses.length >> 1] ?? 0;
  writer.unsigned(times.length);
  writer.unsigned(usual);
  writer.unsigned(times[0] ?? 0);
  for (const pause of pauses) writer.signed(pause - usual);
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

function writeSeries(writer: ByteWriter, { counts, sums }: Series, reports: readonly number[]): void {
  if (counts.every((count, at) => count === reports[at])) {
    writer.unsigned(IN_EVERY_REPORT);
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

function readSeries(cursor: ByteCursor, reports: readonly number[]): Series {
  const counts = readUnsigned(cursor) === IN_EVERY_REPORT ? reports : readRuns(cursor, reports.length);
  const sums = new Float64Array(counts.length);
  let before = 0;
  for (let at = 0; at < sums.length; at++) {
    if (counts[at] === 0) continue;
    before += readSigned(cursor);
    sums[at] = before;
  }
  return { counts, sums };
}
