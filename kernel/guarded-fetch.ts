import { lookup as systemLookup } from 'node:dns';
import type { SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, request as undiciRequest } from 'undici';
import type { Clock } from './clock.js';
import { BlockedTarget, guardedLookup } from './guarded-lookup.js';
import { canonicalHost, type TargetGuard } from './target-guard.js';

export interface GuardedRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  /** For the whole exchange: look-up, connection, TLS, headers and body. */
  timeoutMs: number;
  /** Ends the exchange early, e.g. when the process stops. */
  signal?: AbortSignal;
}

export interface GuardedResponse {
  /** 3xx as well: a redirect is never followed, the caller decides. */
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** At most `RESPONSE_BYTES_MAX` of it, decoded as UTF-8. */
  body: string;
  truncated: boolean;
  durationMs: number;
}

/** Why there is no response. `blocked_target` and `invalid_url` will not get better by trying again. */
type GuardedFetchFailure =
  | 'invalid_url'
  | 'blocked_target'
  | 'dns_failure'
  | 'connection_refused'
  | 'connection_reset'
  | 'timeout'
  | 'aborted'
  | 'tls'
  | 'protocol';

export class GuardedFetchError extends Error {
  readonly code: GuardedFetchFailure;

  constructor(code: GuardedFetchFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'GuardedFetchError';
    this.code = code;
  }
}

export interface GuardedFetch {
  /** Resolves with whatever HTTP status came; throws GuardedFetchError when none did. */
  request(url: string, request: GuardedRequest): Promise<GuardedResponse>;
  close(): Promise<void>;
}

/** More of a response is not read: it comes from a stranger's server. */
export const RESPONSE_BYTES_MAX = 65_536;
const HEADER_BYTES_MAX = 16_384;
/** What some receivers insist on; a caller may name its own. */
const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Picket' };
/** A connection attempt outlives an aborted request; this ends it. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Ports of mail, shells and the like, which must not be talked into by HTTP: https://fetch.spec.whatwg.org/#port-blocking. */
const BAD_PORTS: ReadonlySet<string> = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 ' +
    '123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 ' +
    '990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/**
 * HTTP to an address that a customer chose. The guard judges the host as written, every address that it resolves
 * to, and the address that the socket reached: undici asks `lookup` for names only, so a literal such as
 * `2130706433` would pass a guard that stands there alone. Each request has a connection of its own, so each is
 * judged anew, and none meets a kept-alive socket that the other side just closed.
 */
export function createGuardedFetch(deps: {
  guard: TargetGuard;
  clock: Clock;
  /** `node:dns` lookup; a test passes one that rebinds. */
  lookup?: typeof systemLookup;
  /** Whom to trust; Node's own list of authorities if not given. */
  secureContext?: SecureContext;
}): GuardedFetch {
  const agent = new Agent({
    pipelining: 0,
    connect: guardedConnector(deps.guard, deps.lookup ?? systemLookup, deps.secureContext),
    maxHeaderSize: HEADER_BYTES_MAX,
    // The deadline below is the only one; undici's own would end a long but allowed wait with another error.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async request(url, request) {
      const target = checkedUrl(url, deps.guard);
      const startedAt = deps.clock.monotonic();
      const abort = new AbortController();
      const timer = deps.clock.after(request.timeoutMs, () => abort.abort('timeout'));
      const stop = () => abort.abort('aborted');
      request.signal?.addEventListener('abort', stop, { once: true });
      if (request.signal?.aborted) stop();
      try {
        const response = await undiciRequest(target, {
          method: request.method,
          headers: { ...HEADERS, ...request.headers },
          body: request.body,
          dispatcher: agent,
          signal: abort.signal,
        });
        const { body, truncated } = await readBounded(response.body);
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, joined(value)]),
        );
        return {
          status: response.statusCode,
          headers,
          body,
          truncated,
          durationMs: deps.clock.monotonic() - startedAt,
        };
      } catch (error) {
        throw classify(error, abort.signal, request.timeoutMs);
      } finally {
        timer.cancel();
        request.signal?.removeEventListener('abort', stop);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Why this URL will never be fetched; null when its host may be looked up. Also used when a URL is first given. */
export function urlRefusal(url: string, guard: TargetGuard): { code: GuardedFetchFailure; message: string } | null {
  if (!URL.canParse(url)) return { code: 'invalid_url', message: 'is not an absolute URL' };
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return { code: 'invalid_url', message: 'must start with http:// or https://' };
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return { code: 'invalid_url', message: 'must not contain a user name or password' };
  }
  if (canonicalHost(parsed.hostname) === null) return { code: 'invalid_url', message: 'has no valid host' };
  if (BAD_PORTS.has(parsed.port)) return { code: 'invalid_url', message: 'has a port that is not one for HTTP' };
  const refusal = guard.hostRefusal(parsed.hostname);
  return refusal === null ? null : { code: 'blocked_target', message: `must not point to ${refusal}` };
}

function checkedUrl(url: string, guard: TargetGuard): URL {
  const refusal = urlRefusal(url, guard);
  if (refusal !== null) throw new GuardedFetchError(refusal.code, `the URL ${refusal.message}`);
  return new URL(url);
}

function guardedConnector(
  guard: TargetGuard,
  lookup: typeof systemLookup,
  secureContext: SecureContext | undefined,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(guard, lookup),
    timeout: CONNECT_TIMEOUT_MS,
    ...(secureContext === undefined ? {} : { secureContext }),
  });
  return (options, callback) => {
    const refusal = guard.hostRefusal(options.hostname);
    if (refusal !== null) return callback(new BlockedTarget(refusal), null);
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      const reached = socket.remoteAddress;
      const reason = reached === undefined ? 'the socket has no remote address' : guard.refusal(reached);
      if (reason === null) return callback(null, socket);
      socket.destroy();
      callback(new BlockedTarget(reason), null);
    });
  };
}

/** A header that came several times, as one. */
function joined(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

async function readBounded(stream: Dispatcher.ResponseData['body']): Promise<{ body: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early ends the exchange: what the other side would still send is of no interest.
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > RESPONSE_BYTES_MAX) break;
  }
  const body = Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX).toString('utf8');
  return { body, truncated: bytes > RESPONSE_BYTES_MAX };
}

const TLS_CODE = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;

function classify(error: unknown, signal: AbortSignal, timeoutMs: number): GuardedFetchError {
  if (signal.aborted) {
    return signal.reason === 'timeout'
      ? new GuardedFetchError('timeout', `no complete response within ${timeoutMs} ms`, error)
      : new GuardedFetchError('aborted', 'stopped before the response was complete', error);
  }
  const cause = deepest(error);
  if (cause instanceof BlockedTarget) return new GuardedFetchError('blocked_target', cause.message, error);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const message = code === '' || cause.message.includes(code) ? cause.message : `${code}: ${cause.message}`;
  return new GuardedFetchError(failureOf(code), message, error);
}

function failureOf(code: string): GuardedFetchFailure {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return 'dns_failure';
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'connection_refused';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'connection_reset';
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  if (TLS_CODE.test(code)) return 'tls';
  return 'protocol';
}

const CAUSES_MAX = 8;

/** fetch wraps what went wrong (`fetch failed`); several addresses that all failed come as one AggregateError. */
function deepest(error: unknown): Error {
  let current = error instanceof Error ? error : new Error(String(error));
  for (let depth = 0; depth < CAUSES_MAX; depth++) {
    const inner = current instanceof AggregateError ? current.errors[0] : current.cause;
    if (!(inner instanceof Error)) break;
    current = inner;
  }
  return current;
}
