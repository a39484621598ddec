import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import { AppError } from '../../errors.js';
import { PROBLEM_MEDIA_TYPE, problemOf } from '../problem.js';
import { requestIdFrom } from '../request-id.js';

/** How long a client may read the answer before its connection is closed. The answer has less than 1 KiB. */
const LINGER_MS = 2_000;

/**
 * Answers requests that the HTTP parser refuses, or that do not arrive in time, and closes their connections soon afterwards, also
 * when the client does not. They never reach the app, but get the same problem document.
 */
export function refuseInvalidRequests(server: Server, { clock, random }: { clock: Clock; random: Random }): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    socket.end(answerTo(error, requestIdFrom(random)));
    // The end of our side alone would leave the connection open for as long as the client likes.
    const linger = clock.after(LINGER_MS, () => socket.destroy());
    socket.once('close', () => linger.cancel());
  });
}

function answerTo(error: NodeJS.ErrnoException, requestId: string): string {
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
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
