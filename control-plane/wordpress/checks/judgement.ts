import { printable } from '../../printable.js';
import type { CheckStatus } from '../documents.js';

/** What is stored and shown of a measurement. */
export const EVIDENCE_CHARS_MAX = 300;

/** What a measurement says, and what was seen. */
export interface Judgement {
  status: CheckStatus;
  evidence: string;
  /** Visitors cannot open the site any more. */
  locksOut?: true;
}

/** Returns what it means that there was no answer. */
export function unanswered(what: string, reason: string): Judgement {
  return { status: 'unknown', evidence: printable(`${what} could not be requested: ${reason}`, EVIDENCE_CHARS_MAX) };
}

const WORST_FIRST: readonly CheckStatus[] = ['failing', 'unknown', 'passing'];

/** Returns the worst of some judgements, the first of equals. Throws for none. */
export function worstOf(judgements: readonly Judgement[]): Judgement {
  for (const wanted of WORST_FIRST) {
    const found = judgements.find(({ status }) => status === wanted);
    if (found !== undefined) return found;
  }
  throw new Error('nothing was measured');
}
