import { Type } from 'typebox';
import type { DefaultRules } from '../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { defineRuleType, type RuleField, type RuleOf } from '../../alert-rules/rule-type.js';
import { nullable } from '../../http/input/nullable.js';
import { idPattern } from '../../storage/ids.js';
import { JOB_ID } from '../examples.js';

const JOBS_MAX = 500;

const JobIds = nullable(Type.Array(Type.String()));

const backupJobIds: RuleField<typeof JobIds> = {
  value: JobIds,
  input: nullable(
    Type.Array(Type.String({ pattern: idPattern('bkp') }), {
      maxItems: JOBS_MAX,
      uniqueItems: true,
    }),
    {
      description:
        'Only for type `backup_missed`: backup jobs that the rule applies to; `[]`, after the deletion of all of them, means none. Defaults to all, including future ones.',
    },
  ),
  default: null,
  refersTo: 'backup_job',
};

export const missedType = defineRuleType({
  type: 'backup_missed',
  description: 'a backup job is missed, fails, does not end, or makes a backup that is not what its settings expect',
  metric: null,
  defaultSeverity: 'critical',
  condition: {},
  targets: { backup_job_ids: backupJobIds },
  examples: {
    create: [{ name: 'Backup missed or failed', type: 'backup_missed' }],
    update: [],
    reply: [{ name: 'The database of the shop', backup_job_ids: [JOB_ID] }],
  },
});
export type MissedRule = RuleOf<typeof missedType>;

/** The rule that a workspace gets with its first backup job. */
export const BACKUP_DEFAULT_RULES: DefaultRules = {
  key: 'backups',
  rules: [{ name: 'Backup missed or failed', type: missedType.type, severity: 'critical' }],
};

/** Returns the enabled rules that apply to the job. */
export function rulesOf(rules: readonly AlertRuleDocument[], jobId: string): MissedRule[] {
  return missedType
    .of(rules)
    .filter(({ enabled, backup_job_ids: ids }) => enabled && (ids === null || ids.includes(jobId)));
}
