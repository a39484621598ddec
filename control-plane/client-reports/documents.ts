import type { Binary } from 'mongodb';
import type { Logo } from '../logo/logo.js';
import type { PaperSize } from './schema.js';
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
  /** The monitors that it is about: those with one of the ids or one of the tags; null for all. */
  monitors: { ids: string[]; tags: string[] } | null;
  paper_size: PaperSize;
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
  /** The next ones are null until it is completed. */
  pages: number | null;
  /** Of the PDF, the data and the content. */
  size_bytes: number | null;
  data_bytes: number | null;
  content_bytes: number | null;
  /** Of the file, in hexadecimal. */
  sha256: string | null;
  completed_at_ms: number | null;
  created_at_ms: number;
  /** 1 while it is generated, then 2: for `ETag`. */
  version: number;
  /** Stands on the last page, and confirms the report on a public page. Without dashes. */
  verification_code: string;
  /** What its logo is; null without one. */
  logo: Logo['type'] | null;
  /** The schedule that made it. Missing in reports that somebody created. */
  schedule_id?: string;
}

/** The files that a report is completed with: the PDF, the data behind it as CSV, and what it says as JSON, for its page. */
export const MADE_FILES = ['pdf', 'csv', 'content'] as const;
export type MadeFile = (typeof MADE_FILES)[number];
/** The files of a report. The logo is stored when it is created. */
export type ReportFile = MadeFile | 'logo';

/** One document of `client_report_parts`: at most 1 MiB of a file. Its id is the report's, the file and its place. */
export interface ReportPartDocument {
  _id: string;
  workspace_id: string;
  report_id: string;
  file: ReportFile;
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
