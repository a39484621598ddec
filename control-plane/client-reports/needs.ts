import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { Ids } from '../storage/ids.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { ReportFilesStore } from './download/files-store.js';
import type { ReportMonthsStore } from './months-store.js';
import type { ReportStore } from './store.js';

/** Dependencies of the operations on reports. */
export interface ReportNeeds {
  store: ReportStore;
  files: ReportFilesStore;
  months: ReportMonthsStore;
  audit: AuditLog;
  pager: Pager;
  ids: Ids;
  /** Of requests, which have a short deadline. */
  runRequestTransaction: RunTransaction;
  clock: Clock;
  random: Random;
  logger: Logger;
}
