import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { SettingError } from '../../../kernel/settings.js';
import type { TargetType } from '../blacklist.js';
import { type Judgement, REFUSALS } from './classify.js';
import { type CodeRange, overlap, parseCodes } from './codes.js';
import { PROVIDERS_MAX, ProviderRow } from './provider-schema.js';

const FILE_VARIABLE = 'PICKET_BLACKLIST_PROVIDERS';
const KEYS_VARIABLE = 'PICKET_BLACKLIST_KEYS';
const FILE_BYTES_MAX = 1_048_576;
const BUILT_IN = fileURLToPath(new URL('providers.json', import.meta.url));
const PLACEHOLDER = '{key}';

/** One list. Nothing of it is secret: what is asked where a key is needed is known to the catalogue alone. */
export interface Provider extends Judgement {
  id: string;
  name: string;
  /** As it may be shown; a key in it stays `{key}`. */
  zone: string;
  type: TargetType;
  website: string;
  delist_url: string;
  /** Whether it can be asked about IPv6. */
  ipv6: boolean;
  names: 'registrable' | 'host';
  test: TestEntries;
  terms: { url: string; summary: string } | null;
}

/** What tells whether a list works; null where it has no such entry. */
export interface TestEntries {
  /** One of them is enough; empty where it has none. */
  listed: readonly string[];
  not_listed: string | null;
  /** What `listed` is answered with; null: anything within 127.0.0.0/8 that is no refusal. */
  codes: readonly CodeRange[] | null;
}

export interface Catalogue {
  /** In the order of the file. */
  providers: readonly Provider[];
  /** Other lists, or lists with a key, have another one. */
  digest: string;
  /** Where a list is asked, with its key if it has one: for the DNS client, never to be shown or logged. null: nowhere. */
  askedZone(provider: Provider, family: 4 | 6 | 'domain'): string | null;
  /** What a list says, with `{key}` in place of each key: some repeat the name that they were asked for. */
  withoutKeys(text: string): string;
}

/** The lists of the operator's file, else the built-in ones; SettingError with the row and member that is wrong. */
export function readProviders(settings: { file: string | null; keys: ReadonlyMap<string, string> }): Catalogue {
  const text = readText(settings.file ?? BUILT_IN);
  const rows = readRows(text);
  rows.forEach((row, index) => {
    checkRow(row, index, settings.keys);
  });
  checkUnique(rows, 'id');
  checkUnique(rows, 'zone');
  const stranger = [...settings.keys.keys()].find((id) => !rows.some((row) => row.id === id && takesKey(row)));
  if (stranger !== undefined) throw new SettingError(KEYS_VARIABLE, `has a key for ${stranger}, which takes none`);
  const zones = new Map(rows.map((row) => [row.id, askedZones(row, settings.keys.get(row.id))]));
  return {
    providers: rows.map(providerOf),
    digest: digestOf(text, settings.keys),
    withoutKeys: (text) => [...settings.keys.values()].reduce(withoutKey, text),
    askedZone: ({ id }, family) => (family === 6 ? (zones.get(id)?.ipv6 ?? null) : (zones.get(id)?.zone ?? null)),
  };
}

function withoutKey(text: string, key: string): string {
  return text.replace(new RegExp(key.replace(/[^a-z0-9]/gi, '\\$&'), 'gi'), PLACEHOLDER);
}

function digestOf(text: string, keys: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256').update(text);
  // Who has the digest could try keys against it, so it knows only that there is one.
  for (const id of [...keys.keys()].sort()) hash.update(`\n${id}`);
  return hash.digest('hex').slice(0, 32);
}

function readText(file: string): string {
  try {
    if (statSync(file).size > FILE_BYTES_MAX) throw fail(`is larger than ${FILE_BYTES_MAX} bytes`);
    return readFileSync(file, 'utf8');
  } catch (err) {
    if (err instanceof SettingError) throw err;
    throw fail(`cannot be read: ${err instanceof Error ? err.message : String(err)}`);
  }
}

function readRows(text: string): ProviderRow[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    throw fail('is not JSON');
  }
  if (!Array.isArray(rows) || rows.length === 0) throw fail('must be a JSON list with at least one row');
  if (rows.length > PROVIDERS_MAX) throw fail(`must not have more than ${PROVIDERS_MAX} rows`);
  const validate = new Ajv2020({ allErrors: true, strictTypes: false }).compile<ProviderRow>(ProviderRow);
  return rows.map((row: unknown, index) => validRow(validate, row, index));
}

function validRow(validate: ValidateFunction<ProviderRow>, row: unknown, index: number): ProviderRow {
  if (validate(row)) return row;
  // Of a member that may also be null, the finding that says what else it must be.
  const errors = validate.errors ?? [];
  const error = errors.find(({ keyword, params }) => keyword !== 'anyOf' && params['type'] !== 'null') ?? errors[0];
  throw wrong(index, row, error === undefined ? '' : memberOf(error), error?.message ?? 'is not valid');
}

function memberOf(error: ErrorObject): string {
  const named: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'];
  return typeof named === 'string' ? `${error.instancePath}/${named}` : error.instancePath;
}

function checkRow(row: ProviderRow, index: number, keys: ReadonlyMap<string, string>): void {
  const refuse = (member: string, problem: string) => wrong(index, row, member, problem);
  for (const member of ['zone', 'keyed_zone', 'ipv6_zone'] as const) {
    const zone = row[member];
    if (zone === undefined || zone === null) continue;
    if (!isZone(zone)) throw refuse(`/${member}`, 'must be a domain name');
    if (member !== 'keyed_zone' && zone.includes(PLACEHOLDER) && !keys.has(row.id)) {
      throw refuse(`/${member}`, `needs a key: ${KEYS_VARIABLE} has none for ${row.id}`);
    }
  }
  if (row.keyed_zone !== undefined && !row.keyed_zone.includes(PLACEHOLDER)) {
    throw refuse('/keyed_zone', `must hold ${PLACEHOLDER}`);
  }
  if (row.type === 'domain' && typeof row.ipv6_zone === 'string')
    throw refuse('/ipv6_zone', 'is for lists of addresses');
  if (row.type === 'ip' && row.names !== undefined) throw refuse('/names', 'is for lists of domains');
  checkCodes(row, refuse);
  checkTest(row, refuse);
}

type Refuse = (member: string, problem: string) => SettingError;

function checkCodes(row: ProviderRow, refuse: Refuse): void {
  if (row.codes !== undefined && row.bitmask !== undefined) throw refuse('/bitmask', 'stands in place of codes');
  const refusals = (row.refusals ?? []).map(({ code }, index) => codesOf(code, `/refusals/${index}/code`, refuse));
  (row.codes ?? []).forEach(({ code }, index) => {
    const range = codesOf(code, `/codes/${index}/code`, refuse);
    if ([...refusals, ...REFUSALS].some((refusal) => overlap(refusal, range))) {
      throw refuse(`/codes/${index}/code`, 'is a refusal, so it cannot be a listing');
    }
  });
  (row.test?.codes ?? []).forEach((code, index) => {
    codesOf(code, `/test/codes/${index}`, refuse);
  });
  const refused = refusedBits(row);
  (row.bitmask?.bits ?? []).forEach(({ bit }, index) => {
    if (refused.includes(bit)) throw refuse(`/bitmask/bits/${index}/bit`, 'is a refusal, so it cannot be a listing');
  });
  const bits = [...(row.bitmask?.bits ?? []).map(({ bit }) => bit), ...refused];
  if (bits.some((bit) => (bit & (bit - 1)) !== 0)) throw refuse('/bitmask', 'must have bits that are powers of two');
}

function checkTest({ type, test }: ProviderRow, refuse: Refuse): void {
  if (test === undefined || test === null) return;
  for (const member of ['listed', 'not_listed'] as const) {
    const isRight = (entry: string) => (type === 'ip' ? isIP(entry) === 4 : isZone(entry));
    if (listOf(test[member]).every(isRight)) continue;
    throw refuse(`/test/${member}`, `must be ${type === 'ip' ? 'an IPv4 address' : 'a domain name'}`);
  }
}

function codesOf(text: string, member: string, refuse: Refuse): CodeRange {
  const range = parseCodes(text);
  if (range === null) throw refuse(member, 'must be an address within 127.0.0.0/8, or two with a hyphen between');
  return range;
}

function checkUnique(rows: readonly ProviderRow[], member: 'id' | 'zone'): void {
  const seen = new Set<string>();
  rows.forEach((row, index) => {
    const value = row[member].toLowerCase();
    if (seen.has(value)) throw wrong(index, row, `/${member}`, 'stands in another row too');
    seen.add(value);
  });
}

/** Labels of letters, digits, hyphens and underscores; `{key}` may be one. */
function isZone(text: string): boolean {
  const labels = text.split('.');
  return labels.every((label) => label === PLACEHOLDER || /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label));
}

function takesKey(row: ProviderRow): boolean {
  return row.keyed_zone !== undefined || [row.zone, row.ipv6_zone ?? ''].some((zone) => zone.includes(PLACEHOLDER));
}

function askedZones(row: ProviderRow, key: string | undefined): { zone: string; ipv6: string | null } {
  const filled = (zone: string) => zone.replaceAll(PLACEHOLDER, key ?? '');
  const zone = filled(key === undefined ? row.zone : (row.keyed_zone ?? row.zone));
  if (row.type === 'domain' || row.ipv6_zone === undefined || row.ipv6_zone === null) return { zone, ipv6: null };
  // A list that is asked about IPv6 in its own zone is asked there with the key too.
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
    // RFC 5782, section 5. Lists of domains may have the entry of addresses in place of their own.
    return type === 'ip'
      ? { listed: ['127.0.0.2'], not_listed: '127.0.0.1', codes: null }
      : { listed: ['test', '127.0.0.2'], not_listed: 'invalid', codes: null };
  }
  const { listed, not_listed, codes } = test;
  return { listed: listOf(listed), not_listed, codes: codes?.flatMap((code) => parseCodes(code) ?? []) ?? null };
}

function listOf(entries: string | string[] | null): string[] {
  if (entries === null) return [];
  return typeof entries === 'string' ? [entries] : entries;
}

function refusedBits({ bitmask }: ProviderRow): number[] {
  return bitmask === undefined ? [] : (bitmask.refused ?? [1]);
}

function wrong(index: number, row: unknown, member: string, problem: string): SettingError {
  const { id } = Object(row);
  const name = typeof id === 'string' && id.length <= 40 ? ` (${id})` : '';
  return fail(`row ${index + 1}${name}: ${member === '' ? 'the row' : member} ${problem}`);
}

function fail(problem: string): SettingError {
  return new SettingError(FILE_VARIABLE, problem);
}
