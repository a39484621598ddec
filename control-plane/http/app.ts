import Koa from 'koa';
import compress from 'koa-compress';
import helmet from 'koa-helmet';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { RunTransaction } from '../storage/transaction.js';
import { serveRoutes } from './api-routes.js';
import { type Authenticator, identify } from './authenticate.js';
import { createDispatch } from './dispatch.js';
import type { Idempotency } from './idempotency/idempotency.js';
import { createRouteValidators } from './input/validate.js';
import type { RateLimiter } from './limits/rate-limit.js';
import { type HttpMetrics, observe } from './metrics.js';
import { type Mount, serveMounts } from './mount.js';
import { problems } from './problem.js';
import { requestId } from './request-id.js';
import type { Route } from './route.js';

export interface HttpAppParts {
  routes: readonly Route[];
  mounts: readonly Mount[];
  authenticators: readonly Authenticator[];
  runTransaction: RunTransaction;
  idempotency: Idempotency;
  rateLimiter: RateLimiter;
  metrics: HttpMetrics;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** The HTTP side of the control plane: the order of everything that a request goes through stands here. */
export function createHttpApp(parts: HttpAppParts): Koa {
  const { routes, mounts, authenticators, runTransaction, idempotency, rateLimiter, metrics, clock, random, logger } =
    parts;
  const validatorOf = createRouteValidators();
  const app = new Koa();
  // Only what breaks after the head of the answer has gone out arrives here; a client that hangs up is no error.
  app.on('error', (err) => logger.debug({ err }, 'an answer broke off'));

  app.use(requestId(random));
  app.use(observe(metrics, clock, logger));
  app.use(compress({ threshold: COMPRESSED_BYTES_MIN, encodingPreference: ['gzip', 'deflate'], br: false }));
  app.use(securityHeaders());
  app.use(problems(logger));
  app.use(serveMounts(mounts, rateLimiter.show));
  app.use(identify(authenticators));
  app.use(rateLimiter.limit);
  const dispatchOf = (route: Route) =>
    createDispatch({ route, validator: validatorOf(route), runTransaction, idempotency });
  for (const middleware of serveRoutes(routes, dispatchOf)) app.use(middleware);
  return app;
}

const COMPRESSED_BYTES_MIN = 1_024;

/** For an API: nothing that it answers may run, frame or load anything. A page sets a policy of its own. */
function securityHeaders(): Koa.Middleware {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
    },
    // Whoever terminates TLS in front of us decides about it; on plain http browsers ignore it.
    strictTransportSecurity: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
  });
}
