import type { Readable } from 'node:stream';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import type { Random } from '../../../kernel/random.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { POLL_CHANGES_MS } from '../../storage/poll-changes.js';
import { createBroadcast } from '../broadcast.js';
import type { LogDocument } from '../documents.js';
import { createLogReader } from '../log-reader.js';
import type { LogStore } from '../log-store.js';
import type { LiveMetrics } from '../metrics.js';
import { positionOf } from '../position.js';
import { ownerOf, readableScopes } from '../readable-scopes.js';
import { createRecentEvents } from '../recent-events.js';
import type { EventSource } from '../sources.js';
import type { Subscriber, Subscribers } from '../subscribers.js';
import { createClientStream } from './client-stream.js';
import { createExpiry, endOfStreamMs } from './expiry.js';
import { endFrame } from './frames.js';
import { createLag, type Lag } from './lag.js';
import { createRechecks } from './rechecks.js';

/** A client that gets nothing for much longer says that its data are old. */
const HEARTBEAT_MS = 5_000;
const LAG_TICK_MS = 1_000;
const RECHECK_TICK_MS = 1_000;
const EXPIRY_TICK_MS = 1_000;
/** Without an open stream, one poll of so many reads the log: other control planes may need what this one finds. */
const IDLE_POLLS = 8;

const REPLACED = endFrame(
  'replaced',
  'All places for event streams are taken, and you have most of them: the oldest one made room for another person.',
);

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
  random: Random;
  logger: Logger;
}

export function createEventStreams(needs: EventStreamsNeeds): EventStreams {
  const { subscribers, clock, random, logger } = needs;
  const recent = createRecentEvents();
  const broadcast = createBroadcast({ ...needs, recent });
  const rechecks = createRechecks(needs);
  const tell = (isBehind: boolean) => (isBehind ? broadcast.behind(subscribers.all()) : broadcast.heartbeat());
  const lag = createLag({ clock, logger, onChange: tell });
  needs.metrics.lagIs(lag.ms);
  const poll = createPoll(needs, { recent, broadcast, rechecks, lag });
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
  const timers = () => [
    clock.every(LAG_TICK_MS, lag.tick),
    clock.every(HEARTBEAT_MS, () => tell(lag.isBehind())),
    clock.every(RECHECK_TICK_MS, rechecks.tick),
    clock.every(EXPIRY_TICK_MS, createExpiry(needs)),
  ];
  let running: ReturnType<typeof timers> = [];

  function isAhead(lastEventId: string | null): boolean {
    const position = lastEventId === null ? null : positionOf(lastEventId);
    return position !== null && position.document > (recent.newest() ?? 0);
  }

  function makeWay(replaced: Subscriber): void {
    // Its place is free at once, and not when its client has read the rest.
    subscribers.remove(replaced);
    if (replaced.stream.unreadBytes() > 0) replaced.stream.cut();
    else replaced.stream.end(REPLACED);
  }

  return {
    async open({ actor, lastEventId, recheck }) {
      const scopes = readableScopes(actor);
      const owner = ownerOf(actor);
      subscribers.requireRoom(owner);
      // Clients that come at once share a read.
      await poll();
      // That read may have begun before the control plane that sent the last event appended it.
      if (isAhead(lastEventId)) await poll();
      if (stopping) throw new AppError('unavailable', 'This control plane is stopping. Connect again.');
      // Others may have opened streams meanwhile.
      const replaced = subscribers.requireRoom(owner);
      if (replaced !== null) makeWay(replaced);
      const stream = createClientStream(() => subscribers.remove(subscriber));
      const subscriber: Subscriber = {
        ...owner,
        scopes,
        stream,
        recheck,
        endsMs: endOfStreamMs(clock.monotonic(), random.fraction()),
      };
      // The poll may have taken long.
      lag.tick();
      subscribers.add(subscriber);
      broadcast.greet(subscriber, lastEventId);
      if (lag.isBehind()) broadcast.behind([subscriber]);
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
    lag: Lag;
  },
): () => Promise<void> {
  const { recent, broadcast, rechecks, lag } = to;
  /** The workspaces in which a person or a key may have lost access. */
  let suspects = new Set<string>();
  const add = (document: LogDocument) => {
    recent.add(document);
    for (const { workspace_id, ends_access } of document.entries) if (ends_access) suspects.add(workspace_id);
  };
  const deliver = () => {
    broadcast.flush();
    rechecks.request(suspects);
    suspects = new Set();
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
    onRead: deliver,
  });
  async function run(): Promise<void> {
    const beganMs = needs.clock.monotonic();
    try {
      await reader.poll();
      lag.completed(beganMs);
    } finally {
      deliver();
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
