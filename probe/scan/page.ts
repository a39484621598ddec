import type { TLSSocket } from 'node:tls';
import type { ScanPage } from '../../proto/generated/picket/link/v1/ScanPage.js';
import { printable } from '../checks/format.js';
import type { ResponseHead } from '../checks/http/head.js';
import { redirectedHop } from '../checks/http/redirect.js';
import { hostOf, type ScanClient } from './client.js';
import { cookiesOf } from './cookies.js';
import { mixedContent } from './mixed-content.js';

const REDIRECTS_MAX = 3;
const PAGE_BYTES_MAX = 512 * 1024;
/** A content security policy can have several thousand characters. The control plane reads as many. */
const VALUE_CHARS_MAX = 8_192;
const URL_CHARS_MAX = 500;

/** The headers that the control plane evaluates. Others stay at the probe. */
const HEADERS = [
  'strict-transport-security',
  'content-security-policy',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'permissions-policy',
  'server',
  'x-powered-by',
] as const;

export interface ReadPage {
  page: ScanPage;
  /** The page after redirects. */
  url: URL;
}

/** Reads the first page and follows its redirects on the same host. Rejects with CheckFailure if it does not answer. */
export async function readPage(
  client: ScanClient,
  start: URL,
  secured: (socket: TLSSocket) => void,
): Promise<ReadPage> {
  let url = start;
  const cookies: string[] = [];
  for (let redirects = 0; ; redirects++) {
    const { head, body } = await client.get(url, PAGE_BYTES_MAX, secured);
    cookies.push(...head.setCookies);
    const next = redirectedHop({ url, method: 'GET', headers: new Map(), body: null }, head)?.url ?? null;
    const leaves = next !== null && hostOf(next) !== hostOf(start);
    if (next !== null && !leaves && redirects < REDIRECTS_MAX) {
      url = next;
      continue;
    }
    const isHtml = /html/i.test(head.headers.get('content-type') ?? '');
    const mixed =
      isHtml && url.protocol === 'https:' ? mixedContent(body.toString('latin1')) : { active: [], passive: [] };
    return {
      url,
      page: {
        url: shown(url),
        status: head.status,
        headers: headersOf(head),
        cookies: cookiesOf(cookies),
        mixedActive: mixed.active,
        mixedPassive: mixed.passive,
        redirectsTo: leaves ? cut(hostOf(next), URL_CHARS_MAX) : '',
        redirectsToHttps: leaves && next.protocol === 'https:',
        html: isHtml,
      },
    };
  }
}

function headersOf({ headers }: ResponseHead): { name: string; value: string }[] {
  return HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === undefined
      ? []
      : [{ name, value: cut(value, VALUE_CHARS_MAX), cut: value.length > VALUE_CHARS_MAX }];
  });
}

/** The query may contain secrets, such as a token of the redirect. */
function shown(url: URL): string {
  return cut(`${url.origin}${url.pathname}`, URL_CHARS_MAX);
}

function cut(text: string, charsMax: number): string {
  return printable(text.slice(0, charsMax));
}
