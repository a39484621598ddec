import { type RuleTypeHandler, refuseUnknown } from '../../alert-rules/alert-rules.js';
import { missedType, rulesOf } from './rule-type.js';
import { jobOfSubject } from './subjects.js';
import { type BackupSweepNeeds, createBackupSweep } from './sweep.js';

/** Returns the handler of the rule type for backup jobs. */
export function createBackupRuleHandler(needs: BackupSweepNeeds): RuleTypeHandler {
  const { backupJobs } = needs;
  return {
    types: [missedType.type],
    async checkTargets(tx, workspaceId, { backup_job_ids: ids }) {
      if (!Array.isArray(ids)) return;
      const found = await backupJobs.findMany(workspaceId, ids, tx);
      refuseUnknown('backup_job_ids', 'a backup job', ids, found);
    },
    async withRule(workspaceId, incidents, rules, tx) {
      const jobOf = (subject: string) => jobOfSubject(subject) ?? '';
      const ids = incidents.map(({ subject }) => jobOf(subject));
      const jobs = await backupJobs.findMany(workspaceId, ids, tx);
      const found = new Set(jobs.filter(({ enabled }) => enabled).map(({ _id }) => _id));
      const kept = incidents
        .map(({ subject }) => subject)
        .filter((subject) => found.has(jobOf(subject)) && rulesOf(rules, jobOf(subject)).length > 0);
      return new Set(kept);
    },
    beginSweep: createBackupSweep(needs),
  };
}
