import type { Db } from 'mongodb';
import { loadMetricReportCodec } from '../../../proto/load.js';
import { createSampleReader, type SampleReader } from '../samples/read-sample.js';
import { createReportsStore, type ReportsStore } from '../samples/store.js';
import type { MetricHistory } from '../servers.js';
import { createServerStore, type ServerStore } from '../store.js';
import { createMetricHistory } from './metric-history.js';
import { createHistoryReader, type HistoryReader } from './read-metrics.js';
import { createRemoveHistory, type RemoveHistory } from './removal-store.js';
import { createMetricsStore, type MetricsStore } from './store.js';

/** What is stored of servers, for the parts of this slice and, as `ServerDirectory` and `MetricHistory`, for others. */
export interface ServerData {
  store: ServerStore;
  reports: ReportsStore;
  metrics: MetricsStore;
  readSample: SampleReader;
  readHistory: HistoryReader;
  history: MetricHistory;
  removeHistory: RemoveHistory;
  ensureIndexes(): Promise<void>;
}

export function openServerData(db: Db): ServerData {
  const store = createServerStore(db);
  const reports = createReportsStore(db);
  const metrics = createMetricsStore(db);
  const readSample = createSampleReader(loadMetricReportCodec());
  const readHistory = createHistoryReader({ reports, metrics, readSample });
  return {
    store,
    reports,
    metrics,
    readSample,
    readHistory,
    history: createMetricHistory(readHistory),
    removeHistory: createRemoveHistory(db),
    async ensureIndexes() {
      await Promise.all([store.ensureIndexes(), reports.ensureIndexes(), metrics.ensureIndexes()]);
    },
  };
}
