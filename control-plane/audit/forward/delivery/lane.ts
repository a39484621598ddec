import type { Clock } from '../../../../kernel/clock.js';
import type { Logger } from '../../../../kernel/logger.js';
import type { Random } from '../../../../kernel/random.js';
import type { SecretBox } from '../../../storage/secret-box.js';
import type { ForwarderDocument } from '../documents.js';
import { openSecrets, withoutSecrets } from '../secrets.js';
import type { DriverMark, ForwarderStore } from '../store.js';
import type { OpenTransport } from '../transports/open.js';
import { ForwardError, type Transport } from '../transports/transport.js';
import { type Bell, createBell } from './bell.js';
import { composeEntries, composeSignal, type Position } from './compose.js';
import type { ForwardedEntries } from './entries-store.js';
import { forwardPauseMs } from './pauses.js';

export interface LaneDeps {
  store: ForwarderStore;
  entries: ForwardedEntries;
  open: OpenTransport;
  box: SecretBox;
  /** Whether this process still has the lease. */
  holds(): boolean;
  /** A forwarder that sent nothing for so long sends a heartbeat. */
  heartbeatMs: number;
  version: string;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** The driver of one forwarder. It ends by itself when its forwarder was changed, paused or deleted. */
export interface Lane {
  readonly mark: DriverMark;
  /** The chain ends here. */
  head(id: string): void;
  /** Finishes what is under way, a few seconds at most. */
  stop(): void;
  readonly ended: Promise<void>;
}

const STOP_MS_MAX = 3_000;
/** A receiver that confirms each batch has each noted; for others that would be many notes of little worth. */
const SAVE_MS = 250;
const UNSETTLED_LOOK_MS = 250;
const IDLE_MS_MAX = 60_000;

export function startLane(deps: LaneDeps, workspaceId: string, mark: DriverMark): Lane {
  const bell = createBell(deps.clock);
  const cutOff = new AbortController();
  const state: LaneState = { mark, workspaceId, bell, cutOff: cutOff.signal, headId: '', stopping: false, width: null };
  return {
    mark,
    head(id) {
      if (id <= state.headId) return;
      state.headId = id;
      bell.ring();
    },
    stop() {
      if (state.stopping) return;
      state.stopping = true;
      bell.ring();
      deps.clock.after(STOP_MS_MAX, () => cutOff.abort());
    },
    ended: run(deps, state),
  };
}

interface LaneState {
  readonly mark: DriverMark;
  readonly workspaceId: string;
  readonly bell: Bell;
  readonly cutOff: AbortSignal;
  headId: string;
  stopping: boolean;
  /** Messages that go at once: halved with each failure, since it may be their size that is refused. null: no limit. */
  width: number | null;
}

async function run(deps: LaneDeps, state: LaneState): Promise<void> {
  const { store, clock, logger } = deps;
  while (!state.stopping) {
    if (!deps.holds()) {
      // The driver gets it back or stops this lane.
      await clock.sleep(UNSETTLED_LOOK_MS);
      continue;
    }
    try {
      const forwarder = await store.find(state.workspaceId, state.mark.id);
      if (forwarder === null || forwarder.version !== state.mark.version || forwarder.paused_at_ms !== null) return;
      if (!(await isDue(deps, state, forwarder))) continue;
      const failure = await session(deps, state, forwarder);
      if (failure === 'lost') return;
      if (failure !== null && !state.stopping && !(await noteFailure(deps, state, forwarder, failure))) return;
    } catch (error) {
      // The database is away, or a secret cannot be opened.
      logger.warn({ err: error, forwarder: state.mark.id }, 'a forwarder stumbled; trying again');
      await state.bell.wait(forwardPauseMs(1, null, deps.random.fraction()));
    }
  }
}

/** Waits for something to send; false when it is to be looked at again. */
async function isDue(deps: LaneDeps, state: LaneState, forwarder: ForwarderDocument): Promise<boolean> {
  const nowMs = deps.clock.now();
  const restMs = forwarder.next_attempt_ms - nowMs;
  if (restMs > 0) {
    await state.bell.wait(Math.min(restMs, IDLE_MS_MAX));
    // What rang may have been the head; the pause stays.
    return false;
  }
  if (state.headId > forwarder.cursor.id) return true;
  const beatMs = lastSentMs(forwarder) + deps.heartbeatMs - nowMs;
  if (beatMs <= 0) return true;
  await state.bell.wait(Math.min(beatMs, IDLE_MS_MAX));
  return false;
}

function lastSentMs(forwarder: ForwarderDocument): number {
  return Math.max(forwarder.last_success_at_ms ?? 0, forwarder.updated_at_ms);
}

/**
 * Sends over one connection until it breaks, all is sent and it is not kept, or the lane stops. `lost`: the forwarder
 * is no longer this lane's. A failure is why the receiver did not take something; null when nothing is owed to it.
 */
async function session(
  deps: LaneDeps,
  state: LaneState,
  forwarder: ForwarderDocument,
): Promise<ForwardError | 'lost' | null> {
  let transport: Transport;
  try {
    transport = await deps.open(forwarder, { signal: state.cutOff, onNews: () => state.bell.ring() });
  } catch (error) {
    if (error instanceof ForwardError) return error;
    throw error;
  }
  const log = createSentLog(deps, state, forwarder, transport);
  let failure: ForwardError | 'lost' | null = null;
  try {
    failure = await sendAll(deps, state, forwarder, transport, log);
  } finally {
    await transport.close();
    const isMine = await log.save(true);
    if (!isMine) failure = 'lost';
    else if (failure === null && log.owes() && !state.stopping) failure = transport.broken();
  }
  return failure;
}

async function sendAll(
  deps: LaneDeps,
  state: LaneState,
  forwarder: ForwarderDocument,
  transport: Transport,
  log: SentLog,
): Promise<ForwardError | 'lost' | null> {
  const { clock, entries } = deps;
  let sentMs = lastSentMs(forwarder);
  while (!state.stopping && deps.holds()) {
    if (!(await log.save(false))) return 'lost';
    const broken = transport.broken();
    if (broken !== null) return log.owes() ? broken : null;
    const from = log.position();
    const entriesMax = Math.min(transport.messagesMax, state.width ?? transport.messagesMax);
    const some =
      state.headId > from.id ? await entries.after(state.workspaceId, from.id, state.headId, entriesMax) : [];
    const { messages, to } = composeEntries(forwarder, some, from, deps.version);
    if (some.length > 0 && messages.length === 0) log.skip(to);
    if (some.length === 0) {
      // Retention may have taken what was between here and the head.
      if (state.headId > from.id) log.skip({ ...from, id: state.headId });
      else if (clock.now() - sentMs >= deps.heartbeatMs) {
        messages.push(
          composeSignal('heartbeat', forwarder, { atMs: clock.now(), sequence: from.sequence }, deps.version),
        );
      } else {
        if (transport.acknowledged) return null;
        const waitMs = log.hasWork() ? UNSETTLED_LOOK_MS : sentMs + deps.heartbeatMs - clock.now();
        await state.bell.wait(Math.max(1, Math.min(waitMs, IDLE_MS_MAX)));
      }
    }
    if (messages.length === 0) continue;
    try {
      await transport.send(messages);
    } catch (error) {
      if (!(error instanceof ForwardError)) throw error;
      state.width = Math.max(1, Math.floor(messages.length / 2));
      return error;
    }
    sentMs = clock.now();
    if (state.width !== null) state.width = Math.min(transport.messagesMax, state.width * 2);
    log.sent(some.length === 0 ? from : to);
  }
  return null;
}

/** What was sent over one connection, and how far that is known to have arrived. */
interface SentLog {
  /** Where the next message begins. */
  position(): Position;
  /** A batch was handed over; the receiver having it leads here. */
  sent(to: Position): void;
  /** Nothing of this is for the receiver. */
  skip(to: Position): void;
  /** Something was sent that is not known to have arrived. */
  owes(): boolean;
  /** Something is owed, or has arrived and is not noted yet. */
  hasWork(): boolean;
  /** Notes in the database how far the receiver has it; false when that is no longer this lane's to do. */
  save(isLast: boolean): Promise<boolean>;
}

function createSentLog(deps: LaneDeps, state: LaneState, forwarder: ForwarderDocument, transport: Transport): SentLog {
  const { clock, store } = deps;
  const { id, at_ms, sequence } = forwarder.cursor;
  let position: Position = { id, at_ms, sequence };
  let reached = position;
  let noted = position;
  let unsettled: Position[] = [];
  let released = 0;
  let hasNews = false;
  let savedMs = Number.NEGATIVE_INFINITY;

  function release(): void {
    const fresh = transport.taken() - released;
    if (fresh > 0) {
      reached = unsettled[fresh - 1] ?? reached;
      unsettled = unsettled.slice(fresh);
      released += fresh;
      hasNews = true;
    }
    if (unsettled.length === 0) reached = position;
  }

  return {
    position: () => position,
    sent(to) {
      unsettled.push(to);
      position = to;
    },
    skip(to) {
      position = to;
    },
    owes: () => {
      release();
      return unsettled.length > 0;
    },
    hasWork: () => {
      release();
      return unsettled.length > 0 || hasNews || reached.id !== noted.id;
    },
    async save(isLast) {
      release();
      if (!hasNews && reached.id === noted.id) return true;
      const nowMs = clock.monotonic();
      if (!isLast && !transport.acknowledged && nowMs - savedMs < SAVE_MS) return true;
      const to = reached;
      const isMine = await store.advance(state.mark, to, hasNews ? clock.now() : null);
      [noted, savedMs, hasNews] = [to, nowMs, false];
      return isMine;
    },
  };
}

/** false when the forwarder is no longer this lane's. */
async function noteFailure(
  deps: LaneDeps,
  state: LaneState,
  forwarder: ForwarderDocument,
  failure: ForwardError,
): Promise<boolean> {
  const atMs = deps.clock.now();
  const error = withoutSecrets(failure.message, openSecrets(forwarder.sealed, deps.box));
  const current = await deps.store.find(state.workspaceId, forwarder._id);
  const failures = (current?.failures ?? 0) + 1;
  const nextAttemptMs = atMs + forwardPauseMs(failures, failure.retryAfterMs, deps.random.fraction());
  if (failures === 1) deps.logger.info({ forwarder: forwarder._id, error }, 'a forwarder cannot reach its receiver');
  return deps.store.fail(state.mark, { error, atMs, nextAttemptMs });
}
