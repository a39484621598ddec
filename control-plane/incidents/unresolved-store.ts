import type { Collection } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { IncidentDocument } from './documents.js';
import type { RuleIncidentHead } from './incidents.js';

/** Reads unresolved incidents. Where several are returned, they are in no particular order. */
export interface UnresolvedIncidentStore {
  /** Returns the unresolved incident of the subject; null if there is none. */
  unresolved(workspaceId: string, subject: string, tx?: Transaction): Promise<IncidentDocument | null>;
  /** Returns the unresolved incidents of the subjects. */
  unresolvedOf(
    tx: Transaction,
    subjects: readonly { workspaceId: string; subject: string }[],
  ): Promise<IncidentDocument[]>;
  /** Returns the subjects of one kind that have an unresolved incident. */
  unresolvedSubjects(workspaceId: string, kind: string): Promise<string[]>;
  /** Returns the unresolved incidents whose subject starts with the prefix. */
  unresolvedWithPrefix(workspaceId: string, prefix: string, tx: Transaction): Promise<IncidentDocument[]>;
  /** Returns the unresolved incidents that alert rules opened for these subjects; null means for any subject. */
  unresolvedOfRules(
    workspaceId: string,
    subjects: readonly string[] | null,
    tx?: Transaction,
  ): Promise<RuleIncidentHead[]>;
  /** Returns silenced incidents of all workspaces whose silence ended at `nowMs` or before, the earliest first. */
  silencesEnded(nowMs: number, limit: number): Promise<{ workspaceId: string; id: string }[]>;
  /** Returns the workspaces with an unresolved incident that an alert rule opened. */
  workspacesWithRuleIncidents(): Promise<string[]>;
}

/** `ruleKinds` are the kinds of incidents that alert rules open. */
export function unresolvedIncidentStore(
  incidents: Collection<IncidentDocument>,
  ruleKinds: readonly string[],
): UnresolvedIncidentStore {
  return {
    unresolved: (workspaceId, subject, tx) =>
      incidents.findOne({ workspace_id: workspaceId, subject, open: true }, sessionOf(tx)),
    async unresolvedOf(tx, subjects) {
      if (subjects.length === 0) return [];
      const wanted = new Set(subjects.map(({ workspaceId, subject }) => `${workspaceId} ${subject}`));
      const filter = {
        workspace_id: { $in: workspacesOf(subjects) },
        subject: { $in: subjects.map(({ subject }) => subject) },
        open: true as const,
      };
      const found = await incidents.find(filter, { session: tx.session }).toArray();
      return found.filter((incident) => wanted.has(`${incident.workspace_id} ${incident.subject}`));
    },
    async unresolvedSubjects(workspaceId, kind) {
      const rows = await incidents
        .find({ workspace_id: workspaceId, open: true, kind }, { projection: { subject: 1 } })
        .toArray();
      return rows.map((row) => row.subject);
    },
    unresolvedWithPrefix(workspaceId, prefix, tx) {
      const subject = { $gte: prefix, $lt: `${prefix}\uffff` };
      return incidents.find({ workspace_id: workspaceId, subject, open: true }, { session: tx.session }).toArray();
    },
    unresolvedOfRules(workspaceId, subjects, tx) {
      const selected = subjects === null ? {} : { subject: { $in: [...subjects] } };
      const head = { subject: 1, resource: 1, 'decision.rule': 1, 'decision.other_rules': 1 } as const;
      return incidents
        .find({ workspace_id: workspaceId, kind: { $in: [...ruleKinds] }, open: true, ...selected }, sessionOf(tx))
        .project<RuleIncidentHead>(head)
        .toArray();
    },
    async silencesEnded(nowMs, limit) {
      const found = await incidents
        .find({ open: true, status: 'silenced', silenced_until_ms: { $gt: 0, $lte: nowMs } })
        .sort({ silenced_until_ms: 1 })
        .limit(limit)
        .project<Pick<IncidentDocument, '_id' | 'workspace_id'>>({ workspace_id: 1 })
        .toArray();
      return found.map(({ _id, workspace_id }) => ({ id: _id, workspaceId: workspace_id }));
    },
    workspacesWithRuleIncidents: () =>
      incidents.distinct('workspace_id', { open: true, kind: { $in: [...ruleKinds] } }),
  };
}

/** Returns the options of a read that is part of a transaction, if there is one. */
export function sessionOf(tx?: Transaction) {
  return tx === undefined ? {} : { session: tx.session };
}

export function workspacesOf(targets: readonly { workspaceId: string }[]): string[] {
  return [...new Set(targets.map(({ workspaceId }) => workspaceId))];
}
