import { type MonitoredDomainDocument, PENDING, type Registration, type RegistrationDocument } from '../documents.js';
import { ASK_PERIOD_MS, ASK_SPREAD_MS, DOMAIN_BACKOFF } from '../rdap/limits.js';
import { registrationOf } from './next.js';

/**
 * Returns what a workspace sees of an answer that all workspaces share, and when its domain is due. With its first look it sees
 * what it would if it were the first to ask, so that it does not learn that another workspace has the domain. `fraction` is a
 * random number in [0, 1). Pure.
 */
export function ownView(
  { registration: own, created_at_ms }: Pick<MonitoredDomainDocument, 'registration' | 'created_at_ms'>,
  found: RegistrationDocument,
  nowMs: number,
  fraction: number,
): Pick<MonitoredDomainDocument, 'registration' | 'next_at_ms'> {
  const isFirst = own.checked_at_ms === null;
  const seen = isFirst ? firstSight(found) : registrationOf(found);
  const checked_at_ms = seen.checked_at_ms === null ? null : Math.max(seen.checked_at_ms, created_at_ms);
  const dueMs = isFirst ? firstDueMs(found, nowMs) : found.next_at_ms;
  return {
    registration: { ...seen, checked_at_ms },
    next_at_ms: dueMs + Math.floor(fraction * ASK_SPREAD_MS),
  };
}

/** Without what the registry said before it failed, had no server, or no longer had the domain. */
function firstSight(found: RegistrationDocument): Registration {
  const { status, checked_at_ms, problem } = found;
  if (problem !== null) return { ...PENDING, status: 'unreachable', problem };
  if (status === 'unsupported') return { ...PENDING, status };
  return status === 'not_registered' ? { ...PENDING, status, checked_at_ms } : registrationOf(found);
}

function firstDueMs({ status, problem, next_at_ms }: RegistrationDocument, nowMs: number): number {
  if (problem !== null) return Math.min(next_at_ms, nowMs + DOMAIN_BACKOFF.firstMs);
  // As for all domains of the suffix.
  return status === 'unsupported' ? next_at_ms : nowMs + ASK_PERIOD_MS;
}
