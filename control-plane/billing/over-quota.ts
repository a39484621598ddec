import { AppError } from '../errors.js';
import { PLANS, type PlanName } from '../plans/plans.js';
import type { OverQuota, Quota } from '../plans/quotas.js';

/** What a workspace has over one limit of a plan. */
export interface NamedOverQuota extends OverQuota {
  name: string;
  limit: number;
}

/** Returns what would be over the limits of the plan. */
export async function overQuota(
  quotas: readonly Quota[],
  workspaceId: string,
  plan: PlanName,
): Promise<NamedOverQuota[]> {
  const limits = PLANS[plan];
  const found = await Promise.all(
    quotas.map(async ({ name, limit, over }) => {
      const what = await over(workspaceId, limits);
      return what === null ? [] : [{ name, limit: limit(limits), ...what }];
    }),
  );
  return found.flat();
}

/** Throws 409 that names everything over the limits, unless all of it is accepted. Returns the names. */
export function requireAccepted(
  over: readonly NamedOverQuota[],
  plan: PlanName,
  accepted: readonly string[],
): string[] {
  const names = over.map(({ name }) => name);
  if (names.every((name) => accepted.includes(name))) return names;
  const details = over.map(({ detail }) => detail).join(' ');
  const how = `Repeat the request with accept_over_quota: ${JSON.stringify(names)} to change the plan anyway.`;
  throw new AppError('conflict', `More than the ${plan} plan allows: ${details} ${how}`, { over_quota: [...over] });
}
