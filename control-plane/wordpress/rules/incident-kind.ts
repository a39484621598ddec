import { RULE_RESOLUTIONS } from '../../alert-rules/alert-rules.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { Fact, IncidentKind } from '../../incidents/kind.js';
import { utc } from '../../wording.js';
import { isWordpressDecision, type WordpressDecisionRecord } from './decision-record.js';
import { WordpressDecision } from './decision-schema.js';
import { wordpressDecisionView } from './decision-view.js';
import { WORDPRESS_INCIDENT_EXAMPLE } from './incident-example.js';
import { checkName } from './messages.js';

/** An incident that a check of a WordPress site opens. */
export const wordpressKind: IncidentKind = {
  kind: 'wordpress',
  description: 'a check of a WordPress site passed and fails now',
  started: 'time of the first measurement that failed',
  byAlertRules: true,
  decision: {
    schema: WordpressDecision,
    view: (decision, sent) => (isWordpressDecision(decision) ? wordpressDecisionView(decision, sent) : null),
  },
  examples: [WORDPRESS_INCIDENT_EXAMPLE],
  state: () => ({ opened: 'WORDPRESS CHECK FAILED', lasting: 'WORDPRESS CHECK STILL FAILING' }),
  name(incident) {
    const decision = decisionOf(incident);
    const { name } = incident.resource;
    return decision === null ? name : `${name}: ${checkName(decision.wordpress.check)}`;
  },
  recoveredTitle(incident, lasted) {
    const decision = decisionOf(incident);
    if (decision === null) return null;
    return `WORDPRESS CHECK PASSES: ${incident.resource.name}: ${checkName(decision.wordpress.check)} (was failing ${lasted})`;
  },
  subjectFacts(incident) {
    const decision = decisionOf(incident);
    return decision === null ? [] : siteFacts(decision);
  },
  evidenceFacts(incident) {
    const decision = decisionOf(incident);
    if (decision === null) return [];
    const { evidence, passed_at_ms } = decision.wordpress;
    return [
      { label: 'Evidence', value: evidence },
      { label: 'Last passed', value: utc(passed_at_ms) },
    ].filter(({ value }) => value !== '');
  },
  facts: () => null,
  votes: () => [],
  resolutions: {
    ...RULE_RESOLUTIONS,
    recovered: 'the check passes again',
    undone: 'the fix of the check was undone',
    deleted: 'the WordPress site was deleted',
    disconnected: 'the WordPress site was disconnected',
  },
  runbookLabel: 'Harden the site',
};

function decisionOf({ decision }: IncidentDocument): WordpressDecisionRecord | null {
  return decision !== null && isWordpressDecision(decision) ? decision : null;
}

function siteFacts({ wordpress, rule, other_rules }: WordpressDecisionRecord): Fact[] {
  return [
    { label: 'Site', value: wordpress.url },
    { label: 'Check', value: checkName(wordpress.check) },
    {
      label: other_rules.length === 0 ? 'Rule' : 'Rules',
      value: [rule, ...other_rules].map(({ name }) => name).join(', '),
    },
  ];
}
