import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { MetricSampleCodec } from '../../../proto/load.js';
import type { AgentIdentity, NodeRecord, RecordHandler, RecordRejection } from '../../nodes/nodes.js';
import type { PlanName } from '../../plans/plans.js';
import { keptMs } from '../../retention/retention.js';
import type { ServerStatus } from '../documents.js';
import type { DropCount, LiveUpdate } from '../live-store.js';
import type { AcceptedSample, SampleListener } from '../servers.js';
import type { StatusChanges } from '../status.js';
import type { ServerStore } from '../store.js';
import { parseSample, sampleMessage } from './message.js';
import type { NewSample, SamplesStore } from './store.js';

/** Samples of all agents that arrive within this time are written together. */
const GROUP_MS = 100;
const GROUP_SAMPLES_MAX = 1_000;
/** A sample that is older than this when it arrives has waited on the agent's disk. */
const LATE_MS = 30_000;
/** A sample with a time further in the future gets the time of its arrival. */
const AHEAD_MS_MAX = 300_000;

interface RecordNeeds {
  codec: MetricSampleCodec;
  samples: Pick<SamplesStore, 'insert'>;
  store: Pick<ServerStore, 'updateLive' | 'statuses' | 'addDropped'>;
  changes: StatusChanges;
  listener: SampleListener;
  /** Returns the plan of a workspace; null if the workspace does not exist. */
  planOf(workspaceId: string): Promise<PlanName | null>;
  clock: Clock;
  logger: Logger;
}

/** A sample that is about to be stored. */
interface PendingSample extends AcceptedSample {
  bytes: Uint8Array;
}

/** Stores the samples of agents, idempotently: a sample is identified by its server and time. */
export function createRecordSamples(needs: RecordNeeds): RecordHandler<AgentIdentity> {
  const { codec, planOf, clock, logger } = needs;
  const write = createGroupWriter(needs);

  async function accept(node: AgentIdentity, records: NodeRecord[], receivedAtMs: number): Promise<RecordRejection[]> {
    const plan = await planOf(node.workspaceId);
    if (plan === null) return records.map(({ seq }) => ({ seq, reason: 'workspace_gone' }));
    const oldestMs = receivedAtMs - keptMs(plan).rawMs;
    const rejections: RecordRejection[] = [];
    const pending: PendingSample[] = [];
    const drops: DropCount = { workspaceId: node.workspaceId, serverId: node.nodeId, tooOld: 0, values: 0 };
    for (const { seq, bytes } of records) {
      const sample = read(node, bytes, receivedAtMs);
      if (sample === null) rejections.push({ seq, reason: 'report_malformed' });
      else if (sample.atMs < oldestMs) {
        drops.tooOld++;
        rejections.push({ seq, reason: 'report_too_old' });
      } else {
        drops.values += sample.valuesDropped;
        pending.push(sample);
      }
    }
    if (drops.values > 0) logger.warn({ node, values: drops.values }, 'dropped invalid values of a sample');
    const isKnown = await write(pending, drops);
    return isKnown ? rejections : records.map(({ seq }) => ({ seq, reason: 'server_deleted' }));
  }

  function read(
    node: AgentIdentity,
    bytes: Uint8Array,
    receivedAtMs: number,
  ): (PendingSample & { valuesDropped: number }) | null {
    let message: ReturnType<MetricSampleCodec['decode']>;
    try {
      message = codec.decode(bytes);
    } catch {
      return null;
    }
    if (!Number.isSafeInteger(message.atMs) || message.atMs <= 0) return null;
    const isAhead = message.atMs > receivedAtMs + AHEAD_MS_MAX;
    const { values, valuesDropped } = parseSample(message);
    const atMs = isAhead ? receivedAtMs : message.atMs;
    return {
      serverId: node.nodeId,
      workspaceId: node.workspaceId,
      atMs,
      receivedAtMs,
      late: receivedAtMs - atMs > LATE_MS,
      values,
      bytes: isAhead || valuesDropped > 0 ? codec.encode(sampleMessage(atMs, values)) : bytes,
      valuesDropped,
    };
  }

  return { accept: (node, records) => accept(node, records, clock.now()) };
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
