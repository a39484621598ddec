import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type { EmailDomainDocument } from './documents.js';

/** Receives the changes of domains. The alert rules implement it. */
export interface DomainListener {
  /** Called in the transaction that saves a check, for a domain that has or had trouble. `domain` is the saved state. */
  checked(tx: Transaction, domain: EmailDomainDocument): Promise<void>;
  /** Called when a user deletes a domain. */
  deleted(tx: Transaction, actor: Actor, domain: EmailDomainDocument): Promise<void>;
}

/** A domain as the alert rules see it. */
export type TroubledDomain = Pick<EmailDomainDocument, '_id' | 'workspace_id' | 'trouble'>;

/** The queries of the alert rules. All are limited to a workspace, except `troubled`, which is for jobs. */
export interface DomainDirectory {
  find(workspaceId: string, id: string, tx?: Transaction): Promise<EmailDomainDocument | null>;
  /** Returns the existing domains among these ids, in no order. */
  findMany(workspaceId: string, ids: readonly string[], tx?: Transaction): Promise<TroubledDomain[]>;
  /** Returns the domains of all workspaces with trouble, sorted by id, after `afterId`. */
  troubled(afterId: string | null, limit: number): Promise<TroubledDomain[]>;
}
