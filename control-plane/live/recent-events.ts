import type { LogDocument, LoggedEntry } from './documents.js';
import { idOfPosition, type Position } from './position.js';

/** How many entries a control plane keeps in memory for clients that return. One takes about half a kilobyte. */
export const RECENT_ENTRIES_MAX = 10_000;

/** An entry of a workspace, with the id that its event has at every control plane. */
export interface RecentEntry extends LoggedEntry {
  id: string;
}

interface Batch {
  document: number;
  entries: ReadonlyMap<string, readonly RecentEntry[]>;
  size: number;
}

/** The newest part of the log in memory, so that a client that returns costs no query. */
export interface RecentEvents {
  /** The newest document; null before the first. */
  newest(): number | null;
  /** Adds the next document. */
  add(document: LogDocument): void;
  /** Forgets everything, and begins behind this document. */
  beginAfter(document: number): void;
  /** Returns the entries of a workspace after the position, oldest first; null if the position is not in memory. */
  since(workspaceId: string, position: Position): RecentEntry[] | null;
}

export function createRecentEvents(): RecentEvents {
  let batches: Batch[] = [];
  let size = 0;
  let begin: number | null = null;

  /** Drops the oldest batches, many at a time because it moves all others. */
  function trim(): void {
    if (size <= RECENT_ENTRIES_MAX) return;
    let dropped = 0;
    while (size > (RECENT_ENTRIES_MAX * 3) / 4 && dropped < batches.length - 1) {
      size -= batches[dropped]?.size ?? 0;
      begin = batches[dropped]?.document ?? begin;
      dropped += 1;
    }
    batches = batches.slice(dropped);
  }

  return {
    newest: () => batches.at(-1)?.document ?? begin,
    add(document) {
      batches.push({ document: document._id, entries: byWorkspace(document), size: document.entries.length + 1 });
      size += document.entries.length + 1;
      trim();
    },
    beginAfter(document) {
      [batches, size, begin] = [[], 0, document];
    },
    since(workspaceId, position) {
      const newest = batches.at(-1)?.document ?? begin;
      if (begin === null || newest === null || position.document > newest) return null;
      // The first document that the client has not seen completely must be here.
      const first = position.entries === null ? position.document + 1 : position.document;
      if (first <= begin) return null;
      const found: (readonly RecentEntry[])[] = [];
      for (let index = batches.length - 1; index >= 0; index--) {
        const batch = batches[index];
        if (batch === undefined || batch.document < first) break;
        const entries = batch.entries.get(workspaceId) ?? [];
        found.push(batch.document === position.document ? entries.slice(position.entries ?? 0) : entries);
      }
      return found.reverse().flat();
    },
  };
}

function byWorkspace({ _id, entries }: LogDocument): Map<string, RecentEntry[]> {
  const groups = new Map<string, RecentEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.workspace_id) ?? [];
    // Numbers of its own workspace, so that ids do not show how much happens in others.
    group.push({ ...entry, id: idOfPosition({ document: _id, entries: group.length + 1 }) });
    groups.set(entry.workspace_id, group);
  }
  return groups;
}
