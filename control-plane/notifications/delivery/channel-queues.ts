import type { OutboxRow } from '../documents.js';
import type { Answer } from './attempt.js';
import { CONCURRENCY_MAX, nextConcurrency } from './concurrency.js';

/** A channel at full concurrency claims this many times as many rows: a claim costs about the same for few and many. */
const CLAIM_AHEAD = 4;

/** The claimed deliveries of one channel. */
interface ChannelQueue {
  readonly channelId: string;
  concurrency: number;
  /** The incidents of claimed rows. */
  busy: Set<string>;
  /** Claimed, and waiting for a place. */
  waiting: Delivery[];
  sending: number;
  claiming: boolean;
  /** Whether it has claimed rows since it got its place. */
  served: boolean;
  /** Whether rows may be due that were not claimed yet. */
  mayHaveDue: boolean;
  /** Whether rows may wait for a retry because the channel failed. */
  mayHaveRetries: boolean;
}

interface Delivery {
  row: OutboxRow;
  start(): Promise<Answer>;
}

export interface ChannelQueuesNeeds {
  /** Channels that are served at the same time. */
  channelsMax: number;
  /** Claims due rows of the channel. */
  claim(channelId: string, rowsMax: number, busyIncidents: readonly string[]): Promise<OutboxRow[]>;
  /** Returns a function for each of the claimed rows that delivers it. */
  work(rows: readonly OutboxRow[]): (() => Promise<Answer>)[];
  /** Called when a channel that may have failed before accepts a delivery. */
  recovered(row: OutboxRow): Promise<void>;
  /** Called when the channel accepts nothing before `untilMs`. */
  paused(channelId: string, untilMs: number): void;
  failed(error: unknown, channelId: string): void;
}

/** Serves channels concurrently. A channel waits for another one only while all places are taken. */
export interface ChannelQueues {
  /** Rows may be due for the channel. */
  wake(channelId: string): void;
  /** Stops claiming. Resolves when no delivery is in progress. */
  close(): Promise<void>;
}

interface State {
  needs: ChannelQueuesNeeds;
  queues: Map<string, ChannelQueue>;
  /** Channels that wait for a place, in their order, and their concurrency. */
  waiting: Map<string, number>;
  closed: boolean;
  onEmpty(): void;
}

export function createChannelQueues(needs: ChannelQueuesNeeds): ChannelQueues {
  const state: State = { needs, queues: new Map(), waiting: new Map(), closed: false, onEmpty: () => undefined };
  return {
    wake(channelId) {
      if (state.closed) return;
      const queue = state.queues.get(channelId);
      if (queue !== undefined) {
        queue.mayHaveDue = true;
        advance(state, queue);
      } else if (state.queues.size < needs.channelsMax) begin(state, channelId, 1);
      else if (!state.waiting.has(channelId)) state.waiting.set(channelId, 1);
    },
    close() {
      state.closed = true;
      state.waiting.clear();
      const done = new Promise<void>((resolve) => {
        state.onEmpty = resolve;
      });
      for (const queue of state.queues.values()) advance(state, queue);
      if (state.queues.size === 0) state.onEmpty();
      return done;
    },
  };
}

function begin(state: State, channelId: string, concurrency: number): void {
  const queue = {
    ...{ channelId, concurrency, busy: new Set<string>(), waiting: [], sending: 0 },
    ...{ claiming: false, served: false, mayHaveDue: true, mayHaveRetries: true },
  };
  state.queues.set(channelId, queue);
  advance(state, queue);
}

function advance(state: State, queue: ChannelQueue): void {
  while (queue.sending < queue.concurrency || state.closed) {
    const delivery = queue.waiting.shift();
    if (delivery === undefined) break;
    void send(state, queue, delivery);
  }
  if (queue.claiming) return;
  // A channel that was served lets waiting channels go first.
  const yields = state.waiting.size > 0 && queue.served;
  if (!state.closed && !yields && queue.mayHaveDue) {
    const rowsMax = queue.concurrency < CONCURRENCY_MAX ? queue.concurrency : CONCURRENCY_MAX * CLAIM_AHEAD;
    if (queue.busy.size <= rowsMax / 2) void claim(state, queue, rowsMax - queue.busy.size);
  } else if (queue.busy.size === 0) end(state, queue);
}

async function claim(state: State, queue: ChannelQueue, rowsMax: number): Promise<void> {
  const { needs } = state;
  queue.claiming = true;
  queue.served = true;
  queue.mayHaveDue = false;
  try {
    const rows = await needs.claim(queue.channelId, rowsMax, [...queue.busy]);
    // Fewer rows than requested means that there are no more. A new row wakes the queue.
    queue.mayHaveDue ||= rows.length === rowsMax;
    for (const row of rows) queue.busy.add(row.incident_id);
    const starts = rows.length === 0 ? [] : needs.work(rows);
    starts.forEach((start, index) => {
      const row = rows[index];
      if (row !== undefined) queue.waiting.push({ row, start });
    });
  } catch (error) {
    needs.failed(error, queue.channelId);
  }
  queue.claiming = false;
  advance(state, queue);
}

async function send(state: State, queue: ChannelQueue, { row, start }: Delivery): Promise<void> {
  queue.sending += 1;
  try {
    await applyAnswer(state, queue, row, await start());
  } catch (error) {
    state.needs.failed(error, queue.channelId);
  }
  queue.sending -= 1;
  queue.busy.delete(row.incident_id);
  advance(state, queue);
}

async function applyAnswer({ needs }: State, queue: ChannelQueue, row: OutboxRow, answer: Answer): Promise<void> {
  queue.concurrency = nextConcurrency(queue.concurrency, answer.channel);
  // The next notification of the same incident may be due.
  queue.mayHaveDue = answer.pausedUntilMs === null;
  if (answer.pausedUntilMs !== null) needs.paused(queue.channelId, answer.pausedUntilMs);
  if (answer.channel === 'failed') queue.mayHaveRetries = true;
  if (answer.channel !== 'delivered' || !queue.mayHaveRetries) return;
  queue.mayHaveRetries = false;
  await needs.recovered(row);
  queue.mayHaveDue = true;
}

function end(state: State, queue: ChannelQueue): void {
  state.queues.delete(queue.channelId);
  if (queue.mayHaveDue && !state.closed) state.waiting.set(queue.channelId, queue.concurrency);
  const [next] = state.waiting;
  if (next !== undefined) {
    state.waiting.delete(next[0]);
    begin(state, ...next);
  }
  if (state.queues.size === 0) state.onEmpty();
}
