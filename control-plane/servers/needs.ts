import type { Clock } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { AgentCredentials } from '../nodes/nodes.js';
import type { References } from '../references/references.js';
import type { Transaction } from '../storage/transaction.js';
import type { ServerIdentity, StatusListener } from './servers.js';
import type { ServerStore } from './store.js';

/** The shared needs of creating join tokens, and of updating and deleting servers. */
export interface ServerNeeds {
  store: ServerStore;
  audit: AuditLog;
  credentials: AgentCredentials;
  listener: StatusListener;
  references: References;
  /** Called for each new join token: creates the default alert rules in a workspace without servers. */
  ensureDefaultRules(tx: Transaction, actor: Actor): Promise<void>;
  /** Deletes the samples and history of a deleted server. */
  removeHistory(server: ServerIdentity): Promise<void>;
  clock: Clock;
}
