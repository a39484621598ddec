import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { StandingStore } from '../accounts/standing/store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { AuditLog } from '../audit/audit.js';
import type { Mailer } from '../mail/mailer.js';
import type { Quota } from '../plans/quotas.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { OwnersStore } from './owners-store.js';
import type { BillingStore } from './store.js';
import type { StripeApi } from './stripe/api.js';
import type { StripeSettings } from './stripe/settings.js';
import type { VerifyEvent } from './stripe/verify.js';

/** Stripe as the operations of this slice use it; null without keys: then an operator sets the plans. */
export interface ConnectedStripe {
  api: StripeApi;
  verify: VerifyEvent;
  settings: StripeSettings;
}

/** Dependencies of the operations of this slice. */
export interface BillingNeeds {
  store: BillingStore;
  owners: OwnersStore;
  workspaces: Pick<WorkspacesStore, 'document' | 'operators'>;
  standings: Pick<StandingStore, 'setPlan' | 'suspend' | 'resume'>;
  /** Returns those of all slices. */
  quotas(): readonly Quota[];
  stripe: ConnectedStripe | null;
  mailer: Mailer;
  audit: AuditLog;
  runTransaction: RunTransaction;
  /** Without a slash at the end. */
  publicUrl: string;
  clock: Clock;
  random: Random;
  logger: Logger;
}
