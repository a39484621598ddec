import type { ReferenceHolder } from '../references/references.js';
import { audited, dependencyName } from './audited.js';
import type { DependencyDocument } from './documents.js';
import { readNames } from './names.js';
import type { DependencyNeeds } from './needs.js';

/** Returns the dependencies as what names monitors and servers. One without one of its sides means nothing, so it is deleted. */
export function dependencyReferences(needs: DependencyNeeds): ReferenceHolder[] {
  return [referencesTo(needs, 'monitor'), referencesTo(needs, 'server')];
}

function referencesTo(needs: DependencyNeeds, to: 'monitor' | 'server'): ReferenceHolder {
  return {
    to,
    read: 'monitors:read',
    write: 'monitors:write',
    limited: false,
    async findAny(tx, workspaceId, ids, max) {
      const found = await needs.store.naming(tx, workspaceId, to, ids);
      const namesOf = await readNames(needs, workspaceId, found.slice(0, max), tx);
      const named = new Set(
        found.flatMap(({ monitor_id, server_id, on_monitor_id }) => [monitor_id, server_id, on_monitor_id]),
      );
      return {
        total: found.length,
        items: found.slice(0, max).map((one) => referrer(one, dependencyName(namesOf(one)))),
        named: ids.filter((id) => named.has(id)),
      };
    },
    async find(tx, workspaceId, id, max) {
      const found = await needs.store.naming(tx, workspaceId, to, [id]);
      const namesOf = await readNames(needs, workspaceId, found, tx);
      return {
        total: found.length,
        items: found.slice(0, max).map((one) => referrer(one, dependencyName(namesOf(one)))),
        async detach(actor) {
          const ids = found.map(({ _id }) => _id);
          await needs.store.remove(tx, workspaceId, ids);
          const entries = found.map((one) => ({ actor, event: audited('dependency.deleted', one, namesOf(one)) }));
          await needs.audit.recordAll(tx, entries);
          return found.map((one) => ({ ...referrer(one, dependencyName(namesOf(one))), left: [] }));
        },
      };
    },
  };
}

function referrer({ _id }: DependencyDocument, name: string) {
  return { type: 'dependency' as const, id: _id, name };
}
