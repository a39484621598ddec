import type { Context } from 'koa';
import type { Clock } from '../../kernel/clock.js';
import type { NextTurn } from '../../kernel/concurrency/turns.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { RunTransaction } from '../storage/transaction.js';
import { requireConfirmedEmail, requireFresh } from './access.js';
import { authorize, authorizeOperator } from './authenticate.js';
import { clientOf } from './client/client.js';
import { ifMatchVersion } from './etag.js';
import { serveEventStream } from './event-stream.js';
import { type Idempotency, type IdempotentRequest, idempotencyKey } from './idempotency/idempotency.js';
import { readBody, readRawBody } from './input/read-body.js';
import type { RouteValidator } from './input/validate.js';
import { type RecordRefusal, refusalOf } from './refusals.js';
import { type HttpResponse, responseOf, send } from './response.js';
import { type Route, type RouteInput, type StreamRoute, takesVersion } from './route.js';

type Input = RouteInput<never, never, never>;
type AnsweringRoute = Exclude<Route, StreamRoute>;

/** Headers that must not be repeated, because it would be unclear which value counts. */
const SINGLE_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'origin',
  'content-type',
  'idempotency-key',
  'if-match',
  'content-length',
]);

/** Returns the function that serves a request to a route: authorize, validate, run, respond. */
export function createDispatch(needs: {
  route: Route;
  validator: RouteValidator;
  runTransaction: RunTransaction;
  idempotency: Idempotency;
  recordRefusal: RecordRefusal;
  clock: Clock;
  /** Of all routes. */
  nextTurn: NextTurn;
}): (ctx: Context, params: Record<string, string>) => Promise<void> {
  const { route, validator, runTransaction, idempotency, clock, nextTurn } = needs;

  async function perform(route: AnsweringRoute, input: Input): Promise<HttpResponse> {
    if (route.kind !== 'mutation') return responseOf(route, await route.handle(input));
    return responseOf(route, await runTransaction((tx) => route.handle(input, tx)));
  }

  function performOnce(route: AnsweringRoute, input: Input, request: IdempotentRequest) {
    if (route.kind !== 'mutation') return idempotency.runOutside(request, () => perform(route, input));
    return idempotency.run(request, async (tx) => responseOf(route, await route.handle(input, tx)));
  }

  async function serve(ctx: Context, params: Record<string, string>): Promise<void> {
    refuseRepeatedHeaders(ctx);
    const actor = await actorFor(ctx, route, clock.now());
    validator.params(params);
    const ifVersion = takesVersion(route) ? ifMatchVersion(ctx.req.headers['if-match']) : null;
    const key = route.method === 'POST' ? idempotencyKey(ctx.req.headers['idempotency-key']) : null;
    const raw = route.rawBody === undefined ? null : await readRawBody(ctx.req, route.rawBody);
    const hasBody = route.method !== 'GET' && raw === null;
    const { textBody = null } = route;
    const gone = goneSignal(ctx);
    const body = hasBody ? await readBody(ctx.req, textBody, { actor, gone }, nextTurn) : ({ kind: 'none' } as const);
    const valid = validator.input(ctx.querystring, body);
    // The schemas have just validated this, so the cast to the route's types is safe. It is the only such cast.
    const range = route.ranges === true ? rangeOf(ctx) : null;
    const input = { actor, params, ...valid, raw, ifVersion, range, client: clientOf(ctx), gone } as Input;
    if (route.kind === 'stream') return serveEventStream(ctx, route, input);
    const isDryRun = route.kind === 'mutation' && route.isDryRun?.(input) === true;
    if (key === null || route.access === 'public' || isDryRun) return send(ctx, await perform(route, input));
    const content = [route.method, valid.query, valid.body];
    const path = ctx.path.replace(/^\/api(?=\/v1\/)/, '');
    const { response, replayed } = await performOnce(route, input, { actor, path, key, content });
    if (replayed) ctx.set('Idempotent-Replayed', 'true');
    send(ctx, response);
  }

  return async (ctx, params) => {
    try {
      await serve(ctx, params);
    } catch (error) {
      const refusal = refusalOf(ctx, route, params, error);
      if (refusal !== null) await needs.recordRefusal(refusal);
      throw error;
    }
  };
}

/** Returns a signal that is aborted when the connection is closed before the response has been sent. */
function goneSignal({ res }: Context): AbortSignal {
  const gone = new AbortController();
  const abort = () => gone.abort(new AppError('invalid_request', 'The client has closed the connection.'));
  if (res.destroyed) abort();
  else res.once('close', () => !res.writableFinished && abort());
  return gone.signal;
}

function rangeOf({ req }: Context): string | null {
  return req.headers['if-range'] === undefined ? (req.headers.range ?? null) : null;
}

/** Returns null for a public route, whose handler must not read the actor. */
async function actorFor(ctx: Context, route: Route, nowMs: number): Promise<Actor> {
  if (route.access === 'public') return null as never;
  const { access, whileStopped } = route;
  const actor = access === 'operator' ? await authorizeOperator(ctx) : authorize(ctx, access, whileStopped);
  if (route.confirmedEmail === true) requireConfirmedEmail(actor);
  if (route.fresh === true) requireFresh(actor, nowMs);
  return actor;
}

function refuseRepeatedHeaders(ctx: Context): void {
  const raw = ctx.req.rawHeaders;
  const seen = new Set<string>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? '';
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen.has(name)) throw new AppError('invalid_request', `The header ${name} is repeated.`);
    seen.add(name);
  }
}
