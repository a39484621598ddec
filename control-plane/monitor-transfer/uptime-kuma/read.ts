import type { FieldError, FieldErrorParams } from '../../errors.js';
import { RETRIES_MAX, TAG_CHARS_MAX, TAGS_MAX, TIMEOUT_MS_MAX } from '../../monitors/schema.js';
import { httpSettings } from './http.js';
import { isSet, number, type Reading, type Row, text, Unsupported } from './row.js';

/** One monitor of a backup: the entry of a Picket file that it becomes, or why it is refused. */
interface KumaMonitor {
  name: string;
  /** Not validated; null when refused. */
  entry: Record<string, unknown> | null;
  reason: string | null;
  /** The reason for programs. */
  params: FieldErrorParams;
  /** Settings that cannot be imported exactly. */
  notes: FieldError[];
}

/**
 * Reads a monitor in the `monitorList` of an Uptime Kuma backup (Settings, Backup; versions 1.x): an http, keyword, port or
 * ping monitor. Other types, and monitors with settings that Picket does not support, are refused.
 */
export function readKumaRow(value: unknown): KumaMonitor {
  const row: Row = typeof value === 'object' && value !== null ? { ...value } : {};
  const reading: Reading = { row, notes: [] };
  const name = text(row['name']) ?? '';
  try {
    const entry = { name, ...commonSettings(reading), ...target(reading) };
    return { name, entry, reason: null, params: {}, notes: reading.notes };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return { name, entry: null, reason: error.message, params: error.params, notes: [] };
  }
}

/** Returns the monitors of a backup, which has an array. The list that its dashboard receives is an object by id. */
export function rowsOf(monitorList: unknown): unknown[] {
  return Array.isArray(monitorList) ? monitorList : Object.values(Object(monitorList));
}

function commonSettings(reading: Reading): Row {
  const { row } = reading;
  if (isSet(row['upsideDown']))
    throw new Unsupported('is in upside-down mode, which Picket does not support', 'upside_down');
  const interval = number(row['interval']);
  const tags = tagsOf(reading);
  return {
    ...(interval === null ? {} : { interval_seconds: Math.round(interval) }),
    ...retries(reading),
    ...timeout(reading),
    ...(tags.length === 0 ? {} : { tags }),
    ...(row['active'] === false || row['active'] === 0 ? { paused: true } : {}),
  };
}

function retries({ row, notes }: Reading): Row {
  const count = number(row['maxretries']);
  if (count === null) return {};
  if (count > RETRIES_MAX) {
    const message = `${count} retries became ${RETRIES_MAX}, the maximum of Picket`;
    notes.push({ path: '/retries', message, code: 'reduced', params: { from: count, to: RETRIES_MAX } });
  }
  return { retries: Math.max(0, Math.min(RETRIES_MAX, Math.round(count))) };
}

function timeout({ row, notes }: Reading): Row {
  const seconds = number(row['timeout']);
  // In Uptime Kuma, 0 and an absent value both mean the default.
  if (seconds === null || seconds <= 0) return {};
  const ms = Math.round(seconds * 1_000);
  if (ms > TIMEOUT_MS_MAX) {
    const message = `a timeout of ${seconds} s became ${TIMEOUT_MS_MAX / 1_000} s, the maximum of Picket`;
    notes.push({ path: '/timeout_ms', message, code: 'reduced', params: { from: ms, to: TIMEOUT_MS_MAX } });
  }
  return { timeout_ms: Math.min(ms, TIMEOUT_MS_MAX) };
}

function tagsOf({ row, notes }: Reading): string[] {
  const source = Array.isArray(row['tags']) ? row['tags'] : [];
  const tags = new Set<string>();
  for (const tag of source) {
    const { name, value } = Object(tag);
    const label = [text(name), text(value)].filter((part) => part !== null).join(':');
    if (label !== '') tags.add(label.slice(0, TAG_CHARS_MAX).trim());
  }
  if (tags.size > TAGS_MAX) {
    const message = `only the first ${TAGS_MAX} of ${tags.size} tags were imported`;
    notes.push({ path: '/tags', message, code: 'first_only', params: { max: TAGS_MAX, count: tags.size } });
  }
  return [...tags].slice(0, TAGS_MAX);
}

function target(reading: Reading): Row {
  const { row } = reading;
  const type = text(row['type']);
  switch (type) {
    case 'http':
    case 'keyword':
      return { type: 'http', url: text(row['url']) ?? '', http: httpSettings(reading, type) };
    case 'port': {
      const port = number(row['port']);
      return { type: 'tcp', url: `${bracketed(text(row['hostname']) ?? '')}:${port ?? ''}` };
    }
    case 'ping':
      return { type: 'ping', url: text(row['hostname']) ?? '' };
    case null:
      throw new Unsupported('has no type', 'no_type');
    default:
      throw new Unsupported(`has the type ${type}, which Picket does not support`, 'type', type);
  }
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
