import type { Middleware } from 'koa';
import type { Random } from '../../kernel/random.js';

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const REQUEST_ID_BYTES = 12;

/**
 * Returns the middleware that gives each request an id. The id is in the response, the log lines and the audit entries.
 */
export function requestId(random: Random): Middleware {
  return (ctx, next) => {
    const given = ctx.req.headers['x-request-id'];
    const id = typeof given === 'string' && CLIENT_REQUEST_ID.test(given) ? given : requestIdFrom(random);
    ctx.state['requestId'] = id;
    ctx.set('X-Request-Id', id);
    return next();
  };
}

/** Returns the id of a request that brought none. */
export function requestIdFrom(random: Random): string {
  return `req_${random.bytes(REQUEST_ID_BYTES).toString('hex')}`;
}
