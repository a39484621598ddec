import { toIso } from '../../../kernel/clock.js';
import type { IncidentDecision, IncidentDocument } from '../../incidents/documents.js';
import { type IncidentKind, RUNBOOK_LABEL } from '../../incidents/kind.js';

/** What an incident of this kind stores. The API shows it in `facts`, and as no decision. */
interface CertificateRecord extends IncidentDecision {
  certificate: { not_after_ms: number; issuer: string };
}

/** Returns what the incident of a certificate stores. Pure. */
export function certificateRecord(certificate: CertificateRecord['certificate']): CertificateRecord {
  return { reason: '', times: { opened_at_ms: null, recovered_at_ms: null }, certificate };
}

function certificateOf({ decision }: IncidentDocument): CertificateRecord['certificate'] | null {
  return decision !== null && 'certificate' in decision ? (decision as CertificateRecord).certificate : null;
}

/** A monitor's certificate that expires soon, or has expired. */
export const certificateKind: IncidentKind = {
  kind: 'certificate',
  description: 'an expiring certificate',
  started: null,
  byAlertRules: false,
  decision: null,
  examples: [],
  state: () => ({ opened: 'CERTIFICATE EXPIRING', lasting: 'CERTIFICATE STILL EXPIRING' }),
  name: ({ monitor_name, resource }) => monitor_name ?? resource.name,
  recoveredTitle: () => null,
  subjectFacts: () => [],
  evidenceFacts: () => [],
  facts(incident) {
    const known = certificateOf(incident);
    return known === null ? null : { type: 'certificate', expires_at: toIso(known.not_after_ms), issuer: known.issuer };
  },
  votes: () => [],
  resolutions: { paused: 'the monitor was paused', deleted: 'the monitor was deleted' },
  runbookLabel: RUNBOOK_LABEL,
};
