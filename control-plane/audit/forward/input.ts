import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { invalidField } from '../../errors.js';
import { parseTimestamp } from '../../http/input/time/timestamp.js';
import { planLimit, planRefused } from '../../plans/plan-limit.js';
import { PLANS } from '../../plans/plans.js';
import { idFloor } from '../../storage/ids.js';
import type { AuditSeverity } from '../audit.js';

/** Throws 403 unless the plan includes forwarding. */
export function requireForwarding(actor: Actor): void {
  if (PLANS[actor.plan].auditExport) return;
  const of = { limit: 'feature', plan: actor.plan, largerPlan: 'Enterprise' } as const;
  throw planRefused(planLimit('Forwarding the audit log needs the Enterprise plan.', of), 'plan_required');
}

/** Throws 422 for text that is not a certificate, or that contains a private key. */
export function validateCa(ca: string): void {
  const certificates = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (ca.includes('PRIVATE KEY')) {
    throw invalidField('/ca', 'must contain certificates only, not a private key', 'certificate');
  }
  if (certificates.length === 0) throw invalidField('/ca', 'must be a certificate in PEM form', 'certificate');
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch {
      // The message of OpenSSL would not help the user.
      throw invalidField('/ca', 'contains a certificate that cannot be parsed', 'certificate');
    }
  }
}

/** Returns the severities of a filter in their usual order; null for all. */
export function severitiesOf(filter: { severity?: AuditSeverity[] } | null | undefined): AuditSeverity[] | null {
  const wanted = filter?.severity;
  if (wanted === undefined) return null;
  return (['info', 'warning', 'critical'] as const).filter((severity) => wanted.includes(severity));
}

/** Returns the cursor before the entries from this time on. Throws 422 for a time in the future. */
export function cursorFrom(from: string, clock: Pick<Clock, 'now'>): { id: string; at_ms: number } {
  const atMs = parseTimestamp(from) ?? 0;
  if (atMs > clock.now()) throw invalidField('/from', 'must not be in the future', 'future');
  // An entry's id is never older than its timestamp, so no entry of that time sorts before this id.
  return { id: idFloor('evt', atMs), at_ms: atMs };
}
