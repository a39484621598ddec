import { isDeepStrictEqual } from 'node:util';
import { shownUrl } from '../../../kernel/urls/shown-url.js';
import type { HttpSettings } from '../documents.js';
import { type MonitorSettings, settingsOf } from './settings.js';

/** Returns the changed settings for the audit log, without header values, request bodies, passwords and values of queries. */
export function settingsChanges(
  before: MonitorSettings,
  after: MonitorSettings,
): Record<string, { from: unknown; to: unknown }> {
  const from = auditable(settingsOf(before));
  const to = auditable(settingsOf(after));
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const field of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (differs(field, before, after, from, to)) {
      changes[field] = { from: from[field] ?? null, to: to[field] ?? null };
    }
  }
  return changes;
}

/** Compares secret fields by their real value, although the audit log shows only a redacted one. */
function differs(
  field: string,
  before: MonitorSettings,
  after: MonitorSettings,
  from: Record<string, unknown>,
  to: Record<string, unknown>,
): boolean {
  if (field === 'url') return before.url !== after.url;
  if (field === 'http.headers') return !isDeepStrictEqual(before.http?.headers ?? {}, after.http?.headers ?? {});
  if (field === 'http.body') return (before.http?.body ?? null) !== (after.http?.body ?? null);
  return !isDeepStrictEqual(from[field] ?? null, to[field] ?? null);
}

function auditable({ http, ...settings }: MonitorSettings): Record<string, unknown> {
  return {
    ...settings,
    url: shownUrl(settings.url),
    runbook_url: settings.runbook_url === null ? null : shownUrl(settings.runbook_url),
    ...(http === null ? {} : auditableHttp(http)),
  };
}

function auditableHttp({ headers, body, ...http }: HttpSettings): Record<string, unknown> {
  const shown = Object.entries(http).map(([field, value]) => [`http.${field}`, value]);
  return {
    ...Object.fromEntries(shown),
    'http.headers': Object.keys(headers),
    'http.body': body === null ? null : '[hidden]',
  };
}
