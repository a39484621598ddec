import type { Binary } from 'mongodb';
import type { SectionChoice } from './sections.js';

/** What a person chooses of a report. */
export interface ReportOrder {
  title: string;
  client_name: string;
  /** `from_ms` is a full hour; `to_ms` is one too, or the time at which the report was requested. */
  period: { from_ms: number; to_ms: number };
  /** An IANA name. Days and times in the report are in it. */
  time_zone: string;
  sections: SectionChoice;
  /** `#1f4e79` */
  color: string;
}

/** One document of `client_reports`. */
export interface ReportDocument extends ReportOrder {
  _id: string;
  workspace_id: string;
  status: 'generating' | 'completed' | 'failed';
  /** true while it is generated, then absent. */
  open?: true;
  /** How often its generation began. */
  attempts: number;
  /** After a failed attempt: when the next one begins. 0 before. */
  retry_at_ms: number;
  /** A sentence for the person who created it; null unless it failed. */
  error: string | null;
  /** The next four are null until it is completed. */
  pages: number | null;
  size_bytes: number | null;
  /** Of the file, in hexadecimal. */
  sha256: string | null;
  completed_at_ms: number | null;
  created_at_ms: number;
  /** 1 while it is generated, then 2: for `ETag`. */
  version: number;
}

/** One document of `client_report_parts`: at most 1 MiB of the file of a report. Its id is the report's, `/` and its place. */
export interface ReportPartDocument {
  _id: string;
  workspace_id: string;
  report_id: string;
  bytes: Binary;
}

/** One document of `client_report_months`: how many reports a workspace has created in a month (UTC). */
export interface ReportMonthDocument {
  /** The id of the workspace, `:` and the month: `ws_…:2026-01`. */
  _id: string;
  workspace_id: string;
  reports: number;
  expires_at: Date;
}
