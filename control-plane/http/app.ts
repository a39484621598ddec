import Koa from 'koa';
import compress from 'koa-compress';
import helmet from 'koa-helmet';
import type { Clock } from '../../kernel/clock.js';
import { createTurns } from '../../kernel/concurrency/turns.js';
import type { Networks } from '../../kernel/guard/networks.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { RunTransaction } from '../storage/transaction.js';
import { serveRoutes } from './api-routes.js';
import { type Authenticator, identify } from './authenticate.js';
import { removeBasePath } from './base-path.js';
import { findClientAddress } from './client/client-address.js';
import { createDispatch } from './dispatch.js';
import type { Idempotency } from './idempotency/idempotency.js';
import { createRouteValidators } from './input/validate.js';
import type { RateLimiter } from './limits/rate-limit.js';
import { type HttpMetrics, observe } from './metrics/metrics.js';
import { type Mount, serveHosts, serveMounts, serveRest } from './mount.js';
import { problems } from './problem.js';
import type { RecordRefusal } from './refusals.js';
import { requestId } from './request-id.js';
import type { Route } from './route.js';

export interface HttpAppNeeds {
  routes: readonly Route[];
  mounts: readonly Mount[];
  authenticators: readonly Authenticator[];
  runTransaction: RunTransaction;
  idempotency: Idempotency;
  recordRefusal: RecordRefusal;
  rateLimiter: RateLimiter;
  /** The proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: Networks;
  metrics: HttpMetrics;
  /** Without a slash at the end. */
  publicUrl: string;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** Returns the HTTP application. The order of the middleware is the order of the steps of a request. */
export function createHttpApp(needs: HttpAppNeeds): Koa {
  const { routes, mounts, authenticators, rateLimiter, metrics, clock, random, logger } = needs;
  const validatorOf = createRouteValidators();
  const app = new Koa();
  // Koa reports only errors after the headers were sent. A client that disconnects is not an error.
  app.on('error', (err) => logger.debug({ err }, 'sending a response failed'));

  app.use(removeBasePath(needs.publicUrl));
  app.use(requestId(random));
  app.use(findClientAddress(needs.trustedProxies));
  app.use(observe(metrics, clock, logger));
  app.use(compress({ threshold: COMPRESSED_BYTES_MIN, encodingPreference: ['gzip', 'deflate'], br: false }));
  app.use(securityHeaders());
  app.use(problems(logger));
  app.use(rateLimiter.show);
  app.use(serveHosts(mounts));
  app.use(serveMounts(mounts.filter(({ limit }) => limit === 'none')));
  app.use(serveRest(mounts));
  app.use(rateLimiter.admit(authenticators));
  app.use(identify(authenticators));
  app.use(rateLimiter.limit);
  app.use(serveMounts(mounts.filter(({ limit }) => limit !== 'none')));
  const nextTurn = createTurns();
  const dispatchOf = (route: Route) => createDispatch({ ...needs, route, validator: validatorOf(route), nextTurn });
  for (const middleware of serveRoutes(routes, dispatchOf)) app.use(middleware);
  return app;
}

const COMPRESSED_BYTES_MIN = 1_024;

/** Returns headers for an API: no response may run, frame or load anything. HTML pages set their own policy. */
function securityHeaders(): Koa.Middleware {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
    },
    // The TLS terminator in front of Picket decides this; browsers ignore the header on plain HTTP.
    strictTransportSecurity: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
  });
}
