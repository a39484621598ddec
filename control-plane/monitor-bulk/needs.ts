import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { ManyMonitors } from '../monitors/monitors.js';
import type { StandingOf } from '../plans/cache.js';
import type { Ids } from '../storage/ids.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { PlanningLimit } from './planning.js';
import type { BulkStore } from './store.js';

/** The part of a backtest that previews use. Implemented by the verdicts slice. */
export type BacktestMonitor = (
  actor: Actor,
  monitorId: string,
  request: { fromMs: number; toMs: number; confirmations?: number | null; retries?: number; intervalSeconds?: number },
  signal: AbortSignal,
) => Promise<{ wouldHaveBeen: readonly unknown[] }>;

/** Returns how many outages monitors had that began in a time, by monitor; those without any are left out. */
export type CountOutages = (
  workspaceId: string,
  monitorIds: readonly string[],
  fromMs: number,
  toMs: number,
) => Promise<ReadonlyMap<string, number>>;

/** Dependencies of the operations of this slice. */
export interface BulkNeeds {
  store: BulkStore;
  planning: PlanningLimit;
  monitors: ManyMonitors;
  backtest: BacktestMonitor;
  countOutages: CountOutages;
  standingOf: StandingOf;
  audit: AuditLog;
  ids: Ids;
  box: SecretBox;
  pager: Pager;
  /** Of tasks, which nobody waits for. */
  runTransaction: RunTransaction;
  /** Lets other work of this process run. */
  yieldToEventLoop(): Promise<void>;
  clock: Clock;
  logger: Logger;
}
