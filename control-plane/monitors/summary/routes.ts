import { Type } from 'typebox';
import type { Clock } from '../../../kernel/clock.js';
import { BY_ID, type ListReply, listEnvelope, type Pager, serializedList } from '../../http/paging.js';
import { type Reply, type Route, readRoute } from '../../http/route.js';
import type { MonitorChanges } from '../directory/changes-store.js';
import { idsOf } from '../ids-query.js';
import { createSharedReads } from '../shared-reads.js';
import { createKeptAnswers } from './kept.js';
import { MonitorSummary, SUMMARY_ROWS_MAX, SummaryQuery } from './schema.js';
import type { SummaryReads } from './store.js';
import { summaryView } from './view.js';

interface SummaryNeeds {
  store: SummaryReads;
  changes: Pick<MonitorChanges, 'stateOf'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** Returns the route that reads one line of every monitor, for lists that filter and sort by themselves. */
export function summaryRoute(needs: SummaryNeeds, pager: Pager): Route {
  const share = createSharedReads<Reply>();
  const read = async (workspaceId: string, query: SummaryQuery): Promise<ListReply> => {
    const paged = { ...query, limit: query.limit ?? SUMMARY_ROWS_MAX };
    const page = pager.open('monitor summaries', BY_ID, { actor: { workspaceId }, query: paged });
    const { after, rowsMax } = page.request;
    const ids = query.ids === undefined ? null : idsOf(query.ids);
    const rows = await needs.store.summaryRows(workspaceId, ids, after, rowsMax);
    const nowMs = needs.clock.now();
    return page.reply(rows, (shown) => shown.map((row) => summaryView(row, nowMs)));
  };
  const whole = createKeptAnswers({
    stateOf: async (id) => JSON.stringify(await Promise.all([needs.changes.stateOf(id), needs.store.downIds(id)])),
    read: async (workspaceId) => Buffer.from(JSON.stringify(listEnvelope(await read(workspaceId, {})))),
    clock: needs.clock,
  });
  return readRoute({
    method: 'GET',
    path: '/v1/monitors/summary',
    access: 'monitors:read',
    tag: 'Monitors',
    summary: 'List all monitors, one short row each, newest first',
    description: `For lists that filter and sort many monitors themselves: a page has up to ${SUMMARY_ROWS_MAX.toLocaleString('en')} rows. Uptimes and response times may be some minutes old; \`GET /v1/monitors/{id}\` completes them. With \`ids\`, only these monitors.`,
    query: SummaryQuery,
    replies: { 200: Type.Array(MonitorSummary) },
    list: true,
    handle({ actor: { workspaceId }, query }) {
      const isWhole = Object.keys(query).length === 0;
      // Dashboards of a workspace ask at the same time, because the same event tells them to.
      return share(JSON.stringify([workspaceId, query]), async () =>
        isWhole ? whole(workspaceId) : serializedList(await read(workspaceId, query)),
      );
    },
  });
}
