import { toIso } from '../../kernel/clock.js';
import { duration } from '../duration.js';
import {
  type DecisionRecord,
  type IncidentDocument,
  isByVotes,
  isOfListing,
  isOfServer,
  type ListingDecisionRecord,
  type RuleDecisionRecord,
  type VoteRecord,
} from '../incidents/documents.js';
import type { RowEvent } from './documents.js';
import type { MonitorSummary, NotificationSent } from './notifications.js';

/** What a message is about, as a channel colours or ranks it. */
export type MessageKind = 'opened' | 'reminder' | 'acknowledged' | 'resolved' | 'test';

export interface Fact {
  label: string;
  value: string;
}

/**
 * The one neutral message that every channel renders. Its texts are plain: each channel escapes them for itself
 * and cuts them to its own limits.
 */
export interface Message {
  /** The notification's id, the same in every attempt. */
  id: string;
  kind: MessageKind;
  incidentId: string;
  severity: 'critical' | 'warning' | 'info';
  /** What is the matter with what: `DOWN: Shop`. */
  title: string;
  /** The incident's own sentence. */
  text: string;
  /** In the order of their weight for a reader at 3 a.m. */
  facts: Fact[];
  /** The incident in the dashboard. */
  link: string;
  runbookLink: string | null;
  /** What that link is called. */
  runbookLabel: string;
  /** What the incident is about: the monitor's target, else the resource's name. */
  source: string;
  /** When the event happened. */
  atMs: number;
  /** The body of a webhook. */
  payload: { type: string; timestamp: string; data: Record<string, unknown> };
}

const RUNBOOK = 'Runbook';

interface MessageInput {
  id: string;
  event: RowEvent;
  eventMs: number;
  incident: IncidentDocument;
  /** What channels had been told of it. */
  told: readonly NotificationSent[];
  monitor: MonitorSummary | null;
  publicUrl: string;
  locationName(code: string): string;
  renderIncident(incident: IncidentDocument, told: readonly NotificationSent[]): Record<string, unknown>;
}

/** Builds the message of an incident's event. Pure: the same input gives the same message in every attempt. */
export function incidentMessage(input: MessageInput): Message {
  const { incident, monitor } = input;
  const kind = kindOf(input.event);
  return {
    id: input.id,
    kind,
    incidentId: incident._id,
    severity: incident.severity,
    title: titleOf(kind, incident, input.eventMs),
    text: incident.message,
    facts: factsOf(kind, input),
    link: incidentLink(input.publicUrl, incident._id),
    runbookLink: incident.runbook_url,
    runbookLabel: incident.kind === 'blacklist' ? 'How to be removed' : RUNBOOK,
    source: monitor?.url ?? incident.resource.name,
    atMs: input.eventMs,
    payload: {
      type: `incident.${kind}`,
      timestamp: toIso(input.eventMs),
      data: {
        incident: input.renderIncident(incident, input.told),
        monitor: monitor === null ? null : { ...monitor },
        ...(kind === 'reminder' ? { reminder: reminderNumber(input.event) } : {}),
      },
    },
  };
}

/** What the test button sends. */
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
    text: 'This is a test from Picket. Nothing is down. Alerts of this workspace will arrive like this.',
    facts: [
      { label: 'Channel', value: `${input.channel.name} (${input.channel.type})` },
      { label: 'Sent', value: utc(input.atMs) },
    ],
    link: `${input.publicUrl}/channels/${input.channel.id}`,
    runbookLink: null,
    runbookLabel: RUNBOOK,
    source: input.channel.name,
    atMs: input.atMs,
    payload: { type: 'channel.test', timestamp: toIso(input.atMs), data: { channel: input.channel } },
  };
}

function incidentLink(publicUrl: string, incidentId: string): string {
  return `${publicUrl}/incidents/${incidentId}`;
}

function kindOf(event: RowEvent): Exclude<MessageKind, 'test'> {
  return event === 'opened' || event === 'acknowledged' || event === 'resolved' ? event : 'reminder';
}

function reminderNumber(event: RowEvent): number {
  return Number(event.slice('reminder#'.length));
}

/** What is wrong, in one or two words, by the kind of incident. */
const TROUBLE: Record<IncidentDocument['kind'], { begins: string; lasts: string }> = {
  monitor: { begins: 'DOWN', lasts: 'STILL DOWN' },
  certificate: { begins: 'CERTIFICATE', lasts: 'CERTIFICATE' },
  location: { begins: 'LOCATION SILENT', lasts: 'LOCATION STILL SILENT' },
  server: { begins: 'ALERT', lasts: 'ALERT LASTS' },
  blacklist: { begins: 'LISTED', lasts: 'STILL LISTED' },
};

/** A location that is connected, but not believed. */
const QUARANTINE = { begins: 'LOCATION QUARANTINED', lasts: 'LOCATION STILL QUARANTINED' };
const OFFLINE = { begins: 'OFFLINE', lasts: 'STILL OFFLINE' };
const DISK_FULL = { begins: 'DISK FILLS UP', lasts: 'DISK STILL FILLS UP' };

function titleOf(kind: MessageKind, incident: IncidentDocument, eventMs: number): string {
  const name = subjectName(incident);
  const trouble = troubleOf(incident);
  if (kind === 'reminder') return `${trouble.lasts}: ${name} (for ${duration(eventMs - incident.started_at_ms)})`;
  if (kind === 'acknowledged') return `ACKNOWLEDGED: ${name}`;
  if (kind !== 'resolved') return `${trouble.begins}: ${name}`;
  const lasted = duration((incident.resolved_at_ms ?? eventMs) - incident.started_at_ms);
  // Whoever resolved it by hand did not say that it works again.
  const recovered = incident.resolution === 'recovered';
  if (recovered && incident.kind === 'monitor') return `UP: ${name} (was down ${lasted})`;
  const listing = listingDecision(incident)?.listing;
  if (recovered && listing !== undefined) {
    return `DELISTED: ${incident.resource.name} from ${listing.provider_name} (was listed ${lasted})`;
  }
  if (recovered && trouble === OFFLINE) return `ONLINE: ${name} (was offline ${lasted})`;
  return `RESOLVED: ${name} (after ${lasted})`;
}

function troubleOf(incident: IncidentDocument): { begins: string; lasts: string } {
  if (incident.subject.startsWith('quarantine:')) return QUARANTINE;
  const rule = ruleDecision(incident);
  if (rule?.rule.type === 'server_offline') return OFFLINE;
  return rule?.rule.type === 'disk_full' ? DISK_FULL : TROUBLE[incident.kind];
}

function subjectName(incident: IncidentDocument): string {
  const name = incident.monitor_name ?? incident.resource.name;
  const listing = listingDecision(incident)?.listing;
  if (listing !== undefined) return `${name} on ${listing.provider_name}`;
  const rule = ruleDecision(incident)?.rule;
  if (rule === undefined || rule.type === 'server_offline') return name;
  return `${name}, ${rule.type === 'metric' ? rule.name : diskOf(rule.metric)}`;
}

function ruleDecision({ decision }: IncidentDocument): RuleDecisionRecord | null {
  return decision !== null && isOfServer(decision) ? decision : null;
}

function listingDecision({ decision }: IncidentDocument): ListingDecisionRecord | null {
  return decision !== null && isOfListing(decision) ? decision : null;
}

/** `/var` of `disk_full:/var`. */
function diskOf(metric: string): string {
  return metric.slice(metric.indexOf(':') + 1);
}

function factsOf(kind: MessageKind, input: MessageInput): Fact[] {
  const { incident, monitor } = input;
  const facts: Fact[] = [];
  const add = (label: string, value: string | null) => {
    if (value !== null && value !== '') facts.push({ label, value });
  };
  const byRule = ruleDecision(incident);
  const byVotes = incident.decision !== null && isByVotes(incident.decision) ? incident.decision : null;
  add('Target', monitor?.url ?? null);
  if (byRule !== null) facts.push(...ruleFacts(incident.resource.name, byRule));
  const byListing = listingDecision(incident);
  if (byListing !== null) facts.push(...listingFacts(byListing));
  if (kind === 'acknowledged') add('Acknowledged', acknowledged(incident));
  add('Since', utc(incident.started_at_ms));
  if (kind === 'resolved') {
    add('Until', utc(incident.resolved_at_ms ?? input.eventMs));
    add('How', howResolved(incident));
  } else {
    add('Severity', incident.severity);
    const votes = byVotes?.votes ?? [];
    add(
      'Failing from',
      places(
        votes.filter((vote) => vote.vote === 'down'),
        input,
        failure,
      ),
    );
    add(
      'Working from',
      places(
        votes.filter((vote) => vote.vote === 'up'),
        input,
        () => null,
      ),
    );
    add(
      'No vote from',
      places(
        votes.filter((vote) => vote.vote === 'unknown'),
        input,
        (vote) => vote.abstained,
      ),
    );
    add('Confirmed', confirmed(byVotes) ?? confirmedListing(byListing));
  }
  if (kind !== 'acknowledged') add('Acknowledged', acknowledged(incident));
  return facts;
}

/** What the rule asks for and what it saw. The value is that of the moment when it fired. */
function ruleFacts(server: string, decision: RuleDecisionRecord): Fact[] {
  const { rule, value } = decision;
  const facts: Fact[] = [{ label: 'Server', value: server }, rulesFact(decision)];
  if (rule.type === 'server_offline') return facts;
  const lasts = rule.for_seconds === null || rule.for_seconds === 0 ? '' : ` for ${duration(rule.for_seconds * 1_000)}`;
  const asks =
    rule.type === 'metric'
      ? `${rule.metric} ${rule.operator} ${rule.threshold}${lasts}`
      : `${diskOf(rule.metric)} full within ${rule.within_hours} h`;
  facts.push({ label: 'Condition', value: asks });
  if (value !== null) facts.push({ label: 'Value', value: String(value) });
  return facts;
}

function rulesFact({ rule, other_rules }: RuleDecisionRecord | ListingDecisionRecord): Fact {
  const names = [rule, ...other_rules].map(({ name }) => name).join(', ');
  return { label: other_rules.length === 0 ? 'Rule' : 'Rules', value: names };
}

/** What is listed where. The list's own text is in the incident's sentence. */
function listingFacts(decision: ListingDecisionRecord): Fact[] {
  const { target, provider_name, zone, meanings, codes, addresses } = decision.listing;
  const says = [meanings.join(', '), codes.join(', ')].filter((part) => part !== '').join(': ');
  const facts: Fact[] = [
    { label: 'Target', value: target },
    { label: 'List', value: `${provider_name} (${zone})` },
  ];
  if (says !== '') facts.push({ label: 'Listing', value: says });
  if (addresses.length > 0) {
    facts.push({ label: addresses.length === 1 ? 'Address' : 'Addresses', value: addresses.join(', ') });
  }
  return [...facts, rulesFact(decision)];
}

const HOW_RESOLVED: Record<string, string> = {
  recovered: 'recovered by itself',
  manual: 'resolved by hand',
  paused: 'the monitor was paused',
  deleted: 'the monitor was deleted',
  superseded: 'another incident took its place',
  gone: 'no longer reported',
  rule_deleted: 'the alert rule was deleted',
  rule_disabled: 'the alert rule was disabled',
  rule_changed: 'the alert rule was changed',
  server_changed: 'no alert rule is for the server any more',
};

/** Where the general words do not fit the kind. */
const HOW_OF_KIND: Partial<Record<IncidentDocument['kind'], Record<string, string>>> = {
  server: { deleted: 'the server was deleted' },
  blacklist: {
    recovered: 'no longer listed',
    deleted: 'the blacklist monitor was deleted',
    gone: 'the list is no longer asked',
    policy_only: 'only a policy of the list is left',
  },
};

function howResolved(incident: IncidentDocument): string | null {
  const resolution = incident.resolution ?? '';
  const how = HOW_OF_KIND[incident.kind]?.[resolution] ?? HOW_RESOLVED[resolution] ?? incident.resolution;
  const by = incident.events.findLast((event) => event.type === 'resolved')?.actor;
  return incident.resolution === 'manual' && by !== undefined ? `${how} by ${by}` : how;
}

function places(
  votes: readonly VoteRecord[],
  input: MessageInput,
  remark: (vote: VoteRecord) => string | null,
): string | null {
  const texts = votes.map((vote) => {
    const said = remark(vote);
    const name = input.locationName(vote.location);
    return said === null ? name : `${name} (${said.replaceAll('_', ' ')})`;
  });
  return texts.length === 0 ? null : texts.join(', ');
}

function failure(vote: VoteRecord): string | null {
  return vote.result?.error?.code ?? null;
}

function confirmed(decision: DecisionRecord | null): string | null {
  if (decision === null || decision.times.confirmed_at_ms === null) return null;
  const valid = decision.counts.up + decision.counts.down;
  return `${utc(decision.times.confirmed_at_ms)}, by ${decision.counts.down} of ${valid} locations`;
}

function confirmedListing(decision: ListingDecisionRecord | null): string | null {
  return decision === null ? null : `${utc(decision.listing.confirmed.at_ms)}, by two look-ups`;
}

function acknowledged(incident: IncidentDocument): string | null {
  if (incident.acknowledged_at_ms === null) return null;
  return `${utc(incident.acknowledged_at_ms)}, by ${incident.acknowledged_by ?? 'unknown'}`;
}

/** `2026-01-31 12:00:05 UTC`: one zone for readers in several, named so that none is assumed. */
export function utc(epochMs: number): string {
  return `${toIso(epochMs).slice(0, 19).replace('T', ' ')} UTC`;
}
