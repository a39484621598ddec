import { quoted } from '../format.js';
import { CheckFailure } from '../outcome.js';

export const HEAD_BYTES_MAX = 64 * 1024;
export const HEADERS_MAX = 200;

/** The status line and the headers of a response. Names are in lower case; repeated headers are joined with `, `. */
export interface ResponseHead {
  status: number;
  /** Without `Set-Cookie`. */
  headers: ReadonlyMap<string, string>;
  /** The values of the `Set-Cookie` headers. Joined they could not be split again (RFC 9110 section 5.3). */
  setCookies: readonly string[];
}

/** How the end of the body is determined (RFC 9112 section 6.3). */
export type Framing =
  | { kind: 'none' }
  | { kind: 'length'; bytes: number }
  | { kind: 'chunked' }
  | { kind: 'until_close' };

export function protocolError(message: string): CheckFailure {
  return new CheckFailure('protocol_error', message);
}

/**
 * Parses the lines of a head without the empty line at its end. Like browsers, it ignores a line without a colon and
 * appends a folded line to the previous header. It is strict about everything that determines the end of the response.
 */
export function parseHead(text: string): ResponseHead {
  const lines = text.split('\n');
  const status = parseStatusLine(lines[0] ?? '');
  const headers = new Map<string, string[]>();
  const setCookies: string[][] = [];
  let count = 0;
  let last: string[] | null = null;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line === '' || line === '\r') continue;
    if (line.includes('\0')) throw protocolError('a header of the response contains a NUL byte');
    const first = line.charCodeAt(0);
    if (first === 0x20 || first === 0x09) {
      const folded = line.trim();
      if (folded !== '') last?.push(' ', folded);
      continue;
    }
    if (++count > HEADERS_MAX)
      throw new CheckFailure('response_too_large', `the response has more than ${HEADERS_MAX} headers`);
    const colon = line.indexOf(':');
    if (colon <= 0) {
      last = null;
      continue;
    }
    const name = line.slice(0, colon).trimEnd().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === 'set-cookie') {
      last = [value];
      setCookies.push(last);
      continue;
    }
    const known = headers.get(name);
    last = known ?? [];
    if (known !== undefined) last.push(', ');
    last.push(value);
    headers.set(name, last);
  }
  // Joined once at the end: a header can have thousands of folded lines.
  return {
    status,
    headers: new Map([...headers].map(([name, pieces]) => [name, joined(pieces)])),
    setCookies: setCookies.map(joined),
  };
}

function joined(pieces: readonly string[]): string {
  return pieces.join('').trim();
}

const STATUS_LINE = /^HTTP\/\d\.\d +(?<status>[1-9]\d\d)(?: .*)?\r?$/;

/** Returns the status of a line like `HTTP/1.1 200 OK`. Throws CheckFailure for any other line. */
export function parseStatusLine(line: string): number {
  const status = STATUS_LINE.exec(line)?.groups?.['status'];
  if (status === undefined)
    throw protocolError(`the response starts with ${quoted(line.trim())}, which is not an HTTP status line`);
  return Number(status);
}

export function framingOf(head: ResponseHead, method: string): Framing {
  if (method === 'HEAD' || head.status < 200 || head.status === 204 || head.status === 304) return { kind: 'none' };
  const coding = head.headers.get('transfer-encoding')?.toLowerCase();
  if (coding !== undefined && coding !== 'identity') {
    if (coding !== 'chunked')
      throw protocolError(`the response has an unsupported transfer encoding: ${quoted(coding)}`);
    return { kind: 'chunked' };
  }
  const length = head.headers.get('content-length');
  if (length === undefined) return { kind: 'until_close' };
  // RFC 9112 allows a repeated header if all its values are equal.
  const values = new Set(length.split(',').map((value) => value.trim()));
  const [value = ''] = values;
  const bytes = Number(value);
  if (values.size !== 1 || !/^\d+$/.test(value) || !Number.isSafeInteger(bytes)) {
    throw protocolError(`the response has an invalid Content-Length: ${quoted(length)}`);
  }
  return { kind: 'length', bytes };
}
