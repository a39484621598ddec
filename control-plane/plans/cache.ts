import type { Clock } from '../../kernel/clock.js';
import type { PlanName, WorkspacePlans } from './plans.js';
import type { Standing, WorkspaceStandings } from './standing.js';

/** A change of plan takes effect within this time for the callers of the cache. */
const PLAN_KEPT_MS = 30_000;
/** A suspension takes effect within 30 s. What ends then takes some time itself. */
export const STANDING_KEPT_MS = 10_000;

/** Returns the plan of a workspace, cached for half a minute; null when the workspace does not exist. */
export type PlanOf = (workspaceId: string) => Promise<PlanName | null>;

/** Returns the standing of a workspace, cached for ten seconds; null when the workspace does not exist. */
export type StandingOf = (workspaceId: string) => Promise<Standing | null>;

export function createPlanCache(store: WorkspacePlans, clock: Clock): PlanOf {
  return createCache(async (id) => (await store.plans([id])).get(id) ?? null, PLAN_KEPT_MS, clock);
}

export function createStandingCache(store: WorkspaceStandings, clock: Clock): StandingOf {
  return createCache(async (id) => (await store.standings([id])).get(id) ?? null, STANDING_KEPT_MS, clock);
}

function createCache<Value>(read: (id: string) => Promise<Value>, keptMs: number, clock: Clock) {
  const known = new Map<string, { value: Promise<Value>; untilMs: number }>();
  return (id: string): Promise<Value> => {
    const now = clock.monotonic();
    const found = known.get(id);
    if (found !== undefined && found.untilMs > now) return found.value;
    const value = read(id);
    known.set(id, { value, untilMs: now + keptMs });
    value.catch(() => known.delete(id));
    return value;
  };
}
