import protobuf from 'protobufjs';
import { compress } from 'snappyjs';
import type { AcceptedSample } from '../servers.js';
import { prometheusName, seriesLabels } from './exposition.js';

/** One Prometheus series. Prometheus calls each of its values a sample. */
export interface RemoteSeries {
  /** Including `__name__`. */
  labels: Record<string, string>;
  /** Oldest first. */
  samples: { value: number; timestampMs: number }[];
}

/**
 * Encodes a request body of Prometheus remote write 1.0: a WriteRequest as protobuf, compressed with snappy's block
 * format. https://prometheus.io/docs/specs/prw/remote_write_spec/
 */
export type EncodeWriteRequest = (series: readonly RemoteSeries[]) => Buffer;

export const REMOTE_WRITE_HEADERS = {
  'content-type': 'application/x-protobuf',
  'content-encoding': 'snappy',
  'x-prometheus-remote-write-version': '0.1.0',
} as const;

/** The messages of the specification, with the fields used here. */
const MESSAGES = {
  nested: {
    WriteRequest: { fields: { timeseries: { rule: 'repeated', type: 'TimeSeries', id: 1 } } },
    TimeSeries: {
      fields: {
        labels: { rule: 'repeated', type: 'Label', id: 1 },
        samples: { rule: 'repeated', type: 'Sample', id: 2 },
      },
    },
    Label: { fields: { name: { type: 'string', id: 1 }, value: { type: 'string', id: 2 } } },
    Sample: { fields: { value: { type: 'double', id: 1 }, timestamp: { type: 'int64', id: 2 } } },
  },
};

export function createEncodeWriteRequest(): EncodeWriteRequest {
  const type = protobuf.Root.fromJSON(MESSAGES).lookupType('WriteRequest');
  return (series) => {
    const timeseries = series.map(({ labels, samples }) => ({
      // Receivers require sorted labels.
      labels: Object.entries(labels)
        .map(([name, value]) => ({ name, value }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      samples: samples.map(({ value, timestampMs }) => ({ value, timestamp: timestampMs })),
    }));
    const plain = type.encode({ timeseries }).finish();
    return Buffer.from(compress(plain));
  };
}

/** Returns the series of samples, with the values of each in time order. */
export function seriesOf(samples: readonly AcceptedSample[]): RemoteSeries[] {
  const series = new Map<string, RemoteSeries>();
  for (const { serverId, workspaceId, atMs, values } of samples) {
    for (const [name, value] of values) {
      const key = `${serverId} ${name}`;
      const point = { value, timestampMs: atMs };
      const known = series.get(key);
      if (known !== undefined) {
        known.samples.push(point);
        continue;
      }
      const labels = { __name__: prometheusName(name), workspace: workspaceId, ...seriesLabels(serverId, name) };
      series.set(key, { labels, samples: [point] });
    }
  }
  for (const one of series.values()) one.samples.sort((a, b) => a.timestampMs - b.timestampMs);
  return [...series.values()];
}
