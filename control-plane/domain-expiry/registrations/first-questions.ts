import { PLANS, type PlanName } from '../../plans/plans.js';
import { FIRST_QUESTIONS_PER_DAY, FIRST_QUESTIONS_PER_DAY_AND_MONITOR } from '../rdap/limits.js';

const DAY_MS = 86_400_000;

/** Returns how many domains of a workspace are asked for the first time on one day. Pure. */
export function firstQuestionsMax(plan: PlanName): number {
  return Math.max(FIRST_QUESTIONS_PER_DAY, FIRST_QUESTIONS_PER_DAY_AND_MONITOR * PLANS[plan].monitors);
}

/** Returns the end of the day of a time, in UTC. Pure. */
export function endOfDayMs(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
}
