import { isDeepStrictEqual } from 'node:util';
import type { HttpSettings, MonitorDocument } from '../documents.js';
import type { MonitorSecrets, SecretHttpFields } from '../secrets/secrets.js';
import type { MonitorSettings, ShownSettings } from '../settings/settings.js';

/**
 * The settings that a bulk change changed of a monitor, as they were before, and no other: what has changed otherwise since
 * then must stay, above all secrets. A bulk change cannot change the name, the URL or the type.
 */
export interface SettingsImage {
  of: 'settings';
  fields: Partial<Omit<ShownSettings, 'name' | 'url' | 'type' | 'http'>>;
  http: Partial<Omit<HttpSettings, keyof SecretHttpFields>>;
  /** The changed ones of headers and body, sealed; null when neither has changed. */
  sealed: string | null;
}

/** Returns the image of a change of settings. */
export function settingsImage(
  secrets: MonitorSecrets,
  { _id }: MonitorDocument,
  before: MonitorSettings,
  after: MonitorSettings,
): SettingsImage {
  const { name: _name, url: _url, type: _type, http, ...fields } = before;
  const changed: Partial<HttpSettings> = http === null ? {} : differing(http, after.http ?? {});
  const { headers, body, ...open } = changed;
  const secret = { ...(headers === undefined ? {} : { headers }), ...(body === undefined ? {} : { body }) };
  return {
    of: 'settings',
    fields: differing(fields, after),
    http: open,
    sealed: Object.keys(secret).length === 0 ? null : secrets.sealFields(_id, secret),
  };
}

/** Returns the settings with the fields of the image as they were; null when its secrets cannot be opened. */
export function withImage(
  secrets: MonitorSecrets,
  { _id }: MonitorDocument,
  current: MonitorSettings,
  { fields, http, sealed }: SettingsImage,
): MonitorSettings | null {
  const secret = sealed === null ? {} : secrets.openFields(_id, sealed);
  if (secret === null) return null;
  // A monitor that has another type since then has no HTTP settings.
  return { ...current, ...fields, http: current.http === null ? null : { ...current.http, ...http, ...secret } };
}

/** Returns the fields of `before` that have another value in `after`. */
function differing<T extends object>(before: T, after: Partial<Record<keyof T, unknown>>): Partial<T> {
  const entries = Object.entries(before) as [keyof T, T[keyof T]][];
  return Object.fromEntries(entries.filter(([field, value]) => !isDeepStrictEqual(value, after[field]))) as Partial<T>;
}
