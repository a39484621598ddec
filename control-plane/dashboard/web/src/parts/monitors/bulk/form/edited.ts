import type { BulkRequest } from '../../../../api/types.ts';

export type Settings = NonNullable<BulkRequest['set']>;
type Http = NonNullable<Settings['http']>;

/**
 * What somebody chose in the form. An absent field stays as it is in each monitor; null means none, or what the API means by
 * it: a majority, every channel.
 */
export interface Edited {
  interval_seconds?: number;
  timeout_ms?: number;
  retries?: number;
  confirmations?: number | null;
  locations?: readonly string[];
  channels?: readonly string[] | null;
  runbook_url?: string | null;
  method?: NonNullable<Http['method']>;
  /** As it is typed. */
  expected_status?: string;
  keyword?: string | null;
  keyword_absent?: string | null;
  follow_redirects?: boolean;
  ignore_tls_errors?: boolean;
}

export type EditedField = keyof Edited;

/** The fields of requests. Only monitors of web pages have them. */
const OF_HTTP = ['method', 'keyword', 'keyword_absent', 'follow_redirects', 'ignore_tls_errors'] as const;
const STATUS_MIN = 100;
const STATUS_MAX = 599;

export type EditProblem = 'missing' | 'noLocation' | 'badStatus';

/** Returns the form with another value of a field; undefined leaves the field as it is in each monitor. Pure. */
export function withField<Field extends EditedField>(
  edited: Edited,
  field: Field,
  value: Edited[Field] | undefined,
): Edited {
  const { [field]: _before, ...others } = edited;
  return value === undefined ? (others as Edited) : { ...others, [field]: value };
}

/** Returns what the form itself can say of its fields; the API checks the rest. Pure. */
export function problemsOf(edited: Edited): Partial<Record<EditedField, EditProblem>> {
  const isBlank = (text: string | null | undefined) => typeof text === 'string' && text.trim() === '';
  const status = Number(edited.expected_status ?? STATUS_MIN);
  const texts = (['runbook_url', 'keyword', 'keyword_absent'] as const).filter((field) => isBlank(edited[field]));
  return {
    ...(edited.locations?.length === 0 ? { locations: 'noLocation' as const } : {}),
    ...(Number.isInteger(status) && status >= STATUS_MIN && status <= STATUS_MAX
      ? {}
      : { expected_status: 'badStatus' as const }),
    ...Object.fromEntries(texts.map((field) => [field, 'missing' as const])),
  };
}

/** Returns whether somebody chose a setting of requests. Pure. */
export function hasRequest(edited: Edited): boolean {
  return settingsOf(edited)?.http !== undefined;
}

/** Returns the settings that the form changes; null if there are none. Pure. */
export function settingsOf(edited: Edited): Settings | null {
  const { expected_status, locations, channels, runbook_url, ...others } = edited;
  const http = Object.fromEntries(
    OF_HTTP.flatMap((field) => (edited[field] === undefined ? [] : [[field, edited[field]]])),
  );
  const top = Object.fromEntries(Object.entries(others).filter(([field]) => !OF_HTTP.some((one) => one === field)));
  const allHttp: Http = {
    ...http,
    ...(expected_status === undefined ? {} : { expected_status: Number(expected_status) }),
  };
  const settings: Settings = {
    ...top,
    ...(locations === undefined ? {} : { locations: [...locations] }),
    ...(channels === undefined ? {} : { channels: channels === null ? null : [...channels] }),
    ...(runbook_url === undefined ? {} : { runbook_url: runbook_url === null ? null : runbook_url.trim() }),
    ...(Object.keys(allHttp).length === 0 ? {} : { http: allHttp }),
  };
  return Object.keys(settings).length === 0 ? null : settings;
}
