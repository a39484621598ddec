import type { CheckErrorCode } from '../../proto/check-result.js';
import { printable } from './format.js';
import type { CheckRequest } from './outcome.js';

/** The errors whose message quotes text of the target, which may repeat what the probe sent. */
const QUOTING_CODES: ReadonlySet<CheckErrorCode> = new Set(['protocol_error', 'too_many_redirects']);
/** From the first to the last quotation mark. */
const QUOTED = /(?<=").*(?=")/su;
/** Shorter values are not removed: they are part of ordinary words. */
const SECRET_CHARS_MIN = 4;
/** A target may cut or wrap a long secret, so parts of this length are removed too. */
const PART_CHARS = 12;
const REMOVED = '***';

/**
 * Returns the message of a failed check without the secrets of the monitor: header values, body, and user info of the
 * URL. The message becomes part of incidents and notifications, and a target can answer with what it was sent.
 */
export function withoutSecrets(code: CheckErrorCode, message: string, request: CheckRequest): string {
  if (!QUOTING_CODES.has(code)) return message;
  return message.replace(QUOTED, (quote) => secretTexts(request).reduce(withoutText, quote));
}

/** Returns the texts to remove, as messages contain them. */
function secretTexts({ url, http }: CheckRequest): string[] {
  const values = Object.values(http?.headers ?? {});
  const texts = [
    ...values,
    // The credentials of an `Authorization` without their scheme.
    ...values.map((value) => value.slice(value.indexOf(' ') + 1)),
    http?.body ?? '',
    ...userInfoTexts(url),
  ];
  return texts.map((text) => printable(text.trim())).filter((text) => text.length >= SECRET_CHARS_MIN);
}

/** Returns user name and password in every form in which the probe or the target can write them. */
function userInfoTexts(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  if (username === '' && password === '') return [];
  const plain = [decoded(username), decoded(password)];
  return [username, password, ...plain, Buffer.from(plain.join(':'), 'utf8').toString('base64')];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text contains a percent sign that is not an escape.
    return text;
  }
}

function withoutText(quote: string, secret: string): string {
  // A message quotes only the first characters of a response that is not HTTP.
  if (quote.length >= SECRET_CHARS_MIN && secret.includes(quote)) return REMOVED;
  const shorter = quote.replaceAll(secret, REMOVED);
  return secret.length <= PART_CHARS ? shorter : withoutParts(shorter, secret);
}

/** Removes every run of at least `PART_CHARS` characters that is also in the secret. */
function withoutParts(quote: string, secret: string): string {
  let result = '';
  for (let at = 0; at < quote.length; ) {
    let end = at + PART_CHARS;
    if (end > quote.length || !secret.includes(quote.slice(at, end))) {
      result += quote.charAt(at++);
      continue;
    }
    while (end < quote.length && secret.includes(quote.slice(end + 1 - PART_CHARS, end + 1))) end++;
    result += REMOVED;
    at = end;
  }
  return result;
}
