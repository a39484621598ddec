import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Name, Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { OPERATORS, RULE_TYPES } from './documents.js';
import { DISK_RULE_EXAMPLE, LISTING_RULE_EXAMPLE, RULE_EXAMPLE } from './examples.js';

const SEVERITIES = ['critical', 'warning', 'info'] as const;
export const FOR_SECONDS_MAX = 86_400;
export const WITHIN_HOURS_DEFAULT = 24;
const WITHIN_HOURS_MAX = 168;
const SERVERS_MAX = 500;
const BLACKLIST_MONITORS_MAX = 500;
const TAGS_MAX = 20;
const TAG_CHARS_MAX = 50;
const CHANNELS_MAX = 50;
const METRIC_CHARS_MAX = 250;

const EXAMPLE_ID = 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n';
const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const closed = { additionalProperties: false };

export const AlertRuleId = Type.Object(
  { id: Type.String({ pattern: idPattern('rule'), examples: [EXAMPLE_ID] }) },
  closed,
);
export type AlertRuleId = Static<typeof AlertRuleId>;

export const ListAlertRules = Type.Object({ ...PageParameters }, closed);
export type ListAlertRules = Static<typeof ListAlertRules>;

/** A rule as the API shows it. */
export const AlertRule = Type.Object(
  {
    id: Type.String({ examples: [EXAMPLE_ID] }),
    name: Type.String(),
    type: Type.Enum(RULE_TYPES),
    metric: Type.String({ description: 'Of an event rule: its type.' }),
    operator: nullable(Type.Enum(OPERATORS)),
    threshold: nullable(Type.Number()),
    for_seconds: nullable(Type.Integer()),
    within_hours: nullable(Type.Integer()),
    severity: Type.Enum(SEVERITIES),
    server_ids: nullable(Type.Array(Type.String())),
    tags: nullable(Type.Array(Type.String())),
    blacklist_monitor_ids: nullable(Type.Array(Type.String())),
    channels: nullable(Type.Array(Type.String())),
    enabled: Type.Boolean(),
    created_at: Time,
    updated_at: Time,
  },
  { ...closed, title: 'AlertRule', examples: [RULE_EXAMPLE, DISK_RULE_EXAMPLE, LISTING_RULE_EXAMPLE] },
);
export type AlertRule = Static<typeof AlertRule>;

const NAME = Name({ examples: ['CPU is busy'] });
const METRIC = Text({
  minLength: 1,
  maxLength: METRIC_CHARS_MAX,
  description:
    'A metric of servers, of one device where it has some: `cpu_percent`, `disk_used_percent:/var`. For an event rule its type may stand here instead of in `type`.',
  examples: ['cpu_percent'],
});
const TYPE = Type.Enum(RULE_TYPES, {
  description:
    '`metric`: a value beyond a threshold. `server_offline`: its agent is silent. `disk_full`: the trend of the last six hours fills a file system. `blacklist_listed`: a list lists what a blacklist monitor looks up; policy listings do not count.',
});
const OPERATOR = nullable(Type.Enum(OPERATORS), { description: 'Only for type `metric`.' });
const THRESHOLD = nullable(Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
  description: 'Only for type `metric`; in the unit of the metric.',
});
const FOR_SECONDS = nullable(Type.Integer({ minimum: 0, maximum: FOR_SECONDS_MAX }), {
  description:
    '`metric`: every sample over this time must be beyond the threshold; 0 is the first one. `server_offline`: seconds beyond the three missed reports. 0 by default.',
});
const WITHIN_HOURS = nullable(Type.Integer({ minimum: 1, maximum: WITHIN_HOURS_MAX }), {
  description: `Only for type \`disk_full\`: how long before the disk is full. ${WITHIN_HOURS_DEFAULT} by default.`,
});
const SEVERITY = Type.Enum(SEVERITIES, {
  description: '`warning` by default, `critical` for `server_offline`.',
});
const SERVER_IDS = nullable(
  Type.Array(Type.String({ pattern: idPattern('srv') }), { minItems: 1, maxItems: SERVERS_MAX, uniqueItems: true }),
  {
    description:
      'Which servers. Not together with `tags`; without both the rule is for all servers. Not for type `blacklist_listed`.',
  },
);
const TAGS = nullable(
  Type.Array(Text({ minLength: 1, maxLength: TAG_CHARS_MAX }), {
    minItems: 1,
    maxItems: TAGS_MAX,
    uniqueItems: true,
  }),
  {
    description: 'Servers with one of these tags. Not together with `server_ids`, and not for type `blacklist_listed`.',
  },
);
const BLACKLIST_MONITOR_IDS = nullable(
  Type.Array(Type.String({ pattern: idPattern('blm') }), {
    minItems: 1,
    maxItems: BLACKLIST_MONITORS_MAX,
    uniqueItems: true,
  }),
  {
    description:
      'Only for type `blacklist_listed`: which blacklist monitors; without it all of them, those to come as well.',
  },
);
const CHANNELS = nullable(
  Type.Array(Type.String({ pattern: idPattern('chn') }), { maxItems: CHANNELS_MAX, uniqueItems: true }),
  { description: 'Channels that are told of its incidents; null is every channel of the workspace, `[]` none.' },
);
const ENABLED = Type.Boolean({ description: 'true by default. What a disabled rule had opened is resolved.' });

const members = {
  type: Type.Optional(TYPE),
  metric: Type.Optional(METRIC),
  operator: Type.Optional(OPERATOR),
  threshold: Type.Optional(THRESHOLD),
  for_seconds: Type.Optional(FOR_SECONDS),
  within_hours: Type.Optional(WITHIN_HOURS),
  severity: Type.Optional(SEVERITY),
  server_ids: Type.Optional(SERVER_IDS),
  tags: Type.Optional(TAGS),
  blacklist_monitor_ids: Type.Optional(BLACKLIST_MONITOR_IDS),
  channels: Type.Optional(CHANNELS),
  enabled: Type.Optional(ENABLED),
};

export const CreateAlertRule = Type.Object(
  { name: NAME, ...members },
  {
    ...closed,
    title: 'CreateAlertRule',
    examples: [
      {
        ...{ name: 'CPU is busy', metric: 'cpu_percent', operator: '>', threshold: 90 },
        ...{ for_seconds: 300, severity: 'warning', tags: ['production'] },
      },
      { name: 'Server offline', metric: 'server_offline' },
      { name: 'Disk full within two days', type: 'disk_full', within_hours: 48 },
      { name: 'Listed on a blacklist', type: 'blacklist_listed' },
    ],
  },
);
export type CreateAlertRule = Static<typeof CreateAlertRule>;

/** What is not named stays as it is. The type cannot change. */
export const UpdateAlertRule = Type.Object(
  { name: Type.Optional(NAME), ...members },
  { ...closed, title: 'UpdateAlertRule', examples: [{ threshold: 95, for_seconds: 600 }] },
);
export type UpdateAlertRule = Static<typeof UpdateAlertRule>;
