import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { TargetType } from '../results.js';
import type { CodeMeanings } from './classify.js';
import { type CodeRange, parseCodes } from './codes.js';
import { KEY_PLACEHOLDER, listOf, readProviderFile, refusedBits } from './provider-file.js';
import type { ProviderRow } from './provider-schema.js';

const BUILT_IN = fileURLToPath(new URL('providers.json', import.meta.url));

/** A list. It contains no secrets: only the catalogue knows the zones with keys. */
export interface Provider extends CodeMeanings {
  id: string;
  name: string;
  /** For display: a key in it stays `{key}`. */
  zone: string;
  type: TargetType;
  website: string;
  delist_url: string;
  /** Whether it can be queried for IPv6. */
  ipv6: boolean;
  names: 'registrable' | 'host';
  test: TestEntries;
  terms: { url: string; summary: string } | null;
}

/** The entries that show whether a list works; null if it has no such entry. */
export interface TestEntries {
  /** The list must list at least one of them. Empty if there is none. */
  listed: readonly string[];
  not_listed: string | null;
  /** The expected codes for `listed`; null: any code within 127.0.0.0/8 that is not a refusal. */
  codes: readonly CodeRange[] | null;
}

export interface Catalogue {
  /** In the order of the file. */
  providers: readonly Provider[];
  /** Identifies the lists and which of them have a key. */
  digest: string;
  /**
   * Returns the zone for queries to a list, with its key if it has one; null if it cannot be queried. For the DNS client
   * only: it must not be shown or logged.
   */
  queryZone(provider: Provider, family: 4 | 6 | 'domain'): string | null;
  /** Replaces each key in text of a list by `{key}`: some lists repeat the queried name. */
  withoutKeys(text: string): string;
}

/** Reads the lists from the operator's file, else the built-in ones. Throws a SettingError for an invalid file. */
export function readProviders(settings: { file: string | null; keys: ReadonlyMap<string, string> }): Catalogue {
  const { text, rows } = readProviderFile(settings.file ?? BUILT_IN, settings.keys);
  const zones = new Map(rows.map((row) => [row.id, queryZones(row, settings.keys.get(row.id))]));
  return {
    providers: rows.map(providerOf),
    digest: digestOf(text, settings.keys),
    withoutKeys: (text) => [...settings.keys.values()].reduce(withoutKey, text),
    queryZone: ({ id }, family) => (family === 6 ? (zones.get(id)?.ipv6 ?? null) : (zones.get(id)?.zone ?? null)),
  };
}

function withoutKey(text: string, key: string): string {
  return text.replace(new RegExp(key.replace(/[^a-z0-9]/gi, '\\$&'), 'gi'), KEY_PLACEHOLDER);
}

function digestOf(text: string, keys: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256').update(text);
  // Without the keys themselves, because they could be guessed from the digest.
  for (const id of [...keys.keys()].sort()) hash.update(`\n${id}`);
  return hash.digest('hex').slice(0, 32);
}

function queryZones(row: ProviderRow, key: string | undefined): { zone: string; ipv6: string | null } {
  const filled = (zone: string) => zone.replaceAll(KEY_PLACEHOLDER, key ?? '');
  const zone = filled(key === undefined ? row.zone : (row.keyed_zone ?? row.zone));
  if (row.type === 'domain' || row.ipv6_zone === undefined || row.ipv6_zone === null) return { zone, ipv6: null };
  // If IPv6 uses the same zone, it uses the same zone with the key.
  return { zone, ipv6: row.ipv6_zone === row.zone ? zone : filled(row.ipv6_zone) };
}

function providerOf(row: ProviderRow): Provider {
  const { id, name, zone, type, website, delist_url, codes, refusals, bitmask } = row;
  const spread = <T extends { code: string }>(rows: readonly T[]) =>
    rows.flatMap(({ code, ...rest }) => {
      const range = parseCodes(code);
      return range === null ? [] : [{ ...range, ...rest }];
    });
  return {
    ...{ id, name, zone, type, website, delist_url },
    ipv6: type === 'ip' && typeof row.ipv6_zone === 'string',
    names: row.names ?? 'registrable',
    listings: codes === undefined ? null : spread(codes).map((code) => ({ ...code, policy: code.policy ?? false })),
    refusals: spread(refusals ?? []),
    bitmask:
      bitmask === undefined
        ? null
        : { bits: bitmask.bits.map((bit) => ({ ...bit, policy: bit.policy ?? false })), refused: refusedBits(row) },
    test: testOf(row),
    terms: row.terms ?? null,
  };
}

function testOf({ type, test }: ProviderRow): TestEntries {
  if (test === null) return { listed: [], not_listed: null, codes: null };
  if (test === undefined) {
    // RFC 5782, section 5. Domain lists may use the test entry of IP lists instead of their own.
    return type === 'ip'
      ? { listed: ['127.0.0.2'], not_listed: '127.0.0.1', codes: null }
      : { listed: ['test', '127.0.0.2'], not_listed: 'invalid', codes: null };
  }
  const { listed, not_listed, codes } = test;
  return { listed: listOf(listed), not_listed, codes: codes?.flatMap((code) => parseCodes(code) ?? []) ?? null };
}
