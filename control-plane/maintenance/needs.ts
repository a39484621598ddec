import type { Clock } from '../../kernel/clock.js';
import type { AuditLog } from '../audit/audit.js';
import type { ReferenceLock } from '../references/lock.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { WindowCache } from './covering/cache.js';
import type { WindowStore } from './store.js';
import type { PastWindowStore } from './uptime/past-store.js';

/** Returns those of `ids` that are things of the workspace. */
export type Existing = (tx: Transaction, workspaceId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** What the operations on windows need. */
export interface WindowNeeds {
  store: WindowStore;
  past: Pick<PastWindowStore, 'insert' | 'count' | 'all' | 'replace'>;
  cache: Pick<WindowCache, 'put' | 'remove'>;
  existingMonitors: Existing;
  existingServers: Existing;
  /** Of the monitors and servers that windows name. */
  referenceLock: Pick<ReferenceLock, 'refer'>;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
}
