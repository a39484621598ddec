import type { Query, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../../api/client.ts';
import { heldBy, hold, leaveIfOther, stay } from '../../api/loaded-for.ts';
import { requestsPerMinute } from '../../api/rate-limit.ts';
import { logInAgain, onLoggedInAgain } from '../../api/session-end.ts';
import { canTellTabs } from '../../api/tabs.ts';
import { BROWSER_TIME, createElapsed } from './elapsed.ts';
import type { StreamEnd } from './event-stream.ts';
import type { Frame } from './frames.ts';
import { type Liveness, livenessOf, type StreamState } from './freshness.ts';
import { AWAY_MS_MAX, backoffMs } from './pace.ts';
import { pollEvents } from './polled-stream.ts';
import { affectedKeys } from './reading/affected-keys.ts';
import { createRefresher, type RefresherClock } from './reading/refresher.ts';
import { createSharedStream } from './shared-stream.ts';
import { createWaiting } from './waiting.ts';

/** While there is no stream, or a read failed, what is shown is read again this often. */
const POLL_MS = 15_000;
/** Many queries change at once. */
const TELL_MS = 50;
/** What the page reads first goes before everything that it may have missed meanwhile, for at most this long. */
const FIRST_READS_MS_MAX = 5_000;
const LOOK_MS = 50;
/** The browser draws what has arrived. */
const SHOWN_MS = 300;
/** Refusals that the account explains, as at the end of the session. */
const REFUSED = [401, 403, 404];

const CLOCK: RefresherClock = {
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** The data of the event with which a stream begins. */
interface Ready {
  resumed: boolean;
  workspace_id: string;
  user_id: string;
}

/** Keeps what is on the page as it is on the server, and knows whether it is. */
export interface Live {
  /** Follows the events while the tab is visible. Returns the function that stops it. */
  start(): () => void;
  liveness(): Liveness;
  subscribe(listener: () => void): () => void;
}

/**
 * Follows the events while the tab is visible. All visible windows of a browser share one stream, or ask now and then where
 * they cannot tell each other anything. A hidden tab has none, and continues behind its last event when it is visible again.
 */
export function createLive({ queries }: { queries: QueryClient }): Live {
  const cache = queries.getQueryCache();
  const refresher = createRefresher({ queries, requestsPerMinute, clock: CLOCK });
  const mustPoll = !canTellTabs();
  const readEvents = mustPoll ? pollEvents : createSharedStream();
  const now = createElapsed(BROWSER_TIME);
  const listeners = new Set<() => void>();
  let stream: StreamState = 'connecting';
  let provenMs = 0;
  let lastId: string | null = null;
  /** The reads of what the page may have missed before the stream began. */
  let missed: Promise<void> = Promise.resolve();
  /** The server said that events come late. */
  let isBehind = false;
  /** When the tab was hidden; null if the stream broke since. */
  let awaySinceMs: number | null = null;
  let current: Liveness = { state: 'connecting', since: null };
  let telling: ReturnType<typeof setTimeout> | undefined;
  const waiting = createWaiting();
  /** When the read that is under way began. */
  const begunMs = new WeakMap<Query, number>();
  let lookingAgain: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    telling = undefined;
    const active = cache.findAll({ type: 'active' });
    const shown = active.map(({ state }) => ({
      updatedAtMs: state.dataUpdatedAt,
      isInvalidated: state.isInvalidated,
      isFailing: isOutage(state.error),
    }));
    // Reads that wait for the person to log in wait for no answer.
    const held = heldBy();
    const isWaiting = held === null && looksWaiting(active);
    const whenOpen = isWaiting ? 'waiting' : mustPoll ? 'polled' : 'live';
    const next = livenessOf(stream, shown, provenMs, { whenOpen, heldBy: held });
    if (next.state === current.state && next.since === current.since) return;
    current = next;
    for (const listener of listeners) listener();
  }

  const tellSoon = (): void => {
    telling ??= setTimeout(tell, TELL_MS);
  };

  /** Whether one of the reads has had no answer for long. Looks again when that changes. */
  function looksWaiting(active: readonly Query[]): boolean {
    const nowMs = now();
    const reads = active.filter(({ state }) => state.fetchStatus === 'fetching');
    const { isWaiting, againMs } = waiting.look(
      reads.map((query) => begunMs.get(query) ?? nowMs),
      nowMs,
    );
    clearTimeout(lookingAgain);
    lookingAgain = againMs === null ? undefined : setTimeout(tell, againMs - nowMs);
    return isWaiting;
  }

  const isOpen = (): boolean => stream === 'open';

  function become(state: StreamState): void {
    stream = state;
    if (state === 'lost') awaySinceMs = null;
    tell();
  }

  /** Reads what the page may have missed before the stream began. */
  async function readMissed(isResumed: boolean): Promise<void> {
    const isShort = isResumed && awaySinceMs !== null && now() - awaySinceMs < AWAY_MS_MAX;
    if (!isShort) await firstReads();
    const begun = cache.findAll({ type: 'active' }).filter(isFirstRead);
    await (isShort ? refresher.settled() : refresher.addAll());
    // A first read that began before the stream may be older than it, and was not repeated.
    await Promise.all(begun.filter((query) => query.isActive()).map((query) => query.fetch().catch(() => {})));
  }

  /** Resolves when what the page was reading has been shown, which is what a person waits for, or after a while. */
  async function firstReads(): Promise<void> {
    const isReading = () => cache.findAll({ type: 'active', fetchStatus: 'fetching' }).length > 0;
    for (const untilMs = CLOCK.now() + FIRST_READS_MS_MAX; isReading() && CLOCK.now() < untilMs; ) {
      await CLOCK.wait(LOOK_MS);
    }
    await CLOCK.wait(SHOWN_MS);
  }

  /** The page is live when what it may have missed has arrived. */
  async function openAfter(reads: Promise<unknown>, signal: AbortSignal): Promise<void> {
    await reads;
    if (signal.aborted || isBehind) return;
    provenMs = Date.now();
    become('open');
  }

  function follow(frame: Frame, signal: AbortSignal): void {
    lastId = frame.id ?? lastId;
    if (stream === 'open' && frame.event !== 'behind') provenMs = Date.now();
    if (frame.event === 'behind') {
      isBehind = true;
      become('lost');
    } else if (isBehind && frame.event === null) {
      isBehind = false;
      become('catching_up');
      // All events have arrived, and said what to read. Every page of the server is here in the same second, on a database
      // that was slow until now, so none reads everything.
      void openAfter(Promise.all([missed, refresher.settled()]), signal);
    } else if (frame.event === 'ready') {
      const { resumed, workspace_id: workspaceId, user_id: userId } = frame.data as Ready;
      if (leaveIfOther({ workspaceId, userId })) return;
      hold(null);
      if (stream === 'lost') become('catching_up');
      missed = readMissed(resumed);
      void openAfter(missed, signal);
    } else if (frame.event === 'reset') {
      refresher.add([[]]);
    } else if (frame.event !== null) {
      refresher.add(affectedKeys(frame.event, frame.data));
    }
  }

  /** Resolves to how one stream ended, and whether the session may have ended with it. */
  async function once(signal: AbortSignal): Promise<StreamEnd & { isOver: boolean; isExpired: boolean }> {
    let [isOver, isExpired] = [false, false];
    const connection = new AbortController();
    isBehind = false;
    const onFrame = (frame: Frame) => {
      if (frame.event !== 'end') return follow(frame, connection.signal);
      const { reason, reconnect } = frame.data as { reason?: string; reconnect?: boolean };
      isOver = reconnect !== true;
      isExpired = reason === 'expired';
      // What the person sees from now on can be something else.
      if (reason === 'access_changed') lastId = null;
    };
    const end = await readEvents({ lastId, signal, onFrame, now });
    connection.abort();
    return { ...end, isOver: isOver || REFUSED.includes(end.status), isExpired };
  }

  async function keepConnected(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const { isOver, isExpired, retryAfterS } = await once(signal);
      if (signal.aborted) return;
      if (isOpen()) attempt = 0;
      if (isExpired && isOpen()) {
        // Everything up to its end has arrived. Once only: a stream that ends at once is a break like any other.
        awaySinceMs = now();
        become('catching_up');
        continue;
      }
      become('lost');
      if (isOver) {
        // Without a session, this asks the person to log in. Who has logged in elsewhere has another one already.
        await queries.refetchQueries({ queryKey: ['account'] });
        if (signal.aborted) return;
        lastId = null;
      }
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
          awaySinceMs = now();
          return;
        }
        visible = new AbortController();
        if (stream === 'open') become('catching_up');
        void keepConnected(visible.signal);
      };
      // The browser kept the page while another one was open, and does not ask whether it is still right.
      const restore = ({ persisted }: Pick<PageTransitionEvent, 'persisted'>) => {
        if (!persisted) return;
        if (!stay()) return;
        visible?.abort();
        visible = null;
        awaySinceMs = null;
        look();
      };
      const forgetSession = onLoggedInAgain(() => restore({ persisted: true }));
      const forget = cache.subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'fetch') begunMs.set(event.query, now());
        tellSoon();
      });
      const forgetQuestion = logInAgain.subscribe(tellSoon);
      const polling = setInterval(poll, POLL_MS);
      document.addEventListener('visibilitychange', look);
      window.addEventListener('pageshow', restore);
      look();
      return () => {
        document.removeEventListener('visibilitychange', look);
        window.removeEventListener('pageshow', restore);
        clearInterval(polling);
        clearTimeout(telling);
        clearTimeout(lookingAgain);
        telling = undefined;
        forget();
        forgetQuestion();
        forgetSession();
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
