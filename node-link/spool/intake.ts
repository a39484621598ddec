import type { SpoolLedger } from './ledger.js';
import type { SpoolMemory } from './memory.js';
import type { SpoolRecord } from './segment.js';
import type { SpoolWriter } from './writer.js';

/** Stores new records on disk, or in memory while writing to disk fails. */
export interface SpoolIntake {
  add(record: SpoolRecord): void;
  /** Writes records from memory to disk, and drops the oldest of those that exceed the limit of the memory. */
  drainMemory(): void;
  /** Returns whether records were written to files since the last call. */
  takeUnsynced(): boolean;
  /** Writes records from memory to disk for the last time, and counts those that remain as dropped. */
  close(): void;
}

const MEMORY_BYTES_MAX = 4 * 1024 * 1024;

export function createSpoolIntake(needs: {
  /** null when the disk cannot be used. */
  writer: SpoolWriter | null;
  memory: SpoolMemory;
  ledger: SpoolLedger;
}): SpoolIntake {
  const { writer, memory, ledger } = needs;
  let unsynced = false;

  function write(record: SpoolRecord): boolean {
    if (writer?.write(record) !== true) return false;
    unsynced = true;
    return true;
  }

  function drainMemory(): void {
    if (memory.size() === 0) return;
    // An older segment on disk is dropped rather than a newer record in memory.
    if (memory.bytes() > MEMORY_BYTES_MAX) writer?.allowDropping();
    memory.drain(write);
    while (memory.bytes() > MEMORY_BYTES_MAX) {
      memory.dropOldest();
      ledger.dropped(1, 'writing to disk fails and the memory is full');
    }
  }

  return {
    add(record) {
      if (memory.size() === 0 && write(record)) return;
      memory.add(record);
      if (memory.bytes() > MEMORY_BYTES_MAX) drainMemory();
    },
    drainMemory,
    takeUnsynced() {
      const taken = unsynced;
      unsynced = false;
      return taken;
    },
    close() {
      writer?.allowDropping();
      drainMemory();
      ledger.dropped(memory.size(), 'writing to disk fails and the process ends');
    },
  };
}
