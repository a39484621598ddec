import type { AuditEntry } from '../schema.js';
import { CHAIN_START, chainHash } from './hash.js';

export interface ChainProblem {
  /**
   * - `altered`: the content of the entry differs from what was sealed.
   * - `broken`: the entry does not follow the previous one: an entry was removed or inserted.
   * - `out_of_order`: the id of the entry does not sort after the previous one.
   * - `unsealed`: the entry has no hash.
   * - `foreign`: the entry belongs to another workspace, or is not an audit entry.
   * - `truncated`: entries are missing at the end.
   * - `miscounted`: every entry follows the previous one, but their number is wrong.
   * - `headless`: the record of where the chain ends is missing.
   */
  kind: 'altered' | 'broken' | 'out_of_order' | 'unsealed' | 'foreign' | 'truncated' | 'miscounted' | 'headless';
  /** The entry with the problem; for `truncated`, `miscounted` and `headless` the last entry, or null if there is none. */
  id: string | null;
  message: string;
  /** Action, actor and time of the entry. */
  entry: string | null;
}

/** What tells one break of a chain from another. */
export type ChainBreak = Pick<ChainProblem, 'kind' | 'id'>;

/** The result of verifying a chain or an export. */
export interface ChainResult {
  entries: number;
  /** Timestamps of the first and of the last entry. */
  from: string | null;
  to: string | null;
  /** The `previous_hash` of the first entry: 64 zeros, or the hash of an entry before the verified ones. */
  firstPreviousHash: string;
  lastHash: string;
  /** The number of older entries that retention has deleted. */
  dropped: number;
  /** The number of places where entries are missing, if gaps are allowed. */
  gaps: number;
  problems: ChainProblem[];
}

/** Where a chain starts; see `AuditStart`. */
export interface ChainBegin {
  dropped: number;
  previous_hash: string;
}

/** The start of a chain from which no entry was deleted. */
export const WHOLE_CHAIN: ChainBegin = { dropped: 0, previous_hash: CHAIN_START };

export interface ChainCheck {
  add(entry: AuditEntry): void;
  /** Adds something that is not an entry; `what` says where it is. */
  addForeign(what: string, message: string): void;
  /** Records that an export ends early; `message` says how. */
  addTruncation(message: string): void;
  /** Returns the result for an export, where the end of the chain is unknown. */
  result(): ChainResult;
  /** Returns the result for the whole chain of a database. */
  finish(end: ChainEnd | null): ChainResult;
}

/** The expected end of a chain, from its head. */
export interface ChainEnd {
  hash: string;
  count: number;
}

/** The maximum number of problems to list: beyond it the chain is broken anyway. */
export const PROBLEMS_MAX = 100;

/**
 * Verifies entries one by one, in the order of their ids, in constant memory. `begin` is null for a section of a chain,
 * which may start anywhere. `gaps` is for entries selected by a filter: missing entries are then only counted.
 */
export function createChainCheck(begin: ChainBegin | null, { gaps = false } = {}): ChainCheck {
  const problems: ChainProblem[] = [];
  let first: AuditEntry | null = null;
  let previous: { id: string; hash: string; timestamp: string } | null = null;
  let [entries, missing] = [0, 0];
  const note = (kind: ChainProblem['kind'], id: string | null, message: string, entry: string | null = null) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ kind, id, message, entry });
  };
  /** Records a problem unless the entry follows the previous one. */
  function verifyPlace(entry: AuditEntry, what: string): void {
    if (previous !== null && entry.id <= previous.id) {
      note('out_of_order', entry.id, `does not sort after ${previous.id}`, what);
    }
    const expected = previous?.hash ?? begin?.previous_hash ?? entry.previous_hash;
    if (entry.previous_hash === expected) return;
    if (gaps) missing += 1;
    else if (previous !== null) note('broken', entry.id, `does not follow ${previous.id}`, what);
    else if (begin?.dropped === 0) note('broken', entry.id, 'is not the first entry of a chain', what);
    else note('broken', entry.id, 'does not follow the last entry that retention deleted', what);
  }

  const check: ChainCheck = {
    add(entry) {
      entries += 1;
      first ??= entry;
      const what = `${entry.action} by ${entry.actor.email} at ${entry.timestamp}`;
      if (entry.workspace_id !== first.workspace_id) note('foreign', entry.id, 'belongs to another workspace', what);
      if (entry.hash === null || entry.previous_hash === null) {
        note('unsealed', entry.id, 'has no hash', what);
      } else {
        verifyPlace(entry, what);
        if (chainHash(entry.previous_hash, entry) !== entry.hash) {
          note('altered', entry.id, 'differs from what was sealed', what);
        }
      }
      previous = { id: entry.id, hash: entry.hash ?? previous?.hash ?? '', timestamp: entry.timestamp };
    },
    addForeign(what, message) {
      entries += 1;
      note('foreign', what, message);
    },
    addTruncation(message) {
      note('truncated', previous?.id ?? null, `is the last entry: ${message}`);
    },
    result: () => ({
      entries,
      from: first?.timestamp ?? null,
      to: previous?.timestamp ?? null,
      firstPreviousHash: first?.previous_hash ?? begin?.previous_hash ?? CHAIN_START,
      lastHash: previous?.hash ?? begin?.previous_hash ?? CHAIN_START,
      dropped: begin?.dropped ?? 0,
      gaps: missing,
      problems,
    }),
    finish(end) {
      const problem = endProblem(end, check.result());
      if (problem !== null) note(problem.kind, previous?.id ?? null, problem.message);
      return check.result();
    },
  };
  return check;
}

/** Returns what is wrong with the end of the whole chain of a database; null if nothing, or if earlier entries are. */
function endProblem(
  end: ChainEnd | null,
  { entries, dropped, lastHash, problems }: ChainResult,
): Pick<ChainProblem, 'kind' | 'message'> | null {
  if (end === null) {
    return { kind: 'headless', message: 'is the last entry, but the record of where the chain ends is missing' };
  }
  if (problems.length > 0) return null;
  const expected = end.count - dropped;
  if (end.hash !== lastHash) {
    const message = `is the last of ${entries} entries, but the chain ends with entry number ${expected}`;
    return { kind: 'truncated', message };
  }
  if (expected === entries) return null;
  return {
    kind: 'miscounted',
    message: `is the correct last entry, but there are ${entries} entries instead of ${expected}`,
  };
}
