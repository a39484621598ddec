import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import { loadIncident, type PageIncidentTarget, writeIncident } from './change.js';
import type { PageIncidentDocument } from './documents.js';
import type { PageIncidentNeeds } from './needs.js';
import type { PostUpdate } from './schema.js';

const UPDATES_PER_INCIDENT_MAX = 100;

/** Adds an update, whose state becomes that of the incident. After it was resolved, another state opens it again. */
export async function postUpdate(
  needs: PageIncidentNeeds,
  tx: Transaction,
  actor: Actor,
  { target, input }: { target: PageIncidentTarget; input: PostUpdate },
): Promise<PageIncidentDocument> {
  const incident = await loadIncident(needs, tx, actor, target);
  if (incident.updates.length >= UPDATES_PER_INCIDENT_MAX) {
    throw new AppError('conflict', `An incident can have ${UPDATES_PER_INCIDENT_MAX} updates. Create another one.`);
  }
  const nowMs = needs.clock.now();
  const { state, text } = input;
  const update = { id: needs.ids.next('upd'), state, text, at_ms: nowMs, author: actor.email };
  const changed = {
    ...incident,
    state,
    updates: [...incident.updates, { ...update, edited_at_ms: null, earlier: [] }],
    resolved_at_ms: state === 'resolved' ? (incident.resolved_at_ms ?? nowMs) : null,
  };
  const metadata = { update: update.id, state, text };
  await needs.changes.changed(tx, { _id: incident.page_id, workspace_id: actor.workspaceId });
  return writeIncident(needs, tx, actor, changed, { action: 'status_page.update_posted', metadata });
}
