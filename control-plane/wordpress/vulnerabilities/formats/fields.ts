import { cut } from '../../../cut.js';
import { URL_CHARS_MAX, VERSION_CHARS_MAX } from '../limits.js';

/** Fields of a feed, which anything may be in. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns an object as its fields; null for anything else, also for a list. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** Returns text without control characters, cut to `charsMax`; null for anything else, and for an empty one. */
export function textOf(value: unknown, charsMax: number): string | null {
  if (typeof value !== 'string') return null;
  const plain = value.replace(/[\p{C}\s]+/gu, ' ').trim();
  return plain === '' ? null : cut(plain, charsMax);
}

/** Returns a version as the feed has it; null for what is none. A version that is too long is none, because it would change its meaning. */
export function versionOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' && text.length <= VERSION_CHARS_MAX ? text.trim() : null;
}

/** Returns a URL that a person may open; null for any other. */
export function linkOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > URL_CHARS_MAX || !URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

/** Returns the first that a function finds in a list; null without one. */
export function firstOf<T>(values: readonly unknown[], read: (value: unknown) => T | null): T | null {
  for (const value of values) {
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}

/** Returns a list as it is; an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
