import { toIso } from '../../../kernel/clock.js';
import type { Pager } from '../../http/paging.js';
import { type Route, readRoute } from '../../http/route.js';
import { BlacklistProvider, ListBlacklistProviders } from '../schema.js';
import type { Provider } from './providers.js';
import type { ZoneState, ZoneTests } from './zone-tests.js';

/** The list is the same for everybody, so its cursors belong to no workspace. */
const EVERYBODY = { workspaceId: '' };

export function createProvidersRoute(dependencies: {
  providers: readonly Provider[];
  zoneTests: Pick<ZoneTests, 'state'>;
  pager: Pager;
}): Route {
  const { providers, zoneTests, pager } = dependencies;
  return readRoute({
    method: 'GET',
    path: '/api/v1/blacklist/providers',
    access: 'public',
    tag: 'Blacklists',
    summary: 'List the blacklists that are asked',
    description: 'With what their own test entries say of them, as this control plane last saw it.',
    query: ListBlacklistProviders,
    replies: { 200: BlacklistProvider },
    list: true,
    async handle({ query }) {
      const page = pager.open('blacklist-providers', { actor: EVERYBODY, query });
      const { after, rowsMax } = page.request;
      const from = after === null ? 0 : providers.findIndex(({ id }) => id === after[0]) + 1;
      const { rows, nextCursor } = page.reply(providers.slice(from, from + rowsMax), ({ id }) => [id]);
      return { status: 200, data: rows.map((provider) => view(provider, zoneTests.state(provider))), nextCursor };
    },
  });
}

function view(provider: Provider, state: ZoneState): BlacklistProvider {
  const { id, name, zone, type, website, delist_url, ipv6, terms } = provider;
  return {
    ...{ id, name, zone, type, website, delist_url, ipv6 },
    health: state.health,
    health_reason: state.reason,
    tested_at: state.tested_at_ms === null ? null : toIso(state.tested_at_ms),
    terms,
  };
}
