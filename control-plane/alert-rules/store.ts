import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { AlertRuleDocument, RuleChangesDocument, RuleDefaultsDocument, RuleSettings } from './documents.js';

export type RuleChange = RuleSettings & { updated_at_ms: number };

export interface AlertRuleStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, rules: readonly AlertRuleDocument[]): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<AlertRuleDocument | null>;
  /** Newest first, those older than `afterId`. */
  list(workspaceId: string, afterId: string | null, rowsMax: number): Promise<AlertRuleDocument[]>;
  /** All that the workspace has enabled, oldest first. */
  enabled(workspaceId: string, tx?: Transaction): Promise<AlertRuleDocument[]>;
  /** Workspaces with an enabled rule of the type. */
  workspacesWith(type: RuleSettings['type']): Promise<string[]>;
  /** null when the rule has another version by now. */
  change(tx: Transaction, rule: AlertRuleDocument, change: RuleChange): Promise<AlertRuleDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  count(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  /**
   * Tells all control planes that the workspace's rules change. In the transaction of the change: two changes of a
   * workspace at the same moment wait for one another, so that neither slips past a limit.
   */
  noteChange(tx: Transaction, workspaceId: string): Promise<void>;
  /** How often the rules of these workspaces were changed; those without an entry never were. */
  changeCounts(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Names the newest change; another name means that there is another. */
  newestChange(): Promise<string | null>;
  /** false when the workspace was given its first rules on these before. */
  noteDefaults(tx: Transaction, workspaceId: string, on: 'servers' | 'listings', atMs: number): Promise<boolean>;
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
    async noteDefaults(tx, workspaceId, on, atMs) {
      const _id = on === 'servers' ? workspaceId : `${workspaceId}:blacklist`;
      const update = { $setOnInsert: { at_ms: atMs } };
      const noted = await defaults.updateOne({ _id }, update, { session: tx.session, upsert: true });
      return noted.upsertedCount === 1;
    },
  };
}
