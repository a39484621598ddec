import type { Clock } from '../../kernel/clock.js';
import type { PlanName } from './plans.js';
import type { AccountsStore } from './store.js';

/** A change of plan takes effect within this time where it is looked up for every report. */
const KEPT_MS = 30_000;

/** Plans of workspaces, asked for so often that they are remembered for half a minute. */
export type PlanOf = (workspaceId: string) => Promise<PlanName | null>;

/** null: there is no such workspace. */
export function createPlanCache(store: Pick<AccountsStore, 'plans'>, clock: Clock): PlanOf {
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
