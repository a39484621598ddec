import { lookup } from 'node:dns';
import { createAuditSealer } from './audit/chain/sealer.js';
import { createForwarding, HEARTBEAT_MS, SETTLE_MS } from './audit/forward/open.js';
import { createAuditRetention } from './audit/retention/job.js';
import { createAuditRoutes } from './audit/routes.js';
import type { Foundation } from './foundation.js';
import type { Route } from './http/route.js';

/** What is done with audit entries once they are written: sealed, read, forwarded, deleted in the end. */
export interface AuditParts {
  routes: Route[];
  jobs: { start(): void; stop(): Promise<void> | void }[];
  ensureIndexes(): Promise<void>;
}

export function openAuditParts(given: { foundation: Foundation; version: string; publicUrl: string }): AuditParts {
  const { foundation, version, publicUrl } = given;
  const { mongo, accounts, auditStore: store } = foundation;
  const forwarding = createForwarding({
    ...foundation,
    ...{ db: mongo.db, box: foundation.secretBox, plans: accounts.plans, lookup, version, publicUrl },
    settleMs: SETTLE_MS,
    heartbeatMs: HEARTBEAT_MS,
  });
  return {
    routes: [...createAuditRoutes({ ...foundation, store }), ...forwarding.routes],
    jobs: [
      createAuditSealer({ ...foundation, store }),
      createAuditRetention({ ...foundation, store, plans: accounts }),
      forwarding,
    ],
    ensureIndexes: forwarding.ensureIndexes,
  };
}
