import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import { loadPage } from '../settings/change.js';
import { checkComponents, resourceOf } from './change.js';
import type { PageIncidentDocument } from './documents.js';
import type { PageIncidentNeeds } from './needs.js';
import type { CreatePageIncident } from './schema.js';

const INCIDENTS_PER_PAGE_MAX = 1_000;

/** Creates an incident with its first update, which is public at once. */
export async function createPageIncident(
  needs: PageIncidentNeeds,
  tx: Transaction,
  actor: Actor,
  { pageId, input }: { pageId: string; input: CreatePageIncident },
): Promise<PageIncidentDocument> {
  const { incidents, ids, clock, audit } = needs;
  const { title, text, state = 'investigating', impact = 'none', component_ids = [] } = input;
  const page = await loadPage(needs, tx, actor, pageId, null);
  checkComponents(page, component_ids, []);
  const count = await incidents.lockAndCount(tx, actor.workspaceId, INCIDENTS_PER_PAGE_MAX, pageId);
  if (count >= INCIDENTS_PER_PAGE_MAX) {
    throw new AppError('conflict', `A status page can have ${INCIDENTS_PER_PAGE_MAX} incidents; delete some of them.`);
  }
  const nowMs = clock.now();
  const isOpen = state !== 'resolved';
  const update = { id: ids.next('upd'), state, text, at_ms: nowMs, author: actor.email };
  const incident: PageIncidentDocument = {
    _id: ids.next('spi'),
    workspace_id: actor.workspaceId,
    page_id: pageId,
    title,
    impact,
    component_ids,
    state,
    updates: [{ ...update, edited_at_ms: null, earlier: [] }],
    started_at_ms: nowMs,
    resolved_at_ms: isOpen ? null : nowMs,
    created_by: actor.email,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await incidents.insert(tx, incident);
  await needs.changes.changed(tx, page);
  await audit.record(tx, actor, {
    action: 'status_page.incident_created',
    resource: resourceOf(incident),
    metadata: { page: pageId, state, impact, component_ids, text },
  });
  return incident;
}
