import type { Transaction } from '../storage/transaction.js';

/** Sessions of people, as other slices change them. Other control planes notice within five seconds. */
export interface Sessions {
  /**
   * Ends one session of a user, only in one workspace where it is given. Resolves to false when the user has no such
   * session.
   */
  end(tx: Transaction, userId: string, sessionId: string, options?: { workspaceId?: string }): Promise<boolean>;
  /**
   * Ends the sessions of a user, only those in one workspace where it is given, and not the session `except`. Resolves
   * to how many it ended.
   */
  endAll(tx: Transaction, userId: string, options?: { workspaceId?: string; except?: string }): Promise<number>;
  /**
   * Ends the sessions that the identity provider of the workspace opened, only those of these people where they are given.
   * Resolves to how many it ended.
   */
  endOfProvider(tx: Transaction, workspaceId: string, userIds?: readonly string[]): Promise<number>;
  /** Resolves to the ids of the people with such a session. */
  peopleOfProvider(tx: Transaction, workspaceId: string): Promise<string[]>;
  /**
   * Records that the person has just proved who they are, for routes that are `fresh`. `secondFactor` also records
   * whether the session has proved a second factor; false once the person has removed their last one.
   */
  confirm(tx: Transaction, sessionId: string, options?: { secondFactor?: boolean }): Promise<void>;
  /**
   * Makes another workspace the one in which the session works. The caller checks the membership. Throws
   * `forbidden` for a session that the identity provider of a workspace opened.
   */
  moveTo(tx: Transaction, sessionId: string, workspaceId: string): Promise<void>;
}
