import type { Transaction } from '../storage/transaction.js';
import type { DependencyDocument } from './documents.js';
import type { DependencyNeeds } from './needs.js';

/** The names of the two sides of a dependency. Of what was deleted, they are its ids. */
export interface DependencyNames {
  dependent: string;
  on: string;
}

/** Reads the names for any number of dependencies of a workspace at once. */
export async function readNames(
  { monitorNames, serverNames }: Pick<DependencyNeeds, 'monitorNames' | 'serverNames'>,
  workspaceId: string,
  dependencies: readonly DependencyDocument[],
  tx?: Transaction,
): Promise<(dependency: DependencyDocument) => DependencyNames> {
  const listed = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];
  const monitorIds = listed(dependencies.flatMap(({ monitor_id, on_monitor_id }) => [monitor_id, on_monitor_id]));
  const serverIds = listed(dependencies.map(({ server_id }) => server_id));
  const monitors = monitorIds.length === 0 ? [] : await monitorNames(workspaceId, monitorIds, tx);
  const servers = serverIds.length === 0 ? [] : await serverNames(workspaceId, serverIds, tx);
  const names = new Map([...monitors, ...servers].map(({ _id, name }) => [_id, name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return ({ monitor_id, server_id, tag, on_monitor_id }) => ({
    dependent: tag ?? nameOf(monitor_id ?? server_id ?? ''),
    on: nameOf(on_monitor_id),
  });
}
