import type { BlacklistCheck } from '../../api/types.ts';

/** What the newest change was: on how many lists the target was added and removed. */
export interface Trend {
  added: number;
  removed: number;
  /** Whether lists added it for more than a policy, so that somebody must act. */
  isBad: boolean;
  at: string;
}

/** Returns the newest change of a target; null if no check found one. Policy listings count too. Pure. */
export function latestTrend(checks: readonly Pick<BlacklistCheck, 'checked_at' | 'changes'>[]): Trend | null {
  const check = checks.find(({ changes }) => changes.some(({ kind }) => kind !== 'dropped'));
  if (check === undefined) return null;
  const count = (wanted: string) => check.changes.filter(({ kind }) => kind === wanted).length;
  const isBad = check.changes.some(({ kind, policy }) => kind === 'listed' && !policy);
  return { added: count('listed'), removed: count('delisted'), isBad, at: check.checked_at };
}

const ORDER = { listed: 0, blocked: 1, invalid: 1, error: 1, timeout: 1, clean: 2 };

/** Returns the answers with those first that somebody must act on, otherwise in the order of the lists. Pure. */
export function worstAnswersFirst<Answer extends { status: keyof typeof ORDER; policy: boolean }>(
  answers: readonly Answer[],
): Answer[] {
  const rank = ({ status, policy }: Answer) => ORDER[status] + (status === 'listed' && policy ? 0.5 : 0);
  return [...answers].sort((a, b) => rank(a) - rank(b));
}
