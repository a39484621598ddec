const PLANS = ['Free', 'Pro', 'Enterprise'] as const;
export type PlanName = (typeof PLANS)[number];
export { PLANS };

/** What the list of workspaces can be filtered by, as it is in the URL. */
export interface WorkspaceFilter {
  q?: string;
  plan?: PlanName;
  suspended?: 'true' | 'false';
}

/** Returns the filter in the parameters of a URL, without what is none. */
export function workspaceFilterOf({ q, plan, suspended }: Record<string, unknown>): WorkspaceFilter {
  const known = PLANS.find((one) => one === plan);
  // The router reads `true` in a URL as a boolean.
  const flag = String(suspended);
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : typeof q === 'number' ? { q: String(q) } : {}),
    ...(known === undefined ? {} : { plan: known }),
    ...(flag === 'true' || flag === 'false' ? { suspended: flag } : {}),
  };
}
