import { AppError, invalidFields } from '../../errors.js';
import { createSchemaCompiler } from '../../http/input/schema-check.js';
import type { GuessLimit } from '../../http/limits/guess-limit.js';
import { actionRoute, mutationRoute, type Route } from '../../http/route.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { SiteNeeds } from '../needs.js';
import type { StandingNeeds } from '../stopped.js';
import { activateSite } from './activate.js';
import { authenticatePlugin, SIGNED_HEADERS } from './authenticate.js';
import { disconnectSite } from './disconnect.js';
import { Activate, Activated, Poll, SignedAnswer } from './messages.js';
import { answerPoll } from './poll.js';
import { answerSignature } from './signature.js';

const TAG = 'WordPress plugin';
const MESSAGE_BYTES_MAX = 65_536;
const SIGNED =
  'The plugin signs its request with the headers `X-Picket-Site`, `X-Picket-Time`, `X-Picket-Nonce` and `X-Picket-Signature`, and the response is signed too. docs/wordpress.md describes the signatures. 401 `unauthenticated` for a wrong signature, a request that is more than five minutes old, and a nonce that was used before.';

interface RouteNeeds {
  operations: SiteNeeds & StandingNeeds;
  guesses: GuessLimit;
  runTransaction: RunTransaction;
}

/** Returns the routes that the plugin calls. */
export function createPluginRoutes({ operations, guesses, runTransaction }: RouteNeeds): Route[] {
  const poll = createSchemaCompiler()(Poll);
  const common = { access: 'public', tag: TAG, replies: { 200: SignedAnswer }, errors: ['unauthenticated'] } as const;
  return [
    actionRoute({
      method: 'POST',
      path: '/v1/wp/plugin/activate',
      access: 'public',
      tag: TAG,
      summary: 'Connect a site with an activation code',
      description:
        'Trades the code for the secret of the site. A code works once, for 30 minutes. Returns 409 `conflict` if the address of the WordPress is not that of the site.',
      body: Activate,
      replies: { 200: Activated },
      errors: ['unauthenticated', 'conflict'],
      async handle({ body, client }) {
        const activate = () => runTransaction((tx) => activateSite(operations, tx, body));
        const activated = await guesses.check(client.ip, activate);
        if (activated === null) {
          throw new AppError('unauthenticated', 'The activation code is wrong, was used before, or has expired.');
        }
        return { status: 200, data: { site_id: activated.site._id, secret: activated.secret } };
      },
    }),
    mutationRoute({
      ...common,
      method: 'POST',
      path: '/v1/wp/plugin/poll',
      summary: 'Send measurements and results, and fetch jobs',
      description: SIGNED,
      rawBody: { type: 'application/json', headers: SIGNED_HEADERS, description: 'A message of the plugin, signed.' },
      async handle({ raw }, tx) {
        const message = readMessage(raw);
        const signed = await authenticatePlugin(operations, tx, { path: '/v1/wp/plugin/poll', raw: message });
        const read = poll.read(parsed(message.bytes));
        if (!read.ok) throw invalidFields(read.errors);
        const payload = await answerPoll(operations, tx, signed.site, read.value);
        return { status: 200, data: { payload, signature: answerSignature(signed.secret, { ...signed, payload }) } };
      },
    }),
    mutationRoute({
      ...common,
      method: 'POST',
      path: '/v1/wp/plugin/disconnect',
      summary: 'Disconnect a site',
      description: `The plugin calls this when it is deactivated. ${SIGNED}`,
      rawBody: { type: 'application/json', headers: SIGNED_HEADERS, description: 'An empty object, signed.' },
      async handle({ raw }, tx) {
        const message = readMessage(raw);
        const signed = await authenticatePlugin(operations, tx, { path: '/v1/wp/plugin/disconnect', raw: message });
        await disconnectSite(operations, tx, signed.site);
        const payload = '{}';
        return { status: 200, data: { payload, signature: answerSignature(signed.secret, { ...signed, payload }) } };
      },
    }),
  ];
}

type Message = { bytes: Buffer; headers: Readonly<Record<string, string>> };

function readMessage(raw: Message | null): Message {
  if (raw === null || raw.bytes.length === 0) throw new AppError('invalid_json', 'The body is empty.');
  if (raw.bytes.length <= MESSAGE_BYTES_MAX) return raw;
  throw new AppError('payload_too_large', `The body must have at most ${MESSAGE_BYTES_MAX} bytes.`);
}

/** Only of a body whose signature is right. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('invalid_json', 'The body is not valid JSON.');
  }
}
