import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import { loadIncident, type PageIncidentTarget, resourceOf } from './change.js';
import type { PageIncidentNeeds } from './needs.js';

/** Deletes an incident with its updates. */
export async function removePageIncident(
  needs: PageIncidentNeeds,
  tx: Transaction,
  actor: Actor,
  target: PageIncidentTarget,
): Promise<void> {
  const incident = await loadIncident(needs, tx, actor, target);
  if (!(await needs.incidents.remove(tx, actor.workspaceId, incident._id))) {
    throw notFound('incident of this status page');
  }
  await needs.changes.incidentDeleted(tx, actor.workspaceId, incident._id);
  await needs.audit.record(tx, actor, {
    action: 'status_page.incident_deleted',
    resource: resourceOf(incident),
    metadata: { page: target.pageId },
  });
}
