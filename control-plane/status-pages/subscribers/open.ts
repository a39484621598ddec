import type { Db } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { AuditLog } from '../../audit/audit.js';
import { createGuessLimit } from '../../http/limits/guess-limit.js';
import type { RateLimitStore } from '../../http/limits/rate-limit-store.js';
import type { Pager } from '../../http/paging.js';
import type { Mailer, TrackedMails } from '../../mail/mailer.js';
import type { StandingOf } from '../../plans/cache.js';
import { createRecipientQuotasStore } from '../../recipients/quotas/store.js';
import type { Recipients } from '../../recipients/recipients.js';
import type { OpenedSlice } from '../../slice.js';
import type { Ids } from '../../storage/ids.js';
import type { LeasedPeriodicTaskNeeds } from '../../storage/leases/leased-periodic-task.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { StatusPageStore } from '../store.js';
import { createSubscriptionLimit } from './limit.js';
import { createSubscriptionLinks } from './links.js';
import { createBroadcastStore } from './notify/broadcasts-store.js';
import { createNotifyJob } from './notify/job.js';
import type { NotifyNeeds } from './notify/needs.js';
import { createWatchStore } from './notify/watches-store.js';
import type { PageChanges } from './page-changes.js';
import { createSubscriptionForm, type SubscriptionForm } from './public/form.js';
import { subscriptionMounts } from './public/link-mounts.js';
import { subscribersQuota } from './settings/quota.js';
import { createSubscriberRoutes } from './settings/routes.js';
import { createSubscriberStore } from './store.js';
import { createUnsubscribeTokens } from './tokens.js';
import { createDeliverWebhooks } from './webhooks/deliver.js';
import { createDeliveryStore } from './webhooks/deliveries-store.js';

/** Events of pages wait longer only if the mail server or the database is away. */
const LATE_MS = 10 * 60_000;

/** What subscriptions need of other slices. */
export interface SubscriptionsNeeds extends LeasedPeriodicTaskNeeds {
  db: Db;
  guard: TargetGuard;
  fetch: GuardedFetch;
  recipients: Pick<Recipients, 'sort'>;
  mailer: Mailer;
  tracked: Pick<TrackedMails, 'progress' | 'bulkWaiting' | 'withdraw'>;
  standingOf: StandingOf;
  audit: AuditLog;
  box: SecretBox;
  runTransaction: RunTransaction;
  runRequestTransaction: RunTransaction;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
  version: string;
  publicUrl: string;
  smtpUrl: string | null;
}

interface OpenSubscriptions extends OpenedSlice {
  changes: PageChanges;
  /** null without a mail server. */
  form: SubscriptionForm | null;
}

/** Opens the subscribers of status pages: e-mail addresses that have confirmed, and webhooks. */
export function openSubscriptions(
  needs: SubscriptionsNeeds &
    Pick<NotifyNeeds, 'compile' | 'isStopped'> & { store: StatusPageStore; rates: RateLimitStore },
): OpenSubscriptions {
  const { db, clock } = needs;
  const parts = {
    subscribers: createSubscriberStore(db),
    watches: createWatchStore(db),
    broadcasts: createBroadcastStore(db),
    deliveries: createDeliveryStore(db),
    tokens: createUnsubscribeTokens(needs.box),
    limit: createSubscriptionLimit(createRecipientQuotasStore(db)),
  };
  const all = { ...needs, ...parts };
  const guesses = createGuessLimit({ ...needs, what: 'subscription link', store: needs.rates });
  return {
    routes: createSubscriberRoutes(all, needs.pager),
    mounts: subscriptionMounts({ links: createSubscriptionLinks(all), guesses }),
    quotas: [subscribersQuota(parts.subscribers)],
    backlogs: [{ name: 'status_page_updates', lateMs: LATE_MS, read: parts.watches.backlog }],
    jobs: [guesses, createNotifyJob(all), createDeliverWebhooks(all)],
    form: createSubscriptionForm(all),
    changes: {
      changed: (tx, { workspace_id, _id }) => parts.watches.wake(tx, workspace_id, _id),
      incidentDeleted: parts.broadcasts.removeOfIncident,
      pageDeleted: (tx, { workspace_id, _id }) => parts.watches.pageDeleted(tx, workspace_id, _id, clock.now()),
    },
    async ensureIndexes() {
      const stores = [parts.subscribers, parts.watches, parts.broadcasts, parts.deliveries];
      await Promise.all(stores.map((store) => store.ensureIndexes()));
    },
  };
}
