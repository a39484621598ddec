import type { lookup as systemLookup } from 'node:dns';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { Clock } from '../clock.js';
import { afterListening } from '../stalls/listening-timer.js';
import { blockedTarget, guardedLookup } from './guarded-lookup.js';
import type { TargetGuard } from './target-guard.js';

export interface GuardedConnection {
  host: string;
  port: number;
  /** The trusted authorities of a TLS connection; null for plain TCP. */
  tls: SecureContext | null;
  /** For name resolution, connection and handshake together. */
  timeoutMs: number;
  signal: AbortSignal;
}

export type GuardedConnect = (connection: GuardedConnection) => Promise<Socket>;

/**
 * Opens connections to addresses that customers configure. Before a byte is sent, the guard checks the host as
 * configured, every address that it resolves to, and the address that the socket connected to. With TLS, the
 * certificate must be trusted and match the host. Rejects with a BlockedTarget or with the socket's error.
 */
export function createGuardedConnect(needs: {
  guard: TargetGuard;
  clock: Clock;
  lookup: typeof systemLookup;
}): GuardedConnect {
  const { guard, clock } = needs;
  const lookup = guardedLookup(guard, needs.lookup);
  return ({ host, port, tls, timeoutMs, signal }) =>
    new Promise((resolve, reject) => {
      const refusal = guard.hostRefusal(host);
      if (refusal !== null) return reject(blockedTarget(guard, host, refusal));
      const socket =
        tls === null
          ? connectTcp({ host, port, lookup })
          : connectTls({ host, port, lookup, secureContext: tls, minVersion: 'TLSv1.2' });
      const fail = (error: Error) => {
        timer.cancel();
        signal.removeEventListener('abort', stop);
        socket.destroy();
        reject(error);
      };
      const stop = () => fail(new Error('aborted before the connection was established'));
      const timer = afterListening(clock, timeoutMs, () => fail(new Error(`no connection within ${timeoutMs} ms`)));
      signal.addEventListener('abort', stop, { once: true });
      // The listener stays for later errors: each is followed by `close`, which the caller handles.
      socket.on('error', fail);
      socket.once('close', () => fail(new Error('the connection was closed before it was established')));
      socket.once('connect', () => {
        const reason = guard.refusal(socket.remoteAddress ?? '');
        if (reason !== null) fail(blockedTarget(guard, host, reason));
      });
      socket.once(tls === null ? 'connect' : 'secureConnect', () => {
        if (socket.destroyed) return;
        timer.cancel();
        signal.removeEventListener('abort', stop);
        resolve(socket);
      });
      if (signal.aborted) stop();
    });
}
