import type { Logger } from '../../../../kernel/logger.js';
import type { Random } from '../../../../kernel/random.js';
import type { SecretBox } from '../../../storage/secret-box.js';
import type { ForwarderDocument } from '../documents.js';
import { openSecrets, withoutSecrets } from '../secrets.js';
import type { ForwarderStore, WorkerClaim } from '../store.js';
import type { ForwardError } from '../transports/interface.js';
import { forwardRetryDelayMs } from './retry-delay.js';
import { IDLE_MS_MAX, lastSentMs, runSession, type SessionNeeds, type WorkerState } from './session.js';
import { createWakeUp } from './wake-up.js';

export interface WorkerNeeds extends SessionNeeds {
  store: ForwarderStore;
  box: SecretBox;
  random: Random;
  logger: Logger;
}

/** The delivery loop of one forwarder. It ends by itself when the forwarder is changed, paused or deleted. */
export interface ForwardWorker {
  readonly claim: WorkerClaim;
  /** Sets the last sealed entry of the chain. */
  setHead(id: string): void;
  /** Finishes the current work, within a few seconds. */
  stop(): void;
  readonly ended: Promise<void>;
}

const STOP_MS_MAX = 3_000;
const LEASE_POLL_MS = 250;

export function startWorker(needs: WorkerNeeds, workspaceId: string, claim: WorkerClaim): ForwardWorker {
  const wakeUp = createWakeUp(needs.clock);
  const deadline = new AbortController();
  const state: WorkerState = {
    ...{ claim, workspaceId, wakeUp, deadline: deadline.signal },
    ...{ headId: '', stopping: false, batchLimit: null },
  };
  return {
    claim,
    setHead(id) {
      if (id <= state.headId) return;
      state.headId = id;
      wakeUp.signal();
    },
    stop() {
      if (state.stopping) return;
      state.stopping = true;
      wakeUp.signal();
      needs.clock.after(STOP_MS_MAX, () => deadline.abort());
    },
    ended: run(needs, state),
  };
}

async function run(needs: WorkerNeeds, state: WorkerState): Promise<void> {
  const { store, clock, logger } = needs;
  while (!state.stopping) {
    if (!needs.hasLease()) {
      // The driver renews the lease or stops this worker.
      await clock.sleep(LEASE_POLL_MS);
      continue;
    }
    try {
      const forwarder = await store.find(state.workspaceId, state.claim.id);
      if (forwarder === null || forwarder.version !== state.claim.version || forwarder.paused_at_ms !== null) return;
      if (!(await isDue(needs, state, forwarder))) continue;
      const result = await runSession(needs, state, forwarder);
      if (result === 'lost') return;
      if (result !== null && !state.stopping && !(await recordFailure(needs, state, forwarder, result))) return;
    } catch (error) {
      // The database is unreachable, or a secret cannot be opened.
      const delayMs = forwardRetryDelayMs(1, null, needs.random.fraction());
      logger.warn({ err: error, forwarder: state.claim.id, delayMs }, 'forwarding failed, retrying');
      await state.wakeUp.wait(delayMs);
    }
  }
}

/** Waits until there is something to send. Resolves to false if the forwarder must be read again first. */
async function isDue(needs: WorkerNeeds, state: WorkerState, forwarder: ForwarderDocument): Promise<boolean> {
  const nowMs = needs.clock.now();
  const delayMs = forwarder.next_attempt_ms - nowMs;
  if (delayMs > 0) {
    await state.wakeUp.wait(Math.min(delayMs, IDLE_MS_MAX));
    // The signal may have been a new head, which does not shorten the retry delay.
    return false;
  }
  if (state.headId > forwarder.cursor.id) return true;
  const heartbeatInMs = lastSentMs(forwarder) + needs.heartbeatMs - nowMs;
  if (heartbeatInMs <= 0) return true;
  await state.wakeUp.wait(Math.min(heartbeatInMs, IDLE_MS_MAX));
  return false;
}

/** Resolves to false if another worker owns the forwarder now. */
async function recordFailure(
  needs: WorkerNeeds,
  state: WorkerState,
  forwarder: ForwarderDocument,
  failure: ForwardError,
): Promise<boolean> {
  const atMs = needs.clock.now();
  const error = withoutSecrets(failure.message, openSecrets(forwarder, needs.box));
  const current = await needs.store.find(state.workspaceId, forwarder._id);
  const failures = (current?.failures ?? 0) + 1;
  const delayMs = forwardRetryDelayMs(failures, failure.retryAfterMs, needs.random.fraction());
  if (failures === 1) {
    needs.logger.info(
      { forwarder: forwarder._id, error, delayMs },
      'delivery to the receiver of a forwarder failed, retrying',
    );
  }
  return needs.store.fail(state.claim, { error, atMs, nextAttemptMs: atMs + delayMs });
}
