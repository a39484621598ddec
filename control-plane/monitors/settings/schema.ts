import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { NO_CONTROLS_PATTERN } from '../../http/input/text.js';
import { idPattern } from '../../storage/ids.js';
import {
  BODY_CHARS_MAX,
  CHANNELS_MAX,
  EXPECTED_STATUS_DEFAULT,
  HEADER_NAME_CHARS_MAX,
  HEADER_VALUE_CHARS_MAX,
  HEADERS_MAX,
  HTTP_METHODS,
  INTERVAL_SECONDS_DEFAULT,
  INTERVAL_SECONDS_MAX,
  INTERVAL_SECONDS_MIN,
  KEYWORD_CHARS_MAX,
  LOCATIONS_MAX,
  LocationCode,
  Method,
  MONITOR_TYPES,
  NAME_CHARS_MAX,
  RETRIES_DEFAULT,
  RETRIES_MAX,
  TAGS_MAX,
  Tag,
  TIMEOUT_MS_MAX,
  TIMEOUT_MS_MIN,
  URL_CHARS_MAX,
} from '../schema.js';

const NAME = { minLength: 1, maxLength: NAME_CHARS_MAX, pattern: NO_CONTROLS_PATTERN, examples: ['Shop front page'] };
const TARGET = {
  minLength: 1,
  maxLength: URL_CHARS_MAX,
  pattern: NO_CONTROLS_PATTERN,
  description:
    'What is checked. `http`: an absolute http or https URL. `tcp`: `host:port` or `tcp://host:port`. `ping`: a host name or an address. Write an IPv6 address in brackets when a port follows. Private addresses are refused unless the operator allows them. Picket encrypts user name and password at rest.',
  examples: ['https://shop.example.com/health'],
};
const INTERVAL = {
  minimum: INTERVAL_SECONDS_MIN,
  maximum: INTERVAL_SECONDS_MAX,
  description: 'Seconds between checks at each location. The plan sets the minimum.',
  examples: [60],
};
const TIMEOUT = {
  minimum: TIMEOUT_MS_MIN,
  maximum: TIMEOUT_MS_MAX,
  description:
    'Maximum duration of one check in milliseconds. It may be longer than the interval; checks of one location then overlap.',
  examples: [10_000],
};
const EXPECTED_STATUS = { minimum: 100, maximum: 599, examples: [200] };
/** `verbatim` keeps the HTTP layer from trimming the text. */
const KEYWORD = Type.String({ minLength: 1, maxLength: KEYWORD_CHARS_MAX, verbatim: true });
const HEADERS = Type.Record(
  Type.String(),
  Type.String({ maxLength: HEADER_VALUE_CHARS_MAX, pattern: NO_CONTROLS_PATTERN }),
  {
    maxProperties: HEADERS_MAX,
    description: `Sent with each request. The names are header names of at most ${HEADER_NAME_CHARS_MAX} characters; two names must not differ only in case. Picket encrypts the values at rest. In an update, \`***\` keeps the stored value.`,
    examples: [{ accept: 'application/json' }],
  },
);
const BODY = Type.String({ maxLength: BODY_CHARS_MAX, verbatim: true });
const LOCATIONS = {
  minItems: 1,
  maxItems: LOCATIONS_MAX,
  uniqueItems: true,
  description: 'Codes of the check locations. Defaults to as many as the plan allows.',
  examples: [['fra', 'nyc', 'sin']],
};
const CONFIRMATIONS = Type.Integer({ minimum: 1, maximum: LOCATIONS_MAX });
const CONFIRMATIONS_DESCRIPTION =
  'Number of locations that must agree before the monitor is down; null means a majority.';
const RETRIES = {
  minimum: 0,
  maximum: RETRIES_MAX,
  description: 'Number of retries of a failed check, 5 s apart, before the location counts as failing.',
};
const CHANNELS = Type.Array(Type.String({ pattern: idPattern('chn') }), { maxItems: CHANNELS_MAX, uniqueItems: true });
const CHANNELS_DESCRIPTION =
  'Channels that are notified of incidents; null means every channel of the workspace, `[]` means none.';
const TAGS = { maxItems: TAGS_MAX, uniqueItems: true };
const RUNBOOK = Type.String({ minLength: 1, maxLength: URL_CHARS_MAX, pattern: NO_CONTROLS_PATTERN });
const RUNBOOK_DESCRIPTION = 'An http or https URL without user name and password. Every notification includes it.';

export const CreateHttp = Type.Object(
  {
    method: Type.Optional(Type.Enum(HTTP_METHODS, { default: 'GET' })),
    expected_status: Type.Optional(Type.Integer({ ...EXPECTED_STATUS, default: EXPECTED_STATUS_DEFAULT })),
    keyword: Type.Optional(
      Type.Union([KEYWORD, Type.Null()], { default: null, description: 'The body must contain this text.' }),
    ),
    keyword_absent: Type.Optional(
      Type.Union([KEYWORD, Type.Null()], { default: null, description: 'The body must not contain this text.' }),
    ),
    follow_redirects: Type.Optional(Type.Boolean({ default: true })),
    ignore_tls_errors: Type.Optional(
      Type.Boolean({ default: false, description: 'An expired or untrusted certificate does not fail the check.' }),
    ),
    headers: Type.Optional(HEADERS),
    body: Type.Optional(Type.Union([BODY, Type.Null()], { default: null })),
    timeout_ms: Type.Optional(Type.Integer(TIMEOUT)),
  },
  { additionalProperties: false },
);
export type CreateHttp = Static<typeof CreateHttp>;

export const CreateMonitor = Type.Object(
  {
    name: Type.String(NAME),
    url: Type.String(TARGET),
    type: Type.Enum(MONITOR_TYPES),
    interval_seconds: Type.Optional(Type.Integer({ ...INTERVAL, default: INTERVAL_SECONDS_DEFAULT })),
    timeout_ms: Type.Optional(
      Type.Integer({ ...TIMEOUT, description: `${TIMEOUT.description} It can be set in \`http\` instead.` }),
    ),
    locations: Type.Optional(Type.Array(LocationCode, LOCATIONS)),
    http: Type.Optional(
      Type.Union([CreateHttp, Type.Null()], {
        description: 'Only for type `http`, except for `timeout_ms`, which every type accepts here.',
      }),
    ),
    confirmations: Type.Optional(
      Type.Union([CONFIRMATIONS, Type.Null()], { default: null, description: CONFIRMATIONS_DESCRIPTION }),
    ),
    retries: Type.Optional(Type.Integer({ ...RETRIES, default: RETRIES_DEFAULT })),
    channels: Type.Optional(Type.Union([CHANNELS, Type.Null()], { default: null, description: CHANNELS_DESCRIPTION })),
    tags: Type.Optional(Type.Array(Tag, { ...TAGS, default: [] })),
    runbook_url: Type.Optional(Type.Union([RUNBOOK, Type.Null()], { default: null, description: RUNBOOK_DESCRIPTION })),
  },
  {
    additionalProperties: false,
    title: 'CreateMonitor',
    examples: [
      { name: 'Shop', url: 'https://shop.example.com/', type: 'http' },
      { name: 'Mail', url: 'mx.example.com:25', type: 'tcp', interval_seconds: 300, locations: ['fra', 'nyc'] },
    ],
  },
);
export type CreateMonitor = Static<typeof CreateMonitor>;

const UpdateHttp = Type.Object(
  {
    method: Type.Optional(Method),
    expected_status: Type.Optional(Type.Integer(EXPECTED_STATUS)),
    keyword: Type.Optional(nullable(KEYWORD)),
    keyword_absent: Type.Optional(nullable(KEYWORD)),
    follow_redirects: Type.Optional(Type.Boolean()),
    ignore_tls_errors: Type.Optional(Type.Boolean()),
    headers: Type.Optional(HEADERS),
    body: Type.Optional(nullable(BODY)),
    timeout_ms: Type.Optional(Type.Integer(TIMEOUT)),
  },
  { additionalProperties: false },
);

/** Has no defaults: fields that are not sent stay unchanged. */
export const UpdateMonitor = Type.Object(
  {
    name: Type.Optional(Type.String(NAME)),
    url: Type.Optional(Type.String(TARGET)),
    type: Type.Optional(Type.Enum(MONITOR_TYPES)),
    interval_seconds: Type.Optional(Type.Integer(INTERVAL)),
    timeout_ms: Type.Optional(Type.Integer(TIMEOUT)),
    locations: Type.Optional(Type.Array(LocationCode, LOCATIONS)),
    http: Type.Optional(
      Type.Union([UpdateHttp, Type.Null()], {
        description: 'Only the fields you send are updated. `headers` is replaced as a whole.',
      }),
    ),
    confirmations: Type.Optional(Type.Union([CONFIRMATIONS, Type.Null()], { description: CONFIRMATIONS_DESCRIPTION })),
    retries: Type.Optional(Type.Integer(RETRIES)),
    channels: Type.Optional(Type.Union([CHANNELS, Type.Null()], { description: CHANNELS_DESCRIPTION })),
    tags: Type.Optional(Type.Array(Tag, TAGS)),
    runbook_url: Type.Optional(Type.Union([RUNBOOK, Type.Null()], { description: RUNBOOK_DESCRIPTION })),
  },
  {
    additionalProperties: false,
    title: 'UpdateMonitor',
    examples: [{ interval_seconds: 300, locations: ['fra', 'nyc'] }],
  },
);
export type UpdateMonitor = Static<typeof UpdateMonitor>;
