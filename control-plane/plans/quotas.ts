import type { PlanLimits } from './plans.js';

/** Something that plans limit, as the slice that has it counts it. The slice `billing` shows them and knows no other slice. */
export interface Quota {
  /** `monitors`, `monitor_locations`. No two slices have the same. */
  name: string;
  /** What a person calls it: `blacklist monitors`, `shortest interval`. */
  label: string;
  /** What the numbers count: `seconds`, `locations`; null: the things themselves. */
  unit: string | null;
  /** Returns the limit of a plan. `Infinity` means unlimited. */
  limit(limits: PlanLimits): number;
  /** Resolves to how much the workspace uses; null when it uses none of something that has no amount, such as an interval. */
  used(workspaceId: string): Promise<number | null>;
  /** Resolves to what would be over the limits of a plan, and what would happen to it; null when nothing is. */
  over(workspaceId: string, limits: PlanLimits): Promise<OverQuota | null>;
}

export interface OverQuota {
  /** How many things are over the limit. */
  count: number;
  /** `12 monitors check more often than every 60 s. They are then checked every 60 s.` */
  detail: string;
  /** Names of some of the things, at most `OVER_EXAMPLES_MAX`. */
  examples: string[];
}

export const OVER_EXAMPLES_MAX = 5;

/**
 * Returns the quota of things that are only counted. What is over a smaller plan stays and goes on working; further ones
 * are refused. `newest` resolves to the names of the newest things.
 */
export function countedQuota(quota: {
  name: string;
  label: string;
  limit(limits: PlanLimits): number;
  count(workspaceId: string): Promise<number>;
  newest(workspaceId: string, rowsMax: number): Promise<string[]>;
}): Quota {
  const { name, label, limit, count } = quota;
  return {
    ...{ name, label, unit: null, limit },
    used: count,
    async over(workspaceId, limits) {
      const [allowed, used] = [limit(limits), await count(workspaceId)];
      if (used <= allowed) return null;
      const over = used - allowed;
      const figures = `${used.toLocaleString('en-US')} ${label}, ${over.toLocaleString('en-US')} more than the ${allowed.toLocaleString('en-US')} of the plan.`;
      return {
        count: over,
        detail: `${figures} All of them stay and go on working; no further ones can be added.`,
        examples: await quota.newest(workspaceId, Math.min(over, OVER_EXAMPLES_MAX)),
      };
    },
  };
}
