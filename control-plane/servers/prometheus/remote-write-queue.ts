import type { AcceptedSample } from '../servers.js';

/** The limit for one request. Receivers refuse much larger ones. */
const VALUES_PER_REQUEST_MAX = 10_000;
/** The limit of the queue while the receiver is unreachable. Beyond it, the oldest samples are dropped. */
const QUEUED_VALUES_MAX = 500_000;

export interface RemoteWriteBatch {
  samples: readonly AcceptedSample[];
  /** The number of values in all samples. */
  values: number;
}

/** Accepted samples in order of arrival. A sample has many values, and all limits are on values. */
export interface RemoteWriteQueue {
  /** Returns how many of the oldest values were dropped, because the queue is full. */
  add(samples: readonly AcceptedSample[]): number;
  /** Returns the oldest samples for one request; null if the queue is empty. They stay in the queue. */
  next(): RemoteWriteBatch | null;
  remove(batch: RemoteWriteBatch): void;
  /** Returns the number of values. */
  size(): number;
}

export function createRemoteWriteQueue(): RemoteWriteQueue {
  const queue: AcceptedSample[] = [];
  let size = 0;

  /** Removes samples from the front at once: removing one moves all others, of which there may be 500,000. */
  function removeWhile(isRemoved: (sample: AcceptedSample, sizeLeft: number) => boolean): number {
    let count = 0;
    let values = 0;
    for (const sample of queue) {
      if (!isRemoved(sample, size - values)) break;
      count++;
      values += sample.values.size;
    }
    queue.splice(0, count);
    size -= values;
    return values;
  }

  return {
    add(samples) {
      for (const sample of samples) {
        queue.push(sample);
        size += sample.values.size;
      }
      return removeWhile((_sample, sizeLeft) => sizeLeft > QUEUED_VALUES_MAX);
    },
    next() {
      const samples: AcceptedSample[] = [];
      let values = 0;
      for (const sample of queue) {
        if (samples.length > 0 && values + sample.values.size > VALUES_PER_REQUEST_MAX) break;
        samples.push(sample);
        values += sample.values.size;
      }
      return samples.length === 0 ? null : { samples, values };
    },
    remove({ samples }) {
      // Some of the samples may already have been dropped from the front of the queue.
      const done = new Set(samples);
      removeWhile((sample) => done.has(sample));
    },
    size: () => size,
  };
}
