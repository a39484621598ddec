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
  /** The channel whose link somebody used who had not signed in. */
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

/** Returns a value as text; null for none. Lists of texts and numbers are separated by commas. */
export function shownValue(value: unknown, words: { yes: string; no: string }): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number')) {
    return value.length === 0 ? null : value.join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
