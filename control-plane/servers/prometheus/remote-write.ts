import type { Clock, Timer } from '../../../kernel/clock.js';
import type { GuardedFetch } from '../../../kernel/guarded-fetch.js';
import type { Logger } from '../../../kernel/logger.js';
import type { AcceptedReport, ReportListener } from '../servers.js';
import { prometheusName, seriesLabels } from './exposition.js';
import { type EncodeWriteRequest, REMOTE_WRITE_HEADERS, type RemoteSeries } from './remote-write-request.js';

const FLUSH_MS = 5_000;
const TIMEOUT_MS = 30_000;
/** In one request; receivers refuse much larger ones. */
const SAMPLES_PER_REQUEST_MAX = 10_000;
/** What waits while the receiver is away; beyond it the oldest go and are counted. */
export const QUEUED_SAMPLES_MAX = 500_000;
const PAUSE_MS = { first: 1_000, max: 60_000 };

/**
 * Hands every accepted report on to a Prometheus receiver. What waits is in memory: it is a copy for other tools, and
 * Picket's own history does not depend on it.
 */
export interface RemoteWrite extends ReportListener {
  start(): void;
  /** Sends what waits, once. */
  stop(): Promise<void>;
  counts(): { sent: number; dropped: number; queued: number };
}

export function createRemoteWrite(options: {
  url: string;
  /** Value of the Authorization header; null for none. */
  authorization: string | null;
  encode: EncodeWriteRequest;
  fetch: GuardedFetch;
  clock: Clock;
  logger: Logger;
}): RemoteWrite {
  const { url, encode, fetch, clock, logger } = options;
  const queue: AcceptedReport[] = [];
  let queued = 0;
  let sent = 0;
  let dropped = 0;
  let failures = 0;
  let timer: Timer | null = null;
  let sending: Promise<void> | null = null;
  let stopped = false;

  function drop(samples: number, reason: string): void {
    dropped += samples;
    logger.warn({ samples, dropped_total: dropped, reason }, 'samples are not written to the remote receiver');
  }

  /** true: the batch is done with, delivered or refused for good. */
  async function post(batch: readonly AcceptedReport[], samples: number): Promise<boolean> {
    const { authorization } = options;
    const headers = { ...REMOTE_WRITE_HEADERS, ...(authorization === null ? {} : { authorization }) };
    try {
      const body = encode(seriesOf(batch));
      const { status, body: answer } = await fetch.request(url, {
        method: 'POST',
        headers,
        body,
        timeoutMs: TIMEOUT_MS,
      });
      if (status >= 200 && status < 300) sent += samples;
      else if (status === 429 || status >= 500) throw new Error(`the receiver answered ${status}`);
      else drop(samples, `the receiver answered ${status}: ${answer.slice(0, 200)}`);
      failures = 0;
      return true;
    } catch (error) {
      failures++;
      if (failures === 1) logger.warn({ err: error }, 'the remote receiver cannot be reached, trying on');
      return false;
    }
  }

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      const batch: AcceptedReport[] = [];
      let samples = 0;
      for (const report of queue) {
        if (batch.length > 0 && samples + report.values.size > SAMPLES_PER_REQUEST_MAX) break;
        batch.push(report);
        samples += report.values.size;
      }
      if (!(await post(batch, samples))) return;
      // What grew too old meanwhile has gone from the front already.
      const done = new Set(batch);
      while (queue[0] !== undefined && done.has(queue[0])) queued -= queue.shift()?.values.size ?? 0;
    }
  }

  function arm(): void {
    if (stopped) return;
    const pause = failures === 0 ? FLUSH_MS : Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.max);
    timer = clock.after(pause, () => {
      sending = flush().finally(() => {
        sending = null;
        arm();
      });
    });
  }

  return {
    accepted(reports) {
      for (const report of reports) {
        queue.push(report);
        queued += report.values.size;
      }
      let lost = 0;
      while (queued > QUEUED_SAMPLES_MAX) {
        const size = queue.shift()?.values.size ?? 0;
        queued -= size;
        lost += size;
      }
      if (lost > 0) drop(lost, 'too many wait for the receiver');
    },
    start: arm,
    async stop() {
      stopped = true;
      timer?.cancel();
      await sending;
      if (failures === 0) await flush();
    },
    counts: () => ({ sent, dropped, queued }),
  };
}

function seriesOf(reports: readonly AcceptedReport[]): RemoteSeries[] {
  const series = new Map<string, RemoteSeries>();
  for (const report of reports) {
    for (const [name, value] of report.values) {
      const key = `${report.serverId} ${name}`;
      const known = series.get(key);
      const sample = { value, timestampMs: report.atMs };
      if (known !== undefined) {
        known.samples.push(sample);
        continue;
      }
      const labels = {
        __name__: prometheusName(name),
        workspace: report.workspaceId,
        ...seriesLabels(report.serverId, name),
      };
      series.set(key, { labels, samples: [sample] });
    }
  }
  for (const one of series.values()) one.samples.sort((a, b) => a.timestampMs - b.timestampMs);
  return [...series.values()];
}
