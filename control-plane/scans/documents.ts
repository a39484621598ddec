import type { ScanFinding } from './judge/finding.js';

export const SCAN_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type ScanStatus = (typeof SCAN_STATUSES)[number];

/** How the workspace has proven that it controls the website. */
export type ProofMethod = 'dns' | 'file';

/** Why a scan failed. `code` is one of a few, or that of a failed check. */
export interface ScanFailure {
  code: string;
  message: string;
}

/** One document of `scans`. */
export interface ScanDocument {
  _id: string;
  workspace_id: string;
  /** The monitor whose website is scanned. It may have been deleted since. */
  monitor_id: string;
  monitor_name: string;
  /** The origin with a slash: `https://shop.example/`. */
  target: string;
  /** The host name or address in it, without brackets. */
  host: string;
  /** Those of the monitor: a probe of one of them runs the scan. */
  locations: string[];
  status: ScanStatus;
  /** Present while the scan is queued or running. */
  open?: true;
  /** `host` while a scan of a proven website is running: no two scans of a website run at a time. Unset otherwise. */
  running_host?: string;
  /** `<workspace>/0` or `/1` while the scan is running: a workspace runs no more than so many at a time. Unset otherwise. */
  running_place?: string;
  /** How often a probe was asked. */
  attempts: number;
  /** The probe that was asked last; null before. */
  node_id: string | null;
  location: string | null;
  /** While queued: not before this. Of the workspaces that wait, the one with the earliest is next. */
  next_at_ms: number;
  /** While open: when the scan fails, or is given to a probe again. */
  deadline_at_ms: number;
  proof: ProofMethod | null;
  failure: ScanFailure | null;
  score: number | null;
  /** The worst first. Empty before the scan is completed. */
  findings: ScanFinding[];
  /** What the scan opened and how long it took; null before it is completed. */
  effort: { address: string | null; connections: number; duration_ms: number } | null;
  created_at_ms: number;
  started_at_ms: number | null;
  /** When it was completed or failed. */
  ended_at_ms: number | null;
  /** From the plan's retention of hourly values when the scan was created. */
  expires_at: Date;
  /** Counts changes, for `ETag`. */
  version: number;
}

/** One document of `scan_days`: how many scans a workspace started on one day (UTC), deleted ones too. */
export interface ScanDayDocument {
  /** `<workspace>:2026-01-31`. */
  _id: string;
  workspace_id: string;
  scans: number;
  expires_at: Date;
}
