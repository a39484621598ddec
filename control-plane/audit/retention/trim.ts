import type { AuditDocument, AuditHeadDocument, AuditStart } from '../documents.js';

type Link = Pick<AuditDocument, '_id' | 'hash' | 'previous_hash'>;

/**
 * Where a chain begins once `due`, its oldest entries, are deleted; `next` is the entry behind them, null when there
 * is none. What retention deletes is counted, so that an entry that somebody else took away is missed for good, also
 * when retention has come past its place.
 */
export function trimmedStart(head: AuditHeadDocument, due: readonly Link[], next: Link | null): AuditStart {
  return {
    dropped: (head.start?.dropped ?? 0) + due.length,
    previous_hash: next?.previous_hash ?? due.at(-1)?.hash ?? head.hash,
    first_id: next?._id ?? null,
  };
}
