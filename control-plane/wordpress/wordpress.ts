import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type { SiteDocument } from './documents.js';

/** Receives the changes of the checks of sites. The alert rules implement it. */
export interface CheckListener {
  /** Called in the transaction that saves measurements of a site that has or had trouble. `site` is the saved state. */
  changed(tx: Transaction, site: SiteDocument): Promise<void>;
  /** Called after a person has deleted a site, or its plugin has disconnected it. */
  ended(tx: Transaction, actor: Actor, site: SiteDocument, how: 'deleted' | 'disconnected'): Promise<void>;
}

/** A site as the alert rules see it. */
export type TroubledSite = Pick<SiteDocument, '_id' | 'workspace_id' | 'secret' | 'troubles'>;

/** The queries of the alert rules. All are limited to a workspace, except `troubled`, which is for jobs. */
export interface SiteDirectory {
  find(workspaceId: string, id: string, tx?: Transaction): Promise<SiteDocument | null>;
  /** Returns the existing sites among these ids, in no order. */
  findMany(workspaceId: string, ids: readonly string[], tx?: Transaction): Promise<TroubledSite[]>;
  /** Returns the sites of all workspaces with trouble, sorted by id, after `afterId`. */
  troubled(afterId: string | null, limit: number): Promise<TroubledSite[]>;
}
