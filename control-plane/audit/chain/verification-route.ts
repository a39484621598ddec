import type { BucketRate } from '../../../kernel/buckets/token-bucket.js';
import { createTokenBuckets } from '../../../kernel/buckets/token-buckets.js';
import type { Clock } from '../../../kernel/clock.js';
import { createKeyedSemaphore, inTurn } from '../../../kernel/concurrency/keyed-semaphore.js';
import { createSemaphore } from '../../../kernel/concurrency/semaphore.js';
import type { Logger } from '../../../kernel/logger.js';
import { AppError } from '../../errors.js';
import { type Route, readRoute } from '../../http/route.js';
import type { Cursors, SortKey } from '../../storage/cursor.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { AuditLog } from '../audit.js';
import { recordBreak } from './record-break.js';
import type { AuditChainStore } from './store.js';
import { AuditVerification, VerificationQuery } from './verification-schema.js';
import { type ChainPart, type ChainPlace, verifyPart } from './verify-part.js';

/** Entries that one request verifies: less than a second. */
export const PART_ENTRIES_MAX = 10_000;
/** Entries that a workspace may have verified. An entry takes up to 70 microseconds, so this is a third of a processor. */
export const VERIFIED_ENTRIES: BucketRate = { burst: 100_000, perSecond: 5_000 };
/** Parts that are verified at the same time. They share one event loop, so more would be no quicker. */
const PARTS_MAX = 2;
const PARTS_PER_WORKSPACE_MAX = 1;

interface VerificationNeeds {
  store: Pick<AuditChainStore, 'currentHead' | 'chainAfter' | 'lockBreaks' | 'hasBreak'>;
  audit: AuditLog;
  runTransaction: RunTransaction;
  logger: Logger;
  cursors: Cursors;
  clock: Pick<Clock, 'monotonic'>;
  partEntriesMax: number;
  /** Entries that a workspace may have verified. */
  budget: BucketRate;
}

/** Returns the route that verifies the hash chain of the caller's workspace, part by part. */
export function verificationRoute(needs: VerificationNeeds): Route {
  const { store, cursors, clock, partEntriesMax, budget, logger } = needs;
  const buckets = createTokenBuckets(budget, clock);
  const all = createSemaphore(PARTS_MAX);
  const workspaces = createKeyedSemaphore(PARTS_PER_WORKSPACE_MAX);
  return readRoute({
    method: 'GET',
    path: '/api/v1/audit-logs/verification',
    access: 'audit:read',
    tag: 'Audit log',
    summary: 'Verify the hash chain of the audit log, part by part',
    description: `A request verifies up to ${PART_ENTRIES_MAX.toLocaleString('en')} entries from the beginning or from \`cursor\`. Repeat it with \`next_cursor\` until \`status\` is \`intact\` or \`broken\`. One part of a workspace is verified at a time. A workspace can have 100,000 entries verified at once and 5,000 per second in the long run; beyond that the response is 429 with \`Retry-After\`. A break of the chain is recorded once as \`audit.chain_broken\`.`,
    query: VerificationQuery,
    replies: { 200: AuditVerification },
    async handle({ actor: { workspaceId, workspaceName }, query: { cursor }, gone }) {
      const scope = { workspaceId, list: 'audit verification', filters: {} };
      const place = cursor === undefined ? null : placeOf(cursors.decode(scope, cursor));
      const waitMs = buckets.waitMs(workspaceId);
      if (waitMs > 0) throw tooMuch(waitMs);
      // Taken before the work, so that requests that arrive together do not all find the budget unused.
      buckets.take(workspaceId, partEntriesMax);
      const part = await workspaces.run(workspaceId, gone, () =>
        inTurn(all, gone, () => verifyPart(store, workspaceId, place, partEntriesMax)),
      );
      buckets.take(workspaceId, Math.max(1, part.read) - partEntriesMax);
      if (part.problem !== null) {
        const found = { first: part.problem, problems: 1 };
        // The person must get to know it, whether or not it can be recorded.
        await recordBreak(needs, { id: workspaceId, name: workspaceName }, found).catch((err) =>
          logger.error({ err, workspace_id: workspaceId }, 'recording a broken audit chain failed'),
        );
      }
      const next = part.next === null ? null : cursors.encode(scope, keyOf(part.next));
      return { status: 200, data: viewOf(part, next) };
    },
  });
}

const keyOf = ({ id, hash, verified, dropped }: ChainPlace): SortKey => [id, hash, verified, dropped];

function placeOf([id, hash, verified, dropped]: SortKey): ChainPlace {
  return { id: String(id), hash: String(hash), verified: Number(verified), dropped: Number(dropped) };
}

function viewOf({ verified, all, to, problem }: ChainPart, next: string | null): AuditVerification {
  return {
    status: problem !== null ? 'broken' : next === null ? 'intact' : 'verifying',
    ...{ verified, total: all, verified_to: to, next_cursor: next },
    problem: problem === null ? null : { kind: problem.kind, entry_id: problem.id, timestamp: problem.timestamp },
  };
}

function tooMuch(waitMs: number): AppError {
  const waitS = Math.ceil(waitMs / 1_000);
  const detail = `This workspace has had too many audit entries verified. Retry in ${waitS} s.`;
  return new AppError('rate_limited', detail, { headers: { 'Retry-After': String(waitS) } });
}
