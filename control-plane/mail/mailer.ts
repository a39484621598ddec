import type { Transaction } from '../storage/transaction.js';

/** A mail to a person, in plain text and HTML from one template. */
export interface OutgoingMail {
  to: string;
  /** For metrics and the log: `confirm_email`. */
  kind: string;
  subject: string;
  heading: string;
  paragraphs: string[];
  facts?: { label: string; value: string }[];
  /** A button. Its URL is built from `PICKET_PUBLIC_URL` only, never from a header of a request. */
  action?: { label: string; url: string };
  code?: string;
  /** Why the person gets this mail. */
  why: string;
  /** The mail is not sent after this time. */
  expiresAtMs: number;
}

export interface Mailer {
  /** Writes the mail in the transaction. A job delivers it after the commit. */
  send(tx: Transaction, mail: OutgoingMail): Promise<void>;
}
