import type { Monitor, UpdateMonitor } from '../../../api/types.ts';
import { tagsOf, tagsText } from '../../../components/form/tags.ts';

/** Stands for a stored secret: sent back, it keeps the secret. */
export const STORED = '***';

export interface HeaderRow {
  name: string;
  value: string;
}

/** A monitor as its form has it. Empty texts stand for null. */
export interface MonitorForm extends Record<string, unknown> {
  name: string;
  type: Monitor['type'];
  url: string;
  interval_seconds: number;
  timeout_ms: number | string;
  locations: string[];
  confirmations: number | null;
  retries: number | string;
  channels: string[] | null;
  tags: string;
  runbook_url: string;
  http: {
    method: NonNullable<Monitor['http']>['method'];
    expected_status: number | string;
    keyword: string;
    keyword_absent: string;
    follow_redirects: boolean;
    ignore_tls_errors: boolean;
    headers: HeaderRow[];
    /** null: none. */
    body: string | null;
  };
}

/** What the API calls these fields; each can be changed by itself. */
export const FIELDS = [
  ...['name', 'type', 'url', 'interval_seconds', 'timeout_ms', 'locations', 'confirmations', 'retries', 'channels'],
  ...['tags', 'runbook_url', 'http.method', 'http.expected_status', 'http.keyword', 'http.keyword_absent'],
  ...['http.follow_redirects', 'http.ignore_tls_errors', 'http.headers', 'http.body'],
];

/** Returns the form of a monitor, with masks in place of its secrets. Pure. */
export function formOf(monitor: Monitor): MonitorForm {
  const { http } = monitor;
  return {
    name: monitor.name,
    type: monitor.type,
    url: maskedUrl(monitor.url),
    interval_seconds: monitor.interval_seconds,
    timeout_ms: monitor.timeout_ms,
    locations: [...monitor.locations].sort(),
    confirmations: monitor.confirmations,
    retries: monitor.retries,
    channels: monitor.channels === null ? null : [...monitor.channels].sort(),
    tags: tagsText(monitor.tags),
    runbook_url: monitor.runbook_url ?? '',
    http: {
      method: http?.method ?? 'GET',
      expected_status: http?.expected_status ?? 200,
      keyword: http?.keyword ?? '',
      keyword_absent: http?.keyword_absent ?? '',
      follow_redirects: http?.follow_redirects ?? true,
      ignore_tls_errors: http?.ignore_tls_errors ?? false,
      headers: Object.keys(http?.headers ?? {}).map((name) => ({ name, value: STORED })),
      body: (http?.body ?? null) === null ? null : STORED,
    },
  };
}

/** Returns a URL with a mask in place of user name and password. Pure. */
function maskedUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, `$1${STORED}@`);
}

/** Returns the change that these fields of the form make. Pure. */
export function patchOf(form: MonitorForm, changed: readonly string[]): UpdateMonitor {
  const whole = patchOfAll(form);
  const top = changed.filter((field) => !field.startsWith('http.'));
  const patch = Object.fromEntries(top.map((field) => [field, whole[field as keyof UpdateMonitor]])) as UpdateMonitor;
  if (form.type !== 'http') return patch;
  // A monitor that becomes one of type http gets all its settings.
  const isNew = changed.includes('type');
  const inside = Object.entries(whole.http ?? {}).filter(([name]) => isNew || changed.includes(`http.${name}`));
  return inside.length === 0 ? patch : { ...patch, http: Object.fromEntries(inside) };
}

function patchOfAll(form: MonitorForm): UpdateMonitor {
  const { http } = form;
  return {
    ...{ name: form.name.trim(), type: form.type, url: form.url.trim(), interval_seconds: form.interval_seconds },
    ...{ timeout_ms: Number(form.timeout_ms), locations: form.locations, retries: Number(form.retries) },
    ...{ confirmations: form.confirmations, channels: form.channels },
    tags: tagsOf(form.tags),
    runbook_url: form.runbook_url.trim() === '' ? null : form.runbook_url.trim(),
    http: {
      method: http.method,
      expected_status: Number(http.expected_status),
      keyword: http.keyword === '' ? null : http.keyword,
      keyword_absent: http.keyword_absent === '' ? null : http.keyword_absent,
      follow_redirects: http.follow_redirects,
      ignore_tls_errors: http.ignore_tls_errors,
      headers: Object.fromEntries(
        http.headers.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
      ),
      body: http.body,
    },
  };
}
