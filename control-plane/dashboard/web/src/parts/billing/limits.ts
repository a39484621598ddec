import type { Plan } from './way.ts';

/** What people compare plans by. The API answers only with the limits of the own plan. */
export interface PlanLimits {
  monitors: number;
  intervalSecondsMin: number;
  locationsPerMonitor: number;
  servers: number;
  singleSignOn: boolean;
}

export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  Free: { monitors: 20, intervalSecondsMin: 60, locationsPerMonitor: 2, servers: 2, singleSignOn: false },
  Pro: { monitors: 200, intervalSecondsMin: 30, locationsPerMonitor: 5, servers: 50, singleSignOn: false },
  Enterprise: { monitors: 50_000, intervalSecondsMin: 10, locationsPerMonitor: 5, servers: 5_000, singleSignOn: true },
};
