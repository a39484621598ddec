import { isoOrNull, toIso } from '../../kernel/clock.js';
import { daysRemaining } from '../monitors/monitors.js';
import type { MonitoredDomainDocument } from './documents.js';
import type { MonitoredDomain } from './schema.js';

/** Returns a domain as the API shows it. */
export function domainView(domain: MonitoredDomainDocument, nowMs: number): MonitoredDomain {
  const { status, expires_at_ms, registrar, checked_at_ms, problem } = domain.registration;
  return {
    ...{ id: domain._id, name: domain.name, status, registrar, problem },
    expires_at: isoOrNull(expires_at_ms),
    days_remaining: expires_at_ms === null ? null : daysRemaining(expires_at_ms, nowMs),
    checked_at: isoOrNull(checked_at_ms),
    next_check_at: toIso(domain.next_at_ms),
    monitors: domain.monitors,
    monitor_ids: [...domain.monitor_ids],
  };
}
