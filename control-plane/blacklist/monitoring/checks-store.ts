import type { Db } from 'mongodb';
import { newestFirstBy, type PageRequest, type TimePosition } from '../../storage/page.js';
import type { Transaction } from '../../storage/transaction.js';
import type { CheckDocument } from '../documents.js';

export interface ChecksRequest {
  workspaceId: string;
  monitorId: string;
  /** The time range, both ends included. */
  fromMs: number;
  toMs: number;
  /** Returns only checks with changes. */
  changed: boolean;
  page: PageRequest<TimePosition>;
}

/** The history of blacklist monitors. */
export interface BlacklistChecksStore {
  ensureIndexes(): Promise<void>;
  /** Runs in the transaction that saves the check in its monitor. */
  insert(tx: Transaction, check: CheckDocument): Promise<void>;
  /** Newest first. */
  page(request: ChecksRequest): Promise<CheckDocument[]>;
  /** Deletes all checks of a deleted monitor, in batches. */
  removeOf(monitor: { workspaceId: string; monitorId: string }): Promise<void>;
}

const REMOVE_BATCH = 1_000;
/** Changes are rare, so they have their own index. It needs a hint, because the planner does not always choose it. */
const CHANGED_INDEX = 'changed';
const HAS_CHANGE = { 'changes.kind': { $exists: true } } as const;

export function createBlacklistChecksStore(db: Db): BlacklistChecksStore {
  const checks = db.collection<CheckDocument>('blacklist_checks');
  const byTime = { monitor_id: 1, checked_at_ms: -1, _id: -1 } as const;
  return {
    async ensureIndexes() {
      await checks.createIndexes([
        { key: byTime },
        { key: byTime, name: CHANGED_INDEX, partialFilterExpression: HAS_CHANGE },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    async insert(tx, check) {
      await checks.insertOne(check, { session: tx.session });
    },
    page({ workspaceId, monitorId, fromMs, toMs, changed, page }) {
      const { filter, sort } = newestFirstBy('checked_at_ms', page.after);
      const found = {
        monitor_id: monitorId,
        workspace_id: workspaceId,
        ...(changed ? HAS_CHANGE : {}),
        $and: [{ checked_at_ms: { $gte: fromMs, $lte: toMs } }, filter],
      };
      return checks
        .find(found, changed ? { hint: CHANGED_INDEX } : {})
        .sort(sort)
        .limit(page.rowsMax)
        .toArray();
    },
    async removeOf({ workspaceId, monitorId }) {
      const filter = { monitor_id: monitorId, workspace_id: workspaceId };
      for (;;) {
        const found = await checks
          .find(filter, { projection: { _id: 1 } })
          .limit(REMOVE_BATCH)
          .toArray();
        if (found.length > 0) await checks.deleteMany({ ...filter, _id: { $in: found.map(({ _id }) => _id) } });
        if (found.length < REMOVE_BATCH) return;
      }
    },
  };
}
