import { inLanguage } from '../catalogue.ts';

/** What forms call the fields of the API: in messages about several fields, and where the field itself is not shown. */
const en: Readonly<Record<string, string>> = {
  name: 'Name',
  type: 'Type of check',
  url: 'Address',
  interval_seconds: 'Interval',
  timeout_ms: 'Timeout',
  locations: 'Locations',
  confirmations: 'Confirmations',
  retries: 'Retries',
  channels: 'Channels',
  tags: 'Tags',
  runbook_url: 'Runbook',
  http: 'Request',
  method: 'Method',
  expected_status: 'Expected status',
  keyword: 'Response must contain',
  keyword_absent: 'Response must not contain',
  follow_redirects: 'Follow redirects',
  ignore_tls_errors: 'Ignore certificate errors',
  headers: 'Headers',
  body: 'Body',
  email: 'E-mail address',
  role: 'Role',
  password: 'Password',
  current_password: 'Current password',
  target: 'Address',
  metric: 'Metric',
  operator: 'Comparison',
  threshold: 'Threshold',
  for_seconds: 'For how long',
  within_hours: 'Within hours',
  severity: 'Severity',
  server_ids: 'Servers',
  scopes: 'Scopes',
  expires_at: 'Expires',
};

const de: typeof en = {
  name: 'Name',
  type: 'Art der Prüfung',
  url: 'Adresse',
  interval_seconds: 'Intervall',
  timeout_ms: 'Zeitlimit',
  locations: 'Standorte',
  confirmations: 'Bestätigungen',
  retries: 'Wiederholungen',
  channels: 'Kanäle',
  tags: 'Tags',
  runbook_url: 'Runbook',
  http: 'Anfrage',
  method: 'Methode',
  expected_status: 'Erwarteter Status',
  keyword: 'Antwort muss enthalten',
  keyword_absent: 'Antwort darf nicht enthalten',
  follow_redirects: 'Weiterleitungen folgen',
  ignore_tls_errors: 'Zertifikatsfehler ignorieren',
  headers: 'Header',
  body: 'Inhalt',
  email: 'E-Mail-Adresse',
  role: 'Rolle',
  password: 'Passwort',
  current_password: 'Bisheriges Passwort',
  target: 'Adresse',
  metric: 'Messgröße',
  operator: 'Vergleich',
  threshold: 'Schwelle',
  for_seconds: 'Wie lange',
  within_hours: 'Innerhalb von Stunden',
  severity: 'Schwere',
  server_ids: 'Server',
  scopes: 'Rechte',
  expires_at: 'Läuft ab',
};

const names = inLanguage({ en, de });

/** Returns what forms call the field at a JSON pointer; '' for one without a name of its own. Pure. */
export function fieldName(pointer: string): string {
  const known = pointer.split('/').filter((token) => Object.hasOwn(names, token));
  return names[known.at(-1) ?? ''] ?? '';
}
