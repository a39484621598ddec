import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { signatureHeaders } from '../../../kernel/webhook-signature.js';
import { WebhookConfig } from '../channel-configs.js';
import { type Channel, defineChannel } from './channel.js';
import { postJson } from './post-json.js';

/** The maximum size that the Standard Webhooks specification recommends. */
const WEBHOOK_BODY_BYTES_MAX = 20_480;
/** Fields that are removed from a body that is too large, in this order. The API still returns them. */
const OPTIONAL_FIELDS = ['events', 'notifications_sent', 'decision'];

/**
 * Sends to any HTTP endpoint, signed as the Standard Webhooks specification requires: `webhook-id` is the ID of the
 * notification and the same in every attempt, `webhook-timestamp` is the time of the attempt, and the signature covers
 * both and the body.
 */
export function createWebhookChannel({ fetch, userAgent }: { fetch: GuardedFetch; userAgent: string }): Channel {
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
        'user-agent': userAgent,
        ...signatureHeaders(context.signingSecret, message.id, context.attemptMs, body),
      };
      return postJson(fetch, config.url, { headers, body }, context);
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
  for (const field of OPTIONAL_FIELDS) {
    if (Buffer.byteLength(smaller) <= WEBHOOK_BODY_BYTES_MAX) break;
    delete kept[field];
    smaller = JSON.stringify({ ...payload, data: { ...payload.data, incident: kept } });
  }
  return smaller;
}
