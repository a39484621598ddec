import { createServer, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import type { Clock } from '../../kernel/clock.js';
import type { Random } from '../../kernel/random.js';
import { AppError } from '../errors.js';
import { limitUnreadAnswers } from './limits/unread-answers.js';
import { PROBLEM_MEDIA_TYPE, problemOf } from './problem.js';
import { createRequestsInProgress } from './requests-in-progress.js';

const HEADERS_MS_MAX = 15_000;
const REQUEST_MS_MAX = 60_000;
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
  /** Accepts no new requests, waits up to `graceMs` for running requests, then closes all connections. */
  close(graceMs: number): Promise<void>;
}

export async function listen(needs: {
  app: Koa;
  host: string;
  port: number;
  clock: Clock;
  random: Random;
}): Promise<HttpServer> {
  const requests = createRequestsInProgress({
    answer: needs.app.callback(),
    refuse: (res) => refuseStopping(res, needs.random),
  });
  const server = createServer(
    {
      headersTimeout: HEADERS_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
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
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket, needs.random));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(needs.port, needs.host, () => resolve(server.off('error', reject) && undefined));
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => requests.finish(server, graceMs, needs.clock),
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

function requestIdFrom(random: Random): string {
  return `req_${random.bytes(12).toString('hex')}`;
}

/** Answers a request that the HTTP parser refused. It never reaches the app, but gets the same problem document. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, random: Random): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const requestId = requestIdFrom(random);
  const detail =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The headers are larger than 16 KiB.'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'The request did not arrive in time.'
        : 'The request is not valid HTTP.';
  const problem = problemOf(new AppError('invalid_request', detail), requestId);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
