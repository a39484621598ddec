import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import type { MonitorDocument } from '../monitors/documents.js';
import { RETRIES_DEFAULT, TIMEOUT_MS_DEFAULT } from '../monitors/schema.js';
import { HTTP_DEFAULTS } from '../monitors/settings.js';
import { CreateMonitor } from '../monitors/settings-schema.js';

/** The one version there is of the file's shape. */
export const PORTABLE_VERSION = 1;
export const IMPORT_MONITORS_MAX = 2_000;

/** A monitor in an exported file: what creates it, without id and state. What is left out has its default. */
export const PortableMonitor = Type.Object(
  {
    ...CreateMonitor.properties,
    paused: Type.Optional(
      Type.Boolean({ default: false, description: 'Starts paused. Says nothing about a monitor that exists already.' }),
    ),
  },
  { additionalProperties: false },
);
export type PortableMonitor = Static<typeof PortableMonitor>;

/** Only what differs from the defaults, but for the members that everybody looks for. */
export function toPortable(monitor: MonitorDocument): PortableMonitor {
  const portable: PortableMonitor = {
    name: monitor.name,
    url: monitor.url,
    type: monitor.type,
    interval_seconds: monitor.interval_seconds,
    locations: monitor.locations,
  };
  if (monitor.timeout_ms !== TIMEOUT_MS_DEFAULT) portable.timeout_ms = monitor.timeout_ms;
  if (monitor.http !== null) {
    const http = withoutDefaults(monitor.http, HTTP_DEFAULTS);
    if (Object.keys(http).length > 0) portable.http = http;
  }
  return { ...portable, ...withoutDefaults(monitor, MONITOR_DEFAULTS), ...(isPaused(monitor) ? { paused: true } : {}) };
}

const MONITOR_DEFAULTS = { confirmations: null, retries: RETRIES_DEFAULT, channels: null, tags: [], runbook_url: null };

function isPaused(monitor: MonitorDocument): boolean {
  return monitor.paused_at_ms !== null;
}

/** Those members of `value` that stand in `defaults` with another value. */
function withoutDefaults<T extends object>(value: T, defaults: { [Member in keyof T]?: unknown }): Partial<T> {
  const kept: Partial<T> = {};
  for (const member of Object.keys(defaults) as (keyof T & string)[]) {
    if (!isDeepStrictEqual(value[member], defaults[member])) kept[member] = value[member];
  }
  return kept;
}
