import { type Static, Type } from 'typebox';
import { EmailAddress } from '../http/input/email-address.js';
import { nullable } from '../http/input/nullable.js';
import { Name } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { CHANNEL_CONFIGS, CHANNEL_TYPES, type ChannelType } from './channel-configs.js';
import { CHANNEL_EXAMPLE, CREATED_CHANNEL_EXAMPLE, TEST_RESULT_EXAMPLE } from './examples.js';

const DELAY_MINUTES_MAX = 1_440;
const REPEAT_MINUTES_MAX = 10_080;

const closed = { additionalProperties: false };
const Timestamp = Type.String({ format: 'date-time' });

const ChannelName = Name({ examples: ['On call'] });
const DelayMinutes = Type.Integer({
  minimum: 0,
  maximum: DELAY_MINUTES_MAX,
  description:
    'Above 0, the channel is an escalation step: it is notified after this delay, unless the incident was acknowledged or resolved before.',
});
const RepeatMinutes = Type.Union([Type.Integer({ minimum: 1, maximum: REPEAT_MINUTES_MAX }), Type.Null()], {
  description: 'Interval of reminders until the incident is acknowledged or resolved; null means no reminders.',
});

interface CreateChannelOf<T extends ChannelType> {
  type: T;
  name: string;
  config: Static<(typeof CHANNEL_CONFIGS)[T]>;
  delay_minutes?: number;
  repeat_minutes?: number | null;
}
export type CreateChannel = { [T in ChannelType]: CreateChannelOf<T> }[ChannelType];

/** Names the fields again, without a rule: tools that lint the document treat each part of a schema as closed. */
const OTHER_FIELDS = { type: {}, name: {}, delay_minutes: {}, repeat_minutes: {} };

/**
 * The fields of `config` depend on `type`. The schema has conditions instead of a union of eight objects, because a
 * validator then reports only the errors of the given type.
 */
export const CreateChannel = Type.Unsafe<CreateChannel>({
  ...Type.Object(
    {
      type: Type.Enum(CHANNEL_TYPES),
      name: ChannelName,
      config: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Its fields depend on `type`. Secrets are never shown again.',
      }),
      delay_minutes: Type.Optional(DelayMinutes),
      repeat_minutes: Type.Optional(RepeatMinutes),
    },
    {
      ...closed,
      title: 'CreateChannel',
      examples: [
        { type: 'webhook', name: 'On call', config: { url: 'https://example.com/hooks/picket' } },
        { type: 'email', name: 'Team', config: { to: ['team@example.com'] }, delay_minutes: 10 },
      ],
    },
  ),
  allOf: CHANNEL_TYPES.map((type) => ({
    // Negated, so that a body without `type` is not validated against all eight configurations.
    if: { properties: { type: { not: { const: type } } } },
    else: { properties: { ...OTHER_FIELDS, config: CHANNEL_CONFIGS[type] } },
  })),
});

/** Fields that are not sent stay unchanged, including those of `config`, which depend on the type of the channel. */
export const UpdateChannel = Type.Object(
  {
    name: Type.Optional(ChannelName),
    config: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Fields to update. A field that you omit, or send masked as it is shown, stays unchanged.',
      }),
    ),
    delay_minutes: Type.Optional(DelayMinutes),
    repeat_minutes: Type.Optional(RepeatMinutes),
    enabled: Type.Optional(
      Type.Boolean({ description: '`true` re-enables a disabled channel, `false` disables the channel.' }),
    ),
  },
  { ...closed, title: 'UpdateChannel', examples: [{ name: 'On call, night', repeat_minutes: 30 }] },
);
export type UpdateChannel = Static<typeof UpdateChannel>;

const Attempt = Type.Object(
  {
    at: Timestamp,
    status: Type.Enum(['sent', 'failed', 'skipped', 'unconfirmed']),
    response_status: nullable(Type.Integer()),
    error: nullable(Type.String()),
  },
  closed,
);

const channelFields = {
  id: Type.String({ examples: ['chn_01kf5e6q0h3v8r2m9x4t7c1z5n'] }),
  type: Type.Enum(CHANNEL_TYPES),
  name: Type.String(),
  config: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Secrets are masked. Without the scope `channels:write`, so are `topic` and everything of `url` after the host.',
  }),
  unconfirmed: Type.Array(Type.String(), {
    description:
      'Addresses of an e-mail channel that get nothing: they are not members of the workspace and have not confirmed, or have stopped its e-mails. Empty for other types.',
  }),
  delay_minutes: Type.Integer(),
  repeat_minutes: nullable(Type.Integer()),
  enabled: Type.Boolean(),
  disabled_at: nullable(Timestamp),
  disabled_reason: nullable(Type.String()),
  last_delivery: nullable(Attempt, {
    description:
      'The newest attempt to deliver a notification, without tests; null before the first. One whose channel was changed meanwhile does not count.',
  }),
  last_test: nullable(Attempt, {
    description: 'The newest test; null before the first. One whose channel was changed meanwhile does not count.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** A channel as the API shows it. */
export const Channel = Type.Object(channelFields, { ...closed, title: 'Channel', examples: [CHANNEL_EXAMPLE] });
export type Channel = Static<typeof Channel>;

/** The response to a creation, the only one with the signing secret of a webhook. */
export const CreatedChannel = Type.Object(
  {
    ...channelFields,
    secret: Type.Optional(
      Type.String({
        description: 'Only for type `webhook`, and only in this response. Verifies the signature of deliveries.',
        examples: ['whsec_…'],
      }),
    ),
  },
  { ...closed, title: 'CreatedChannel', examples: [CREATED_CHANNEL_EXAMPLE] },
);
export type CreatedChannel = Static<typeof CreatedChannel>;

export const ChannelId = Type.Object({ id: Type.String({ pattern: idPattern('chn') }) }, closed);

/** An address of a channel to ask again. */
export const AskRecipient = Type.Object(
  { address: EmailAddress('oncall@example.com') },
  { ...closed, title: 'AskRecipient', examples: [{ address: 'oncall@example.com' }] },
);
export type AskRecipient = Static<typeof AskRecipient>;

export const ListChannels = Type.Object(
  {
    type: Type.Optional(Type.Enum(CHANNEL_TYPES)),
    ...PageParameters,
  },
  closed,
);
export type ListChannels = Static<typeof ListChannels>;

/** The result of a test message. */
export const TestResult = Type.Object(
  {
    status: Type.Enum(['sent', 'failed', 'skipped', 'unconfirmed']),
    error: nullable(Type.String()),
    response_status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status or SMTP code of the receiver; null if there was no response.',
    }),
    duration_ms: Type.Integer(),
  },
  { ...closed, title: 'ChannelTest', examples: [TEST_RESULT_EXAMPLE] },
);
export type TestResult = Static<typeof TestResult>;
