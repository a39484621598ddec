import type { Clock } from '../../kernel/clock.js';
import type { TargetGuard } from '../../kernel/guard/target-guard.js';
import type { Random } from '../../kernel/random.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Ids } from '../storage/ids.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { Transaction } from '../storage/transaction.js';
import type { JobStore } from './jobs/store.js';
import type { NoncesStore } from './protocol/nonces-store.js';
import type { SiteStore } from './store.js';
import type { CompareNeeds } from './vulnerabilities/compare-site.js';
import type { CheckListener } from './wordpress.js';

/** The shared needs of operations on sites and their jobs. */
export interface SiteNeeds extends CompareNeeds {
  sites: SiteStore;
  jobs: JobStore;
  nonces: NoncesStore;
  guard: TargetGuard;
  box: SecretBox;
  listener: CheckListener;
  /** Creates the default rule of a workspace with its first site. */
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  random: Random;
}
