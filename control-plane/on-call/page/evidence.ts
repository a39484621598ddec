import type { IncidentDocument } from '../../incidents/documents.js';
import type { IncidentKind, LocationVote, Names } from '../../incidents/kind.js';
import { fitted, isolated } from './fitted.js';
import { isolatedSaid, type Said } from './said.js';
import type { Translated } from './texts/en.js';
import type { Texts } from './texts/texts.js';
import { time } from './time.js';

export interface EvidenceInput {
  incident: IncidentDocument;
  kind: IncidentKind;
  names: Names;
  /** What the monitor of the incident checks; null for other incidents. */
  target: string | null;
  /** Whether the page shows the sentence of the incident as the cause. */
  saysMessage: boolean;
}

/** More than a monitor can have. */
const VOTES_MAX = 50;
const LOCATION_BYTES_MAX = 160;
const REASON_BYTES_MAX = 120;
const DETAIL_BYTES_MAX = 200;
const FACTS_MAX = 10;
const LABEL_BYTES_MAX = 60;
const VALUE_BYTES_MAX = 500;

/** A detail of the incident. The sentences of the control plane are in English, whatever language the page has. */
interface Detail {
  label: string;
  value: Said;
  isEnglish?: boolean;
}

/** What failed first. */
const ORDER: readonly LocationVote['counted'][] = ['down', 'failing', 'none', 'up'];

/** Returns why the incident was opened: the votes of locations, or what else its kind knows. */
export function evidence({ incident, kind, names, target, saysMessage }: EvidenceInput, words: Texts): string[] {
  const votes = kind.votes(incident, names);
  const facts = [
    ...kind.subjectFacts(incident),
    // The votes say the same in more detail.
    ...(votes.length > 0 ? [] : kind.evidenceFacts(incident, names)),
  ];
  const decision = words.decided(incident.decision?.reason ?? '');
  const details: Detail[] = [
    { label: words.target, value: [target ?? ''] },
    ...facts.map(({ label, value }) => {
      const { said, isEnglish } = words.fact(label, value);
      return { label: words.label(label), value: said, isEnglish };
    }),
    { label: words.decision, value: [decision.text], isEnglish: decision.isEnglish },
    ...(saysMessage ? [] : [{ label: words.wording, value: [incident.message], isEnglish: true }]),
  ];
  const shown = details.filter(({ value }) => value.some((piece) => piece !== ''));
  return [votesPart(votes, words), detailsPart(shown, words)];
}

function votesPart(votes: readonly LocationVote[], words: Texts): string {
  if (votes.length === 0) return '';
  const ordered = ORDER.flatMap((counted) => votes.filter((vote) => vote.counted === counted));
  const more = votes.length > VOTES_MAX ? `<p class="soft">${words.more(votes.length - VOTES_MAX)}</p>` : '';
  const rows = ordered.slice(0, VOTES_MAX).map((vote) => voteRow(vote, words));
  return `<h2>${words.votes}</h2>
<ul class="votes">
${rows.join('\n')}
</ul>${more}`;
}

function voteRow(vote: LocationVote, words: Texts): string {
  const { locationCode, location, counted, reason, errorCode, detail, checkedAtMs } = vote;
  const outcome = [words.vote(counted), fitted(words.reason(reason), REASON_BYTES_MAX)].filter((part) => part !== '');
  const details = [
    ...(detail === '' ? [] : [said(words.failure(errorCode, detail))]),
    ...(checkedAtMs === null ? [] : [words.checkedHtml(time(checkedAtMs))]),
  ];
  const more = details.length === 0 ? '' : `<small>${details.join('<br>')}</small>`;
  const look = counted === 'failing' ? 'none' : counted;
  return `<li class="${look}"><span class="mark"></span><span>${isolated(words.city(locationCode, location), LOCATION_BYTES_MAX)}: <b>${outcome.join(', ')}</b></span>${more}</li>`;
}

/** Returns why a check failed; what the page has no words for is what the probe said, in English. */
function said({ text, isEnglish }: Translated): string {
  return isolated(text, DETAIL_BYTES_MAX, isEnglish ? 'en' : null);
}

function detailsPart(details: readonly Detail[], words: Texts): string {
  if (details.length === 0) return '';
  const rows = details.slice(0, FACTS_MAX).map(({ label, value, isEnglish = false }) => {
    const text = isolatedSaid(value, VALUE_BYTES_MAX, isEnglish ? 'en' : null);
    return `<dt>${fitted(label, LABEL_BYTES_MAX)}</dt><dd>${text}</dd>`;
  });
  return `<h2>${words.details}</h2>
<dl>
${rows.join('\n')}
</dl>`;
}
