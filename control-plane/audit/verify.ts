import { CHAIN_START, chainHash } from './chain.js';
import type { AuditEntry } from './schema.js';

export interface ChainProblem {
  /**
   * `altered`: its content is not what was sealed. `broken`: the entry before it is missing, or it was put in.
   * `disordered`: its id does not sort behind the one before it. `unsealed`: it has no hash. `cut`: entries at
   * the end are missing. `endless`: what says where the chain ends is missing.
   */
  kind: 'altered' | 'broken' | 'disordered' | 'unsealed' | 'cut' | 'endless';
  /** The entry where it shows; the last one there is for `cut` and `endless`, null when none is left. */
  id: string | null;
  message: string;
  /** What the entry says of itself: action, actor, time. */
  entry: string | null;
}

export interface ChainReport {
  entries: number;
  /** Timestamps of the first and of the last entry. */
  from: string | null;
  to: string | null;
  lastHash: string;
  problems: ChainProblem[];
}

/** What the head of the chain says it should end with. */
export interface ChainEnd {
  hash: string;
  count: number;
}

/** Named are the first of them: after that the chain is known to be bad. */
export const PROBLEMS_MAX = 100;

/** Checks entries one by one, in the order of their ids, in constant memory. */
export function createChainCheck(): { add(entry: AuditEntry): void; finish(end: ChainEnd | null): ChainReport } {
  const problems: ChainProblem[] = [];
  let entries = 0;
  let previous: { id: string; hash: string } | null = null;
  let from: string | null = null;
  let to: string | null = null;
  const note = (kind: ChainProblem['kind'], id: string | null, message: string, entry: string | null = null) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ kind, id, message, entry });
  };
  return {
    add(entry) {
      entries += 1;
      from ??= entry.timestamp;
      to = entry.timestamp;
      const what = `${entry.action} by ${entry.actor.email} at ${entry.timestamp}`;
      if (entry.hash === null || entry.previous_hash === null) {
        note('unsealed', entry.id, 'has no hash', what);
        return;
      }
      if (previous !== null && entry.id <= previous.id) {
        note('disordered', entry.id, `does not sort behind ${previous.id}`, what);
      }
      if (entry.previous_hash !== (previous?.hash ?? CHAIN_START)) {
        const place = previous === null ? 'is not the first entry of a chain' : `does not follow ${previous.id}`;
        note('broken', entry.id, place, what);
      }
      if (chainHash(entry.previous_hash, entry) !== entry.hash) {
        note('altered', entry.id, 'is not what was sealed', what);
      }
      previous = { id: entry.id, hash: entry.hash };
    },
    finish(end) {
      const [lastId, lastHash] = [previous?.id ?? null, previous?.hash ?? CHAIN_START];
      if (end === null)
        note('endless', lastId, 'is the last one there, but the record of where the chain ends is gone');
      else if ((end.hash !== lastHash || end.count !== entries) && problems.length === 0) {
        note('cut', lastId, `is the last of ${entries}, but the chain ends with entry number ${end.count}`);
      }
      return { entries, from, to, lastHash, problems };
    },
  };
}
