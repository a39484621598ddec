import type { ChannelType } from '../../../api/types.ts';

/** A field of the configuration of a channel. */
export interface ConfigField {
  name: string;
  /** `addresses`: e-mail addresses, one a line. `secret`: the API never shows it again. */
  kind: 'addresses' | 'text' | 'secret';
  isOptional: boolean;
  /** An example of a value. It is the same in all languages. */
  example: string;
}

const needed = (name: string, kind: ConfigField['kind'], example: string): ConfigField => ({
  ...{ name, kind, example, isOptional: false },
});

/** The fields of each type, in the order of the form; what they mean is in the texts. */
export const CONFIG_FIELDS: Readonly<Record<ChannelType, readonly ConfigField[]>> = {
  email: [needed('to', 'addresses', 'oncall@example.com')],
  slack: [needed('url', 'secret', 'https://hooks.slack.com/services/…')],
  discord: [needed('url', 'secret', 'https://discord.com/api/webhooks/…')],
  msteams: [needed('url', 'secret', 'https://….logic.azure.com/workflows/…')],
  telegram: [needed('bot_token', 'secret', '123456789:…'), needed('chat_id', 'text', '-1001234567890')],
  pagerduty: [needed('routing_key', 'secret', '0123456789abcdef…')],
  webhook: [needed('url', 'text', 'https://example.com/hooks/picket')],
  ntfy: [
    needed('url', 'text', 'https://ntfy.sh'),
    needed('topic', 'text', 'picket-alerts'),
    { name: 'token', kind: 'secret', isOptional: true, example: 'tk_…' },
  ],
};

export const CHANNEL_TYPES = Object.keys(CONFIG_FIELDS) as ChannelType[];
