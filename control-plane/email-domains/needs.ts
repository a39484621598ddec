import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { DomainListener } from './email-domains.js';
import type { DomainDaysStore } from './monitoring/days-store.js';
import type { EmailDomainStore } from './store.js';

/** The shared needs of creating, changing and deleting e-mail domains. */
export interface EmailDomainNeeds {
  store: EmailDomainStore;
  days: Pick<DomainDaysStore, 'removeOf'>;
  listener: Pick<DomainListener, 'deleted'>;
  /** Called for each new domain: creates the default alert rule in a workspace without domains. */
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  logger: Logger;
}
