import type { AuditSeverity } from '../audit.js';

/** Returns whether a forwarder with these severities sends an entry of this severity; null means all severities. */
export function wants(severities: readonly AuditSeverity[] | null, severity: AuditSeverity): boolean {
  return severities === null || severities.includes(severity);
}
