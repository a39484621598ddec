import type { AuditSeverity } from '../audit.js';

/** Whether a forwarder with these severities sends an entry of this one; null is all. */
export function wants(severities: readonly AuditSeverity[] | null, severity: AuditSeverity): boolean {
  return severities === null || severities.includes(severity);
}
