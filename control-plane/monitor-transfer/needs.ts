import type { Clock } from '../../kernel/clock.js';
import type { AuditLog } from '../audit/audit.js';
import type { BulkMonitors } from '../monitors/monitors.js';
import type { RunTransaction } from '../storage/transaction.js';

/** What import and export work with. */
export interface TransferNeeds {
  monitors: BulkMonitors;
  audit: AuditLog;
  runTransaction: RunTransaction;
  clock: Clock;
}
