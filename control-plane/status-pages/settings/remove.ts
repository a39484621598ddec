import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import { audited } from '../audited.js';
import type { StatusPageNeeds } from '../needs.js';
import { loadPage } from './change.js';

/** Deletes a status page with its incidents; its subscribers follow within seconds. Its address stays the workspace's for a while. */
export async function removeStatusPage(
  needs: StatusPageNeeds,
  tx: Transaction,
  actor: Actor,
  { id, ifVersion }: { id: string; ifVersion: number | null },
): Promise<void> {
  const page = await loadPage(needs, tx, actor, id, ifVersion);
  if (!(await needs.store.remove(tx, actor.workspaceId, id))) throw notFound('status page');
  await needs.formerAddresses.keep(tx, page, needs.clock.now());
  await needs.incidents.removeOfPage(tx, actor.workspaceId, id);
  await needs.logos.remove(tx, actor.workspaceId, id);
  await needs.changes.pageDeleted(tx, page);
  await needs.audit.record(tx, actor, audited('status_page.deleted', page));
}
