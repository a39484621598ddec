import type { Actor } from '../../actor.js';
import { AppError, notFound } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import { loadIncident, type PageIncidentTarget, writeIncident } from './change.js';
import type { PageIncidentDocument } from './documents.js';
import type { PageIncidentNeeds } from './needs.js';

const EDITS_PER_UPDATE_MAX = 20;

/** Replaces the text of an update. The text before stays with the update, where the public does not see it. */
export async function editUpdate(
  needs: PageIncidentNeeds,
  tx: Transaction,
  actor: Actor,
  { target, updateId, text }: { target: PageIncidentTarget; updateId: string; text: string },
): Promise<PageIncidentDocument> {
  const incident = await loadIncident(needs, tx, actor, target);
  const update = incident.updates.find(({ id }) => id === updateId);
  if (update === undefined) throw notFound('update of this incident');
  if (update.text === text) return incident;
  if (update.earlier.length >= EDITS_PER_UPDATE_MAX) {
    throw new AppError('conflict', `An update can be edited ${EDITS_PER_UPDATE_MAX} times. Post another one.`);
  }
  const nowMs = needs.clock.now();
  const earlier = [...update.earlier, { text: update.text, until_ms: nowMs, author: actor.email }];
  const edited = { ...update, text, edited_at_ms: nowMs, earlier };
  const updates = incident.updates.map((one) => (one.id === updateId ? edited : one));
  const metadata = { update: updateId, changes: { text: { from: update.text, to: text } } };
  return writeIncident(
    needs,
    tx,
    actor,
    { ...incident, updates },
    {
      action: 'status_page.incident_updated',
      metadata,
    },
  );
}
