import type { Socket } from 'node:net';
import type { Clock } from '../../../../kernel/clock.js';
import { ForwardError, type TransportOptions } from './interface.js';
import { createSettling } from './settling.js';
import { unacknowledgedBytes } from './unacknowledged.js';

const POLL_MS = 250;
/** A receiver that acknowledges no byte for this long, although bytes are waiting, is treated as gone. */
const STALLED_MS_MAX = 60_000;
const CLOSE_MS_MAX = 2_000;

/** A connected socket that tracks which of the written batches the receiver has. */
export interface SyslogConnection {
  /** Resolves when fewer than `batchesMax` batches are unsettled. Rejects when the connection is broken. */
  whenBelow(batchesMax: number): Promise<void>;
  /** Resolves when the kernel has accepted the batch. Rejects when the connection is broken. */
  write(batch: Buffer): Promise<void>;
  confirmed(): number;
  failure(): ForwardError | null;
  close(): Promise<void>;
}

export function trackConnection(
  socket: Socket,
  { clock, settleMs }: { clock: Clock; settleMs: number },
  { signal, onChange }: TransportOptions,
): SyslogConnection {
  const settling = createSettling(settleMs);
  const changes = createChanges(onChange);
  const isStalled = createStallDetector(clock);
  let writtenBytes = 0;
  let failure: ForwardError | null = null;

  const breakConnection = (why: string) => {
    if (failure !== null) return;
    // Batches settle up to this moment; nothing settles on a broken connection.
    settling.settled(clock.monotonic());
    failure = new ForwardError(why);
    timer.cancel();
    socket.destroy();
    changes.notify();
  };
  let isPolling = false;
  async function poll(): Promise<void> {
    const isPending = settling.unsettled() > 0 || socket.writableLength > 0;
    if (!isPending || isPolling || failure !== null) return;
    isPolling = true;
    const written = writtenBytes;
    const unacknowledged = await unacknowledgedBytes(socket);
    isPolling = false;
    if (failure !== null) return;
    const nowMs = clock.monotonic();
    settling.observe(written, unacknowledged ?? 0, nowMs);
    const before = settling.unsettled();
    settling.settled(nowMs);
    if (isStalled(socket, written, unacknowledged)) breakConnection('the receiver does not acknowledge anything');
    else if (settling.unsettled() < before) changes.notify();
  }
  const timer = clock.every(POLL_MS, () => void poll());
  const stopWatching = onSocketFailure(socket, signal, breakConnection);

  return {
    async whenBelow(batchesMax) {
      while (settling.unsettled() >= batchesMax && failure === null) await changes.next();
      if (failure !== null) throw failure;
    },
    async write(batch) {
      let isWritten = false;
      socket.write(batch, (error) => {
        if (error) return breakConnection(reasonOf(error));
        isWritten = true;
        writtenBytes += batch.length;
        settling.add(writtenBytes);
        changes.notify();
      });
      while (!isWritten && failure === null) await changes.next();
      if (!isWritten && failure !== null) throw failure;
    },
    confirmed: () => settling.settled(failure === null ? clock.monotonic() : Number.NEGATIVE_INFINITY),
    failure: () => failure,
    async close() {
      stopWatching();
      if (failure === null && (await endsCleanly(socket, clock))) settling.settleAll();
      breakConnection('closed');
    },
  };
}

/** Calls `fail` when the socket breaks or `signal` aborts. Returns a function that ignores `signal` from then on. */
function onSocketFailure(socket: Socket, signal: AbortSignal, fail: (why: string) => void): () => void {
  const abort = () => fail('stopped');
  socket.on('error', (error) => fail(reasonOf(error)));
  socket.on('end', () => fail('the receiver closed the connection'));
  socket.on('close', () => fail('the connection was closed'));
  // Receivers send nothing, but reading is how Node.js notices that they closed the connection.
  socket.resume();
  signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

/** Returns a check for a connection on which bytes wait, but neither number has changed for `STALLED_MS_MAX`. */
function createStallDetector(
  clock: Clock,
): (socket: Socket, writtenBytes: number, unacknowledged: number | null) => boolean {
  let lastProgress = { mark: '', atMs: clock.monotonic() };
  return (socket, writtenBytes, unacknowledged) => {
    const nowMs = clock.monotonic();
    const isIdle = unacknowledged === 0 && socket.writableLength === 0;
    const mark = `${writtenBytes} ${unacknowledged}`;
    if (isIdle || mark !== lastProgress.mark) lastProgress = { mark, atMs: nowMs };
    return nowMs - lastProgress.atMs > STALLED_MS_MAX;
  };
}

/** Ends our side of the connection. Resolves to true if the receiver then ends its side, which means it read everything. */
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

/** Returns a signal for all code that waits for the connection; `notify` also calls `onChange`. */
function createChanges(onChange: () => void): { next(): Promise<void>; notify(): void } {
  let waiting: (() => void)[] = [];
  return {
    next: () => new Promise((resolve) => waiting.push(resolve)),
    notify() {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
      onChange();
    },
  };
}

/** Returns the message of a socket error, with its code if the message does not contain it. */
export function reasonOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  return code === '' || cause.message.includes(code) ? cause.message : `${code}: ${cause.message}`;
}
