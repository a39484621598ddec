import { addressBucket } from '../../http/limits/address-bucket.js';
import { countedMailbox } from '../../mail/mailbox.js';
import type { QuotaSubject, RecipientQuotasStore } from '../../recipients/quotas/store.js';
import type { Transaction } from '../../storage/transaction.js';
import type { StatusPageDocument } from '../documents.js';
import {
  FORMS_PER_NETWORK_PER_DAY_MAX,
  QUESTIONS_PER_ADDRESS_PER_DAY_MAX,
  QUESTIONS_PER_PAGE_PER_DAY_MAX,
  QUESTIONS_PER_WORKSPACE_PER_DAY_MAX,
} from './limits.js';

/** What somebody can cause without an account, by day (UTC). */
export interface SubscriptionLimit {
  /** Counts a form. Resolves to false when the network has sent too many. */
  form(tx: Transaction, ip: string | null, nowMs: number): Promise<boolean>;
  /** Counts a question. Resolves to false, and counts none, when the address, the page or the workspace had too many. */
  question(
    tx: Transaction,
    page: Pick<StatusPageDocument, '_id' | 'workspace_id'>,
    address: string,
    nowMs: number,
  ): Promise<boolean>;
}

export function createSubscriptionLimit(quotas: Pick<RecipientQuotasStore, 'add' | 'used'>): SubscriptionLimit {
  const subject = (of: QuotaSubject['of'], id: string): QuotaSubject => ({ kind: 'subscription', of, id });
  return {
    async form(tx, ip, nowMs) {
      return (await quotas.add(tx, subject('network', addressBucket(ip)), nowMs, 1)) <= FORMS_PER_NETWORK_PER_DAY_MAX;
    },
    async question(tx, { _id, workspace_id }, address, nowMs) {
      const limits = [
        [subject('address', countedMailbox(address)), QUESTIONS_PER_ADDRESS_PER_DAY_MAX],
        [subject('page', _id), QUESTIONS_PER_PAGE_PER_DAY_MAX],
        [subject('workspace', workspace_id), QUESTIONS_PER_WORKSPACE_PER_DAY_MAX],
      ] as const;
      for (const [of, max] of limits) if ((await quotas.used(tx, of, nowMs)) >= max) return false;
      for (const [of] of limits) await quotas.add(tx, of, nowMs, 1);
      return true;
    },
  };
}
