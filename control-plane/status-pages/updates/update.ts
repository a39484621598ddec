import type { Actor } from '../../actor.js';
import type { Transaction } from '../../storage/transaction.js';
import { loadPage } from '../settings/change.js';
import { checkComponents, loadIncident, type PageIncidentTarget, writeIncident } from './change.js';
import type { PageIncidentDocument } from './documents.js';
import type { PageIncidentNeeds } from './needs.js';
import type { UpdatePageIncident } from './schema.js';

const FIELDS = ['title', 'impact', 'component_ids'] as const;

/** Updates what an incident says beside its updates. An update without changes writes nothing. */
export async function updatePageIncident(
  needs: PageIncidentNeeds,
  tx: Transaction,
  actor: Actor,
  { target, patch }: { target: PageIncidentTarget; patch: UpdatePageIncident },
): Promise<PageIncidentDocument> {
  const page = await loadPage(needs, tx, actor, target.pageId, null);
  const incident = await loadIncident(needs, tx, actor, target);
  const changed = { ...incident, ...patch };
  checkComponents(page, changed.component_ids, incident.component_ids);
  const names = FIELDS.filter((name) => JSON.stringify(incident[name]) !== JSON.stringify(changed[name]));
  if (names.length === 0) return incident;
  const changes = Object.fromEntries(names.map((name) => [name, { from: incident[name], to: changed[name] }]));
  return writeIncident(needs, tx, actor, changed, { action: 'status_page.incident_updated', metadata: { changes } });
}
