/**
 * pending: not sent yet. leased: a control plane is sending it. sent: the mail server took it. failed: the mail server
 * refused it, or did not take it in time. expired: it was not attempted in time. skipped: there is no mail server.
 */
export type MailState = 'pending' | 'leased' | 'sent' | 'failed' | 'expired' | 'skipped';

/**
 * 0: a person waits for the mail. 1: the others, which are sent after those. 2: those with a file, which take turns with them. 3: one
 * of many, sent after all others.
 */
export type Urgency = 0 | 1 | 2 | 3;

/** A stored mail. Once it is final, it has no content any more. */
export interface MailDocument {
  /** `mail_…`, also the left side of the Message-ID. */
  _id: string;
  to: string;
  /** The mailbox of the address, by which the mails of the last hour are counted. Missing in mails of earlier versions. */
  mailbox?: string;
  /** The network or the person that caused it, who has a share of the limit of the mailbox. Missing in mails without a share. */
  caused_by?: string;
  /** The workspace that sends it: workspaces take turns. Missing in mails about accounts and in mails of earlier versions. */
  workspace_id?: string;
  kind: string;
  /** Mails with the same value can be taken back together. Missing in mails that nobody takes back. */
  withdrawn_by?: string;
  subject: string;
  /** The content (`MailContent` as JSON), sealed because it contains tokens; null once the mail is final. */
  sealed: string | null;
  /** Of a file in `mail_attachments`. Missing in mails without one. */
  attachment_id?: string;
  state: MailState;
  urgency: Urgency;
  created_at_ms: number;
  expires_at_ms: number;
  next_attempt_ms: number;
  /** What the next attempt waits for: the mail server to answer again, or the backoff of this mail. */
  waiting: 'server' | 'backoff' | null;
  /** By the database's clock. */
  lease_until: Date | null;
  /** Counts the claims, so that only the latest claim can record a result. */
  fence: number;
  attempts: number;
  /** When it became final; null before. */
  finished_ms: number | null;
  /** The SMTP code of the last response; null without one. */
  response_status: number | null;
  /** The last failure, without the link and the code of the mail. */
  error: string | null;
  /** The mail server refused the address for good. Missing in all other mails. */
  address_refused?: true;
  /** The document is removed after this time; null until the mail is final. */
  remove_at: Date | null;
}
