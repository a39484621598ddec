import { Type } from 'typebox';
import { EmailAddress } from '../http/input/email-address.js';

export const CHANNEL_TYPES = [
  'email',
  'slack',
  'discord',
  'msteams',
  'telegram',
  'pagerduty',
  'webhook',
  'ntfy',
] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

const URL_CHARS_MAX = 2_048;
const RECIPIENTS_MAX = 20;

/** Printable ASCII without spaces. */
const NO_SPACES = '^[!-~]+$';
const closed = { additionalProperties: false };

const Url = (example: string) =>
  Type.String({ minLength: 1, maxLength: URL_CHARS_MAX, pattern: NO_SPACES, examples: [example] });

export const EmailConfig = Type.Object(
  {
    to: Type.Array(EmailAddress('oncall@example.com'), {
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
    bot_token: Type.String({
      maxLength: 100,
      pattern: '^[0-9]{1,20}:[A-Za-z0-9_-]{20,80}$',
      examples: ['123456789:your-bot-token-from-BotFather'],
    }),
    chat_id: Type.String({
      maxLength: 64,
      pattern: '^(-?[0-9]{1,20}|@[A-Za-z0-9_]{4,32})$',
      description: 'ID of a chat (negative for a group), or the @name of a public channel.',
      examples: ['-1001234567890'],
    }),
  },
  closed,
);
export const PagerdutyConfig = Type.Object(
  {
    routing_key: Type.String({
      maxLength: 64,
      pattern: '^[A-Za-z0-9]{20,64}$',
      examples: ['0123456789abcdef0123456789abcdef'],
    }),
  },
  closed,
);
export const WebhookConfig = Type.Object({ url: Url('https://example.com/hooks/picket') }, closed);
export const NtfyConfig = Type.Object(
  {
    url: Url('https://ntfy.sh'),
    topic: Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$', examples: ['picket-alerts'] }),
    token: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 500, pattern: NO_SPACES }), Type.Null()], {
        description: 'Access token of a protected topic; null for none.',
      }),
    ),
  },
  closed,
);

/** The schema of the configuration of each channel type. */
export const CHANNEL_CONFIGS = {
  email: EmailConfig,
  slack: SlackConfig,
  discord: DiscordConfig,
  msteams: MsteamsConfig,
  telegram: TelegramConfig,
  pagerduty: PagerdutyConfig,
  webhook: WebhookConfig,
  ntfy: NtfyConfig,
} as const;
