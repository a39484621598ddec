import type { Db } from 'mongodb';
import type { PageRequest } from '../../http/paging.js';
import { newestFirstBy } from '../../storage/cursor.js';
import type { Transaction } from '../../storage/transaction.js';
import type { CheckDocument } from '../documents.js';

export interface ChecksRequest {
  workspaceId: string;
  monitorId: string;
  /** Checks made from then until then, both included. */
  fromMs: number;
  toMs: number;
  /** Only those that found a change. */
  changed: boolean;
  /** `checked_at_ms` and `_id` of the last row of the page before. */
  page: PageRequest;
}

/** The history of blacklist monitors. */
export interface BlacklistChecksStore {
  ensureIndexes(): Promise<void>;
  /** In the transaction that notes the check at its monitor. */
  insert(tx: Transaction, check: CheckDocument): Promise<void>;
  /** Newest first. */
  page(request: ChecksRequest): Promise<CheckDocument[]>;
  /** Removes all checks of a monitor that is gone, a batch at a time. */
  removeOf(monitor: { workspaceId: string; monitorId: string }): Promise<void>;
}

const REMOVED_AT_ONCE = 1_000;
/** Changes are rare, so they have an index of their own. The planner, which tries both, would not always take it. */
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
          .limit(REMOVED_AT_ONCE)
          .toArray();
        if (found.length > 0) await checks.deleteMany({ ...filter, _id: { $in: found.map(({ _id }) => _id) } });
        if (found.length < REMOVED_AT_ONCE) return;
      }
    },
  };
}
