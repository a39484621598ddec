import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { cutEscaped } from '../../cut.js';
import { TelegramConfig } from '../channel-configs.js';
import { ACTION_LABEL, type Message, type MessageKind } from '../message.js';
import { type Channel, defineChannel } from './channel.js';
import { postJson, secondsAt } from './post-json.js';

/** Keep a message below the limit of Telegram, 4,096 characters, even with its HTML tags. */
const TITLE_CHARS_MAX = 400;
const TEXT_CHARS_MAX = 1_200;
const VALUE_CHARS_MAX = 250;
const FACTS_MAX = 8;
const LINK_CHARS_MAX = 300;

export const TELEGRAM_ENDPOINT = 'https://api.telegram.org';

const ICON: Record<MessageKind, string> = {
  opened: '🔴',
  reminder: '🔴',
  acknowledged: '🟡',
  resolved: '🟢',
  test: '🔵',
};

/** Sends as a Telegram bot. A rate limit is a 429 response with the pause in `parameters.retry_after`. */
export function createTelegramChannel({ fetch, endpoint }: { fetch: GuardedFetch; endpoint: string }): Channel {
  return defineChannel({
    config: TelegramConfig,
    secrets: ['bot_token'],
    urls: [],
    send: (config, message, context) =>
      postJson(
        fetch,
        `${endpoint}/bot${config.bot_token}/sendMessage`,
        {
          body: JSON.stringify({
            chat_id: config.chat_id,
            text: telegramText(message),
            parse_mode: 'HTML',
            link_preview_options: { is_disabled: true },
          }),
          retryAfterOfBody: secondsAt('parameters', 'retry_after'),
        },
        context,
      ),
  });
}

function telegramText(message: Message): string {
  const link = (label: string, url: string) => `<a href="${cutEscaped(url, LINK_CHARS_MAX, escapeHtml)}">${label}</a>`;
  return [
    `${ICON[message.kind]} <b>${cutEscaped(message.title, TITLE_CHARS_MAX, escapeHtml)}</b>`,
    cutEscaped(message.text, TEXT_CHARS_MAX, escapeHtml),
    '',
    ...message.facts
      .slice(0, FACTS_MAX)
      .map((fact) => `<b>${escapeHtml(fact.label)}:</b> ${cutEscaped(fact.value, VALUE_CHARS_MAX, escapeHtml)}`),
    '',
    ...(message.actionLink === null ? [] : [link(ACTION_LABEL, message.actionLink)]),
    link(message.kind === 'test' ? 'Open channel' : 'Open incident', message.link),
    ...(message.runbookLink === null ? [] : [link(escapeHtml(message.runbookLabel), message.runbookLink)]),
  ].join('\n');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
