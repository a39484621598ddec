import type { Answer } from '../../../kernel/dns/answer.js';
import type { ListStatus } from '../results.js';
import { type CodeRange, codeNumber, isLoopback, isWithin } from './codes.js';

/** The meanings of a list's answers, from its row in the catalogue. */
export interface CodeMeanings {
  /** null: every code within 127.0.0.0/8 that is not a refusal means a listing. */
  listings: readonly (CodeRange & Meaning)[] | null;
  refusals: readonly (CodeRange & { meaning: string })[];
  /** Used instead of `listings`. */
  bitmask: { bits: readonly (Meaning & { bit: number })[]; refused: readonly number[] } | null;
}

interface Meaning {
  meaning: string;
  policy: boolean;
}

/** Answers of lists have a few codes. A DNS response has room for 4,000, which the history must not keep. */
const CODES_KEPT_MAX = 32;

export interface Classification {
  status: ListStatus;
  /** The first `CODES_KEPT_MAX` A records, sorted. All of them are classified. */
  codes: string[];
  meanings: string[];
  policy: boolean;
  /** Why there is no usable answer; null for clean and listed. */
  reason: string | null;
}

/** The codes with which every list may refuse to answer: from RFC 5782 and the practice of the large lists. */
export const REFUSALS: readonly (CodeRange & { meaning: string })[] = [
  { ...range('127.255.255.0', '127.255.255.255'), meaning: 'it does not answer this resolver' },
  { ...range('127.0.0.1', '127.0.0.1'), meaning: 'it does not answer this resolver' },
  { ...range('127.0.1.255', '127.0.1.255'), meaning: 'it does not list this type of target' },
];

/** The codes whose last octet is a bitmask. */
const BITMASK_CODES = range('127.0.0.0', '127.0.0.255');

type Code = { kind: 'foreign' | 'unknown' } | { kind: 'refusal'; meaning: string } | ({ kind: 'listing' } & Listed);

interface Listed {
  meanings: string[];
  policy: boolean;
}

/** Classifies an answer. The order of its records does not matter. Pure. */
export function classify(list: CodeMeanings, answer: Answer): Classification {
  if (answer.kind === 'none') return classification('clean', [], null);
  if (answer.kind === 'timeout') return classification('timeout', [], 'The list did not answer in time.');
  if (answer.kind === 'failed') return classification('error', [], `The DNS query failed: ${answer.error}.`);
  const codes = sortedCodes(answer.addresses);
  if (codes.length === 0) return classification('clean', [], null);
  const classified = codes.map((code) => classifyCode(list, code));
  if (classified.some(({ kind }) => kind === 'foreign')) {
    return classification('invalid', codes, 'The answer is not from a DNS list: it is outside 127.0.0.0/8.');
  }
  const listings = classified.filter((code) => code.kind === 'listing');
  if (listings.length > 0) {
    const meanings = [...new Set(listings.flatMap((code) => code.meanings))];
    return {
      status: 'listed',
      codes: codes.slice(0, CODES_KEPT_MAX),
      meanings,
      policy: listings.every(({ policy }) => policy),
      reason: null,
    };
  }
  const refusal = classified.find((code) => code.kind === 'refusal');
  if (refusal !== undefined) return classification('blocked', codes, `The list refused the query: ${refusal.meaning}.`);
  return classification('invalid', codes, 'The answer is not one of the known codes of this list.');
}

/** Returns why a list refuses to answer with this code; null if the code is not a refusal. */
export function refusalOf(list: CodeMeanings, code: number): string | null {
  const refusal = [...list.refusals, ...REFUSALS].find((one) => isWithin(one, code));
  if (refusal !== undefined) return refusal.meaning;
  const isRefused = list.bitmask?.refused.some((bit) => (bitsOf(code) & bit) !== 0) ?? false;
  return isRefused ? 'it does not answer this resolver' : null;
}

function classifyCode(list: CodeMeanings, text: string): Code {
  const code = codeNumber(text);
  if (code === null || !isLoopback(code)) return { kind: 'foreign' };
  const meaning = refusalOf(list, code);
  if (meaning !== null) return { kind: 'refusal', meaning };
  const listed = list.bitmask === null ? byCode(list.listings, code) : byBits(list.bitmask, code);
  return listed === null ? { kind: 'unknown' } : { kind: 'listing', ...listed };
}

function byCode(listings: CodeMeanings['listings'], code: number): Listed | null {
  if (listings === null) return { meanings: [], policy: false };
  const matching = listings.filter((listing) => isWithin(listing, code));
  return matching.length === 0 ? null : listedOf(matching);
}

function byBits({ bits }: NonNullable<CodeMeanings['bitmask']>, code: number): Listed | null {
  const matching = bits.filter(({ bit }) => (bitsOf(code) & bit) !== 0);
  return matching.length === 0 ? null : listedOf(matching);
}

function listedOf(matching: readonly Meaning[]): Listed {
  return { meanings: matching.map(({ meaning }) => meaning), policy: matching.every(({ policy }) => policy) };
}

function bitsOf(code: number): number {
  return isWithin(BITMASK_CODES, code) ? code % 256 : 0;
}

function classification(status: ListStatus, codes: string[], reason: string | null): Classification {
  return { status, codes: codes.slice(0, CODES_KEPT_MAX), meanings: [], policy: false, reason };
}

/** Returns each code once, in numeric order. */
export function sortedCodes(addresses: readonly string[]): string[] {
  return [...new Set(addresses)].sort((a, b) => (codeNumber(a) ?? -1) - (codeNumber(b) ?? -1) || (a < b ? -1 : 1));
}

function range(first: string, last: string): CodeRange {
  return { from: codeNumber(first) ?? 0, to: codeNumber(last) ?? 0 };
}
