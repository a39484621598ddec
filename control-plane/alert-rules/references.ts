import type { ReferenceHolder, ReferredType } from '../references/references.js';
import { announceChange } from './change.js';
import type { AlertRuleDocument } from './documents.js';
import type { AlertRuleNeeds } from './needs.js';
import { settingsChanges, settingsOf } from './settings.js';

/** Returns the rules as what names channels, and the targets of their types. */
export function ruleReferences(needs: AlertRuleNeeds): ReferenceHolder[] {
  const targets = [...needs.types.targets].flatMap(([field, { refersTo }]) =>
    refersTo === undefined ? [] : [referencesIn(needs, field, refersTo)],
  );
  return [referencesIn(needs, 'channels', 'channel'), ...targets];
}

function referencesIn(needs: AlertRuleNeeds, field: string, to: ReferredType): ReferenceHolder {
  const { store, types, audit, clock } = needs;
  return {
    to,
    read: 'alerts:read',
    write: 'full',
    limited: true,
    async findAlone(tx, workspaceId, id, { others, max }) {
      const naming = await store.naming(tx, workspaceId, field, id);
      const found = naming.filter((rule) => !namesOf(types, rule, field).some((one) => others.includes(one)));
      return { total: found.length, items: found.slice(0, max).map(referrer) };
    },
    async find(tx, workspaceId, id, max) {
      const found = await store.naming(tx, workspaceId, field, id);
      return {
        total: found.length,
        items: found.slice(0, max).map(referrer),
        async detach(actor) {
          const detached = [];
          for (const rule of found) {
            const settings = settingsOf(types, rule);
            // An empty list stays one: null would mean all there are.
            const left = namesOf(types, rule, field).filter((one) => one !== id);
            const changed = { ...settings, [field]: left };
            await store.change(tx, rule, { ...changed, updated_at_ms: clock.now() });
            await audit.record(tx, actor, {
              action: 'alert_rule.updated',
              resource: { type: 'alert_rule', id: rule._id, name: rule.name },
              metadata: { changes: settingsChanges(types, rule, changed) },
            });
            detached.push({ ...referrer(rule), left });
          }
          await announceChange(needs, tx, workspaceId);
          return detached;
        },
      };
    },
  };
}

/** Returns the ids in a field of the settings of a rule: one, several or none. */
function namesOf(types: AlertRuleNeeds['types'], rule: AlertRuleDocument, field: string): string[] {
  return [settingsOf(types, rule)[field]].flat().filter((one) => typeof one === 'string');
}

function referrer({ _id: id, name }: AlertRuleDocument) {
  return { type: 'alert_rule' as const, id, name };
}
