import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import type { AlertRules } from '../../alert-rules/alert-rules.js';
import type { RuleIncidents } from '../../incidents/incidents.js';
import type { OpenedSlice, Slice } from '../../slice.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import { shortName } from '../../wording.js';
import type { BackupJobDirectory, BackupJobListener } from '../backup-jobs.js';
import { createBackupRuleHandler } from './handler.js';
import { backupKind } from './incident-kind.js';
import { createBackupIncidents } from './incidents.js';
import { BACKUP_DEFAULT_RULES, missedType } from './rule-type.js';

export interface BackupRulesNeeds {
  alertRules: AlertRules;
  incidents: RuleIncidents;
  backupJobs: BackupJobDirectory;
  /** Returns the actor for changes that Picket itself makes in the workspace. */
  systemActor(workspaceId: string): Actor;
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
}

export interface BackupRules extends OpenedSlice {
  /** Applies the rules to changes of a job, in the transaction of the change. */
  listener: BackupJobListener;
  /** Creates the default rule of a workspace with its first backup job. */
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
}

/** Alert rules on backup jobs. */
function openBackupRules(needs: BackupRulesNeeds): BackupRules {
  const { alertRules } = needs;
  const backups = createBackupIncidents(needs);
  alertRules.register(createBackupRuleHandler({ ...needs, backups }));
  return {
    listener: {
      changed: backups.update,
      ended: (tx, actor, { _id, name }, how) =>
        alertRules.resolveObsolete(tx, actor, {
          resolution: how,
          because: `the backup job ${shortName(name)} was ${how}`,
          deleted: _id,
        }),
    },
    ensureDefaultRule: (tx, actor) => alertRules.ensureDefaults(tx, actor, BACKUP_DEFAULT_RULES),
  };
}

/** Alert rules on backup jobs. */
export const backupRulesSlice = {
  name: 'backupRules',
  incidentKinds: [backupKind],
  ruleTypes: [missedType],
  open: openBackupRules,
} satisfies Slice<'backupRules', BackupRulesNeeds, BackupRules>;
