import { lookup as systemLookup } from 'node:dns';
import type { SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, request as undiciRequest } from 'undici';
import type { Clock } from '../clock.js';
import { classifyFailure, GuardedFetchError } from '../fetch-failure.js';
import { afterListening } from '../stalls/listening-timer.js';
import { blockedTarget, guardedLookup } from './guarded-lookup.js';
import type { TargetGuard } from './target-guard.js';
import { urlRefusal } from './url-refusal.js';

export interface GuardedRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  /** For the whole exchange: name resolution, connection, TLS, headers and body. */
  timeoutMs: number;
  /** Aborts the exchange, e.g. when the process stops. */
  signal?: AbortSignal;
}

export interface GuardedResponse {
  /** Includes 3xx: redirects are never followed, because the caller decides about them. */
  status: number;
  /** Names are in lower case. */
  headers: Record<string, string>;
  /** The first `RESPONSE_BYTES_MAX` bytes, decoded as UTF-8. */
  body: string;
  truncated: boolean;
  durationMs: number;
}

export interface GuardedFetch {
  /** Resolves with any HTTP status; throws GuardedFetchError without a response. */
  request(url: string, request: GuardedRequest): Promise<GuardedResponse>;
  close(): Promise<void>;
}

/** The rest of a response is not read, because the server is not trusted. */
const RESPONSE_BYTES_MAX = 65_536;
const HEADER_BYTES_MAX = 16_384;
/** Defaults, because some receivers require them. The caller may override each. */
const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Picket' };
/** Aborting a request does not end its connection attempt; this timeout does. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Sends HTTP requests to addresses that customers configure. The guard checks the host as configured, every address
 * that it resolves to, and the address that the socket connected to: undici calls `lookup` for names only, so a guard
 * in `lookup` alone would let a literal such as `2130706433` pass. Each request opens a new connection. So each is
 * checked again, and none uses a kept-alive socket that the server has just closed.
 */
export function createGuardedFetch(needs: {
  guard: TargetGuard;
  clock: Clock;
  /** Defaults to `lookup` of `node:dns`. A test passes one that changes its answers. */
  lookup?: typeof systemLookup;
  /** The trusted authorities; defaults to Node's list. */
  secureContext?: SecureContext;
}): GuardedFetch {
  const agent = new Agent({
    pipelining: 0,
    connect: guardedConnector(needs.guard, needs.lookup ?? systemLookup, needs.secureContext),
    maxHeaderSize: HEADER_BYTES_MAX,
    // `timeoutMs` of the request is the only timeout. Those of undici would end a long allowed wait with another error.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async request(url, request) {
      const target = checkedUrl(url, needs.guard);
      const startedAt = needs.clock.monotonic();
      const abort = new AbortController();
      const timer = afterListening(needs.clock, request.timeoutMs, () => abort.abort('timeout'));
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
          durationMs: needs.clock.monotonic() - startedAt,
        };
      } catch (error) {
        throw classifyFailure(error, abort.signal, request.timeoutMs);
      } finally {
        timer.cancel();
        request.signal?.removeEventListener('abort', stop);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Returns a URL whose host the guard allows. Throws GuardedFetchError for any other. */
export function checkedUrl(url: string, guard: TargetGuard): URL {
  const refusal = urlRefusal(url, guard);
  if (refusal?.code === 'blocked_target') {
    throw new GuardedFetchError('blocked_target', blockedTarget(guard, new URL(url).hostname, refusal.message).message);
  }
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
    if (refusal !== null) return callback(blockedTarget(guard, options.hostname, refusal), null);
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      const reached = socket.remoteAddress;
      const reason = reached === undefined ? 'the remote address of the socket is unknown' : guard.refusal(reached);
      if (reason === null) return callback(null, socket);
      socket.destroy();
      callback(blockedTarget(guard, options.hostname, reason), null);
    });
  };
}

/** Returns the values of a repeated header as one value. */
function joined(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

async function readBounded(stream: Dispatcher.ResponseData['body']): Promise<{ body: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early closes the connection, so the rest of the response is not received.
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > RESPONSE_BYTES_MAX) break;
  }
  const body = Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX).toString('utf8');
  return { body, truncated: bytes > RESPONSE_BYTES_MAX };
}
