import type { CheckFigures, ListStatus, Rating } from '../results.js';

const EXCELLENT_MIN = 95;
const HEALTHY_MIN = 80;

/**
 * Returns the totals of results. A domain that does not exist has no reputation: lists that do not list it say nothing
 * about it, so it has no score. Pure.
 */
export function summarize(results: readonly { status: ListStatus }[], exists: boolean): CheckFigures {
  const clean = results.filter(({ status }) => status === 'clean').length;
  const listed = results.filter(({ status }) => status === 'listed').length;
  const responding = clean + listed;
  const totals = { listed, clean, responding, asked: results.length };
  if (!exists && listed === 0) return { score: null, rating: 'unresolvable', ...totals };
  const score = responding === 0 ? null : Math.round((clean / responding) * 1_000) / 10;
  return { score, rating: score === null ? null : ratingOf(score), ...totals };
}

function ratingOf(score: number): Rating {
  if (score >= EXCELLENT_MIN) return 'excellent';
  return score >= HEALTHY_MIN ? 'healthy' : 'listed';
}
