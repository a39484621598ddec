import { Type } from 'typebox';
import type { DefaultRules } from '../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { defineRuleType, type RuleField, type RuleOf } from '../../alert-rules/rule-type.js';
import { nullable } from '../../http/input/nullable.js';
import { idPattern } from '../../storage/ids.js';

const MONITORS_MAX = 500;

const MonitorIds = nullable(Type.Array(Type.String()));

const blacklistMonitorIds: RuleField<typeof MonitorIds> = {
  value: MonitorIds,
  input: nullable(
    Type.Array(Type.String({ pattern: idPattern('blm') }), {
      maxItems: MONITORS_MAX,
      uniqueItems: true,
    }),
    {
      description:
        'Only for type `blacklist_listed`: blacklist monitors that the rule applies to; `[]`, after the deletion of all of them, means none. Defaults to all, including future ones.',
    },
  ),
  default: null,
  refersTo: 'blacklist_monitor',
};

export const listedType = defineRuleType({
  type: 'blacklist_listed',
  description: 'a blacklist lists the target of a blacklist monitor; policy listings are ignored',
  metric: null,
  defaultSeverity: 'warning',
  condition: {},
  targets: { blacklist_monitor_ids: blacklistMonitorIds },
  examples: {
    create: [{ name: 'Listed on a blacklist', type: 'blacklist_listed' }],
    update: [],
    reply: [{ name: 'Our mail servers are listed', blacklist_monitor_ids: ['blm_01kf5e6q0h3v8r2m9x4t7c1z5n'] }],
  },
});
export type ListedRule = RuleOf<typeof listedType>;

/** The rule that a workspace gets with its first blacklist monitor. */
export const LISTING_DEFAULT_RULES: DefaultRules = {
  key: 'blacklist',
  rules: [{ name: 'Listed on a blacklist', type: listedType.type, severity: 'warning' }],
};

/** Returns the enabled rules that apply to the monitor. */
export function rulesOf(rules: readonly AlertRuleDocument[], monitorId: string): ListedRule[] {
  return listedType
    .of(rules)
    .filter(({ enabled, blacklist_monitor_ids: ids }) => enabled && (ids === null || ids.includes(monitorId)));
}
