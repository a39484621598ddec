import type { Texts } from '../../../kernel/dns/answer.js';

/** A TXT record that is longer is not read: no sender would, and an answer has room for 64 kB. */
export const RECORD_CHARS_MAX = 4_096;

/** The TXT records of a name that are of one kind. */
export type FoundRecords = { kind: 'found'; texts: string[] } | { kind: 'unknown'; reason: string };

/** Returns the records that `version` matches at the start. A name without records has none; a lookup that failed is unknown. */
export function recordsOf(answer: Texts, version: RegExp): FoundRecords {
  if (answer.kind === 'none') return { kind: 'found', texts: [] };
  if (answer.kind === 'texts') return { kind: 'found', texts: answer.texts.filter((text) => version.test(text)) };
  return { kind: 'unknown', reason: failureOf(answer) };
}

/** Returns why a lookup has no answer, for a sentence. */
export function failureOf(answer: { kind: 'failed'; error: string } | { kind: 'timeout' }): string {
  return answer.kind === 'timeout' ? 'the name server did not answer in time' : `the name server said ${answer.error}`;
}

/**
 * Returns the tags of a record such as `v=DMARC1; p=none` (RFC 6376, section 3.2), with their names in lower case; null for
 * a record that is not a list of tags, or that has a tag twice. Values are trimmed.
 */
export function readTags(text: string): Map<string, string> | null {
  if (text.length > RECORD_CHARS_MAX) return null;
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const [, name, value = ''] = /^\s*([A-Za-z][A-Za-z0-9_-]*)\s*=(.*)$/s.exec(part) ?? [];
    if (name === undefined || tags.has(name.toLowerCase())) return null;
    tags.set(name.toLowerCase(), value.trim());
  }
  return tags;
}
