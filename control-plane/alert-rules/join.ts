import { type IncidentDocument, isByVotes, type RuleIncidentHead } from '../incidents/documents.js';
import type { RuleIncidents, ServerMessages } from '../incidents/incidents.js';
import type { Transaction } from '../storage/transaction.js';
import { newcomers } from './decision.js';
import type { AlertRuleDocument } from './documents.js';
import { higher, union } from './matching.js';

/** Whether rules that fire are all on the incident already. Pure. */
export function isJoined({ decision }: RuleIncidentHead, rules: readonly AlertRuleDocument[]): boolean {
  return decision === null || newcomers(decision, rules).length === 0;
}

/** Puts rules that see the same thing on its open incident: the higher severity, the channels of all. */
export async function joinIncident(
  { incidents, messages }: { incidents: Pick<RuleIncidents, 'widen'>; messages: Pick<ServerMessages, 'joined'> },
  tx: Transaction,
  incident: IncidentDocument,
  rules: readonly AlertRuleDocument[],
): Promise<void> {
  const { decision } = incident;
  if (decision === null || isByVotes(decision)) return;
  const joining = newcomers(decision, rules);
  if (joining.length === 0) return;
  await incidents.widen(tx, incident, {
    severity: joining.reduce((severity, rule) => higher(severity, rule.severity), incident.severity),
    channels: union([incident.channels, ...joining.map((rule) => rule.channels)]),
    decision: {
      ...decision,
      other_rules: [...decision.other_rules, ...joining.map(({ _id: id, name }) => ({ id, name }))],
    },
    event: joining.map(({ name }) => messages.joined({ rule: name })).join(' '),
  });
}

/** Resolved by hand so short a time ago that it may not open again by itself. Pure. */
export function isInGrace(latest: IncidentDocument | null, graceMs: number, nowMs: number): boolean {
  if (latest === null || latest.resolution !== 'manual' || latest.resolved_at_ms === null) return false;
  return nowMs - latest.resolved_at_ms < graceMs;
}
