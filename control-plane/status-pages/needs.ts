import type { Clock } from '../../kernel/clock.js';
import type { Passwords } from '../accounts/passwords/password.js';
import type { AuditLog } from '../audit/audit.js';
import type { ReferenceLock } from '../references/lock.js';
import type { Ids } from '../storage/ids.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { Transaction } from '../storage/transaction.js';
import type { LogosStore } from './logo/logos-store.js';
import type { FormerAddresses } from './settings/former-addresses.js';
import type { StatusPageStore } from './store.js';
import type { PageChanges } from './subscribers/page-changes.js';
import type { PageIncidentStore } from './updates/store.js';

/** Returns those of `ids` that are things of the workspace. */
export type Existing = (tx: Transaction, workspaceId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** What the operations on status pages need. */
export interface StatusPageNeeds {
  store: StatusPageStore;
  formerAddresses: FormerAddresses;
  incidents: PageIncidentStore;
  logos: LogosStore;
  existingMonitors: Existing;
  existingServers: Existing;
  /** Of the monitors and servers that pages name. */
  referenceLock: Pick<ReferenceLock, 'refer'>;
  passwords: Pick<Passwords, 'hash'>;
  /** For the values of the TXT records of host names. */
  box: Pick<SecretBox, 'fingerprint'>;
  /** Told of what subscribers are notified of. */
  changes: PageChanges;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  /** Without a slash at the end. */
  publicUrl: string;
}
