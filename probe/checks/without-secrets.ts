import { queryValuesOf } from '../../kernel/urls/query-values.js';
import type { CheckErrorCode } from '../../proto/check-result.js';
import { printable } from './format.js';
import type { CheckRequest } from './outcome.js';

/** The errors whose message quotes text of the target, which may repeat what the probe sent. */
const QUOTING_CODES: ReadonlySet<CheckErrorCode> = new Set([
  'protocol_error',
  'too_many_redirects',
  // They quote the host of a redirect.
  'dns_failure',
  'blocked_target',
]);
/** From the first to the last quotation mark. */
const QUOTED = /(?<=").*(?=")/su;
/** Shorter values are not removed: they are part of ordinary words. */
const SECRET_CHARS_MIN = 4;
const QUERY_VALUE_CHARS_MIN = 8;
/** A target may cut or wrap a long secret, so parts of this length are removed too. */
const PART_CHARS = 12;
const REMOVED = '***';

/**
 * Returns the message of a failed check without the secrets of the monitor: header values, body, and user info and
 * values of the query of the URL. The message becomes part of incidents and notifications, and a target can answer with what it was sent, also as
 * the host of a redirect. Case does not count: names of hosts and codings are quoted in lower case.
 */
export function withoutSecrets(code: CheckErrorCode, message: string, request: CheckRequest): string {
  if (!QUOTING_CODES.has(code)) return message;
  const host = hostOf(request.url);
  return message.replace(QUOTED, (quote) => (quote === host ? quote : secretTexts(request).reduce(withoutText, quote)));
}

/** Returns the host of the monitor, which a header such as `Host` may contain too; null without one. */
function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/** Returns the texts to remove, as messages contain them but in lower case. */
function secretTexts({ url, http }: CheckRequest): string[] {
  const values = Object.values(http?.headers ?? {});
  const texts = [
    ...values,
    // The credentials of an `Authorization` without their scheme.
    ...values.map((value) => value.slice(value.indexOf(' ') + 1)),
    http?.body ?? '',
    ...userInfoTexts(url),
    ...queryTexts(url),
  ];
  return texts.map((text) => lowered(printable(text.trim()))).filter((text) => text.length >= SECRET_CHARS_MIN);
}

/** Returns user name and password in every form in which the probe or the target can write them. */
function userInfoTexts(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  if (username === '' && password === '') return [];
  const plain = [decoded(username), decoded(password)];
  return [username, password, ...plain, Buffer.from(plain.join(':'), 'utf8').toString('base64')];
}

/** Returns the values of the query, as they are written and decoded. A short one, such as `true`, is hardly a secret. */
function queryTexts(url: string): string[] {
  const values = [...queryValuesOf(url).values()].flat().filter((value) => value.length >= QUERY_VALUE_CHARS_MIN);
  return values.flatMap((value) => [value, decoded(value.replaceAll('+', ' '))]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text contains a percent sign that is not an escape.
    return text;
  }
}

/** Returns the text with A to Z in lower case, and so of the same length. */
function lowered(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function withoutText(quote: string, secret: string): string {
  // A message quotes only the first characters of a response that is not HTTP.
  if (quote.length >= SECRET_CHARS_MIN && secret.includes(lowered(quote))) return REMOVED;
  return withoutParts(quote, secret);
}

/** Removes the secret, and of a long one every run of at least `PART_CHARS` characters. */
function withoutParts(quote: string, secret: string): string {
  const partChars = Math.min(secret.length, PART_CHARS);
  const text = lowered(quote);
  let result = '';
  for (let at = 0; at < quote.length; ) {
    let end = at + partChars;
    if (end > quote.length || !secret.includes(text.slice(at, end))) {
      result += quote.charAt(at++);
      continue;
    }
    while (end < quote.length && secret.includes(text.slice(end + 1 - partChars, end + 1))) end++;
    result += REMOVED;
    at = end;
  }
  return result;
}
