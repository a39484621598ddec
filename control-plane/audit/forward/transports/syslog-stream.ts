import type { SecureContext } from 'node:tls';
import type { Clock } from '../../../../kernel/clock.js';
import type { GuardedConnect } from '../../../../kernel/guard/guarded-connect.js';
import { ForwardError, type Transport, type TransportOptions } from './interface.js';
import { reasonOf, trackConnection } from './syslog-connection.js';
import { type FrameContext, octetCounted, syslogMessage } from './syslog-frame.js';

const CONNECT_MS_MAX = 10_000;
const MESSAGES_MAX = 200;
/** The maximum number of batches that were sent and may still be lost. */
const UNSETTLED_BATCHES_MAX = 2_000;

/**
 * Sends RFC 5424 messages, octet-counted, over TCP (RFC 6587) or TLS (RFC 5425). Syslog has no acknowledgements, so a
 * batch counts as confirmed `settleMs` after the receiver's kernel acknowledged it, if the connection is still up then.
 */
export async function openSyslogStream(
  needs: { connect: GuardedConnect; clock: Clock; settleMs: number },
  target: { host: string; port: number; tls: SecureContext | null },
  context: FrameContext,
  options: TransportOptions,
): Promise<Transport> {
  const socket = await needs
    .connect({ ...target, timeoutMs: CONNECT_MS_MAX, signal: options.signal })
    .catch((error: Error) => Promise.reject(new ForwardError(reasonOf(error))));
  const connection = trackConnection(socket, needs, options);
  return {
    messagesMax: MESSAGES_MAX,
    acknowledged: false,
    async send(messages) {
      await connection.whenBelow(UNSETTLED_BATCHES_MAX);
      const frames = messages.map((message) => octetCounted(syslogMessage(message, context))).join('');
      await connection.write(Buffer.from(frames));
    },
    confirmed: connection.confirmed,
    responseStatus: () => null,
    failure: connection.failure,
    close: connection.close,
  };
}
