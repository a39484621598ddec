import { RULE_RESOLUTIONS } from '../../alert-rules/alert-rules.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import { type Fact, type IncidentKind, RUNBOOK_LABEL } from '../../incidents/kind.js';
import { AREA_TITLES } from '../areas/area.js';
import { type EmailDecisionRecord, isEmailDecision } from './decision-record.js';
import { EmailDecision } from './decision-schema.js';
import { emailDecisionView } from './decision-view.js';
import { EMAIL_INCIDENT_EXAMPLE } from './incident-example.js';

/** An incident that the mail settings of a domain open. */
export const emailKind: IncidentKind = {
  kind: 'email',
  description: 'the e-mail score of a domain fell',
  started: 'time of the check that found it',
  byAlertRules: true,
  decision: {
    schema: EmailDecision,
    view: (decision, sent) => (isEmailDecision(decision) ? emailDecisionView(decision, sent) : null),
  },
  examples: [EMAIL_INCIDENT_EXAMPLE],
  state: () => ({ opened: 'E-MAIL SCORE FELL', lasting: 'E-MAIL SCORE STILL LOW' }),
  name: ({ resource }) => resource.name,
  recoveredTitle: ({ resource }, lasted) => `E-MAIL SCORE BACK: ${resource.name} (was low ${lasted})`,
  subjectFacts(incident) {
    const decision = decisionOf(incident);
    return decision === null ? [] : emailFacts(decision);
  },
  evidenceFacts: () => [],
  facts: () => null,
  votes: () => [],
  resolutions: {
    ...RULE_RESOLUTIONS,
    recovered: 'the score is back',
    deleted: 'the e-mail domain was deleted',
  },
  runbookLabel: RUNBOOK_LABEL,
};

function decisionOf({ decision }: IncidentDocument): EmailDecisionRecord | null {
  return decision !== null && isEmailDecision(decision) ? decision : null;
}

function emailFacts({ email, rule, other_rules }: EmailDecisionRecord): Fact[] {
  const { domain, from_score, score, failing } = email;
  return [
    { label: 'Domain', value: domain },
    { label: 'Score', value: `${score ?? 'no data'} (was ${from_score ?? 'no data'})` },
    { label: 'Failing', value: failing.map(({ area }) => AREA_TITLES[area]).join(', ') },
    {
      label: other_rules.length === 0 ? 'Rule' : 'Rules',
      value: [rule, ...other_rules].map(({ name }) => name).join(', '),
    },
  ].filter(({ value }) => value !== '');
}
