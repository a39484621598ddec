import type { AuditEntry } from '../schema.js';
import { CHAIN_START, chainHash } from './chain.js';

export interface ChainProblem {
  /**
   * `altered`: its content is not what was sealed. `broken`: the entry before it is missing, or it was put in.
   * `disordered`: its id does not sort behind the one before it. `unsealed`: it has no hash. `foreign`: it is of
   * another workspace, or no entry at all. `cut`: entries at the end are missing. `counted`: the chain is closed,
   * but not with as many entries as were sealed. `endless`: what says where the chain ends is missing.
   */
  kind: 'altered' | 'broken' | 'disordered' | 'unsealed' | 'foreign' | 'cut' | 'counted' | 'endless';
  /** The entry where it shows; the last one there is for `cut`, `counted` and `endless`, null when none is left. */
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
  /** What the first entry follows: 64 zeros, or the hash of an entry that is not among them. */
  firstPreviousHash: string;
  lastHash: string;
  /** Older entries that retention has deleted. */
  dropped: number;
  /** Places where entries are missing in a chain that is known to have gaps. */
  gaps: number;
  problems: ChainProblem[];
}

/** Where a chain begins; see `AuditStart`. */
export interface ChainBegin {
  dropped: number;
  previous_hash: string;
}

/** Nothing was ever deleted. */
export const WHOLE_CHAIN: ChainBegin = { dropped: 0, previous_hash: CHAIN_START };

export interface ChainCheck {
  add(entry: AuditEntry): void;
  /** Notes what is no entry: `what` says where it stands. */
  addForeign(what: string, message: string): void;
  /** Notes that an export breaks off here; `message` says how. */
  addCut(message: string): void;
  /** The verdict where nothing says how the chain should end: on an export. */
  report(): ChainReport;
  /** The verdict on the whole chain of a database. */
  finish(end: ChainEnd | null): ChainReport;
}

/** What the head of the chain says it should end with. */
export interface ChainEnd {
  hash: string;
  count: number;
}

/** Named are the first of them: after that the chain is known to be bad. */
export const PROBLEMS_MAX = 100;

/**
 * Checks entries one by one, in the order of their ids, in constant memory. `begin` is null for a piece of a chain,
 * which may begin anywhere; with `gaps` it was picked by a filter, and what is missing in between is only counted.
 */
export function createChainCheck(begin: ChainBegin | null, { gaps = false } = {}): ChainCheck {
  const problems: ChainProblem[] = [];
  let first: AuditEntry | null = null;
  let previous: { id: string; hash: string; timestamp: string } | null = null;
  let [entries, missing] = [0, 0];
  const note = (kind: ChainProblem['kind'], id: string | null, message: string, entry: string | null = null) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ kind, id, message, entry });
  };
  /** Whether the entry stands where the one before it says. */
  function judgePlace(entry: AuditEntry, what: string): void {
    if (previous !== null && entry.id <= previous.id) {
      note('disordered', entry.id, `does not sort behind ${previous.id}`, what);
    }
    const expected = previous?.hash ?? begin?.previous_hash ?? entry.previous_hash;
    if (entry.previous_hash === expected) return;
    if (gaps) missing += 1;
    else if (previous !== null) note('broken', entry.id, `does not follow ${previous.id}`, what);
    else if (begin?.dropped === 0) note('broken', entry.id, 'is not the first entry of a chain', what);
    else note('broken', entry.id, 'is not the one that the deleted older ones were followed by', what);
  }

  const check: ChainCheck = {
    add(entry) {
      entries += 1;
      first ??= entry;
      const what = `${entry.action} by ${entry.actor.email} at ${entry.timestamp}`;
      if (entry.workspace_id !== first.workspace_id) note('foreign', entry.id, 'is of another workspace', what);
      if (entry.hash === null || entry.previous_hash === null) {
        note('unsealed', entry.id, 'has no hash', what);
      } else {
        judgePlace(entry, what);
        if (chainHash(entry.previous_hash, entry) !== entry.hash) {
          note('altered', entry.id, 'is not what was sealed', what);
        }
      }
      previous = { id: entry.id, hash: entry.hash ?? previous?.hash ?? '', timestamp: entry.timestamp };
    },
    addForeign(what, message) {
      entries += 1;
      note('foreign', what, message);
    },
    addCut(message) {
      note('cut', previous?.id ?? null, `is the last one there: ${message}`);
    },
    report: () => ({
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
      const [lastId, { lastHash }] = [previous?.id ?? null, check.report()];
      const expected = (end?.count ?? 0) - (begin?.dropped ?? 0);
      if (end === null)
        note('endless', lastId, 'is the last one there, but the record of where the chain ends is gone');
      else if (problems.length > 0) return check.report();
      else if (end.hash !== lastHash)
        note('cut', lastId, `is the last of ${entries}, but the chain ends with entry number ${expected}`);
      else if (expected !== entries)
        note('counted', lastId, `is the last, as it should be, but of ${entries} entries, where ${expected} should be`);
      return check.report();
    },
  };
  return check;
}
