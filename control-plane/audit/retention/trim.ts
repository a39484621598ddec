import type { AuditDocument, AuditHeadDocument, AuditStart } from '../documents.js';

type Link = Pick<AuditDocument, '_id' | 'hash' | 'previous_hash'>;

/**
 * Returns where a chain starts after `due`, its oldest entries, are deleted. `next` is the entry after them, or null.
 * Retention counts what it deletes, so that `verify` still misses an entry that was removed in another way after
 * retention has deleted the entries around it.
 */
export function trimmedStart(head: AuditHeadDocument, due: readonly Link[], next: Link | null): AuditStart {
  return {
    dropped: (head.start?.dropped ?? 0) + due.length,
    previous_hash: next?.previous_hash ?? due.at(-1)?.hash ?? head.hash,
    first_id: next?._id ?? null,
  };
}
