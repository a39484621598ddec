import { backoffMs } from '../../../kernel/backoff.js';
import type { Clock, Timer } from '../../../kernel/clock.js';
import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import type { Logger } from '../../../kernel/logger.js';
import type { AcceptedSample, SampleListener } from '../servers.js';
import { createRemoteWriteQueue, type RemoteWriteBatch } from './remote-write-queue.js';
import { type EncodeWriteRequest, REMOTE_WRITE_HEADERS, seriesOf } from './remote-write-request.js';

const FLUSH_MS = 5_000;
const TIMEOUT_MS = 30_000;
/** Without jitter, because only this process sends to the receiver. */
const BACKOFF = { firstMs: 2_000, maxMs: 60_000, jitter: 'none' } as const;

/**
 * Forwards every accepted sample to a Prometheus receiver. The queue is in memory only: the receiver has a copy for other
 * tools, and Picket's own history does not depend on it.
 */
export interface RemoteWrite extends SampleListener {
  start(): void;
  /** Tries once to send what is queued. */
  stop(): Promise<void>;
  /** Returns the number of values. */
  counts(): { sent: number; dropped: number; queued: number };
}

export interface RemoteWriteNeeds {
  url: string;
  /** The value of the Authorization header; null for none. */
  authorization: string | null;
  encode: EncodeWriteRequest;
  fetch: GuardedFetch;
  clock: Clock;
  logger: Logger;
}

export function createRemoteWrite(needs: RemoteWriteNeeds): RemoteWrite {
  const { clock, logger } = needs;
  const queue = createRemoteWriteQueue();
  const post = createPost(needs);
  let sent = 0;
  let dropped = 0;
  let failures = 0;
  let timer: Timer | null = null;
  let sending: Promise<void> | null = null;
  let stopped = false;

  function drop(values: number, reason: string): void {
    dropped += values;
    logger.warn({ values, dropped_total: dropped, reason }, 'dropped values for the remote-write receiver');
  }

  /** Resolves to whether the batch is done: delivered, or permanently refused. */
  async function send(batch: RemoteWriteBatch): Promise<boolean> {
    try {
      const refusal = await post(batch.samples);
      if (refusal === null) sent += batch.values;
      else drop(batch.values, refusal);
      failures = 0;
      return true;
    } catch (error) {
      failures++;
      if (failures === 1) logger.warn({ err: error }, 'sending to the remote-write receiver failed, retrying');
      return false;
    }
  }

  async function flush(): Promise<void> {
    for (let batch = queue.next(); batch !== null; batch = queue.next()) {
      if (!(await send(batch))) return;
      queue.remove(batch);
    }
  }

  function schedule(): void {
    if (stopped) return;
    const delayMs = failures === 0 ? FLUSH_MS : backoffMs(failures, 0, BACKOFF);
    timer = clock.after(delayMs, () => {
      sending = flush().finally(() => {
        sending = null;
        schedule();
      });
    });
  }

  return {
    accepted(samples) {
      const overflow = queue.add(samples);
      if (overflow > 0) drop(overflow, 'the queue is full');
    },
    start: schedule,
    async stop() {
      stopped = true;
      timer?.cancel();
      await sending;
      if (failures === 0) await flush();
    },
    counts: () => ({ sent, dropped, queued: queue.size() }),
  };
}

/** Returns a function that posts samples. It resolves to why the receiver refused them permanently, or to null. */
function createPost({
  url,
  authorization,
  encode,
  fetch,
}: RemoteWriteNeeds): (samples: readonly AcceptedSample[]) => Promise<string | null> {
  const headers = { ...REMOTE_WRITE_HEADERS, ...(authorization === null ? {} : { authorization }) };
  return async (samples) => {
    const request = { method: 'POST' as const, headers, body: encode(seriesOf(samples)), timeoutMs: TIMEOUT_MS };
    const { status, body } = await fetch.request(url, request);
    if (status >= 200 && status < 300) return null;
    if (status === 429 || status >= 500) throw new Error(`the receiver responded with status ${status}`);
    return `the receiver responded with status ${status}: ${body.slice(0, 200)}`;
  };
}
