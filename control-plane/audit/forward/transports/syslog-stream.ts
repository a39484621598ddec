import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Clock } from '../../../../kernel/clock.js';
import type { GuardedConnect } from '../../../../kernel/guarded-connect.js';
import { createSettling } from './settling.js';
import { type FrameContext, octetCounted, syslogMessage } from './syslog-frame.js';
import { ForwardError, type Opening, type Transport } from './transport.js';
import { unacknowledgedBytes } from './unacknowledged.js';

const CONNECT_MS_MAX = 10_000;
const MESSAGES_MAX = 200;
/** Batches of which it is not known yet whether they arrived; more are not sent before. */
const OPEN_BATCHES_MAX = 2_000;
const LOOK_MS = 250;
/** A receiver that acknowledges nothing for so long, though bytes wait, is gone. */
const STALLED_MS_MAX = 60_000;
const CLOSE_MS_MAX = 2_000;

/**
 * RFC 5424 messages, octet-counted, over TCP (RFC 6587) or TLS (RFC 5425). Syslog has no acknowledgement, so a batch
 * counts as taken `settleMs` after the receiver's kernel acknowledged it, if the connection is still whole then.
 */
export async function openSyslogStream(
  deps: { connect: GuardedConnect; clock: Clock; settleMs: number },
  target: { host: string; port: number; tls: SecureContext | null },
  context: FrameContext,
  { signal, onNews }: Opening,
): Promise<Transport> {
  const { clock } = deps;
  const socket = await deps
    .connect({ ...target, timeoutMs: CONNECT_MS_MAX, signal })
    .catch((error: Error) => Promise.reject(new ForwardError(reasonOf(error))));
  const settling = createSettling(deps.settleMs);
  const news = createNews(onNews);
  let handedBytes = 0;
  let broken: ForwardError | null = null;
  let lastProgress = { mark: '', atMs: clock.monotonic() };

  const breakOff = (why: string) => {
    if (broken !== null) return;
    // Counted before it is too late to say what had settled by now.
    settling.count(clock.monotonic());
    broken = new ForwardError(why);
    timer.cancel();
    socket.destroy();
    news.tell();
  };
  const abort = () => breakOff('stopped');
  const timer = clock.every(LOOK_MS, () => void look());
  let looking = false;
  socket.on('error', (error) => breakOff(reasonOf(error)));
  socket.on('end', () => breakOff('the receiver closed the connection'));
  socket.on('close', () => breakOff('the connection was closed'));
  // Receivers say nothing; reading is how their end is noticed.
  socket.resume();
  signal.addEventListener('abort', abort, { once: true });

  async function look(): Promise<void> {
    const isPending = settling.open() > 0 || socket.writableLength > 0;
    if (!isPending || looking || broken !== null) return;
    looking = true;
    const handed = handedBytes;
    const unacknowledged = await unacknowledgedBytes(socket);
    looking = false;
    if (broken !== null) return;
    const nowMs = clock.monotonic();
    settling.observe(handed, unacknowledged ?? 0, nowMs);
    const before = settling.open();
    settling.count(nowMs);
    const isMoving = unacknowledged === 0 && socket.writableLength === 0;
    const mark = `${handed} ${unacknowledged}`;
    if (isMoving || mark !== lastProgress.mark) lastProgress = { mark, atMs: nowMs };
    if (nowMs - lastProgress.atMs > STALLED_MS_MAX) breakOff('the receiver takes nothing');
    else if (settling.open() < before) news.tell();
  }

  return {
    messagesMax: MESSAGES_MAX,
    acknowledged: false,
    async send(messages) {
      while (settling.open() >= OPEN_BATCHES_MAX && broken === null) await news.next();
      if (broken !== null) throw broken;
      const frames = messages.map((message) => octetCounted(syslogMessage(message, context))).join('');
      const bytes = Buffer.from(frames);
      let isHanded = false;
      socket.write(bytes, (error) => {
        if (error) return breakOff(reasonOf(error));
        isHanded = true;
        handedBytes += bytes.length;
        settling.handed(handedBytes);
        news.tell();
      });
      while (!isHanded && broken === null) await news.next();
      if (!isHanded && broken !== null) throw broken;
    },
    taken: () => settling.count(broken === null ? clock.monotonic() : Number.NEGATIVE_INFINITY),
    broken: () => broken,
    async close() {
      signal.removeEventListener('abort', abort);
      if (broken === null && (await endsCleanly(socket, clock))) settling.settleAll();
      breakOff('closed');
    },
  };
}

/** Says that nothing more comes; true when the receiver then ends too, which it does once it has read all. */
function endsCleanly(socket: Socket, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isClean: boolean) => {
      timer.cancel();
      resolve(isClean);
    };
    const timer = clock.after(CLOSE_MS_MAX, () => finish(false));
    socket.removeAllListeners('end');
    socket.removeAllListeners('close');
    socket.once('end', () => finish(true));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
    socket.end();
  });
}

/** Wakes whoever waits for the connection, and the driver. */
function createNews(onNews: () => void): { next(): Promise<void>; tell(): void } {
  let waiting: (() => void)[] = [];
  return {
    next: () => new Promise((resolve) => waiting.push(resolve)),
    tell() {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
      onNews();
    },
  };
}

function reasonOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  return code === '' || cause.message.includes(code) ? cause.message : `${code}: ${cause.message}`;
}
