import { createStandingStore, type StandingStore } from '../../../control-plane/accounts/standing/store.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { billingSlice } from '../../../control-plane/billing/open.js';
import type { OutgoingMail } from '../../../control-plane/mail/mailer.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import type { Quota } from '../../../control-plane/plans/quotas.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp } from '../app.js';
import { testDatabase } from '../database.js';
import { buildSession, type TestWorkspace } from '../factories.js';
import { type FakeStripe, PRICES, startFakeStripe, WEBHOOK_SECRET } from './fake-stripe.js';

/** The billing API on a real database, with a server that answers as Stripe. */
export interface BillingApp extends TestApp {
  stripe: FakeStripe;
  standings: StandingStore;
  /** The mails that were sent. */
  mails: OutgoingMail[];
  /** The headers of an owner of a workspace who is logged in: no key changes what is paid. */
  asOwner(workspace?: Pick<TestWorkspace, 'id' | 'userId'>): Promise<{ key: null; headers: Record<string, string> }>;
  entries(workspaceId: string): Promise<AuditDocument[]>;
  stop(): Promise<void>;
}

const OWNER_PATHS = ['/v1/billing/plan', '/v1/billing/checkout', '/v1/billing/portal'];

export async function startBillingApp(
  options: { connected?: boolean; plan?: PlanName; operator?: boolean; quotas?: readonly Quota[]; clock?: Clock } = {},
): Promise<BillingApp> {
  const { connected = true, plan = 'Free', operator = false, clock = systemClock, quotas = [] } = options;
  const mongo = await testDatabase();
  const stripe = await startFakeStripe();
  const standings = createStandingStore(mongo.db, clock);
  await standings.ensureIndexes();
  const mails: OutgoingMail[] = [];
  const app = await startApp({
    ...{ mongo, plan, operator, clock },
    async routes(parts) {
      const billing = await billingSlice.open({
        ...parts,
        ...{ db: mongo.db, standings, clock },
        workspaces: createWorkspacesStore(mongo.db),
        quotas: () => [...quotas, ...(billing.quotas ?? [])],
        stripe: connected
          ? {
              ...{ secretKey: 'sk_test_1', webhookSecret: WEBHOOK_SECRET, api: stripe.url },
              prices: new Map(Object.entries(PRICES) as [PlanName, string][]),
            }
          : null,
        mailer: { send: async (tx, mail) => void tx.afterCommit(() => mails.push(mail)) },
        publicUrl: 'http://picket.test',
        random: systemRandom,
        logger: createLogger({ name: 'test', level: 'silent' }),
      });
      await billing.ensureIndexes?.();
      return billing.routes ?? [];
    },
  });
  const asOwner = async (workspace: Pick<TestWorkspace, 'id' | 'userId'> = app.workspace) => {
    const { cookie } = await buildSession(mongo, workspace, { nowMs: clock.now() });
    return { key: null, headers: { cookie } };
  };
  return {
    ...app,
    /** Without a key of its own, a request that changes what is paid is that of a logged-in owner. */
    async request(method, path, options = {}) {
      const needsSession = options.key === undefined && OWNER_PATHS.includes(path);
      return app.request(method, path, needsSession ? { ...options, ...(await asOwner()) } : options);
    },
    ...{ asOwner, stripe, standings, mails },
    entries: (workspace_id) =>
      mongo.db.collection<AuditDocument>('audit_log').find({ workspace_id }).sort({ _id: 1 }).toArray(),
    async stop() {
      await app.close();
      await stripe.close();
      await mongo.drop();
    },
  };
}
