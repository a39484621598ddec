import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { SettingError } from '../../../kernel/settings.js';
import { createSchemaCompiler } from '../../http/input/schema-check.js';
import { REFUSALS } from './classify.js';
import { type CodeRange, overlap, parseCodes } from './codes.js';
import { PROVIDERS_MAX, ProviderRow } from './provider-schema.js';

const FILE_VARIABLE = 'PICKET_BLACKLIST_PROVIDERS';
const KEYS_VARIABLE = 'PICKET_BLACKLIST_KEYS';
const FILE_BYTES_MAX = 1_048_576;
/** Replaced by the key of a list in its zone. */
export const KEY_PLACEHOLDER = '{key}';

export interface ProviderFile {
  text: string;
  rows: ProviderRow[];
}

/** Reads and validates a provider file. Throws a SettingError that names the invalid row and field. */
export function readProviderFile(file: string, keys: ReadonlyMap<string, string>): ProviderFile {
  const text = readText(file);
  const rows = readRows(text);
  rows.forEach((row, index) => {
    checkRow(row, index, keys);
  });
  checkUnique(rows, 'id');
  checkUnique(rows, 'zone');
  const unknown = [...keys.keys()].find((id) => !rows.some((row) => row.id === id && takesKey(row)));
  if (unknown !== undefined) {
    throw new SettingError(KEYS_VARIABLE, `has a key for ${unknown}, which is not a list that takes a key`);
  }
  return { text, rows };
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
  if (!Array.isArray(rows) || rows.length === 0) throw fail('must be a JSON array with at least one row');
  if (rows.length > PROVIDERS_MAX) throw fail(`must not have more than ${PROVIDERS_MAX} rows`);
  const schema = createSchemaCompiler()(ProviderRow);
  return rows.map((row: unknown, index) => {
    const checked = schema.read(row);
    if (checked.ok) return checked.value;
    const [error] = checked.errors;
    throw wrong(index, row, error?.path ?? '', error?.message ?? 'is not valid');
  });
}

function checkRow(row: ProviderRow, index: number, keys: ReadonlyMap<string, string>): void {
  const refuse = (field: string, problem: string) => wrong(index, row, field, problem);
  for (const field of ['zone', 'keyed_zone', 'ipv6_zone'] as const) {
    const zone = row[field];
    if (zone === undefined || zone === null) continue;
    if (!isZone(zone)) throw refuse(`/${field}`, 'must be a domain name');
    if (field !== 'keyed_zone' && zone.includes(KEY_PLACEHOLDER) && !keys.has(row.id)) {
      throw refuse(`/${field}`, `needs a key: ${KEYS_VARIABLE} has none for ${row.id}`);
    }
  }
  if (row.keyed_zone !== undefined && !row.keyed_zone.includes(KEY_PLACEHOLDER)) {
    throw refuse('/keyed_zone', `must contain ${KEY_PLACEHOLDER}`);
  }
  if (row.type === 'domain' && typeof row.ipv6_zone === 'string')
    throw refuse('/ipv6_zone', 'is only for lists of type ip');
  if (row.type === 'ip' && row.names !== undefined) throw refuse('/names', 'is only for lists of type domain');
  checkCodes(row, refuse);
  checkTest(row, refuse);
}

type Refuse = (field: string, problem: string) => SettingError;

function checkCodes(row: ProviderRow, refuse: Refuse): void {
  if (row.codes !== undefined && row.bitmask !== undefined) throw refuse('/bitmask', 'cannot be combined with codes');
  const refusals = (row.refusals ?? []).map(({ code }, index) => codesOf(code, `/refusals/${index}/code`, refuse));
  (row.codes ?? []).forEach(({ code }, index) => {
    const range = codesOf(code, `/codes/${index}/code`, refuse);
    if ([...refusals, ...REFUSALS].some((refusal) => overlap(refusal, range))) {
      throw refuse(`/codes/${index}/code`, 'is the code of a refusal, so it cannot be a listing');
    }
  });
  (row.test?.codes ?? []).forEach((code, index) => {
    codesOf(code, `/test/codes/${index}`, refuse);
  });
  const refused = refusedBits(row);
  (row.bitmask?.bits ?? []).forEach(({ bit }, index) => {
    if (refused.includes(bit))
      throw refuse(`/bitmask/bits/${index}/bit`, 'is the bit of a refusal, so it cannot be a listing');
  });
  const bits = [...(row.bitmask?.bits ?? []).map(({ bit }) => bit), ...refused];
  if (bits.some((bit) => (bit & (bit - 1)) !== 0))
    throw refuse('/bitmask', 'must only have bits that are powers of two');
}

function checkTest({ type, test }: ProviderRow, refuse: Refuse): void {
  if (test === undefined || test === null) return;
  for (const field of ['listed', 'not_listed'] as const) {
    const isRight = (entry: string) => (type === 'ip' ? isIP(entry) === 4 : isZone(entry));
    if (listOf(test[field]).every(isRight)) continue;
    throw refuse(`/test/${field}`, `must be ${type === 'ip' ? 'an IPv4 address' : 'a domain name'}`);
  }
}

function codesOf(text: string, field: string, refuse: Refuse): CodeRange {
  const range = parseCodes(text);
  if (range === null)
    throw refuse(field, 'must be an address within 127.0.0.0/8, or a range of two separated by a hyphen');
  return range;
}

function checkUnique(rows: readonly ProviderRow[], field: 'id' | 'zone'): void {
  const seen = new Set<string>();
  rows.forEach((row, index) => {
    const value = row[field].toLowerCase();
    if (seen.has(value)) throw wrong(index, row, `/${field}`, 'is also used in another row');
    seen.add(value);
  });
}

/** Returns whether a text is a zone: labels of letters, digits, hyphens and underscores, or `{key}`. */
function isZone(text: string): boolean {
  const labels = text.split('.');
  return labels.every((label) => label === KEY_PLACEHOLDER || /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label));
}

function takesKey(row: ProviderRow): boolean {
  return row.keyed_zone !== undefined || [row.zone, row.ipv6_zone ?? ''].some((zone) => zone.includes(KEY_PLACEHOLDER));
}

/** Returns the test entries as an array. */
export function listOf(entries: string | string[] | null): string[] {
  if (entries === null) return [];
  return typeof entries === 'string' ? [entries] : entries;
}

/** Returns the bits of a bitmask that mean a refusal. */
export function refusedBits({ bitmask }: ProviderRow): number[] {
  return bitmask === undefined ? [] : (bitmask.refused ?? [1]);
}

function wrong(index: number, row: unknown, field: string, problem: string): SettingError {
  const { id } = Object(row);
  const name = typeof id === 'string' && id.length <= 40 ? ` (${id})` : '';
  return fail(`row ${index + 1}${name}: ${field === '' ? 'the row' : field} ${problem}`);
}

function fail(problem: string): SettingError {
  return new SettingError(FILE_VARIABLE, problem);
}
