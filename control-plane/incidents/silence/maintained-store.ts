import type { Collection } from 'mongodb';
import type { IncidentDocument, IncidentMaintenance } from '../documents.js';

/** An incident that a maintenance window silences. */
export type MaintainedIncident = Pick<
  IncidentDocument,
  '_id' | 'workspace_id' | 'resource' | 'silenced_by' | 'updated_at_ms'
> & {
  maintenance: IncidentMaintenance;
};

export interface MaintainedIncidentStore {
  /** Reads the silenced incidents of all workspaces that a maintenance window silences, in no particular order. */
  silencedByMaintenance(): AsyncIterable<MaintainedIncident>;
  /** Notes what silences the incident now. Does nothing if it has changed since it was read. */
  setMaintenance(incident: MaintainedIncident, maintenance: IncidentMaintenance | null): Promise<void>;
}

export function maintainedIncidentStore(incidents: Collection<IncidentDocument>): MaintainedIncidentStore {
  return {
    silencedByMaintenance: () =>
      incidents.find({ open: true, status: 'silenced', 'maintenance.id': { $gt: '' } }).project<MaintainedIncident>({
        workspace_id: 1,
        resource: 1,
        silenced_by: 1,
        maintenance: 1,
        updated_at_ms: 1,
      }),
    async setMaintenance({ _id, workspace_id, updated_at_ms }, maintenance) {
      // The time of the change counts in the version of the incident; it need not be exact.
      const change = { maintenance, updated_at_ms: updated_at_ms + 1 };
      await incidents.updateOne({ _id, workspace_id, updated_at_ms, status: 'silenced' }, { $set: change });
    },
  };
}
