import type { Clock } from '../../kernel/clock.js';
import type { AuditLog } from '../audit/audit.js';
import type { MonitorDocument } from '../monitors/documents.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { ScanDaysStore } from './days-store.js';
import type { ScanStore } from './store.js';

/** The shared needs of starting and deleting scans. */
export interface ScanNeeds {
  store: ScanStore;
  days: Pick<ScanDaysStore, 'add'>;
  findMonitor(workspaceId: string, id: string, tx: Transaction): Promise<MonitorDocument | null>;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
}
