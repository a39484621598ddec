import { toIso } from '../../kernel/clock.js';
import { duration } from '../duration.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type { NotificationSent } from '../incidents/incidents.js';
import { type Fact, type IncidentKind, RUNBOOK_LABEL } from '../incidents/kind.js';
import { shortName, utc } from '../wording.js';
import type { RowEvent } from './documents.js';
import type { MonitorSummary } from './notifications.js';

/** The event of a message. Channels choose colours and priorities by it. */
export type MessageKind = 'opened' | 'reminder' | 'acknowledged' | 'resolved' | 'test';

/**
 * The message that every channel renders. Its texts are plain text: each channel escapes them and cuts them to its own
 * limits.
 */
export interface Message {
  /** The notification's id, the same in every attempt. */
  id: string;
  kind: MessageKind;
  incidentId: string;
  severity: 'critical' | 'warning' | 'info';
  /** The state and the name: `DOWN: Shop`. */
  title: string;
  /** The message of the incident. */
  text: string;
  /** Most important first. */
  facts: Fact[];
  /** Link to the incident in the dashboard. */
  link: string;
  /**
   * Link to a page where whoever has it can acknowledge and silence the incident; null unless the incident is firing.
   * Secret: only the receiver may see it.
   */
  actionLink: string | null;
  runbookLink: string | null;
  /** Label of the runbook link. */
  runbookLabel: string;
  /** The monitor's target, or the name of the resource. */
  source: string;
  /** Time of the event. */
  atMs: number;
  /** Body of a webhook delivery. */
  payload: { type: string; timestamp: string; data: Record<string, unknown> };
}

interface MessageInput {
  id: string;
  event: RowEvent;
  eventMs: number;
  incident: IncidentDocument;
  incidentKind: IncidentKind;
  /** The earlier notifications of the incident. */
  sent: readonly NotificationSent[];
  monitor: MonitorSummary | null;
  publicUrl: string;
  actionLink: string;
  locationName(code: string): string;
  renderIncident(incident: IncidentDocument, sent: readonly NotificationSent[]): Record<string, unknown>;
}

/** Returns the message of an incident's event. Pure: every attempt sends the same message. */
export function incidentMessage(input: MessageInput): Message {
  const { incident, incidentKind, monitor } = input;
  const kind = kindOf(input.event);
  return {
    id: input.id,
    kind,
    incidentId: incident._id,
    severity: incident.severity,
    title: titleOf(kind, input),
    text: incident.message,
    facts: factsOf(kind, input),
    link: incidentLink(input.publicUrl, incident._id),
    actionLink: actionLinkOf(kind, input),
    runbookLink: incident.runbook_url,
    runbookLabel: incidentKind.runbookLabel,
    source: monitor?.url ?? incident.resource.name,
    atMs: input.eventMs,
    payload: {
      type: `incident.${kind}`,
      timestamp: toIso(input.eventMs),
      data: {
        incident: input.renderIncident(incident, input.sent),
        monitor: monitor === null ? null : { ...monitor },
        ...(kind === 'reminder' ? { reminder: reminderNumber(input.event) } : {}),
        ...actionUrl(actionLinkOf(kind, input)),
      },
    },
  };
}

/** The label of `actionLink`. */
export const ACTION_LABEL = 'Acknowledge or silence';

/** Returns the message that the test of a channel sends. */
export function testMessage(input: {
  id: string;
  channel: { id: string; name: string; type: string };
  atMs: number;
  publicUrl: string;
}): Message {
  return {
    id: input.id,
    kind: 'test',
    incidentId: input.id,
    severity: 'info',
    title: `TEST: ${input.channel.name}`,
    text: 'This is a test message from Picket. Nothing is down. Alerts of this workspace will look like this.',
    facts: [
      { label: 'Channel', value: `${input.channel.name} (${input.channel.type})` },
      { label: 'Sent', value: utc(input.atMs) },
    ],
    link: `${input.publicUrl}/channels/${input.channel.id}`,
    actionLink: null,
    runbookLink: null,
    runbookLabel: RUNBOOK_LABEL,
    source: input.channel.name,
    atMs: input.atMs,
    payload: { type: 'channel.test', timestamp: toIso(input.atMs), data: { channel: input.channel } },
  };
}

function incidentLink(publicUrl: string, incidentId: string): string {
  return `${publicUrl}/incidents/${incidentId}`;
}

function actionLinkOf(kind: MessageKind, { incident, actionLink }: MessageInput): string | null {
  const asks = kind === 'opened' || kind === 'reminder';
  return asks && incident.status === 'firing' ? actionLink : null;
}

function actionUrl(link: string | null): { action_url?: string } {
  return link === null ? {} : { action_url: link };
}

function kindOf(event: RowEvent): Exclude<MessageKind, 'test'> {
  return event === 'opened' || event === 'acknowledged' || event === 'resolved' ? event : 'reminder';
}

function reminderNumber(event: RowEvent): number {
  return Number(event.slice('reminder#'.length));
}

function titleOf(kind: MessageKind, { incident, incidentKind, eventMs }: MessageInput): string {
  const isDown = kind === 'opened' || kind === 'reminder';
  const name = `${incidentKind.name(incident)}${isDown ? andDependents(incident) : ''}`;
  const state = incidentKind.state(incident);
  if (kind === 'reminder') return `${state.lasting}: ${name} (for ${duration(eventMs - incident.started_at_ms)})`;
  if (kind === 'acknowledged') return `ACKNOWLEDGED: ${name}`;
  if (kind !== 'resolved') return `${state.opened}: ${name}`;
  const lasted = duration((incident.resolved_at_ms ?? eventMs) - incident.started_at_ms);
  // Only a recovery shows that the problem ended; a manual resolve does not.
  const recovered = incident.resolution === 'recovered' ? incidentKind.recoveredTitle(incident, lasted) : null;
  return recovered ?? `RESOLVED: ${name} (after ${lasted})`;
}

function factsOf(kind: MessageKind, input: MessageInput): Fact[] {
  const { incident, incidentKind, monitor } = input;
  const ofKind = (wanted: boolean, facts: () => Fact[]) => (wanted ? facts() : []);
  const facts: Fact[] = [
    { label: 'Target', value: monitor?.url ?? '' },
    ...incidentKind.subjectFacts(incident),
    ...ofKind(kind === 'acknowledged', () => acknowledged(incident)),
    { label: 'Since', value: utc(incident.started_at_ms) },
    ...ofKind(kind === 'resolved', () => [
      { label: 'Until', value: utc(incident.resolved_at_ms ?? input.eventMs) },
      { label: 'Resolution', value: resolutionOf(incident, incidentKind) },
      { label: 'Depend on it', value: dependents(incident, true) },
    ]),
    ...ofKind(kind !== 'resolved', () => [
      { label: 'Depend on it', value: dependents(incident) },
      { label: 'Severity', value: incident.severity },
      ...incidentKind.evidenceFacts(incident, input),
    ]),
    ...ofKind(kind !== 'acknowledged', () => acknowledged(incident)),
  ];
  return facts.filter(({ value }) => value !== '');
}

/** Returns ` and 30 that depend on it`, of what is down too; empty if nothing is. */
function andDependents({ dependents }: IncidentDocument): string {
  if (dependents === undefined || dependents.down === 0) return '';
  const { down, total } = dependents;
  const verb = down === 1 ? 'depends' : 'depend';
  if (down === total) return ` and ${number(down)} that ${verb} on it`;
  return ` and ${number(down)} of ${number(total)} that depend on it`;
}

/** Returns how many things depend on the monitor of an outage, and which of them are down; empty for none. */
function dependents({ dependents: below }: IncidentDocument, hasEnded = false): string {
  if (below === undefined || (hasEnded && below.down === 0)) return '';
  const { total, down, names } = below;
  const quiet = 'Picket does not notify of them by themselves while it is down.';
  if (down === 0) return `${number(total)}, none of them reported down so far. ${quiet}`;
  const more = down > names.length ? ` and ${number(down - names.length)} more` : '';
  const which = `${names.map(shortName).join(', ')}${more}`;
  if (!hasEnded) return `${number(total)}, ${number(down)} of them down: ${which}. ${quiet}`;
  return `${number(total)}, ${number(down)} of them still down at the end: ${which}. Picket notifies of those that do not recover.`;
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}

/** Texts for the values of `resolution` for which the kind of the incident has no text. */
const RESOLUTIONS: Record<string, string> = {
  recovered: 'recovered',
  manual: 'resolved manually',
  superseded: 'another incident replaced it',
  rule_deleted: 'the alert rule was deleted',
  rule_disabled: 'the alert rule was disabled',
  rule_changed: 'the alert rule was changed',
  server_changed: 'no alert rule applies to the server any more',
};

function resolutionOf(incident: IncidentDocument, { resolutions }: IncidentKind): string {
  const resolution = incident.resolution ?? '';
  const text = resolutions[resolution] ?? RESOLUTIONS[resolution] ?? resolution.replaceAll('_', ' ');
  const by = incident.events.findLast((event) => event.type === 'resolved')?.actor;
  return resolution === 'manual' && by !== undefined ? `${text} by ${by}` : text;
}

function acknowledged(incident: IncidentDocument): Fact[] {
  if (incident.acknowledged_at_ms === null) return [];
  const value = `${utc(incident.acknowledged_at_ms)}, by ${incident.acknowledged_by ?? 'unknown'}`;
  return [{ label: 'Acknowledged', value }];
}
