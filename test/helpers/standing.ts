import type { StandingOf } from '../../control-plane/plans/cache.js';
import type { Standing } from '../../control-plane/plans/standing.js';

/** The standing of a workspace that works. */
export const WORKING: Standing = {
  plan: 'Enterprise',
  retentionPlan: 'Enterprise',
  stopped: false,
  onlyTo: null,
  agentsExcused: false,
  resumedMs: null,
};

/** Every workspace works. */
export const allWork: StandingOf = async () => WORKING;
