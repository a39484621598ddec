import { createSocket, type Socket } from 'node:dgram';
import type { lookup as systemLookup } from 'node:dns';
import { isIPv6 } from 'node:net';
import type { Clock } from '../../../../kernel/clock.js';
import { BlockedTarget, guardedLookup } from '../../../../kernel/guarded-lookup.js';
import type { TargetGuard } from '../../../../kernel/target-guard.js';
import type { ForwardMessage } from '../delivery/message.js';
import { createSettling } from './settling.js';
import { type FrameContext, syslogMessage } from './syslog-frame.js';
import { ForwardError, type Opening, type Transport } from './transport.js';

/** RFC 5426 asks receivers for 2,048 bytes at least. */
const DATAGRAM_BYTES_MAX = 2_048;
const MESSAGES_MAX = 100;
/** Pace, since nothing else holds back: 20 each 10 ms. */
const BURST_MESSAGES = 20;
const BURST_PAUSE_MS = 10;
/** A refusal by ICMP comes within this. */
const SETTLE_MS = 1_000;

/**
 * RFC 5424 messages, each a datagram (RFC 5426). Nobody can tell whether one arrived: a batch counts as taken when no
 * refusal came back. A message over `DATAGRAM_BYTES_MAX` goes in its short form.
 */
export async function openSyslogUdp(
  deps: { guard: TargetGuard; clock: Clock; lookup: typeof systemLookup },
  target: { host: string; port: number },
  context: FrameContext,
  { signal, onNews }: Opening,
): Promise<Transport> {
  const { clock } = deps;
  const address = await resolved(deps, target.host).catch((error: Error) =>
    Promise.reject(new ForwardError(error.message)),
  );
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const settling = createSettling(SETTLE_MS);
  let sentBytes = 0;
  let broken: ForwardError | null = null;
  const breakOff = (why: string) => {
    if (broken !== null) return;
    settling.count(clock.monotonic());
    broken = new ForwardError(why);
    socket.close();
    onNews();
  };
  socket.on('error', (error) => breakOff(error.message));
  await connected(socket, target.port, address);
  return {
    messagesMax: MESSAGES_MAX,
    acknowledged: false,
    async send(messages) {
      for (const [index, message] of messages.entries()) {
        if (index > 0 && index % BURST_MESSAGES === 0) await clock.sleep(BURST_PAUSE_MS, signal);
        if (signal.aborted) breakOff('stopped');
        if (broken !== null) throw broken;
        const datagram = datagramOf(message, context);
        sentBytes += datagram.length;
        await handOver(socket, datagram).catch((error: Error) => breakOff(error.message));
      }
      if (broken !== null) throw broken;
      settling.handed(sentBytes);
      settling.observe(sentBytes, 0, clock.monotonic());
      await clock.sleep(BURST_PAUSE_MS, signal);
    },
    taken: () => settling.count(broken === null ? clock.monotonic() : Number.NEGATIVE_INFINITY),
    broken: () => broken,
    async close() {
      // Nothing can confirm it, so it is as good as it will ever be.
      if (broken === null) settling.settleAll();
      breakOff('closed');
    },
  };
}

function datagramOf(message: ForwardMessage, context: FrameContext): Buffer {
  const whole = Buffer.from(syslogMessage(message, context));
  if (whole.length <= DATAGRAM_BYTES_MAX) return whole;
  return Buffer.from(syslogMessage({ ...message, body: message.shortBody() }, context));
}

async function resolved(
  { guard, lookup }: { guard: TargetGuard; lookup: typeof systemLookup },
  host: string,
): Promise<string> {
  const refusal = guard.hostRefusal(host);
  if (refusal !== null) throw new BlockedTarget(refusal);
  return new Promise((resolve, reject) => {
    guardedLookup(guard, lookup)(host, {}, (error, address) => {
      if (error !== null) reject(error);
      else resolve(String(address));
    });
  });
}

/** Connected, so that refusals come back and the address stays the one that was judged. */
function connected(socket: Socket, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new ForwardError(error.message));
    socket.once('error', fail);
    socket.connect(port, address, () => {
      socket.off('error', fail);
      resolve();
    });
  });
}

function handOver(socket: Socket, datagram: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(datagram, (error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
}
