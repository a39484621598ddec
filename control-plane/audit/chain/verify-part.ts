import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditDocument, AuditHeadDocument } from '../documents.js';
import { entryOf } from '../entry.js';
import type { AuditChainStore } from './store.js';
import { type ChainProblem, createChainCheck, WHOLE_CHAIN } from './verify.js';

/** How far a verification in parts has come. */
export interface ChainPlace {
  /** The last verified entry, with its hash. */
  id: string;
  hash: string;
  /** Entries verified so far. */
  verified: number;
  /** Entries that retention had deleted when the verification began. */
  dropped: number;
}

export interface ChainPart {
  verified: number;
  /** Entries that were read and hashed for it, those that were read again too. */
  read: number;
  /** Entries that the whole chain has now, from where the verification began. */
  all: number;
  /** Timestamp of the last entry of this part; null without entries. */
  to: string | null;
  problem: (Pick<ChainProblem, 'kind'> & { id: string | null; timestamp: string | null }) | null;
  /** Where the next part begins; null at the end of the chain or after a problem. */
  next: ChainPlace | null;
}

/** Hashing an entry takes some tens of microseconds; other requests run between so many. */
const ENTRIES_PER_TURN = 100;
/** How many times a part is read again because retention deleted entries during the read. */
const READS_MAX = 3;

/**
 * Verifies the next part of the chain of a workspace, at most `entriesMax` entries after `place`; from the beginning for
 * null, and if retention has deleted entries beyond that place meanwhile.
 */
export async function verifyPart(
  store: Pick<AuditChainStore, 'currentHead' | 'chainAfter'>,
  workspaceId: string,
  place: ChainPlace | null,
  entriesMax: number,
): Promise<ChainPart> {
  let read = 0;
  for (let reads = 1; ; reads++) {
    const head = await store.currentHead(workspaceId);
    const part = await readPart(store, { workspaceId, head, place: stillThere(place, head), entriesMax });
    read += part.read;
    if (part.problem === null || reads === READS_MAX) return { ...part, read };
    const after = await store.currentHead(workspaceId);
    // Otherwise retention deleted entries during the read, which may explain the problem.
    if ((after?.start?.dropped ?? 0) === (head?.start?.dropped ?? 0)) return { ...part, read };
  }
}

function stillThere(place: ChainPlace | null, head: AuditHeadDocument | null): ChainPlace | null {
  if (place === null || (head?.start?.dropped ?? 0) > place.dropped + place.verified) return null;
  return place;
}

async function readPart(
  store: Pick<AuditChainStore, 'chainAfter'>,
  of: { workspaceId: string; head: AuditHeadDocument | null; place: ChainPlace | null; entriesMax: number },
): Promise<ChainPart> {
  const { workspaceId, head, place, entriesMax } = of;
  const start = head?.start ?? WHOLE_CHAIN;
  const begin = place === null ? start : { dropped: place.dropped + place.verified, previous_hash: place.hash };
  const before = place ?? { verified: 0, dropped: start.dropped };
  const check = createChainCheck(begin);
  const times = new Map<string, string>();
  let last: AuditDocument | null = null;
  let count = 0;
  for await (const document of store.chainAfter(workspaceId, place?.id ?? null, head, entriesMax)) {
    const entry = entryOf(document);
    check.add(entry);
    last = document;
    count += 1;
    times.set(entry.id, entry.timestamp);
    if (check.result().problems.length > 0) break;
    if (count % ENTRIES_PER_TURN === 0) await nextTurn();
  }
  const isEnd = count < entriesMax;
  const isEmpty = head === null && last === null && place === null;
  const { problems, to } = isEnd && !isEmpty ? check.finish(head) : check.result();
  const verified = before.verified + count;
  const [problem = null] = problems;
  const hasMore = problem === null && !isEnd && last !== null && last.hash !== null;
  return {
    ...{ verified, read: count, to, all: Math.max(verified, (head?.count ?? 0) - before.dropped) },
    problem:
      problem === null
        ? null
        : { kind: problem.kind, id: problem.id, timestamp: (problem.id && times.get(problem.id)) || null },
    next: hasMore ? { id: last?._id ?? '', hash: last?.hash ?? '', verified, dropped: before.dropped } : null,
  };
}
