import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { cutEscaped } from '../../cut.js';
import type { Fact } from '../../incidents/kind.js';
import { SlackConfig } from '../channel-configs.js';
import { ACTION_LABEL, type Message, type MessageKind } from '../message.js';
import { type Channel, defineChannel } from './channel.js';
import { postJson } from './post-json.js';

/** Slack's limits: 3,000 characters in a section's text, 2,000 in a field, ten fields in a section. */
const SECTION_CHARS_MAX = 3_000;
const FIELD_CHARS_MAX = 2_000;
const FIELDS_MAX = 10;
/** Phones show no more than this of a notification. */
const FALLBACK_CHARS_MAX = 1_000;
const TITLE_CHARS_MAX = 500;

const ICON: Record<MessageKind, string> = {
  opened: ':red_circle:',
  reminder: ':red_circle:',
  acknowledged: ':large_yellow_circle:',
  resolved: ':large_green_circle:',
  test: ':large_blue_circle:',
};

/** Sends to an incoming webhook of Slack, or of a compatible product such as Mattermost. */
export function createSlackChannel({ fetch }: { fetch: GuardedFetch }): Channel {
  return defineChannel({
    config: SlackConfig,
    secrets: ['url'],
    urls: ['url'],
    send: (config, message, context) =>
      postJson(fetch, config.url, { body: JSON.stringify(slackBody(message)) }, context),
  });
}

function slackBody(message: Message) {
  const title = cutEscaped(message.title, TITLE_CHARS_MAX, escapeMrkdwn);
  return {
    // Notifications of phones and screen readers use this text; Slack itself shows the blocks.
    text: cutEscaped(`${message.title}. ${message.text}`, FALLBACK_CHARS_MAX, escapeMrkdwn),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      section(
        `${ICON[message.kind]} *${title}*\n${cutEscaped(message.text, SECTION_CHARS_MAX - TITLE_CHARS_MAX - 100, escapeMrkdwn)}`,
      ),
      ...(message.facts.length > 0 ? [{ type: 'section', fields: message.facts.slice(0, FIELDS_MAX).map(field) }] : []),
      { type: 'actions', elements: buttons(message) },
    ],
  };
}

function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

function field(fact: Fact) {
  const value = cutEscaped(fact.value, FIELD_CHARS_MAX - 100, escapeMrkdwn);
  return { type: 'mrkdwn', text: `*${escapeMrkdwn(fact.label)}*\n${value}`, verbatim: true };
}

function buttons(message: Message) {
  const button = (text: string, url: string) => ({ type: 'button', text: { type: 'plain_text', text }, url });
  const open = button(message.kind === 'test' ? 'Open channel' : 'Open incident', message.link);
  return [
    ...(message.actionLink === null ? [] : [button(ACTION_LABEL, message.actionLink)]),
    open,
    ...(message.runbookLink === null ? [] : [button(message.runbookLabel, message.runbookLink)]),
  ];
}

/**
 * Escapes the three control characters of Slack, so that a text cannot create a link or a mention. `verbatim` keeps Slack
 * from creating them from plain text. Formatting characters cannot be escaped; they are harmless.
 */
function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
