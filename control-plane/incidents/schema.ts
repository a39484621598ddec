import { type Static, type TSchema, Type } from 'typebox';
import { HOLD_STATES } from '../dependencies/dependencies.js';
import { nullable } from '../http/input/nullable.js';
import { NO_CONTROLS_PATTERN } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { INCIDENT_EXAMPLE } from './examples.js';
import { IncidentFacts } from './facts/schema.js';
import type { IncidentKind } from './kind.js';

const STATUSES = ['firing', 'resolved', 'silenced'] as const;
const SEVERITIES = ['critical', 'warning', 'info'] as const;
const EXAMPLE_ID = 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n';

const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const NullableTime = Type.Union([Time, Type.Null()]);
const NullableText = Type.Union([Type.String(), Type.Null()]);
const closed = { additionalProperties: false };

const RESOLUTION = [
  '`recovered`: the problem ended. `manual`: a person resolved the incident. `paused`, `deleted`: the monitor or server was.',
  '`superseded`: another incident of the monitor or domain replaced it. `gone`: the device or list no longer exists.',
  '`rule_deleted`, `rule_disabled`, `rule_changed`, `server_changed`: no alert rule applies any more.',
  '`policy_only`: only a policy listing remains. `not_told`: the registry no longer says when the domain expires.',
  'null while the incident is not resolved.',
].join(' ');

export const IncidentId = Type.Object(
  { id: Type.String({ pattern: idPattern('inc'), examples: [EXAMPLE_ID] }) },
  closed,
);
export type IncidentId = Static<typeof IncidentId>;

export const NoBody = Type.Object({}, closed);

const SILENCE_MINUTES_MAX = 10_080;

export const Silence = Type.Object(
  {
    for_minutes: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: SILENCE_MINUTES_MAX }), Type.Null()], {
        description: 'The incident fires again after this time. null or missing: silent until it is resolved.',
      }),
    ),
  },
  { ...closed, title: 'SilenceIncident', examples: [{ for_minutes: 30 }] },
);

const Resource = Type.Object({ type: Type.String(), id: Type.String(), name: Type.String() }, closed);

const notificationFields = {
  channel: Type.String({ description: 'Type of the channel.', examples: ['email'] }),
  channel_id: Type.String(),
  event: Type.String({ description: '`opened`, `acknowledged`, `resolved` or `reminder#n`.' }),
  sent_at: Type.Union([Time, Type.Null()], {
    description: 'When the receiver accepted the notification; null until then.',
  }),
  status: Type.Enum(['pending', 'sent', 'failed', 'skipped', 'unconfirmed']),
  attempts: Type.Integer(),
  error: NullableText,
};

const NotificationSent = Type.Object(notificationFields, closed);

const NotificationAttempts = Type.Object(
  {
    ...notificationFields,
    next_attempt_at: Type.Union([Time, Type.Null()], {
      description: 'When Picket tries next, also for the first time; null if it does not, and during an attempt.',
    }),
    latest_attempts: Type.Array(
      Type.Object(
        {
          at: Time,
          status: Type.Enum(['sent', 'failed', 'skipped', 'unconfirmed']),
          response_status: Type.Union([Type.Integer(), Type.Null()], {
            description: 'HTTP status or SMTP code of the receiver; null without a response.',
          }),
          error: Type.Union([Type.String(), Type.Null()], {
            description: 'Why it failed or was skipped; of a sent one, what the receiver did not accept.',
          }),
        },
        closed,
      ),
      { description: 'The newest ten attempts, newest first. Those before an update of Picket are missing.' },
    ),
  },
  closed,
);

const Link = Type.Union(
  [Type.Object({ channel_id: Type.String(), channel_name: Type.String(), person: NullableText }, closed), Type.Null()],
  {
    description:
      'The channel whose notification had the link that was used, and the address of the only person whom it went to (null if others got it too); null without a link.',
  },
);

const Event = Type.Object(
  {
    at: Time,
    type: Type.String(),
    message: Type.String(),
    actor: Type.String(),
    until: Type.Union([Time, Type.Null()], {
      description: 'Of `silenced` and `held`: when the silence ends by itself. Otherwise null.',
    }),
    link: Link,
  },
  closed,
);

const Maintenance = Type.Union(
  [Type.Object({ id: Type.String(), name: Type.String(), until: Time }, closed), Type.Null()],
  { description: 'The maintenance window that silences it, and when that ends as planned now; null without one.' },
);

const Dependency = nullable(
  Type.Object(
    {
      state: Type.Enum(HOLD_STATES, {
        description:
          '`waiting`: Picket checks whether the monitor works. `parent_down`: the monitor is down. `parent_recovered`: it recovered a short time ago.',
      }),
      monitor_id: Type.String(),
      monitor_name: Type.String(),
      incident_id: nullable(Type.String(), { description: 'The incident of the monitor; null while it is not known.' }),
      until: nullable(Time, { description: 'The incident fires then at the latest; null while the monitor is down.' }),
    },
    closed,
  ),
  {
    description:
      'The monitor that it depends on, because of which it is silent or was until it was resolved; null without one.',
  },
);

const Dependents = nullable(
  Type.Object(
    {
      total: Type.Integer({ description: 'Monitors and servers that depend on the monitor, directly or not.' }),
      down: Type.Integer({ description: 'Those of them with an incident that is silent because of it.' }),
      names: Type.Array(Type.String(), { description: 'The first of these.' }),
    },
    closed,
  ),
  { description: 'What depends on the monitor and is silent meanwhile; null if nothing depends on it.' },
);

const TEXT_CHARS_MAX = 200;

function listIncidents(kinds: readonly IncidentKind[]) {
  return Type.Object(
    {
      status: Type.Optional(Type.Enum(STATUSES)),
      severity: Type.Optional(Type.Enum(SEVERITIES)),
      kind: Type.Optional(Type.Unsafe<string>(Type.Enum(kinds.map(({ kind }) => kind)))),
      monitor_id: Type.Optional(Type.String({ pattern: idPattern('mon') })),
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: TEXT_CHARS_MAX,
          pattern: NO_CONTROLS_PATTERN,
          description:
            'Part of the message, or of the name of the monitor, server or other resource; case-insensitive.',
        }),
      ),
      from: Type.Optional(
        Type.String({ format: 'date-time', description: 'Only incidents with `started_at` at or after this time.' }),
      ),
      to: Type.Optional(
        Type.String({ format: 'date-time', description: 'Only incidents with `started_at` at or before this time.' }),
      ),
      ...PageParameters,
    },
    closed,
  );
}

export type IncidentSchemas = ReturnType<typeof incidentSchemas>;
export type Incident = Static<IncidentSchemas['Incident']>;
export type IncidentDetail = Static<IncidentSchemas['IncidentDetail']>;

/** Returns the schemas that depend on the kinds of incidents. `kinds` are those of all slices. */
export function incidentSchemas(kinds: readonly IncidentKind[]) {
  const fields = incidentFields(kinds);
  const decision = Type.Unsafe<unknown>(
    Type.Union(
      [...kinds.flatMap((kind): TSchema[] => (kind.decision === null ? [] : [kind.decision.schema])), Type.Null()],
      {
        description: 'The decision record: votes, samples or lookups. Its fields depend on `kind`.',
      },
    ),
  );
  return {
    ListIncidents: listIncidents(kinds),
    /** An incident as lists and webhooks show it. */
    Incident: Type.Object(fields, { ...closed, title: 'Incident', examples: [INCIDENT_EXAMPLE] }),
    /** An incident with its history and its decision record. */
    IncidentDetail: Type.Object(
      {
        ...fields,
        notifications_sent: Type.Array(NotificationAttempts),
        events: Type.Array(Event),
        decision,
        recovery: decision,
      },
      { ...closed, title: 'IncidentDetail', examples: kinds.flatMap(({ examples }) => [...examples]) },
    ),
  };
}

function incidentFields(kinds: readonly IncidentKind[]) {
  const started = kinds.flatMap(({ kind, started: at }) => (at === null ? [] : [`\`${kind}\`: ${at}.`]));
  return {
    id: Type.String({ examples: [EXAMPLE_ID] }),
    kind: Type.Unsafe<string>(
      Type.Enum(
        kinds.map(({ kind }) => kind),
        {
          description: kinds.map(({ kind, description }) => `\`${kind}\`: ${description}.`).join(' '),
        },
      ),
    ),
    monitor_id: NullableText,
    monitor_name: NullableText,
    resource: Resource,
    status: Type.Enum(STATUSES),
    severity: Type.Enum(SEVERITIES),
    message: Type.String(),
    facts: IncidentFacts,
    started_at: Type.String({
      format: 'date-time',
      description: ['Time when the problem started.', ...started].join(' '),
    }),
    resolved_at: NullableTime,
    duration_seconds: Type.Union([Type.Integer(), Type.Null()]),
    resolution: Type.Union([Type.String(), Type.Null()], { description: RESOLUTION }),
    acknowledged_at: NullableTime,
    acknowledged_by: NullableText,
    acknowledged_link: Link,
    silenced_at: NullableTime,
    silenced_until: Type.Union([Time, Type.Null()], {
      description: 'When the incident fires again if it is not resolved; null without such a time.',
    }),
    maintenance: Maintenance,
    dependency: Dependency,
    dependents: Dependents,
    runbook_url: NullableText,
    notifications_sent: Type.Array(NotificationSent),
  };
}
