import type { Clock } from '../../kernel/clock.js';
import type { AuditLog } from '../audit/audit.js';
import type { ReferenceLock } from '../references/lock.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { DependencyStore } from './store.js';

/** Returns those of the things of a workspace that exist, in no order. */
export type ReadNamed = (
  workspaceId: string,
  ids: readonly string[],
  tx?: Transaction,
) => Promise<readonly { _id: string; name: string; tags: readonly string[] }[]>;

/** What the operations on dependencies need. */
export interface DependencyNeeds {
  store: DependencyStore;
  monitorNames: ReadNamed;
  serverNames: ReadNamed;
  /** Of the monitors and servers that dependencies name. */
  referenceLock: Pick<ReferenceLock, 'refer'>;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
}
