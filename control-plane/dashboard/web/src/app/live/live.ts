import type { Query, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../../api/client.ts';
import { requestsPerMinute } from '../../api/rate-limit.ts';
import { affectedKeys } from './affected-keys.ts';
import { readEvents, type StreamEnd } from './event-stream.ts';
import type { Frame } from './frames.ts';
import { type Liveness, livenessOf, type StreamState } from './freshness.ts';
import { backoffMs } from './pace.ts';
import { createRefresher, type RefresherClock } from './refresher.ts';

/** While there is no stream, or a read failed, what is shown is read again this often. */
const POLL_MS = 15_000;
/** After this long in the background, everything is read again: results of checks, for example, are no events. */
const AWAY_MS_MAX = 30_000;
/** Many queries change at once. */
const TELL_MS = 50;
/** Refusals that another attempt does not change: the next page load does. */
const REFUSED = [401, 403, 404];

const CLOCK: RefresherClock = {
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Keeps what is on the page as it is on the server, and knows whether it is. */
export interface Live {
  /** Follows the events while the tab is visible. Returns the function that stops it. */
  start(): () => void;
  liveness(): Liveness;
  subscribe(listener: () => void): () => void;
}

/**
 * One stream of events for each visible tab. A hidden tab closes its stream, because a browser has six connections to a
 * server without http/2, and continues behind its last event when it is visible again.
 */
export function createLive({ queries }: { queries: QueryClient }): Live {
  const cache = queries.getQueryCache();
  const refresher = createRefresher({ queries, requestsPerMinute, clock: CLOCK });
  const listeners = new Set<() => void>();
  let stream: StreamState = 'connecting';
  let provenMs = 0;
  let lastId: string | null = null;
  /** When the tab was hidden; 0 if the stream broke since. */
  let awaySinceMs = 0;
  let current: Liveness = { state: 'connecting', since: null };
  let telling: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    telling = undefined;
    const shown = cache.findAll({ type: 'active' }).map(({ state }) => ({
      updatedAtMs: state.dataUpdatedAt,
      isInvalidated: state.isInvalidated,
      isFailing: isOutage(state.error),
    }));
    const next = livenessOf(stream, shown, provenMs);
    if (next.state === current.state && next.since === current.since) return;
    current = next;
    for (const listener of listeners) listener();
  }

  const isOpen = (): boolean => stream === 'open';

  function become(state: StreamState): void {
    stream = state;
    if (state === 'lost') awaySinceMs = 0;
    tell();
  }

  /** Reads what the page may have missed. It is live when that has arrived. */
  async function catchUp(isResumed: boolean, signal: AbortSignal): Promise<void> {
    const isShort = isResumed && Date.now() - awaySinceMs < AWAY_MS_MAX;
    const begun = cache.findAll({ type: 'active' }).filter(isFirstRead);
    await (isShort ? refresher.settled() : refresher.addAll());
    // A first read that began before the stream may be older than it, and was not repeated.
    await Promise.all(begun.filter((query) => query.isActive()).map((query) => query.fetch().catch(() => {})));
    if (signal.aborted) return;
    provenMs = Date.now();
    become('open');
  }

  function follow(frame: Frame, signal: AbortSignal): void {
    lastId = frame.id ?? lastId;
    if (stream === 'open') provenMs = Date.now();
    if (frame.event === 'ready') {
      if (stream === 'lost') become('catching_up');
      void catchUp((frame.data as { resumed?: boolean }).resumed === true, signal);
    } else if (frame.event === 'reset') {
      refresher.add([[]]);
    } else if (frame.event !== null) {
      refresher.add(affectedKeys(frame.event, frame.data));
    }
  }

  /** Resolves to how one stream ended, and whether another attempt makes sense. */
  async function once(signal: AbortSignal): Promise<StreamEnd & { isOver: boolean }> {
    let isOver = false;
    const connection = new AbortController();
    const onFrame = (frame: Frame) => {
      if (frame.event !== 'end') return follow(frame, connection.signal);
      const { reason, reconnect } = frame.data as { reason?: string; reconnect?: boolean };
      isOver = reconnect !== true;
      // What the person sees from now on can be something else.
      if (reason === 'access_changed') lastId = null;
    };
    const end = await readEvents({ lastId, signal, onFrame });
    connection.abort();
    return { ...end, isOver: isOver || REFUSED.includes(end.status) };
  }

  async function keepConnected(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const { isOver, retryAfterS } = await once(signal);
      if (signal.aborted) return;
      if (isOpen()) attempt = 0;
      become('lost');
      // Without a session, this opens the log-in page.
      if (isOver) return refresher.add([['account']]);
      await retryTime(retryAfterS === null ? backoffMs(attempt, Math.random()) : retryAfterS * 1_000, signal);
      if (signal.aborted) return;
    }
  }

  function poll(): void {
    if (document.hidden || stream === 'connecting' || stream === 'catching_up') return;
    if (stream === 'lost') return void refresher.addAll();
    const failing = cache.findAll({ type: 'active' }).filter(({ state }) => isOutage(state.error));
    for (const query of failing) void query.fetch().catch(() => {});
  }

  return {
    liveness: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      let visible: AbortController | null = null;
      const look = () => {
        if (document.hidden === (visible === null)) return;
        if (document.hidden) {
          visible?.abort();
          visible = null;
          awaySinceMs = Date.now();
          return;
        }
        visible = new AbortController();
        if (stream === 'open') become('catching_up');
        void keepConnected(visible.signal);
      };
      const forget = cache.subscribe(() => {
        telling ??= setTimeout(tell, TELL_MS);
      });
      const polling = setInterval(poll, POLL_MS);
      document.addEventListener('visibilitychange', look);
      look();
      return () => {
        document.removeEventListener('visibilitychange', look);
        clearInterval(polling);
        clearTimeout(telling);
        telling = undefined;
        forget();
        visible?.abort();
      };
    },
  };
}

/** Whether a read failed for a reason that has nothing to do with what was asked for. */
function isOutage(error: unknown): boolean {
  if (error === null) return false;
  return !(error instanceof ApiProblem) || error.status === 0 || error.status === 429 || error.status >= 500;
}

function isFirstRead({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus === 'fetching';
}

/** Resolves after a while, or at once when the network is back. */
function retryTime(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
