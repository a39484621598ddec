import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { TargetGuard } from '../../../kernel/target-guard.js';
import { PLANS } from '../../accounts/plans.js';
import type { Actor } from '../../actor.js';
import { AppError, invalidField } from '../../errors.js';
import { parseTimestamp } from '../../http/input/timestamp.js';
import { createIds, type Ids } from '../../storage/ids.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { AuditLog, AuditSeverity } from '../audit.js';
import type { ForwardedEntries } from './delivery/entries-store.js';
import type { ForwarderStore } from './store.js';

/** What creating, changing and deleting a forwarder share. */
export interface ForwarderVerbDeps {
  store: ForwarderStore;
  entries: ForwardedEntries;
  audit: AuditLog;
  box: SecretBox;
  guard: TargetGuard;
  ids: Ids;
  clock: Clock;
  random: Random;
}

/** Throws 403 unless the plan includes forwarding. */
export function requireForwarding(actor: Actor): void {
  if (PLANS[actor.plan].auditExport) return;
  throw new AppError('plan_required', 'Forwarding the audit log needs the Enterprise plan.');
}

/** Throws 422 for what is no certificate, or holds a private key. */
export function checkCa(ca: string): void {
  const certificates = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (ca.includes('PRIVATE KEY')) throw invalidField('/ca', 'must hold certificates only, no private key');
  if (certificates.length === 0) throw invalidField('/ca', 'must be a certificate in PEM form');
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch {
      // What OpenSSL has to say about it helps nobody.
      throw invalidField('/ca', 'holds a certificate that cannot be read');
    }
  }
}

/** The severities of a filter, in the product's order; null for all. */
export function severitiesOf(filter: { severity?: AuditSeverity[] } | null | undefined): AuditSeverity[] | null {
  const asked = filter?.severity;
  if (asked === undefined) return null;
  return (['info', 'warning', 'critical'] as const).filter((severity) => asked.includes(severity));
}

/** Where entries from this time on begin. Throws 422 for a time that has not come. */
export function cursorFrom(
  from: string,
  deps: Pick<ForwarderVerbDeps, 'clock' | 'random'>,
): { id: string; at_ms: number } {
  const atMs = parseTimestamp(from) ?? 0;
  if (atMs > deps.clock.now()) throw invalidField('/from', 'must not be in the future');
  // An entry's id is never older than its time, so none of that time or later sorts before this.
  const noChance = { ...deps.random, bytes: (length: number) => Buffer.alloc(length) };
  const id = createIds({ ...deps.clock, now: () => Math.max(0, atMs) }, noChance).next('evt');
  return { id, at_ms: atMs };
}
