import type { lookup as systemLookup } from 'node:dns';
import type { Db } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { TargetGuard } from '../../../kernel/target-guard.js';
import { PLANS, type PlanName } from '../../accounts/plans.js';
import type { Pager } from '../../http/paging.js';
import type { Route } from '../../http/route.js';
import type { Ids } from '../../storage/ids.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { AuditLog } from '../audit.js';
import { createForwardDriver } from './delivery/driver.js';
import { createForwardedEntries } from './delivery/entries-store.js';
import { forwarderRoutes } from './routes.js';
import { createForwarderStore } from './store.js';
import { createOpenTransport } from './transports/open.js';

export interface ForwardingDeps {
  db: Db;
  audit: AuditLog;
  box: SecretBox;
  guard: TargetGuard;
  lookup: typeof systemLookup;
  leases: LeaseStore;
  /** Plans by workspace. */
  plans(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, PlanName>>;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
  owner: string;
  version: string;
  publicUrl: string;
  /** See `TransportDeps` and `LaneDeps`; tests have less time. */
  settleMs: number;
  heartbeatMs: number;
}

/** How long a syslog connection must stay whole until what was sent over it counts as received. */
export const SETTLE_MS = 5_000;
export const HEARTBEAT_MS = 5 * 60_000;

/** Sends audit entries on to other systems. */
export interface ForwardingSlice {
  ensureIndexes(): Promise<void>;
  routes: Route[];
  start(): void;
  stop(): Promise<void>;
}

export function createForwarding(deps: ForwardingDeps): ForwardingSlice {
  const store = createForwarderStore(deps.db);
  const entries = createForwardedEntries(deps.db);
  const open = createOpenTransport({ ...deps, hostname: new URL(deps.publicUrl).hostname });
  const driver = createForwardDriver({
    ...deps,
    store,
    entries,
    open,
    async entitled(workspaceIds) {
      const plans = await deps.plans(workspaceIds);
      return new Set([...plans].flatMap(([id, plan]) => (PLANS[plan].auditExport ? [id] : [])));
    },
  });
  return {
    ensureIndexes: () => store.ensureIndexes(),
    routes: forwarderRoutes({ ...deps, store, entries, open }),
    start: () => driver.start(),
    stop: () => driver.stop(),
  };
}
