import type { ApiProblem } from '../../../api/client.ts';

/** The fields that each type needs; the settings have the others. */
const FIELDS = {
  email: ['to'],
  webhook: ['url'],
  slack: ['url'],
  discord: ['url'],
  msteams: ['url'],
  telegram: ['bot_token', 'chat_id'],
  ntfy: ['topic', 'url'],
  pagerduty: ['routing_key'],
} as const;

export type QuickType = keyof typeof FIELDS;
export type QuickField = (typeof FIELDS)[QuickType][number];
/** What is typed, by field. */
export type QuickValues = Readonly<Partial<Record<QuickField, string>>>;

export const QUICK_TYPES = Object.keys(FIELDS) as QuickType[];

export const fieldsOf = (type: QuickType): readonly QuickField[] => FIELDS[type];

/** Returns what the fields of a type begin with. Pure. */
export function firstValues(type: QuickType, email: string): QuickValues {
  if (type === 'email') return { to: email };
  return type === 'ntfy' ? { url: 'https://ntfy.sh' } : {};
}

/** Returns the configuration of a channel from its fields. Pure. */
export function configOf(type: QuickType, values: QuickValues): Record<string, unknown> {
  const config = Object.fromEntries(FIELDS[type].map((field) => [field, (values[field] ?? '').trim()]));
  return type === 'email' ? { to: [config['to']] } : config;
}

/** Returns what the API said of the fields, by field. Pure. */
export function fieldProblems({ fields }: Pick<ApiProblem, 'fields'>): QuickValues {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([path]) => path.startsWith('/config/'))
      .map(([path, problem]) => [path.split('/')[2], problem]),
  );
}
