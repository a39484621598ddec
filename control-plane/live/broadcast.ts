import type { Clock } from '../../kernel/clock.js';
import type { Scope } from '../actor.js';
import type { LiveMetrics } from './metrics.js';
import { idOfPosition, type Position, positionOf } from './position.js';
import type { RecentEntry, RecentEvents } from './recent-events.js';
import { BEHIND_FRAME, eventFrame, heartbeatFrame, RETRY_FRAME, readyFrame, resetFrame } from './streams/frames.js';
import { ALL_UNREAD_BYTES_MAX, createUnreadBytes } from './streams/unread-bytes.js';
import type { Subscriber, Subscribers } from './subscribers.js';

/** More changes than this at once are one `reset`: reading a list again is cheaper for both sides. */
const FLUSH_EVENTS_MAX = 200;
/** How many missed events a client that returns gets at most. */
const CATCH_UP_EVENTS_MAX = 1_000;
/**
 * And how many bytes: half of what may wait for a client. With more it would be cut off while it is greeted, and again
 * each time that it returns.
 */
const CATCH_UP_BYTES_MAX = 128 * 1024;
/** After a `reset`, a workspace gets nothing for this long, because its pages are busy reading. */
const RESET_PAUSE_MS = 1_500;

/** Sends events to the open streams. */
export interface Broadcast {
  /** Sends the start of a stream: what the client missed since `lastId`, or `reset` if that is not known. */
  greet(subscriber: Subscriber, lastId: string | null): void;
  /** Sends what is new to everybody. */
  flush(): void;
  /** Tells everybody to read everything again. */
  resetAll(): void;
  heartbeat(): void;
  /** Tells the receivers that events come late, until the next heartbeat. */
  behind(receivers: Iterable<Subscriber>): void;
}

/** How far the streams of a workspace are: all of them at the same document. */
interface Channel {
  sent: number;
  pausedUntilMs: number;
}

interface BroadcastNeeds {
  subscribers: Subscribers;
  recent: RecentEvents;
  metrics: Pick<LiveMetrics, 'sent' | 'cutOff'>;
  clock: Pick<Clock, 'monotonic'>;
}

export function createBroadcast({ subscribers, recent, metrics, clock }: BroadcastNeeds): Broadcast {
  const channels = new Map<string, Channel>();

  /** Returns the channel of a workspace, which begins with what is new from now on. */
  function channelOf(workspaceId: string): Channel {
    const known = channels.get(workspaceId);
    if (known !== undefined) return known;
    const channel = { sent: recent.newest() ?? 0, pausedUntilMs: Number.NEGATIVE_INFINITY };
    channels.set(workspaceId, channel);
    return channel;
  }

  const unread = createUnreadBytes({
    streams: () => [...subscribers.all()].map(({ stream }) => stream),
    bytesMax: ALL_UNREAD_BYTES_MAX,
    onCut: metrics.cutOff,
  });

  function write({ stream }: Subscriber, bytes: Buffer): void {
    if (stream.write(bytes)) unread.written(bytes.length);
    else metrics.cutOff();
  }

  function reset(workspaceId: string, channel: Channel, reason: 'unknown_position' | 'many_changes'): void {
    channel.pausedUntilMs = clock.monotonic() + RESET_PAUSE_MS;
    const bytes = Buffer.from(resetFrame(idOf(channel.sent), reason));
    for (const subscriber of subscribers.ofWorkspace(workspaceId)) write(subscriber, bytes);
  }

  function flushWorkspace(workspaceId: string): void {
    const channel = channelOf(workspaceId);
    const newest = recent.newest() ?? channel.sent;
    if (channel.sent === newest || clock.monotonic() < channel.pausedUntilMs) return;
    const entries = recent.since(workspaceId, { document: channel.sent, entries: null });
    channel.sent = newest;
    if (entries === null) reset(workspaceId, channel, 'unknown_position');
    else if (entries.length > FLUSH_EVENTS_MAX) reset(workspaceId, channel, 'many_changes');
    else if (entries.length > 0) sendTo(subscribers.ofWorkspace(workspaceId), entries);
  }

  function sendTo(receivers: Iterable<Subscriber>, entries: readonly RecentEntry[]): void {
    const textFor = createTexts(entries);
    for (const subscriber of receivers) {
      const { bytes, events } = textFor(subscriber.scopes);
      if (events === 0) continue;
      write(subscriber, bytes);
      metrics.sent(events);
    }
  }

  /** Returns false, and sends nothing, if it is too much. */
  function sendMissed(subscriber: Subscriber, missed: readonly RecentEntry[]): boolean {
    const { bytes, events } = createTexts(missed)(subscriber.scopes);
    if (bytes.length > CATCH_UP_BYTES_MAX) return false;
    if (events > 0) write(subscriber, bytes);
    metrics.sent(events);
    return true;
  }

  const behindBytes = Buffer.from(BEHIND_FRAME);

  return {
    behind(receivers) {
      for (const subscriber of receivers) write(subscriber, behindBytes);
    },
    greet(subscriber, lastId) {
      const { sent } = channelOf(subscriber.workspaceId);
      const current = idOf(sent);
      write(subscriber, Buffer.from(RETRY_FRAME));
      const missed = lastId === null ? [] : missedBy(recent, subscriber.workspaceId, positionOf(lastId), sent);
      const reason = missed === null ? 'unknown_position' : sendMissed(subscriber, missed) ? null : 'many_changes';
      if (reason !== null) write(subscriber, Buffer.from(resetFrame(current, reason)));
      write(subscriber, Buffer.from(readyFrame(current, lastId !== null && reason === null, subscriber)));
    },
    flush() {
      const open = new Set(subscribers.workspaces());
      for (const workspaceId of channels.keys()) if (!open.has(workspaceId)) channels.delete(workspaceId);
      for (const workspaceId of open) flushWorkspace(workspaceId);
    },
    resetAll() {
      for (const workspaceId of subscribers.workspaces()) {
        const channel = channelOf(workspaceId);
        channel.sent = recent.newest() ?? channel.sent;
        reset(workspaceId, channel, 'unknown_position');
      }
    },
    heartbeat() {
      for (const workspaceId of subscribers.workspaces()) {
        const bytes = Buffer.from(heartbeatFrame(idOf(channelOf(workspaceId).sent)));
        for (const subscriber of subscribers.ofWorkspace(workspaceId)) write(subscriber, bytes);
      }
    },
  };
}

function idOf(document: number): string {
  return idOfPosition({ document, entries: null });
}

/** Returns what a client at the position missed up to the document `sent`; null if it must read everything again. */
function missedBy(
  recent: RecentEvents,
  workspaceId: string,
  position: Position | null,
  sent: number,
): RecentEntry[] | null {
  // A client can be ahead of the others of its workspace while these are paused: it would get the same events twice.
  if (position === null || position.document > sent) return null;
  const entries = recent.since(workspaceId, position);
  if (entries === null) return null;
  const missed = entries.filter(({ id }) => (positionOf(id)?.document ?? 0) <= sent);
  return missed.length > CATCH_UP_EVENTS_MAX ? null : missed;
}

/** Returns the function that makes the bytes of the events for a set of scopes: all streams with these share them. */
function createTexts(entries: readonly RecentEntry[]) {
  const made = new Map<string, { bytes: Buffer; events: number }>();
  return (scopes: ReadonlySet<Scope>) => {
    const name = [...scopes].join();
    const known = made.get(name);
    if (known !== undefined) return known;
    const shown = entries.filter(({ event }) => event !== null && scopes.has(event.scope));
    const texts = { bytes: Buffer.from(shown.map(eventFrame).join('')), events: shown.length };
    made.set(name, texts);
    return texts;
  };
}
