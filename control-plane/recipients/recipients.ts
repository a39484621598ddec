import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';

/** The addresses of a channel by what may be sent to them. Each has the spelling of the channel. */
export interface SortedAddresses {
  /** Addresses of members of the workspace who may acknowledge its incidents. */
  members: string[];
  /** Addresses of members who may only read. */
  viewers: string[];
  /** Other addresses that may get mails, each with the URL with which it stops them. */
  others: { address: string; stopUrl: string }[];
  /** Addresses that get no mails: not confirmed yet, or stopped. */
  unconfirmed: string[];
  /** Those of them that were never asked, without those of former members. */
  unasked: string[];
}

/** The addresses of a channel: those that a change adds, and the others. */
export interface ChannelAddresses {
  added: readonly string[];
  kept: readonly string[];
  /** What the question says that they would get. Defaults to alerts. */
  mails?: 'alerts' | 'reports';
}

/** Who outside of a workspace may get its mails. An address that is not a member's confirms once. */
export interface Recipients {
  sort(workspaceId: string, addresses: readonly string[]): Promise<SortedAddresses>;
  /** Returns those of the addresses that get no mails, in lower case. `tx` also sees what the transaction wrote. */
  unconfirmed(workspaceId: string, addresses: readonly string[], tx?: Transaction): Promise<ReadonlySet<string>>;
  /**
   * Writes one mail to each added address that needs a question and has none that is still open, and to each kept one that was
   * never asked. A kept one of a former member gets none: somebody has to want it back. Skips those for which the quotas of the
   * day leave no room, and resolves to them.
   */
  ask(tx: Transaction, actor: Actor, addresses: ChannelAddresses): Promise<readonly string[]>;
  /**
   * Asks one address again. Throws `conflict` when it needs no question, has stopped the mails, or cannot be asked, and
   * `rate_limited` when too many questions were asked today.
   */
  askAgain(tx: Transaction, actor: Actor, address: string): Promise<void>;
  /**
   * Sets back an address that is no member's any more: it gets nothing until it was asked and has confirmed, whatever was known
   * of it before. One that has stopped the mails stays so, and taking that back leaves it unconfirmed.
   */
  leave(tx: Transaction, workspaceId: string, address: string): Promise<void>;
  /** Counts the mails of a test. Throws `rate_limited` when the person, the workspace or an address had too many today. */
  countTest(actor: Actor, addresses: readonly string[]): Promise<void>;
  /** Confirms addresses that an earlier version has accepted without a question. Changes none that it knows. */
  confirmEarlier(workspaceId: string, addresses: readonly string[], tx?: Transaction): Promise<void>;
}

/** What the page of a link shows. */
export interface RecipientLink {
  address: string;
  /** The name of the workspace. */
  workspace: string;
}

/**
 * The request with which somebody uses a link. Not from where: the workspace reads the audit log, and must not learn where
 * people are who have no account.
 */
export interface LinkUser {
  requestId: string;
}

/** What whoever has a link from a mail can do, without an account. All resolve to null for a link that does not work. */
export interface RecipientLinks {
  /** Reads the link of a question, and leaves it usable. */
  question(token: string): Promise<(RecipientLink & { askedBy: string }) | null>;
  /** Confirms the address of a question. */
  confirm(token: string, user: LinkUser): Promise<RecipientLink | null>;
  /** Reads the link that stops the mails. `stopped`: whether it was used. */
  stopLink(token: string): Promise<(RecipientLink & { stopped: boolean }) | null>;
  /** Stops the mails of the workspace to the address. */
  stop(token: string, user: LinkUser): Promise<RecipientLink | null>;
  /**
   * Takes a stop back: the address is again what it was before the stop. `resumed`: whether it gets the mails of the workspace
   * now.
   */
  resume(token: string, user: LinkUser): Promise<(RecipientLink & { resumed: boolean }) | null>;
}

/** The paths of the pages, below the public URL. */
export const CONFIRM_PATH = '/confirm-recipient';
export const STOP_PATH = '/stop-emails';
/** The token is in the query, because logs have the path of a request. */
export const TOKEN_PARAMETER = 't';
