import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createTurns } from '../../../kernel/turns.js';
import type { MetricSampleCodec } from '../../../proto/load.js';
import type { AgentIdentity, NodeRecord, RecordHandler, RecordRejection } from '../../nodes/nodes.js';
import type { PlanName } from '../../plans/plans.js';
import { keptMs } from '../../retention/retention.js';
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

/** Returns a function that writes samples in groups. It resolves to whether the server of the caller exists. */
function createGroupWriter(
  needs: RecordNeeds,
): (pending: readonly PendingSample[], drops: DropCount) => Promise<boolean> {
  const { clock } = needs;
  let samples: PendingSample[] = [];
  let drops: DropCount[] = [];
  let group: Promise<ReadonlySet<string>> | null = null;
  let writeNow: () => void = () => {};

  function openGroup(): Promise<ReadonlySet<string>> {
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
    return !(await own).has(dropped.serverId);
  };
}

/** Stores the samples of many servers, then updates the live sample of each. Returns the servers that do not exist. */
async function writeGroup(
  { samples, store, changes, listener }: RecordNeeds,
  pending: readonly PendingSample[],
  drops: readonly DropCount[],
): Promise<ReadonlySet<string>> {
  if (pending.length > 0) await samples.insert(pending.map(newSample));
  await store.addDropped(drops);
  const updates = newest(pending);
  let missing: ReadonlySet<string> = new Set();
  // Normally each sample is the newest of a server that is online.
  if ((await store.updateLive(updates, 'online')) !== updates.length) {
    const statuses = await store.statuses(updates.map(({ serverId }) => serverId));
    missing = new Set(updates.map(({ serverId }) => serverId).filter((id) => !statuses.has(id)));
    // The live sample before the status: in the other order, an offline check between the two writes would find an
    // online server without a recent sample.
    await store.updateLive(updates, 'any');
    await setOnline(changes, updates, statuses);
  }
  listener.accepted(pending.filter(({ serverId }) => !missing.has(serverId)));
  return missing;
}

/** Sets the servers online that sent a sample which is not late. */
async function setOnline(
  changes: StatusChanges,
  updates: readonly LiveUpdate[],
  statuses: ReadonlyMap<string, ServerStatus>,
): Promise<void> {
  for (const { serverId, atMs, receivedAtMs } of updates) {
    const status = statuses.get(serverId);
    if (status === undefined || status === 'online' || receivedAtMs - atMs > LATE_MS) continue;
    await changes.transition({ id: serverId, from: status, to: 'online' });
  }
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
