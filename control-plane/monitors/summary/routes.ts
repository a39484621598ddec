import { Type } from 'typebox';
import type { Clock } from '../../../kernel/clock.js';
import { BY_ID, type Pager, serializedList } from '../../http/paging.js';
import { type Reply, type Route, readRoute } from '../../http/route.js';
import { idsOf } from '../ids-query.js';
import { createSharedReads } from '../shared-reads.js';
import { MonitorSummary, SUMMARY_ROWS_MAX, SummaryQuery } from './schema.js';
import type { SummaryReads } from './store.js';
import { summaryView } from './view.js';

/** Returns the route that reads one line of every monitor, for lists that filter and sort by themselves. */
export function summaryRoute(needs: { store: SummaryReads; clock: Pick<Clock, 'now'> }, pager: Pager): Route {
  const share = createSharedReads<Reply>();
  return readRoute({
    method: 'GET',
    path: '/v1/monitors/summary',
    access: 'monitors:read',
    tag: 'Monitors',
    summary: 'List all monitors, one short row each, newest first',
    description: `For lists that filter and sort many monitors themselves: a page has up to ${SUMMARY_ROWS_MAX.toLocaleString('en')} rows. The uptimes are those of the latest roll-up, which is at most some minutes old; \`GET /v1/monitors/{id}\` completes them. With \`ids\`, only these monitors.`,
    query: SummaryQuery,
    replies: { 200: Type.Array(MonitorSummary) },
    list: true,
    handle({ actor, query }) {
      const paged = { ...query, limit: query.limit ?? SUMMARY_ROWS_MAX };
      const page = pager.open('monitor summaries', BY_ID, { actor, query: paged });
      // Dashboards of a workspace ask at the same time, because the same event tells them to.
      return share(JSON.stringify([actor.workspaceId, paged]), async () => {
        const { after, rowsMax } = page.request;
        const ids = query.ids === undefined ? null : idsOf(query.ids);
        const rows = await needs.store.summaryRows(actor.workspaceId, ids, after, rowsMax);
        const nowMs = needs.clock.now();
        return serializedList(await page.reply(rows, (shown) => shown.map((row) => summaryView(row, nowMs))));
      });
    },
  });
}
