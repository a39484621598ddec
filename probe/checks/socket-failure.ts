import { CheckFailure } from './outcome.js';
import { duration, endpoint } from './words.js';

/** How far a connection had come. */
export type SocketStep = 'connecting' | 'securing' | 'waiting' | 'reading';

/** Where and when something happened to a connection, for the message. */
export interface SocketPlace {
  step: SocketStep;
  address: string;
  port: number;
  elapsedMs: number;
}

/** Error numbers of the operating system that mean that no way leads there. */
const NO_WAY: ReadonlyMap<string, string> = new Map([
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['EHOSTDOWN', 'the host is down'],
  ['ENETDOWN', 'the network is down'],
  ['EADDRNOTAVAIL', 'this probe has no address or free port to reach it from'],
  ['EACCES', 'a firewall of this probe forbids it'],
  ['EPERM', 'a firewall of this probe forbids it'],
  ['EAFNOSUPPORT', 'this probe does not speak that kind of address'],
  ['EMFILE', 'this probe has no free sockets'],
  ['ENFILE', 'this probe has no free sockets'],
  ['ENOBUFS', 'this probe has no free buffers'],
  ['ENOMEM', 'this probe has no free memory'],
]);

/** What OpenSSL's words mean to whoever runs the target. */
const TLS_MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|UNEXPECTED_MESSAGE/,
    'the server does not speak TLS on this port',
  ],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/, 'the server offers no TLS version that this probe speaks'],
  [/CERTIFICATE_REQUIRED/, 'the server asks for a client certificate'],
  [/UNRECOGNIZED_NAME/, 'the server does not know the host name'],
  [/HANDSHAKE_FAILURE|NO_SHARED_CIPHER|NO_CIPHERS/, 'the server and this probe have no cipher or key type in common'],
  [
    /BAD_SIGNATURE|DECRYPT_ERROR|BAD_RECORD_MAC|DECRYPTION_FAILED/,
    'the cryptography of the handshake did not work out',
  ],
  [/INTERNAL_ERROR/, 'the server reported an internal error'],
  [/DH_KEY_TOO_SMALL|EE_KEY_TOO_SMALL/, 'the key of the server is too short'],
];

/** The outcome of an error that a socket reported. */
export function socketFailure(error: Error, place: SocketPlace): CheckFailure {
  const code = 'code' in error ? String(error.code) : '';
  const where = endpoint(place.address, place.port);
  const after = `after ${duration(place.elapsedMs)}`;
  if (place.step === 'securing' || code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return new CheckFailure(
      'tls_handshake',
      `the TLS handshake with ${where} failed ${after}: ${tlsMeaning(code, error)}`,
    );
  }
  const connecting = place.step === 'connecting';
  const noWay = NO_WAY.get(code);
  if (code === 'ECONNREFUSED')
    return new CheckFailure('connection_refused', `${where} refused the connection ${after}`, connecting);
  if (noWay !== undefined) return new CheckFailure('unreachable', `${where} is unreachable: ${noWay}`, connecting);
  if (code === 'ETIMEDOUT') {
    return connecting
      ? new CheckFailure('connect_timeout', `${where} did not accept the connection, given up ${after}`, true)
      : new CheckFailure('response_timeout', `${where} stopped answering ${after}`);
  }
  return new CheckFailure(
    'connection_reset',
    `${where} reset the connection ${after}, ${DURING[place.step]}`,
    connecting,
  );
}

const DURING: Readonly<Record<SocketStep, string>> = {
  connecting: 'while it was being made',
  securing: 'during the TLS handshake',
  waiting: 'before it answered',
  reading: 'in the middle of the answer',
};

function tlsMeaning(code: string, error: Error): string {
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'the server closed the connection';
  const reason = 'reason' in error ? String(error.reason).toUpperCase().replaceAll(' ', '_') : '';
  const known = TLS_MEANINGS.find(([pattern]) => pattern.test(code) || pattern.test(reason));
  if (known !== undefined) return known[1];
  return code.startsWith('ERR_SSL_')
    ? code.slice('ERR_SSL_'.length).replaceAll('_', ' ').toLowerCase()
    : 'the server broke it off';
}

/** The server ended the connection in good order, but too early. */
export function closedEarly(place: SocketPlace): CheckFailure {
  const where = endpoint(place.address, place.port);
  const after = `after ${duration(place.elapsedMs)}`;
  if (place.step === 'securing') {
    return new CheckFailure(
      'tls_handshake',
      `the TLS handshake with ${where} failed ${after}: the server closed the connection`,
    );
  }
  const what = place.step === 'reading' ? 'before its answer was complete' : 'without an answer';
  return new CheckFailure('connection_reset', `${where} closed the connection ${after}, ${what}`);
}

/** The check's time was up while the connection stood at this step. */
export function timedOut(place: SocketPlace, timeoutMs: number): CheckFailure {
  const where = endpoint(place.address, place.port);
  const within = `within ${duration(timeoutMs)}`;
  switch (place.step) {
    case 'connecting':
      return new CheckFailure('connect_timeout', `${where} did not accept the connection ${within}`, true);
    case 'securing':
      return new CheckFailure('tls_handshake', `${where} did not finish the TLS handshake ${within}`);
    case 'waiting':
      return new CheckFailure('response_timeout', `${where} sent no answer ${within}`);
    case 'reading':
      return new CheckFailure('response_timeout', `${where} did not complete its answer ${within}`);
  }
}
