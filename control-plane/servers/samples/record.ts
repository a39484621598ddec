import type { Clock, Timer } from '../../../kernel/clock.js';
import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import { createTurns } from '../../../kernel/concurrency/turns.js';
import type { Logger } from '../../../kernel/logger.js';
import type { MetricSampleCodec } from '../../../proto/load.js';
import type { AgentIdentity, NodeRecord, RecordHandler, RecordRejection } from '../../nodes/nodes.js';
import type { PlanName } from '../../plans/plans.js';
import { keptMs } from '../../retention/retention.js';
import { isContention, isSlowness } from '../../storage/transaction.js';
import type { ServerStatus } from '../documents.js';
import type { DropCount, LiveUpdate } from '../live-store.js';
import type { SampleRefusal, ServerMetrics } from '../metrics.js';
import type { SampleListener } from '../servers.js';
import type { StatusChanges } from '../status.js';
import type { ServerStore } from '../store.js';
import { createMinuteBudget } from './minute-budget.js';
import { LATE_MS, type PendingSample, readSample } from './read-sample.js';
import { createReceiptBudget } from './receipt-budget.js';
import type { NewSample, SamplesStore } from './store.js';

/** Samples of all agents that arrive within this time are written together. */
const GROUP_MS = 100;
const GROUP_SAMPLES_MAX = 1_000;
/** Bytes of samples that are decoded at once: samples with the most values take about a tenth of a millisecond for each KiB. */
const TURN_BYTES = 65_536;
/** How many workspaces have servers set online at the same time, and for how long a group begins to set others online. */
const ONLINE_PARALLEL = 4;
const ONLINE_MS_MAX = 5_000;
/** What is wrong with samples is logged at most this often. */
const LOG_PERIOD_MS = 60_000;

interface RecordNeeds {
  codec: MetricSampleCodec;
  samples: Pick<SamplesStore, 'insert'>;
  store: Pick<ServerStore, 'updateLive' | 'statuses' | 'addDropped'>;
  changes: StatusChanges;
  listener: SampleListener;
  metrics: Pick<ServerMetrics, 'samplesRefused'>;
  /** Returns the plan of a workspace; null if the workspace does not exist. */
  planOf(workspaceId: string): Promise<PlanName | null>;
  clock: Clock;
  logger: Logger;
}

/** The samples of a batch, before they are stored. */
interface ReadSamples {
  pending: PendingSample[];
  rejections: { seq: number; reason: SampleRefusal }[];
  drops: DropCount;
}

/** Stores the samples of agents, idempotently: a sample is identified by its server and time. */
export function createRecordSamples(needs: RecordNeeds): RecordHandler<AgentIdentity> {
  const { codec, planOf, clock } = needs;
  const write = createGroupWriter(needs);
  const receipts = createReceiptBudget(clock);
  const minutes = createMinuteBudget(clock);
  const nextTurn = createTurns();
  const countDropped = createDropCount(needs);

  async function accept(node: AgentIdentity, records: NodeRecord[], receivedAtMs: number): Promise<RecordRejection[]> {
    const plan = await planOf(node.workspaceId);
    if (plan === null) return records.map(({ seq }) => ({ seq, reason: 'workspace_gone' }));
    const samples = await readAll(node, records, receivedAtMs, receivedAtMs - keptMs(plan).rawMs);
    const { pending, rejections, drops } = samples;
    try {
      const isKnown = await write(pending, drops);
      if (!isKnown) return records.map(({ seq }) => ({ seq, reason: 'server_deleted' }));
    } catch (error) {
      for (const { serverId, atMs, bytes } of pending) minutes.giveBack(serverId, atMs, bytes.length);
      throw error;
    }
    countDropped(node, samples);
    return rejections;
  }

  async function readAll(
    node: AgentIdentity,
    records: NodeRecord[],
    receivedAtMs: number,
    oldestMs: number,
  ): Promise<ReadSamples> {
    const { workspaceId, nodeId: serverId } = node;
    const drops: DropCount = { workspaceId, serverId, tooOld: 0, values: 0 };
    const samples: ReadSamples = { pending: [], rejections: [], drops };
    let turnBytes = 0;
    for (const { seq, bytes } of records) {
      turnBytes += bytes.length;
      if (turnBytes > TURN_BYTES) {
        turnBytes = bytes.length;
        await nextTurn();
      }
      const sample = readSample(codec, node, bytes, receivedAtMs);
      const refused = refusal(sample, oldestMs);
      if (refused !== null) samples.rejections.push({ seq, reason: refused });
      if (refused === 'report_too_old') drops.tooOld++;
      if (sample === null || refused !== null) continue;
      drops.values += sample.valuesDropped;
      samples.pending.push(sample);
    }
    return samples;
  }

  /** Returns why a sample is refused for good. */
  function refusal(sample: PendingSample | null, oldestMs: number): SampleRefusal | null {
    if (sample === null) return 'report_malformed';
    if (sample.atMs < oldestMs) return 'report_too_old';
    return minutes.take(sample.serverId, sample.atMs, sample.bytes.length) ? null : 'report_over_budget';
  }

  return {
    accept,
    delayMs: ({ nodeId }, records) => receipts.delayMs(nodeId, records),
  };
}

/** Returns a function that counts the refused samples of a batch, and logs them at most once a minute. */
function createDropCount({
  metrics,
  clock,
  logger,
}: Pick<RecordNeeds, 'metrics' | 'clock' | 'logger'>): (node: AgentIdentity, samples: ReadSamples) => void {
  let loggedMs = Number.NEGATIVE_INFINITY;
  return (node, { rejections, drops }) => {
    for (const { reason } of rejections) metrics.samplesRefused(reason, 1);
    if (rejections.length + drops.values === 0 || clock.monotonic() - loggedMs < LOG_PERIOD_MS) return;
    loggedMs = clock.monotonic();
    const reason = rejections[0]?.reason ?? null;
    logger.warn(
      { node, samples: rejections.length, reason, values: drops.values },
      'dropped invalid or too many samples or values of a server; further ones are only counted for a minute',
    );
  };
}

/**
 * Returns a function that writes samples in groups. It resolves to whether the server of the caller exists, and rejects if
 * another transaction has locked it.
 */
function createGroupWriter(
  needs: RecordNeeds,
): (pending: readonly PendingSample[], drops: DropCount) => Promise<boolean> {
  const { clock } = needs;
  let samples: PendingSample[] = [];
  let drops: DropCount[] = [];
  let group: Promise<GroupWritten> | null = null;
  let writeNow: () => void = () => {};

  function openGroup(): Promise<GroupWritten> {
    let timer: Timer | null = null;
    return new Promise<void>((resolve) => {
      writeNow = resolve;
      timer = clock.after(GROUP_MS, resolve);
    }).then(() => {
      timer?.cancel();
      const complete = { samples, drops };
      samples = [];
      drops = [];
      group = null;
      return writeGroup(needs, complete.samples, complete.drops);
    });
  }

  return async (pending, dropped) => {
    group ??= openGroup();
    const own = group;
    samples.push(...pending);
    if (dropped.tooOld + dropped.values > 0) drops.push(dropped);
    if (samples.length >= GROUP_SAMPLES_MAX) writeNow();
    const { missing, locked } = await own;
    if (locked.has(dropped.serverId)) throw new Error('another transaction has locked the server');
    return !missing.has(dropped.serverId);
  };
}

/** Servers of a group of samples. */
interface GroupWritten {
  /** They do not exist. */
  missing: ReadonlySet<string>;
  /** Another transaction keeps them from being written, so their samples must be sent again. */
  locked: ReadonlySet<string>;
}

/** Stores the samples of many servers, updates the live sample of each, then counts what they dropped. */
async function writeGroup(
  needs: RecordNeeds,
  pending: readonly PendingSample[],
  drops: readonly DropCount[],
): Promise<GroupWritten> {
  const { samples, store, listener, logger } = needs;
  if (pending.length > 0) await samples.insert(pending.map(newSample));
  const locked = new Set<string>();
  let missing: ReadonlySet<string> = new Set();
  const free = () => newest(pending).filter(({ serverId }) => !locked.has(serverId));
  const lock = (ids: ReadonlySet<string>) => {
    for (const id of ids) locked.add(id);
  };
  // Normally each sample is the newest of a server that is online.
  const online = await store.updateLive(free(), 'online');
  lock(online.locked);
  const others = free();
  if (online.matched !== others.length) {
    const statuses = await store.statuses(others.map(({ serverId }) => serverId));
    missing = new Set(others.map(({ serverId }) => serverId).filter((id) => !statuses.has(id)));
    // The live sample before the status: in the other order, an offline check between the two writes would find an
    // online server without a recent sample.
    lock((await store.updateLive(others, 'any')).locked);
    await setOnline(needs, free(), statuses);
  }
  // Last, because they are not idempotent: nothing may fail after them and make agents repeat what was counted. They
  // themselves may have been counted in part.
  const counted = drops.filter(({ serverId }) => !locked.has(serverId));
  const uncounted = await store.addDropped(counted).catch((err: unknown): ReadonlySet<string> => {
    logger.warn({ err, servers: counted.length }, 'failed to count the dropped samples and values of servers');
    return new Set();
  });
  // Samples that are stored are not sent again for the sake of a count.
  const stored = new Set(pending.map(({ serverId }) => serverId));
  lock(new Set([...uncounted].filter((id) => !stored.has(id))));
  listener.accepted(pending.filter(({ serverId }) => !missing.has(serverId) && !locked.has(serverId)));
  return { missing, locked };
}

/**
 * Sets the servers online that sent a sample which is not late. Those of a workspace that another transaction has locked, and
 * those for which the time is over, stay as they are until their next sample: the samples of others wait for this.
 */
async function setOnline(
  { changes, clock, logger }: RecordNeeds,
  updates: readonly LiveUpdate[],
  statuses: ReadonlyMap<string, ServerStatus>,
): Promise<void> {
  const untilMs = clock.monotonic() + ONLINE_MS_MAX;
  const returned = updates.filter(({ serverId, atMs, receivedAtMs }) => {
    const status = statuses.get(serverId);
    return status !== undefined && status !== 'online' && receivedAtMs - atMs <= LATE_MS;
  });
  // Those of a workspace one after another, because they write the same documents, such as the end of its audit log.
  await inParallel(byWorkspace(returned).values(), ONLINE_PARALLEL, async (servers) => {
    for (const { serverId } of servers) {
      if (clock.monotonic() > untilMs) return;
      try {
        await changes.transition({ id: serverId, from: statuses.get(serverId) ?? 'offline', to: 'online' });
      } catch (err) {
        if (!isContention(err) && !isSlowness(err)) throw err;
        logger.warn({ err, server: serverId }, 'failed to set a server online; its next sample repeats it');
        return;
      }
    }
  });
}

function byWorkspace(updates: readonly LiveUpdate[]): Map<string, LiveUpdate[]> {
  const groups = new Map<string, LiveUpdate[]>();
  for (const update of updates) {
    const group = groups.get(update.workspaceId);
    if (group === undefined) groups.set(update.workspaceId, [update]);
    else group.push(update);
  }
  return groups;
}

function newSample({ serverId, workspaceId, atMs, receivedAtMs, bytes }: PendingSample): NewSample {
  return { serverId, workspaceId, atMs, receivedAtMs, bytes };
}

/** Returns the newest sample of each server. */
function newest(pending: readonly PendingSample[]): LiveUpdate[] {
  const byServer = new Map<string, LiveUpdate>();
  for (const sample of pending) {
    const known = byServer.get(sample.serverId);
    if (known === undefined || sample.atMs > known.atMs) byServer.set(sample.serverId, newSample(sample));
  }
  return [...byServer.values()];
}
