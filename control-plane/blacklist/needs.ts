import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { References } from '../references/references.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { ListingListener } from './blacklist.js';
import type { BlacklistChecksStore } from './monitoring/checks-store.js';
import type { BlacklistMonitorStore } from './store.js';

/** The shared needs of creating, updating and deleting blacklist monitors. */
export interface BlacklistNeeds {
  store: BlacklistMonitorStore;
  checks: Pick<BlacklistChecksStore, 'removeOf'>;
  listener: Pick<ListingListener, 'deleted'>;
  /** Called for each new monitor: creates the default alert rule for listings in a workspace without monitors. */
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
  references: References;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  logger: Logger;
}
