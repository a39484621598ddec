import { AREAS, type AreaName, type AreaVerdict } from '../areas/area.js';
import type { AreaState, DomainState, Trouble } from '../documents.js';
import type { DomainCheck } from './check-domain.js';
import { type AreaStanding, type Standings, scoreOf } from './score.js';

/** A score that falls by as many points from one check to the next opens an incident. */
const SCORE_FALL_MIN = 10;
/** Consecutive checks in which an area that passed must fail before an incident opens. */
const FAILING_CHECKS_MIN = 2;

/** What a check changed. */
export interface AppliedCheck extends DomainState {
  changes: { area: AreaName; from: AreaStanding | null; to: AreaStanding }[];
  /** An area has just failed for the first time: another check should confirm it soon. */
  isFresh: boolean;
}

/**
 * Returns the state of a domain after a check. What could not be looked up or measured keeps the latest known status, so it never
 * changes the score. Pure.
 */
export function applyCheck(before: DomainState, { verdicts, checkedAtMs }: DomainCheck): AppliedCheck {
  const known = new Map(before.areas.map((state) => [state.area, state]));
  const areas = AREAS.map((area): AreaState => nextArea(area, verdicts[area], known.get(area) ?? null));
  const standings = Object.fromEntries(areas.map(({ area, standing }) => [area, standing])) as Standings;
  const score = scoreOf(standings) ?? before.score;
  return {
    areas,
    score,
    checked_at_ms: checkedAtMs,
    trouble: nextTrouble(before, areas, score, checkedAtMs),
    changes: areas.flatMap(({ area, standing }) => {
      const from = known.get(area)?.standing ?? null;
      return from === standing ? [] : [{ area, from, to: standing }];
    }),
    isFresh: areas.some(({ failed_checks }) => failed_checks > 0 && failed_checks < FAILING_CHECKS_MIN),
  };
}

function nextArea(area: AreaName, verdict: AreaVerdict, before: AreaState | null): AreaState {
  const standing = standingOf(verdict, before?.standing ?? null);
  return { area, verdict, standing, failed_checks: failedChecks(verdict, before) };
}

function standingOf({ status, applies }: AreaVerdict, before: AreaStanding | null): AreaStanding {
  if (status !== 'unknown' && status !== 'not_measured') return status;
  if (!applies) return 'left_out';
  const isKnown = before !== null && before !== 'unknown';
  if (isKnown) return before;
  return status === 'unknown' ? 'unknown' : 'left_out';
}

/** Returns in how many checks an area has failed since it last passed; 0 if it never passed. */
function failedChecks({ status, applies }: AreaVerdict, before: AreaState | null): number {
  if (before === null) return 0;
  if (status === 'failing')
    return before.failed_checks > 0 || before.standing === 'passing' ? before.failed_checks + 1 : 0;
  const saysNothing = applies && (status === 'unknown' || status === 'not_measured');
  return saysNothing ? before.failed_checks : 0;
}

function nextTrouble(
  before: DomainState,
  areas: readonly AreaState[],
  score: number | null,
  nowMs: number,
): Trouble | null {
  const known = before.trouble;
  const hasFallen = fell(before.score, score);
  const confirmed = areas.filter(({ failed_checks }) => failed_checks >= FAILING_CHECKS_MIN).map(({ area }) => area);
  // Trouble that gets worse is new: a person who accepted the earlier one has not accepted this.
  const isNew = known === null || hasFallen || confirmed.some((area) => !known.areas.includes(area));
  const fromScore = isNew ? before.score : known.from_score;
  if (!fell(fromScore, score) && confirmed.length === 0) return null;
  // An area that fails with a fall is part of it, so that its second failure is not new once more.
  const isPart = ({ area, standing }: AreaState) =>
    confirmed.includes(area) || (standing === 'failing' && (hasFallen || known?.areas.includes(area) === true));
  return {
    since_ms: isNew ? nowMs : known.since_ms,
    from_score: fromScore,
    score,
    areas: areas.filter(isPart).map(({ area }) => area),
  };
}

function fell(from: number | null, to: number | null): boolean {
  return from !== null && to !== null && from - to >= SCORE_FALL_MIN;
}
