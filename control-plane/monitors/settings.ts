import type { TargetGuard } from '../../kernel/target-guard.js';
import { PLAN_NAMES, PLANS, type PlanLimits, type PlanName } from '../accounts/plans.js';
import { AppError, type FieldError } from '../errors.js';
import type { HttpSettings, MonitorDocument } from './documents.js';
import {
  EXPECTED_STATUS_DEFAULT,
  INTERVAL_SECONDS_DEFAULT,
  LOCATIONS_MAX,
  RETRIES_DEFAULT,
  TIMEOUT_MS_DEFAULT,
} from './schema.js';
import type { CreateHttp, CreateMonitor, UpdateMonitor } from './settings-schema.js';
import { parseTarget } from './target.js';

const SETTINGS = [
  'name',
  'url',
  'type',
  'interval_seconds',
  'timeout_ms',
  'locations',
  'http',
  'confirmations',
  'retries',
  'channels',
  'tags',
  'runbook_url',
] as const;

/** The part of a monitor that people decide. */
export type MonitorSettings = Pick<MonitorDocument, (typeof SETTINGS)[number]>;

/** Without everything else that a monitor has. */
export function settingsOf(monitor: MonitorSettings): MonitorSettings {
  return Object.fromEntries(SETTINGS.map((member) => [member, monitor[member]])) as MonitorSettings;
}

/** What settings are judged by. */
export interface SettingsRules {
  plan: PlanName;
  /** Known locations, in order of preference. */
  locationCodes: readonly string[];
  guard: TargetGuard;
}

/** Settings with every default in place, or all that is wrong with them. */
export type CheckedSettings = { settings: MonitorSettings; errors: FieldError[] };

export const HTTP_DEFAULTS: HttpSettings = {
  method: 'GET',
  expected_status: EXPECTED_STATUS_DEFAULT,
  keyword: null,
  keyword_absent: null,
  follow_redirects: true,
  ignore_tls_errors: false,
  headers: {},
  body: null,
};

/** NUL and half characters, which not every store and wire can carry. */
const UNSTORABLE = /[\0\p{Cs}]/u;
/** A header's name as RFC 9110 has it, but for a dollar sign in front: the database gives those a meaning. */
const HEADER_NAME = /^[!#%&'*+.^_`|~0-9a-z-][!#$%&'*+.^_`|~0-9a-z-]*$/i;
/** Those that the probe writes itself, or that would change where the message ends. */
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

/** Settings of a new monitor. Pure: the plan's limits are another matter, see `planRefusal`. */
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

/** Merges a change into the settings: `http` member by member, everything else as a whole. */
export function changedSettings(current: MonitorSettings, patch: UpdateMonitor, rules: SettingsRules): CheckedSettings {
  const { http: httpPatch, timeout_ms: topTimeoutMs, ...rest } = patch;
  const { timeout_ms: httpTimeoutMs, ...http } = httpPatch ?? {};
  const type = patch.type ?? current.type;
  const settings: MonitorSettings = {
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
  const shape = [...timeoutErrors(patch), ...httpPresenceErrors(type, httpPatch)];
  return { settings, errors: [...shape, ...settingsErrors(settings, rules)] };
}

/** Throws 422 with every error, or answers the settings. */
export function acceptSettings(checked: CheckedSettings): MonitorSettings {
  const [first] = checked.errors;
  if (first === undefined) return checked.settings;
  throw new AppError('validation_failed', `${first.path} ${first.message}.`, { errors: checked.errors });
}

/**
 * Why the plan refuses these settings, naming the plan that takes them; null when it does not. Of a monitor
 * that exists only what changes is judged, so that one made on a larger plan can still be edited.
 */
export function planRefusal(settings: MonitorSettings, before: MonitorSettings | null, plan: PlanName): string | null {
  const limits = PLANS[plan];
  const { interval_seconds: interval, locations } = settings;
  if (interval < limits.intervalSecondsMin && interval !== before?.interval_seconds) {
    const lifts = planThat((larger) => interval >= larger.intervalSecondsMin);
    return `The ${plan} plan checks every ${limits.intervalSecondsMin} seconds at most${lifts(`takes ${interval} seconds`)}.`;
  }
  if (locations.length > limits.locationsPerMonitor && locations.length > (before?.locations.length ?? 0)) {
    const lifts = planThat((larger) => locations.length <= larger.locationsPerMonitor);
    return `The ${plan} plan allows ${limits.locationsPerMonitor} locations for each monitor${lifts(`allows ${locations.length}`)}.`;
  }
  return null;
}

/** The end of a sentence about a limit: the smallest plan that lifts it, where one does. */
function planThat(suffices: (limits: PlanLimits) => boolean): (what: string) => string {
  const name = PLAN_NAMES.find((plan) => suffices(PLANS[plan]));
  return (what) => (name === undefined ? '; no plan allows more' : `; the ${name} plan ${what}`);
}

function defaultLocations(rules: SettingsRules): string[] {
  return rules.locationCodes.slice(0, Math.min(PLANS[rules.plan].locationsPerMonitor, LOCATIONS_MAX));
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function timeoutErrors(input: { timeout_ms?: number; http?: { timeout_ms?: number } | null }): FieldError[] {
  const inside = input.http?.timeout_ms;
  const differ = inside !== undefined && input.timeout_ms !== undefined && inside !== input.timeout_ms;
  return differ ? [{ path: '/timeout_ms', message: 'must equal /http/timeout_ms where both are given' }] : [];
}

function httpPresenceErrors(type: MonitorSettings['type'], http: CreateHttp | null | undefined): FieldError[] {
  if (type === 'http' && http === null) return [{ path: '/http', message: 'must be an object in an http monitor' }];
  if (type !== 'http' && http !== null && http !== undefined) {
    return [{ path: '/http', message: `must be null or absent in a ${type} monitor` }];
  }
  return [];
}

function settingsErrors(settings: MonitorSettings, rules: SettingsRules): FieldError[] {
  const errors: FieldError[] = [];
  if (settings.name === '') errors.push({ path: '/name', message: 'must not be empty' });
  const target = parseTarget(settings.type, settings.url, rules.guard);
  if (!target.ok) errors.push({ path: '/url', message: target.message });
  errors.push(...locationErrors(settings, rules));
  if (settings.http !== null) errors.push(...httpErrors(settings.http));
  if (settings.tags.includes('')) errors.push({ path: '/tags', message: 'must not contain an empty tag' });
  if (settings.runbook_url !== null && !isWebAddress(settings.runbook_url)) {
    errors.push({ path: '/runbook_url', message: 'must be an absolute http or https URL' });
  }
  return errors;
}

function locationErrors(settings: MonitorSettings, rules: SettingsRules): FieldError[] {
  const errors: FieldError[] = [];
  const known = rules.locationCodes;
  settings.locations.forEach((code, index) => {
    const path = `/locations/${index}`;
    if (!known.includes(code)) errors.push({ path, message: `must be a known location: ${known.join(', ')}` });
    else if (settings.locations.indexOf(code) !== index) errors.push({ path, message: 'must not stand twice' });
  });
  if (settings.confirmations !== null && settings.confirmations > settings.locations.length) {
    const message = `must not be more than the ${settings.locations.length} locations of the monitor`;
    errors.push({ path: '/confirmations', message });
  }
  return errors;
}

function httpErrors(http: HttpSettings): FieldError[] {
  const errors: FieldError[] = [];
  for (const member of ['keyword', 'keyword_absent', 'body'] as const) {
    if (UNSTORABLE.test(http[member] ?? '')) {
      errors.push({ path: `/http/${member}`, message: 'must not contain control characters' });
    }
  }
  if (http.method === 'HEAD') {
    for (const member of ['keyword', 'keyword_absent'] as const) {
      if (http[member] === null) continue;
      errors.push({ path: `/http/${member}`, message: 'needs a method that returns a body; HEAD does not' });
    }
  }
  const seen = new Set<string>();
  for (const name of Object.keys(http.headers)) {
    const path = `/http/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) errors.push({ path, message: 'must be a header name' });
    else if (RESERVED_HEADERS.has(lower)) errors.push({ path, message: 'is set by the probe itself' });
    else if (seen.has(lower)) errors.push({ path, message: 'must not stand twice' });
    seen.add(lower);
  }
  return errors;
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\/[^/?#\s]/i.test(url) && URL.canParse(url);
}
