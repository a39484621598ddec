import type { Transaction } from '../storage/transaction.js';

/** A new entry of a workspace's timeline. */
export interface TimelineEntry {
  workspaceId: string;
  atMs: number;
  /** incident.opened, monitor.status_changed, certificate.changed, ... */
  type: string;
  resource: { type: string; id: string; name: string };
  message: string;
  actor: string;
  metadata?: Record<string, unknown>;
}

/** Writes entries to a workspace's timeline, in the transaction of the change. */
export interface Timeline {
  record(tx: Transaction, entries: readonly TimelineEntry[]): Promise<void>;
}

/** A stored entry of the timeline, from any source. */
export interface TimelineRow {
  /** Unique over all sources. */
  id: string;
  atMs: number;
  type: string;
  resource: { type: string; id: string; name: string };
  message: string;
  actor: string;
  metadata: Record<string, unknown>;
}

export interface TimelinePage {
  workspaceId: string;
  fromMs: number | null;
  /** Up to and including. */
  toMs: number | null;
  resourceId: string | null;
  /** Only entries after this position in the list, which is newest first; null for the first page. */
  after: { atMs: number; id: string } | null;
  limit: number;
}

/** A store with entries for the timeline. */
export interface TimelineSource {
  /** Returns entries newest first: by time and then by ID, both descending. */
  page(page: TimelinePage): Promise<TimelineRow[]>;
}

/** Returns the entries of a source at or after this time. */
export function entriesSince(source: TimelineSource, sinceMs: number): TimelineSource {
  return { page: (page) => source.page({ ...page, fromMs: Math.max(page.fromMs ?? 0, sinceMs) }) };
}

/** Returns the newest entries of all sources. Reads a whole page of each source, because one may have all of them. */
export async function mergedTimeline(sources: readonly TimelineSource[], page: TimelinePage): Promise<TimelineRow[]> {
  const rows = (await Promise.all(sources.map((source) => source.page(page)))).flat();
  rows.sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1));
  return rows.slice(0, page.limit);
}
