import { RULE_RESOLUTIONS } from '../../alert-rules/alert-rules.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import { type Fact, type IncidentKind, RUNBOOK_LABEL } from '../../incidents/kind.js';
import { utc } from '../../wording.js';
import { type DomainDecisionRecord, isDomainDecision } from './decision-record.js';
import { DomainDecision } from './decision-schema.js';
import { domainDecisionView } from './decision-view.js';
import { DOMAIN_INCIDENT_EXAMPLE } from './incident-example.js';

/** An incident of a domain whose registration ends. */
export const domainKind: IncidentKind = {
  kind: 'domain',
  description: 'the registration of a monitored domain expires soon, or has expired',
  started: 'time at which the stage of 30, 14, 7 or 3 days was noticed',
  byAlertRules: true,
  decision: {
    schema: DomainDecision,
    view: (decision, sent) => (isDomainDecision(decision) ? domainDecisionView(decision, sent) : null),
  },
  examples: [DOMAIN_INCIDENT_EXAMPLE],
  state: () => ({ opened: 'DOMAIN EXPIRING', lasting: 'DOMAIN STILL EXPIRING' }),
  name: ({ resource }) => resource.name,
  recoveredTitle: ({ resource }) => `DOMAIN RENEWED: ${resource.name}`,
  subjectFacts(incident) {
    const decision = decisionOf(incident);
    return decision === null ? [] : domainFacts(decision);
  },
  evidenceFacts: () => [],
  facts: () => null,
  votes: () => [],
  resolutions: {
    ...RULE_RESOLUTIONS,
    recovered: 'the domain was renewed',
    not_told: 'the registry has not said for three days when the domain expires',
    deleted: 'no active monitor is of the domain any more',
  },
  runbookLabel: RUNBOOK_LABEL,
};

function decisionOf({ decision }: IncidentDocument): DomainDecisionRecord | null {
  return decision !== null && isDomainDecision(decision) ? decision : null;
}

function domainFacts({ registration, rule, other_rules }: DomainDecisionRecord): Fact[] {
  const { domain, expires_at_ms, checked_at_ms, registrar } = registration;
  const asOf = checked_at_ms === null ? '' : `, as of ${utc(checked_at_ms)}`;
  return [
    { label: 'Domain', value: domain },
    ...(expires_at_ms === null ? [] : [{ label: 'Expires', value: `${utc(expires_at_ms)}${asOf}` }]),
    ...(registrar === null ? [] : [{ label: 'Registrar', value: registrar }]),
    {
      label: other_rules.length === 0 ? 'Rule' : 'Rules',
      value: [rule, ...other_rules].map(({ name }) => name).join(', '),
    },
  ];
}
