import { PLANS } from '../../plans/plans.js';
import { INTERVAL_SECONDS_DEFAULT, LOCATIONS_MAX, RETRIES_DEFAULT, TIMEOUT_MS_DEFAULT } from '../schema.js';
import { secretsOf, unmasked } from './masks.js';
import type { CreateMonitor, UpdateMonitor } from './schema.js';
import { type CheckedSettings, HTTP_DEFAULTS, type MonitorSettings, type SettingsRules } from './settings.js';
import { httpPresenceErrors, settingsErrors, timeoutErrors } from './validate.js';

/** Returns the settings of a new monitor. Pure. `planRefusal` checks the plan's limits, `unmasked` the masks. */
export function newSettings(input: CreateMonitor, rules: SettingsRules): CheckedSettings {
  const { timeout_ms: httpTimeoutMs, ...http } = input.http ?? {};
  const settings: MonitorSettings = {
    name: input.name.trim(),
    url: input.url.trim(),
    type: input.type,
    interval_seconds: input.interval_seconds ?? INTERVAL_SECONDS_DEFAULT,
    timeout_ms: input.timeout_ms ?? httpTimeoutMs ?? TIMEOUT_MS_DEFAULT,
    locations: input.locations ?? defaultLocations(rules),
    http: input.type === 'http' ? { ...HTTP_DEFAULTS, ...http } : null,
    confirmations: input.confirmations ?? null,
    retries: input.retries ?? RETRIES_DEFAULT,
    channels: input.channels ?? null,
    tags: distinct((input.tags ?? []).map((tag) => tag.trim())),
    runbook_url: input.runbook_url?.trim() ?? null,
  };
  const shape = [...timeoutErrors(input), ...httpPresenceErrors(input.type, input.http)];
  return { settings, errors: [...shape, ...settingsErrors(settings, rules)] };
}

/**
 * Returns the settings after an update: `http` is merged field by field, every other field is replaced, and a mask
 * keeps the secret that it stands for.
 */
export function changedSettings(current: MonitorSettings, patch: UpdateMonitor, rules: SettingsRules): CheckedSettings {
  const { http: httpPatch, timeout_ms: topTimeoutMs, ...rest } = patch;
  const { timeout_ms: httpTimeoutMs, ...http } = httpPatch ?? {};
  const type = patch.type ?? current.type;
  const sent: MonitorSettings = {
    ...current,
    ...rest,
    name: (patch.name ?? current.name).trim(),
    url: (patch.url ?? current.url).trim(),
    type,
    timeout_ms: topTimeoutMs ?? httpTimeoutMs ?? current.timeout_ms,
    http: type === 'http' ? { ...HTTP_DEFAULTS, ...current.http, ...http } : null,
    tags: distinct((patch.tags ?? current.tags).map((tag) => tag.trim())),
    runbook_url: (patch.runbook_url === undefined ? current.runbook_url : patch.runbook_url)?.trim() ?? null,
  };
  const { settings, errors } = unmasked(sent, secretsOf(current), current.url);
  const shape = [...timeoutErrors(patch), ...httpPresenceErrors(type, httpPatch)];
  return { settings, errors: [...shape, ...errors, ...settingsErrors(settings, rules)] };
}

function defaultLocations(rules: SettingsRules): string[] {
  return rules.locationCodes.slice(0, Math.min(PLANS[rules.plan].locationsPerMonitor, LOCATIONS_MAX));
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
