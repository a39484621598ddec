import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import { type FieldError, invalidFields } from '../../errors.js';
import type { PlanName } from '../../plans/plans.js';
import type { HttpSettings, MonitorDocument } from '../documents.js';
import { EXPECTED_STATUS_DEFAULT } from '../schema.js';
import { wantedOf } from '../terms/limited.js';

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

/** The fields of a monitor that users set. Of a stored monitor, masks stand for the secrets. */
export type ShownSettings = Pick<MonitorDocument, (typeof SETTINGS)[number]>;

/** The same fields of a stored monitor, of which its plan may allow less than the user set. */
export type StoredSettings = ShownSettings & Pick<MonitorDocument, 'wanted'>;

/** The settings with their secrets. A stored monitor does not fit this type: its secrets must be opened first. */
export type MonitorSettings = ShownSettings & { sealed?: never; wanted?: never };

/** Returns the settings alone, as the user set them. */
export function settingsOf(monitor: StoredSettings): ShownSettings {
  const settings = { ...monitor, ...wantedOf(monitor) };
  return Object.fromEntries(SETTINGS.map((field) => [field, settings[field]])) as ShownSettings;
}

/** What settings are validated against. */
export interface SettingsRules {
  plan: PlanName;
  /** Known locations, in order of preference. */
  locationCodes: readonly string[];
  guard: TargetGuard;
}

/** Settings with all defaults, and everything that is wrong with them. */
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

/** Returns the settings. Throws 422 with all errors when there are any. */
export function acceptSettings(checked: CheckedSettings): MonitorSettings {
  if (checked.errors.length > 0) throw invalidFields(checked.errors);
  return checked.settings;
}
