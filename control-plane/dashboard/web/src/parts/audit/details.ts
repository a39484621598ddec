import type { AuditEntry } from '../../api/types.ts';

/** One field of what was changed. */
export interface Difference {
  field: string;
  from: unknown;
  to: unknown;
}

/** What the metadata of an entry say, sorted by how they are shown. */
export interface Details {
  differences: Difference[];
  /** Everything else, by its name in the API. */
  facts: [string, unknown][];
  userAgent: string | null;
  /** The channel whose link was used without a log-in. */
  linkOf: string | null;
}

/** Returns the details of an entry. Metadata come from every part of the product, so nothing is taken for granted. */
export function detailsOf({ metadata }: Pick<AuditEntry, 'metadata'>): Details {
  const { changes, user_agent, link, ...rest } = metadata;
  const isListed = isRecord(changes) && Object.values(changes).every(isChange);
  const ends = !isListed && changes === undefined && 'from' in rest && 'to' in rest;
  const { from, to, ...others } = rest;
  const facts = ends ? others : rest;
  return {
    differences: isListed
      ? Object.entries(changes).map(([field, change]) => ({ field, from: change.from, to: change.to }))
      : ends
        ? [{ field: '', from, to }]
        : [],
    facts: Object.entries(isListed || changes === undefined ? facts : { ...facts, changes }),
    userAgent: typeof user_agent === 'string' ? user_agent : null,
    linkOf: isRecord(link) && typeof link['channel_name'] === 'string' ? link['channel_name'] : null,
  };
}

function isRecord(value: unknown): value is Record<string, { from?: unknown; to?: unknown }> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isChange(value: unknown): boolean {
  return isRecord(value) && ('from' in value || 'to' in value);
}

/** What the catalogue calls details: fields by their names, values by the field, bulk changes by their operation. */
export interface DetailWords {
  names: Readonly<Record<string, string>>;
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  bulk: Readonly<Record<string, (count: number) => string>>;
}

/** Returns what a person calls a field or a fact, which the API names. `formName` knows the fields of forms. Pure. */
export function detailName(name: string, words: DetailWords, formName: (pointer: string) => string): string {
  const of = Object.hasOwn(words.names, name) ? words.names[name] : undefined;
  return of ?? (formName(`/${name.replaceAll('.', '/')}`) || name);
}

/** Returns a value in words, if its field has some; otherwise the value. Lists are lists of words. Pure. */
export function wordOf(field: string, value: unknown, words: DetailWords): unknown {
  if (Array.isArray(value)) return value.map((one) => wordOf(field, one, words));
  const of = Object.hasOwn(words.values, field) ? words.values[field] : undefined;
  return typeof value === 'string' && of !== undefined && Object.hasOwn(of, value) ? of[value] : value;
}

/** Returns what a bulk change did, such as `3 monitors tagged`; null for other entries. Pure. */
export function bulkText({ resource, metadata }: Pick<AuditEntry, 'resource' | 'metadata'>, words: DetailWords) {
  const { operation, monitors } = metadata;
  if (resource.type !== 'monitor_bulk' || typeof operation !== 'string' || typeof monitors !== 'number') return null;
  return Object.hasOwn(words.bulk, operation) ? (words.bulk[operation]?.(monitors) ?? null) : null;
}

/** Returns whether a value is a time as the API writes it. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value);

/** Returns a value as text; null for none. Lists of texts and numbers are separated by commas. */
export function shownValue(value: unknown, words: { yes: string; no: string }): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number')) {
    return value.length === 0 ? null : value.join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
