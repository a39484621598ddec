import type { Actor } from '../../actor.js';
import { addressBucket } from '../../http/limits/address-bucket.js';
import { countedMailbox } from '../../mail/mailbox.js';
import {
  QUESTIONS_PER_WORKSPACE_PER_DAY_MAX as QUESTIONS_OF_MEMBERS_MAX,
  QUESTIONS_PER_PERSON_PER_DAY_MAX,
} from '../../recipients/limits.js';
import type { QuotaSubject, RecipientQuotasStore } from '../../recipients/quotas/store.js';
import type { Transaction } from '../../storage/transaction.js';
import type { StatusPageDocument } from '../documents.js';
import {
  FORMS_PER_NETWORK_PER_DAY_MAX,
  QUESTIONS_PER_ADDRESS_PER_DAY_MAX,
  QUESTIONS_PER_PAGE_PER_DAY_MAX,
  QUESTIONS_PER_WORKSPACE_PER_DAY_MAX,
} from './limits.js';

/** What somebody can cause by day (UTC), with and without an account. */
export interface SubscriptionLimit {
  /** Counts a form. Resolves to false when the network has sent too many. */
  form(tx: Transaction, ip: string | null, nowMs: number): Promise<boolean>;
  /** Counts an address that a member adds, with the other addresses that they have asked. Resolves to false when it is too many. */
  member(tx: Transaction, actor: Pick<Actor, 'userId' | 'workspaceId'>, nowMs: number): Promise<boolean>;
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
    async member(tx, { userId, workspaceId }, nowMs) {
      const ofPerson = { kind: 'question', of: 'person', id: userId ?? '' } as const;
      const ofWorkspace = { kind: 'question', of: 'workspace', id: workspaceId } as const;
      return (
        (await quotas.add(tx, ofPerson, nowMs, 1)) <= QUESTIONS_PER_PERSON_PER_DAY_MAX &&
        (await quotas.add(tx, ofWorkspace, nowMs, 1)) <= QUESTIONS_OF_MEMBERS_MAX
      );
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
