import type { RuleTypeHandler } from '../../alert-rules/alert-rules.js';
import { createRuleSweep, type RuleSweepNeeds } from '../../alert-rules/evaluate/rule-sweep.js';
import type { BackupJobDirectory } from '../backup-jobs.js';
import type { BackupJobDocument } from '../documents.js';
import type { BackupIncidents } from './incidents.js';
import { missedType, rulesOf } from './rule-type.js';
import { backupSubject, jobOfSubject } from './subjects.js';

export interface BackupSweepNeeds extends RuleSweepNeeds {
  backupJobs: BackupJobDirectory;
  backups: BackupIncidents;
}

/** Returns the sweep of backup jobs. */
export function createBackupSweep(needs: BackupSweepNeeds): RuleTypeHandler['beginSweep'] {
  const { backupJobs, backups } = needs;
  return createRuleSweep<BackupJobDocument>(needs, {
    type: missedType.type,
    failure: 'failed to update the incident of a backup job; the next sweep retries',
    idField: 'job',
    alerting: backupJobs.failing,
    findMany: backupJobs.findMany,
    rulesOf,
    subjectsOf: ({ _id, problem }) => (problem === null ? [] : [backupSubject(_id)]),
    resourceOf: jobOfSubject,
    async update(tx, workspaceId, jobId) {
      const present = await backupJobs.find(workspaceId, jobId, tx);
      if (present !== null) await backups.update(tx, present);
    },
  });
}
