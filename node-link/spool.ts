import { strict as assert } from 'node:assert';
import { statfsSync } from 'node:fs';
import type { Clock, Timer } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { ReadLimits, Segment, SegmentFiles } from './spool-files.js';
import { RECORD_BYTES_MAX, RECORD_HEADER_BYTES, SEGMENT_HEADER_BYTES, type SpoolRecord } from './spool-segment.js';
import type { SpoolState } from './spool-state.js';
import { isFull, isTransient, openStorage } from './spool-storage.js';

export type { ReadLimits } from './spool-files.js';
export type { SpoolRecord } from './spool-segment.js';

/**
 * The on-disk queue between what a node finds out and what the control plane has stored.
 *
 * `append` writes to the file at once, so a killed process loses nothing; the disk is told to keep it (fsync) at
 * most each 250 ms, so a power cut loses at most that. What the disk does not take waits in a bounded piece of
 * memory and is tried again. Whatever has to go goes oldest first and is counted.
 */
export interface Spool {
  /** Returns the record's sequence number. Never throws for a full or broken disk. */
  append(bytes: Uint8Array): number;
  /** Resolves when all that was appended before is on the disk, or in memory where the disk does not take it. */
  sync(): Promise<void>;
  /** Unacknowledged records after `afterSeq`, numbered without a gap; fewer than there are, but some if there are any. */
  read(afterSeq: number, limits: ReadLimits): SpoolRecord[];
  /** Everything up to here is stored by the control plane, or refused for good. */
  ack(upTo: number): void;
  ackedSeq(): number;
  /** The newest number given out. */
  lastSeq(): number;
  stats(): SpoolStats;
  /** When the oldest unacknowledged record was appended; null where there is none. */
  oldestAtMs(): number | null;
  close(): Promise<void>;
}

export interface SpoolStats {
  /** Not acknowledged. */
  records: number;
  bytes: number;
  droppedTotal: number;
  damagedTotal: number;
}

export interface SpoolOptions {
  directory: string;
  /** Upper bound of all segments together. */
  bytesMax: number;
  /** While less of the file system is free than this, the spool does not grow. */
  freeRatioMin: number;
  clock: Clock;
  logger: Logger;
}

const SYNC_PERIOD_MS = 250;
/** Numbers are reserved in the state file by so many, so that none is given out twice even if records are lost. */
const SEQ_RESERVE = 10_000;
/** What waits in memory while the disk takes nothing. */
const MEMORY_BYTES_MAX = 4 * 1024 * 1024;
/** On a disk that is short of space so many segments are kept all the same. */
const LOW_DISK_SEGMENTS_MIN = 2;
const DROP_LOG_PERIOD_MS = 60_000;

export function openSpool(options: SpoolOptions): Spool {
  const { clock, logger } = options;
  const storage = openStorage(options);
  const files: SegmentFiles | null = storage.files;
  const state: SpoolState = storage.state;
  /** Records the disk has not taken; all of them are newer than those in the files. */
  let memory: SpoolRecord[] = [];
  let memoryBytes = 0;
  let nextSeq = Math.max(state.reservedSeq, state.ackedSeq + 1, (files?.list().at(-1)?.last ?? 0) + 1);
  let stateDirty = false;
  let countsDirty = false;
  let unsynced = false;
  let faulty = false;
  /** Whether giving up a segment made room the last time it was tried. */
  let dropHelps = true;
  let closed = false;
  let timer: Timer | null = null;
  let dropLoggedAt = Number.NEGATIVE_INFINITY;

  function saveState(): void {
    if (!stateDirty && !countsDirty) return;
    try {
      storage.stateFile?.save(state, countsDirty);
      stateDirty = false;
      countsDirty = false;
    } catch (error) {
      noteFault(error);
    }
  }

  function noteFault(error: unknown): void {
    if (!faulty) logger.warn({ err: error }, 'spool: the disk takes nothing, results wait in memory');
    faulty = true;
  }

  function countDropped(count: number, why: string): void {
    if (count === 0) return;
    state.droppedTotal += count;
    countsDirty = true;
    if (clock.monotonic() - dropLoggedAt < DROP_LOG_PERIOD_MS) return;
    dropLoggedAt = clock.monotonic();
    logger.warn({ dropped_total: state.droppedTotal }, `spool: dropping the oldest results, ${why}`);
  }

  function unacknowledged(segment: Segment): number {
    return Math.max(0, segment.last - Math.max(segment.first - 1, state.ackedSeq));
  }

  /** Gives up the oldest segment. The count is on the disk before the segment goes, so that it is counted once. */
  function dropOldest(why: string): boolean {
    const oldest = files?.list()[0];
    if (files === null || oldest === undefined || oldest.last < oldest.first) return false;
    if (files.isOpen(oldest)) sealQuietly();
    countDropped(unacknowledged(oldest), why);
    state.droppedSeq = oldest.last;
    countsDirty = true;
    saveState();
    files.remove(oldest);
    return true;
  }

  function sealQuietly(): void {
    try {
      files?.seal();
    } catch (error) {
      noteFault(error);
    }
  }

  /** Whether the disk took it. A full disk costs the oldest segment, unless that did not help: then others fill it. */
  function write(record: SpoolRecord): boolean {
    if (files === null) return false;
    try {
      makeRoom(files, record);
      appendMakingRoom(files, record);
    } catch (error) {
      noteFault(error);
      return false;
    }
    if (faulty) logger.info('spool: the disk takes results again');
    faulty = false;
    dropHelps = true;
    unsynced = true;
    return true;
  }

  function appendMakingRoom(target: SegmentFiles, record: SpoolRecord): void {
    try {
      target.append(record);
    } catch (error) {
      if (!isFull(error) || !dropHelps || !dropOldest('the disk is full')) throw error;
      dropHelps = false;
      target.append(record);
    }
  }

  function makeRoom(target: SegmentFiles, record: SpoolRecord): void {
    if (target.startsSegment(record)) {
      target.seal();
      if (target.list().length >= LOW_DISK_SEGMENTS_MIN && diskIsLow()) dropOldest('the disk is short of space');
    }
    const size = SEGMENT_HEADER_BYTES + RECORD_HEADER_BYTES + record.bytes.length;
    while (target.bytes() + size > options.bytesMax && dropOldest('the spool is full')) {
      // Each turn makes it smaller; it ends at the latest when nothing is left.
    }
  }

  function diskIsLow(): boolean {
    const disk = statfsSync(options.directory);
    return disk.bavail < disk.blocks * options.freeRatioMin;
  }

  function drainMemory(): void {
    if (memory.length === 0) return;
    // Rather lose an older segment than what is newer and has no place at all.
    if (memoryBytes > MEMORY_BYTES_MAX) dropHelps = true;
    const left = memory.findIndex((record) => !write(record));
    memory = left === -1 ? [] : memory.slice(left);
    memoryBytes = memory.reduce((sum, record) => sum + record.bytes.length, 0);
    while (memoryBytes > MEMORY_BYTES_MAX) {
      memoryBytes -= memory.shift()?.bytes.length ?? memoryBytes;
      countDropped(1, 'the disk takes nothing and the memory for it is full');
    }
  }

  function append(bytes: Uint8Array): number {
    assert(bytes.length > 0 && bytes.length <= RECORD_BYTES_MAX, 'a record has a payload within bounds');
    assert(!closed, 'nothing is appended to a closed spool');
    const record = { seq: nextSeq, atMs: clock.now(), bytes };
    nextSeq += 1;
    reserve();
    if (memory.length > 0 || !write(record)) {
      memory.push(record);
      memoryBytes += bytes.length;
      if (memoryBytes > MEMORY_BYTES_MAX) drainMemory();
    }
    arm();
    return record.seq;
  }

  function reserve(): void {
    if (nextSeq <= state.reservedSeq) return;
    state.reservedSeq = nextSeq + SEQ_RESERVE;
    countsDirty = true;
    saveState();
  }

  function arm(): void {
    if (timer !== null || closed) return;
    timer = clock.after(SYNC_PERIOD_MS, () => {
      timer = null;
      sync().catch((error) => logger.error({ err: error }, 'spool: sync failed'));
    });
  }

  async function sync(): Promise<void> {
    drainMemory();
    saveState();
    // What is acknowledged needs no disk any more.
    const needed = unsynced && state.ackedSeq < nextSeq - 1;
    unsynced = false;
    if (needed && files !== null) {
      // After a failed fsync nobody knows what of the file is on the disk: go on in a new one.
      await files.sync().catch((error) => {
        noteFault(error);
        sealQuietly();
      });
    }
    if (memory.length > 0 || stateDirty || countsDirty) arm();
  }

  function read(afterSeq: number, limits: ReadLimits): SpoolRecord[] {
    const after = Math.max(afterSeq, state.ackedSeq);
    for (const segment of files === null ? [] : [...files.list()]) {
      if (segment.last <= after || segment.last < segment.first) continue;
      const records = readSegment(segment, after, limits);
      if (records === null) return [];
      if (records.length > 0) return records;
    }
    return readMemory(after, limits);
  }

  /** null when the file cannot be read for now. */
  function readSegment(segment: Segment, after: number, limits: ReadLimits): SpoolRecord[] | null {
    if (files === null) return null;
    try {
      const { records, cutAt } = files.read(segment, Math.max(after, segment.first - 1), limits);
      if (cutAt !== null) giveUpRest(files, segment, cutAt.last, cutAt.offset);
      return records;
    } catch (error) {
      if (isTransient(error)) return null;
      giveUpRest(files, segment, segment.first - 1, 0);
      return [];
    }
  }

  /** Counts what a damaged segment still should have held, and ends it at its last good record. */
  function giveUpRest(target: SegmentFiles, segment: Segment, lastGood: number, offset: number): void {
    if (target.isOpen(segment)) sealQuietly();
    const held = Math.max(segment.first - 1, state.ackedSeq, lastGood);
    const lost = state.damagedSeq === segment.last ? 0 : segment.last - held;
    logger.error({ file: segment.path, lost }, 'spool: a segment is damaged, its readable records are kept');
    state.damagedSeq = segment.last;
    state.damagedTotal += lost;
    countDropped(lost, 'a segment is damaged');
    countsDirty = true;
    saveState();
    if (lastGood <= Math.max(segment.first - 1, state.ackedSeq)) target.remove(segment);
    else cutQuietly(target, segment, lastGood, offset);
  }

  function cutQuietly(target: SegmentFiles, segment: Segment, last: number, offset: number): void {
    try {
      target.cut(segment, last, offset);
    } catch (error) {
      noteFault(error);
    }
  }

  function readMemory(after: number, limits: ReadLimits): SpoolRecord[] {
    const records: SpoolRecord[] = [];
    let bytes = 0;
    for (const record of memory) {
      if (record.seq <= after) continue;
      const previous = records.at(-1);
      const full = records.length >= limits.records || bytes + record.bytes.length > limits.bytes;
      if (previous !== undefined && (full || record.seq !== previous.seq + 1)) break;
      records.push(record);
      bytes += record.bytes.length;
    }
    return records;
  }

  function ack(upTo: number): void {
    const acked = Math.min(upTo, nextSeq - 1);
    if (acked <= state.ackedSeq) return;
    state.ackedSeq = acked;
    stateDirty = true;
    while (files !== null) {
      const oldest = files.list()[0];
      if (oldest === undefined || oldest.last > acked || files.isOpen(oldest)) break;
      files.remove(oldest);
    }
    if (memory.length > 0) {
      memory = memory.filter((record) => record.seq > acked);
      memoryBytes = memory.reduce((sum, record) => sum + record.bytes.length, 0);
    }
    arm();
  }

  function stats(): SpoolStats {
    const segments = (files?.list() ?? []).map((segment) => {
      const records = unacknowledged(segment);
      const share = records === 0 ? 0 : records / (segment.last - segment.first + 1);
      return { records, bytes: Math.round(segment.bytes * share) };
    });
    return {
      records: segments.reduce((sum, segment) => sum + segment.records, memory.length),
      bytes: segments.reduce((sum, segment) => sum + segment.bytes, memoryBytes),
      droppedTotal: state.droppedTotal,
      damagedTotal: state.damagedTotal,
    };
  }

  async function close(): Promise<void> {
    dropHelps = true;
    drainMemory();
    countDropped(memory.length, 'the disk takes nothing and the process ends');
    closed = true;
    timer?.cancel();
    sealQuietly();
    await files?.sync().catch(noteFault);
    // All numbers given out are known now, so the next start goes on without a gap.
    state.reservedSeq = nextSeq;
    countsDirty = true;
    saveState();
    storage.stateFile?.close();
  }

  return {
    append,
    sync,
    read,
    ack,
    ackedSeq: () => state.ackedSeq,
    lastSeq: () => nextSeq - 1,
    stats,
    oldestAtMs: () => read(state.ackedSeq, { records: 1, bytes: 1 })[0]?.atMs ?? null,
    close,
  };
}
