import { type Static, Type } from 'typebox';
import { LIST_STATUSES } from '../blacklist/blacklist.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import {
  INCIDENT_DETAIL_EXAMPLE,
  INCIDENT_EXAMPLE,
  LISTING_INCIDENT_DETAIL_EXAMPLE,
  SERVER_INCIDENT_DETAIL_EXAMPLE,
  TIMELINE_EXAMPLE,
} from './examples.js';

const STATUSES = ['firing', 'resolved', 'silenced'] as const;
const SEVERITIES = ['critical', 'warning', 'info'] as const;
const EXAMPLE_ID = 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n';

const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const NullableTime = Type.Union([Time, Type.Null()]);
const NullableText = Type.Union([Type.String(), Type.Null()]);
const closed = { additionalProperties: false };

export const IncidentId = Type.Object(
  { id: Type.String({ pattern: idPattern('inc'), examples: [EXAMPLE_ID] }) },
  closed,
);
export type IncidentId = Static<typeof IncidentId>;

export const NoBody = Type.Object({}, closed);

export const ListIncidents = Type.Object(
  {
    status: Type.Optional(Type.Enum(STATUSES)),
    severity: Type.Optional(Type.Enum(SEVERITIES)),
    monitor_id: Type.Optional(Type.String({ pattern: idPattern('mon') })),
    from: Type.Optional(Type.String({ format: 'date-time', description: '`started_at` from here on.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: '`started_at` up to and including this.' })),
    ...PageParameters,
  },
  closed,
);
export type ListIncidents = Static<typeof ListIncidents>;

const Resource = Type.Object({ type: Type.String(), id: Type.String(), name: Type.String() }, closed);

const NotificationSent = Type.Object(
  {
    channel: Type.String({ description: 'Type of the channel.', examples: ['email'] }),
    channel_id: Type.String(),
    event: Type.String({ description: '`opened`, `acknowledged`, `resolved` or `reminder#n`.' }),
    sent_at: NullableTime,
    status: Type.Enum(['pending', 'sent', 'failed', 'skipped']),
    attempts: Type.Integer(),
    error: NullableText,
  },
  closed,
);

const incidentMembers = {
  id: Type.String({ examples: [EXAMPLE_ID] }),
  kind: Type.Enum(['monitor', 'certificate', 'location', 'server', 'blacklist'], {
    description:
      '`monitor`: an outage. `certificate`: it runs out. `location`: Picket itself, for operators. `server`: an alert rule. `blacklist`: an alert rule, for a list that lists what a blacklist monitor looks up.',
  }),
  monitor_id: NullableText,
  monitor_name: NullableText,
  resource: Resource,
  status: Type.Enum(STATUSES),
  severity: Type.Enum(SEVERITIES),
  message: Type.String(),
  started_at: Type.String({
    format: 'date-time',
    description:
      'Time of the first failed check; of a rule: of the first sample that broke it; of a listing: of the first look-up that found it.',
  }),
  resolved_at: NullableTime,
  duration_seconds: Type.Union([Type.Integer(), Type.Null()]),
  resolution: Type.Union([Type.String(), Type.Null()], {
    description:
      '`recovered`, `manual`, `paused`, `deleted`, `superseded`, `gone`, `rule_deleted`, `rule_disabled`, `rule_changed`, `server_changed`, `policy_only`; null while unresolved.',
  }),
  acknowledged_at: NullableTime,
  acknowledged_by: NullableText,
  silenced_at: NullableTime,
  runbook_url: NullableText,
  notifications_sent: Type.Array(NotificationSent),
};

/** An incident as lists and messages show it. */
export const Incident = Type.Object(incidentMembers, { ...closed, title: 'Incident', examples: [INCIDENT_EXAMPLE] });
export type Incident = Static<typeof Incident>;

const Vote = Type.Object(
  {
    location: Type.String(),
    vote: Type.Enum(['up', 'down', 'unknown']),
    abstained: Type.Union([Type.String(), Type.Null()], {
      description:
        'Why the vote is unknown: `stale`, `no_result`, `no_probe`, `quarantined`, `late`; null when it is not.',
    }),
    retrying: Type.Boolean({ description: 'It failed, and its retries are still to come: not counted as down.' }),
    held_from: Type.Union([Type.String(), Type.Null()], {
      description: 'The earlier result whose retries were used up and that no good result followed.',
    }),
    doubted: Type.Boolean({
      description: 'It alone sees the failure, and whether its network works is being checked.',
    }),
    result: Type.Union([
      Type.Object(
        {
          id: Type.String(),
          checked_at: Time,
          up: Type.Boolean(),
          attempt: Type.Integer(),
          response_time_ms: Type.Number(),
          error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }, closed), Type.Null()]),
        },
        closed,
      ),
      Type.Null(),
    ]),
  },
  closed,
);

/** When a channel was told, and how long after the trouble began. */
const told = { channel: Type.String(), channel_id: Type.String(), event: Type.String(), sent_at: Time };
const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);

/** Why the verdict was what it was; with the rule of its version it can be reached again by anyone. */
export const Decision = Type.Object(
  {
    rule: Type.Object(
      {
        version: Type.Integer(),
        confirmations: Type.Union([Type.Integer(), Type.Null()]),
        required_down_votes: Type.Integer(),
        retries: Type.Integer(),
        interval_seconds: Type.Integer(),
        vote_valid_ms: Type.Integer(),
        assigned_locations: Type.Integer(),
      },
      closed,
    ),
    before: Type.Object(
      {
        status: Type.Enum(['up', 'down']),
        first_failed_at: NullableTime,
        recovering_since: NullableTime,
        first_good_round_at: NullableTime,
      },
      closed,
    ),
    evaluated_at: NullableTime,
    votes: Type.Array(Vote),
    counts: Type.Object(
      {
        up: Type.Integer(),
        down: Type.Integer(),
        unknown: Type.Integer(),
        retrying: Type.Integer(),
        doubted: Type.Integer(),
      },
      closed,
    ),
    outcome: Type.Enum(['down', 'up', 'unchanged']),
    reason: Type.String(),
    times: Type.Object(
      {
        first_failed_at: NullableTime,
        confirmed_at: NullableTime,
        opened_at: NullableTime,
        recovered_at: NullableTime,
        notifications: Type.Array(Type.Object({ ...told, after_first_failed_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'Decision' },
);
export type Decision = Static<typeof Decision>;

/** Why an alert rule made an incident: anyone can hold the samples against the rule. */
export const RuleDecision = Type.Object(
  {
    rule: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        version: Type.Integer(),
        type: Type.Enum(['metric', 'server_offline', 'disk_full']),
        metric: Type.String(),
        operator: NullableText,
        threshold: Type.Union([Type.Number(), Type.Null()]),
        for_seconds: Type.Union([Type.Integer(), Type.Null()]),
        within_hours: Type.Union([Type.Integer(), Type.Null()]),
        severity: Type.Enum(SEVERITIES),
      },
      { ...closed, description: 'As it was then.' },
    ),
    other_rules: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed), {
      description: 'Further rules that see the same: one incident for all of them.',
    }),
    samples: Type.Array(Type.Object({ t: Time, v: Type.Number() }, closed), {
      description: 'Those that made it so, oldest first; of many an even choice.',
    }),
    value: Type.Union([Type.Number(), Type.Null()]),
    forecast: Type.Union([
      Type.Object({ full_at: Time, points_per_hour: Type.Number(), observed_hours: Type.Number() }, closed),
      Type.Null(),
    ]),
    reason: Type.String(),
    times: Type.Object(
      {
        breaching_since: NullableTime,
        evaluated_at: Time,
        opened_at: NullableTime,
        recovered_at: NullableTime,
        notifications: Type.Array(Type.Object({ ...told, after_breach_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'RuleDecision' },
);
export type RuleDecision = Static<typeof RuleDecision>;

const ListingLook = Type.Object({ at: Time, codes: Type.Array(Type.String()), reason: NullableText }, closed);

/** Why a listing made an incident: both look-ups that it was believed on. */
export const ListingDecision = Type.Object(
  {
    rule: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        version: Type.Integer(),
        type: Type.Enum(['blacklist_listed']),
        severity: Type.Enum(SEVERITIES),
      },
      { ...closed, description: 'As it was then.' },
    ),
    other_rules: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed), {
      description: 'Further rules for the same monitor: one incident for all of them.',
    }),
    listing: Type.Object(
      {
        provider: Type.String(),
        provider_name: Type.String(),
        zone: Type.String(),
        target: Type.String(),
        addresses: Type.Array(Type.String(), { description: 'Of a domain: those of its addresses that are listed.' }),
        codes: Type.Array(Type.String()),
        meanings: Type.Array(Type.String()),
        policy: Type.Boolean(),
        reason: Type.Union([Type.String(), Type.Null()], { description: 'The list’s own text.' }),
        delist_url: NullableText,
        first: ListingLook,
        confirmed: ListingLook,
        tested: Type.Boolean({ description: 'Whether the list passed its own tests beside the second look-up.' }),
      },
      { ...closed, description: 'As it was when the incident was opened, and the two look-ups it was believed on.' },
    ),
    answer: Type.Union(
      [
        Type.Object(
          {
            at: Time,
            status: Type.Enum(LIST_STATUSES),
            codes: Type.Array(Type.String()),
            policy: Type.Boolean(),
            reason: NullableText,
          },
          closed,
        ),
        Type.Null(),
      ],
      { description: 'In `recovery`: what the list answered at the end.' },
    ),
    reason: Type.String(),
    times: Type.Object(
      {
        listed_since: Time,
        evaluated_at: Time,
        opened_at: NullableTime,
        recovered_at: NullableTime,
        notifications: Type.Array(Type.Object({ ...told, after_listed_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'ListingDecision' },
);
export type ListingDecision = Static<typeof ListingDecision>;

const Event = Type.Object({ at: Time, type: Type.String(), message: Type.String(), actor: Type.String() }, closed);

/** One incident with everything that explains it. */
export const IncidentDetail = Type.Object(
  {
    ...incidentMembers,
    events: Type.Array(Event),
    decision: Type.Union([Decision, RuleDecision, ListingDecision, Type.Null()], {
      description: 'Votes for an outage, samples for a rule on servers, look-ups for a listing.',
    }),
    recovery: Type.Union([Decision, RuleDecision, ListingDecision, Type.Null()]),
  },
  {
    ...closed,
    title: 'IncidentDetail',
    examples: [INCIDENT_DETAIL_EXAMPLE, SERVER_INCIDENT_DETAIL_EXAMPLE, LISTING_INCIDENT_DETAIL_EXAMPLE],
  },
);
export type IncidentDetail = Static<typeof IncidentDetail>;

export const TimelineQuery = Type.Object(
  {
    from: Type.Optional(Type.String({ format: 'date-time' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Up to and including.' })),
    resource_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only lines about this object.' }),
    ),
    ...PageParameters,
  },
  closed,
);
export type TimelineQuery = Static<typeof TimelineQuery>;

export const TimelineLine = Type.Object(
  {
    id: Type.String(),
    at: Time,
    type: Type.String({ examples: ['incident.opened', 'monitor.status_changed', 'monitor.updated'] }),
    resource: Resource,
    message: Type.String(),
    actor: Type.String(),
    metadata: Type.Record(Type.String(), Type.Unknown()),
  },
  { ...closed, title: 'TimelineLine', examples: [TIMELINE_EXAMPLE] },
);
export type TimelineLine = Static<typeof TimelineLine>;
