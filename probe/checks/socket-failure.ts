import { duration, endpoint } from './format.js';
import { CheckFailure } from './outcome.js';

/** The step that a connection has reached. */
export type ConnectionStep = 'connecting' | 'securing' | 'waiting' | 'reading';

/** The state of a connection at a failure, for the message. */
export interface ConnectionProgress {
  step: ConnectionStep;
  address: string;
  port: number;
  elapsedMs: number;
}

/** Error codes of the operating system that mean that the target is unreachable. */
const UNREACHABLE: ReadonlyMap<string, string> = new Map([
  ['EHOSTUNREACH', 'there is no route to the host'],
  ['ENETUNREACH', 'there is no route to the network'],
  ['EHOSTDOWN', 'the host is down'],
  ['ENETDOWN', 'the network is down'],
  ['EADDRNOTAVAIL', 'this probe has no address or free port to reach it from'],
  ['EACCES', 'a firewall of this probe forbids it'],
  ['EPERM', 'a firewall of this probe forbids it'],
  ['EAFNOSUPPORT', 'this probe does not support that kind of address'],
  ['EMFILE', 'this probe has no free sockets'],
  ['ENFILE', 'this probe has no free sockets'],
  ['ENOBUFS', 'this probe has no free buffers'],
  ['ENOMEM', 'this probe has no free memory'],
]);

/** The meaning of OpenSSL's error codes for the operator of the target. */
const TLS_MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|UNEXPECTED_MESSAGE/,
    'the server does not use TLS on this port',
  ],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/,
    'the server offers no TLS version that this probe supports',
  ],
  [/CERTIFICATE_REQUIRED/, 'the server requires a client certificate'],
  [/UNRECOGNIZED_NAME/, 'the server does not know the host name'],
  [/HANDSHAKE_FAILURE|NO_SHARED_CIPHER|NO_CIPHERS/, 'the server and this probe have no cipher or key type in common'],
  [/BAD_SIGNATURE|DECRYPT_ERROR|BAD_RECORD_MAC|DECRYPTION_FAILED/, 'a cryptographic check of the handshake failed'],
  [/INTERNAL_ERROR/, 'the server reported an internal error'],
  [/DH_KEY_TOO_SMALL|EE_KEY_TOO_SMALL/, 'the key of the server is too short'],
];

/** Returns the failure for an error event of a socket. */
export function socketFailure(error: Error, progress: ConnectionProgress): CheckFailure {
  const code = 'code' in error ? String(error.code) : '';
  const where = endpoint(progress.address, progress.port);
  const after = `after ${duration(progress.elapsedMs)}`;
  if (progress.step === 'securing' || code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return new CheckFailure(
      'tls_handshake',
      `the TLS handshake with ${where} failed ${after}: ${tlsMeaning(code, error)}`,
    );
  }
  const connecting = progress.step === 'connecting';
  const unreachable = UNREACHABLE.get(code);
  if (code === 'ECONNREFUSED')
    return new CheckFailure('connection_refused', `${where} refused the connection ${after}`, connecting);
  if (unreachable !== undefined)
    return new CheckFailure('unreachable', `${where} is unreachable: ${unreachable}`, connecting);
  if (code === 'ETIMEDOUT') {
    return connecting
      ? new CheckFailure('connect_timeout', `${where} did not accept the connection ${after}`, true)
      : new CheckFailure('response_timeout', `${where} stopped responding ${after}`);
  }
  return new CheckFailure(
    'connection_reset',
    `${where} reset the connection ${after}, ${DURING[progress.step]}`,
    connecting,
  );
}

const DURING: Readonly<Record<ConnectionStep, string>> = {
  connecting: 'before it was established',
  securing: 'during the TLS handshake',
  waiting: 'before the response',
  reading: 'during the response',
};

function tlsMeaning(code: string, error: Error): string {
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'the server closed the connection';
  const reason = 'reason' in error ? String(error.reason).toUpperCase().replaceAll(' ', '_') : '';
  const known = TLS_MEANINGS.find(([pattern]) => pattern.test(code) || pattern.test(reason));
  if (known !== undefined) return known[1];
  return code.startsWith('ERR_SSL_')
    ? code.slice('ERR_SSL_'.length).replaceAll('_', ' ').toLowerCase()
    : 'the server ended it';
}

/** Returns the failure for a connection that the server closed too early, without an error. */
export function closedEarly(progress: ConnectionProgress): CheckFailure {
  const where = endpoint(progress.address, progress.port);
  const after = `after ${duration(progress.elapsedMs)}`;
  if (progress.step === 'securing') {
    return new CheckFailure(
      'tls_handshake',
      `the TLS handshake with ${where} failed ${after}: the server closed the connection`,
    );
  }
  const what = progress.step === 'reading' ? 'before its response was complete' : 'without a response';
  return new CheckFailure('connection_reset', `${where} closed the connection ${after}, ${what}`);
}

/** Returns the failure for a timeout at the current step. */
export function timedOut(progress: ConnectionProgress, timeoutMs: number): CheckFailure {
  const where = endpoint(progress.address, progress.port);
  const within = `within ${duration(timeoutMs)}`;
  switch (progress.step) {
    case 'connecting':
      return new CheckFailure('connect_timeout', `${where} did not accept the connection ${within}`, true);
    case 'securing':
      return new CheckFailure('tls_handshake', `${where} did not finish the TLS handshake ${within}`);
    case 'waiting':
      return new CheckFailure('response_timeout', `${where} sent no response ${within}`);
    case 'reading':
      return new CheckFailure('response_timeout', `${where} did not complete its response ${within}`);
  }
}
