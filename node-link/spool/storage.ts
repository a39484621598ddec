import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../kernel/logger.js';
import { openSegmentFiles, type SegmentFiles } from './files.js';
import { createSpoolStateFile, EMPTY_STATE, type SpoolState, type SpoolStateFile } from './state.js';

/** What a spool finds in its directory. */
interface SpoolStorage {
  files: SegmentFiles | null;
  state: SpoolState;
  stateFile: SpoolStateFile | null;
}

const SEGMENT_BYTES_MAX = 8 * 1024 * 1024;
const SEGMENT_BYTES_MIN = 1024;
/** Whole segments are dropped, so one is at most this part of what there is room for. */
const SEGMENTS_MIN = 16;

/** What is on the disk; without files, where the disk cannot even be read, everything happens in memory. */
export function openStorage(options: { directory: string; bytesMax: number; logger: Logger }): SpoolStorage {
  try {
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    const disk = statfsSync(options.directory);
    const room = Math.min(options.bytesMax, disk.blocks * disk.bsize);
    const segmentBytes = Math.max(SEGMENT_BYTES_MIN, Math.min(SEGMENT_BYTES_MAX, Math.floor(room / SEGMENTS_MIN)));
    const stateFile = createSpoolStateFile(join(options.directory, 'spool.state'));
    const files = openSegmentFiles(options.directory, segmentBytes);
    const state = loadState(stateFile, options.logger);
    finishDeletions(files, state);
    return { files, state, stateFile };
  } catch (error) {
    options.logger.error({ err: error }, 'spool: cannot be opened, records are kept in memory only');
    return { files: null, state: { ...EMPTY_STATE }, stateFile: null };
  }
}

function loadState(stateFile: SpoolStateFile, logger: Logger): SpoolState {
  try {
    return stateFile.load() ?? { ...EMPTY_STATE };
  } catch (error) {
    logger.error({ err: error }, 'spool: its state cannot be read, all that is on the disk is sent again');
    return { ...EMPTY_STATE };
  }
}

/** Does what was already counted when the last process died. */
function finishDeletions(files: SegmentFiles, state: SpoolState): void {
  const counted = Math.max(state.ackedSeq, state.droppedSeq);
  for (const segment of [...files.list()]) {
    if (segment.last <= counted) files.remove(segment);
    else if (segment.last === state.damagedSeq) files.cutAtDamage(segment);
  }
}

/** No room is left. */
export function isFull(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Short of descriptors or memory: the file is no worse for it. */
export function isTransient(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM' || code === 'EAGAIN';
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
