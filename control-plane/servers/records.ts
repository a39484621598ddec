import type { Db } from 'mongodb';
import { loadMetricSampleCodec } from '../../proto/load.js';
import type { OpenedSlice } from '../slice.js';
import type { SetAside } from '../storage/writes/insert-new.js';
import { createMetricHistory } from './history/metric-history.js';
import { createHistoryReader, type HistoryReader } from './history/reader.js';
import { createRemoveHistory, type RemoveHistory } from './history/removal-store.js';
import { createSetAsideStore, type SetAsideStore } from './history/set-aside-store.js';
import { createMetricsStore, type MetricsStore } from './history/store.js';
import { createSampleDecoder, type SampleDecoder } from './samples/decode.js';
import { createSamplesStore, type SamplesStore } from './samples/store.js';
import type { MetricHistory } from './servers.js';
import { createServerStore, type ServerStore } from './store.js';

/** The stores of this slice. Other slices use `store` as `ServerDirectory` and `history` as `MetricHistory`. */
export interface ServerRecords extends OpenedSlice {
  store: ServerStore;
  samples: SamplesStore;
  metrics: MetricsStore;
  hoursSetAside: SetAsideStore;
  decodeSample: SampleDecoder;
  readHistory: HistoryReader;
  history: MetricHistory;
  removeHistory: RemoveHistory;
  ensureIndexes(): Promise<void>;
}

export function openServerRecords({ db, setAside }: { db: Db; setAside: SetAside }): ServerRecords {
  const store = createServerStore(db, setAside);
  const samples = createSamplesStore(db, setAside);
  const metrics = createMetricsStore(db);
  const hoursSetAside = createSetAsideStore(db);
  const decodeSample = createSampleDecoder(loadMetricSampleCodec());
  const readHistory = createHistoryReader({ samples, metrics, decodeSample });
  return {
    store,
    samples,
    metrics,
    hoursSetAside,
    decodeSample,
    readHistory,
    history: createMetricHistory(readHistory),
    removeHistory: createRemoveHistory(db),
    async ensureIndexes() {
      await Promise.all([store, samples, metrics, hoursSetAside].map((one) => one.ensureIndexes()));
    },
  };
}
