/** What a window says that reads the events for all windows of the browser. */
export interface Claim {
  id: string;
  /** One more with each window that takes over. */
  term: number;
  sinceMs: number;
}

/** How often the leader proves that it is there. */
export const BEAT_MS = 500;
/** Without a beat for this long, another window takes over. */
const BEATS_MISSING_MS = 1_500;
/** Longer than a window that is busy takes to answer. */
export const SEEK_MS = 250;
/** Windows that lose their leader do not all take over at once. */
export const TAKE_OVER_MS = 100;

/**
 * Whether a window leads rather than another one: the one that took over last, because the former leader was silent. Of
 * windows that began at the same time it is the first. All windows decide the same. Pure.
 */
function isAhead(one: Claim, other: Claim): boolean {
  if (one.term !== other.term) return one.term > other.term;
  if (one.sinceMs !== other.sinceMs) return one.sinceMs < other.sinceMs;
  return one.id < other.id;
}

/** Which window reads the events, as one of them sees it. */
export type Role =
  | { kind: 'seeking'; untilMs: number }
  | { kind: 'following'; leader: Claim; heardMs: number }
  | { kind: 'leading'; claim: Claim };

/** Returns the role after a leader was heard: the present one if that leader is not ahead. Pure. */
export function afterBeat(role: Role, leader: Claim, nowMs: number): Role {
  if (role.kind === 'leading' && !isAhead(leader, role.claim)) return role;
  if (role.kind === 'following' && role.leader.id !== leader.id && !isAhead(leader, role.leader)) return role;
  return { kind: 'following', leader, heardMs: nowMs };
}

/** Returns the role after a leader has left: its followers seek another one. Pure. */
export function afterLeave(role: Role, leaverId: string, untilMs: number): Role {
  return role.kind === 'following' && role.leader.id === leaverId ? { kind: 'seeking', untilMs } : role;
}

/** Whether a window must take over, because nobody answers or the leader is silent. Pure. */
export function isLeaderless(role: Role, nowMs: number): boolean {
  if (role.kind === 'seeking') return nowMs >= role.untilMs;
  return role.kind === 'following' && nowMs - role.heardMs > BEATS_MISSING_MS;
}
