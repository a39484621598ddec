import type { AddressResult, ListStatus } from '../blacklist.js';
import { sortedCodes, type Verdict } from '../lists/classify.js';
import type { Asked } from './ask-list.js';
import type { AddressFailure } from './domain-addresses.js';

/** What is told of a domain whose addresses gave several kinds of silence: the first of these. */
const SILENCES: readonly ListStatus[] = ['blocked', 'invalid', 'error', 'timeout'];

export interface Merged extends Verdict {
  tookMs: number | null;
  addresses: AddressResult[];
}

/**
 * One list's answers for all addresses of a domain: listed where one of them is. Clean only where each answered, and
 * every address is known: silence is never clean. Pure.
 */
export function mergeAddresses(
  asked: readonly (Asked & { address: string })[],
  failures: readonly AddressFailure[],
): Merged {
  const rows = [...asked].sort((a, b) => (a.address < b.address ? -1 : 1));
  const listed = rows.filter(({ status }) => status === 'listed');
  const silent = [...rows, ...failures].filter(({ status }) => status !== 'listed' && status !== 'clean');
  const silence = SILENCES.flatMap((status) => silent.filter((row) => row.status === status)).at(0);
  const told = listed.at(0) ?? silence;
  return {
    status: told?.status ?? 'clean',
    codes: sortedCodes(rows.flatMap(({ codes }) => codes)),
    meanings: [...new Set(listed.flatMap(({ meanings }) => meanings))],
    policy: listed.length > 0 && listed.every(({ policy }) => policy),
    // Of a policy and a listing proper, the text of the latter.
    reason: listed.find(({ policy }) => !policy)?.reason ?? told?.reason ?? null,
    tookMs: rows.length === 0 ? null : Math.max(...rows.map(({ tookMs }) => tookMs)),
    addresses: rows.map(({ address, status, codes, reason }) => ({ address, status, codes, reason })),
  };
}
