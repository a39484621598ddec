import type { Collection, Filter, WithId } from 'mongodb';
import { containing } from '../storage/containing.js';
import { newestFirstBy, type TimePosition } from '../storage/page.js';
import type { IncidentDocument, IncidentSeverity, IncidentStatus } from './documents.js';
import type { BegunIncident, SubjectIncident } from './incidents.js';
import { createSearchIncidents, type SearchResult } from './search/store.js';

export interface IncidentFilter {
  status?: IncidentStatus;
  severity?: IncidentSeverity;
  monitorId?: string;
  kind?: string;
  /** A part of the message, or of the name of what the incident is about. */
  text?: string;
  /** Only incidents with `started_at` at or after this time. */
  fromMs?: number;
  /** Only incidents with `started_at` at or before this time. */
  toMs?: number;
}

/** Reads resolved and unresolved incidents. */
export interface IncidentHistoryStore {
  /** Returns incidents of the workspace, newest `started_at` first. */
  list(
    workspaceId: string,
    filter: IncidentFilter,
    after: TimePosition | null,
    limit: number,
  ): Promise<IncidentDocument[]>;
  /** Returns those of a filter with `text`, from a bounded number of incidents. `isTimeUp` can end the search earlier. */
  search(
    workspaceId: string,
    filter: IncidentFilter & { text: string },
    page: { after: TimePosition | null; rowsMax: number },
    isTimeUp: () => boolean,
  ): Promise<SearchResult>;
  /** Returns incidents of one kind and one monitor that overlap [fromMs, toMs], oldest first. */
  during(
    workspaceId: string,
    of: { kind: string; monitorId: string },
    fromMs: number,
    toMs: number,
    limit: number,
  ): Promise<IncidentDocument[]>;
  /**
   * Returns how many incidents of one kind that started in [fromMs, toMs] these monitors have, by monitor. Monitors
   * without any are left out.
   */
  countsOf(
    workspaceId: string,
    of: { kind: string; monitorIds: readonly string[] },
    fromMs: number,
    toMs: number,
  ): Promise<Map<string, number>>;
  /** Reads the incidents that began in [fromMs, toMs), oldest first, without their histories. */
  began(workspaceId: string, fromMs: number, toMs: number): AsyncIterable<BegunIncident>;
  /** Returns the incidents of these kinds and subjects that were not resolved before `sinceMs`, the newest first. */
  ofSubjects(
    workspaceId: string,
    of: { kinds: readonly string[]; subjects: readonly string[] },
    sinceMs: number,
    rowsMax: number,
  ): Promise<SubjectIncident[]>;
  /** Returns incidents of the kind in all workspaces that were opened since then, newest first. */
  openedSince(kind: string, sinceMs: number, limit: number): Promise<Pick<IncidentDocument, 'decision'>[]>;
}

const BEGUN = {
  ...{ kind: 1, monitor_id: 1, resource: 1, severity: 1, status: 1 },
  ...{ started_at_ms: 1, resolved_at_ms: 1 },
} as const;

const OF_SUBJECT = { subject: 1, started_at_ms: 1, resolved_at_ms: 1, resolution: 1, maintenance: 1 } as const;

export function incidentHistoryStore(incidents: Collection<IncidentDocument>): IncidentHistoryStore {
  const searchIncidents = createSearchIncidents(incidents);
  return {
    list(workspaceId, filter, after, limit) {
      const { filter: rest, sort } = newestFirstBy('started_at_ms', after);
      return incidents
        .find({ $and: [indexedFilter(workspaceId, filter), comparedFilter(filter), rest] })
        .sort(sort)
        .limit(limit)
        .batchSize(limit)
        .toArray();
    },
    search: (workspaceId, filter, page, isTimeUp) =>
      searchIncidents(
        { indexed: indexedFilter(workspaceId, filter), compared: comparedFilter(filter) },
        page,
        isTimeUp,
      ),
    during(workspaceId, { kind, monitorId }, fromMs, toMs, limit) {
      return incidents
        .find({
          workspace_id: workspaceId,
          monitor_id: monitorId,
          kind,
          started_at_ms: { $lte: toMs },
          $or: [{ resolved_at_ms: null }, { resolved_at_ms: { $gte: fromMs } }],
        })
        .sort({ started_at_ms: 1 })
        .limit(limit)
        .toArray();
    },
    async countsOf(workspaceId, { kind, monitorIds }, fromMs, toMs) {
      const counts = await incidents
        .aggregate<{ _id: string; count: number }>([
          {
            $match: {
              workspace_id: workspaceId,
              started_at_ms: { $gte: fromMs, $lte: toMs },
              kind,
              monitor_id: { $in: [...monitorIds] },
            },
          },
          { $group: { _id: '$monitor_id', count: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(counts.map(({ _id, count }) => [_id, count]));
    },
    began: (workspaceId, fromMs, toMs) =>
      incidents
        .find({ workspace_id: workspaceId, started_at_ms: { $gte: fromMs, $lt: toMs } })
        .sort({ started_at_ms: 1, _id: 1 })
        .project<BegunIncident>(BEGUN),
    async ofSubjects(workspaceId, { kinds, subjects }, sinceMs, rowsMax) {
      const of = { workspace_id: workspaceId, kind: { $in: [...kinds] }, subject: { $in: [...subjects] } };
      const newest = (resolved_at_ms: null | { $gte: number }) =>
        incidents
          .find({ ...of, resolved_at_ms })
          .sort({ _id: -1 })
          .limit(rowsMax)
          .project<SubjectIncident>(OF_SUBJECT)
          .toArray();
      const [open, past] = await Promise.all([newest(null), newest({ $gte: sinceMs })]);
      return [...open, ...past].slice(0, rowsMax);
    },
    openedSince(kind, sinceMs, limit) {
      return incidents
        .find({ kind, 'decision.times.opened_at_ms': { $gte: sinceMs } }, { projection: { decision: 1 } })
        .sort({ 'decision.times.opened_at_ms': -1 })
        .limit(limit)
        .toArray();
    },
  };
}

/** What an index finds. */
function indexedFilter(workspaceId: string, filter: IncidentFilter): Filter<WithId<IncidentDocument>> {
  const mongo: Filter<WithId<IncidentDocument>> = { workspace_id: workspaceId };
  if (filter.status !== undefined) mongo.status = filter.status;
  if (filter.monitorId !== undefined) mongo.monitor_id = filter.monitorId;
  if (filter.fromMs !== undefined || filter.toMs !== undefined) {
    mongo.started_at_ms = {
      ...(filter.fromMs === undefined ? {} : { $gte: filter.fromMs }),
      ...(filter.toMs === undefined ? {} : { $lte: filter.toMs }),
    };
  }
  return mongo;
}

/** What each incident is compared with. */
function comparedFilter(filter: IncidentFilter): Filter<WithId<IncidentDocument>> {
  const mongo: Filter<WithId<IncidentDocument>> = {};
  if (filter.severity !== undefined) mongo.severity = filter.severity;
  if (filter.kind !== undefined) mongo.kind = filter.kind;
  if (filter.text !== undefined) {
    const part = containing(filter.text);
    mongo.$or = [{ message: part }, { monitor_name: part }, { 'resource.name': part }];
  }
  return mongo;
}
