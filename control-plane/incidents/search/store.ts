import type { Collection, Filter, WithId } from 'mongodb';
import { newestFirstBy, type TimePosition } from '../../storage/page.js';
import type { IncidentDocument } from '../documents.js';

/** How many incidents one request looks at. No index finds a part of a text, so each is read and compared. */
export const SEARCHED_MAX = 10_000;
/** Incidents that are compared at once. Between two of these the time is checked. */
const STEP_ROWS = 1_000;
/** A step of large incidents in a busy database. */
const STEP_MS_MAX = 5_000;

/** What the filters of a search mean to the database. */
export interface SearchFilters {
  /** What an index finds: the workspace, the status or the monitor, the time. */
  indexed: Filter<WithId<IncidentDocument>>;
  /** What each incident is compared with. */
  compared: Filter<WithId<IncidentDocument>>;
}

/** The last incident that a search looked at. */
export type SearchedTo = Pick<IncidentDocument, '_id' | 'started_at_ms'>;

export interface SearchResult {
  rows: IncidentDocument[];
  /** Where the search ended because it had looked at enough; null if it has found enough, or there are no more. */
  searchedTo: SearchedTo | null;
}

/** Finds incidents, newest first, and looks at a bounded number of them. `isTimeUp` is asked after each step. */
export type SearchIncidents = (
  filters: SearchFilters,
  page: { after: TimePosition | null; rowsMax: number },
  isTimeUp: () => boolean,
) => Promise<SearchResult>;

export function createSearchIncidents(incidents: Collection<IncidentDocument>): SearchIncidents {
  /** Returns the last incident of a step, from an index alone; null if the step has all that are left. */
  async function endOfStep(indexed: Filter<WithId<IncidentDocument>>, after: TimePosition | null) {
    const { filter, sort } = newestFirstBy('started_at_ms', after);
    const [end] = await incidents
      .find({ $and: [indexed, filter] }, { maxTimeMS: STEP_MS_MAX })
      .project<SearchedTo>({ started_at_ms: 1 })
      .sort(sort)
      .skip(STEP_ROWS - 1)
      .limit(1)
      .toArray();
    return end ?? null;
  }

  return async ({ indexed, compared }, page, isTimeUp) => {
    const rows: IncidentDocument[] = [];
    let after = page.after;
    for (let searched = STEP_ROWS; ; searched += STEP_ROWS) {
      const end = await endOfStep(indexed, after);
      const { filter, sort } = newestFirstBy('started_at_ms', after);
      const found = await incidents
        .find({ $and: [indexed, filter, end === null ? {} : notAfter(end), compared] }, { maxTimeMS: STEP_MS_MAX })
        .sort(sort)
        .limit(page.rowsMax - rows.length)
        .toArray();
      rows.push(...found);
      if (rows.length >= page.rowsMax || end === null) return { rows, searchedTo: null };
      if (searched >= SEARCHED_MAX || isTimeUp()) return { rows, searchedTo: end };
      after = { atMs: end.started_at_ms, id: end._id };
    }
  };
}

/** In a list that is sorted newest first: this incident, and those before it. */
function notAfter({ _id, started_at_ms: atMs }: SearchedTo): Filter<WithId<IncidentDocument>> {
  return {
    started_at_ms: { $gte: atMs },
    $or: [{ started_at_ms: { $gt: atMs } }, { started_at_ms: atMs, _id: { $gte: _id } }],
  };
}
