import { queryOptions } from '@tanstack/react-query';
import { isNotFound, sendOnce } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { Monitor, One, Server, StatusPage, StatusPageIncident, StatusPageSubscriber } from '../../api/types.ts';
import { readVersioned } from '../../components/editing/use-editable.ts';

export const pagesPath = '/v1/status-pages';
/** The largest plan has 100 pages, and a page 1,000 incidents: 5 answers of 200 rows have all of them. */
const PAGES_MAX = 5;
const RARE_MS = 60_000;
const HOSTS_MS = 10_000;
const STATE_MS = 15_000;
/** The public page follows a change within five seconds, and is not there before. */
const NOT_YET_MS = 2_000;

export const statusPagesQuery = queryOptions({
  queryKey: ['status-pages', 'list'],
  queryFn: ({ signal }) => readAll<StatusPage>(pagesPath, {}, PAGES_MAX, signal),
  staleTime: RARE_MS,
});

export const statusPageQuery = (id: string) =>
  queryOptions({
    queryKey: ['status-page', id],
    queryFn: async ({ signal }) => (await read<One<StatusPage>>(apiPath`/v1/status-pages/${id}`, {}, signal)).data,
  });

/** The page beside its form: what Picket finds out about its host names comes without an event. */
export const hostsQuery = (id: string) =>
  queryOptions({ ...statusPageQuery(id), queryKey: ['status-page', id, 'hosts'], refetchInterval: HOSTS_MS });

/** A page with its version, for its form. */
export const editedPageQuery = (id: string) =>
  queryOptions({
    queryKey: ['status-page', id, 'version'],
    queryFn: ({ signal }) => readVersioned<StatusPage>(apiPath`/v1/status-pages/${id}`, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const incidentsQuery = (pageId: string) =>
  queryOptions({
    queryKey: ['status-page-incidents', pageId],
    queryFn: ({ signal }) =>
      readAll<StatusPageIncident>(apiPath`/v1/status-pages/${pageId}/incidents`, {}, PAGES_MAX, signal),
    staleTime: RARE_MS,
  });

/** The newest subscribers; a page can have thousands. */
export const subscribersQuery = (pageId: string) =>
  queryOptions({
    queryKey: ['status-page-subscribers', pageId],
    queryFn: ({ signal }) =>
      readAll<StatusPageSubscriber>(apiPath`/v1/status-pages/${pageId}/subscribers`, {}, 1, signal),
    staleTime: RARE_MS,
  });

export const incidentQuery = (pageId: string, id: string) =>
  queryOptions({
    queryKey: ['status-page-incident', id],
    queryFn: async ({ signal }) =>
      (await read<One<StatusPageIncident>>(apiPath`/v1/status-pages/${pageId}/incidents/${id}`, {}, signal)).data,
  });

/** Monitors and servers that a page can show. */
export const targetsQuery = queryOptions({
  queryKey: ['monitors', 'status-pages'],
  async queryFn({ signal }) {
    const [monitors, servers] = await Promise.all([
      readAll<Monitor>('/v1/monitors', {}, PAGES_MAX, signal),
      readAll<Server>('/v1/servers', {}, PAGES_MAX, signal),
    ]);
    return { monitors: monitors.rows.map(targetOf), servers: servers.rows.map(targetOf) };
  },
  staleTime: RARE_MS,
});

/** A monitor or a server. */
export interface Target {
  id: string;
  name: string;
  tags: readonly string[];
}

const targetOf = ({ id, name, tags }: Target): Target => ({ id, name, tags });

/** States as the public page names them. */
export type ComponentState = 'operational' | 'maintenance' | 'not_known' | 'degraded' | 'partial_outage' | 'outage';
export type PageState = Exclude<ComponentState, 'outage'> | 'major_outage' | 'empty';

/** What the dashboard reads of the public page. */
export interface PublicState {
  status: { state: PageState };
  groups: readonly { components: readonly { id: string | null; state: ComponentState }[] }[];
}

/**
 * What visitors see of a page now; null while the public page is not there yet. A page with a password is not read: the
 * person has it open only after they have entered the password, like everybody else.
 */
export const publicStateQuery = ({ slug, visibility }: Pick<StatusPage, 'slug' | 'visibility'>) =>
  queryOptions({
    queryKey: ['status-page-state', slug],
    queryFn: async ({ signal }) => {
      const answer = sendOnce<PublicState>('GET', apiPath`/status/${slug}.json`, { signal });
      return answer.then(({ body }) => body).catch(nullIfMissing);
    },
    enabled: visibility !== 'password',
    refetchInterval: ({ state: { data } }) => (data === null ? NOT_YET_MS : STATE_MS),
    retry: false,
  });

function nullIfMissing(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}
