import type { Clock } from '../../../kernel/clock.js';
import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import type { Random } from '../../../kernel/random.js';
import type { AuditLog } from '../../audit/audit.js';
import type { Mailer, TrackedMails } from '../../mail/mailer.js';
import type { StandingOf } from '../../plans/cache.js';
import type { Ids } from '../../storage/ids.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { StatusPageStore } from '../store.js';
import type { SubscriptionLimit } from './limit.js';
import type { WatchStore } from './notify/watches-store.js';
import type { SubscriberStore } from './store.js';
import type { UnsubscribeTokens } from './tokens.js';
import type { DeliveryStore } from './webhooks/deliveries-store.js';

/** What the operations on subscribers need. */
export interface SubscriberNeeds {
  store: Pick<StatusPageStore, 'find'>;
  subscribers: SubscriberStore;
  watches: Pick<WatchStore, 'watch'>;
  deliveries: Pick<DeliveryStore, 'removeOfSubscriber'>;
  limit: SubscriptionLimit;
  tokens: UnsubscribeTokens;
  mailer: Mailer;
  tracked: Pick<TrackedMails, 'withdraw'>;
  audit: AuditLog;
  box: Pick<SecretBox, 'seal'>;
  guard: TargetGuard;
  standingOf: StandingOf;
  /** Of requests, for which people wait. */
  runRequestTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
  random: Random;
  /** Without a slash at the end. */
  publicUrl: string;
  /** null without a mail server: then nobody can subscribe by e-mail. */
  smtpUrl: string | null;
}
