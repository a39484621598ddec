import type { VerdictState } from '../../monitors/documents.js';
import type { DecisionRecord } from '../decision-record.js';
import type { Tally } from './tally.js';

/**
 * The states of a monitor. `up`: no location fails. `suspect`: some locations fail, but too few or not confirmed.
 * `down`: enough failures are confirmed. `recovering`: down, and one round of checks was good. Stored as `status`,
 * `first_failed_at_ms` and `recovering_since_ms` of `VerdictState`.
 */
export type Phase = 'up' | 'suspect' | 'down' | 'recovering';

/** Returns the next phase. This is the only place where a monitor changes its phase. */
export function transition(phase: Phase, tally: Pick<Tally, 'situation' | 'failing' | 'secondRound'>): Phase {
  const { situation } = tally;
  switch (phase) {
    case 'up':
    case 'suspect':
      if (situation === 'failing') return 'down';
      return tally.failing > 0 ? 'suspect' : situation === 'undecided' ? phase : 'up';
    case 'down':
      return situation === 'good' ? 'recovering' : 'down';
    case 'recovering':
      if (situation === 'failing') return 'down';
      return situation === 'good' && tally.secondRound ? 'up' : 'recovering';
  }
}

/** Returns the phase of a stored state. */
export function phaseOf(state: Pick<VerdictState, 'status' | 'first_failed_at_ms' | 'recovering_since_ms'>): Phase {
  if (state.status === 'down') return state.recovering_since_ms === null ? 'down' : 'recovering';
  return state.first_failed_at_ms === null ? 'up' : 'suspect';
}

/** Returns what the rule decides now: `down` or `up`, also if that is the status already, or `unchanged`. */
export function outcomeOf(tally: Pick<Tally, 'situation'>, to: Phase): DecisionRecord['outcome'] {
  if (tally.situation === 'failing') return 'down';
  return tally.situation === 'good' && (to === 'up' || to === 'suspect') ? 'up' : 'unchanged';
}
