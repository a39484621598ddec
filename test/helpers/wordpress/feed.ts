import type { Vulnerability } from '../../../control-plane/wordpress/vulnerabilities/documents.js';
import { readFeed } from '../../../control-plane/wordpress/vulnerabilities/read-feed.js';

interface RangeSpec {
  from?: string;
  fromInclusive?: boolean;
  to?: string;
  toInclusive?: boolean;
}

/** A range as Wordfence Intelligence has it; any version without bounds. */
export function range({ from = '*', fromInclusive = true, to = '*', toInclusive = true }: RangeSpec = {}) {
  return { from_version: from, from_inclusive: fromInclusive, to_version: to, to_inclusive: toInclusive };
}

/** A record of Wordfence Intelligence (production), of one plugin. */
export function wordfenceRecord(slug: string, ranges: object, more: object = {}) {
  return {
    id: '848ccbdc-c6f1-480f-a272-cd459706a713',
    title: `${slug} - Stored Cross-Site Scripting`,
    software: [
      {
        ...{ type: 'plugin', name: slug, slug, affected_versions: ranges, patched: true },
        ...{ patched_versions: ['1.2.4'], remediation: 'Update to version 1.2.4' },
      },
    ],
    informational: false,
    references: ['https://example.com/advisory', 'https://www.wordfence.com/threat-intel/vulnerabilities/id/848ccbdc'],
    published: '2026-01-01 00:00:00',
    copyrights: {
      message: 'This record contains material that is subject to copyright',
      defiant: {
        notice: 'Copyright 2012-2026 Defiant Inc.',
        license: 'Defiant hereby grants you a perpetual, worldwide, non-exclusive licence',
        license_url: 'https://www.wordfence.com/wordfence-intelligence-terms/',
      },
      mitre: {
        notice: 'Copyright 1999-2026 The MITRE Corporation',
        license: 'CVE Usage',
        license_url: 'https://www.cve.org/Legal/TermsOfUse',
      },
    },
    ...{ cvss: { vector: '', score: 6.4, rating: 'Medium' }, cve: 'CVE-2026-10000' },
    ...more,
  };
}

/** Reads a feed that arrives in small pieces. */
export async function readText(text: string, pieceBytes = 7): Promise<Vulnerability[]> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const read: Vulnerability[] = [];
  for await (const found of readFeed(pieces())) read.push(...found);
  return read;
}
