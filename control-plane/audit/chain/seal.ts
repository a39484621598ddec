import { idTime } from '../../storage/ids.js';
import type { AuditDocument, AuditHeadDocument } from '../documents.js';
import { entryOf } from '../entry.js';
import { CHAIN_START, chainHash } from './hash.js';
import type { SealedEntry } from './store.js';

/**
 * Returns the chain that ends at `head` with the unsealed entries, sorted by id, appended; null if there are none. An
 * entry whose transaction committed after the chain had passed its id gets a new id, so that ids always sort in chain
 * order; its timestamp stays.
 */
export function sealEntries(
  head: AuditHeadDocument | null,
  unsealed: readonly AuditDocument[],
  needs: { workspaceId: string; fence: number; idAt: (timeMs: number) => string },
): { head: AuditHeadDocument; sealed: SealedEntry[] } | null {
  let [lastId, lastHash, count] = [head?.last_id ?? '', head?.hash ?? CHAIN_START, head?.count ?? 0];
  const sealed: SealedEntry[] = [];
  // Entries that keep their ids come first. A late entry gets an id one millisecond after the last of them, not the
  // current time: that would make late the entries that are still in their grace period.
  const late = unsealed.filter((document) => document._id <= lastId);
  const inTime = unsealed.filter((document) => document._id > lastId);
  for (const document of [...inTime, ...late]) {
    const { unsealed: _unsealed, ...kept } = document;
    const isLate = late.includes(document);
    const placed = { ...kept, _id: isLate ? needs.idAt(idTime(lastId) + 1) : document._id, previous_hash: lastHash };
    const hash = chainHash(lastHash, entryOf(placed));
    sealed.push({ entry: { ...placed, hash }, replaces: isLate ? document._id : null });
    [lastId, lastHash, count] = [placed._id, hash, count + 1];
  }
  if (sealed.length === 0) return null;
  return { head: { _id: needs.workspaceId, last_id: lastId, hash: lastHash, count, fence: needs.fence }, sealed };
}
