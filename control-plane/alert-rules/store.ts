import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { AlertRuleDocument, RuleChangesDocument, RuleDefaultsDocument } from './documents.js';
import type { AnyRuleSettings } from './rule-type.js';

export type RuleChange = AnyRuleSettings & { updated_at_ms: number };

export interface AlertRuleStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, rules: readonly AlertRuleDocument[]): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<AlertRuleDocument | null>;
  /** Returns the rules older than `afterId`, newest first. */
  list(workspaceId: string, afterId: string | null, rowsMax: number): Promise<AlertRuleDocument[]>;
  /** Returns the enabled rules of the workspace, oldest first. */
  enabled(workspaceId: string, tx?: Transaction): Promise<AlertRuleDocument[]>;
  /** Returns the rules of the workspace that have the id in the list `field`, oldest first. */
  naming(tx: Transaction, workspaceId: string, field: string, id: string): Promise<AlertRuleDocument[]>;
  /** Returns the workspaces with an enabled rule of the type. */
  workspacesWith(type: string): Promise<string[]>;
  /** Returns null when the rule no longer has the version of `rule`. */
  change(tx: Transaction, rule: AlertRuleDocument, change: RuleChange): Promise<AlertRuleDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  /** Counts the rules of a workspace up to `max`. */
  count(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  /**
   * Notes for all control planes that the rules of a workspace change, in the transaction of the change. Concurrent
   * changes of one workspace conflict here, so that no two of them pass the limit together.
   */
  noteChange(tx: Transaction, workspaceId: string): Promise<void>;
  /** Returns how often the rules of these workspaces have changed. Workspaces without a change are left out. */
  changeCounts(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Returns a text that identifies the newest change; null without one. */
  newestChange(): Promise<string | null>;
  /** Records that default rules were created. Returns false when this id was recorded before. */
  recordDefaults(tx: Transaction, id: string, atMs: number): Promise<boolean>;
}

export function createAlertRuleStore(db: Db): AlertRuleStore {
  const rules = db.collection<AlertRuleDocument>('alert_rules');
  const changes = db.collection<RuleChangesDocument>('alert_rule_changes');
  const defaults = db.collection<RuleDefaultsDocument>('alert_rule_defaults');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await rules.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { type: 1, enabled: 1, workspace_id: 1 } },
      ]);
      await changes.createIndexes([{ key: { at: 1 } }]);
    },
    async insert(tx, documents) {
      await rules.insertMany([...documents], { session: tx.session });
    },
    find: (workspaceId, id, tx) => rules.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    list(workspaceId, afterId, rowsMax) {
      const rest = afterId === null ? {} : { _id: { $lt: afterId } };
      return rules
        .find({ workspace_id: workspaceId, ...rest })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    enabled: (workspaceId, tx) =>
      rules.find({ workspace_id: workspaceId, enabled: true }, within(tx)).sort({ _id: 1 }).toArray(),
    naming: (tx, workspaceId, field, id) =>
      rules
        .find({ workspace_id: workspaceId, [field]: id }, within(tx))
        .sort({ _id: 1 })
        .toArray(),
    workspacesWith: (type) => rules.distinct('workspace_id', { type, enabled: true }),
    change: (tx, rule, change) =>
      rules.findOneAndUpdate(
        { _id: rule._id, workspace_id: rule.workspace_id, version: rule.version },
        { $set: change, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
    async remove(tx, workspaceId, id) {
      const removed = await rules.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    count: (tx, workspaceId, max) =>
      rules.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    async noteChange(tx, workspaceId) {
      const update = { $inc: { count: 1 }, $currentDate: { at: true } } as const;
      await changes.updateOne({ _id: workspaceId }, update, { session: tx.session, upsert: true });
    },
    async changeCounts(workspaceIds) {
      const rows = await changes.find({ _id: { $in: [...workspaceIds] } }).toArray();
      return new Map(rows.map((row) => [row._id, row.count]));
    },
    async newestChange() {
      const row = await changes.findOne({}, { sort: { at: -1 } });
      return row === null ? null : `${row._id}/${row.at.getTime()}/${row.count}`;
    },
    async recordDefaults(tx, id, atMs) {
      const update = { $setOnInsert: { at_ms: atMs } };
      const recorded = await defaults.updateOne({ _id: id }, update, { session: tx.session, upsert: true });
      return recorded.upsertedCount === 1;
    },
  };
}
