import type { IncidentSeverity } from '../../incidents/documents.js';
import type { CertificateNotice, MonitorDocument } from '../../monitors/documents.js';

export const DAY_MS = 86_400_000;

interface Threshold {
  days: CertificateNotice['days'];
  severity: IncidentSeverity;
}

const THRESHOLDS: readonly Threshold[] = [
  { days: 3, severity: 'critical' },
  { days: 14, severity: 'warning' },
  { days: 30, severity: 'info' },
];

/**
 * A certificate counts as renewed when only better ones were seen for this long: several servers behind one name may
 * present different certificates, and an incident must not depend on which of them answers.
 */
const RENEWED_AFTER_MS = 600_000;

export type CertificateStep =
  | { do: 'nothing' }
  /** Opens an incident and stores the notice. `again`: users were notified before an outage superseded the incident. */
  | { do: 'open'; severity: IncidentSeverity; notice: CertificateNotice; again: boolean }
  /** Stores the notice. */
  | { do: 'note'; notice: CertificateNotice }
  /** Resolves the incident and removes the notice. `renewed`: there is a better certificate; else there is none. */
  | { do: 'clear'; renewed: boolean };

/** Returns what to do about the certificate of a monitor. Pure. Does nothing while the monitor is down. */
export function certificateStep(
  monitor: Pick<MonitorDocument, 'certificate' | 'certificate_told'> & { state: { status: 'up' | 'down' } },
  nowMs: number,
): CertificateStep {
  const notice = monitor.certificate_told ?? null;
  const { certificate } = monitor;
  if (monitor.state.status === 'down') return { do: 'nothing' };
  const left = certificate === null ? Number.POSITIVE_INFINITY : certificate.not_after_ms - nowMs;
  const reached = THRESHOLDS.find(({ days }) => left <= days * DAY_MS);
  if (certificate === null || reached === undefined) return goodStep(notice, certificate !== null, nowMs);
  const next: CertificateNotice = {
    fingerprint: certificate.fingerprint,
    days: reached.days,
    superseded: false,
    good_since_ms: null,
  };
  // Only less time than in the notice opens a new incident, whichever certificate it is.
  if (notice === null || reached.days < notice.days) {
    return { do: 'open', severity: reached.severity, notice: next, again: false };
  }
  if (notice.superseded) {
    return { do: 'open', severity: reached.severity, notice: { ...next, days: notice.days }, again: true };
  }
  return notice.good_since_ms === null ? { do: 'nothing' } : { do: 'note', notice: { ...notice, good_since_ms: null } };
}

/** Returns the step for a certificate above all thresholds, or for none. */
function goodStep(notice: CertificateNotice | null, renewed: boolean, nowMs: number): CertificateStep {
  if (notice === null) return { do: 'nothing' };
  if (notice.good_since_ms === null) return { do: 'note', notice: { ...notice, good_since_ms: nowMs } };
  if (nowMs - notice.good_since_ms < RENEWED_AFTER_MS) return { do: 'nothing' };
  return { do: 'clear', renewed };
}
