import { timeRange } from '../http/input/time-range.js';
import { byTime, type Pager } from '../http/paging.js';
import { type Route, readRoute } from '../http/route.js';
import { TimelineLine, TimelineQuery } from './schema.js';
import { mergedTimeline, type TimelineRow, type TimelineSource } from './timeline.js';
import { timelineView } from './view.js';

const NEWEST_FIRST = byTime((row: TimelineRow) => row);

/** Returns the route of the timeline. `sources` are the timeline's own store and the audit log. */
export function timelineRoutes({ pager, sources }: { pager: Pager; sources: readonly TimelineSource[] }): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: '/v1/timeline',
      access: 'alerts:read',
      tag: 'Alerts',
      summary: 'List the timeline of the workspace, newest first',
      description: 'Incidents, status changes and audit entries in one list.',
      query: TimelineQuery,
      replies: { 200: TimelineLine },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('timeline', NEWEST_FIRST, { actor, query });
        const { fromMs, toMs } = timeRange(query.from, query.to);
        const found = await mergedTimeline(sources, {
          workspaceId: actor.workspaceId,
          fromMs: fromMs ?? null,
          toMs: toMs ?? null,
          resourceId: query.resource_id ?? null,
          after: page.request.after,
          limit: page.request.rowsMax,
        });
        return page.reply(found, (rows) => rows.map(timelineView));
      },
    }),
  ];
}
