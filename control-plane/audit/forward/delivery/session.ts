import type { Clock } from '../../../../kernel/clock.js';
import type { ForwarderDocument } from '../documents.js';
import type { ForwarderStore, WorkerClaim } from '../store.js';
import { ForwardError, type Transport } from '../transports/interface.js';
import type { OpenTransport } from '../transports/open.js';
import { composeEntries, composeSignal } from './compose.js';
import type { ForwardedEntries } from './entries-store.js';
import { createDeliveryProgress, type DeliveryProgress } from './progress.js';
import type { WakeUp } from './wake-up.js';

export interface SessionNeeds {
  store: Pick<ForwarderStore, 'advance'>;
  entries: Pick<ForwardedEntries, 'after'>;
  open: OpenTransport;
  /** Returns whether this process still holds the lease. */
  hasLease(): boolean;
  /** A forwarder that has sent nothing for this long sends a heartbeat. */
  heartbeatMs: number;
  version: string;
  clock: Clock;
}

/** The state of a worker. */
export interface WorkerState {
  readonly claim: WorkerClaim;
  readonly workspaceId: string;
  readonly wakeUp: WakeUp;
  /** Aborted when the worker must end, even in the middle of a delivery. */
  readonly deadline: AbortSignal;
  /** The last sealed entry of the chain. */
  headId: string;
  stopping: boolean;
  /** Messages in one batch: halved after each failure, because a receiver may refuse the size. null: no limit. */
  batchLimit: number | null;
}

/** `lost`: another worker owns the forwarder now. An error: the receiver did not take something. null: success. */
export type SessionResult = ForwardError | 'lost' | null;

/** The interval at which unconfirmed batches are checked. */
const CONFIRMATION_POLL_MS = 250;
export const IDLE_MS_MAX = 60_000;

/** Returns when the forwarder last sent something, or last changed. */
export function lastSentMs(forwarder: ForwarderDocument): number {
  return Math.max(forwarder.last_success_at_ms ?? 0, forwarder.updated_at_ms);
}

/** Sends over one connection until it breaks, everything is sent and it is not kept open, or the worker stops. */
export async function runSession(
  needs: SessionNeeds,
  state: WorkerState,
  forwarder: ForwarderDocument,
): Promise<SessionResult> {
  let transport: Transport;
  try {
    transport = await needs.open(forwarder, { signal: state.deadline, onChange: () => state.wakeUp.signal() });
  } catch (error) {
    if (error instanceof ForwardError) return error;
    throw error;
  }
  const progress = createDeliveryProgress(needs, state.claim, forwarder, transport);
  let result: SessionResult = null;
  try {
    result = await sendAll(needs, state, forwarder, transport, progress);
  } finally {
    await transport.close();
    const isOwner = await progress.save(true);
    if (!isOwner) result = 'lost';
    else if (result === null && progress.hasUnconfirmed() && !state.stopping) result = transport.failure();
  }
  return result;
}

async function sendAll(
  needs: SessionNeeds,
  state: WorkerState,
  forwarder: ForwarderDocument,
  transport: Transport,
  progress: DeliveryProgress,
): Promise<SessionResult> {
  const { clock, entries } = needs;
  let sentMs = lastSentMs(forwarder);
  while (!state.stopping && needs.hasLease()) {
    if (!(await progress.save(false))) return 'lost';
    const failure = transport.failure();
    if (failure !== null) return progress.hasUnconfirmed() ? failure : null;
    const from = progress.position();
    const entriesMax = Math.min(transport.messagesMax, state.batchLimit ?? transport.messagesMax);
    const batch =
      state.headId > from.id ? await entries.after(state.workspaceId, from.id, state.headId, entriesMax) : [];
    const { messages, to } = composeEntries(forwarder, batch, from, needs.version);
    if (batch.length > 0 && messages.length === 0) progress.skip(to);
    if (batch.length === 0) {
      // Retention may have deleted the entries up to the head.
      if (state.headId > from.id) progress.skip({ ...from, id: state.headId });
      else if (clock.now() - sentMs >= needs.heartbeatMs) {
        messages.push(
          composeSignal('heartbeat', forwarder, { atMs: clock.now(), sequence: from.sequence }, needs.version),
        );
      } else {
        if (transport.acknowledged) return null;
        const waitMs = progress.hasPending() ? CONFIRMATION_POLL_MS : sentMs + needs.heartbeatMs - clock.now();
        await state.wakeUp.wait(Math.max(1, Math.min(waitMs, IDLE_MS_MAX)));
      }
    }
    if (messages.length === 0) continue;
    try {
      await transport.send(messages);
    } catch (error) {
      if (!(error instanceof ForwardError)) throw error;
      state.batchLimit = Math.max(1, Math.floor(messages.length / 2));
      return error;
    }
    sentMs = clock.now();
    if (state.batchLimit !== null) state.batchLimit = Math.min(transport.messagesMax, state.batchLimit * 2);
    progress.sent(batch.length === 0 ? from : to);
  }
  return null;
}
