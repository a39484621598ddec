import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { audited } from './audited.js';
import { readNames } from './names.js';
import type { DependencyNeeds } from './needs.js';

/** Deletes a dependency. What was silent because of it notifies within seconds, if it still fails. */
export async function removeDependency(
  needs: DependencyNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<void> {
  const { store, audit } = needs;
  const { workspaceId } = actor;
  const dependency = await store.find(workspaceId, id, tx);
  if (dependency === null) throw notFound('dependency');
  const namesOf = await readNames(needs, workspaceId, [dependency], tx);
  if ((await store.remove(tx, workspaceId, [id])) === 0) throw notFound('dependency');
  await audit.record(tx, actor, audited('dependency.deleted', dependency, namesOf(dependency)));
}
