import type { Language } from '../../http/client/language.js';
import type { IncidentDocument, UsedLink } from '../../incidents/documents.js';
import { personalSilence } from '../../incidents/silence/personal-silence.js';
import type { OpenedLink } from '../open-link.js';
import { actionForm } from './action-form.js';
import { type EvidenceInput, evidence } from './evidence.js';
import { fitted, isolated } from './fitted.js';
import { framed } from './frame.js';
import { saidHtml } from './said.js';
import { TEXTS, type Texts } from './texts/texts.js';
import { TIMES_SCRIPT, time } from './time.js';

/** Together with the limits of the other parts they keep the page below 60,000 bytes. */
const NAME_BYTES_MAX = 800;
const CAUSE_BYTES_MAX = 3_000;
const PERSON_BYTES_MAX = 800;
const URL_BYTES_MAX = 3_000;

export interface IncidentPage extends Omit<EvidenceInput, 'saysMessage'>, Pick<OpenedLink, 'link' | 'channel'> {
  language: Language;
  token: string;
  expiresAtMs: number;
  nowMs: number;
  publicUrl: string;
  /** The form was sent, and nothing was changed. */
  unchanged: boolean;
}

/** Returns the page of a link that works. Pure. */
export function incidentPage(page: IncidentPage): string {
  const { incident, kind, names, language } = page;
  const words = TEXTS[language];
  const state = stateOf(page, words);
  const name = kind.name(incident);
  const cause = words.cause({
    ...{ state: kind.state(incident).opened, votes: kind.votes(incident, names), facts: kind.facts(incident) },
    nowMs: page.nowMs,
  });
  return framed(
    language,
    `${state.word}: ${name}`,
    [
      `<p class="state ${state.look}"><span class="mark"></span>${fitted(state.word, NAME_BYTES_MAX)}${takenOn(incident, words)}</p>`,
      `<h1>${isolated(name, NAME_BYTES_MAX)}</h1>`,
      `<p class="soft since">${since(page, words)}</p>`,
      `<p class="cause">${saidHtml(cause ?? [incident.message], CAUSE_BYTES_MAX)}</p>`,
      ...notes(page, words),
      actionForm(incident, page, page.token, words),
      ...evidence({ ...page, saysMessage: cause === null }, words),
      links(page, words),
      footer(page, words),
      `<script>${TIMES_SCRIPT}</script>`,
    ].join('\n'),
  );
}

/** How a state looks: colour and shape. */
type Look = 'down' | 'warn' | 'info' | 'up' | 'none';

const LOOK_OF_SEVERITY = { critical: 'down', warning: 'warn', info: 'info' } as const;

function stateOf({ incident, kind }: IncidentPage, words: Texts): { word: string; look: Look } {
  if (incident.status !== 'resolved') {
    return { word: words.state(kind.state(incident).opened), look: LOOK_OF_SEVERITY[incident.severity] };
  }
  return { word: words.resolved, look: incident.resolution === 'recovered' ? 'up' : 'none' };
}

/** Returns what follows the state of an incident that is not resolved: whether somebody is on it, and that nobody is told. */
function takenOn({ status, acknowledged_at_ms: atMs }: IncidentDocument, words: Texts): string {
  if (status === 'resolved') return '';
  const said = [...(atMs === null ? [] : [words.acknowledged]), ...(status === 'silenced' ? [words.silenced] : [])];
  return said.map((word) => ` · ${word}`).join('');
}

function since({ incident, nowMs }: IncidentPage, words: Texts): string {
  const { started_at_ms: fromMs, resolved_at_ms: toMs } = incident;
  const lasted = words.duration((toMs ?? nowMs) - fromMs);
  return toMs === null ? words.since(lasted, time(fromMs)) : words.fromTo(lasted, time(fromMs), time(toMs));
}

function notes({ incident, unchanged }: IncidentPage, words: Texts): string[] {
  const { status, acknowledged_at_ms: acknowledgedMs, acknowledged_by: by } = incident;
  const silencedBy = personalSilence(incident);
  const notes: { html: string; isDone?: boolean }[] = [];
  if (unchanged) {
    const { title, resolved, before } = words.unchanged;
    notes.push({ html: `<b>${title}</b> ${status === 'resolved' ? resolved : before}` });
  }
  if (acknowledgedMs !== null) {
    const who = doer(by ?? words.unknown, incident.acknowledged_link, words);
    notes.push({ html: words.acknowledgedHtml(time(acknowledgedMs), who), isDone: true });
  }
  if (status === 'silenced') {
    const until = incident.silenced_until_ms ?? null;
    const { link } = incident.events.findLast(({ type, actor }) => type === 'silenced' && actor === silencedBy) ?? {};
    const who = silencedBy === null ? words.maintenance : doer(silencedBy, link, words);
    const end = until === null ? words.untilResolved : words.untilHtml(time(until));
    notes.push({ html: `${words.silencedHtml(who)} ${end}`, isDone: true });
  }
  if (status === 'resolved') notes.push({ html: `<b>${words.isResolved}</b>`, isDone: true });
  return notes.map(({ html, isDone }) => `<p class="note${isDone ? ' done' : ''}" role="status">${html}</p>`);
}

/** Returns who did something as HTML: the person, or the link if others have it too. */
function doer(actor: string, link: UsedLink | undefined, words: Texts): string {
  const isOfMany = link !== undefined && link.person === null;
  return isolated(isOfMany ? words.linkOf(link.channel_name) : actor, PERSON_BYTES_MAX);
}

function links({ incident, kind, publicUrl }: IncidentPage, words: Texts): string {
  const own = link(words.open, `${publicUrl}/incidents/${incident._id}`);
  const { runbook_url: runbook } = incident;
  return `<p class="links">${own}${runbook === null ? '' : link(words.linkLabel(kind.runbookLabel), runbook)}</p>`;
}

/** Returns nothing for what is not a link to a web page, or too long for the page. */
function link(label: string, url: string): string {
  const isWeb = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
  const href = fitted(url, URL_BYTES_MAX);
  if (!isWeb || href.endsWith('…')) return '';
  return `<a href="${href}" rel="noreferrer">${fitted(label, NAME_BYTES_MAX)}</a>`;
}

function footer({ channel, expiresAtMs, incident }: IncidentPage, words: Texts): string {
  const { name, onlyReceiver } = channel;
  const person = onlyReceiver === null ? '' : ` ${words.recordedHtml(isolated(onlyReceiver, PERSON_BYTES_MAX))}`;
  const said = words.footerHtml(isolated(name, PERSON_BYTES_MAX), time(expiresAtMs), incident.status === 'resolved');
  return `<footer>${said}${person}</footer>`;
}
