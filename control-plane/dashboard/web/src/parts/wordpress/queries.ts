import { queryOptions } from '@tanstack/react-query';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import type { HardeningCenter, One, Page, SiteJob, SiteWithChecks } from '../../api/types.ts';

const PATH = '/api/v1/wp/admin';
const SLOW_MS = 60_000;
/** While something is about to change by itself. */
const FAST_MS = 2_000;
const JOBS_SHOWN = 20;

export const sitesPath = `${PATH}/sites`;

export const hardeningQuery = queryOptions({
  queryKey: ['sites', 'hardening'],
  queryFn: async ({ signal }) => (await read<One<HardeningCenter>>(`${PATH}/hardening-center`, {}, signal)).data,
  refetchInterval: SLOW_MS,
});

const OPEN = new Set(['queued', 'delivered', 'applied']);

/** Returns whether a job can still change. */
export function isOpenJob({ status }: Pick<SiteJob, 'status'>): boolean {
  return OPEN.has(status);
}

/** Returns whether the state of a site is about to change. */
export function isInMotion({ status, checks }: Pick<SiteWithChecks, 'status' | 'checks'>): boolean {
  return status === 'waiting' || checks.some(({ fix }) => fix !== null && isOpenJob(fix));
}

export const siteQuery = (id: string) =>
  queryOptions({
    queryKey: ['site', id],
    queryFn: async ({ signal }) =>
      (await read<One<SiteWithChecks>>(apiPath`/api/v1/wp/admin/sites/${id}`, {}, signal)).data,
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return SLOW_MS;
      // A connected site is measured from outside some seconds later.
      const isNew = data.status === 'connected' && (data.proven_at === null || data.checks[0]?.outside === null);
      return isInMotion(data) || isNew ? FAST_MS : SLOW_MS;
    },
  });

export const siteJobsQuery = (id: string) =>
  queryOptions({
    queryKey: ['site', id, 'jobs'],
    queryFn: async ({ signal }) =>
      (await read<Page<SiteJob>>(apiPath`/api/v1/wp/admin/sites/${id}/jobs`, { limit: String(JOBS_SHOWN) }, signal))
        .data,
  });

/** The activation code of a site, which the API shows only once. It is kept while the page is open. */
export interface KnownCode {
  code: string;
  expiresAt: string;
}

export const codeKey = (id: string) => ['site', id, 'code'];
