import { toIso } from '../../../kernel/clock.js';
import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { cut } from '../../cut.js';
import { PagerdutyConfig } from '../channel-configs.js';
import type { Outcome } from '../delivery/retry.js';
import { ACTION_LABEL, type Message, type MessageKind } from '../message.js';
import { type Channel, defineChannel, type SendContext } from './channel.js';
import { postJson } from './post-json.js';

/** Limits of a PagerDuty event. */
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
 * Sends to the Events API v2 of PagerDuty. `dedup_key` is the ID of the incident, so that a repeated event never opens a
 * second alert and `resolve` closes the right one. A test message resolves its alert at once.
 */
export function createPagerdutyChannel({ fetch, endpoint }: { fetch: GuardedFetch; endpoint: string }): Channel {
  const enqueue = (
    routingKey: string,
    message: Message,
    action: 'trigger' | 'acknowledge' | 'resolve',
    context: SendContext,
  ) =>
    postJson(fetch, `${endpoint}/v2/enqueue`, { body: JSON.stringify(eventOf(routingKey, message, action)) }, context);
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
  const act = message.actionLink === null ? [] : [{ href: message.actionLink, text: ACTION_LABEL }];
  return {
    ...event,
    client: 'Picket',
    client_url: message.link,
    links: [{ href: message.link, text: 'Open incident' }, ...act, ...runbook],
    payload: {
      summary: cut(`${message.title}. ${message.text}`, SUMMARY_CHARS_MAX),
      source: cut(message.source, SOURCE_CHARS_MAX),
      // PagerDuty uses the same three values.
      severity: message.severity,
      timestamp: toIso(message.atMs),
      custom_details: Object.fromEntries(message.facts.map((fact) => [fact.label, fact.value])),
    },
  };
}
