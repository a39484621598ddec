import type { ApiProblem } from '../../../api/client.ts';

/** The types of channels that need one field. The settings have all of them. */
export const QUICK_TYPES = ['email', 'webhook', 'slack', 'discord', 'msteams', 'pagerduty'] as const;
export type QuickType = (typeof QUICK_TYPES)[number];

/** Returns the configuration of a channel from its one field. Pure. */
export function configOf(type: QuickType, value: string): Record<string, unknown> {
  if (type === 'email') return { to: [value] };
  return type === 'pagerduty' ? { routing_key: value } : { url: value };
}

/** Returns what the API said of the one field; undefined if it said something else. Pure. */
export function fieldProblem({ fields }: Pick<ApiProblem, 'fields'>): string | undefined {
  const [, problem] = Object.entries(fields).find(([path]) => path.startsWith('/config')) ?? [];
  return problem;
}
