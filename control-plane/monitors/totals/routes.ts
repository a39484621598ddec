import { type Route, readRoute } from '../../http/route.js';
import { createSharedReads } from '../shared-reads.js';
import { MonitorTotals } from './schema.js';
import type { TotalsReads } from './store.js';
import { totalsView, type UptimeOf } from './view.js';

interface TotalsNeeds {
  store: TotalsReads;
  uptimeOf: UptimeOf;
}

/** Returns the route that counts the monitors of a workspace. The database counts, so no monitor is read here. */
export function totalsRoute({ store, uptimeOf }: TotalsNeeds): Route {
  // At most one count of a workspace runs at a time, however many dashboards ask.
  const share = createSharedReads<MonitorTotals>();
  return readRoute({
    method: 'GET',
    path: '/v1/monitors/totals',
    access: 'monitors:read',
    tag: 'Monitors',
    summary: 'Count the monitors by status and type, with the uptime of all of them',
    description:
      'All of a workspace at once, however many monitors it has. The uptime is the stored one, which is at most some minutes old, and includes paused monitors. Requests that arrive together share one count.',
    replies: { 200: MonitorTotals },
    async handle({ actor: { workspaceId } }) {
      const data = await share(workspaceId, async () => totalsView(await store.totals(workspaceId), uptimeOf));
      return { status: 200, data };
    },
  });
}
