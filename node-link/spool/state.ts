import { closeSync, constants, fdatasyncSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { writeAll } from './segment.js';

/** The counts of a spool, which are saved besides its records. */
export interface SpoolState {
  /** All records up to this sequence number are acknowledged. */
  ackedSeq: number;
  /** Records dropped since the spool was created, because the spool or the disk was full or they were damaged. */
  droppedTotal: number;
  /** How many of these were damaged. */
  damagedTotal: number;
  /** Segments up to this number are counted as dropped. Those that still exist must be removed. */
  droppedSeq: number;
  /** The damaged part of the segment that ended at this number is counted, even if its header is not updated. */
  damagedSeq: number;
  /** Lower sequence numbers may have been assigned, even if no segment contains them. */
  reservedSeq: number;
}

export const EMPTY_STATE: SpoolState = {
  ackedSeq: 0,
  droppedTotal: 0,
  damagedTotal: 0,
  droppedSeq: 0,
  damagedSeq: 0,
  reservedSeq: 1,
};

/**
 * The state is written to two slots in turn and in place. An interrupted write damages one of them, and the older one
 * is used. Writing in place also succeeds on a full disk, so that dropped records can be counted.
 */
const SLOT_BYTES = 128;
const SLOT_OFFSETS = [0, 2048] as const;
const FILE_BYTES = 4096;
const NUMBERS: readonly (keyof SpoolState)[] = [
  'ackedSeq',
  'droppedTotal',
  'damagedTotal',
  'droppedSeq',
  'damagedSeq',
  'reservedSeq',
];
const CRC_OFFSET = (NUMBERS.length + 1) * 8;

function encodeSlot(generation: number, state: SpoolState): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES);
  slot.writeDoubleLE(generation, 0);
  NUMBERS.forEach((name, index) => {
    slot.writeDoubleLE(state[name], (index + 1) * 8);
  });
  slot.writeUInt32LE(crc32(slot.subarray(0, CRC_OFFSET)), CRC_OFFSET);
  return slot;
}

function decodeSlot(slot: Buffer): { generation: number; state: SpoolState } | null {
  if (slot.readUInt32LE(CRC_OFFSET) !== crc32(slot.subarray(0, CRC_OFFSET))) return null;
  const generation = slot.readDoubleLE(0);
  if (generation === 0) return null;
  const state = { ...EMPTY_STATE };
  NUMBERS.forEach((name, index) => {
    state[name] = slot.readDoubleLE((index + 1) * 8);
  });
  return { generation, state };
}

/** The state file of a spool. `save` throws what the file system throws. */
export interface SpoolStateFile {
  /** Returns the newest undamaged slot; null for a new or damaged file. */
  load(): SpoolState | null;
  /** `durable` waits for the disk, for counts that cannot be recovered after a crash. */
  save(state: SpoolState, durable: boolean): void;
  close(): void;
}

export function createSpoolStateFile(path: string): SpoolStateFile {
  let fd: number | null = null;
  let generation = 0;

  function open(): number {
    if (fd !== null) return fd;
    const opened = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    fd = opened;
    return opened;
  }

  function load(): SpoolState | null {
    const file = Buffer.alloc(FILE_BYTES);
    readSync(open(), file, 0, FILE_BYTES, 0);
    const slots = SLOT_OFFSETS.map((offset) => decodeSlot(file.subarray(offset, offset + SLOT_BYTES)));
    const newest = slots.reduce(
      (best, slot) => ((slot?.generation ?? 0) > (best?.generation ?? 0) ? slot : best),
      null,
    );
    generation = newest?.generation ?? 0;
    return newest?.state ?? null;
  }

  function save(state: SpoolState, durable: boolean): void {
    const target = open();
    // Allocates the blocks of the file while the disk still has space.
    if (generation === 0) writeAll(target, Buffer.alloc(FILE_BYTES), 0);
    const next = generation + 1;
    writeAll(target, encodeSlot(next, state), SLOT_OFFSETS[next % 2 === 0 ? 0 : 1]);
    generation = next;
    if (durable) fdatasyncSync(target);
  }

  return {
    load,
    save,
    close() {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}
