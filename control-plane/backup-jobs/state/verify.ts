import type { JobSettings, JobState, Problem } from '../documents.js';
import type { Ping } from '../pings/ping.js';

/** Returns what is wrong with a run that ended; null for a good one. Pure. */
export function problemOf(
  { min_size_bytes, max_shrink_percent, expect_sha256 }: JobSettings,
  { last_good }: Pick<JobState, 'last_good'>,
  { success, sizeBytes, sha256 }: Ping,
): Problem | null {
  if (!success) return 'failed';
  if (sizeBytes === null) {
    if (min_size_bytes !== null || max_shrink_percent !== null) return 'size_missing';
  } else {
    if (min_size_bytes !== null && sizeBytes < min_size_bytes) return 'too_small';
    if (isShrunken(sizeBytes, last_good?.size_bytes ?? null, max_shrink_percent)) return 'shrunken';
  }
  return expect_sha256 && sha256 === null ? 'checksum_missing' : null;
}

function isShrunken(sizeBytes: number, goodBytes: number | null, percentMax: number | null): boolean {
  if (goodBytes === null || percentMax === null) return false;
  return (goodBytes - sizeBytes) * 100 > goodBytes * percentMax;
}
