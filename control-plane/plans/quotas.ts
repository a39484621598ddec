import type { PlanLimits } from './plans.js';

/** Something that plans limit, as the slice that has it counts it. The slice `billing` shows them and knows no other slice. */
export interface Quota {
  /** `monitors`, `monitor_locations`. No two slices have the same. */
  name: string;
  /** What a person calls it: `blacklist monitors`, `shortest interval`. */
  label: string;
  /** Returns the limit of a plan. `Infinity` means unlimited. */
  limit(limits: PlanLimits): number;
  /** Resolves to how many the workspace has; null for a limit of settings, such as an interval, which is not shown as a use. */
  used: ((workspaceId: string) => Promise<number>) | null;
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

/** The things that a quota counts. A store counts them. */
interface CountedThings {
  count(workspaceId: string): Promise<number>;
  /** Resolves to the names of the newest, at most `rowsMax`. */
  newest(workspaceId: string, rowsMax: number): Promise<string[]>;
}

export const OVER_EXAMPLES_MAX = 5;

/**
 * Returns the quota of things that are only counted. What is over a smaller plan stays and goes on working; further ones
 * are refused.
 */
export function countedQuota(quota: {
  name: string;
  label: string;
  limit(limits: PlanLimits): number;
  things: CountedThings;
}): Quota {
  const { name, label, limit, things } = quota;
  return {
    ...{ name, label, limit },
    used: things.count,
    async over(workspaceId, limits) {
      const [allowed, used] = [limit(limits), await things.count(workspaceId)];
      if (used <= allowed) return null;
      const over = used - allowed;
      const figures = `${used.toLocaleString('en-US')} ${label}, ${over.toLocaleString('en-US')} more than the ${allowed.toLocaleString('en-US')} of the plan.`;
      return {
        count: over,
        detail: `${figures} All of them stay and keep working; no further ones can be added.`,
        examples: await things.newest(workspaceId, Math.min(over, OVER_EXAMPLES_MAX)),
      };
    },
  };
}

/**
 * Returns the quota of things that some plans do not have at all. What exists under a smaller plan stays; `consequence`
 * says what happens to it.
 */
export function featureQuota(quota: {
  name: string;
  label: string;
  /** The label for exactly one of them: `API key with scopes`. */
  labelOfOne: string;
  isIncluded(limits: PlanLimits): boolean;
  things: CountedThings;
  consequence: string;
}): Quota {
  const { name, label, labelOfOne, isIncluded, things, consequence } = quota;
  return {
    ...{ name, label, used: null },
    limit: (limits) => (isIncluded(limits) ? Number.POSITIVE_INFINITY : 0),
    async over(workspaceId, limits) {
      const count = isIncluded(limits) ? 0 : await things.count(workspaceId);
      if (count === 0) return null;
      const examples = await things.newest(workspaceId, OVER_EXAMPLES_MAX);
      const figures = count === 1 ? `1 ${labelOfOne}` : `${count.toLocaleString('en-US')} ${label}`;
      return { count, detail: `${figures}. ${consequence}`, examples };
    },
  };
}
