/** One line of the timeline, from whatever store. */
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
  /** Only lines before this one in the order of the timeline; null for the newest. */
  after: { atMs: number; id: string } | null;
  limit: number;
}

/** A store that has lines for the timeline. */
export interface TimelineSource {
  /** Newest first, by time and then by id, both descending. */
  page(page: TimelinePage): Promise<TimelineRow[]>;
}

/** The newest lines of all sources. Each source is asked for a whole page: any of them may hold all of it. */
export async function mergedTimeline(sources: readonly TimelineSource[], page: TimelinePage): Promise<TimelineRow[]> {
  const rows = (await Promise.all(sources.map((source) => source.page(page)))).flat();
  rows.sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1));
  return rows.slice(0, page.limit);
}
