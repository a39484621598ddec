import type { ListStatus, Rating } from './blacklist.js';

const EXCELLENT_MIN = 95;
const HEALTHY_MIN = 80;

/** What the results of all lists come to. Lists that did not answer count for nothing. */
export interface Summary {
  /** clean / responding × 100; null when no list responded. */
  score: number | null;
  rating: Rating | null;
  listed: number;
  clean: number;
  responding: number;
  asked: number;
}

/** Pure. */
export function summarize(results: readonly { status: ListStatus }[]): Summary {
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
