import { createSocket, type Socket } from 'node:dgram';
import type { lookup as systemLookup } from 'node:dns';
import { isIPv6 } from 'node:net';
import type { Clock } from '../../../../kernel/clock.js';
import { blockedTarget, guardedLookup } from '../../../../kernel/guard/guarded-lookup.js';
import type { TargetGuard } from '../../../../kernel/guard/target-guard.js';
import type { ForwardMessage } from '../delivery/message.js';
import { ForwardError, type Transport, type TransportOptions } from './interface.js';
import { createSettling } from './settling.js';
import { type FrameContext, syslogMessage } from './syslog-frame.js';

/** RFC 5426 requires receivers to accept at least 2,048 bytes. */
const DATAGRAM_BYTES_MAX = 2_048;
const MESSAGES_MAX = 100;
/** Rate limit, because UDP has no flow control: 20 messages each 10 ms. */
const BURST_MESSAGES = 20;
const BURST_PAUSE_MS = 10;
/** An ICMP error arrives within this time. */
const SETTLE_MS = 1_000;

/**
 * Sends RFC 5424 messages as datagrams (RFC 5426). UDP does not confirm delivery, so a batch counts as confirmed if no
 * ICMP error arrives. A message longer than `DATAGRAM_BYTES_MAX` is sent in its short form.
 */
export async function openSyslogUdp(
  needs: { guard: TargetGuard; clock: Clock; lookup: typeof systemLookup },
  target: { host: string; port: number },
  context: FrameContext,
  { signal, onChange }: TransportOptions,
): Promise<Transport> {
  const { clock } = needs;
  const address = await resolved(needs, target.host).catch((error: Error) =>
    Promise.reject(new ForwardError(error.message)),
  );
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const settling = createSettling(SETTLE_MS);
  let sentBytes = 0;
  let failure: ForwardError | null = null;
  const breakConnection = (why: string) => {
    if (failure !== null) return;
    settling.settled(clock.monotonic());
    failure = new ForwardError(why);
    socket.close();
    onChange();
  };
  socket.on('error', (error) => breakConnection(error.message));
  await connected(socket, target.port, address);
  return {
    messagesMax: MESSAGES_MAX,
    acknowledged: false,
    async send(messages) {
      for (const [index, message] of messages.entries()) {
        if (index > 0 && index % BURST_MESSAGES === 0) await clock.sleep(BURST_PAUSE_MS, signal);
        if (signal.aborted) breakConnection('stopped');
        if (failure !== null) throw failure;
        const datagram = datagramOf(message, context);
        sentBytes += datagram.length;
        await sendDatagram(socket, datagram).catch((error: Error) => breakConnection(error.message));
      }
      if (failure !== null) throw failure;
      settling.add(sentBytes);
      settling.observe(sentBytes, 0, clock.monotonic());
      await clock.sleep(BURST_PAUSE_MS, signal);
    },
    confirmed: () => settling.settled(failure === null ? clock.monotonic() : Number.NEGATIVE_INFINITY),
    responseStatus: () => null,
    failure: () => failure,
    async close() {
      // UDP has no confirmation, so waiting longer would not help.
      if (failure === null) settling.settleAll();
      breakConnection('closed');
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
  if (refusal !== null) throw blockedTarget(guard, host, refusal);
  return new Promise((resolve, reject) => {
    guardedLookup(guard, lookup)(host, {}, (error, address) => {
      if (error !== null) reject(error);
      else resolve(String(address));
    });
  });
}

/** Connects the socket, so that ICMP errors are reported and the address stays the checked one. */
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

function sendDatagram(socket: Socket, datagram: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(datagram, (error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
}
