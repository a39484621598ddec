import type { Db } from 'mongodb';
import type { Registry } from 'prom-client';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { OpenedSlice, Slice } from '../slice.js';
import { createLogStore } from './log-store.js';
import { createLiveMetrics } from './metrics.js';
import { eventRoutes } from './routes.js';
import { eventSources } from './sources.js';
import { createEventStreams, type EventStreams } from './streams.js';
import { createSubscribers } from './subscribers.js';

interface LiveNeeds {
  db: Db;
  /** What was ever written to the timeline and to the audit log. */
  entries: Parameters<typeof eventSources>[0];
  registry: Registry;
  clock: Clock;
  logger: Logger;
}

export interface OpenedLive extends OpenedSlice, Pick<EventStreams, 'endAll'> {}

/** Changes of a workspace as server-sent events. */
export const liveSlice: Slice<'live', LiveNeeds, OpenedLive> = {
  name: 'live',
  open({ db, entries, registry, clock, logger }) {
    const log = createLogStore(db);
    const subscribers = createSubscribers();
    const metrics = createLiveMetrics(registry, subscribers.size);
    const streams = createEventStreams({ log, sources: eventSources(entries), subscribers, metrics, clock, logger });
    return {
      endAll: streams.endAll,
      routes: eventRoutes(streams),
      jobs: [streams],
      ensureIndexes: log.ensureIndexes,
    };
  },
};
