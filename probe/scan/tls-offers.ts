import { isIP, connect as openTcp } from 'node:net';
import type { Random } from '../../kernel/random.js';
import type { ConnectAttempt } from '../checks/connect-any.js';
import type { Deadline } from '../checks/deadline.js';
import { CheckFailure } from '../checks/outcome.js';
import { OLD_TLS_SUITES, STATIC_RSA_SUITES, WEAK_SUITES } from './cipher-suites.js';
import type { ScanClient } from './client.js';
import { clientHello, readServerHello, type WireVersion } from './client-hello.js';

const HANDSHAKE_MS_MAX = 5_000;
const RANDOM_BYTES = 32;
/** A ServerHello is at the beginning of what a server sends, and shorter. */
const ANSWER_BYTES_MAX = 1_024;

const TLS_1_2 = 0x0303;

/** What a server should refuse. */
const OFFERS: readonly { name: string; version: WireVersion; suites: ReadonlyMap<number, string> }[] = [
  { name: 'TLSv1.0', version: 0x0301, suites: OLD_TLS_SUITES },
  { name: 'TLSv1.1', version: 0x0302, suites: OLD_TLS_SUITES },
  { name: 'weak_ciphers', version: TLS_1_2, suites: WEAK_SUITES },
  { name: 'no_forward_secrecy', version: TLS_1_2, suites: STATIC_RSA_SUITES },
];

export interface TlsOffer {
  name: string;
  outcome: 'accepted' | 'refused' | 'unknown';
  /** The cipher suite that the server chose; empty if it accepted none. */
  cipher: string;
}

/** Offers a server one handshake after the other that it should refuse. None of them is finished. */
export async function offerWeakTls(
  client: ScanClient,
  { host, port }: { host: string; port: number },
  random: Random,
): Promise<TlsOffer[]> {
  const servername = isIP(host) === 0 ? host : null;
  const results: TlsOffer[] = [];
  for (const { name, version, suites } of OFFERS) {
    const hello = clientHello({ version, suites: [...suites.keys()], servername, random: random.bytes(RANDOM_BYTES) });
    const unknown: TlsOffer = { name, outcome: 'unknown', cipher: '' };
    try {
      const answer = await client.connect(port, HANDSHAKE_MS_MAX, (target, deadline) =>
        exchangeHello(hello, target, deadline),
      );
      if (answer === 'refused') results.push({ name, outcome: 'refused', cipher: '' });
      else if (answer === 'unknown') results.push(unknown);
      else if (answer.version !== version) results.push({ name, outcome: 'refused', cipher: '' });
      else results.push({ name, outcome: 'accepted', cipher: suites.get(answer.suite) ?? 'unknown' });
    } catch (error) {
      if (!(error instanceof CheckFailure)) throw error;
      results.push(unknown);
    }
  }
  return results;
}

type Answer = { version: number; suite: number } | 'refused' | 'unknown';

/** Resolves to what the server answers. A server refuses with an alert, or by closing the connection. */
function exchangeHello(hello: Buffer, target: ConnectAttempt, deadline: Deadline): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    let isSent = false;
    const socket = openTcp({ host: target.address, port: target.port });
    const finish = (answer: Answer | CheckFailure) => {
      deadline.onStop(null);
      socket.destroy();
      if (answer instanceof CheckFailure) reject(answer);
      else resolve(answer);
    };
    socket.on('connect', () => {
      const refusal = target.checkReached(socket.remoteAddress ?? '');
      if (refusal !== null) return finish(refusal);
      isSent = true;
      socket.write(hello);
    });
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]).subarray(0, ANSWER_BYTES_MAX);
      const answer = readServerHello(received);
      if (answer !== null) finish(answer);
      else if (received.length === ANSWER_BYTES_MAX) finish('unknown');
    });
    const onEnd = () => finish(isSent ? 'refused' : 'unknown');
    for (const event of ['error', 'end', 'close']) socket.on(event, onEnd);
    deadline.onStop(() => finish('unknown'));
  });
}
