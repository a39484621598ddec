import type { Readable } from 'node:stream';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createPeriodicTask } from '../../kernel/periodic-task.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { POLL_CHANGES_MS } from '../storage/poll-changes.js';
import { createBroadcast } from './broadcast.js';
import { createClientStream } from './client-stream.js';
import type { LogDocument } from './documents.js';
import { endFrame } from './frames.js';
import { createLogReader } from './log-reader.js';
import type { LogStore } from './log-store.js';
import type { LiveMetrics } from './metrics.js';
import { positionOf } from './position.js';
import { credentialOf, readableScopes } from './readable-scopes.js';
import { createRecentEvents } from './recent-events.js';
import { createRechecks } from './rechecks.js';
import type { EventSource } from './sources.js';
import type { Subscriber, Subscribers } from './subscribers.js';

const HEARTBEAT_MS = 15_000;
const RECHECK_TICK_MS = 1_000;
/** Without an open stream, one poll of so many reads the log: other control planes may need what this one finds. */
const IDLE_POLLS = 8;

/** The event streams of this control plane. */
export interface EventStreams {
  /** Throws 403 for an actor who may read no events, and 429 when there are too many streams. */
  open(input: { actor: Actor; lastEventId: string | null; recheck(): Promise<Actor> }): Promise<Readable>;
  start(): void;
  stop(): Promise<void>;
  /** Ends all streams and opens no more, because this control plane stops. */
  endAll(): void;
}

interface EventStreamsNeeds {
  log: LogStore;
  sources: readonly EventSource[];
  subscribers: Subscribers;
  metrics: LiveMetrics;
  clock: Clock;
  logger: Logger;
}

export function createEventStreams(needs: EventStreamsNeeds): EventStreams {
  const { subscribers, clock, logger } = needs;
  const recent = createRecentEvents();
  const broadcast = createBroadcast({ ...needs, recent });
  const rechecks = createRechecks(needs);
  const poll = createPoll(needs, { recent, broadcast, rechecks });
  let stopping = false;
  let polls = 0;
  const polling = createPeriodicTask({
    clock,
    periodMs: POLL_CHANGES_MS,
    async run() {
      polls += 1;
      if (subscribers.size() > 0 || polls % IDLE_POLLS === 0) await poll();
    },
    onFailure: (err) => logger.warn({ err }, 'reading events failed, retrying'),
  });
  const timers = () => [clock.every(HEARTBEAT_MS, broadcast.heartbeat), clock.every(RECHECK_TICK_MS, rechecks.tick)];
  let running: ReturnType<typeof timers> = [];

  function isAhead(lastEventId: string | null): boolean {
    const position = lastEventId === null ? null : positionOf(lastEventId);
    return position !== null && position.document > (recent.newest() ?? 0);
  }

  return {
    async open({ actor, lastEventId, recheck }) {
      const of = { workspaceId: actor.workspaceId, credential: credentialOf(actor), scopes: readableScopes(actor) };
      subscribers.requireRoom(of);
      // Clients that come at once share a read.
      await poll();
      // That read may have begun before the control plane that sent the last event appended it.
      if (isAhead(lastEventId)) await poll();
      // Others may have opened streams meanwhile.
      subscribers.requireRoom(of);
      if (stopping) throw new AppError('unavailable', 'This control plane is stopping. Connect again.');
      const stream = createClientStream(() => subscribers.remove(subscriber));
      const subscriber: Subscriber = { ...of, stream, recheck };
      subscribers.add(subscriber);
      broadcast.greet(subscriber, lastEventId);
      return stream.body;
    },
    start() {
      polling.start();
      running = timers();
    },
    async stop() {
      for (const timer of running) timer.cancel();
      await polling.stop();
      await rechecks.idle();
    },
    endAll() {
      stopping = true;
      const text = endFrame('stopping', 'This control plane is stopping. Connect again.');
      for (const { stream } of subscribers.all()) stream.end(text);
    },
  };
}

/** Returns the function that reads the log and sends what is new. Callers at the same time share one run. */
function createPoll(
  needs: EventStreamsNeeds,
  to: {
    recent: ReturnType<typeof createRecentEvents>;
    broadcast: ReturnType<typeof createBroadcast>;
    rechecks: ReturnType<typeof createRechecks>;
  },
): () => Promise<void> {
  const { recent, broadcast, rechecks } = to;
  /** The workspaces in which somebody may have lost their access. */
  let suspects = new Set<string>();
  const add = (document: LogDocument) => {
    recent.add(document);
    for (const { workspace_id, ends_access } of document.entries) if (ends_access) suspects.add(workspace_id);
  };
  const reader = createLogReader({
    ...needs,
    onLoaded(beginAfter, documents) {
      const isAgain = recent.newest() !== null;
      recent.beginAfter(beginAfter);
      for (const document of documents) add(document);
      if (isAgain) broadcast.resetAll();
    },
    onAppended: add,
  });
  async function run(): Promise<void> {
    try {
      await reader.poll();
    } finally {
      broadcast.flush();
      rechecks.request(suspects);
      suspects = new Set();
    }
  }
  let running: Promise<void> | null = null;
  return () => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
}
