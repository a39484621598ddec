import type { Clock } from '../../kernel/clock.js';
import type { PlanName, WorkspacePlans } from './plans.js';

/** A change of plan takes effect within this time for the callers of the cache. */
const KEPT_MS = 30_000;

/** Returns the plan of a workspace, cached for half a minute; null when the workspace does not exist. */
export type PlanOf = (workspaceId: string) => Promise<PlanName | null>;

export function createPlanCache(store: WorkspacePlans, clock: Clock): PlanOf {
  const known = new Map<string, { plan: Promise<PlanName | null>; untilMs: number }>();
  return (workspaceId) => {
    const now = clock.monotonic();
    const found = known.get(workspaceId);
    if (found !== undefined && found.untilMs > now) return found.plan;
    const plan = store.plans([workspaceId]).then((plans) => plans.get(workspaceId) ?? null);
    known.set(workspaceId, { plan, untilMs: now + KEPT_MS });
    plan.catch(() => known.delete(workspaceId));
    return plan;
  };
}
