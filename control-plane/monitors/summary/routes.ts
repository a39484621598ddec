import { Type } from 'typebox';
import type { Clock } from '../../../kernel/clock.js';
import { createKeyedSemaphore } from '../../../kernel/concurrency/keyed-semaphore.js';
import { BY_ID, type ListReply, type Pager } from '../../http/paging.js';
import { type Route, readRoute } from '../../http/route.js';
import type { MonitorChanges } from '../directory/changes-store.js';
import { idsOf } from '../ids-query.js';
import { createSharedReads } from '../shared-reads.js';
import { createRowsBudget, ROW_BYTES, ROWS } from './budget.js';
import { createKeptAnswers, listOfTexts, type WholeAnswer } from './kept.js';
import { ROWS_MAX, type RowTexts, rowsAfter } from './patch.js';
import { MonitorSummary, SUMMARY_ROWS_MAX, SummaryQuery } from './schema.js';
import { SUMMARY_BYTES_MAX, type SummaryReads } from './store.js';
import { summaryView } from './view.js';

type RawReply = ReturnType<typeof listOfTexts>;

interface SummaryNeeds {
  store: SummaryReads;
  changes: Pick<MonitorChanges, 'stateOf' | 'idsSince'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** Reads of rows that are not kept, of one workspace. */
const READS_PER_WORKSPACE_MAX = 1;

/** Returns the route that reads one line of every monitor, for lists that filter and sort by themselves. */
export function summaryRoute(needs: SummaryNeeds, pager: Pager): Route {
  const open = (workspaceId: string, { limit = SUMMARY_ROWS_MAX, ...query }: SummaryQuery) =>
    pager.open('monitor summaries', BY_ID, { actor: { workspaceId }, query: { ...query, limit } });
  const read = async (workspaceId: string, query: SummaryQuery): Promise<ListReply> => {
    const page = open(workspaceId, query);
    const { after, rowsMax } = page.request;
    const ids = query.ids === undefined ? null : idsOf(query.ids);
    const { rows, isCut } = await needs.store.summaryRows(workspaceId, ids, after, rowsMax);
    const nowMs = needs.clock.now();
    return page.reply(rows, (shown) => shown.map((row) => summaryView(row, nowMs)), isCut ? rows.at(-1) : null);
  };
  const budget = createRowsBudget(needs.clock);
  const kept = createKeptAnswers({ ...keptReads(needs, read), budget, clock: needs.clock });
  // Dashboards of a workspace ask at the same time, because the same event tells them to.
  const share = createSharedReads<WholeAnswer>();
  const whole = (workspaceId: string) => share(workspaceId, () => kept.whole(workspaceId));
  const turns = createKeyedSemaphore(READS_PER_WORKSPACE_MAX);

  /** A page that is read by itself. */
  async function ownPage(workspaceId: string, query: SummaryQuery, taken: number): Promise<RawReply> {
    // Others of the workspace may have used up the budget while this request waited.
    budget.requireLeft(workspaceId);
    const { data, nextCursor } = await read(workspaceId, query);
    const rows = data.map((row) => JSON.stringify(row));
    return charged(workspaceId, rows, nextCursor, taken);
  }

  /** A page of the rows that are kept, so that pages of all sizes share one read; null if not all of its rows are kept. */
  async function keptPage(workspaceId: string, query: SummaryQuery, taken: number): Promise<RawReply | null> {
    if (query.ids !== undefined) return null;
    const page = open(workspaceId, query);
    const { after, rowsMax } = page.request;
    if (!kept.hasPages(workspaceId, after === null)) return null;
    const { list } = await whole(workspaceId);
    // Known only now: pages of a list that is too large take turns, so that few are in memory.
    if (list.nextCursor !== null || !kept.hasPages(workspaceId, true)) return null;
    const rows = rowsAfter(list.rows, after, rowsMax);
    const { data, nextCursor } = await page.reply(rows, (shown) => shown.map(({ text }) => text));
    return charged(workspaceId, data as readonly string[], nextCursor, taken);
  }

  function charged(workspaceId: string, rows: readonly string[], nextCursor: string | null, taken: number): RawReply {
    const reply = listOfTexts(rows, nextCursor);
    budget.charge(workspaceId, { rows: rows.length, bytes: reply.raw.body.length, taken });
    return reply;
  }

  return readRoute({
    method: 'GET',
    path: '/v1/monitors/summary',
    access: 'monitors:read',
    tag: 'Monitors',
    summary: 'List all monitors, one short row each, newest first',
    description: `For lists that filter and sort many monitors themselves: a page has up to ${SUMMARY_ROWS_MAX.toLocaleString('en')} rows, and fewer if their names, URLs and tags together have more than ${SUMMARY_BYTES_MAX / 1_000_000} MB. Uptimes and response times may be some minutes old; \`GET /v1/monitors/{id}\` completes them. With \`ids\`, only these monitors. The whole list in one page costs the least, because it is read again only after changes. A workspace may read ${ROWS.burst.toLocaleString('en')} rows at once and ${ROWS.perSecond.toLocaleString('en')} per second in the long run; beyond that the response is 429. A row of more than ${ROW_BYTES} bytes counts as several.`,
    query: SummaryQuery,
    replies: { 200: Type.Array(MonitorSummary) },
    list: true,
    async handle({ actor: { workspaceId }, query, gone }) {
      if (Object.keys(query).length === 0) return (await whole(workspaceId)).reply;
      const taken = query.ids === undefined ? (query.limit ?? SUMMARY_ROWS_MAX) : idsOf(query.ids).length;
      budget.take(workspaceId, taken);
      const page = await keptPage(workspaceId, query, taken);
      return page ?? turns.run(workspaceId, gone, () => ownPage(workspaceId, query, taken));
    },
  });
}

/** What kept answers are made of. */
function keptReads(
  { store, changes, clock }: SummaryNeeds,
  read: (workspaceId: string, query: SummaryQuery) => Promise<ListReply>,
) {
  return {
    async stateOf(workspaceId: string) {
      const [settings, down] = await Promise.all([changes.stateOf(workspaceId), store.downIds(workspaceId)]);
      return { name: JSON.stringify([settings.name, down]), newest: settings.newest, down };
    },
    async changedSince(workspaceId: string, since: Date) {
      const ids = await changes.idsSince(workspaceId, since, ROWS_MAX + 1);
      return ids.length > ROWS_MAX ? null : ids;
    },
    async read(workspaceId: string) {
      const { data, nextCursor } = await read(workspaceId, {});
      return { rows: textsOf(data as readonly MonitorSummary[]), nextCursor };
    },
    async readSome(workspaceId: string, ids: readonly string[]) {
      const nowMs = clock.now();
      const views: MonitorSummary[] = [];
      for (let afterId: string | null = null; ; ) {
        const { rows, isCut } = await store.summaryRows(workspaceId, ids, afterId, ids.length);
        views.push(...rows.map((row) => summaryView(row, nowMs)));
        if (!isCut) return textsOf(views);
        // A row that is missing would count as deleted.
        afterId = rows.at(-1)?._id ?? null;
      }
    },
  };
}

function textsOf(rows: readonly MonitorSummary[]): RowTexts {
  return new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
}
