import type { Collection } from 'mongodb';
import type { Hold } from '../../dependencies/dependencies.js';
import type { Transaction } from '../../storage/transaction.js';
import { EVENTS_MAX } from '../change.js';
import type { IncidentDependents, IncidentDocument, IncidentEvent, SilentRecord } from '../documents.js';

/** Names of silent incidents in the notification of the monitor that they depend on. */
export const DEPENDENTS_NAMED_MAX = 5;
/** Silent incidents that a new outage counts. */
const DEPENDENTS_COUNTED_MAX = 1_000;

/** An incident that is silent because of a monitor that it depends on. */
export type HeldIncident = Pick<
  IncidentDocument,
  | ('_id' | 'workspace_id' | 'resource' | 'status' | 'started_at_ms' | 'follows_parents')
  | ('silenced_by' | 'updated_at_ms' | 'channels')
> & {
  dependency: Hold;
  /** null without a decision record. */
  decision: { reason: string } | null;
};

/** An unresolved outage of a monitor that something depends on. */
type ParentIncident = Pick<IncidentDocument, '_id' | 'workspace_id' | 'monitor_id' | 'updated_at_ms'> & {
  dependents: IncidentDependents;
};

export interface HeldIncidentStore {
  /** Reads the incidents of all workspaces that a monitor keeps silent, in the order in which they were opened. */
  heldByParents(): AsyncIterable<HeldIncident>;
  /** Notes what keeps an incident silent now; null: nothing. Does nothing if it has changed since it was read. */
  setHold(
    incident: HeldIncident,
    hold: Hold | null,
    noted: { event: IncidentEvent; silent: SilentRecord } | null,
  ): Promise<void>;
  /** Returns how many incidents are silent because of each of the monitors, and the names of the first. */
  heldBelow(
    tx: Transaction,
    monitors: readonly { workspaceId: string; monitorId: string }[],
  ): Promise<Map<string, Omit<IncidentDependents, 'total'>>>;
  /** Writes what depends on the monitors of incidents that this transaction has inserted. */
  setDependents(tx: Transaction, incidents: readonly IncidentDocument[]): Promise<void>;
  /** Reads the unresolved outages of monitors that something depends on, in no particular order. */
  parentIncidents(): AsyncIterable<ParentIncident>;
  /** Notes what is silent because of an outage now. Does nothing if it has changed since it was read. */
  noteDependents(incident: ParentIncident, dependents: IncidentDependents): Promise<void>;
}

const HELD = { open: true as const, 'dependency.monitor_id': { $gt: '' } };
const PARENT = { open: true as const, 'dependents.total': { $gt: 0 } };

export const HELD_INDEXES = [
  { key: { open: 1, _id: 1 }, name: 'held_by_parents', partialFilterExpression: HELD },
  {
    key: { workspace_id: 1, 'dependency.ancestor_ids': 1, _id: 1 },
    name: 'held_below',
    partialFilterExpression: HELD,
  },
  { key: { 'dependents.total': 1 }, name: 'with_dependents', partialFilterExpression: PARENT },
] as const;

export function heldIncidentStore(incidents: Collection<IncidentDocument>): HeldIncidentStore {
  return {
    heldByParents: () =>
      incidents
        .find({ ...HELD, status: 'silenced' })
        .sort({ _id: 1 })
        .project<HeldIncident>({
          ...{ workspace_id: 1, resource: 1, status: 1, started_at_ms: 1, follows_parents: 1 },
          ...{ silenced_by: 1, updated_at_ms: 1, channels: 1, dependency: 1, 'decision.reason': 1 },
        }),
    async setHold({ _id, workspace_id, updated_at_ms, decision }, dependency, noted) {
      const silent = noted === null || decision === null ? {} : { 'decision.silent': noted.silent };
      await incidents.updateOne(
        { _id, workspace_id, updated_at_ms, open: true, status: 'silenced' },
        {
          // The time of the change counts in the version of the incident; it need not be exact.
          $set: { dependency, ...silent, updated_at_ms: Math.max(noted?.event.at_ms ?? 0, updated_at_ms + 1) },
          ...(noted === null ? {} : { $push: { events: { $each: [noted.event], $slice: -EVENTS_MAX } } }),
        },
      );
    },
    async heldBelow(tx, monitors) {
      const below = new Map<string, Omit<IncidentDependents, 'total'>>();
      for (const { workspaceId, monitorId } of monitors) {
        const filter = { ...HELD, workspace_id: workspaceId, 'dependency.ancestor_ids': monitorId };
        const silenced = { ...filter, status: 'silenced' as const };
        const held = await incidents
          .find(silenced, { session: tx.session })
          .sort({ _id: 1 })
          .limit(DEPENDENTS_COUNTED_MAX)
          .project<Pick<IncidentDocument, 'resource'>>({ resource: 1 })
          .toArray();
        const names = held.slice(0, DEPENDENTS_NAMED_MAX).map(({ resource }) => resource.name);
        below.set(monitorId, { down: held.length, names });
      }
      return below;
    },
    async setDependents(tx, changed) {
      const updates = changed.flatMap(({ _id, workspace_id, dependents }) =>
        dependents === undefined
          ? []
          : [{ updateOne: { filter: { _id, workspace_id }, update: { $set: { dependents } } } }],
      );
      if (updates.length > 0) await incidents.bulkWrite(updates, { session: tx.session, ordered: false });
    },
    parentIncidents: () =>
      incidents
        .find(PARENT)
        .project<ParentIncident>({ workspace_id: 1, monitor_id: 1, updated_at_ms: 1, dependents: 1 }),
    async noteDependents({ _id, workspace_id, updated_at_ms }, dependents) {
      const change = { dependents, updated_at_ms: updated_at_ms + 1 };
      await incidents.updateOne({ _id, workspace_id, updated_at_ms, open: true }, { $set: change });
    },
  };
}
