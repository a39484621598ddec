import type { HostDocument, HostProof } from '../documents.js';
import type { HostRecords } from './records.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** People wait for a new name, which is why it is checked often in its first hour. */
const NEW_MS = HOUR_MS;
/** A verified name is served this long after its records are gone, so that a mistake in a zone shows nobody an error. */
const MISSING_MS_MAX = 24 * HOUR_MS;

/** What else decides about a name. */
export interface Claims {
  /** The value that the TXT record of this page has. */
  challenge: string;
  /** The alias is not enough: the name belongs to the domain of Picket itself, or another workspace has the name at a page too. */
  isAliasAmbiguous: boolean;
  /** The page that has the name verified, if it is another one. */
  holder: { challenge: string; proof: HostProof | null } | null;
}

/** What the records say of a page's claim. `takes_over`: the page that had the name verified loses it. */
export type Verdict = 'txt' | 'cname' | 'none' | 'not_known' | 'takes_over';

/** Decides whether the page has proved that the name is its own. Pure. */
export function verdictOf({ challenges, isAlias }: HostRecords, current: HostProof | null, claims: Claims): Verdict {
  const { challenge, isAliasAmbiguous, holder } = claims;
  if (challenges?.includes(challenge)) {
    if (holder === null) return 'txt';
    // The record names a page, and an alias names none. Of two records, the one that was first counts.
    return holder.proof === 'txt' && challenges.includes(holder.challenge) ? 'none' : 'takes_over';
  }
  // A claim of somebody else must not take a name away from the page that has it.
  if (isAlias === true && holder === null && (current !== null || !isAliasAmbiguous)) return 'cname';
  return challenges === null || isAlias === null ? 'not_known' : 'none';
}

/** Returns the host name after a check. Pure. */
export function checkedHost(host: HostDocument, verdict: Verdict, nowMs: number): HostDocument {
  const state = stateAfter(host, verdict, nowMs);
  const isNew = state.verified_at_ms === null && nowMs - host.added_at_ms < NEW_MS;
  return { ...host, ...state, checked_at_ms: nowMs, next_at_ms: nowMs + (isNew ? MINUTE_MS : HOUR_MS) };
}

type HostState = Pick<HostDocument, 'proof' | 'verified_at_ms' | 'missing_since_ms'>;

function stateAfter(host: HostDocument, verdict: Verdict, nowMs: number): HostState {
  const { proof, verified_at_ms, missing_since_ms } = host;
  if (verdict === 'not_known') return { proof, verified_at_ms, missing_since_ms };
  if (verdict !== 'none') {
    const shown = verdict === 'cname' ? 'cname' : 'txt';
    return { proof: shown, verified_at_ms: verified_at_ms ?? nowMs, missing_since_ms: null };
  }
  const sinceMs = missing_since_ms ?? nowMs;
  const isLost = verified_at_ms === null || nowMs - sinceMs >= MISSING_MS_MAX;
  return isLost ? UNVERIFIED : { proof, verified_at_ms, missing_since_ms: sinceMs };
}

const UNVERIFIED: HostState = { proof: null, verified_at_ms: null, missing_since_ms: null };

/** Returns the host name of a page that lost it to another one. */
export function lostHost(host: HostDocument): HostDocument {
  return { ...host, ...UNVERIFIED };
}
