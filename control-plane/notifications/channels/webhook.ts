import type { GuardedFetch } from '../../../kernel/guarded-fetch.js';
import { signatureHeaders } from '../../../kernel/webhook-signature.js';
import { WebhookConfig } from '../schema.js';
import { type Channel, defineChannel } from './channel.js';
import { postJson } from './post-json.js';

/** The scheme's advice for the size of a body. */
export const WEBHOOK_BODY_BYTES_MAX = 20_480;
/** What a body that is too large does without, in this order; the incident's link still leads to it. */
const SPARED_MEMBERS = ['events', 'notifications_sent', 'decision'];

/**
 * Any HTTP endpoint, signed by the Standard Webhooks scheme: `webhook-id` is the notification's id and the same in
 * every attempt, `webhook-timestamp` is the attempt's, and the signature covers both and the body.
 */
export function createWebhookChannel(deps: { fetch: GuardedFetch; userAgent: string }): Channel {
  return defineChannel({
    config: WebhookConfig,
    secrets: [],
    urls: ['url'],
    async send(config, message, context) {
      if (context.signingSecret === null) {
        return { kind: 'refused', error: 'the channel has no signing secret', responseStatus: null };
      }
      const body = bodyOf(message.payload);
      const headers = {
        'user-agent': deps.userAgent,
        ...signatureHeaders(context.signingSecret, message.id, context.attemptMs, body),
      };
      return postJson(deps.fetch, config.url, { headers, body }, context);
    },
  });
}

function bodyOf(payload: { type: string; timestamp: string; data: Record<string, unknown> }): string {
  const whole = JSON.stringify(payload);
  const { incident } = payload.data;
  if (Buffer.byteLength(whole) <= WEBHOOK_BODY_BYTES_MAX || typeof incident !== 'object' || incident === null) {
    return whole;
  }
  let smaller = whole;
  const kept: Record<string, unknown> = { ...incident };
  for (const member of SPARED_MEMBERS) {
    if (Buffer.byteLength(smaller) <= WEBHOOK_BODY_BYTES_MAX) break;
    delete kept[member];
    smaller = JSON.stringify({ ...payload, data: { ...payload.data, incident: kept } });
  }
  return smaller;
}
