import { toIso } from '../../../kernel/clock.js';
import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { cutEscaped } from '../../cut.js';
import { DiscordConfig } from '../channel-configs.js';
import { ACTION_LABEL, type Message, type MessageKind } from '../message.js';
import { type Channel, defineChannel } from './channel.js';
import { postJson, secondsAt } from './post-json.js';

/** Below Discord's limits of an embed, so that the sum of its texts stays below 6,000 characters. */
const TITLE_CHARS_MAX = 256;
const DESCRIPTION_CHARS_MAX = 2_000;
const FIELD_NAME_CHARS_MAX = 256;
const FIELD_VALUE_CHARS_MAX = 400;
const FIELDS_MAX = 8;

const COLOR: Record<MessageKind, number> = {
  opened: 0xd92d20,
  reminder: 0xd92d20,
  acknowledged: 0xf5a524,
  resolved: 0x17a34a,
  test: 0x3b82f6,
};

/** Sends to a Discord webhook. A rate limit is a 429 response with the pause in its body. */
export function createDiscordChannel({ fetch }: { fetch: GuardedFetch }): Channel {
  return defineChannel({
    config: DiscordConfig,
    secrets: ['url'],
    urls: ['url'],
    send: (config, message, context) =>
      postJson(
        fetch,
        config.url,
        { body: JSON.stringify(discordBody(message)), retryAfterOfBody: secondsAt('retry_after') },
        context,
      ),
  });
}

function discordBody(message: Message) {
  const fields = message.facts.slice(0, FIELDS_MAX).map((fact) => ({
    name: cutEscaped(fact.label, FIELD_NAME_CHARS_MAX, escapeMarkdown),
    value: cutEscaped(fact.value, FIELD_VALUE_CHARS_MAX, escapeMarkdown),
    inline: fact.value.length <= 32,
  }));
  const act = message.actionLink === null ? [] : [{ name: ACTION_LABEL, value: message.actionLink, inline: false }];
  const runbook =
    message.runbookLink === null
      ? []
      : [{ name: message.runbookLabel, value: message.runbookLink.slice(0, 1_000), inline: false }];
  return {
    // No name may mention a user or role.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cutEscaped(message.title, TITLE_CHARS_MAX, escapeMarkdown),
        description: cutEscaped(message.text, DESCRIPTION_CHARS_MAX, escapeMarkdown),
        url: message.link,
        color: COLOR[message.kind],
        timestamp: toIso(message.atMs),
        fields: [...fields, ...act, ...runbook],
        footer: { text: 'Picket' },
      },
    ],
  };
}

/** Escapes Discord's Markdown, including masked links and mentions. Colons and parentheses need no escape. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<]/g, (mark) => `\\${mark}`);
}
