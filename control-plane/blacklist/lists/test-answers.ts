import type { Answer } from '../../../kernel/dns/answer.js';
import { refusalOf } from './classify.js';
import { codeNumber, isLoopback, isWithin } from './codes.js';
import type { Provider } from './providers.js';

/** RFC 5782, section 5: the address that no IPv6 list may list. */
export const NEVER_LISTED_6 = '::ffff:127.0.0.1';

export interface TestResult {
  health: 'passing' | 'failing';
  /** Why the list fails, else null. */
  reason: string | null;
}

/** The result for one test entry; null if there is none. */
type EntryResult = 'listed' | 'clean' | null;

/** Evaluates the answers for the test entries of a list; null for an entry that it does not have. Pure. */
export function evaluateTestAnswers(
  provider: Provider,
  answers: { positives: readonly (Answer | null)[]; negative: Answer | null; negative6: Answer | null },
): TestResult | null {
  const { listed, not_listed, codes } = provider.test;
  const negative = entryResult(provider, answers.negative, null);
  const negative6 = entryResult(provider, answers.negative6, null);
  if (negative === 'listed' || negative6 === 'listed') {
    const entry = negative === 'listed' ? not_listed : NEVER_LISTED_6;
    return {
      health: 'failing',
      reason: `It lists everything, even its test entry ${entry}, which must never be listed.`,
    };
  }
  const positives = answers.positives.map((answer) => entryResult(provider, answer, codes));
  if (positives.length > 0 && positives.every((result) => result === 'clean')) {
    return { health: 'failing', reason: `It does not list its test entry ${listed.join(' or ')}.` };
  }
  const isPositiveOk = positives.length === 0 || positives.includes('listed');
  const isNegativeOk = not_listed === null || negative === 'clean';
  const hasAny = positives.length > 0 || not_listed !== null;
  return hasAny && isPositiveOk && isNegativeOk ? { health: 'passing', reason: null } : null;
}

function entryResult(provider: Provider, answer: Answer | null, expected: Provider['test']['codes']): EntryResult {
  if (answer === null || answer.kind === 'failed' || answer.kind === 'timeout') return null;
  if (answer.kind === 'none' || answer.addresses.length === 0) return 'clean';
  const codes = answer.addresses.map(codeNumber);
  if (!codes.every((code) => code !== null && isLoopback(code))) return null;
  const known = codes.filter((code) => code !== null);
  if (expected !== null && known.some((code) => expected.some((range) => isWithin(range, code)))) return 'listed';
  const answered = known.filter((code) => refusalOf(provider, code) === null);
  if (answered.length === 0) return null;
  return expected === null ? 'listed' : 'clean';
}
