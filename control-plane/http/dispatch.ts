import type { Context } from 'koa';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { RunTransaction } from '../storage/transaction.js';
import { requireAccess } from './access.js';
import { type Answer, answerOf, send } from './answer.js';
import { ifMatchVersion } from './etag.js';
import { type Idempotency, type IdempotentRequest, idempotencyKey } from './idempotency/idempotency.js';
import { readBody } from './input/read-body.js';
import type { RouteValidator } from './input/validate.js';
import { type Route, type RouteInput, takesVersion } from './route.js';
import { stateOf } from './state.js';

type Input = RouteInput<never, never, never>;

/** Headers of which a second one would leave it open which counts. */
const SINGLE_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'content-length',
]);

/** One request to one route: may they, is it sound, do it, answer. */
export function createDispatch(parts: {
  route: Route;
  validator: RouteValidator;
  runTransaction: RunTransaction;
  idempotency: Idempotency;
}): (ctx: Context, params: Record<string, string>) => Promise<void> {
  const { route, validator, runTransaction, idempotency } = parts;

  async function perform(input: Input): Promise<Answer> {
    if (route.kind !== 'mutation') return answerOf(route, await route.handle(input));
    return answerOf(route, await runTransaction((tx) => route.handle(input, tx)));
  }

  function performOnce(input: Input, request: IdempotentRequest) {
    if (route.kind !== 'mutation') return idempotency.runOutside(request, () => perform(input));
    return idempotency.run(request, async (tx) => answerOf(route, await route.handle(input, tx)));
  }

  return async (ctx, params) => {
    refuseRepeatedHeaders(ctx);
    const actor = actorFor(ctx, route);
    validator.params(params);
    const ifVersion = takesVersion(route) ? ifMatchVersion(ctx.req.headers['if-match']) : null;
    const key = route.method === 'POST' ? idempotencyKey(ctx.req.headers['idempotency-key']) : null;
    const body = route.method === 'GET' ? ({ kind: 'none' } as const) : await readBody(ctx.req, route.textTypes ?? []);
    const valid = validator.input(ctx.querystring, body);
    // The schemas have just proved what the route's types say; this is the one place where that becomes a type.
    const input = { actor, params, ...valid, ifVersion } as Input;
    if (key === null || route.access === 'public') return send(ctx, await perform(input));
    const content = [route.method, valid.query, valid.body ?? null, valid.text];
    const path = ctx.path.replace(/^\/api(?=\/v1\/)/, '');
    const { answer, replayed } = await performOnce(input, { actor, path, key, content });
    if (replayed) ctx.set('Idempotent-Replayed', 'true');
    send(ctx, answer);
  };
}

/** On a public route there is no actor; its handler does not look at one. */
function actorFor(ctx: Context, route: Route): Actor {
  const identity = stateOf(ctx).identity;
  if (route.access === 'public') return null as never;
  if (identity === undefined || identity.actor === null) throw identity?.error;
  requireAccess(identity.actor, route.access);
  return identity.actor;
}

function refuseRepeatedHeaders(ctx: Context): void {
  const raw = ctx.req.rawHeaders;
  const seen = new Set<string>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? '';
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen.has(name)) throw new AppError('invalid_request', `The header ${name} stands there more than once.`);
    seen.add(name);
  }
}
