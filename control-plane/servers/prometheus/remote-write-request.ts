import protobuf from 'protobufjs';
import { compress } from 'snappyjs';

/** One series with its samples, oldest first. */
export interface RemoteSeries {
  /** With `__name__`. */
  labels: Record<string, string>;
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

/** The part of the specification's messages that is used. */
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
      // Receivers require the labels in order.
      labels: Object.entries(labels)
        .map(([name, value]) => ({ name, value }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      samples: samples.map(({ value, timestampMs }) => ({ value, timestamp: timestampMs })),
    }));
    const plain = type.encode({ timeseries }).finish();
    return Buffer.from(compress(plain));
  };
}
