import { toIso } from '../../../kernel/clock.js';
import { duration } from '../../duration.js';
import { utc } from '../../wording.js';
import { silencedBy } from '../act.js';
import { actionForm } from './action-form.js';
import { type EvidenceInput, evidence } from './evidence.js';
import { fitted, isolated } from './fitted.js';
import { framed } from './frame.js';

/** Together with the limits of the other parts they keep the page below 60,000 bytes. */
const NAME_BYTES_MAX = 800;
const CAUSE_BYTES_MAX = 3_000;
const PERSON_BYTES_MAX = 800;
const URL_BYTES_MAX = 3_000;

export interface IncidentPage extends EvidenceInput {
  channelName: string;
  token: string;
  expiresAtMs: number;
  nowMs: number;
  publicUrl: string;
  /** The form was sent, and nothing was changed. */
  unchanged: boolean;
}

/** Returns the page of a link that works. Pure. */
export function incidentPage(page: IncidentPage): string {
  const { incident, kind } = page;
  const state = stateOf(page);
  const name = kind.name(incident);
  return framed(
    `${state.word}: ${name}`,
    [
      `<p class="state ${state.look}"><span class="mark"></span>${fitted(state.word, NAME_BYTES_MAX)}</p>`,
      `<h1>${isolated(name, NAME_BYTES_MAX)}</h1>`,
      `<p class="soft since">${since(page)}</p>`,
      `<p class="cause">${fitted(incident.message, CAUSE_BYTES_MAX)}</p>`,
      ...notes(page),
      actionForm(incident, page.token),
      ...evidence(page),
      links(page),
      footer(page),
    ].join('\n'),
  );
}

/** How a state looks: colour and shape. */
type Look = 'down' | 'warn' | 'info' | 'up' | 'none';

const LOOK_OF_SEVERITY = { critical: 'down', warning: 'warn', info: 'info' } as const;

function stateOf({ incident, kind }: IncidentPage): { word: string; look: Look } {
  if (incident.status !== 'resolved') {
    return { word: kind.state(incident).opened, look: LOOK_OF_SEVERITY[incident.severity] };
  }
  return { word: 'RESOLVED', look: incident.resolution === 'recovered' ? 'up' : 'none' };
}

function since({ incident, nowMs }: IncidentPage): string {
  const { started_at_ms: fromMs, resolved_at_ms: toMs } = incident;
  const lasted = duration((toMs ?? nowMs) - fromMs);
  return toMs === null
    ? `For ${lasted}, since ${time(fromMs)}`
    : `For ${lasted}, from ${time(fromMs)} to ${time(toMs)}`;
}

function notes({ incident, unchanged }: IncidentPage): string[] {
  const { status, acknowledged_at_ms: acknowledgedMs, acknowledged_by: by } = incident;
  const silencer = silencedBy(incident);
  const notes: string[] = [];
  if (unchanged)
    notes.push(
      `<b>Nothing was changed:</b> ${status === 'resolved' ? 'the incident is resolved' : 'this was done before'}.`,
    );
  if (acknowledgedMs !== null) {
    notes.push(
      `<b>Acknowledged</b> at ${time(acknowledgedMs)} by ${isolated(by ?? 'unknown', PERSON_BYTES_MAX)}. Reminders and escalation have stopped.`,
    );
  }
  if (status === 'silenced') {
    const who = silencer === null ? 'a maintenance window' : isolated(silencer, PERSON_BYTES_MAX);
    notes.push(`<b>Silenced</b> by ${who}. Picket sends no more notifications until the incident is resolved.`);
  }
  if (status === 'resolved') notes.push('<b>This incident is resolved.</b>');
  return notes.map((note) => `<p class="note" role="status">${note}</p>`);
}

function links({ incident, kind, publicUrl }: IncidentPage): string {
  const own = link('Open in Picket', `${publicUrl}/incidents/${incident._id}`);
  return `<p class="links">${own}${incident.runbook_url === null ? '' : link(kind.runbookLabel, incident.runbook_url)}</p>`;
}

/** Returns nothing for what is not a link to a web page, or too long for the page. */
function link(label: string, url: string): string {
  const isWeb = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
  const href = fitted(url, URL_BYTES_MAX);
  if (!isWeb || href.endsWith('…')) return '';
  return `<a href="${href}" rel="noreferrer">${fitted(label, NAME_BYTES_MAX)}</a>`;
}

function footer({ channelName, expiresAtMs, incident }: IncidentPage): string {
  const can =
    incident.status === 'resolved' ? 'see this page' : 'see this page, and acknowledge or silence the incident';
  return `<footer>This link was sent to the channel ${isolated(channelName, PERSON_BYTES_MAX)} and works until ${time(expiresAtMs)}. Everybody who has it can ${can}.</footer>`;
}

function time(atMs: number): string {
  return `<time datetime="${toIso(atMs)}">${utc(atMs)}</time>`;
}
