import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import type { Clock } from '../../kernel/clock.js';
import type { Random } from '../../kernel/random.js';
import { AppError } from '../errors.js';
import { PROBLEM_MEDIA_TYPE, problemOf } from './problem.js';

const HEADERS_MS_MAX = 15_000;
const REQUEST_MS_MAX = 60_000;
/** Longer than the idle time of usual load balancers, so that it is they who close. */
const KEEP_ALIVE_MS = 75_000;
const HEADER_BYTES_MAX = 16 * 1024;

export interface HttpServer {
  /** The port that it listens on, also when 0 was asked for. */
  port: number;
  /** Takes no new connection, lets running requests end for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

export async function listen(parts: {
  app: Koa;
  host: string;
  port: number;
  clock: Clock;
  random: Random;
}): Promise<HttpServer> {
  const server = createServer(
    {
      headersTimeout: HEADERS_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    },
    parts.app.callback(),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket, parts.random));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(parts.port, parts.host, () => resolve(server.off('error', reject) && undefined));
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => close(server, graceMs, parts.clock),
  };
}

async function close(server: Server, graceMs: number, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = clock.after(graceMs, () => server.closeAllConnections());
  await closed;
  cut.cancel();
}

/** What the HTTP parser refused never reached the app; it is answered in the same form all the same. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, random: Random): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const requestId = `req_${random.bytes(12).toString('hex')}`;
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
