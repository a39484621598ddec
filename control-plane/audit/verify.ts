import { CHAIN_START, chainHash } from './chain.js';
import type { AuditEntry } from './schema.js';

export interface ChainProblem {
  /**
   * `altered`: its content is not what was sealed. `broken`: the entry before it is missing, or it was put in.
   * `disordered`: its id does not sort behind the one before it. `unsealed`: it has no hash. `cut`: entries at
   * the end are missing.
   */
  kind: 'altered' | 'broken' | 'disordered' | 'unsealed' | 'cut';
  /** The entry where it shows; the last one there is for `cut`, null when none is left. */
  id: string | null;
  message: string;
}

export interface ChainReport {
  entries: number;
  lastHash: string;
  problems: ChainProblem[];
}

/** What the head of the chain says it should end with. */
export interface ChainEnd {
  hash: string;
  count: number;
}

/** Named are the first of them: after that the chain is known to be bad. */
const PROBLEMS_MAX = 100;

/** Checks entries one by one, in the order of their ids, in constant memory. */
export function createChainCheck(): { add(entry: AuditEntry): void; finish(end: ChainEnd | null): ChainReport } {
  const problems: ChainProblem[] = [];
  let [previousHash, previousId, entries] = [CHAIN_START, null as string | null, 0];
  const note = (kind: ChainProblem['kind'], id: string | null, message: string) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ kind, id, message });
  };
  return {
    add(entry) {
      entries += 1;
      if (entry.hash === null || entry.previous_hash === null) {
        note('unsealed', entry.id, 'has no hash');
        return;
      }
      if (previousId !== null && entry.id <= previousId)
        note('disordered', entry.id, `does not sort behind ${previousId}`);
      if (entry.previous_hash !== previousHash) {
        note(
          'broken',
          entry.id,
          previousId === null ? 'is not the first entry of a chain' : `does not follow ${previousId}`,
        );
      }
      if (chainHash(entry.previous_hash, entry) !== entry.hash) note('altered', entry.id, 'is not what was sealed');
      [previousHash, previousId] = [entry.hash, entry.id];
    },
    finish(end) {
      const cut = end !== null && (end.hash !== previousHash || end.count !== entries);
      if (cut && problems.length === 0) {
        note('cut', previousId, `is the last of ${entries}, but the chain ends with entry number ${end.count}`);
      }
      return { entries, lastHash: previousHash, problems };
    },
  };
}
