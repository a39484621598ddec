import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Pager } from '../http/paging.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import { type AuditEntries, createAuditTimeline } from './audit-source.js';
import { timelineRoutes } from './routes.js';
import { createTimelineStore, type TimelineStore } from './store.js';
import type { Timeline } from './timeline.js';

interface TimelineNeeds {
  db: Db;
  auditStore: AuditEntries;
  pager: Pager;
  ids: Ids;
  clock: Clock;
}

/** The timeline of a workspace: incidents, status changes and audit entries in one list. */
export const timelineSlice: Slice<
  'timeline',
  TimelineNeeds,
  OpenedSlice & Timeline & Pick<TimelineStore, 'entriesById'>
> = {
  name: 'timeline',
  idPrefixes: ['tle'],
  open({ db, auditStore, pager, ids, clock }) {
    const store = createTimelineStore(db, ids);
    return {
      record: store.record,
      entriesById: store.entriesById,
      routes: timelineRoutes({ records: store, audit: createAuditTimeline(auditStore), pager, clock }),
      ensureIndexes: store.ensureIndexes,
    };
  },
};
