import { strict as assert } from 'node:assert';
import type { Clock } from '../../kernel/clock.js';
import { createDelayedRun } from '../../kernel/delayed-run.js';
import type { Logger } from '../../kernel/logger.js';
import { RECORD_BYTES_MAX } from '../../proto/limits.js';
import { createDiskFaults, type DiskFaults } from './faults.js';
import type { SegmentFiles } from './files.js';
import { createSpoolIntake } from './intake.js';
import { createSpoolLedger, type SpoolLedger } from './ledger.js';
import { createSpoolMemory, type SpoolMemory } from './memory.js';
import { createSpoolReader } from './reader.js';
import type { SpoolRecord } from './segment.js';
import type { ReadLimits } from './segment-read.js';
import { openStorage } from './storage.js';
import { createSpoolWriter } from './writer.js';

export type { SpoolRecord } from './segment.js';

/**
 * The queue on disk between a node and the control plane.
 *
 * `append` writes to the file at once, so a killed process loses nothing. The file is synced to disk at most every
 * 250 ms, so a power failure loses at most the records of that time. While writing to disk fails, records wait in
 * bounded memory. When there is no space, the oldest records are dropped and counted.
 */
export interface Spool {
  /** Returns the record's sequence number. Never throws because of a full or broken disk. */
  append(bytes: Uint8Array): number;
  /** Resolves when all records appended before are on disk, or in memory while writing to disk fails. */
  sync(): Promise<void>;
  /**
   * Returns unacknowledged records after `afterSeq` with consecutive numbers. May return fewer records than exist.
   * Returns an empty array if there are none, or while a file cannot be read.
   */
  read(afterSeq: number, limits: ReadLimits): SpoolRecord[];
  /** Removes the records up to this sequence number, which the control plane has stored or permanently rejected. */
  ack(upTo: number): void;
  ackedSeq(): number;
  /** Returns the newest assigned sequence number. */
  lastSeq(): number;
  stats(): SpoolStats;
  /** Returns when the oldest unacknowledged record was appended; null without one. */
  oldestAtMs(): number | null;
  close(): Promise<void>;
}

interface SpoolStats {
  /** Unacknowledged records. */
  records: number;
  bytes: number;
  droppedTotal: number;
  damagedTotal: number;
}

interface SpoolNeeds {
  directory: string;
  /** Upper bound of the size of all segments together. */
  bytesMax: number;
  /** The spool does not grow while less than this share of the file system is free. */
  freeRatioMin: number;
  clock: Clock;
  logger: Logger;
}

const SYNC_PERIOD_MS = 250;

export function openSpool(needs: SpoolNeeds): Spool {
  const { clock, logger } = needs;
  const storage = openStorage(needs);
  const { files } = storage;
  const faults = createDiskFaults(logger);
  const ledger = createSpoolLedger({ ...storage, faults, clock, logger });
  const { state } = ledger;
  const memory = createSpoolMemory();
  const writer = files && createSpoolWriter({ ...needs, files, ledger, faults });
  const readFiles = files && createSpoolReader({ files, ledger, faults });
  const intake = createSpoolIntake({ writer, memory, ledger });
  let nextSeq = Math.max(state.reservedSeq, state.ackedSeq + 1, (files?.list().at(-1)?.last ?? 0) + 1);
  let closed = false;
  const nextSync = createDelayedRun(clock, SYNC_PERIOD_MS, () => {
    sync().catch((error) => logger.error({ err: error }, 'failed to sync the spool to disk; the next append retries'));
  });

  async function sync(): Promise<void> {
    intake.drainMemory();
    ledger.save();
    // Acknowledged records need not be on disk.
    const needed = intake.takeUnsynced() && state.ackedSeq < nextSeq - 1;
    if (needed && files !== null) await syncFiles(files, faults);
    if (!closed && (memory.size() > 0 || ledger.dirty())) nextSync.request();
  }

  function read(afterSeq: number, limits: ReadLimits): SpoolRecord[] {
    const after = Math.max(afterSeq, state.ackedSeq);
    const records = readFiles === null ? [] : readFiles(after, limits);
    if (records === null || records.length > 0) return records ?? [];
    return memory.read(after, limits);
  }

  return {
    append(bytes) {
      assert(bytes.length > 0 && bytes.length <= RECORD_BYTES_MAX, 'record is empty or too large');
      assert(!closed, 'append to a closed spool');
      const record = { seq: nextSeq, atMs: clock.now(), bytes };
      nextSeq += 1;
      ledger.reserve(nextSeq);
      intake.add(record);
      nextSync.request();
      return record.seq;
    },
    sync,
    read,
    ack(upTo) {
      const acked = Math.min(upTo, nextSeq - 1);
      if (acked <= state.ackedSeq) return;
      ledger.acknowledge(acked);
      if (files !== null) removeAcknowledged(files, acked);
      memory.removeUpTo(acked);
      if (!closed) nextSync.request();
    },
    ackedSeq: () => state.ackedSeq,
    lastSeq: () => nextSeq - 1,
    stats: () => statsOf(files, memory, ledger),
    oldestAtMs: () => read(state.ackedSeq, { records: 1, bytes: 1 })[0]?.atMs ?? null,
    async close() {
      intake.close();
      closed = true;
      nextSync.cancel();
      if (files !== null) {
        faults.attempt(files.seal);
        await files.sync().catch(faults.failed);
      }
      ledger.close(nextSeq);
    },
  };
}

function statsOf(files: SegmentFiles | null, memory: SpoolMemory, ledger: SpoolLedger): SpoolStats {
  const segments = (files?.list() ?? []).map((segment) => {
    const records = ledger.unacknowledged(segment);
    const share = records === 0 ? 0 : records / (segment.last - segment.first + 1);
    return { records, bytes: Math.round(segment.bytes * share) };
  });
  return {
    records: segments.reduce((sum, segment) => sum + segment.records, memory.size()),
    bytes: segments.reduce((sum, segment) => sum + segment.bytes, memory.bytes()),
    droppedTotal: ledger.state.droppedTotal,
    damagedTotal: ledger.state.damagedTotal,
  };
}

/** Syncs the files. After a failure, which bytes are on disk is unknown, so a new segment is started. */
async function syncFiles(files: SegmentFiles, faults: DiskFaults): Promise<void> {
  await files.sync().catch((error) => {
    faults.failed(error);
    faults.attempt(files.seal);
  });
}

function removeAcknowledged(files: SegmentFiles, acked: number): void {
  for (;;) {
    const oldest = files.list()[0];
    if (oldest === undefined || oldest.last > acked || files.isOpen(oldest)) return;
    files.remove(oldest);
  }
}
