import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { ChannelStore } from '../channel-settings/store.js';
import type { ChannelDocument, OutboxRow, Snapshot } from '../documents.js';
import { incidentMessage, type Message } from '../message.js';
import type {
  IncidentHead,
  IncidentRecords,
  MessageSources,
  MonitorSummary,
  NotificationMetrics,
} from '../notifications.js';
import { judge } from '../policy.js';
import type { Attempted, Note } from './note.js';
import type { OutboxStore } from './outbox-store.js';
import { afterAttempt } from './retry.js';
import { factsOf, type OutboxRowHead, recordOf, rowFacts, timingOf } from './rows.js';
import { type Send, unexpected } from './send.js';

interface AttemptDeps {
  channelStore: ChannelStore;
  outbox: OutboxStore;
  incidents: IncidentRecords;
  sources: MessageSources;
  note: Note;
  send: Send;
  metrics: NotificationMetrics;
  publicUrl: string;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** A row that was held up this long since its claim goes back: its lease could end while it is being sent. */
const START_WITHIN_MS = 10_000;
/** So old at most may be what a row is judged by: somebody may have acknowledged meanwhile. */
const SCENE_MS_MAX = 2_000;

/** What a row taught about its channel. `unasked`: it was not sent. */
export interface Answer {
  channel: 'took' | 'failed' | 'unasked';
  /** The channel takes nothing before then; null when it asks for no pause. */
  pausedUntilMs: number | null;
}

/** What the rows of one claim share. */
interface Scene {
  readAt: number;
  channel: ChannelDocument | null;
  heads: ReadonlyMap<string, IncidentHead>;
  /** Whole, where a row tells how things are now. */
  current: ReadonlyMap<string, Snapshot>;
  siblings: readonly OutboxRowHead[];
  monitors: ReadonlyMap<string, MonitorSummary>;
}

/**
 * How to work off each of the rows that were claimed together for one channel: judge, send, note. What they need to
 * know is read for all of them at once. Rejects only when the database cannot be reached before the send.
 */
export type Attempts = (rows: readonly OutboxRow[], stops: Stops) => (() => Promise<Answer>)[];

/** `draining`: nothing new is sent. `cutOff`: what is being sent ends. */
export interface Stops {
  draining: AbortSignal;
  cutOff: AbortSignal;
}

const UNASKED: Answer = { channel: 'unasked', pausedUntilMs: null };

export function createAttempts(deps: AttemptDeps): Attempts {
  const { clock } = deps;

  async function work(row: OutboxRow, scene: Scene, isStale: boolean, stops: Stops): Promise<Answer> {
    const { channel } = scene;
    const head = scene.heads.get(row.incident_id) ?? null;
    const letGo = async (untilMs: number) => deps.note({ kind: 'released', row, untilMs }, stops.cutOff);
    const siblings = scene.siblings.filter((other) => other.incident_id === row.incident_id && other._id !== row._id);
    const judgement = judge(
      rowFacts(row),
      siblings.map(rowFacts),
      head === null ? null : factsOf(head),
      channel === null ? null : timingOf(channel),
      clock.now(),
    );
    if (isStale || stops.draining.aborted) {
      await letGo(clock.now());
      return UNASKED;
    }
    if (judgement.do === 'withdraw' || head === null || channel === null) {
      const reason = judgement.do === 'withdraw' ? judgement.reason : '';
      await deps.note({ kind: 'withdrawn', row, reason }, stops.cutOff);
      return UNASKED;
    }
    if (judgement.do === 'wait') {
      await letGo(judgement.untilMs);
      return { channel: 'unasked', pausedUntilMs: channel.paused_until_ms > clock.now() ? judgement.untilMs : null };
    }
    const message = () => messageOf(deps, row, scene);
    return attempt(deps, { row, head, channel, message }, stops.cutOff);
  }

  return (rows, stops) => {
    const claimedAt = clock.monotonic();
    const reading = sceneOf(deps, rows);
    // Whoever starts a row finds out.
    reading.catch(() => undefined);
    return rows.map((row) => async () => {
      const scene = await reading;
      const startedAt = clock.monotonic();
      const isStale = startedAt - claimedAt > START_WITHIN_MS || startedAt - scene.readAt > SCENE_MS_MAX;
      return work(row, scene, isStale, stops);
    });
  };
}

async function attempt(
  deps: AttemptDeps,
  what: { row: OutboxRow; head: IncidentHead; channel: ChannelDocument; message: () => Message },
  stop: AbortSignal,
): Promise<Answer> {
  const { row, head, channel } = what;
  const sending = async () => deps.send(channel, what.message(), stop);
  const outcome = await sending().catch(unexpected);
  const attemptedMs = deps.clock.now();
  const refusals = row.refusals + (outcome.kind === 'refused' ? 1 : 0);
  const spent = { attempts: row.attempts, refusals, giveUpMs: row.give_up_ms };
  // A send that this process cut off to stop is not the channel's failure: another process takes it at once.
  const next: Attempted['next'] =
    stop.aborted && outcome.kind === 'retry'
      ? { state: 'pending', atMs: attemptedMs, error: outcome.error }
      : afterAttempt(outcome, spent, attemptedMs, deps.random.fraction());
  const done: Attempted = { kind: 'attempted', row, incident: head, channel, outcome, next, refusals, attemptedMs };
  await deps.note(done, stop);
  count(deps, done);
  const retryAfterMs = outcome.kind === 'retry' ? outcome.retryAfterMs : null;
  return {
    channel: next.state === 'sent' ? 'took' : 'failed',
    pausedUntilMs: retryAfterMs === null ? null : attemptedMs + retryAfterMs,
  };
}

async function sceneOf(deps: AttemptDeps, rows: readonly OutboxRow[]): Promise<Scene> {
  const { incidents, outbox } = deps;
  const [first] = rows;
  if (first === undefined) throw new Error('a claim without rows has nothing to work on');
  const { workspace_id: workspaceId, channel_id: channelId } = first;
  const ids = rows.map((row) => row.incident_id);
  const telling = rows.filter((row) => row.snapshot === null).map((row) => row.incident_id);
  const [channel, heads, siblings, whole, told] = await Promise.all([
    deps.channelStore.find(workspaceId, channelId),
    incidents.heads(workspaceId, ids),
    outbox.siblings(workspaceId, channelId, ids),
    telling.length === 0 ? [] : incidents.loadMany(telling.map((id) => ({ workspaceId, id }))),
    telling.length === 0 ? [] : outbox.ofIncidents(workspaceId, telling),
  ]);
  const readAt = deps.clock.monotonic();
  const monitorIds = new Set(heads.flatMap(({ monitor_id }) => (monitor_id === null ? [] : [monitor_id])));
  const monitors = monitorIds.size === 0 ? new Map() : await deps.sources.monitors(workspaceId, [...monitorIds]);
  const record = recordOf(told);
  return {
    readAt,
    channel,
    heads: new Map(heads.map((head) => [head._id, head])),
    current: new Map(whole.map((incident) => [incident._id, { incident, told: record.get(incident._id) ?? [] }])),
    siblings,
    monitors,
  };
}

/** A step or a reminder tells how things are now; what was due at once tells how they were. */
function messageOf(deps: AttemptDeps, row: OutboxRow, scene: Scene): Message {
  const about: Snapshot | undefined =
    row.snapshot === null ? scene.current.get(row.incident_id) : JSON.parse(row.snapshot);
  if (about === undefined) throw new Error('the incident was deleted');
  return incidentMessage({
    ...deps.sources,
    id: row._id,
    event: row.event,
    eventMs: row.snapshot === null ? row.first_due_ms : row.event_ms,
    incident: about.incident,
    told: about.told,
    monitor: scene.monitors.get(about.incident.monitor_id ?? '') ?? null,
    publicUrl: deps.publicUrl,
  });
}

function count({ metrics, logger }: AttemptDeps, { row, outcome, next, attemptedMs }: Attempted): void {
  if (next.state === 'pending') metrics.retried(row.channel_type);
  if (next.state === 'sent' && outcome.kind === 'sent') {
    metrics.sent(row.channel_type);
    metrics.delivered(row.channel_type, Math.max(0, attemptedMs - row.first_due_ms));
  }
  if (next.state !== 'failed') return;
  metrics.failed(row.channel_type);
  logger.warn({ notification: row._id, attempts: row.attempts, error: next.error }, 'a notification was given up');
}
