import type { ListStatus } from '../blacklist.js';
import { type CodeRange, codeNumber, isLoopback, isWithin } from './codes.js';

/** What a list means by its answers; made of a row of the catalogue. */
export interface Judgement {
  /** null: anything within 127.0.0.0/8 that is no refusal. */
  listings: readonly (CodeRange & Meaning)[] | null;
  refusals: readonly (CodeRange & { meaning: string })[];
  /** In place of `listings`. */
  bitmask: { bits: readonly (Meaning & { bit: number })[]; refused: readonly number[] } | null;
}

interface Meaning {
  meaning: string;
  policy: boolean;
}

/** The answer to one query for A records, as the DNS client gives it. */
export type Answer =
  | { kind: 'addresses'; addresses: readonly string[] }
  | { kind: 'none' }
  | { kind: 'failed'; error: string }
  | { kind: 'timeout' };

export interface Verdict {
  status: ListStatus;
  /** The A records, sorted. */
  codes: string[];
  meanings: string[];
  policy: boolean;
  /** What was wrong; null for clean and listed. */
  reason: string | null;
}

/** What every list may answer to say that it does not answer: RFC 5782 and what the big lists made of it. */
export const REFUSALS: readonly (CodeRange & { meaning: string })[] = [
  { ...range('127.255.255.0', '127.255.255.255'), meaning: 'the list refuses this resolver' },
  { ...range('127.0.0.1', '127.0.0.1'), meaning: 'the list refuses this resolver' },
  { ...range('127.0.1.255', '127.0.1.255'), meaning: 'the list was asked for what it does not list' },
];

/** Bits are those of the last octet of 127.0.0.x. */
const BITMASK_CODES = range('127.0.0.0', '127.0.0.255');

type Code = { kind: 'foreign' | 'unknown' } | { kind: 'refusal'; meaning: string } | ({ kind: 'listing' } & Found);

interface Found {
  meanings: string[];
  policy: boolean;
}

/** Judges an answer; the order of its records does not matter. Pure. */
export function classify(list: Judgement, answer: Answer): Verdict {
  if (answer.kind === 'none') return verdict('clean', [], null);
  if (answer.kind === 'timeout') return verdict('timeout', [], 'The list did not answer in time.');
  if (answer.kind === 'failed') return verdict('error', [], `The look-up failed: ${answer.error}.`);
  const codes = sortedCodes(answer.addresses);
  if (codes.length === 0) return verdict('clean', [], null);
  const judged = codes.map((code) => judgeCode(list, code));
  if (judged.some(({ kind }) => kind === 'foreign')) {
    return verdict('invalid', codes, 'The answer is not of a list: it is outside 127.0.0.0/8.');
  }
  const listings = judged.filter((code) => code.kind === 'listing');
  if (listings.length > 0) {
    const meanings = [...new Set(listings.flatMap((code) => code.meanings))];
    return { status: 'listed', codes, meanings, policy: listings.every(({ policy }) => policy), reason: null };
  }
  const refusal = judged.find((code) => code.kind === 'refusal');
  if (refusal !== undefined) return verdict('blocked', codes, `The list refused to answer: ${refusal.meaning}.`);
  return verdict('invalid', codes, 'The answer is none that this list is known to give.');
}

/** Whether a code says that the list does not answer, in any list or in this one. */
export function refusalOf(list: Judgement, code: number): string | null {
  const own = [...list.refusals, ...REFUSALS].find((refusal) => isWithin(refusal, code));
  if (own !== undefined) return own.meaning;
  const isRefused = list.bitmask?.refused.some((bit) => (bitsOf(code) & bit) !== 0) ?? false;
  return isRefused ? 'the list refuses this resolver' : null;
}

function judgeCode(list: Judgement, text: string): Code {
  const code = codeNumber(text);
  if (code === null || !isLoopback(code)) return { kind: 'foreign' };
  const meaning = refusalOf(list, code);
  if (meaning !== null) return { kind: 'refusal', meaning };
  const found = list.bitmask === null ? byCode(list.listings, code) : byBits(list.bitmask, code);
  return found === null ? { kind: 'unknown' } : { kind: 'listing', ...found };
}

function byCode(listings: Judgement['listings'], code: number): Found | null {
  if (listings === null) return { meanings: [], policy: false };
  const found = listings.filter((listing) => isWithin(listing, code));
  return found.length === 0 ? null : foundOf(found);
}

function byBits({ bits }: NonNullable<Judgement['bitmask']>, code: number): Found | null {
  const found = bits.filter(({ bit }) => (bitsOf(code) & bit) !== 0);
  return found.length === 0 ? null : foundOf(found);
}

function foundOf(found: readonly Meaning[]): Found {
  return { meanings: found.map(({ meaning }) => meaning), policy: found.every(({ policy }) => policy) };
}

function bitsOf(code: number): number {
  return isWithin(BITMASK_CODES, code) ? code % 256 : 0;
}

function verdict(status: ListStatus, codes: string[], reason: string | null): Verdict {
  return { status, codes, meanings: [], policy: false, reason };
}

/** Each once, in the order of their numbers. */
export function sortedCodes(addresses: readonly string[]): string[] {
  return [...new Set(addresses)].sort((a, b) => (codeNumber(a) ?? -1) - (codeNumber(b) ?? -1) || (a < b ? -1 : 1));
}

function range(first: string, last: string): CodeRange {
  return { from: codeNumber(first) ?? 0, to: codeNumber(last) ?? 0 };
}
