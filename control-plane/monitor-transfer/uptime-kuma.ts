import { HTTP_METHODS, RETRIES_MAX, TAG_CHARS_MAX, TAGS_MAX, TIMEOUT_MS_MAX } from '../monitors/schema.js';

/** One monitor of a backup: the entry of our own file that it becomes, or why it becomes none. */
export interface KumaMonitor {
  name: string;
  /** Still to be checked as an entry of a file is; null when refused. */
  entry: Record<string, unknown> | null;
  reason: string | null;
  /** What could not be taken over exactly. */
  notes: string[];
}

type Row = Record<string, unknown>;
type Reading = { row: Row; notes: string[] };

/** Thrown for a monitor that cannot be taken over; never leaves this file. */
class Unsupported extends Error {}

/**
 * Reads the `monitorList` of an Uptime Kuma backup (Settings, Backup; versions 1.x): http, keyword, port and ping
 * monitors. Others, and what would be watched for something else than there, are refused one by one.
 */
export function readUptimeKuma(monitorList: unknown): KumaMonitor[] {
  return listed(monitorList).map((row) => {
    const reading: Reading = { row, notes: [] };
    const name = text(row['name']) ?? '';
    try {
      return { name, entry: { name, ...common(reading), ...target(reading) }, reason: null, notes: reading.notes };
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      return { name, entry: null, reason: error.message, notes: [] };
    }
  });
}

/** An array in a backup; an object by id where somebody kept what the server sends to its pages. */
function listed(monitorList: unknown): Row[] {
  const rows = Array.isArray(monitorList) ? monitorList : Object.values(Object(monitorList));
  return rows.map((row: unknown): Row => (typeof row === 'object' && row !== null ? { ...row } : {}));
}

function common(reading: Reading): Row {
  const { row } = reading;
  if (truthy(row['upsideDown'])) throw new Unsupported('is upside down: Picket has no monitor that wants a failure');
  const tags = tagsOf(reading);
  return {
    ...(number(row['interval']) === null ? {} : { interval_seconds: Math.round(number(row['interval']) ?? 0) }),
    ...retries(reading),
    ...timeout(reading),
    ...(tags.length === 0 ? {} : { tags }),
    ...(row['active'] === false || row['active'] === 0 ? { paused: true } : {}),
  };
}

function retries({ row, notes }: Reading): Row {
  const given = number(row['maxretries']);
  if (given === null) return {};
  if (given > RETRIES_MAX) notes.push(`${given} retries became ${RETRIES_MAX}, the most that Picket makes`);
  return { retries: Math.max(0, Math.min(RETRIES_MAX, Math.round(given))) };
}

function timeout({ row, notes }: Reading): Row {
  const seconds = number(row['timeout']);
  // 0 and absent both stand for a default there.
  if (seconds === null || seconds <= 0) return {};
  const ms = Math.round(seconds * 1_000);
  if (ms > TIMEOUT_MS_MAX)
    notes.push(`a timeout of ${seconds} s became ${TIMEOUT_MS_MAX / 1_000} s, the longest there is`);
  return { timeout_ms: Math.min(ms, TIMEOUT_MS_MAX) };
}

function tagsOf({ row, notes }: Reading): string[] {
  const given = Array.isArray(row['tags']) ? row['tags'] : [];
  const tags = new Set<string>();
  for (const tag of given) {
    const { name, value } = Object(tag);
    const words = [text(name), text(value)].filter((part) => part !== null).join(':');
    if (words !== '') tags.add(words.slice(0, TAG_CHARS_MAX).trim());
  }
  if (tags.size > TAGS_MAX) notes.push(`only the first ${TAGS_MAX} of ${tags.size} tags were taken`);
  return [...tags].slice(0, TAGS_MAX);
}

function target(reading: Reading): Row {
  const { row } = reading;
  const type = text(row['type']) ?? 'without a type';
  switch (type) {
    case 'http':
    case 'keyword':
      return { type: 'http', url: text(row['url']) ?? '', http: http(reading, type) };
    case 'port': {
      const port = number(row['port']);
      return { type: 'tcp', url: `${bracketed(text(row['hostname']) ?? '')}:${port ?? ''}` };
    }
    case 'ping':
      return { type: 'ping', url: text(row['hostname']) ?? '' };
    default:
      throw new Unsupported(`is of the type ${type}, which Picket does not have`);
  }
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function http(reading: Reading, type: 'http' | 'keyword'): Row {
  const { row } = reading;
  if (row['proxyId'] !== null && row['proxyId'] !== undefined) {
    throw new Unsupported('goes through a proxy, which Picket does not do');
  }
  const body = text(row['body']);
  return {
    method: method(row),
    expected_status: expectedStatus(reading),
    ...(type === 'keyword' ? keyword(row) : {}),
    ...(row['maxredirects'] === 0 ? { follow_redirects: false } : {}),
    ...(truthy(row['ignoreTls']) ? { ignore_tls_errors: true } : {}),
    headers: headers(row, body !== null),
    ...(body === null ? {} : { body }),
  };
}

function method(row: Row): string {
  const given = (text(row['method']) ?? 'GET').toUpperCase();
  const known = HTTP_METHODS.find((name) => name === given);
  if (known === undefined) throw new Unsupported(`uses the method ${given}, which Picket does not have`);
  return known;
}

function keyword(row: Row): Row {
  const word = text(row['keyword']);
  if (word === null) throw new Unsupported('looks for a keyword but has none');
  return truthy(row['invertKeyword']) ? { keyword_absent: word } : { keyword: word };
}

/** There, any code of several ranges is good; here, one is. 200 where it is among them, else the first. */
function expectedStatus({ row, notes }: Reading): number {
  const given = Array.isArray(row['accepted_statuscodes']) ? row['accepted_statuscodes'] : [];
  const ranges = given.flatMap((range: unknown) => {
    const [, from, to] = /^(\d{3})(?:-(\d{3}))?$/.exec(text(range) ?? '') ?? [];
    return from === undefined ? [] : [{ from: Number(from), to: Number(to ?? from) }];
  });
  const [first] = ranges;
  if (first === undefined) return 200;
  const status = ranges.some(({ from, to }) => from <= 200 && to >= 200) ? 200 : first.from;
  if (ranges.length > 1 || first.from !== first.to) notes.push(`the status codes ${given.join(', ')} became ${status}`);
  return status;
}

const BODY_TYPES: Record<string, string> = {
  json: 'application/json',
  xml: 'text/xml; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
};

function headers(row: Row, hasBody: boolean): Row {
  const given: Row = {};
  const source = text(row['headers']);
  if (source !== null) Object.assign(given, parsedHeaders(source));
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  if (hasBody && !names.has('content-type')) {
    given['content-type'] = BODY_TYPES[text(row['httpBodyEncoding']) ?? 'json'] ?? 'application/json';
  }
  const authorization = authorizationOf(row);
  if (authorization !== null && !names.has('authorization')) given['authorization'] = authorization;
  return given;
}

function parsedHeaders(source: string): Row {
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch {
    // The message below says what is wrong; where in the text does not help.
    parsed = null;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Unsupported('has headers that are not a JSON object');
  }
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
}

function authorizationOf(row: Row): string | null {
  const method = text(row['authMethod']) ?? 'basic';
  if (method !== 'basic') throw new Unsupported(`authenticates by ${method}, which Picket does not do`);
  const user = text(row['basic_auth_user']);
  if (user === null) return null;
  const password = typeof row['basic_auth_pass'] === 'string' ? row['basic_auth_pass'] : '';
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Some versions write numbers as text. */
function number(value: unknown): number | null {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : null;
}

/** Flags are true and false in one version, 1 and 0 in another. */
function truthy(value: unknown): boolean {
  return value === true || value === 1 || value === '1';
}
