import { userInfoOf } from '../../../kernel/urls/user-info.js';
import type { FieldError } from '../../errors.js';
import type { HttpSettings } from '../documents.js';
import { HEADER_NAME_CHARS_MAX, HEADERS_CHARS_MAX } from '../schema.js';
import { headerPath } from './masks.js';
import type { CreateHttp } from './schema.js';
import type { MonitorSettings, SettingsRules } from './settings.js';
import { parseTarget } from './target.js';

/** NUL and unpaired surrogates, which MongoDB and gRPC cannot carry. */
const UNSTORABLE = /[\0\p{Cs}]/u;
/** A header name as in RFC 9110, except that it must not begin with a dollar sign: MongoDB gives that a meaning. */
const HEADER_NAME = /^[!#%&'*+.^_`|~0-9a-z-][!#$%&'*+.^_`|~0-9a-z-]*$/i;
/** Headers that the probe sets, or that would change where the message ends. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns an error when both places of the timeout are set to different values. */
export function timeoutErrors(input: { timeout_ms?: number; http?: { timeout_ms?: number } | null }): FieldError[] {
  const inside = input.http?.timeout_ms;
  const differ = inside !== undefined && input.timeout_ms !== undefined && inside !== input.timeout_ms;
  return differ ? [{ path: '/timeout_ms', message: 'must equal /http/timeout_ms when both are given' }] : [];
}

/**
 * Returns the errors when `http` does not match the type of the monitor. Its timeout applies to every type, because the
 * timeout is sent there on create.
 */
export function httpPresenceErrors(type: MonitorSettings['type'], http: CreateHttp | null | undefined): FieldError[] {
  if (type === 'http' && http === null)
    return [{ path: '/http', message: 'must be an object in an http monitor', code: 'required' }];
  if (type === 'http' || http === null || http === undefined) return [];
  return Object.keys(http)
    .filter((field) => field !== 'timeout_ms')
    .map((field) => ({ path: `/http/${field}`, message: `does not belong to a ${type} monitor`, code: 'other_type' }));
}

/** Returns everything that is wrong with the settings. */
export function settingsErrors(settings: MonitorSettings, rules: SettingsRules): FieldError[] {
  const errors: FieldError[] = [];
  if (settings.name === '') errors.push({ path: '/name', message: 'must not be empty', code: 'empty' });
  const target = parseTarget(settings.type, settings.url, rules.guard);
  if (!target.ok) errors.push({ path: '/url', message: target.message, code: target.code });
  errors.push(...locationErrors(settings, rules));
  if (settings.http !== null) errors.push(...httpErrors(settings.http));
  if (settings.tags.includes(''))
    errors.push({ path: '/tags', message: 'must not contain an empty tag', code: 'empty' });
  if (settings.runbook_url !== null) errors.push(...runbookErrors(settings.runbook_url));
  return errors;
}

function locationErrors(settings: MonitorSettings, rules: SettingsRules): FieldError[] {
  const errors: FieldError[] = [];
  const known = rules.locationCodes;
  settings.locations.forEach((code, index) => {
    const path = `/locations/${index}`;
    const unknown = {
      path,
      message: `must be a known location: ${known.join(', ')}`,
      code: 'unknown_location',
    } as const;
    if (!known.includes(code)) errors.push(unknown);
    else if (settings.locations.indexOf(code) !== index)
      errors.push({ path, message: 'must not be a duplicate', code: 'duplicate' });
  });
  if (settings.confirmations !== null && settings.confirmations > settings.locations.length) {
    const message = `must be at most ${settings.locations.length}, the number of locations of the monitor`;
    const params = { max: settings.locations.length };
    errors.push({ path: '/confirmations', message, code: 'more_than_locations', params });
  }
  return errors;
}

function httpErrors(http: HttpSettings): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['keyword', 'keyword_absent', 'body'] as const) {
    if (UNSTORABLE.test(http[field] ?? '')) {
      errors.push({ path: `/http/${field}`, message: 'must not contain control characters', code: 'controls' });
    }
  }
  if (http.method === 'HEAD') {
    for (const field of ['keyword', 'keyword_absent'] as const) {
      if (http[field] === null) continue;
      errors.push({
        path: `/http/${field}`,
        message: 'requires a method that returns a body; HEAD does not',
        code: 'needs_body',
      });
    }
  }
  return [...errors, ...headerErrors(http.headers)];
}

function headerErrors(headers: HttpSettings['headers']): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const chars = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (chars > HEADERS_CHARS_MAX) {
    const message = `must have at most ${HEADERS_CHARS_MAX} characters together`;
    errors.push({ path: '/http/headers', message, code: 'max_length', params: { max: HEADERS_CHARS_MAX } });
  }
  for (const name of Object.keys(headers)) {
    const path = headerPath(name);
    const lower = name.toLowerCase();
    if (name.length > HEADER_NAME_CHARS_MAX) {
      const message = `must have at most ${HEADER_NAME_CHARS_MAX} characters`;
      errors.push({ path, message, code: 'max_length', params: { max: HEADER_NAME_CHARS_MAX } });
    } else if (!HEADER_NAME.test(name)) errors.push({ path, message: 'must be a header name', code: 'header_name' });
    else if (RESERVED_HEADERS.has(lower))
      errors.push({ path, message: 'is set by the probe', code: 'header_of_probe' });
    else if (seen.has(lower)) errors.push({ path, message: 'must not be a duplicate', code: 'duplicate' });
    seen.add(lower);
  }
  return errors;
}

function runbookErrors(url: string): FieldError[] {
  const path = '/runbook_url';
  if (!isWebAddress(url)) return [{ path, message: 'must be an absolute http or https URL', code: 'web_address' }];
  if (userInfoOf(url) === null) return [];
  const message = 'must not contain a user name or password: notifications contain this URL';
  return [{ path, message, code: 'user_info' }];
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\/[^/?#\s]/i.test(url) && URL.canParse(url);
}
