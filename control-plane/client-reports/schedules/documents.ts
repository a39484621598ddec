import type { Logo } from '../../logo/logo.js';
import type { ReportOrder } from '../documents.js';

/** Which calendar period before an occurrence a report is about, in the time zone of the schedule. */
export const PERIODS = ['previous_week', 'previous_month', 'previous_quarter', 'last_7_days', 'last_30_days'] as const;
export type PeriodName = (typeof PERIODS)[number];

export const ATTACH = ['pdf', 'link'] as const;

/** What a person chooses of a schedule. */
export interface ScheduleSettings extends Omit<ReportOrder, 'period'> {
  name: string;
  /** Of five fields, on the clock of `time_zone`. */
  cron: string;
  period: PeriodName;
  /** E-mail addresses as they were entered, each mailbox once. */
  recipients: string[];
  /** Whether mails have the PDF itself, if it is not too large, or a link to it. */
  attach: (typeof ATTACH)[number];
  enabled: boolean;
}

/** One document of `client_report_schedules`. Its logo is stored like that of a report. */
export interface ScheduleDocument extends ScheduleSettings {
  _id: string;
  workspace_id: string;
  /** The first occurrence that no run exists for; null while the schedule is paused. */
  next_at_ms: number | null;
  /** After a failed attempt: when the next one begins. 0 before. */
  retry_at_ms: number;
  logo: Logo['type'] | null;
  /** The e-mail address of the person, or of the creator of the key. */
  created_by: string;
  created_at_ms: number;
  updated_at_ms: number;
  version: number;
}

/**
 * What became of the mail to one address. `unconfirmed`: it was sent nothing, because it has not confirmed or has stopped the mails.
 * `unknown`: the mail was deleted before Picket noted what became of it.
 */
export type RecipientStatus = 'queued' | 'sent' | 'failed' | 'unconfirmed' | 'unknown';

export interface RunRecipient {
  address: string;
  status: RecipientStatus;
  /** When the mail server took the mail; null before. */
  sent_at_ms: number | null;
  /** null for an address that was sent nothing. */
  mail_id: string | null;
}

/** One document of `client_report_runs`: one occurrence of a schedule. */
export interface RunDocument {
  /** The id of the schedule, `/` and the time of the occurrence, so that an occurrence cannot have two: `sch_…/2026-02-01T08:00:00.000Z`. */
  _id: string;
  workspace_id: string;
  schedule_id: string;
  occurrence_ms: number;
  /** Earlier occurrences that Picket did not make, because it was down. */
  missed: number;
  period: { from_ms: number; to_ms: number };
  status: 'generating' | 'sent' | 'skipped' | 'failed';
  /** A sentence that says why nothing was sent; null unless it was skipped or failed. */
  reason: string | null;
  /** null if no report was made. */
  report_id: string | null;
  recipients: RunRecipient[];
  /** true while the report is generated, then absent. */
  open?: true;
  /** true while a mail waits for its delivery, then absent. */
  settling?: true;
  /** While it is open or settling: when it is looked at next. Missing in runs of earlier versions, which are due. */
  next_at_ms?: number;
  /** SHA-256 of the token in the link of its mails, hex. Absent without one. */
  link_hash?: string;
  link_expires_ms: number | null;
  created_at_ms: number;
  finished_at_ms: number | null;
  /** The database deletes the document after this time. */
  expires_at: Date;
}
