import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import type { MonitorDocument } from '../../monitors/documents.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import { type CertificateIncidentsNeeds, createCertificateIncidents } from './incidents.js';
import { certificateStep, DAY_MS } from './rule.js';
import type { CertificateStore } from './store.js';

/** Opens incidents for certificates that expire soon, one at each threshold. */
export interface CertificateExpiry {
  /** Checks all certificates that expire soon and all monitors with a notice. */
  runDue(nowMs: number): Promise<void>;
  /** Checks one monitor, after the end of its outage. */
  check(monitorId: string, nowMs: number): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface CertificateExpiryNeeds extends CertificateIncidentsNeeds {
  logger: Logger;
  store: CertificateStore & { load(monitorId: string): Promise<MonitorDocument | null> };
  runTransaction: RunTransaction;
}

/** A changed certificate and a reached threshold are noticed within this time. */
const PERIOD_MS = 60_000;
const WARN_BEFORE_MS = 30 * DAY_MS;
const PAGE_MONITORS = 500;

export function createCertificateExpiry(needs: CertificateExpiryNeeds): CertificateExpiry {
  const { clock, store, runTransaction, logger } = needs;
  const incidents = createCertificateIncidents(needs);

  async function checkMonitor(monitor: MonitorDocument, nowMs: number): Promise<void> {
    const step = certificateStep(monitor, nowMs);
    if (step.do === 'nothing' || monitor.paused_at_ms !== null) return;
    try {
      await runTransaction(async (tx) => {
        if (!(await store.writeNotice(tx, monitor, step.do === 'clear' ? null : step.notice))) return;
        if (step.do === 'open') await incidents.open(tx, monitor, step, nowMs);
        if (step.do === 'clear') await incidents.resolve(tx, monitor, step.renewed);
      });
    } catch (error) {
      // A concurrent outage opened its incident. The next check sees it.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async function runDue(nowMs: number): Promise<void> {
    let after: string | null = null;
    for (;;) {
      const page = await store.certificatesDue(nowMs + WARN_BEFORE_MS, after, PAGE_MONITORS);
      for (const monitor of page) await checkMonitor(monitor, nowMs);
      after = page.at(-1)?._id ?? null;
      if (page.length < PAGE_MONITORS) return;
    }
  }

  return {
    runDue,
    async check(monitorId, nowMs) {
      const monitor = await store.load(monitorId);
      if (monitor !== null) await checkMonitor(monitor, nowMs);
    },
    ...createPeriodicTask({
      clock,
      periodMs: PERIOD_MS,
      run: () => runDue(clock.now()),
      onFailure: (error) =>
        logger.error({ err: error }, `failed to check certificates, retrying in ${PERIOD_MS / 1_000} s`),
    }),
  };
}
