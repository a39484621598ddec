import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { MetricReportCodec } from '../../../proto/load.js';
import type { PlanName } from '../../accounts/plans.js';
import type { AgentIdentity, NodeRecord, RecordHandler, RecordRejection } from '../../nodes/nodes.js';
import { keptMs } from '../../retention/retention.js';
import type { ServerStatus } from '../documents.js';
import type { AcceptedReport, ReportListener } from '../servers.js';
import type { StatusChanges } from '../status.js';
import type { DropCount, LiveMove, ServerStore } from '../store.js';
import { readReport, reportMessage } from './sample.js';
import type { NewReport, ReportsStore } from './store.js';

/** Reports of all agents that arrive within this time are written together. */
const GATHER_MS = 100;
const GATHER_REPORTS_MAX = 1_000;
/** A report that is older when it comes has waited on the agent's disk. */
export const LATE_MS = 30_000;
/** A report from further ahead gets the time at which it came. */
export const AHEAD_MS_MAX = 300_000;

interface Dependencies {
  codec: MetricReportCodec;
  reports: Pick<ReportsStore, 'insert'>;
  store: Pick<ServerStore, 'moveLive' | 'statuses' | 'addDropped'>;
  changes: StatusChanges;
  listener: ReportListener;
  /** What the workspace's plan is; null when there is no such workspace. */
  planOf(workspaceId: string): Promise<PlanName | null>;
  clock: Clock;
  logger: Logger;
}

/** A report on its way into the database. */
interface Taken extends AcceptedReport {
  bytes: Uint8Array;
}

/** Stores what agents report: once each, by server and time, however often it is sent. */
export function createRecordReports(dependencies: Dependencies): RecordHandler<AgentIdentity> {
  const { codec, planOf, clock, logger } = dependencies;
  const write = createGroupWriter(dependencies);

  async function accept(node: AgentIdentity, records: NodeRecord[], receivedAtMs: number): Promise<RecordRejection[]> {
    const plan = await planOf(node.workspaceId);
    if (plan === null) return records.map(({ seq }) => ({ seq, reason: 'workspace_gone' }));
    const oldestMs = receivedAtMs - keptMs(plan).rawMs;
    const rejections: RecordRejection[] = [];
    const taken: Taken[] = [];
    const drops: DropCount = { workspaceId: node.workspaceId, serverId: node.nodeId, tooOld: 0, values: 0 };
    for (const { seq, bytes } of records) {
      const report = take(node, bytes, receivedAtMs);
      if (report === null) rejections.push({ seq, reason: 'report_malformed' });
      else if (report.atMs < oldestMs) {
        drops.tooOld++;
        rejections.push({ seq, reason: 'report_too_old' });
      } else {
        drops.values += report.valuesDropped;
        taken.push(report);
      }
    }
    if (drops.values > 0) {
      logger.warn({ node, values: drops.values }, 'values of a report that cannot be kept were dropped');
    }
    const isKnown = await write(taken, drops);
    return isKnown ? rejections : records.map(({ seq }) => ({ seq, reason: 'server_deleted' }));
  }

  function take(
    node: AgentIdentity,
    bytes: Uint8Array,
    receivedAtMs: number,
  ): (Taken & { valuesDropped: number }) | null {
    let message: ReturnType<MetricReportCodec['decode']>;
    try {
      message = codec.decode(bytes);
    } catch {
      return null;
    }
    if (!Number.isSafeInteger(message.atMs) || message.atMs <= 0) return null;
    const isAhead = message.atMs > receivedAtMs + AHEAD_MS_MAX;
    const { values, valuesDropped } = readReport(message);
    const atMs = isAhead ? receivedAtMs : message.atMs;
    return {
      serverId: node.nodeId,
      workspaceId: node.workspaceId,
      atMs,
      receivedAtMs,
      late: receivedAtMs - atMs > LATE_MS,
      values,
      bytes: isAhead || valuesDropped > 0 ? codec.encode(reportMessage(atMs, values)) : bytes,
      valuesDropped,
    };
  }

  return { accept: (node, records) => accept(node, records, clock.now()) };
}

/** Resolves, for each caller, whether its server exists. */
function createGroupWriter(
  dependencies: Dependencies,
): (taken: readonly Taken[], drops: DropCount) => Promise<boolean> {
  const { clock } = dependencies;
  let reports: Taken[] = [];
  let drops: DropCount[] = [];
  let group: Promise<ReadonlySet<string>> | null = null;
  let startNow: () => void = () => {};

  function open(): Promise<ReadonlySet<string>> {
    let timer: Timer | null = null;
    return new Promise<void>((resolve) => {
      startNow = resolve;
      timer = clock.after(GATHER_MS, resolve);
    }).then(() => {
      timer?.cancel();
      const written = { reports, drops };
      reports = [];
      drops = [];
      group = null;
      return writeGroup(dependencies, written.reports, written.drops);
    });
  }

  return async (taken, dropped) => {
    group ??= open();
    const mine = group;
    reports.push(...taken);
    if (dropped.tooOld + dropped.values > 0) drops.push(dropped);
    if (reports.length >= GATHER_REPORTS_MAX) startNow();
    return !(await mine).has(dropped.serverId);
  };
}

/** Stores the reports of many servers, then moves what is newest of each. Returns the servers that do not exist. */
async function writeGroup(
  { reports, store, changes, listener }: Dependencies,
  taken: readonly Taken[],
  drops: readonly DropCount[],
): Promise<ReadonlySet<string>> {
  if (taken.length > 0) await reports.insert(taken.map(newReport));
  await store.addDropped(drops);
  const moves = newest(taken);
  let gone: ReadonlySet<string> = new Set();
  // Normally each report is the newest of a server that is online.
  if ((await store.moveLive(moves, 'online')) !== moves.length) {
    const statuses = await store.statuses(moves.map(({ serverId }) => serverId));
    gone = new Set(moves.map(({ serverId }) => serverId).filter((id) => !statuses.has(id)));
    // First the sign of life, then the status that follows from it: the other way round a look at that very moment
    // would take the server for silent again.
    await store.moveLive(moves, 'any');
    await wake(changes, moves, statuses);
  }
  listener.accepted(taken.filter(({ serverId }) => !gone.has(serverId)));
  return gone;
}

/** A report that is not late is a sign of life. */
async function wake(
  changes: StatusChanges,
  moves: readonly LiveMove[],
  statuses: ReadonlyMap<string, ServerStatus>,
): Promise<void> {
  for (const { serverId, atMs, receivedAtMs } of moves) {
    const status = statuses.get(serverId);
    if (status === undefined || status === 'online' || receivedAtMs - atMs > LATE_MS) continue;
    await changes.transition({ id: serverId, from: status, to: 'online' });
  }
}

function newReport({ serverId, workspaceId, atMs, receivedAtMs, bytes }: Taken): NewReport {
  return { serverId, workspaceId, atMs, receivedAtMs, report: bytes };
}

function newest(taken: readonly Taken[]): LiveMove[] {
  const byServer = new Map<string, LiveMove>();
  for (const report of taken) {
    const known = byServer.get(report.serverId);
    if (known === undefined || report.atMs > known.atMs) byServer.set(report.serverId, newReport(report));
  }
  return [...byServer.values()];
}
