import type { IncidentDocument } from '../../incidents/documents.js';
import type { Fact, IncidentKind, LocationVote, Names } from '../../incidents/kind.js';
import { clockTime } from '../../wording.js';
import { fitted, isolated } from './fitted.js';

export interface EvidenceInput {
  incident: IncidentDocument;
  kind: IncidentKind;
  names: Names;
  /** What the monitor of the incident checks; null for other incidents. */
  target: string | null;
}

/** More than a monitor can have. */
const VOTES_MAX = 50;
const LOCATION_BYTES_MAX = 160;
const REASON_BYTES_MAX = 120;
const DETAIL_BYTES_MAX = 200;
const FACTS_MAX = 10;
const LABEL_BYTES_MAX = 60;
const VALUE_BYTES_MAX = 500;

const WORDS: Record<LocationVote['counted'], string> = { down: 'down', up: 'up', none: 'no vote' };
/** What failed first. */
const ORDER: readonly LocationVote['counted'][] = ['down', 'none', 'up'];

/** Returns why the incident was opened: the votes of locations, or what else its kind knows. */
export function evidence({ incident, kind, names, target }: EvidenceInput): string[] {
  const votes = kind.votes(incident, names);
  const facts = [
    { label: 'Target', value: target ?? '' },
    ...kind.subjectFacts(incident),
    // The votes say the same in more detail.
    ...(votes.length > 0 ? [] : kind.evidenceFacts(incident, names)),
    { label: 'Decision', value: incident.decision?.reason ?? '' },
  ];
  return [votesPart(votes), factsPart(facts.filter(({ value }) => value !== ''))];
}

function votesPart(votes: readonly LocationVote[]): string {
  if (votes.length === 0) return '';
  const ordered = ORDER.flatMap((counted) => votes.filter((vote) => vote.counted === counted));
  const more = votes.length > VOTES_MAX ? `<p class="soft">and ${votes.length - VOTES_MAX} more</p>` : '';
  const rows = ordered.slice(0, VOTES_MAX).map(voteRow);
  return `<h2>Votes when the incident was opened</h2>
<ul class="votes">
${rows.join('\n')}
</ul>${more}`;
}

function voteRow({ location, counted, reason, detail, checkedAtMs }: LocationVote): string {
  const words = [WORDS[counted], fitted(reason, REASON_BYTES_MAX)].filter((part) => part !== '').join(', ');
  const details = [
    ...(detail === '' ? [] : [isolated(detail, DETAIL_BYTES_MAX)]),
    ...(checkedAtMs === null ? [] : [`checked at ${clockTime(checkedAtMs)}`]),
  ];
  const more = details.length === 0 ? '' : `<small>${details.join('<br>')}</small>`;
  return `<li class="${counted}"><span class="mark"></span><span>${isolated(location, LOCATION_BYTES_MAX)}: <b>${words}</b></span>${more}</li>`;
}

function factsPart(facts: readonly Fact[]): string {
  if (facts.length === 0) return '';
  const rows = facts.slice(0, FACTS_MAX).map(({ label, value }) => {
    return `<dt>${fitted(label, LABEL_BYTES_MAX)}</dt><dd>${isolated(value, VALUE_BYTES_MAX)}</dd>`;
  });
  return `<h2>Details</h2>
<dl>
${rows.join('\n')}
</dl>`;
}
