import { Registry } from 'prom-client';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { liveSlice } from '../../../control-plane/live/open.js';
import type { StreamLimits } from '../../../control-plane/live/streams/limits.js';
import { STREAM_LIMITS } from '../../../control-plane/live/subscribers.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp } from '../app.js';

export interface LiveApp extends TestApp {
  /** The value of a metric of the streams. */
  metric(name: string): Promise<number>;
}

interface LiveAppOptions {
  clock?: Clock;
  limits?: Partial<StreamLimits>;
  trustedProxies?: readonly string[];
}

/** Starts a control plane that has only the event streams. */
export async function startLiveApp(mongo: Mongo, options: LiveAppOptions = {}): Promise<LiveApp> {
  const { clock = systemClock, limits = {}, trustedProxies = [] } = options;
  const registry = new Registry();
  const live = await liveSlice.open({
    db: mongo.db,
    entries: {
      timeline: createTimelineStore(mongo.db, createIds(systemClock, systemRandom)).entriesById,
      audit: createAuditStore(mongo.db).entriesById,
    },
    registry,
    limits: { ...STREAM_LIMITS, ...limits },
    clock,
    random: systemRandom,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  await live.ensureIndexes?.();
  const app = await startApp({ mongo, clock, trustedProxies, routes: live.routes ?? [] });
  for (const job of live.jobs ?? []) await job.start();
  return {
    ...app,
    async metric(name) {
      const { values = [] } = (await registry.getMetricsAsJSON()).find((metric) => metric.name === name) ?? {};
      return values[0]?.value ?? 0;
    },
    async close() {
      live.endAll();
      for (const job of live.jobs ?? []) await job.stop();
      await app.close();
    },
  };
}
