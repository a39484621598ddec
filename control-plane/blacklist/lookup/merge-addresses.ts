import { type Classification, sortedCodes } from '../lists/classify.js';
import type { AddressResult, ListStatus } from '../results.js';
import type { AddressFailure } from './domain-addresses.js';
import type { QueryResult } from './query-list.js';

/** If the addresses of a domain have several kinds of missing answers, the first of these is the result. */
const NO_ANSWER: readonly ListStatus[] = ['blocked', 'invalid', 'error', 'timeout'];

export interface Merged extends Classification {
  tookMs: number | null;
  addresses: AddressResult[];
}

/**
 * Merges the results of one list for all addresses of a domain. It is listed if one address is listed. It is clean only
 * if all addresses are known and the list answered for each of them. Pure.
 */
export function mergeAddresses(
  results: readonly (QueryResult & { address: string })[],
  failures: readonly AddressFailure[],
): Merged {
  const rows = [...results].sort((a, b) => (a.address < b.address ? -1 : 1));
  const listed = rows.filter(({ status }) => status === 'listed');
  const unanswered = [...rows, ...failures].filter(({ status }) => status !== 'listed' && status !== 'clean');
  const noAnswer = NO_ANSWER.flatMap((status) => unanswered.filter((row) => row.status === status)).at(0);
  const worst = listed.at(0) ?? noAnswer;
  return {
    status: worst?.status ?? 'clean',
    codes: sortedCodes(rows.flatMap(({ codes }) => codes)),
    meanings: [...new Set(listed.flatMap(({ meanings }) => meanings))],
    policy: listed.length > 0 && listed.every(({ policy }) => policy),
    // The text of a real listing takes precedence over that of a policy listing.
    reason: listed.find(({ policy }) => !policy)?.reason ?? worst?.reason ?? null,
    tookMs: rows.length === 0 ? null : Math.max(...rows.map(({ tookMs }) => tookMs)),
    addresses: rows.map(({ address, status, codes, reason }) => ({ address, status, codes, reason })),
  };
}
