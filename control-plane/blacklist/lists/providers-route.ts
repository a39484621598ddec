import { toIso } from '../../../kernel/clock.js';
import { byKey, type Pager } from '../../http/paging.js';
import { type Route, readRoute } from '../../http/route.js';
import type { Provider } from './providers.js';
import { BlacklistProvider, ListBlacklistProviders } from './schema.js';
import type { ZoneState, ZoneTests } from './zone-tests.js';

/** All workspaces see the same lists, so the cursors belong to no workspace. */
const ALL_WORKSPACES = { workspaceId: '' };

const BY_PROVIDER = byKey(({ id }: Provider) => id);

export function createProvidersRoute(needs: {
  providers: readonly Provider[];
  zoneTests: Pick<ZoneTests, 'state'>;
  pager: Pager;
}): Route {
  const { providers, zoneTests, pager } = needs;
  return readRoute({
    method: 'GET',
    path: '/api/v1/blacklist/providers',
    access: 'public',
    tag: 'Blacklists',
    summary: 'List the blacklists',
    description: 'Includes the last result of testing each list with its own test entries on this control plane.',
    query: ListBlacklistProviders,
    replies: { 200: BlacklistProvider },
    list: true,
    async handle({ query }) {
      const page = pager.open('blacklist-providers', BY_PROVIDER, { actor: ALL_WORKSPACES, query });
      const { after, rowsMax } = page.request;
      const from = after === null ? 0 : providers.findIndex(({ id }) => id === after) + 1;
      return page.reply(providers.slice(from, from + rowsMax), (rows) =>
        rows.map((provider) => view(provider, zoneTests.state(provider))),
      );
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
