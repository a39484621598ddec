import type { Collection, Filter } from 'mongodb';
import type { CountAmong, ParentMonitor, ParentReads } from '../../dependencies/dependencies.js';
import type { Transaction } from '../../storage/transaction.js';
import type { MonitorDocument } from '../documents.js';
import { believedCheckedAt, isStale, voteValidMs } from '../live-result.js';

type ParentFields = Pick<
  MonitorDocument,
  | ('_id' | 'workspace_id' | 'name' | 'tags' | 'locations' | 'interval_seconds' | 'paused_at_ms')
  | ('created_at_ms' | 'live_from_version' | 'live' | 'state' | 'channels' | 'confirmations' | 'stopped')
>;

const FIELDS = {
  ...{ workspace_id: 1, name: 1, tags: 1, locations: 1, interval_seconds: 1, paused_at_ms: 1 },
  ...{ created_at_ms: 1, live_from_version: 1, live: 1, state: 1 },
  ...{ channels: 1, confirmations: 1, stopped: 1 },
} as const;

/** Reads monitors as dependencies need them. */
export interface DependencyReads {
  parents: ParentReads;
  countAmong: CountAmong;
  /** Returns those that exist, in no order. */
  namedWithTags(
    workspaceId: string,
    ids: readonly string[],
    tx?: Transaction,
  ): Promise<Pick<MonitorDocument, '_id' | 'name' | 'tags'>[]>;
}

export function createDependencyReads(monitors: Collection<MonitorDocument>): DependencyReads {
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async parents(workspaceIds, ids, nowMs, tx) {
      const found = await monitors
        .find({ _id: { $in: [...ids] }, workspace_id: { $in: [...workspaceIds] } }, within(tx))
        .project<ParentFields>(FIELDS)
        .toArray();
      return found.map((monitor) => parentOf(monitor, nowMs));
    },
    countAmong(workspaceId, { ids, tags, except }, max, tx) {
      const filter: Filter<MonitorDocument> = {
        workspace_id: workspaceId,
        _id: { $ne: except },
        paused_at_ms: null,
        $or: [{ _id: { $in: [...ids] } }, { tags: { $in: [...tags] } }],
      };
      return monitors.countDocuments(filter, { ...within(tx), limit: max });
    },
    namedWithTags: (workspaceId, ids, tx) =>
      monitors
        .find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, within(tx))
        .project<Pick<MonitorDocument, '_id' | 'name' | 'tags'>>({ name: 1, tags: 1 })
        .toArray(),
  };
}

function parentOf(monitor: ParentFields, nowMs: number): ParentMonitor {
  const { state, live, locations, interval_seconds } = monitor;
  const newest = locations.flatMap((location) => live[location] ?? []);
  const current = newest.filter((result) => !isStale(result, voteValidMs(interval_seconds), nowMs));
  // A pause or a new target may have resolved an incident of an earlier version.
  const incident = state.incident?.from_version === monitor.live_from_version ? state.incident : null;
  return {
    id: monitor._id,
    workspaceId: monitor.workspace_id,
    name: monitor.name,
    tags: monitor.tags,
    channels: monitor.channels,
    isPaused: monitor.paused_at_ms !== null && monitor.stopped !== true,
    isStopped: monitor.paused_at_ms !== null && monitor.stopped === true,
    isKnown: current.length > 0,
    isFailing: state.first_failed_at_ms !== null,
    status: state.status,
    changedAtMs: state.changed_at_ms,
    hasRecovered: state.changed_at_ms > monitor.created_at_ms,
    intervalMs: interval_seconds * 1_000,
    locations,
    confirmations: monitor.confirmations,
    checks: current.map((result) => ({ atMs: believedCheckedAt(result), up: result.up })),
    incidentId: incident?.id ?? null,
    hadIncident: (state.incident ?? null) !== null,
  };
}
