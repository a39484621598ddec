import { toIso } from '../../../kernel/clock.js';
import type { GuardedFetch } from '../../../kernel/guarded-fetch.js';
import type { Outcome } from '../delivery/retry.js';
import type { Message, MessageKind } from '../message.js';
import { PagerdutyConfig } from '../schema.js';
import { type Channel, defineChannel, type SendContext } from './channel.js';
import { cut } from './cut.js';
import { postJson } from './post-json.js';

/** PagerDuty's limits of an event. */
const SUMMARY_CHARS_MAX = 1_024;
const SOURCE_CHARS_MAX = 255;

export const PAGERDUTY_ENDPOINT = 'https://events.pagerduty.com';

const ACTION: Record<MessageKind, 'trigger' | 'acknowledge' | 'resolve'> = {
  opened: 'trigger',
  reminder: 'trigger',
  acknowledged: 'acknowledge',
  resolved: 'resolve',
  test: 'trigger',
};

/**
 * PagerDuty's Events API v2. `dedup_key` is the incident's id, so that a repeat never opens a second alert and the
 * end finds its beginning. A test closes what it opened: nobody should be paged by it for long.
 */
export function createPagerdutyChannel(deps: { fetch: GuardedFetch; endpoint: string }): Channel {
  const enqueue = (
    routingKey: string,
    message: Message,
    action: 'trigger' | 'acknowledge' | 'resolve',
    context: SendContext,
  ) =>
    postJson(
      deps.fetch,
      `${deps.endpoint}/v2/enqueue`,
      { body: JSON.stringify(eventOf(routingKey, message, action)) },
      context,
    );
  return defineChannel({
    config: PagerdutyConfig,
    secrets: ['routing_key'],
    urls: [],
    async send(config, message, context): Promise<Outcome> {
      const outcome = await enqueue(config.routing_key, message, ACTION[message.kind], context);
      if (message.kind !== 'test' || outcome.kind !== 'sent') return outcome;
      return enqueue(config.routing_key, message, 'resolve', context);
    },
  });
}

function eventOf(routingKey: string, message: Message, action: 'trigger' | 'acknowledge' | 'resolve') {
  const event = { routing_key: routingKey, event_action: action, dedup_key: message.incidentId };
  if (action !== 'trigger') return event;
  const runbook = message.runbookLink === null ? [] : [{ href: message.runbookLink, text: message.runbookLabel }];
  return {
    ...event,
    client: 'Picket',
    client_url: message.link,
    links: [{ href: message.link, text: 'Open incident' }, ...runbook],
    payload: {
      summary: cut(`${message.title}. ${message.text}`, SUMMARY_CHARS_MAX),
      source: cut(message.source, SOURCE_CHARS_MAX),
      // The three words are PagerDuty's as well.
      severity: message.severity,
      timestamp: toIso(message.atMs),
      custom_details: Object.fromEntries(message.facts.map((fact) => [fact.label, fact.value])),
    },
  };
}
