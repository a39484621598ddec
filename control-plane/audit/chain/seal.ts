import { idTime } from '../../storage/ids.js';
import type { AuditDocument, AuditHeadDocument } from '../documents.js';
import { entryOf } from '../entry.js';
import type { SealedEntry } from '../store.js';
import { CHAIN_START, chainHash } from './chain.js';

/**
 * Appends waiting entries, sorted by id, to the chain that ends at `head`. An entry whose transaction committed so
 * late that the chain has passed its id gets a new one, so that ids always sort in the order of the chain; its
 * timestamp stays. null when there is nothing to append.
 */
export function sealEntries(
  head: AuditHeadDocument | null,
  waiting: readonly AuditDocument[],
  parts: { workspaceId: string; fence: number; idAt: (timeMs: number) => string },
): { head: AuditHeadDocument; sealed: SealedEntry[] } | null {
  let [lastId, lastHash, count] = [head?.last_id ?? '', head?.hash ?? CHAIN_START, head?.count ?? 0];
  const sealed: SealedEntry[] = [];
  // Those that keep their ids come first. A late one goes a millisecond behind the last of them and not to the
  // present, where it would make late whatever rests at the moment.
  const late = waiting.filter((document) => document._id <= lastId);
  const inTime = waiting.filter((document) => document._id > lastId);
  for (const document of [...inTime, ...late]) {
    const { unsealed: _unsealed, ...kept } = document;
    const isLate = late.includes(document);
    const placed = { ...kept, _id: isLate ? parts.idAt(idTime(lastId) + 1) : document._id, previous_hash: lastHash };
    const hash = chainHash(lastHash, entryOf(placed));
    sealed.push({ entry: { ...placed, hash }, replaces: isLate ? document._id : null });
    [lastId, lastHash, count] = [placed._id, hash, count + 1];
  }
  if (sealed.length === 0) return null;
  return { head: { _id: parts.workspaceId, last_id: lastId, hash: lastHash, count, fence: parts.fence }, sealed };
}
