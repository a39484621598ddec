import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import type { Job } from '../../slice.js';
import type { MailDocument } from '../documents.js';
import type { MailMetrics } from '../metrics.js';
import { final } from '../retry.js';
import type { MailStore } from '../store.js';
import type { Attempt } from './attempt.js';
import type { RecordResult } from './record-result.js';
import type { ServerHealth } from './server-health.js';
import { createMailTurns, keptFree, type MailTurns } from './turns.js';

interface DelivererNeeds {
  store: MailStore;
  attempt: Attempt;
  recordResult: RecordResult;
  health: ServerHealth;
  metrics: MailMetrics;
  clock: Clock;
  logger: Logger;
  leaseMs: number;
  /** Aborted by `stop`: no attempt starts any more. */
  draining: AbortController;
  /** Aborted some seconds later: attempts in progress end. */
  cutOff: AbortController;
}

interface Deliverer extends Job {
  /** A mail may be due. */
  wake(): void;
}

const POLL_MS = 1_000;
/** A stop lets attempts finish for this long, then aborts them. */
const STOP_GRACE_MS = 5_000;
const EXPIRED_PER_POLL_MAX = 100;

interface State {
  running: boolean;
  /** Whether mails may be due. A claim resets it. */
  mayHaveDue: boolean;
  /** Whether a claim is in progress. No two run at once, because what one takes decides what the next one leaves to others. */
  claiming: boolean;
  /** Claims and attempts in progress. */
  working: Set<Promise<void>>;
  /** Mails that are being sent. */
  sending: Set<MailDocument>;
  /** Whether mails may be due that could not be claimed, because a place is kept free. */
  heldBack: boolean;
  turns: MailTurns;
}

/** Claims due mails, one for each free place, and sends them. Any number of control planes can run this at the same time. */
export function createDeliverer(needs: DelivererNeeds): Deliverer {
  const { clock, logger, draining, cutOff } = needs;
  const state: State = {
    ...{ running: false, mayHaveDue: false, claiming: false, heldBack: false },
    ...{ working: new Set(), sending: new Set() },
    turns: createMailTurns(needs.store),
  };
  const wake = () => {
    state.mayHaveDue = true;
    fill(needs, state);
  };
  const polling = createPeriodicTask({
    clock,
    periodMs: POLL_MS,
    firstMs: 0,
    async run() {
      await poll(needs);
      wake();
    },
    onFailure: (err) => logger.error({ err }, 'failed to poll the outbox of e-mails; the next poll retries'),
  });
  return {
    wake,
    start() {
      state.running = true;
      polling.start();
    },
    async stop() {
      state.running = false;
      draining.abort();
      const grace = clock.after(STOP_GRACE_MS, () => cutOff.abort());
      await polling.stop();
      await Promise.all(state.working);
      grace.cancel();
    },
  };
}

/** Takes free places while mails may be due. */
function fill(needs: DelivererNeeds, state: State): void {
  if (!state.running || !state.mayHaveDue || state.claiming) return;
  if (state.working.size >= needs.health.places()) return;
  const work = serve(needs, state).finally(() => {
    state.working.delete(work);
    fill(needs, state);
  });
  state.working.add(work);
}

/** Serves one place: claims a mail and sends it. */
async function serve(needs: DelivererNeeds, state: State): Promise<void> {
  const { store, clock, logger, health } = needs;
  state.mayHaveDue = false;
  state.claiming = true;
  const claimedAt = clock.monotonic();
  const kept = keptFree(state.sending, health.places());
  let mail: MailDocument | null;
  try {
    mail = await state.turns.claim(clock.now(), needs.leaseMs, kept);
  } catch (err) {
    return logger.error({ err }, 'failed to claim an e-mail; the next poll retries');
  } finally {
    state.claiming = false;
  }
  if (mail === null) {
    state.heldBack = kept.slow || kept.workspaceId !== null;
    return;
  }
  state.mayHaveDue = true;
  state.sending.add(mail);
  fill(needs, state);
  const startedAt = clock.monotonic();
  const answer = await needs.attempt(mail, claimedAt);
  state.sending.delete(mail);
  state.mayHaveDue ||= state.heldBack;
  if (answer === 'failed') health.failed(startedAt);
  if (answer !== 'answered' || !health.answered()) return;
  await store.serverIsBack(clock.now()).catch((err: unknown) => {
    logger.error({ err }, 'failed to release e-mails that waited for the mail server; they wait for their backoff');
  });
}

async function poll(needs: DelivererNeeds): Promise<void> {
  const { store, clock, metrics, logger, recordResult } = needs;
  const reclaimed = await store.reclaim();
  if (reclaimed > 0)
    logger.warn({ mails: reclaimed }, 'reclaimed e-mails of another control plane after their leases ended');
  const expired = await store.expired(clock.now(), EXPIRED_PER_POLL_MAX);
  for (const mail of expired) {
    if (!(await recordResult(mail, final('expired', clock.now(), {})))) continue;
    metrics.count(mail.kind, 'expired');
    const { _id, to, kind, subject, attempts, error } = mail;
    logger.error({ mail: _id, to, kind, subject, attempts, error }, 'an e-mail expired before it was sent');
  }
}
