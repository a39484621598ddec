import type { Notice, Vulnerability } from '../documents.js';
import { NOTICE_CHARS_MAX, RANGES_MAX, SLUG_CHARS_MAX, TITLE_CHARS_MAX } from '../limits.js';
import { isEmptyRange, isVersion, type VersionRange } from '../versions.js';
import { type Fields, fieldsOf, firstOf, linkOf, listOf, textOf, versionOf } from './fields.js';

/** `from_version`, `to_version`: without a bound. */
const ANY = '*';
const PATCHED_MAX = 20;
const RECORD_PAGE = 'https://www.wordfence.com/';
const HOLDERS = ['defiant', 'mitre'] as const;

/**
 * Returns what a record of Wordfence Intelligence (v2 or v3, scanner or production) says of plugins; an empty list if it is of a
 * theme, of WordPress, or informational. null: it cannot be read.
 */
export function readWordfence(key: string, record: Fields): Vulnerability[] | null {
  const software = record['software'];
  const id = textOf(record['id'], SLUG_CHARS_MAX) ?? textOf(key, SLUG_CHARS_MAX);
  if (!Array.isArray(software) || id === null) return null;
  if (record['informational'] === true) return [];
  const shared = {
    vulnerability_id: id,
    title: textOf(record['title'], TITLE_CHARS_MAX) ?? id,
    cve: textOf(record['cve'], SLUG_CHARS_MAX),
    rating: textOf(fieldsOf(record['cvss'])?.['rating'], SLUG_CHARS_MAX),
    url: pageOf(listOf(record['references'])),
    source: 'wordfence' as const,
    notices: noticesOf(record['copyrights']),
  };
  const found: Vulnerability[] = [];
  for (const item of software) {
    const fields = fieldsOf(item);
    if (fields === null || typeof fields['type'] !== 'string') return null;
    if (fields['type'] !== 'plugin') continue;
    const slug = textOf(fields['slug'], SLUG_CHARS_MAX);
    if (slug === null) return null;
    const patched = listOf(fields['patched_versions']).flatMap((version) => versionOf(version) ?? []);
    found.push({
      ...shared,
      slug: slug.toLowerCase(),
      ranges: rangesOf(fields['affected_versions']),
      patched_versions: patched.slice(0, PATCHED_MAX),
    });
  }
  return found;
}

function rangesOf(value: unknown): VersionRange[] | null {
  // PHP writes an object without fields as a list.
  const ranges = Array.isArray(value) ? value : Object.values(fieldsOf(value) ?? {});
  if (ranges.length === 0 || ranges.length > RANGES_MAX) return null;
  const read = ranges.map(rangeOf);
  return read.every((range): range is VersionRange => range !== null) ? read : null;
}

function rangeOf(value: unknown): VersionRange | null {
  const { from_version, from_inclusive, to_version, to_inclusive } = fieldsOf(value) ?? {};
  const [from, to] = [versionOf(from_version), versionOf(to_version)];
  if (from === null || to === null || typeof from_inclusive !== 'boolean' || typeof to_inclusive !== 'boolean') {
    return null;
  }
  if ([from, to].some((bound) => bound !== ANY && !isVersion(bound))) return null;
  const range = { from: from === ANY ? null : from, from_inclusive, to: to === ANY ? null : to, to_inclusive };
  return isEmptyRange(range) ? null : range;
}

/** The licence demands a link to the record, which is one of its references. */
function pageOf(references: readonly unknown[]): string | null {
  const links = references.flatMap((reference) => linkOf(reference) ?? []);
  return links.find((link) => link.startsWith(RECORD_PAGE)) ?? firstOf(links, linkOf);
}

function noticesOf(copyrights: unknown): Notice[] {
  const holders = fieldsOf(copyrights) ?? {};
  return HOLDERS.flatMap((holder) => {
    const fields = fieldsOf(holders[holder]);
    const text = textOf(fields?.['notice'], NOTICE_CHARS_MAX);
    return text === null ? [] : [{ text, license_url: linkOf(fields?.['license_url']) }];
  });
}
