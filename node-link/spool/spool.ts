import { strict as assert } from 'node:assert';
import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createDiskFaults } from './faults.js';
import type { ReadLimits, SegmentFiles } from './files.js';
import { createSpoolLedger } from './ledger.js';
import { createSpoolMemory } from './memory.js';
import { createSpoolReader } from './reader.js';
import { RECORD_BYTES_MAX, type SpoolRecord } from './segment.js';
import { openStorage } from './storage.js';
import { createSpoolWriter } from './writer.js';

export type { ReadLimits } from './files.js';
export type { SpoolRecord } from './segment.js';

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
/** What waits in memory while the disk takes nothing. */
const MEMORY_BYTES_MAX = 4 * 1024 * 1024;

export function openSpool(options: SpoolOptions): Spool {
  const { clock, logger } = options;
  const storage = openStorage(options);
  const { files } = storage;
  const faults = createDiskFaults(logger);
  const ledger = createSpoolLedger({ ...storage, faults, clock, logger });
  const { state } = ledger;
  const memory = createSpoolMemory();
  const writer = files && createSpoolWriter({ ...options, files, ledger, faults });
  const readFiles = files && createSpoolReader({ files, ledger, faults });
  let nextSeq = Math.max(state.reservedSeq, state.ackedSeq + 1, (files?.list().at(-1)?.last ?? 0) + 1);
  let unsynced = false;
  let closed = false;
  let timer: Timer | null = null;

  function write(record: SpoolRecord): boolean {
    if (writer?.write(record) !== true) return false;
    unsynced = true;
    return true;
  }

  function drainMemory(): void {
    if (memory.size() === 0) return;
    // Rather lose an older segment than what is newer and has no place at all.
    if (memory.bytes() > MEMORY_BYTES_MAX) writer?.tryDropping();
    memory.drain(write);
    while (memory.bytes() > MEMORY_BYTES_MAX) {
      memory.drop();
      ledger.dropped(1, 'the disk takes nothing and the memory for it is full');
    }
  }

  function append(bytes: Uint8Array): number {
    assert(bytes.length > 0 && bytes.length <= RECORD_BYTES_MAX, 'a record has a payload within bounds');
    assert(!closed, 'nothing is appended to a closed spool');
    const record = { seq: nextSeq, atMs: clock.now(), bytes };
    nextSeq += 1;
    ledger.reserve(nextSeq);
    if (memory.size() > 0 || !write(record)) {
      memory.add(record);
      if (memory.bytes() > MEMORY_BYTES_MAX) drainMemory();
    }
    arm();
    return record.seq;
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
    ledger.save();
    // What is acknowledged needs no disk any more.
    const needed = unsynced && state.ackedSeq < nextSeq - 1;
    unsynced = false;
    if (needed && files !== null) {
      // After a failed fsync nobody knows what of the file is on the disk: go on in a new one.
      await files.sync().catch((error) => {
        faults.note(error);
        faults.attempt(files.seal);
      });
    }
    if (memory.size() > 0 || ledger.dirty()) arm();
  }

  function read(afterSeq: number, limits: ReadLimits): SpoolRecord[] {
    const after = Math.max(afterSeq, state.ackedSeq);
    const records = readFiles === null ? [] : readFiles(after, limits);
    if (records === null || records.length > 0) return records ?? [];
    return memory.read(after, limits);
  }

  function ack(upTo: number): void {
    const acked = Math.min(upTo, nextSeq - 1);
    if (acked <= state.ackedSeq) return;
    ledger.acknowledge(acked);
    if (files !== null) removeAcknowledged(files, acked);
    memory.forget(acked);
    arm();
  }

  function stats(): SpoolStats {
    const segments = (files?.list() ?? []).map((segment) => {
      const records = ledger.unacknowledged(segment);
      const share = records === 0 ? 0 : records / (segment.last - segment.first + 1);
      return { records, bytes: Math.round(segment.bytes * share) };
    });
    return {
      records: segments.reduce((sum, segment) => sum + segment.records, memory.size()),
      bytes: segments.reduce((sum, segment) => sum + segment.bytes, memory.bytes()),
      droppedTotal: state.droppedTotal,
      damagedTotal: state.damagedTotal,
    };
  }

  async function close(): Promise<void> {
    writer?.tryDropping();
    drainMemory();
    ledger.dropped(memory.size(), 'the disk takes nothing and the process ends');
    closed = true;
    timer?.cancel();
    if (files !== null) {
      faults.attempt(files.seal);
      await files.sync().catch(faults.note);
    }
    ledger.close(nextSeq);
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

function removeAcknowledged(files: SegmentFiles, acked: number): void {
  for (;;) {
    const oldest = files.list()[0];
    if (oldest === undefined || oldest.last > acked || files.isOpen(oldest)) return;
    files.remove(oldest);
  }
}
