import type { IncidentState } from '../compile/model.js';

/** What an incident does to the state of its components; `none`: it only informs. */
export const IMPACTS = ['none', 'maintenance', 'degraded', 'partial_outage', 'outage'] as const;
export type Impact = (typeof IMPACTS)[number];

/** What a person says about an incident at one time. */
export interface IncidentUpdate {
  /** `upd_…` */
  id: string;
  state: IncidentState;
  /** Plain text. Lines and http(s) links are shown as such. */
  text: string;
  at_ms: number;
  author: string;
  /** null until its text is edited. */
  edited_at_ms: number | null;
  /** The texts before each edit, oldest first. */
  earlier: { text: string; until_ms: number; author: string }[];
}

/** What the public may see of an incident. */
export type PublicIncident = Omit<PageIncidentDocument, 'updates' | 'created_by' | 'workspace_id'> & {
  /** The newest ones, oldest first. */
  updates: Omit<IncidentUpdate, 'author' | 'earlier'>[];
};

/** One document of `status_page_incidents`: an incident that people write on one page. */
export interface PageIncidentDocument {
  /** `spi_…` */
  _id: string;
  workspace_id: string;
  page_id: string;
  title: string;
  impact: Impact;
  /** Components of the page. Those that it no longer has are ignored. */
  component_ids: string[];
  /** That of the newest update. */
  state: IncidentState;
  /** Oldest first. */
  updates: IncidentUpdate[];
  started_at_ms: number;
  /** null until it is resolved. */
  resolved_at_ms: number | null;
  created_by: string;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes, for `ETag`. */
  version: number;
}
