import { duration } from '../../duration.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import { type Fact, type IncidentKind, type Names, RUNBOOK_LABEL } from '../../incidents/kind.js';
import { utc } from '../../wording.js';
import { type CountedVote, type DecisionRecord, isVoteDecision } from '../decision-record.js';
import { outageStart } from '../outage-start.js';
import { countedVotes } from '../rule/counted-votes.js';
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
  facts(incident) {
    const decision = decisionOf(incident);
    return decision === null ? null : factsOf(decision);
  },
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

/** As the decision counted, like its sentence and its record. */
function factsOf(decision: DecisionRecord): ReturnType<IncidentKind['facts']> {
  const votes = countedVotes(decision);
  const down = votes.filter((vote) => vote.counted_as === 'down');
  const errors = mostFrequent(down.map(({ result }) => result?.error ?? null));
  return {
    type: 'outage',
    failing: down.length,
    of: votes.filter((vote) => vote.vote !== 'unknown').length,
    needed: decision.rule.required_down_votes,
    error: errors[0] ?? null,
    has_other_errors: errors.length > 1,
  };
}

type CheckError = { code: string; message: string } | null;

/** Returns one error of each code, the most frequent first. */
function mostFrequent(errors: readonly CheckError[]): CheckError[] {
  const groups = new Map<string, CheckError[]>();
  for (const error of errors) groups.set(error?.code ?? '', [...(groups.get(error?.code ?? '') ?? []), error]);
  return [...groups.values()].sort((a, b) => b.length - a.length).map(([first = null]) => first);
}

function voteFacts(decision: DecisionRecord | null, names: Names): Fact[] {
  if (decision === null) return [];
  const votes = countedVotes(decision);
  const places = (vote: CountedVote['vote'], remark: (vote: CountedVote) => string | null) =>
    votes
      .filter((one) => one.vote === vote)
      .map((one) => {
        const said = remark(one);
        const name = names.locationName(one.location);
        return said === null ? name : `${name} (${said.replaceAll('_', ' ')})`;
      })
      .join(', ');
  return [
    { label: 'Failing from', value: places('down', failureOf) },
    { label: 'Working from', value: places('up', () => null) },
    { label: 'No vote from', value: places('unknown', (vote) => vote.abstained) },
    { label: 'Confirmed', value: confirmed(decision) },
  ];
}

/** `connection refused`, `connection refused, not counted: retrying` */
function failureOf({ result, not_counted_because: because }: CountedVote): string | null {
  const failure = [result?.error?.code, because === null ? undefined : `not counted: ${because}`];
  return failure.filter((part) => part !== undefined).join(', ') || null;
}

function confirmed({ times, counts, votes }: DecisionRecord): string {
  if (times.confirmed_at_ms === null) return '';
  const valid = votes.filter((vote) => vote.vote !== 'unknown').length;
  return `${utc(times.confirmed_at_ms)}, by ${counts.down} of ${valid} locations`;
}
