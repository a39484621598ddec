import type { Clock } from '../../../../kernel/clock.js';
import type { OutboxRow } from '../../documents.js';
import type { Answer } from '../attempt.js';
import { type ChannelPaces, createChannelPaces } from './channel-paces.js';
import { CONCURRENCY_MAX, nextConcurrency } from './concurrency.js';
import { nextToServe, type Pace, type PlaceLimits, paceOf } from './places.js';
import { type ChannelOfWorkspace, createWaitingChannels, type WaitingChannels } from './waiting-channels.js';

/** A channel at full concurrency claims this many times as many rows: a claim costs about the same for few and many. */
const CLAIM_AHEAD = 4;

/** The claimed deliveries of one channel. */
interface ChannelQueue extends ChannelOfWorkspace {
  pace: Pace;
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
  limits: PlaceLimits;
  /** Claims due rows of the channel. */
  claim(channelId: string, rowsMax: number, busyIncidents: readonly string[]): Promise<OutboxRow[]>;
  /** Returns a function for each of the claimed rows that delivers it. `claimedAt`: monotonic time before the claim. */
  work(rows: readonly OutboxRow[], claimedAt: number): (() => Promise<Answer>)[];
  clock: Pick<Clock, 'monotonic'>;
  /** Called when a channel that may have failed before accepts a delivery. */
  recovered(row: OutboxRow): Promise<void>;
  /** Called when the channel accepts nothing before `untilMs`. */
  paused(channelId: string, untilMs: number): void;
  failed(error: unknown, channelId: string): void;
}

/** Serves channels concurrently. A channel waits for others only while all places that it may have are taken. */
export interface ChannelQueues {
  /** Rows may be due for the channel. */
  wake(channel: ChannelOfWorkspace): void;
  /** The same for a channel that is served or waits to be. Returns false for any other. */
  wakeKnown(channelId: string): boolean;
  /** Stops claiming. Resolves when no delivery is in progress. */
  close(): Promise<void>;
}

interface State {
  needs: ChannelQueuesNeeds;
  queues: Map<string, ChannelQueue>;
  waiting: WaitingChannels;
  paces: ChannelPaces;
  closed: boolean;
  onEmpty(): void;
}

export function createChannelQueues(needs: ChannelQueuesNeeds): ChannelQueues {
  const state: State = {
    ...{ needs, queues: new Map(), waiting: createWaitingChannels(), paces: createChannelPaces() },
    ...{ closed: false, onEmpty: () => undefined },
  };
  return {
    wake(channel) {
      if (!wakeKnown(state, channel.channelId)) beginOrWait(state, channel);
    },
    wakeKnown: (channelId) => wakeKnown(state, channelId),
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

function wakeKnown(state: State, channelId: string): boolean {
  // It serves no other channel any more.
  if (state.closed) return true;
  const queue = state.queues.get(channelId);
  if (queue === undefined) return state.waiting.has(channelId);
  queue.mayHaveDue = true;
  advance(state, queue);
  return true;
}

function beginOrWait(state: State, channel: ChannelOfWorkspace): void {
  const pace = state.paces.of(channel.channelId);
  // None of the waiting may begin, or it would not wait.
  const one = { ...channel, pace };
  if (nextToServe([one], state.queues.values(), state.needs.limits) === null) state.waiting.add(channel, pace, 1);
  else begin(state, channel, 1);
}

function begin(state: State, { channelId, workspaceId }: ChannelOfWorkspace, concurrency: number): void {
  const queue = {
    ...{ channelId, workspaceId, pace: state.paces.of(channelId), concurrency },
    ...{ busy: new Set<string>(), waiting: [], sending: 0 },
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
  const yields = queue.served && !state.waiting.isEmpty();
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
  const claimedAt = needs.clock.monotonic();
  try {
    const rows = await needs.claim(queue.channelId, rowsMax, [...queue.busy]);
    // Fewer rows than requested means that there are no more. A new row wakes the queue.
    queue.mayHaveDue ||= rows.length === rowsMax;
    for (const row of rows) queue.busy.add(row.incident_id);
    const starts = rows.length === 0 ? [] : needs.work(rows, claimedAt);
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
    const answer = await start();
    if (answer.tookMs !== null) notePace(state, queue, paceOf(answer.tookMs));
    await applyAnswer(state, queue, row, answer);
  } catch (error) {
    state.needs.failed(error, queue.channelId);
  }
  queue.sending -= 1;
  queue.busy.delete(row.incident_id);
  advance(state, queue);
}

function notePace(state: State, queue: ChannelQueue, pace: Pace): void {
  const changes = queue.pace !== pace;
  queue.pace = pace;
  state.paces.note(queue.channelId, pace);
  // It may have left one of the places for slow or new channels.
  if (changes) beginWaiting(state);
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
  if (queue.mayHaveDue && !state.closed) state.waiting.add(queue, queue.pace, queue.concurrency);
  beginWaiting(state);
  if (state.queues.size === 0) state.onEmpty();
}

/** Begins those that wait and may be served now. */
function beginWaiting(state: State): void {
  const { queues, waiting, needs } = state;
  for (;;) {
    const group = nextToServe(waiting.groups(), queues.values(), needs.limits);
    const next = group === null ? null : waiting.takeFirst(group);
    if (group === null || next === null) break;
    begin(state, { channelId: next.channelId, workspaceId: group.workspaceId }, next.concurrency);
  }
}
