import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';
import { canonicalAddress } from '../../../kernel/guard/networks.js';
import { AppError } from '../../errors.js';
import { clientAddress } from '../client/client-address.js';
import type { GuessLimit } from '../limits/guess-limit.js';

const BEARER = /^Bearer +(\S+) *$/i;
/** Headers that reverse proxies add. A request with one of them may come from anywhere. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** Throws unless the request may read `GET /metrics`. */
export type MetricsAccess = (ctx: Context) => Promise<void>;

/**
 * With a token (`PICKET_METRICS_TOKEN`), only requests that send it may read the metrics, from any host. Without one, only
 * requests from this host may, because metrics name locations and show how busy the installation is.
 */
export function createMetricsAccess(needs: { token: string | null; guesses: GuessLimit }): MetricsAccess {
  const { token, guesses } = needs;
  if (token === null) return async ({ req }) => requireThisHost(req);
  return async (ctx) => {
    const sent = BEARER.exec(ctx.req.headers.authorization ?? '')?.[1];
    const right = async () => (sent !== undefined && isSame(sent, token) ? true : null);
    // A request without a token is no guess.
    const allowed = sent === undefined ? null : await guesses.check(clientAddress(ctx), right);
    if (allowed === null) {
      throw new AppError('unauthenticated', 'Send the token of PICKET_METRICS_TOKEN: Authorization: Bearer ...');
    }
  };
}

/**
 * A proxy on this host that adds no header shows in one of two other ways: it passes on the name that the client asked for, or it
 * speaks HTTP/1.0, as nginx does unless it is told otherwise.
 */
function requireThisHost({ socket, headers, httpVersion }: IncomingMessage): void {
  const peer = canonicalAddress(socket.remoteAddress ?? '');
  const own = canonicalAddress(socket.localAddress ?? '');
  const isOwn = (address: string | null) =>
    address !== null && (ipaddr.parse(address).range() === 'loopback' || address === own);
  const asked = hostnameOf(headers.host);
  const isProxied = httpVersion !== '1.1' || PROXY_HEADERS.some((name) => headers[name] !== undefined);
  if (isOwn(peer) && (asked === 'localhost' || isOwn(canonicalAddress(asked))) && !isProxied) return;
  throw new AppError(
    'forbidden',
    'Metrics are served to this host only, at localhost or its address. To read them in another way, set PICKET_METRICS_TOKEN.',
  );
}

/** Returns the name or address in a `Host` header, without brackets; an empty string if there is none. */
function hostnameOf(host: string | undefined): string {
  if (host === undefined || !URL.canParse(`http://${host}`)) return '';
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
}

/** Compares hashes, so that the time says nothing about the token or its length. */
function isSame(sent: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(sent), hash(token));
}
