import type { ScanPage__Output } from '../../../proto/generated/picket/link/v1/ScanPage.js';
import type { ScanResult__Output } from '../../../proto/generated/picket/link/v1/ScanResult.js';
import { cut } from '../../cut.js';
import { printable } from '../../printable.js';

const TEXT_CHARS_MAX = 500;
/** Headers are evaluated as a whole, and only their evidence is shortened. A probe sends as much. */
const HEADER_CHARS_MAX = 8_192;
const ROWS_MAX = 50;
/** The latest time that a Date can represent. A probe can send any number. */
const DATE_MS_MAX = 8_640_000_000_000_000;

type Outcome = 'accepted' | 'refused' | 'unknown';

/** The first page. Its texts are of unknown origin, without control characters and bounded. */
export interface MeasuredPage {
  url: string;
  status: number;
  headers: ReadonlyMap<string, string>;
  /** The names of headers whose end is missing. */
  cutHeaders: ReadonlySet<string>;
  cookies: { name: string; secure: boolean; httpOnly: boolean; sameSite: string }[];
  mixedActive: string[];
  mixedPassive: string[];
  /** The other host that the page redirects to; null if it does not. */
  redirectsTo: string | null;
  redirectsToHttps: boolean;
  html: boolean;
}

export interface MeasuredTls {
  protocol: string;
  cipher: string;
  /** OpenSSL's code; null if the chain is trusted. */
  problem: string | null;
  nameMatches: boolean;
  notAfterMs: number;
  issuer: string;
  keyType: string;
  keyBits: number;
  offers: { name: string; outcome: Outcome; cipher: string }[];
}

/** What a probe measured, bounded. */
export interface Measured {
  address: string | null;
  connections: number;
  durationMs: number;
  page: MeasuredPage;
  /** null without TLS. */
  tls: MeasuredTls | null;
  plainHttp: string;
  files: { path: string; outcome: 'exposed' | 'absent' | 'unknown' }[];
  ports: { port: number; state: 'open' | 'closed' | 'unknown' }[];
  securityText: { outcome: 'present' | 'absent' | 'unknown'; hasContact: boolean; expiresMs: number };
}

/** Returns what a probe measured, or why it could not read the page. A probe is not trusted: every text gets a bound. Pure. */
export function readMeasured(result: ScanResult__Output): Measured | { code: string; message: string } {
  const { page } = result;
  if (result.errorCode !== '' || page === null) {
    return {
      code: text(result.errorCode || 'protocol_error'),
      message: text(result.errorMessage || 'the probe sent no page'),
    };
  }
  return {
    address: text(result.address) || null,
    connections: result.connections,
    durationMs: result.durationMs,
    page: {
      url: text(page.url),
      status: page.status,
      ...headersOf(page.headers.slice(0, ROWS_MAX)),
      cookies: page.cookies.slice(0, ROWS_MAX).map(({ name, secure, httpOnly, sameSite }) => ({
        name: text(name),
        secure,
        httpOnly,
        sameSite: text(sameSite),
      })),
      mixedActive: page.mixedActive.slice(0, ROWS_MAX).map(text),
      mixedPassive: page.mixedPassive.slice(0, ROWS_MAX).map(text),
      redirectsTo: text(page.redirectsTo) || null,
      redirectsToHttps: page.redirectsToHttps,
      html: page.html,
    },
    tls: tlsOf(result.tls),
    plainHttp: text(result.plainHttp),
    files: result.files
      .slice(0, ROWS_MAX)
      .map(({ path, outcome }) => ({ path: text(path), outcome: oneOf(outcome, ['exposed', 'absent']) })),
    ports: result.ports
      .slice(0, ROWS_MAX)
      .map(({ port, state }) => ({ port, state: oneOf(state, ['open', 'closed']) })),
    securityText: {
      outcome: oneOf(result.securityText?.outcome ?? '', ['present', 'absent']),
      hasContact: result.securityText?.hasContact ?? false,
      expiresMs: time(result.securityText?.expiresMs ?? 0),
    },
  };
}

function headersOf(sent: ScanPage__Output['headers']): Pick<MeasuredPage, 'headers' | 'cutHeaders'> {
  const headers = new Map<string, string>();
  const cutHeaders = new Set<string>();
  for (const { name: sentName, value, cut: isCut } of sent) {
    const name = text(sentName).toLowerCase();
    headers.set(name, printable(value, HEADER_CHARS_MAX));
    if (isCut || value.length > HEADER_CHARS_MAX) cutHeaders.add(name);
  }
  return { headers, cutHeaders };
}

function tlsOf(tls: ScanResult__Output['tls']): MeasuredTls | null {
  if (tls === null) return null;
  return {
    protocol: text(tls.protocol),
    cipher: text(tls.cipher),
    problem: text(tls.problem) || null,
    nameMatches: tls.nameMatches,
    notAfterMs: time(tls.notAfterMs),
    issuer: text(tls.issuer),
    keyType: text(tls.keyType),
    keyBits: tls.keyBits,
    offers: tls.offers.slice(0, ROWS_MAX).map(({ name, outcome, cipher }) => ({
      name: text(name),
      outcome: oneOf(outcome, ['accepted', 'refused']),
      cipher: text(cipher),
    })),
  };
}

function text(value: string): string {
  return cut(printable(value, TEXT_CHARS_MAX + 1), TEXT_CHARS_MAX);
}

function oneOf<Name extends string>(value: string, names: readonly Name[]): Name | 'unknown' {
  return names.find((name) => name === value) ?? 'unknown';
}

function time(ms: number): number {
  return ms > 0 && ms <= DATE_MS_MAX ? Math.trunc(ms) : 0;
}
