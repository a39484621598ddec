import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import type { Clock } from '../../kernel/clock.js';
import type { Networks } from '../../kernel/guard/networks.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import { AppError } from '../errors.js';
import { type ConnectionLimits, type HttpConnections, limitConnections } from './connections/connection-limit.js';
import { refuseInvalidRequests } from './connections/refuse-invalid-requests.js';
import { limitUnreadAnswers } from './limits/unread-answers.js';
import { PROBLEM_MEDIA_TYPE, problemOf } from './problem.js';
import { requestIdFrom } from './request-id.js';
import { createRequestsInProgress } from './requests-in-progress.js';

const HEADERS_MS_MAX = 15_000;
const REQUEST_MS_MAX = 60_000;
/** How late these two may be noticed. */
const TIMEOUTS_CHECK_MS = 5_000;
/** Longer than the idle timeout of common load balancers, so that they close the connection first. */
const KEEP_ALIVE_MS = 75_000;
const HEADER_BYTES_MAX = 16 * 1024;
/** How long a client may take nothing of its answer. */
const STILL_MS_MAX = 30_000;
/** Answers that wait for all clients together. */
const UNREAD_BYTES_MAX = 128 * 1024 * 1024;
/** A restart takes a few seconds. */
const STOPPING_RETRY_S = 5;

export interface HttpServer {
  /** The port that it listens on. With the setting 0 the system chooses it. */
  port: number;
  connections: Pick<HttpConnections, 'open' | 'turnedAway'>;
  /** Accepts no new requests, waits up to `graceMs` for running requests, then closes all connections. */
  close(graceMs: number): Promise<void>;
}

export async function listen(needs: {
  app: Koa;
  host: string;
  port: number;
  /** Proxies of the operator, whose connections have no limit for their address. */
  trustedProxies: Networks;
  connectionLimits: ConnectionLimits;
  clock: Clock;
  random: Random;
  logger: Logger;
}): Promise<HttpServer> {
  const requests = createRequestsInProgress({
    answer: needs.app.callback(),
    refuse: (res) => refuseStopping(res, needs.random),
  });
  const server = createServer(
    {
      headersTimeout: HEADERS_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      connectionsCheckingInterval: TIMEOUTS_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    },
    requests.listener,
  );
  limitUnreadAnswers(server, {
    clock: needs.clock,
    stillMsMax: STILL_MS_MAX,
    bytesMax: UNREAD_BYTES_MAX,
  });
  const connections = limitConnections(server, {
    ...{ clock: needs.clock, logger: needs.logger, trustedProxies: needs.trustedProxies },
    limits: needs.connectionLimits,
  });
  refuseInvalidRequests(server, needs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(needs.port, needs.host, () => resolve(server.off('error', reject) && undefined));
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    async close(graceMs) {
      await requests.finish(server, graceMs, needs.clock);
      connections.stop();
    },
  };
}

/** Answers a request that arrived on an open connection after the shutdown began. */
function refuseStopping(res: ServerResponse, random: Random): void {
  const error = new AppError('unavailable', 'This control plane is stopping. Retry; another one may answer.');
  const requestId = requestIdFrom(random);
  const problem = problemOf(error, requestId);
  res.writeHead(problem.status, {
    Connection: 'close',
    'Content-Type': PROBLEM_MEDIA_TYPE,
    'Retry-After': String(STOPPING_RETRY_S),
    'X-Request-Id': requestId,
  });
  res.end(JSON.stringify(problem));
}
