import type { Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { Clock } from '../../../kernel/clock.js';
import type { GuardedConnect } from '../../../kernel/guard/guarded-connect.js';
import { afterListening } from '../../../kernel/stalls/listening-timer.js';
import { printable } from '../../printable.js';
import type { AskStarttls, StarttlsAnswer } from '../areas/starttls.js';
import { createReplies, type Replies } from './smtp-replies.js';

export const SMTP_PORT = 25;
const CONNECT_TIMEOUT_MS = 5_000;
/** For everything after the connection. */
const TALK_TIMEOUT_MS = 10_000;
const REASON_CHARS_MAX = 120;

/** Returns what asks a mail server for STARTTLS. It sends no mail: after the handshake it ends the connection. */
export function createAskStarttls(needs: {
  connect: GuardedConnect;
  clock: Clock;
  /** How Picket names itself in EHLO. */
  ehloName: string;
  port: number;
  /** The trusted authorities; null for those of Node.js. */
  secureContext: SecureContext | null;
}): AskStarttls {
  return async ({ host, address }, signal) => {
    let socket: Socket;
    try {
      const to = { host: address, port: needs.port, tls: null, timeoutMs: CONNECT_TIMEOUT_MS, signal };
      socket = await needs.connect(to);
    } catch (error) {
      return { kind: 'unreachable', reason: reasonOf(error) };
    }
    let isLate = false;
    const timer = afterListening(needs.clock, TALK_TIMEOUT_MS, () => {
      isLate = true;
      socket.destroy();
    });
    // Whoever is slow with Picket may be quick with others, so this says nothing about the server.
    const late: StarttlsAnswer = { kind: 'refused', reason: `no answer within ${TALK_TIMEOUT_MS / 1_000} s` };
    try {
      const answer = await talk(socket, host, needs);
      return isLate && answer.kind === 'tls_failed' ? late : answer;
    } catch (error) {
      return isLate ? late : { kind: 'refused', reason: reasonOf(error) };
    } finally {
      timer.cancel();
      socket.destroy();
    }
  };
}

async function talk(
  socket: Socket,
  host: string,
  { ehloName, secureContext }: { ehloName: string; secureContext: SecureContext | null },
): Promise<StarttlsAnswer> {
  const replies: Replies = createReplies(socket);
  const greeting = await replies.next();
  if (greeting.code !== 220) return { kind: 'refused', reason: `the server greets with ${greeting.code}` };
  socket.write(`EHLO ${ehloName}\r\n`);
  const offered = await replies.next();
  if (offered.code !== 250) return { kind: 'refused', reason: `the server answers EHLO with ${offered.code}` };
  if (!offered.lines.some((line) => /^starttls\s*$/i.test(line))) return { kind: 'not_offered' };
  socket.write('STARTTLS\r\n');
  const ready = await replies.next();
  if (ready.code !== 220) {
    // A code of 4xx is temporary (RFC 5321, section 4.2.1).
    const isTemporary = ready.code >= 400 && ready.code < 500;
    return {
      kind: isTemporary ? 'refused' : 'tls_failed',
      reason: `the server answers STARTTLS with ${ready.code}`,
    };
  }
  replies.stop();
  return handshake(socket, host, secureContext);
}

/** The certificate does not end the handshake, because a wrong one still encrypts: it is reported. */
function handshake(socket: Socket, host: string, secureContext: SecureContext | null): Promise<StarttlsAnswer> {
  return new Promise((resolve) => {
    const secure: TLSSocket = connectTls({
      ...{ socket, servername: host, rejectUnauthorized: false },
      ...(secureContext === null ? {} : { secureContext }),
    });
    const failed = (reason: string) => {
      secure.destroy();
      resolve({ kind: 'tls_failed', reason });
    };
    secure.once('secureConnect', () => {
      const reason = secure.authorized ? null : String(secure.authorizationError ?? 'not trusted');
      const version = secure.getProtocol() ?? 'TLS';
      resolve({ kind: 'tls', version, trusted: secure.authorized, reason: reason === null ? null : short(reason) });
      secure.destroy();
    });
    secure.once('error', (error) => failed(reasonOf(error)));
    secure.once('close', () => failed('the server closed the connection'));
  });
}

function reasonOf(error: unknown): string {
  const { code } = Object(error);
  return short(typeof code === 'string' ? code : error instanceof Error ? error.message : String(error));
}

const short = (text: string) => printable(text, REASON_CHARS_MAX);
