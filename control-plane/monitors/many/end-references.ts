import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { endedMetadata } from '../../references/ended.js';
import { namesNoOther } from '../../references/references.js';
import type { Transaction } from '../../storage/transaction.js';
import type { MonitorNeeds } from '../needs.js';
import type { EndedReferences, PlannedChange } from './decision.js';

/**
 * Removes the references to monitors that the transaction deletes, with `detach`; without it, refuses the deletion of those that
 * something names. Call it before the deletions are written.
 */
export async function endReferences(
  { references }: Pick<MonitorNeeds, 'references'>,
  tx: Transaction,
  actor: Actor,
  deletions: readonly PlannedChange[],
  detach: boolean,
): Promise<EndedReferences> {
  const ids = deletions.map(({ monitor }) => monitor._id);
  const named = ids.length === 0 ? new Set<string>() : await references.named(tx, actor.workspaceId, 'monitor', ids);
  const ended: EndedReferences = { planned: new Map(), refused: new Map() };
  for (const deletion of deletions) {
    const { _id: id, name } = deletion.monitor;
    if (!named.has(id)) {
      ended.planned.set(id, deletion);
      continue;
    }
    try {
      const released = await references.end(tx, actor, 'monitor', { id, name }, detach);
      const metadata = endedMetadata(released, released.detached.filter(namesNoOther));
      ended.planned.set(id, { ...deletion, event: { ...deletion.event, metadata } });
    } catch (error) {
      // It is thrown before anything is written.
      if (!(error instanceof AppError)) throw error;
      ended.refused.set(id, { path: '', message: error.message, code: 'in_use' });
    }
  }
  return ended;
}
