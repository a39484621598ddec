import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { cut } from '../../cut.js';
import { MsteamsConfig } from '../channel-configs.js';
import { ACTION_LABEL, type Message, type MessageKind } from '../message.js';
import { type Channel, defineChannel } from './channel.js';
import { postJson } from './post-json.js';

/** Keep a message below the limit of Teams, 28 KB in total. */
const TITLE_CHARS_MAX = 500;
const TEXT_CHARS_MAX = 4_000;
const VALUE_CHARS_MAX = 1_000;
const FACTS_MAX = 10;

const COLOR: Record<MessageKind, string> = {
  opened: 'attention',
  reminder: 'attention',
  acknowledged: 'warning',
  resolved: 'good',
  test: 'accent',
};

/**
 * Sends to a Teams Workflows webhook, which accepts an adaptive card and responds with 202. All texts are runs of rich
 * text blocks, because text blocks and facts would interpret Markdown.
 */
export function createMsteamsChannel({ fetch }: { fetch: GuardedFetch }): Channel {
  return defineChannel({
    config: MsteamsConfig,
    secrets: ['url'],
    urls: ['url'],
    send: (config, message, context) =>
      postJson(fetch, config.url, { body: JSON.stringify(msteamsBody(message)) }, context),
  });
}

function msteamsBody(message: Message) {
  const run = (text: string, style: Record<string, unknown> = {}) => ({ type: 'TextRun', text, ...style });
  const block = (inlines: unknown[]) => ({ type: 'RichTextBlock', inlines });
  const open = {
    type: 'Action.OpenUrl',
    title: message.kind === 'test' ? 'Open channel' : 'Open incident',
    url: message.link,
  };
  const act =
    message.actionLink === null ? [] : [{ type: 'Action.OpenUrl', title: ACTION_LABEL, url: message.actionLink }];
  const runbook =
    message.runbookLink === null
      ? []
      : [{ type: 'Action.OpenUrl', title: message.runbookLabel, url: message.runbookLink }];
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: cut(message.title, TITLE_CHARS_MAX),
          msteams: { width: 'Full' },
          body: [
            block([
              run(cut(message.title, TITLE_CHARS_MAX), { size: 'large', weight: 'bolder', color: COLOR[message.kind] }),
            ]),
            block([run(cut(message.text, TEXT_CHARS_MAX))]),
            ...message.facts
              .slice(0, FACTS_MAX)
              .map((fact) =>
                block([run(`${fact.label}: `, { weight: 'bolder' }), run(cut(fact.value, VALUE_CHARS_MAX))]),
              ),
          ],
          actions: [...act, open, ...runbook],
        },
      },
    ],
  };
}
