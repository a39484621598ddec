import type { Recipients } from '../../recipients/recipients.js';
import type { ReferenceLock } from '../../references/lock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ReportNeeds } from '../needs.js';
import type { RunStore } from './runs-store.js';
import type { ScheduleStore } from './store.js';

/** Dependencies of the operations on schedules. */
export interface ScheduleNeeds extends Pick<ReportNeeds, 'files' | 'audit' | 'ids' | 'clock' | 'pager'> {
  schedules: ScheduleStore;
  runs: RunStore;
  /** Who may get mails of a workspace. */
  recipients: Pick<Recipients, 'ask' | 'unconfirmed' | 'sort'>;
  /** Of the monitors that schedules name. */
  referenceLock: Pick<ReferenceLock, 'refer'>;
  /** Returns those of `ids` that are monitors of the workspace. */
  existingMonitors(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
}
