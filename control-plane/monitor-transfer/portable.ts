import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import type { MonitorDocument } from '../monitors/documents.js';
import { CreateMonitor, HTTP_DEFAULTS, type ShownSettings } from '../monitors/monitors.js';
import { RETRIES_DEFAULT, TIMEOUT_MS_DEFAULT } from '../monitors/schema.js';

/** The version of the file format. */
export const PORTABLE_VERSION = 1;
export const IMPORT_MONITORS_MAX = 2_000;

/** A monitor in an exported file: the settings that create it, without id and state. An omitted field has its default. */
export const PortableMonitor = Type.Object(
  {
    ...CreateMonitor.properties,
    paused: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Creates the monitor paused. Has no effect on a monitor that already exists.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type PortableMonitor = Static<typeof PortableMonitor>;

/** Returns the fields that differ from their defaults, and always those that identify a monitor to a reader. */
export function toPortable(monitor: ShownSettings & Pick<MonitorDocument, 'paused_at_ms'>): PortableMonitor {
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
  return {
    ...portable,
    ...withoutDefaults(monitor, MONITOR_DEFAULTS),
    ...(monitor.paused_at_ms === null ? {} : { paused: true }),
  };
}

const MONITOR_DEFAULTS = { confirmations: null, retries: RETRIES_DEFAULT, channels: null, tags: [], runbook_url: null };

/** Returns the fields of `value` that are in `defaults` with another value. */
function withoutDefaults<T extends object>(value: T, defaults: { [Field in keyof T]?: unknown }): Partial<T> {
  const kept: Partial<T> = {};
  for (const field of Object.keys(defaults) as (keyof T & string)[]) {
    if (!isDeepStrictEqual(value[field], defaults[field])) kept[field] = value[field];
  }
  return kept;
}
