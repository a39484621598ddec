import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { cut, cutBytes } from '../../cut.js';
import { NtfyConfig } from '../channel-configs.js';
import { ACTION_LABEL, type Message } from '../message.js';
import { type Channel, defineChannel } from './channel.js';
import { postJson } from './post-json.js';

/** ntfy turns a message over 4,096 bytes into an attachment, which phones do not show. */
const MESSAGE_BYTES_MAX = 4_000;
const TITLE_CHARS_MAX = 250;

/** Sends to a ntfy server, public or private. JSON messages go to the root of the server and contain the topic. */
export function createNtfyChannel({ fetch }: { fetch: GuardedFetch }): Channel {
  return defineChannel({
    config: NtfyConfig,
    secrets: ['token'],
    urls: ['url'],
    send(config, message, context) {
      const token = config.token ?? null;
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      return postJson(fetch, config.url, { headers, body: JSON.stringify(ntfyBody(config.topic, message)) }, context);
    },
  });
}

function ntfyBody(topic: string, message: Message) {
  const view = (label: string, url: string) => ({ action: 'view', label, url });
  const open = view(message.kind === 'test' ? 'Open channel' : 'Open incident', message.link);
  const lines = [message.text, '', ...message.facts.map((fact) => `${fact.label}: ${fact.value}`)];
  return {
    topic,
    title: cut(message.title, TITLE_CHARS_MAX),
    message: cutBytes(lines.join('\n'), MESSAGE_BYTES_MAX),
    priority: priorityOf(message),
    tags: [TAG[message.kind]],
    click: message.actionLink ?? message.link,
    actions: [
      ...(message.actionLink === null ? [] : [view(ACTION_LABEL, message.actionLink)]),
      open,
      ...(message.runbookLink === null ? [] : [view(message.runbookLabel, message.runbookLink)]),
    ],
  };
}

const TAG: Record<Message['kind'], string> = {
  opened: 'red_circle',
  reminder: 'red_circle',
  acknowledged: 'yellow_circle',
  resolved: 'green_circle',
  test: 'blue_circle',
};

/** Returns the priority: 5 overrides the do-not-disturb mode of phones, 3 is the default. */
function priorityOf(message: Message): number {
  if (message.kind !== 'opened' && message.kind !== 'reminder') return 3;
  return { critical: 5, warning: 4, info: 3 }[message.severity];
}
