import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Name } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { CHANNEL_EXAMPLE, CREATED_CHANNEL_EXAMPLE, TEST_RESULT_EXAMPLE } from './examples.js';

const CHANNEL_TYPES = ['email', 'slack', 'discord', 'msteams', 'telegram', 'pagerduty', 'webhook', 'ntfy'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

const URL_CHARS_MAX = 2_048;
const RECIPIENTS_MAX = 20;
const DELAY_MINUTES_MAX = 1_440;
const REPEAT_MINUTES_MAX = 10_080;

/** No white space either: secrets and addresses are single words. */
const WORD = '^[!-~]+$';
/** The form that HTML's e-mail field takes: no quoted local part, no comment, nothing that a header could run on. */
const MAILBOX =
  "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$";

const closed = { additionalProperties: false };
const Timestamp = Type.String({ format: 'date-time' });

const Url = (example: string) =>
  Type.String({ minLength: 1, maxLength: URL_CHARS_MAX, pattern: WORD, examples: [example] });

export const EmailConfig = Type.Object(
  {
    to: Type.Array(Type.String({ maxLength: 254, pattern: MAILBOX, examples: ['oncall@example.com'] }), {
      minItems: 1,
      maxItems: RECIPIENTS_MAX,
      uniqueItems: true,
    }),
  },
  closed,
);
export const SlackConfig = Type.Object({ url: Url('https://hooks.slack.com/services/T000/B000/XXXX') }, closed);
export const DiscordConfig = Type.Object({ url: Url('https://discord.com/api/webhooks/1/XXXX') }, closed);
export const MsteamsConfig = Type.Object(
  { url: Url('https://prod-1.westeurope.logic.azure.com/workflows/XXXX') },
  closed,
);
export const TelegramConfig = Type.Object(
  {
    bot_token: Type.String({ maxLength: 100, pattern: '^[0-9]{1,20}:[A-Za-z0-9_-]{20,80}$' }),
    chat_id: Type.String({
      maxLength: 64,
      pattern: '^(-?[0-9]{1,20}|@[A-Za-z0-9_]{4,32})$',
      description: 'The number of a chat, negative for a group, or the @name of a public channel.',
      examples: ['-1001234567890'],
    }),
  },
  closed,
);
export const PagerdutyConfig = Type.Object(
  { routing_key: Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9]{20,64}$' }) },
  closed,
);
export const WebhookConfig = Type.Object({ url: Url('https://example.com/hooks/picket') }, closed);
export const NtfyConfig = Type.Object(
  {
    url: Url('https://ntfy.sh'),
    topic: Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$', examples: ['picket-alerts'] }),
    token: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 500, pattern: WORD }), Type.Null()], {
        description: 'Access token of a protected topic; null for none.',
      }),
    ),
  },
  closed,
);

/** The configuration of each type. */
const CONFIGS = {
  email: EmailConfig,
  slack: SlackConfig,
  discord: DiscordConfig,
  msteams: MsteamsConfig,
  telegram: TelegramConfig,
  pagerduty: PagerdutyConfig,
  webhook: WebhookConfig,
  ntfy: NtfyConfig,
} as const;

const ChannelName = Name({ examples: ['On call'] });
const DelayMinutes = Type.Integer({
  minimum: 0,
  maximum: DELAY_MINUTES_MAX,
  description:
    'Above 0 the channel is an escalation step: told that late, and not at all once acknowledged or resolved.',
});
const RepeatMinutes = Type.Union([Type.Integer({ minimum: 1, maximum: REPEAT_MINUTES_MAX }), Type.Null()], {
  description: 'Reminds each so many minutes until the incident is acknowledged or resolved; null: never.',
});

interface CreateChannelOf<T extends ChannelType> {
  type: T;
  name: string;
  config: Static<(typeof CONFIGS)[T]>;
  delay_minutes?: number;
  repeat_minutes?: number | null;
}
export type CreateChannel = { [T in ChannelType]: CreateChannelOf<T> }[ChannelType];

/**
 * `type` decides what `config` may hold. Written as conditions and not as a union of eight objects, because a
 * validator then reports what is wrong with the one that was meant.
 */
export const CreateChannel = Type.Unsafe<CreateChannel>({
  ...Type.Object(
    {
      type: Type.Enum(CHANNEL_TYPES),
      name: ChannelName,
      config: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Its members depend on `type`. Secrets in it are never shown again.',
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
    // Negated, so that a body without a `type` of its own is not judged eight times.
    if: { properties: { type: { not: { const: type } } } },
    else: { properties: { config: CONFIGS[type] } },
  })),
});

/** What is not named stays. `config` is merged member by member; its members are those of the channel's type. */
export const UpdateChannel = Type.Object(
  {
    name: Type.Optional(ChannelName),
    config: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Members to change. A secret that is left out, or sent as it is shown, stays.',
      }),
    ),
    delay_minutes: Type.Optional(DelayMinutes),
    repeat_minutes: Type.Optional(RepeatMinutes),
    enabled: Type.Optional(
      Type.Boolean({ description: '`true` takes a disabled channel into use again, `false` disables it.' }),
    ),
  },
  { ...closed, title: 'UpdateChannel', examples: [{ name: 'On call, night', repeat_minutes: 30 }] },
);
export type UpdateChannel = Static<typeof UpdateChannel>;

const channelMembers = {
  id: Type.String({ examples: ['chn_01kf5e6q0h3v8r2m9x4t7c1z5n'] }),
  type: Type.Enum(CHANNEL_TYPES),
  name: Type.String(),
  config: Type.Record(Type.String(), Type.Unknown(), { description: 'Secrets are masked.' }),
  delay_minutes: Type.Integer(),
  repeat_minutes: nullable(Type.Integer()),
  enabled: Type.Boolean(),
  disabled_at: nullable(Timestamp),
  disabled_reason: nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** A channel as the API shows it. */
export const Channel = Type.Object(channelMembers, { ...closed, title: 'Channel', examples: [CHANNEL_EXAMPLE] });
export type Channel = Static<typeof Channel>;

/** The answer of a creation, the only one with a webhook's signing secret. */
export const CreatedChannel = Type.Object(
  {
    ...channelMembers,
    secret: Type.Optional(
      Type.String({
        description: 'Only for type `webhook`, only here: verify deliveries with it.',
        examples: ['whsec_…'],
      }),
    ),
  },
  { ...closed, title: 'CreatedChannel', examples: [CREATED_CHANNEL_EXAMPLE] },
);
export type CreatedChannel = Static<typeof CreatedChannel>;

export const ChannelId = Type.Object({ id: Type.String({ pattern: idPattern('chn') }) }, closed);

export const ListChannels = Type.Object(
  {
    type: Type.Optional(Type.Enum(CHANNEL_TYPES)),
    ...PageParameters,
  },
  closed,
);
export type ListChannels = Static<typeof ListChannels>;

/** What a test notification came to. */
export const TestResult = Type.Object(
  {
    status: Type.Enum(['sent', 'failed', 'skipped']),
    error: nullable(Type.String()),
    response_status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The HTTP status of the receiver, or the SMTP code; null when none came.',
    }),
    duration_ms: Type.Integer(),
  },
  { ...closed, title: 'ChannelTest', examples: [TEST_RESULT_EXAMPLE] },
);
export type TestResult = Static<typeof TestResult>;
