import { type Actor, hasScope } from '../../actor.js';
import { AppError, invalidField, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import { isDuplicateKey, type Transaction } from '../../storage/transaction.js';
import { type ComponentSettings, componentsOf, type PageSettings, type StatusPageDocument } from '../documents.js';
import type { Existing, StatusPageNeeds } from '../needs.js';
import type { StatusPageChange } from '../store.js';

/** Throws 404, and 412 when the page is not the version that the client has read. */
export async function loadPage(
  { store }: { store: Pick<StatusPageNeeds['store'], 'find'> },
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<StatusPageDocument> {
  const page = await store.find(actor.workspaceId, id, tx);
  if (page === null) throw notFound('status page');
  requireVersion(ifVersion, page.version);
  return page;
}

/** What a page publishes of a tag with `show_each`: the names of everything that has it. */
const NAMES_READ_WITH = ['monitors:read', 'servers:read'] as const;

/**
 * Throws 403 for a key that would publish names it may not read, and 422 when a monitor or a server is not of the workspace.
 * `known` are the components that the page has already.
 */
export async function checkTargets(
  needs: Pick<StatusPageNeeds, 'referenceLock' | 'existingMonitors' | 'existingServers'>,
  tx: Transaction,
  actor: Actor,
  settings: Pick<PageSettings, 'groups'>,
  known: readonly ComponentSettings[],
): Promise<void> {
  refuseUnreadableNames(actor, settings, known);
  const before = new Set(known.flatMap(({ monitor_id, server_id }) => [monitor_id, server_id]));
  const added = (field: 'monitor_id' | 'server_id') =>
    componentsOf(settings).flatMap(({ [field]: id }) => (id === null || before.has(id) ? [] : [id]));
  await needs.referenceLock.refer(tx, [...added('monitor_id'), ...added('server_id')]);
  const refuseUnknown = async (field: 'monitor_id' | 'server_id', what: string, existing: Existing) => {
    const asked = added(field);
    if (asked.length === 0) return;
    const found = await existing(tx, actor.workspaceId, asked);
    const unknown = asked.find((id) => !found.has(id));
    if (unknown === undefined) return;
    throw invalidField(pathOf(settings, field, unknown), `must be ${what} of this workspace: ${unknown}`);
  };
  await refuseUnknown('monitor_id', 'a monitor', needs.existingMonitors);
  await refuseUnknown('server_id', 'a server', needs.existingServers);
}

function refuseUnreadableNames(
  actor: Actor,
  settings: Pick<PageSettings, 'groups'>,
  known: readonly ComponentSettings[],
): void {
  const published = new Set(known.flatMap(({ tag, show_each }) => (show_each ? [tag] : [])));
  if (!componentsOf(settings).some(({ tag, show_each }) => show_each && !published.has(tag))) return;
  const missing = NAMES_READ_WITH.find((scope) => !hasScope(actor, scope));
  if (missing === undefined) return;
  throw new AppError('insufficient_scope', `This key does not have the scope ${missing}, which show_each needs.`, {
    required_scope: missing,
  });
}

function pathOf({ groups }: Pick<PageSettings, 'groups'>, field: 'monitor_id' | 'server_id', id: string): string {
  const group = groups.findIndex(({ components }) => components.some((component) => component[field] === id));
  const component = groups[group]?.components.findIndex((one) => one[field] === id);
  return `/groups/${group}/components/${component}/${field}`;
}

/**
 * Runs a write of a page that gets the slug. Throws 422 when another page has it, or has given it up in the last 30 days in another
 * workspace. The database decides between concurrent requests.
 */
export async function withFreeSlug<T>(
  { formerAddresses, clock }: Pick<StatusPageNeeds, 'formerAddresses' | 'clock'>,
  tx: Transaction,
  { workspace_id, slug }: Pick<StatusPageDocument, 'workspace_id' | 'slug'>,
  write: () => Promise<T>,
): Promise<T> {
  const taken = () => invalidField('/slug', 'is the address of another status page', 'exists');
  if (await formerAddresses.isKeptFromOthers(tx, workspace_id, slug, clock.now())) throw taken();
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw taken();
  }
}

/** Stores a change. */
export async function writeChange(
  needs: Pick<StatusPageNeeds, 'store' | 'formerAddresses' | 'clock'>,
  tx: Transaction,
  page: StatusPageDocument,
  change: StatusPageChange,
): Promise<StatusPageDocument> {
  const { store, formerAddresses } = needs;
  const nowMs = needs.clock.now();
  const write = () => store.change(tx, page, { ...change, updated_at_ms: nowMs });
  const { slug = page.slug } = change;
  const isMoved = slug !== page.slug;
  if (isMoved) await formerAddresses.keep(tx, page, nowMs);
  const changed = isMoved ? await withFreeSlug(needs, tx, { ...page, slug }, write) : await write();
  // A concurrent change usually ends this transaction with a write conflict, which repeats it. This is a second guard.
  if (changed === null) throw new AppError('conflict', 'A concurrent request changed the status page.');
  return changed;
}
