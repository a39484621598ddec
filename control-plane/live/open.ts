import type { Db } from 'mongodb';
import type { Registry } from 'prom-client';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { OpenedSlice, Slice } from '../slice.js';
import { createLogStore } from './log-store.js';
import { createLiveMetrics } from './metrics.js';
import { eventRoutes } from './routes.js';
import { eventSources } from './sources.js';
import type { StreamLimits } from './streams/limits.js';
import { createEventStreams, type EventStreams } from './streams/streams.js';
import { createSubscribers } from './subscribers.js';

interface LiveNeeds {
  db: Db;
  /** What was ever written to the timeline and to the audit log. */
  entries: Parameters<typeof eventSources>[0];
  limits: StreamLimits;
  registry: Registry;
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface OpenedLive extends OpenedSlice, Pick<EventStreams, 'endAll'> {
  /** Returns how many streams this control plane has open. */
  openStreams(): number;
}

/** Changes of a workspace as server-sent events. */
export const liveSlice: Slice<'live', LiveNeeds, OpenedLive> = {
  name: 'live',
  open({ db, entries, limits, registry, clock, random, logger }) {
    const log = createLogStore(db);
    const subscribers = createSubscribers(limits);
    const metrics = createLiveMetrics(registry, subscribers.size);
    const sources = eventSources(entries);
    const streams = createEventStreams({ log, sources, subscribers, metrics, clock, random, logger });
    return {
      endAll: streams.endAll,
      openStreams: subscribers.size,
      routes: eventRoutes(streams),
      jobs: [streams],
      ensureIndexes: log.ensureIndexes,
    };
  },
};
