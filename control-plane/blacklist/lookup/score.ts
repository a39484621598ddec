import type { CheckFigures, ListStatus, Rating } from '../results.js';

const EXCELLENT_MIN = 95;
const HEALTHY_MIN = 80;

/** Returns the totals of results. Pure. */
export function summarize(results: readonly { status: ListStatus }[]): CheckFigures {
  const clean = results.filter(({ status }) => status === 'clean').length;
  const listed = results.filter(({ status }) => status === 'listed').length;
  const responding = clean + listed;
  const score = responding === 0 ? null : (clean / responding) * 100;
  return { score, rating: score === null ? null : ratingOf(score), listed, clean, responding, asked: results.length };
}

function ratingOf(score: number): Rating {
  if (score >= EXCELLENT_MIN) return 'excellent';
  return score >= HEALTHY_MIN ? 'healthy' : 'listed';
}
