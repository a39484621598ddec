import type { ReferenceHolder } from '../../references/references.js';
import { audited, settingsChanges } from '../audited.js';
import { componentsOf, type StatusPageDocument } from '../documents.js';
import type { StatusPageNeeds } from '../needs.js';
import { writeChange } from './change.js';

/** Returns the status pages as what names monitors and servers. */
export function statusPageReferences(needs: StatusPageNeeds): ReferenceHolder[] {
  return [referencesIn(needs, 'monitor_id', 'monitor'), referencesIn(needs, 'server_id', 'server')];
}

function referencesIn(
  needs: StatusPageNeeds,
  field: 'monitor_id' | 'server_id',
  to: 'monitor' | 'server',
): ReferenceHolder {
  return {
    to,
    read: 'status_pages:read',
    write: 'status_pages:write',
    limited: true,
    async findAny(tx, workspaceId, ids, max) {
      const found = await needs.store.naming(tx, workspaceId, field, ids);
      return {
        total: found.length,
        items: found.slice(0, max).map(({ _id, title }) => ({ type: 'status_page', id: _id, name: title })),
        named: found.flatMap((page) => componentsOf(page).flatMap(({ [field]: named }) => named ?? [])),
      };
    },
    async find(tx, workspaceId, id, max) {
      const found = await needs.store.naming(tx, workspaceId, field, [id]);
      return {
        total: found.length,
        items: found.slice(0, max).map(({ _id, title }) => ({ type: 'status_page', id: _id, name: title })),
        async detach(actor) {
          const detached = [];
          for (const page of found) {
            const changed = await writeChange(needs, tx, page, { groups: groupsWithout(page, field, id) });
            const changes = settingsChanges(page, changed);
            await needs.audit.record(tx, actor, audited('status_page.updated', changed, { changes }));
            const left = componentsOf(changed).flatMap(({ [field]: named }) => (named === null ? [] : [named]));
            detached.push({ type: 'status_page' as const, id: page._id, name: page.title, left });
          }
          return detached;
        },
      };
    },
  };
}

/** A component without its target would have nothing to show. */
function groupsWithout({ groups }: StatusPageDocument, field: 'monitor_id' | 'server_id', id: string) {
  return groups.map((group) => ({
    ...group,
    components: group.components.filter((component) => component[field] !== id),
  }));
}
