import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { References } from '../references/references.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { BackupJobListener } from './backup-jobs.js';
import type { BackupRunStore } from './runs/store.js';
import type { BackupJobStore } from './store.js';

/** What the operations on backup jobs need. */
export interface BackupJobNeeds {
  store: BackupJobStore;
  runs: BackupRunStore;
  listener: BackupJobListener;
  /** Creates the default alert rule with the first backup job of a workspace. */
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
  references: References;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Without a slash at the end. */
  publicUrl: string;
}
