import type { Transaction } from '../storage/transaction.js';

/** One line of the table of a mail: what happened where and when. */
export interface MailFact {
  label: string;
  value: string;
}

/**
 * A mail to one person. All texts are plain text: the template escapes them, and cuts them to the limits in
 * `content.ts`. Texts that users chose, such as names, go through `foreignText` first.
 */
export interface OutgoingMail {
  /** One address. */
  to: string;
  /** What the mail is about, for metrics and the log: `confirm_email`. */
  kind: string;
  /** Stored and logged in plain text, so it never contains a token. */
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  facts?: readonly MailFact[];
  /** The button. `url` starts with the public URL of the installation; `send` throws for any other. */
  action?: { label: string; url: string };
  /** A code to type or copy. */
  code?: string;
  /**
   * A URL with which the recipient stops such mails by one click (RFC 8058), for mails to people without an account. It starts
   * with the public URL.
   */
  stopUrl?: string;
  /** Why the person gets this mail, and what to do if they did not expect it. */
  why: string;
  /** The id of the mail, from `newId` or of its own key, for who asks later what became of it. */
  id?: string;
  /** One of many that go out at once, such as to the subscribers of a status page: sent after all others. */
  bulk?: true;
  /** The texts of the template in the language of the mail. Defaults to English. */
  template?: TemplateWords;
  /** The id of a stored attachment. */
  attachmentId?: string;
  /** The workspace that sends the mail: workspaces take turns. Missing in mails about an account. */
  workspaceId?: string;
  /** The network or the person that causes the mail: it has a share of the limit of the mailbox. */
  causedBy?: string;
  /** Names what takes the mail back, with `TrackedMails.withdraw`: `sub_…`. Needs `workspaceId`. */
  withdrawnBy?: string;
  /** The mail is not sent after this time, because then its link does not work any more or it is no longer of use. */
  expiresAtMs: number;
}

/** What the template itself says. */
export interface TemplateWords {
  /** `de` */
  language: string;
  /** The label of the link that stops the mails. */
  stop: string;
  /** Before the address of the button. */
  copy: string;
}

/** Mail servers commonly refuse 10 MiB, and the encoding of a mail adds a third. */
export const ATTACHMENT_BYTES_MAX = 5 * 1_048_576;
/** A file that several mails have. */
export interface MailAttachment {
  workspaceId: string;
  name: string;
  /** `application/pdf` */
  type: string;
  /** At most `ATTACHMENT_BYTES_MAX`. */
  bytes: Uint8Array;
  /** When the mails with it have expired. */
  expiresAtMs: number;
}

/** What became of a mail, as far as its sender has to know. */
export interface MailProgress {
  state: 'waiting' | 'sent' | 'failed';
  /** Whether the mail server refused the address for good. */
  refused: boolean;
  /** When the mail server took it, or when it was given up; null while it waits. */
  finishedMs: number | null;
}

/** For mails that a workspace sends and shows the delivery of. */
export interface TrackedMails {
  newId(): string;
  /** Stores a file for mails that the same transaction writes. Returns its id. */
  attach(tx: Transaction, attachment: MailAttachment): Promise<string>;
  /** Resolves to the progress of the mails by their ids. One that was never stored, because its mailbox had too many, or that was deleted since is not in it. */
  progress(ids: readonly string[]): Promise<ReadonlyMap<string, MailProgress>>;
  /** Counts the mails with `bulk` of a workspace that wait to be sent, up to `max`. */
  bulkWaiting(workspaceId: string, max: number): Promise<number>;
  /** Deletes the mails with this `withdrawnBy`: those that wait are not sent, and nothing is kept of the others. */
  withdraw(tx: Transaction, workspaceId: string, withdrawnBy: string): Promise<void>;
}

/** Sends the mails about accounts and workspaces. */
export interface Mailer {
  /**
   * Writes the mail in the transaction. After the commit, the mail is sent at once and retried until it expires. If its
   * sender dies before it records the delivery, the mail is sent again with the same Message-ID. A mail is skipped
   * without a mail server, and when its mailbox has reached the limit (`recipient-limit.ts`). Throws if the link does
   * not start with the public URL. Resolves to `limited` when the mailbox has reached the limit, so that the caller can say that
   * nothing was sent.
   */
  send(tx: Transaction, mail: OutgoingMail): Promise<'limited' | undefined>;
}
