import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { PastWindowDocument, WindowDocument } from '../documents.js';
import { spansOf } from '../schedule/occurrences.js';
import type { PastWindowStore } from './past-store.js';

/** Raw results are kept for 30 days at most, and some hours. Uptime of an earlier time is never computed again. */
export const RECOMPUTED_MS_MAX = 32 * 86_400_000;
/** The limit of a workspace. What is left out of uptime looks at all of them. */
const PAST_MAX = 1_000;

/**
 * Stores what a window left out of uptime since its last change, before another change replaces it: what was left out stays
 * so. Returns null where it left out nothing. Throws 409 when the workspace has too many of them.
 */
export async function keepPast(
  { past }: { past: Pick<PastWindowStore, 'insert' | 'count'> },
  tx: Transaction,
  window: WindowDocument,
  nowMs: number,
): Promise<PastWindowDocument | null> {
  const { _id, workspace_id, version, updated_at_ms: from_ms } = window;
  if (window.counts_in_uptime !== false || !coversSome(window, from_ms, nowMs)) return null;
  if ((await past.count(tx, workspace_id, PAST_MAX)) >= PAST_MAX) {
    throw new AppError(
      'conflict',
      `Maintenance that does not count in uptime was changed ${PAST_MAX.toLocaleString('en-US')} times within 32 days; change it later.`,
    );
  }
  const { starts_at_ms, ends_at_ms, recurrence, extension, cut, everything, monitor_ids, server_ids, tags } = window;
  const kept: PastWindowDocument = {
    _id: `${_id}/${version}`,
    workspace_id,
    from_ms,
    until_ms: nowMs,
    starts_at_ms,
    ends_at_ms,
    recurrence,
    extension,
    cut,
    everything,
    monitor_ids,
    server_ids,
    tags,
    expires_at: new Date(nowMs + RECOMPUTED_MS_MAX),
  };
  await past.insert(tx, kept);
  return kept;
}

/** A schedule that cannot be computed has covered nothing. */
function coversSome(window: WindowDocument, fromMs: number, toMs: number): boolean {
  try {
    return toMs > fromMs && spansOf(window, fromMs, toMs).length > 0;
  } catch {
    return false;
  }
}
