import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../kernel/clock.js';
import type { TargetGuard } from '../../kernel/guard/target-guard.js';
import { type ConnectAttempt, connectAny } from '../checks/connect-any.js';
import { createDeadline, type Deadline } from '../checks/deadline.js';
import { decompressed } from '../checks/http/body-text.js';
import { exchange } from '../checks/http/exchange.js';
import type { ResponseHead } from '../checks/http/head.js';
import { requestBytes } from '../checks/http/request.js';
import { nothingObserved } from '../checks/outcome.js';
import type { TlsContexts } from '../checks/tls/contexts.js';
import type { Resolver } from '../resolve.js';
import type { ScanBudget } from './budget.js';

/** One exchange may take so long. A website that answers nothing cannot use up the time of the scan with one path. */
const EXCHANGE_MS_MAX = 10_000;

export interface ScanResponse {
  head: ResponseHead;
  /** Decompressed, at most as long as was asked for. */
  body: Buffer;
}

/** Opens the connections of one scan, all of them through the guard and within the budget. */
export interface ScanClient {
  /** Sends a GET request and reads at most `bytesMax` of the body; 0 reads only the head. Rejects with CheckFailure. */
  get(url: URL, bytesMax: number, secured?: (socket: TLSSocket) => void): Promise<ScanResponse>;
  /** Runs `attempt` with the address of the website, and closes its deadline of at most `timeoutMs` afterwards. */
  connect<Result>(
    port: number,
    timeoutMs: number,
    attempt: (target: ConnectAttempt, deadline: Deadline) => Promise<Result>,
  ): Promise<Result>;
  /** Returns the address that answered first; every later connection goes to it. null before that. */
  address(): string | null;
}

export interface ScanClientNeeds {
  guard: TargetGuard;
  resolver: Resolver;
  clock: Clock;
  tlsContexts: TlsContexts;
  userAgent: string;
}

export function createScanClient(
  needs: ScanClientNeeds,
  { host, budget, signal }: { host: string; budget: ScanBudget; signal: AbortSignal },
): ScanClient {
  let pinned: string | null = null;
  // The name is resolved until an address answers, so that all parts of a scan are about the same machine.
  const resolver: Resolver = {
    literal: (name) => pinned ?? needs.resolver.literal(name),
    resolve: (name) => needs.resolver.resolve(name),
  };

  async function connect<Result>(
    port: number,
    timeoutMs: number,
    attempt: (target: ConnectAttempt, deadline: Deadline) => Promise<Result>,
  ): Promise<Result> {
    const deadline = createDeadline(needs.clock, Math.max(1, Math.min(timeoutMs, budget.remainingMs())), signal);
    const tools = { guard: needs.guard, resolver };
    try {
      return await connectAny(tools, { host, port }, nothingObserved(), deadline, (target) => {
        budget.spend();
        return attempt(target, deadline);
      });
    } finally {
      deadline.close();
    }
  }

  return {
    connect,
    address: () => pinned,
    async get(url, bytesMax, secured = () => {}) {
      const isTls = url.protocol === 'https:';
      const tls = isTls ? { context: needs.tlsContexts.checking, servername: isIP(host) === 0 ? host : null } : null;
      const port = portOf(url);
      const bytes = requestBytes({ url, method: 'GET', headers: new Map(), body: null }, needs.userAgent);
      const response = await connect(port, EXCHANGE_MS_MAX, async (target, deadline) => {
        const request = {
          ...{ target, tls, bytes, method: 'GET', bodyBytesMax: bytesMax },
          // The scan is about the certificate as well, so it does not stop at a bad one.
          secured(socket: TLSSocket) {
            secured(socket);
            return null;
          },
          bodyUse: () => (bytesMax > 0 ? ('keep' as const) : ('skip' as const)),
        };
        const read = await exchange(request, nothingObserved(), deadline, needs.clock);
        pinned ??= target.address;
        return read;
      });
      budget.read(response.body.length);
      const body = { bytes: response.body, truncated: response.truncated };
      return { head: response.head, body: (await decompressed(body, response.head)).bytes };
    },
  };
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** Returns the host of a URL as sockets take it: without the brackets of IPv6 and the final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
