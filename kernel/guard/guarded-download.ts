import { lookup as systemLookup } from 'node:dns';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Clock } from '../clock.js';
import { classifyFailure } from '../fetch-failure.js';
import { afterListening } from '../stalls/listening-timer.js';
import { checkedUrl } from './guarded-fetch.js';
import { guardedLookup } from './guarded-lookup.js';
import type { TargetGuard } from './target-guard.js';

const HEADER_BYTES_MAX = 16_384;

interface Download {
  /** Includes 3xx: redirects are never followed. */
  status: number;
  /** Names are in lower case. Values of a repeated header are joined. */
  headers: Readonly<Record<string, string>>;
  /** Of any length: the reader has to stop. Decompressed. */
  body: AsyncIterable<Uint8Array>;
}

/** Downloads something that is too large for memory, by the guard of all outgoing connections. */
export interface GuardedDownload {
  /**
   * Calls `read` with the response, and resolves to what it returns. Throws GuardedFetchError without a response, or when the
   * response ends early or takes longer than `timeoutMs`, and whatever `read` throws.
   */
  get<T>(
    url: string,
    request: { headers: Record<string, string>; timeoutMs: number; signal: AbortSignal },
    read: (download: Download) => Promise<T>,
  ): Promise<T>;
}

/**
 * Creates what downloads with the client of Node.js: that of undici throws where nobody can catch it when a server closes the
 * connection while the reader is slower than the network.
 */
export function createGuardedDownload(needs: { guard: TargetGuard; clock: Clock }): GuardedDownload {
  return {
    async get(url, { headers, timeoutMs, signal }, read) {
      // The host as configured; `lookup` checks every address of a name.
      const target = checkedUrl(url, needs.guard);
      const abort = new AbortController();
      const timer = afterListening(needs.clock, timeoutMs, () => abort.abort('timeout'));
      const stop = () => abort.abort('aborted');
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      const failed = (error: unknown) => classifyFailure(error, abort.signal, timeoutMs);
      const request = (target.protocol === 'https:' ? https : http).get(target, {
        headers: { accept: '*/*', 'accept-encoding': 'gzip', 'user-agent': 'Picket', ...headers },
        lookup: guardedLookup(needs.guard, systemLookup),
        agent: false,
        maxHeaderSize: HEADER_BYTES_MAX,
        signal: abort.signal,
      });
      try {
        const response = await responseOf(request).catch((error: unknown) => {
          throw failed(error);
        });
        const isGzip = (response.headers['content-encoding'] ?? '').toLowerCase() === 'gzip';
        const body = chunksOf(isGzip ? decompressed(response) : response, failed);
        return await read({ status: response.statusCode ?? 0, headers: headersOf(response), body });
      } finally {
        timer.cancel();
        signal.removeEventListener('abort', stop);
        // What was not read is not received.
        request.destroy();
      }
    },
  };
}

function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Not once: after the response, an error of the connection reaches whoever reads the body as well.
    request.on('error', reject);
  });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

function decompressed(body: Readable): Readable {
  // The error of either reaches whoever reads.
  return pipeline(body, createGunzip(), () => {});
}

async function* chunksOf(body: Readable, failed: (error: unknown) => Error): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw failed(error);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}
