import type { IncidentDecision } from '../incidents/documents.js';
import type { RuleIncidents } from '../incidents/incidents.js';
import { shortName } from '../wording.js';
import { type AlertRules, allChannels, higherSeverity, missingRules } from './alert-rules.js';
import type { SharedDecision } from './documents.js';

export function createJoin({ incidents }: { incidents: Pick<RuleIncidents, 'widen'> }): AlertRules['join'] {
  return async (tx, incident, rules) => {
    const { decision } = incident;
    if (decision === null || !isOfRules(decision)) return;
    const joining = missingRules(decision, rules);
    if (joining.length === 0) return;
    const joined: SharedDecision = {
      ...decision,
      other_rules: [...decision.other_rules, ...joining.map(({ _id: id, name }) => ({ id, name }))],
    };
    await incidents.widen(tx, incident, {
      severity: joining.reduce((severity, rule) => higherSeverity(severity, rule.severity), incident.severity),
      channels: allChannels([incident.channels, ...joining.map((rule) => rule.channels)]),
      decision: joined,
      event: joining.map(({ name }) => `Rule “${shortName(name)}” matches too.`).join(' '),
    });
  };
}

function isOfRules(decision: IncidentDecision): decision is SharedDecision {
  return 'other_rules' in decision;
}
