import { type RuleTypeHandler, refuseUnknown } from '../../alert-rules/alert-rules.js';
import { listedType, rulesOf } from './rule-type.js';
import { parseListingSubject } from './subjects.js';
import { createListingSweep, type ListingSweepNeeds } from './sweep.js';

/** Returns the handler of the rule type for listings. */
export function createListingRuleHandler(needs: ListingSweepNeeds): RuleTypeHandler {
  const { blacklist } = needs;
  return {
    types: [listedType.type],
    async checkTargets(tx, workspaceId, { blacklist_monitor_ids: ids }) {
      if (!Array.isArray(ids)) return;
      const found = await blacklist.findMany(workspaceId, ids, tx);
      refuseUnknown('blacklist_monitor_ids', 'a blacklist monitor', ids, found);
    },
    async withRule(workspaceId, incidents, rules, tx) {
      const monitorOf = (subject: string) => parseListingSubject(subject)?.monitorId ?? '';
      const ids = [...new Set(incidents.map(({ subject }) => monitorOf(subject)))];
      const found = new Set((await blacklist.findMany(workspaceId, ids, tx)).map(({ _id }) => _id));
      const kept = incidents
        .map(({ subject }) => subject)
        .filter((subject) => found.has(monitorOf(subject)) && rulesOf(rules, monitorOf(subject)).length > 0);
      return new Set(kept);
    },
    beginSweep: createListingSweep(needs),
  };
}
