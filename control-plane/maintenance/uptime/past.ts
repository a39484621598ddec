import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { PastWindowDocument, WindowDocument } from '../documents.js';
import { coversSome } from '../schedule/occurrences.js';
import { compacted } from './compacted.js';
import type { PastWindowStore } from './past-store.js';

/** Raw results are kept for 30 days at most, and some hours. Uptime of an earlier time is never computed again. */
export const RECOMPUTED_MS_MAX = 32 * 86_400_000;
/** The limit of a workspace. What is left out of uptime looks at all of them. */
const PAST_MAX = 1_000;

interface PastNeeds {
  past: Pick<PastWindowStore, 'insert' | 'count' | 'all' | 'replace'>;
}

/**
 * Stores what a window left out of uptime since its last change, before another change replaces it: what was left out stays
 * so. Returns null where it left out nothing. When the workspace has too many of them, those with the same targets become one, so
 * that a window can always be ended and deleted.
 */
export async function keepPast(
  { past }: PastNeeds,
  tx: Transaction,
  window: WindowDocument,
  nowMs: number,
): Promise<PastWindowDocument | null> {
  const { _id, workspace_id, version, updated_at_ms } = window;
  const from_ms = Math.max(updated_at_ms, nowMs - RECOMPUTED_MS_MAX);
  if (window.counts_in_uptime !== false || !isSomeCovered(window, from_ms, nowMs)) return null;
  await countAfterCompacting({ past }, tx, workspace_id, nowMs);
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

/**
 * Throws 409 when the workspace has too many versions with different targets. Ending and deleting add none with other targets than
 * windows have already, so only what gives a window its targets is refused.
 */
export async function refuseTooManyPast(
  needs: PastNeeds,
  tx: Transaction,
  workspaceId: string,
  nowMs: number,
): Promise<void> {
  if ((await countAfterCompacting(needs, tx, workspaceId, nowMs)) < PAST_MAX) return;
  throw new AppError(
    'conflict',
    `Maintenance that does not count in uptime had ${PAST_MAX.toLocaleString('en-US')} different choices of targets within 32 days; create or change it later. It can be ended and deleted.`,
  );
}

/** Returns how many there are, up to the limit; at the limit, it first replaces those with the same targets by one. */
async function countAfterCompacting(
  { past }: PastNeeds,
  tx: Transaction,
  workspaceId: string,
  nowMs: number,
): Promise<number> {
  const count = await past.count(tx, workspaceId, PAST_MAX);
  if (count < PAST_MAX) return count;
  const all = await past.all(tx, workspaceId);
  const { kept, removed, added } = compacted(all, nowMs - RECOMPUTED_MS_MAX);
  if (removed.length > 0) await past.replace(tx, workspaceId, removed, added);
  return kept.length + added.length;
}

/** A schedule that cannot be computed has covered nothing. */
function isSomeCovered(window: WindowDocument, fromMs: number, toMs: number): boolean {
  try {
    return coversSome(window, fromMs, toMs);
  } catch {
    return false;
  }
}
