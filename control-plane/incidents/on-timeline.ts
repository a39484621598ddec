import type { Transaction } from '../storage/transaction.js';
import type { IncidentDocument } from './documents.js';
import type { Timeline } from './incidents.js';

/** The newest line of each incident's history goes on the workspace's timeline too. */
export async function onTimeline(
  { timeline }: { timeline: Timeline },
  tx: Transaction,
  incidents: readonly IncidentDocument[],
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
