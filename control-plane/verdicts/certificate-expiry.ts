import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createRounds } from '../../kernel/rounds.js';
import type { Actor } from '../actor.js';
import type { IncidentSeverity } from '../incidents/documents.js';
import type { IncidentMessages, OutageIncidents, Timeline } from '../incidents/incidents.js';
import type { CertificateTold, MonitorDocument } from '../monitors/documents.js';
import { monitorSubject } from '../monitors/monitors.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../storage/transaction.js';
import type { VerdictStore } from './store.js';

/** Tells of certificates that run out: once at each threshold. */
export interface CertificateExpiry {
  /** Judges all that are near their end, or of which something was told. */
  runDue(nowMs: number): Promise<void>;
  /** Judges one, after its outage ended. */
  judge(monitorId: string, nowMs: number): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

type Threshold = CertificateTold['days'];

const DAY_MS = 86_400_000;
const THRESHOLDS: readonly { days: Threshold; severity: IncidentSeverity }[] = [
  { days: 3, severity: 'critical' },
  { days: 14, severity: 'warning' },
  { days: 30, severity: 'info' },
];

/** A change of a certificate is seen within so long, and so is a threshold that passes. */
const PERIOD_MS = 60_000;

/**
 * A certificate counts as renewed when nothing else was seen for so long: behind one name there may be servers
 * with different ones, and an incident must not come and go with whichever answers.
 */
const RENEWED_AFTER_MS = 600_000;
const PAGE_MONITORS = 500;

export type CertificateStep =
  | { do: 'nothing' }
  /** Opens an incident; `told` then. `again`: it was told before an outage took its place. */
  | { do: 'open'; severity: IncidentSeverity; told: CertificateTold; again: boolean }
  | { do: 'note'; told: CertificateTold }
  /** Resolves what is open and forgets. `renewed`: there is a better certificate; else none at all. */
  | { do: 'forget'; renewed: boolean };

/** The rule. Pure. A monitor that is down is left alone: its outage comes first. */
export function certificateStep(
  monitor: Pick<MonitorDocument, 'certificate' | 'certificate_told'> & { state: { status: 'up' | 'down' } },
  nowMs: number,
): CertificateStep {
  const told = monitor.certificate_told ?? null;
  const { certificate } = monitor;
  if (monitor.state.status === 'down') return { do: 'nothing' };
  const left = certificate === null ? Number.POSITIVE_INFINITY : certificate.not_after_ms - nowMs;
  const reached = THRESHOLDS.find(({ days }) => left <= days * DAY_MS);
  if (certificate === null || reached === undefined) {
    if (told === null) return { do: 'nothing' };
    if (told.good_since_ms === null) return { do: 'note', told: { ...told, good_since_ms: nowMs } };
    if (nowMs - told.good_since_ms < RENEWED_AFTER_MS) return { do: 'nothing' };
    return { do: 'forget', renewed: certificate !== null };
  }
  const next: CertificateTold = {
    fingerprint: certificate.fingerprint,
    days: reached.days,
    superseded: false,
    good_since_ms: null,
  };
  // Only less left than was told is news, whichever certificate it is.
  if (told === null || reached.days < told.days) {
    return { do: 'open', severity: reached.severity, told: next, again: false };
  }
  if (told.superseded)
    return { do: 'open', severity: reached.severity, told: { ...next, days: told.days }, again: true };
  return told.good_since_ms === null ? { do: 'nothing' } : { do: 'note', told: { ...told, good_since_ms: null } };
}

export function createCertificateExpiry(deps: {
  clock: Clock;
  logger: Logger;
  store: VerdictStore;
  runTransaction: RunTransaction;
  incidents: OutageIncidents;
  messages: IncidentMessages;
  timeline: Timeline;
  systemActor(workspaceId: string): Actor;
}): CertificateExpiry {
  const { clock, store, incidents, messages } = deps;

  async function judgeMonitor(monitor: MonitorDocument, nowMs: number): Promise<void> {
    const step = certificateStep(monitor, nowMs);
    if (step.do === 'nothing' || monitor.paused_at_ms !== null) return;
    try {
      await deps.runTransaction(async (tx) => {
        if (!(await store.writeTold(tx, monitor, step.do === 'forget' ? null : step.told))) return;
        if (step.do === 'open') await open(tx, monitor, step, nowMs);
        if (step.do === 'forget') await forget(tx, monitor, step.renewed);
      });
    } catch (error) {
      // An outage opened its incident at the same moment; the next look sees it.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async function open(
    tx: Transaction,
    monitor: MonitorDocument,
    step: Extract<CertificateStep, { do: 'open' }>,
    nowMs: number,
  ): Promise<void> {
    const certificate = monitor.certificate;
    if (certificate === null) return;
    const message = messages.certificate({
      name: monitor.name,
      notAfterMs: certificate.not_after_ms,
      nowMs,
      issuer: certificate.issuer,
    });
    await endOpen(tx, monitor, 'superseded', message);
    await incidents.open(tx, {
      workspaceId: monitor.workspace_id,
      kind: 'certificate',
      subject: monitorSubject(monitor._id),
      monitor: { id: monitor._id, name: monitor.name },
      resource: resourceOf(monitor),
      severity: step.severity,
      message,
      startedAtMs: nowMs,
      decision: null,
      channels: monitor.channels,
      runbookUrl: monitor.runbook_url,
      silent: false,
      already_told: step.again,
    });
  }

  async function forget(tx: Transaction, monitor: MonitorDocument, renewed: boolean): Promise<void> {
    const { name, certificate } = monitor;
    const message =
      renewed && certificate !== null
        ? messages.certificateRenewed({ name, notAfterMs: certificate.not_after_ms })
        : messages.certificateGone({ name });
    await endOpen(tx, monitor, 'recovered', message);
    await deps.timeline.record(tx, [
      {
        workspaceId: monitor.workspace_id,
        atMs: clock.now(),
        type: 'certificate.changed',
        resource: resourceOf(monitor),
        message,
        actor: 'system',
      },
    ]);
  }

  async function endOpen(
    tx: Transaction,
    monitor: MonitorDocument,
    resolution: 'superseded' | 'recovered',
    message: string,
  ): Promise<void> {
    const subject = monitorSubject(monitor._id);
    const known = await incidents.unresolved(monitor.workspace_id, subject, tx);
    if (known === null || known.kind !== 'certificate') return;
    // The next threshold takes its place without a word: it has its own.
    if (resolution === 'superseded') await incidents.supersede(tx, monitor.workspace_id, subject, 'monitor');
    else {
      await incidents.resolveSubject(tx, deps.systemActor(monitor.workspace_id), {
        workspaceId: monitor.workspace_id,
        subject,
        resolution,
        message,
        recovery: null,
      });
    }
  }

  async function runDue(nowMs: number): Promise<void> {
    let after: string | null = null;
    for (;;) {
      const page = await store.certificatesToJudge(nowMs + 30 * DAY_MS, after, PAGE_MONITORS);
      for (const monitor of page) await judgeMonitor(monitor, nowMs);
      after = page.at(-1)?._id ?? null;
      if (page.length < PAGE_MONITORS) return;
    }
  }

  return {
    runDue,
    async judge(monitorId, nowMs) {
      const monitor = await store.load(monitorId);
      if (monitor !== null) await judgeMonitor(monitor, nowMs);
    },
    ...createRounds({
      clock,
      periodMs: PERIOD_MS,
      round: () => runDue(clock.now()),
      failed: (error) =>
        deps.logger.error({ err: error }, 'certificates could not be judged; the next look tries again'),
    }),
  };
}

function resourceOf(monitor: MonitorDocument): { type: string; id: string; name: string } {
  return { type: 'monitor', id: monitor._id, name: monitor.name };
}
