import { backoffMs } from '../../../kernel/backoff.js';
import type { MonitoredDomainDocument, Registration, RegistrationDocument } from '../documents.js';
import { PENDING } from '../documents.js';
import type { Answer } from '../rdap/ask.js';
import { ASK_PERIOD_MS, CONFIRMED_MS, DOMAIN_BACKOFF, DOUBT_MS, KEPT_MS } from '../rdap/limits.js';
import type { ReadDomain } from '../rdap/read-domain.js';
import { stageOf } from '../rules/stage.js';

interface Step {
  name: string;
  /** What was known before; null for a domain that was never asked for. */
  before: RegistrationDocument | null;
  nowMs: number;
}

/** Returns what is known after an answer. `freeAtMs` is when the server may be asked again. Pure. */
export function afterAnswer({ name, before, nowMs }: Step, answer: Answer, freeAtMs: number): RegistrationDocument {
  const last = lastOf(before);
  const kept = { dated_at_ms: before?.dated_at_ms ?? null, doubted_ms: null, failures: 0 };
  const nextMs = nowMs + ASK_PERIOD_MS;
  if (answer.kind === 'found') return afterFound({ name, before, nowMs }, answer.domain);
  if (answer.kind === 'not_registered') {
    // The last date stays: a domain that was deleted after its expiry must not look as if it were renewed.
    const registration = { ...last, status: 'not_registered' as const, checked_at_ms: nowMs, problem: null };
    return documentOf(name, registration, { ...kept, next_at_ms: nextMs });
  }
  const failures = (before?.failures ?? 0) + 1;
  // A server that is down for a day changes nothing about what it said.
  const isRecent = last.checked_at_ms !== null && nowMs - last.checked_at_ms < CONFIRMED_MS;
  const status = isRecent ? last.status : 'unreachable';
  const next_at_ms = answer.kind === 'server_busy' ? freeAtMs : nowMs + backoffMs(failures, 0, DOMAIN_BACKOFF);
  const registration = { ...last, status, problem: answer.problem };
  return documentOf(name, registration, { ...kept, doubted_ms: before?.doubted_ms ?? null, failures, next_at_ms });
}

/** One odd answer moves no date: a missing date counts after three days, an earlier one that would alert when it is repeated. */
function afterFound({ name, before, nowMs }: Step, { expiresAtMs, phase, registrar }: ReadDomain) {
  const lastMs = before?.expires_at_ms ?? null;
  const told = { phase, registrar, checked_at_ms: nowMs, problem: null };
  const asked = { dated_at_ms: nowMs, doubted_ms: null, failures: 0, next_at_ms: nowMs + ASK_PERIOD_MS };
  if (expiresAtMs === null) {
    const dated_at_ms = before?.dated_at_ms ?? null;
    const isKept = lastMs !== null && dated_at_ms !== null && nowMs - dated_at_ms < CONFIRMED_MS;
    const status = isKept ? ('known' as const) : ('not_told' as const);
    return documentOf(name, { status, expires_at_ms: isKept ? lastMs : null, ...told }, { ...asked, dated_at_ms });
  }
  if (lastMs !== null && isAlarming(expiresAtMs, lastMs, nowMs) && before?.doubted_ms !== expiresAtMs) {
    const doubt = { doubted_ms: expiresAtMs, next_at_ms: nowMs + DOUBT_MS };
    return documentOf(name, { status: 'known', expires_at_ms: lastMs, ...told }, { ...asked, ...doubt });
  }
  return documentOf(name, { status: 'known', expires_at_ms: expiresAtMs, ...told }, asked);
}

/** Whether a date is earlier than the last one, and thereby reaches another stage. */
function isAlarming(expiresAtMs: number, lastMs: number, nowMs: number): boolean {
  const stage = (expires_at_ms: number) => stageOf({ expires_at_ms, phase: null }, nowMs);
  return expiresAtMs < lastMs && stage(expiresAtMs) !== stage(lastMs);
}

/** Returns what is known of a domain whose suffix has no RDAP server. Pure. */
export function withoutServer({ name, before, nowMs }: Step, untilMs: number): RegistrationDocument {
  const registration = { ...lastOf(before), status: 'unsupported' as const, problem: null };
  const kept = { dated_at_ms: before?.dated_at_ms ?? null, doubted_ms: null, failures: 0 };
  return documentOf(name, registration, { ...kept, next_at_ms: Math.max(untilMs, nowMs + 1) });
}

/** Returns what a domain of a workspace knows while its server must be left alone: `unreachable` after three days. Pure. */
export function whileUnasked(
  { registration, created_at_ms }: Pick<MonitoredDomainDocument, 'registration' | 'created_at_ms'>,
  problem: string | null,
  nowMs: number,
): Registration {
  if (problem === null) return registration;
  const isLong = nowMs - (registration.checked_at_ms ?? created_at_ms) >= CONFIRMED_MS;
  return { ...registration, status: isLong ? 'unreachable' : registration.status, problem };
}

/** Returns what a domain of a workspace still knows when the shared answer is lost; null for one that was never asked for. Pure. */
export function fromCopy(name: string, copy: Registration): RegistrationDocument | null {
  if (copy.status === 'pending') return null;
  const dated_at_ms = copy.expires_at_ms === null ? null : copy.checked_at_ms;
  return documentOf(name, copy, { next_at_ms: 0, failures: 0, dated_at_ms, doubted_ms: null });
}

function lastOf(before: RegistrationDocument | null): Registration {
  return before === null ? PENDING : registrationOf(before);
}

/** Returns the part that the domains of workspaces copy. */
export function registrationOf(document: RegistrationDocument): Registration {
  const { status, expires_at_ms, phase, registrar, checked_at_ms, problem } = document;
  return { status, expires_at_ms, phase, registrar, checked_at_ms, problem };
}

type Asking = Pick<RegistrationDocument, 'next_at_ms' | 'failures' | 'dated_at_ms' | 'doubted_ms'>;

function documentOf(name: string, registration: Registration, asking: Asking): RegistrationDocument {
  return { _id: name, ...registration, ...asking, kept_until: new Date(asking.next_at_ms + KEPT_MS) };
}
