/** A part of the version numbers of a plugin. null is no bound. */
export interface VersionRange {
  from: string | null;
  from_inclusive: boolean;
  to: string | null;
  to_inclusive: boolean;
}

/** What PHP's `version_compare` knows of words, by their beginning; a number is at `NUMBER`, and any other word below all. */
const WORDS = ['dev', 'alpha', 'a', 'beta', 'b', 'rc', 'c', '#', 'pl', 'p'] as const;
const RANKS: Readonly<Record<(typeof WORDS)[number], number>> = {
  ...{ dev: 1, alpha: 2, a: 2, beta: 3, b: 3, rc: 4, c: 4 },
  ...{ '#': 5, pl: 6, p: 6 },
};
const NUMBER_RANK = RANKS['#'];
const UNKNOWN_WORD_RANK = 0;

/**
 * Compares two versions in the order of PHP's `version_compare`, but as people mean them: a version that is shorter ends with
 * zeros (`1.0` is `1.0.0`), letters are equal in upper and lower case, and a `v` before the number says nothing. Returns a
 * negative number, zero or a positive number.
 */
export function compareVersions(one: string, other: string): number {
  const [parts, otherParts] = [partsOf(one), partsOf(other)];
  for (let index = 0; index < Math.max(parts.length, otherParts.length); index++) {
    const order = comparePart(parts[index] ?? '0', otherParts[index] ?? '0');
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns whether a range contains a version. */
export function includesVersion(range: VersionRange, version: string): boolean {
  const { from, to } = range;
  if (from !== null) {
    const order = compareVersions(version, from);
    if (order < 0 || (order === 0 && !range.from_inclusive)) return false;
  }
  if (to !== null) {
    const order = compareVersions(version, to);
    if (order > 0 || (order === 0 && !range.to_inclusive)) return false;
  }
  return true;
}

/** Returns whether no version is in a range, so that it cannot be what its author meant. */
export function isEmptyRange({ from, from_inclusive, to, to_inclusive }: VersionRange): boolean {
  if (from === null || to === null) return false;
  const order = compareVersions(from, to);
  return order > 0 || (order === 0 && !(from_inclusive && to_inclusive));
}

/** Returns whether a text can be compared: it has a digit. */
export function isVersion(text: string): boolean {
  return /\d/.test(text);
}

function partsOf(version: string): string[] {
  const plain = version
    .trim()
    .toLowerCase()
    .replace(/^v\.?(?=\d)/, '');
  return plain.match(/\d+|[^\d.+_\s-]+/g) ?? [];
}

function comparePart(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d/.test(one), /^\d/.test(other)];
  if (isNumber && isOtherNumber) return compareDigits(one, other);
  return (isNumber ? NUMBER_RANK : rankOf(one)) - (isOtherNumber ? NUMBER_RANK : rankOf(other));
}

/** Numbers may be longer than 53 bits: some plugins have a date and a time as their version. */
function compareDigits(one: string, other: string): number {
  const [digits, otherDigits] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  if (digits.length !== otherDigits.length) return digits.length - otherDigits.length;
  if (digits === otherDigits) return 0;
  return digits < otherDigits ? -1 : 1;
}

function rankOf(word: string): number {
  const known = WORDS.find((beginning) => word.startsWith(beginning));
  return known === undefined ? UNKNOWN_WORD_RANK : RANKS[known];
}
