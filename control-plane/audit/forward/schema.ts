import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { Name, Verbatim } from '../../http/input/text.js';
import { PageParameters } from '../../http/paging.js';
import { idPattern } from '../../storage/ids.js';
import { FORWARD_FORMATS, FORWARDER_TYPES } from './documents.js';
import { CREATED_FORWARDER_EXAMPLE, FORWARDER_EXAMPLE, FORWARDER_TEST_EXAMPLE } from './examples.js';

const TARGET_CHARS_MAX = 2_048;
const AUTH_CHARS_MAX = 4_096;
const CA_CHARS_MAX = 65_536;
/** The lag is counted up to this number. */
export const LAG_EVENTS_MAX = 100_000;

const closed = { additionalProperties: false };
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

const Target = Type.String({
  minLength: 1,
  maxLength: TARGET_CHARS_MAX,
  pattern: '^[!-~]+$',
  description:
    '`https://…` for a webhook; `syslog+tls://host:port`, `syslog+tcp://host:port` or `syslog+udp://host:port` for syslog.',
  examples: ['syslog+tls://siem.example.com:6514'],
});
const Format = Type.Enum(FORWARD_FORMATS);
const Auth = nullable(
  Type.String({ minLength: 1, maxLength: AUTH_CHARS_MAX, pattern: '^[!-~]+( [!-~]+)*$', examples: ['Bearer TOKEN'] }),
  { description: 'Sent to the webhook as `Authorization`. Never shown; null for none.' },
);
const Ca = nullable(Verbatim({ minLength: 1, maxLength: CA_CHARS_MAX }), {
  description: 'Certificates (PEM) that are trusted in addition to the public authorities.',
});
const Severities = Type.Array(Type.Enum(['info', 'warning', 'critical']), {
  minItems: 1,
  maxItems: 3,
  uniqueItems: true,
});
const Filter = nullable(Type.Object({ severity: Type.Optional(Severities) }, closed), {
  description: 'Only entries of these severities; null or `{}` for all.',
});
const From = Type.String({
  format: 'date-time',
  description: 'Sends all entries from this time on, even those that were sent before. Use it to fill a gap.',
});

export const CreateForwarder = Type.Object(
  {
    type: Type.Optional(
      Type.Enum(FORWARDER_TYPES, { description: 'Follows from the scheme of `target`. Another type is refused.' }),
    ),
    name: Type.Optional(Name({ examples: ['SIEM'], description: 'Defaults to the host of the target.' })),
    target: Target,
    format: Type.Optional(Type.Enum(FORWARD_FORMATS, { default: 'json' })),
    auth: Type.Optional(Auth),
    ca: Type.Optional(Ca),
    filter: Type.Optional(Filter),
    paused: Type.Optional(Type.Boolean()),
    from: Type.Optional(From),
  },
  {
    ...closed,
    title: 'CreateForwarder',
    examples: [
      { name: 'SIEM', target: 'syslog+tls://siem.example.com:6514', format: 'json' },
      {
        target: 'https://siem.example.com/picket',
        format: 'json',
        auth: 'Bearer TOKEN',
        filter: { severity: ['warning', 'critical'] },
      },
    ],
  },
);
export type CreateForwarder = Static<typeof CreateForwarder>;

export const UpdateForwarder = Type.Object(
  {
    name: Type.Optional(Name()),
    target: Type.Optional(Target),
    format: Type.Optional(Format),
    auth: Type.Optional(Auth),
    ca: Type.Optional(Ca),
    filter: Type.Optional(Filter),
    paused: Type.Optional(Type.Boolean({ description: '`true` stops sending, `false` resumes where it stopped.' })),
    from: Type.Optional(From),
  },
  { ...closed, title: 'UpdateForwarder', examples: [{ paused: true }, { from: '2026-01-31T12:00:00.000Z' }] },
);
export type UpdateForwarder = Static<typeof UpdateForwarder>;

const fields = {
  id: Type.String({ pattern: idPattern('fwd') }),
  type: Type.Enum(FORWARDER_TYPES),
  name: Type.String(),
  target: Type.String(),
  format: Format,
  filter: Type.Object({ severity: Type.Optional(Severities) }, closed),
  auth_set: Type.Boolean({ description: 'Whether `auth` is set. Its value is never shown.' }),
  ca: nullable(Type.String()),
  state: Type.Enum(['active', 'paused', 'failing']),
  paused: Type.Boolean(),
  paused_at: nullable(Timestamp),
  lag: Type.Object(
    {
      events: Type.Integer({
        description: `Entries that the receiver does not have yet, counted up to ${LAG_EVENTS_MAX}.`,
      }),
      seconds: Type.Integer({ description: 'Age of the oldest of these entries; 0 if there are none.' }),
    },
    closed,
  ),
  cursor: Type.Object(
    { entry_id: nullable(Type.String()), timestamp: nullable(Timestamp) },
    { ...closed, description: 'The last entry that the receiver accepted or the filter excluded.' },
  ),
  sequence: Type.Integer({ description: 'Sequence number of the last entry that the receiver accepted.' }),
  delivered: Type.Integer({ description: 'Entries that the receiver accepted. Entries of a back-fill count again.' }),
  failures: Type.Integer({ description: 'Failed attempts since the last success.' }),
  failing_since: nullable(Timestamp),
  next_attempt_at: nullable(Timestamp),
  last_success_at: nullable(Timestamp, { description: 'When the receiver last accepted entries or a heartbeat.' }),
  last_error: nullable(Type.String()),
  last_error_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** A forwarder as the API shows it. */
export const Forwarder = Type.Object(fields, { ...closed, title: 'Forwarder', examples: [FORWARDER_EXAMPLE] });
export type Forwarder = Static<typeof Forwarder>;

/** The response of a creation, the only one with the signing secret of a webhook. */
export const CreatedForwarder = Type.Object(
  {
    ...fields,
    secret: Type.Optional(
      Type.String({
        description: 'Only for type `webhook`, and only in this response. Verifies the signature of deliveries.',
        examples: ['whsec_…'],
      }),
    ),
  },
  { ...closed, title: 'CreatedForwarder', examples: [CREATED_FORWARDER_EXAMPLE] },
);

export const ForwarderId = Type.Object({ id: Type.String({ pattern: idPattern('fwd') }) }, closed);
export const ListForwarders = Type.Object(PageParameters, closed);

/** The result of a test message. */
export const ForwarderTest = Type.Object(
  {
    status: Type.Enum(['sent', 'failed']),
    error: nullable(Type.String()),
    response_status: nullable(Type.Integer(), {
      description: 'The HTTP status of the webhook’s response; null if there was no response, and for syslog.',
    }),
    duration_ms: Type.Integer(),
  },
  { ...closed, title: 'ForwarderTest', examples: [FORWARDER_TEST_EXAMPLE] },
);
export type ForwarderTest = Static<typeof ForwarderTest>;
