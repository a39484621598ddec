import type { Transaction } from '../storage/transaction.js';
import type { Timeline } from '../timeline/timeline.js';
import type { IncidentDocument } from './documents.js';

/** What the timeline has of an incident. */
export type TimelineIncident = Pick<
  IncidentDocument,
  '_id' | 'workspace_id' | 'resource' | 'severity' | 'kind' | 'events'
>;

/** Writes the newest event of each incident to the timeline of its workspace. */
export async function onTimeline(
  { timeline }: { timeline: Timeline },
  tx: Transaction,
  incidents: readonly TimelineIncident[],
): Promise<void> {
  await timeline.record(
    tx,
    incidents.flatMap((incident) => {
      const event = incident.events.at(-1);
      if (event === undefined) return [];
      return [
        {
          workspaceId: incident.workspace_id,
          atMs: event.at_ms,
          type: `incident.${event.type}`,
          resource: incident.resource,
          message: event.message,
          actor: event.actor,
          metadata: { incident_id: incident._id, severity: incident.severity, kind: incident.kind },
        },
      ];
    }),
  );
}
