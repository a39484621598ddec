import type { Clock } from '../../../kernel/clock.js';
import { toIso } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { SeenCertificate } from '../../monitors/documents.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { Timeline, TimelineEntry } from '../../timeline/timeline.js';
import type { IncidentMessages } from '../messages.js';
import { type ReplacementStep, replacementStep } from './replaced.js';
import type { CertificateStore, PresentedCertificate } from './store.js';

/** Records on the timeline that a monitor presents another certificate than before. */
export interface CertificateChanges {
  /**
   * Called with the certificates of stored results. Never rejects: what it could not record, the next result of the
   * monitor repeats.
   */
  seen(certificates: readonly { monitorId: string; fingerprint: string }[]): Promise<void>;
}

interface CertificateChangesNeeds {
  clock: Clock;
  logger: Logger;
  store: Pick<CertificateStore, 'presented' | 'writeSeen'>;
  runTransaction: RunTransaction;
  timeline: Timeline;
  messages: Pick<IncidentMessages, 'certificateReplaced'>;
}

/** A certificate of a monitor that was compared with the stored one is not compared again for this long. */
const COMPARED_MS = 1_800_000;

/** Above this number of compared certificates all are forgotten, which costs one read for each monitor. */
const COMPARED_MAX = 200_000;

export function createCertificateChanges(needs: CertificateChangesNeeds): CertificateChanges {
  const { clock, logger, store } = needs;
  /** When each pair of monitor and fingerprint was compared. */
  const compared = new Map<string, number>();

  const isDue = (key: string) => clock.monotonic() - (compared.get(key) ?? Number.NEGATIVE_INFINITY) >= COMPARED_MS;

  return {
    async seen(certificates) {
      const due = certificates.filter((one) => isDue(keyOf(one)));
      if (due.length === 0) return;
      try {
        await compare(needs, await store.presented([...new Set(due.map(({ monitorId }) => monitorId))]));
      } catch (err) {
        logger.warn({ err, monitors: due.length }, 'failed to compare certificates; the next results repeat it');
        return;
      }
      if (compared.size + due.length > COMPARED_MAX) compared.clear();
      for (const one of due) compared.set(keyOf(one), clock.monotonic());
    },
  };
}

function keyOf({ monitorId, fingerprint }: { monitorId: string; fingerprint: string }): string {
  return `${monitorId} ${fingerprint}`;
}

async function compare(
  { clock, store, runTransaction, timeline, messages }: CertificateChangesNeeds,
  monitors: readonly PresentedCertificate[],
): Promise<void> {
  const nowMs = clock.now();
  const steps = monitors.flatMap((monitor) => {
    const step = replacementStep(monitor.certificate_seen ?? null, monitor.certificate, nowMs);
    return step.do === 'nothing' ? [] : [{ monitor, step }];
  });
  if (steps.length === 0) return;
  await runTransaction(async (tx) => {
    const writes = steps.map(({ monitor, step }) => ({ monitor, seen: step.seen }));
    const written = await store.writeSeen(tx, writes);
    if (!written) throw new Error('another control plane has compared these certificates at the same time');
    await timeline.record(
      tx,
      steps.flatMap(({ monitor, step }) => (step.do === 'record' ? [lineOf(messages, monitor, step, nowMs)] : [])),
    );
  });
}

function lineOf(
  messages: CertificateChangesNeeds['messages'],
  monitor: PresentedCertificate,
  { from, seen: { current: to } }: Extract<ReplacementStep, { do: 'record' }>,
  nowMs: number,
): TimelineEntry {
  const { _id: id, name } = monitor;
  return {
    workspaceId: monitor.workspace_id,
    atMs: nowMs,
    type: 'certificate.changed',
    resource: { type: 'monitor', id, name },
    message: messages.certificateReplaced({ name, from, to }),
    actor: 'system',
    metadata: { from: viewOf(from), to: viewOf(to) },
  };
}

function viewOf({ issuer, not_after_ms, fingerprint }: SeenCertificate): Record<string, unknown> {
  return { issuer, expires_at: toIso(not_after_ms), fingerprint };
}
