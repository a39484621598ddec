import type { QueryClient } from '@tanstack/react-query';
import { billingQuery, downMonitorsQuery, firingQuery, silencedQuery, totalsQuery } from '../../api/queries.ts';
import { listedQuery, unknownQuery } from '../blacklists/queries.ts';
import { channelsQuery } from '../channels/queries.ts';
import { fillingQuery, offlineQuery } from '../servers/queries.ts';
import { recentQuery } from './queries.ts';

/**
 * Begins to read what the overview shows, beside who is logged in: each answer says for whom it is. What fails is read
 * again by the page.
 */
export async function readOverview(queries: QueryClient): Promise<void> {
  const prefetched = [
    ...[queries.prefetchQuery(totalsQuery), queries.prefetchQuery(billingQuery)],
    ...[queries.prefetchQuery(firingQuery), queries.prefetchQuery(silencedQuery)],
    ...[queries.prefetchQuery(downMonitorsQuery), queries.prefetchQuery(offlineQuery)],
    ...[queries.prefetchQuery(channelsQuery), queries.prefetchQuery(listedQuery)],
    ...[queries.prefetchQuery(unknownQuery), queries.prefetchQuery(fillingQuery), queries.prefetchQuery(recentQuery)],
  ];
  await Promise.all(prefetched);
}
