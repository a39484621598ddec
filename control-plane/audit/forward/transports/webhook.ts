import type { Clock } from '../../../../kernel/clock.js';
import { toIso } from '../../../../kernel/clock.js';
import { type SentRequest, withoutEchoes } from '../../../../kernel/echoed-secrets.js';
import { GuardedFetchError } from '../../../../kernel/fetch-failure.js';
import type { GuardedFetch, GuardedResponse } from '../../../../kernel/guard/guarded-fetch.js';
import { readRetryAfter } from '../../../../kernel/guard/retry-after.js';
import { signatureHeaders } from '../../../../kernel/webhook-signature.js';
import type { ForwardMessage } from '../delivery/message.js';
import type { ForwardFormat } from '../documents.js';
import { ForwardError, type Transport, type TransportOptions } from './interface.js';

const MESSAGES_MAX = 100;
const RESPONSE_MS_MAX = 30_000;
const RESPONSE_CHARS_MAX = 300;
const LONE_SURROGATE = /\p{Surrogate}/gu;

export interface WebhookReceiver {
  url: string;
  /** The value of `Authorization`; null for none. */
  auth: string | null;
  signingSecret: string;
  format: ForwardFormat;
  forwarderId: string;
  workspaceId: string;
  userAgent: string;
}

/** Posts batches, signed as Standard Webhooks define. Only a 2xx status is a success; redirects are not followed. */
export function openWebhook(
  needs: { fetch: GuardedFetch; clock: Clock },
  receiver: WebhookReceiver,
  { signal }: TransportOptions,
): Transport {
  let sent = 0;
  let lastStatus: number | null = null;
  let failure: ForwardError | null = null;
  return {
    messagesMax: MESSAGES_MAX,
    acknowledged: true,
    async send(messages) {
      if (failure !== null) throw failure;
      const { id, type, body } = requestOf(receiver, messages);
      const headers = {
        'content-type': type,
        'user-agent': receiver.userAgent,
        ...(receiver.auth === null ? {} : { authorization: receiver.auth }),
        ...signatureHeaders(receiver.signingSecret, id, needs.clock.now(), body),
      };
      try {
        const timeoutMs = RESPONSE_MS_MAX;
        const response = await needs.fetch.request(receiver.url, { method: 'POST', headers, body, timeoutMs, signal });
        lastStatus = response.status;
        if (response.status < 200 || response.status > 299) {
          throw refusalOf(response, { url: receiver.url, headers }, needs.clock.now());
        }
        sent += 1;
      } catch (error) {
        failure =
          error instanceof GuardedFetchError
            ? new ForwardError(`${error.code}: ${error.message}`)
            : error instanceof ForwardError
              ? error
              : new ForwardError('the request failed');
        throw failure;
      }
    },
    confirmed: () => sent,
    responseStatus: () => lastStatus,
    failure: () => failure,
    close: () => needs.fetch.close(),
  };
}

/** Returns the request for a batch. The same messages give the same id, even after a restart: receivers deduplicate by it. */
function requestOf(receiver: WebhookReceiver, messages: readonly ForwardMessage[]) {
  const [first] = messages;
  const last = messages.at(-1);
  if (first === undefined || last === undefined) throw new Error('a batch must not be empty');
  const bodies = messages.map((message) => message.body);
  const range = first.id === null ? `${first.event}:${first.atMs}` : `${first.id}:${last.id}`;
  const id = `${receiver.forwarderId}:${range}`;
  if (receiver.format === 'cef') return { id, type: 'text/plain; charset=utf-8', body: bodies.join('\n') };
  const type = first.kind === 'entry' ? 'audit.entries' : first.event;
  const ids = { forwarder_id: receiver.forwarderId, workspace_id: receiver.workspaceId };
  const numbers = first.kind === 'entry' ? { first_sequence: first.sequence } : { sequence: first.sequence };
  const head = JSON.stringify({ type, timestamp: toIso(last.atMs), data: { ...ids, ...numbers } });
  // The entries are already JSON.
  const entries = first.kind === 'entry' ? `,"entries":[${bodies.join(',')}]` : '';
  return { id, type: 'application/json', body: `${head.slice(0, -2)}${entries}}}` };
}

function refusalOf(response: GuardedResponse, sent: SentRequest, nowMs: number): ForwardError {
  const { status } = response;
  const text = withoutEchoes(response.body, sent)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, RESPONSE_CHARS_MAX)
    .replace(LONE_SURROGATE, '\ufffd');
  const redirect = status >= 300 && status < 400 ? ' (a redirect, not followed)' : '';
  return new ForwardError(`HTTP ${status}${redirect}${text === '' ? '' : `: ${text}`}`, {
    retryAfterMs: readRetryAfter(response.headers['retry-after'], nowMs),
  });
}
