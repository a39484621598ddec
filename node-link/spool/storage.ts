import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../kernel/logger.js';
import { openSegmentFiles, type SegmentFiles } from './files.js';
import { createSpoolStateFile, EMPTY_STATE, type SpoolState, type SpoolStateFile } from './state.js';

/** The files and the state in the directory of a spool. */
interface SpoolStorage {
  files: SegmentFiles | null;
  state: SpoolState;
  stateFile: SpoolStateFile | null;
}

const SEGMENT_BYTES_MAX = 8 * 1024 * 1024;
const SEGMENT_BYTES_MIN = 1024;
/** Segments are dropped as a whole, so the spool has space for at least this many. */
const SEGMENTS_MIN = 16;

/** Opens the files of a spool. Returns no files when the directory cannot be used: records then stay in memory. */
export function openStorage(needs: { directory: string; bytesMax: number; logger: Logger }): SpoolStorage {
  const { directory, logger } = needs;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const disk = statfsSync(directory);
    const space = Math.min(needs.bytesMax, disk.blocks * disk.bsize);
    const segmentBytes = Math.max(SEGMENT_BYTES_MIN, Math.min(SEGMENT_BYTES_MAX, Math.floor(space / SEGMENTS_MIN)));
    const stateFile = createSpoolStateFile(join(directory, 'spool.state'));
    const files = openSegmentFiles(directory, segmentBytes);
    const state = loadState(stateFile, logger);
    finishDeletions(files, state);
    return { files, state, stateFile };
  } catch (error) {
    logger.error({ err: error }, 'spool: opening the directory failed, keeping records in memory only');
    return { files: null, state: { ...EMPTY_STATE }, stateFile: null };
  }
}

function loadState(stateFile: SpoolStateFile, logger: Logger): SpoolState {
  try {
    return stateFile.load() ?? { ...EMPTY_STATE };
  } catch (error) {
    logger.error({ err: error }, 'spool: reading the state file failed, sending all records on disk again');
    return { ...EMPTY_STATE };
  }
}

/** Removes the segments that the last process had already counted as dropped, damaged or acknowledged. */
function finishDeletions(files: SegmentFiles, state: SpoolState): void {
  const counted = Math.max(state.ackedSeq, state.droppedSeq);
  for (const segment of [...files.list()]) {
    if (segment.last <= counted) files.remove(segment);
    else if (segment.last === state.damagedSeq) files.cutAtDamage(segment);
  }
}

/** Returns whether the error means that the disk or a quota is full. */
export function isFull(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Returns whether the error is a lack of descriptors or memory, so that the file itself may be fine. */
export function isTransient(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM' || code === 'EAGAIN';
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
