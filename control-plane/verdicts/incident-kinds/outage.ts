import { duration } from '../../duration.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import { type Fact, type IncidentKind, type Names, RUNBOOK_LABEL } from '../../incidents/kind.js';
import { utc } from '../../wording.js';
import { type DecisionRecord, isVoteDecision, type VoteRecord } from '../decision-record.js';
import { outageStart } from '../outage-start.js';
import { Decision } from './decision-schema.js';
import { decisionView } from './decision-view.js';
import { OUTAGE_EXAMPLE } from './examples.js';
import { locationVotes } from './location-votes.js';

/** An outage: enough locations fail to reach a monitor's target. */
export const outageKind: IncidentKind = {
  kind: 'monitor',
  description: 'an outage',
  started: 'time of the first failed check',
  byAlertRules: false,
  decision: {
    schema: Decision,
    view: (decision, sent) => (isVoteDecision(decision) ? decisionView(decision, sent) : null),
  },
  examples: [OUTAGE_EXAMPLE],
  state: () => ({ opened: 'DOWN', lasting: 'STILL DOWN' }),
  name: ({ monitor_name, resource }) => monitor_name ?? resource.name,
  recoveredTitle: (incident, lasted) =>
    `UP: ${incident.monitor_name ?? incident.resource.name} (was down ${outageLasted(incident) ?? lasted})`,
  subjectFacts: () => [],
  evidenceFacts: (incident, names) => voteFacts(decisionOf(incident), names),
  votes: (incident, names) => locationVotes(decisionOf(incident), names),
  resolutions: { paused: 'the monitor was paused', deleted: 'the monitor was deleted' },
  runbookLabel: RUNBOOK_LABEL,
};

/** Returns how long the outage lasted; null if the incident has no record of its recovery. */
function outageLasted({ recovery, started_at_ms, resolved_at_ms }: IncidentDocument): string | null {
  if (recovery === null || !isVoteDecision(recovery) || resolved_at_ms === null) return null;
  return duration(resolved_at_ms - outageStart(started_at_ms, recovery));
}

function decisionOf({ decision }: IncidentDocument): DecisionRecord | null {
  return decision !== null && isVoteDecision(decision) ? decision : null;
}

function voteFacts(decision: DecisionRecord | null, names: Names): Fact[] {
  if (decision === null) return [];
  const places = (vote: VoteRecord['vote'], remark: (vote: VoteRecord) => string | null) =>
    decision.votes
      .filter((one) => one.vote === vote)
      .map((one) => {
        const said = remark(one);
        const name = names.locationName(one.location);
        return said === null ? name : `${name} (${said.replaceAll('_', ' ')})`;
      })
      .join(', ');
  return [
    { label: 'Failing from', value: places('down', (vote) => vote.result?.error?.code ?? null) },
    { label: 'Working from', value: places('up', () => null) },
    { label: 'No vote from', value: places('unknown', (vote) => vote.abstained) },
    { label: 'Confirmed', value: confirmed(decision) },
  ];
}

function confirmed({ times, counts }: DecisionRecord): string {
  if (times.confirmed_at_ms === null) return '';
  return `${utc(times.confirmed_at_ms)}, by ${counts.down} of ${counts.up + counts.down} locations`;
}
