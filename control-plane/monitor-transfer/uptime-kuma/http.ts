import { HTTP_METHODS } from '../../monitors/schema.js';
import { isSet, type Reading, type Row, text, Unsupported } from './row.js';

/** Returns the `http` settings of an http or keyword monitor. */
export function httpSettings(reading: Reading, type: 'http' | 'keyword'): Row {
  const { row } = reading;
  if (row['proxyId'] !== null && row['proxyId'] !== undefined) {
    throw new Unsupported('uses a proxy, which Picket does not support', 'proxy');
  }
  const body = text(row['body']);
  return {
    method: method(row),
    expected_status: expectedStatus(reading),
    ...(type === 'keyword' ? keyword(row) : {}),
    ...(row['maxredirects'] === 0 ? { follow_redirects: false } : {}),
    ...(isSet(row['ignoreTls']) ? { ignore_tls_errors: true } : {}),
    headers: headers(row, body !== null),
    ...(body === null ? {} : { body }),
  };
}

function method(row: Row): string {
  const name = (text(row['method']) ?? 'GET').toUpperCase();
  const known = HTTP_METHODS.find((candidate) => candidate === name);
  if (known === undefined) {
    throw new Unsupported(`uses the method ${name}, which Picket does not support`, 'method', name);
  }
  return known;
}

function keyword(row: Row): Row {
  const word = text(row['keyword']);
  if (word === null) throw new Unsupported('is a keyword monitor without a keyword', 'no_keyword');
  return isSet(row['invertKeyword']) ? { keyword_absent: word } : { keyword: word };
}

/** Uptime Kuma accepts ranges of status codes, Picket accepts one code: 200 if the ranges include it, else the first. */
function expectedStatus({ row, notes }: Reading): number {
  const accepted = Array.isArray(row['accepted_statuscodes']) ? row['accepted_statuscodes'] : [];
  const ranges = accepted.flatMap((range: unknown) => {
    const [, from, to] = /^(\d{3})(?:-(\d{3}))?$/.exec(text(range) ?? '') ?? [];
    return from === undefined ? [] : [{ from: Number(from), to: Number(to ?? from) }];
  });
  const [first] = ranges;
  if (first === undefined) return 200;
  const status = ranges.some(({ from, to }) => from <= 200 && to >= 200) ? 200 : first.from;
  if (ranges.length > 1 || first.from !== first.to) {
    const codes = accepted.map((one) => text(one) ?? '');
    const message = `the accepted status codes ${codes.join(', ')} became ${status}`;
    const params = { values: codes.filter((one) => one !== ''), to: status };
    notes.push({ path: '/http/expected_status', message, code: 'one_status', params });
  }
  return status;
}

const BODY_TYPES: Record<string, string> = {
  json: 'application/json',
  xml: 'text/xml; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
};

function headers(row: Row, hasBody: boolean): Row {
  const result: Row = {};
  const source = text(row['headers']);
  if (source !== null) Object.assign(result, parsedHeaders(source));
  const names = new Set(Object.keys(result).map((name) => name.toLowerCase()));
  if (hasBody && !names.has('content-type')) {
    result['content-type'] = BODY_TYPES[text(row['httpBodyEncoding']) ?? 'json'] ?? 'application/json';
  }
  const authorization = authorizationOf(row);
  if (authorization !== null && !names.has('authorization')) result['authorization'] = authorization;
  return result;
}

function parsedHeaders(source: string): Row {
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch {
    // The error below is sufficient. The position of the syntax error would not help.
    parsed = null;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Unsupported('has headers that are not a JSON object', 'headers');
  }
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, headerValue(value)]));
}

/** The text of an object or a list would not be its content, and reading it can fail: `{"toString": 1}`. */
function headerValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) throw new Unsupported('has a header that is not text', 'headers');
  return String(value);
}

function authorizationOf(row: Row): string | null {
  const authMethod = text(row['authMethod']) ?? 'basic';
  if (authMethod !== 'basic') {
    const message = `uses ${authMethod} authentication, which Picket does not support`;
    throw new Unsupported(message, 'authentication', authMethod);
  }
  const user = text(row['basic_auth_user']);
  if (user === null) return null;
  const password = typeof row['basic_auth_pass'] === 'string' ? row['basic_auth_pass'] : '';
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
