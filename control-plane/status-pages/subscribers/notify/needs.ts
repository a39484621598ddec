import type { Clock } from '../../../../kernel/clock.js';
import type { Logger } from '../../../../kernel/logger.js';
import type { AuditLog } from '../../../audit/audit.js';
import type { Mailer, TrackedMails } from '../../../mail/mailer.js';
import type { Recipients } from '../../../recipients/recipients.js';
import type { RunTransaction } from '../../../storage/transaction.js';
import type { PageModel } from '../../compile/model.js';
import type { StatusPageDocument } from '../../documents.js';
import type { StatusPageStore } from '../../store.js';
import type { SubscriberStore } from '../store.js';
import type { UnsubscribeTokens } from '../tokens.js';
import type { DeliveryStore } from '../webhooks/deliveries-store.js';
import type { BroadcastStore } from './broadcasts-store.js';
import type { WatchStore } from './watches-store.js';

/** What the task needs that notifies subscribers. */
export interface NotifyNeeds {
  store: Pick<StatusPageStore, 'find'>;
  subscribers: SubscriberStore;
  watches: WatchStore;
  broadcasts: BroadcastStore;
  deliveries: DeliveryStore;
  tokens: UnsubscribeTokens;
  /** Returns what a page says, without its days. */
  compile(page: StatusPageDocument): Promise<PageModel>;
  /** Whether Picket does nothing for the workspace at the moment. */
  isStopped(workspaceId: string): Promise<boolean>;
  recipients: Pick<Recipients, 'sort'>;
  mailer: Mailer;
  tracked: Pick<TrackedMails, 'progress' | 'bulkWaiting' | 'withdraw'>;
  audit: AuditLog;
  /** Of tasks, which nobody waits for. */
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
  /** Without a slash at the end. */
  publicUrl: string;
}
