import type { Clock } from '../../../kernel/clock.js';
import { notFound } from '../../errors.js';
import { byTime, type Pager } from '../../http/paging.js';
import { type Route, readRoute } from '../../http/route.js';
import { queryTimestamp } from '../../retention/metrics-query.js';
import { keptMs } from '../../retention/retention.js';
import type { CheckDocument } from '../documents.js';
import { BlacklistCheck, BlacklistMonitorId, ListBlacklistChecks } from '../schema.js';
import type { BlacklistMonitorStore } from '../store.js';
import { checkView } from '../view.js';
import type { BlacklistChecksStore } from './checks-store.js';
import type { NamedList } from './listings.js';

/** Includes recent checks of a control plane whose clock is ahead of this one. */
const AHEAD_MS = 300_000;

const BY_CHECK_TIME = byTime((check: CheckDocument) => ({ atMs: check.checked_at_ms, id: check._id }));

export function createHistoryRoute(needs: {
  store: Pick<BlacklistMonitorStore, 'find'>;
  checks: Pick<BlacklistChecksStore, 'page'>;
  /** By id. */
  lists: ReadonlyMap<string, NamedList>;
  pager: Pager;
  clock: Clock;
}): Route {
  const { store, checks, lists, pager, clock } = needs;
  return readRoute({
    method: 'GET',
    path: '/api/v1/blacklist/monitors/{id}/history',
    access: 'blacklist:read',
    tag: 'Blacklists',
    summary: 'List the checks of a blacklist monitor, newest first',
    description:
      'Each check has its results and the changes it found. The history goes back as far as the plan keeps hourly values.',
    params: BlacklistMonitorId,
    query: ListBlacklistChecks,
    replies: { 200: BlacklistCheck },
    list: true,
    async handle({ actor, params, query }) {
      const page = pager.open(`blacklist-checks/${params.id}`, BY_CHECK_TIME, { actor, query });
      const monitor = await store.find(actor.workspaceId, params.id);
      if (monitor === null) throw notFound('blacklist monitor');
      const nowMs = clock.now();
      const fromMs = query.from === undefined ? 0 : queryTimestamp(query.from, 'from');
      const found = await checks.page({
        workspaceId: actor.workspaceId,
        monitorId: monitor._id,
        fromMs: Math.max(fromMs, nowMs - keptMs(actor.retentionPlan).hoursMs),
        toMs: query.to === undefined ? nowMs + AHEAD_MS : queryTimestamp(query.to, 'to'),
        changed: query.changed === true,
        page: page.request,
      });
      return page.reply(found, (rows) => rows.map((check) => checkView(check, lists)));
    },
  });
}
