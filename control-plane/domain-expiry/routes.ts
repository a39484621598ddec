import type { Clock } from '../../kernel/clock.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { type Route, readRoute } from '../http/route.js';
import { type MonitorReader, targetHost } from '../monitors/monitors.js';
import { registeredDomainOf } from './registered-domain.js';
import { ListMonitoredDomains, MonitoredDomain } from './schema.js';
import type { MonitoredDomainStore } from './store.js';
import { domainView } from './view.js';

interface RouteNeeds {
  domains: Pick<MonitoredDomainStore, 'list'>;
  findMonitor: MonitorReader['find'];
  pager: Pager;
  clock: Clock;
}

export function createDomainRoutes(needs: RouteNeeds): Route[] {
  const { domains, pager, clock } = needs;
  return [
    readRoute({
      method: 'GET',
      path: '/api/v1/domains',
      access: 'monitors:read',
      tag: 'Domains',
      summary: 'List the registered domains of monitors, newest first',
      description:
        'Picket asks the registry of each domain once a day by RDAP, for all monitors and workspaces together. A domain appears within a minute after its first active monitor, and is removed with the last one.',
      query: ListMonitoredDomains,
      replies: { 200: MonitoredDomain },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('domains', BY_ID, { actor, query });
        const { after, rowsMax } = page.request;
        const { monitor_id, q } = query;
        const name = monitor_id === undefined ? undefined : await domainOfMonitor(needs, actor.workspaceId, monitor_id);
        if (name === null) return page.reply([], () => []);
        const filter = { ...(q === undefined ? {} : { q }), ...(name === undefined ? {} : { name }) };
        const found = await domains.list(actor.workspaceId, filter, after, rowsMax);
        return page.reply(found, (rows) => rows.map((row) => domainView(row, clock.now())));
      },
    }),
  ];
}

/** Returns the name of the registered domain of a monitor; null without one. */
async function domainOfMonitor(
  { findMonitor }: Pick<RouteNeeds, 'findMonitor'>,
  workspaceId: string,
  id: string,
): Promise<string | null> {
  const monitor = await findMonitor(workspaceId, id);
  const host = monitor === null ? null : targetHost(monitor.type, monitor.url);
  return host === null ? null : (registeredDomainOf(host)?.name ?? null);
}
