import type { IncidentFilter } from '../../../api/queries.ts';
import type { Incident } from '../../../api/types.ts';

export const STATUSES = ['firing', 'silenced', 'resolved'] as const;
export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export const KINDS = ['monitor', 'certificate', 'server', 'blacklist', 'domain', 'location'] as const;

const TEXT_CHARS_MAX = 200;

/** Returns what is valid of the parameters of the address of the list. */
export function incidentSearch(parameters: Record<string, unknown>): IncidentFilter {
  const one = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === parameters[name]);
  // The router reads `?q=5` as a number.
  const { q } = parameters;
  return compactFilter({
    status: one('status', STATUSES),
    severity: one('severity', SEVERITIES),
    kind: one('kind', KINDS),
    q: typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, TEXT_CHARS_MAX) : '',
  });
}

/** Returns the filter without its absent and empty parts. */
export function compactFilter(
  filter: {
    [Name in keyof IncidentFilter]: IncidentFilter[Name] | undefined;
  },
): IncidentFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''));
}

/** Returns incidents with the worst first, and of equally bad ones the oldest. Pure. */
export function inOrder<One extends Pick<Incident, 'severity' | 'started_at'>>(incidents: readonly One[]): One[] {
  const rank = ({ severity }: One) => SEVERITIES.indexOf(severity);
  return [...incidents].sort((a, b) => rank(a) - rank(b) || Date.parse(a.started_at) - Date.parse(b.started_at));
}
