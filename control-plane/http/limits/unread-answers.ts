import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import { tooSlow, type Waiting } from './too-slow.js';

const CHECK_MS = 1_000;

interface UnreadAnswersNeeds {
  clock: Pick<Clock, 'monotonic'>;
  /** How long a client may take nothing of an answer. */
  stillMsMax: number;
  /** What waits for all clients together. Beyond it, connections end whose answers have waited longest. */
  bytesMax: number;
}

/**
 * Ends connections of clients that do not read their answers: each answer of a few megabytes would be kept as long as its
 * client likes. It looks at all connections when a request arrives, because only then more can wait than before.
 */
export function limitUnreadAnswers(server: Server, { clock, stillMsMax, bytesMax }: UnreadAnswersNeeds): void {
  /** Since when an answer has been waiting on a connection; connections on which nothing waits are not in it. */
  const sinceMs = new Map<Socket, number>();
  const connections = new Set<Socket>();
  let checkedMs = Number.NEGATIVE_INFINITY;

  function check(nowMs: number): void {
    checkedMs = nowMs;
    const waiting = new Map<Socket, Waiting>();
    for (const socket of connections) {
      const bytes = socket.writableLength;
      if (bytes === 0) {
        sinceMs.delete(socket);
        continue;
      }
      const since = sinceMs.get(socket) ?? nowMs;
      sinceMs.set(socket, since);
      waiting.set(socket, { bytes, ms: nowMs - since });
    }
    for (const socket of tooSlow(waiting, bytesMax)) socket.destroy();
  }

  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => {
      connections.delete(socket);
      sinceMs.delete(socket);
    });
  });
  server.on('request', (_request, response) => {
    const nowMs = clock.monotonic();
    if (nowMs - checkedMs >= CHECK_MS) check(nowMs);
    // Node.js calls it when nothing was received, and nothing of what waits was taken, during this time.
    response.setTimeout(stillMsMax, () => {
      if (response.writableLength > 0) response.destroy();
    });
  });
}
