import type { Actor } from '../../actor.js';
import type { AuditAction } from '../../audit/audit.js';
import { AppError, invalidField, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import { componentsOf, type StatusPageDocument } from '../documents.js';
import type { PageIncidentDocument } from './documents.js';
import type { PageIncidentNeeds } from './needs.js';

/** Of the updates of an incident, with their texts before edits: a document has 16 MB at most. */
const INCIDENT_TEXT_CHARS_MAX = 1_000_000;

/** Names an incident in a request. */
export interface PageIncidentTarget {
  pageId: string;
  id: string;
  ifVersion: number | null;
}

/** Throws 404, and 412 when the incident is not the version that the client has read. */
export async function loadIncident(
  { incidents }: Pick<PageIncidentNeeds, 'incidents'>,
  tx: Transaction,
  actor: Actor,
  { pageId, id, ifVersion }: PageIncidentTarget,
): Promise<PageIncidentDocument> {
  const incident = await incidents.find(actor.workspaceId, pageId, id, tx);
  if (incident === null) throw notFound('incident of this status page');
  requireVersion(ifVersion, incident.version);
  return incident;
}

/** Throws 422 for what is no component of the page. `known` are those that the incident names already. */
export function checkComponents(page: StatusPageDocument, ids: readonly string[], known: readonly string[]): void {
  const present = new Set([...componentsOf(page).map(({ id }) => id), ...known]);
  const unknown = ids.findIndex((id) => !present.has(id));
  if (unknown >= 0) throw invalidField(`/component_ids/${unknown}`, 'must be a component of this page', 'id');
}

/** Stores a changed incident with its audit entry. */
export async function writeIncident(
  { incidents, audit, clock }: Pick<PageIncidentNeeds, 'incidents' | 'audit' | 'clock'>,
  tx: Transaction,
  actor: Actor,
  changed: PageIncidentDocument,
  entry: { action: AuditAction; metadata: Record<string, unknown> },
): Promise<PageIncidentDocument> {
  if (textChars(changed) > INCIDENT_TEXT_CHARS_MAX) {
    const most = `The texts of an incident have at most ${INCIDENT_TEXT_CHARS_MAX} characters, with those before edits.`;
    throw new AppError('conflict', `${most} Create another incident.`);
  }
  const written = await incidents.replace(tx, { ...changed, updated_at_ms: clock.now() });
  // A concurrent change usually ends this transaction with a write conflict, which repeats it. This is a second guard.
  if (written === null) throw new AppError('conflict', 'A concurrent request changed the incident.');
  await audit.record(tx, actor, {
    action: entry.action,
    resource: resourceOf(written),
    metadata: entry.metadata,
  });
  return written;
}

function textChars({ updates }: PageIncidentDocument): number {
  const texts = updates.flatMap(({ text, earlier }) => [text, ...earlier.map((before) => before.text)]);
  return texts.reduce((sum, text) => sum + text.length, 0);
}

export function resourceOf({ _id, title }: PageIncidentDocument) {
  return { type: 'status_page_incident', id: _id, name: title };
}
