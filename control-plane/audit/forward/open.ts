import type { lookup as systemLookup } from 'node:dns';
import type { Db } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { Pager } from '../../http/paging.js';
import type { Route } from '../../http/route.js';
import { PLANS, type WorkspacePlans } from '../../plans/plans.js';
import { featureQuota } from '../../plans/quotas.js';
import type { Job, OpenedSlice, Slice } from '../../slice.js';
import type { Ids } from '../../storage/ids.js';
import type { LeaseStore } from '../../storage/leases/lease-store.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { AuditLog } from '../audit.js';
import { createForwardBacklog } from './delivery/backlog.js';
import { createForwardDriver } from './delivery/driver.js';
import { createForwardedEntries } from './delivery/entries-store.js';
import { forwarderRoutes } from './routes.js';
import { createForwarderStore } from './store.js';
import { createOpenTransport } from './transports/open.js';

export interface ForwardingNeeds {
  db: Db;
  audit: AuditLog;
  box: SecretBox;
  guard: TargetGuard;
  lookup: typeof systemLookup;
  leases: LeaseStore;
  plans: WorkspacePlans;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
  owner: string;
  version: string;
  publicUrl: string;
  /** `SETTLE_MS` and `HEARTBEAT_MS` in production; shorter in tests. */
  settleMs: number;
  heartbeatMs: number;
}

/**
 * How long a syslog connection must stay open after the receiver's kernel acknowledged a batch before the batch
 * counts as delivered.
 */
export const SETTLE_MS = 5_000;
export const HEARTBEAT_MS = 5 * 60_000;

/** Forwards audit entries to other systems. */
export interface Forwarding extends OpenedSlice {
  routes: Route[];
  jobs: Job[];
  ensureIndexes(): Promise<void>;
}

function openForwarding(needs: ForwardingNeeds): Forwarding {
  const store = createForwarderStore(needs.db);
  const entries = createForwardedEntries(needs.db);
  const open = createOpenTransport({ ...needs, hostname: new URL(needs.publicUrl).hostname });
  async function entitled(workspaceIds: readonly string[]): Promise<ReadonlySet<string>> {
    const plans = await needs.plans.plans(workspaceIds);
    return new Set([...plans].flatMap(([id, plan]) => (PLANS[plan].auditExport ? [id] : [])));
  }
  const driver = createForwardDriver({ ...needs, store, entries, open, entitled });
  return {
    ensureIndexes: () => store.ensureIndexes(),
    routes: forwarderRoutes({ ...needs, store, entries, open }),
    jobs: [driver],
    backlogs: [createForwardBacklog({ store, entries, entitled })],
    quotas: [
      featureQuota({
        ...{ name: 'audit_forwarders', things: store.named },
        ...{ label: 'forwarders of the audit log', labelOfOne: 'forwarder of the audit log' },
        isIncluded: ({ auditExport }) => auditExport,
        consequence: 'Forwarding stops, and continues where it stopped when the plan includes it again.',
      }),
    ],
  };
}

/** Forwarders of the audit log. */
export const forwardingSlice = {
  name: 'forwarding',
  idPrefixes: ['fwd'],
  // A forwarder that is created or deleted is an integration that is connected or disconnected. Entries of earlier
  // versions have the actions `forwarder.created` and `forwarder.deleted`.
  auditActions: [
    'forwarder.created',
    'forwarder.updated',
    'forwarder.deleted',
    'forwarder.paused',
    'forwarder.resumed',
  ],
  open: openForwarding,
} satisfies Slice<'forwarding', ForwardingNeeds, Forwarding>;
