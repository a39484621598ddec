import { queryOptions } from '@tanstack/react-query';
import { ApiProblem, apiUrl, call } from '../../../api/client.ts';
import { read } from '../../../api/read.ts';
import type { InstallationHealth, One } from '../../../api/types.ts';
import { type MetricName, metricValues } from './metric-values.ts';

const LIVE_MS = 15_000;

/** Whether the control plane that answered can work. */
export type Readiness = { isReady: true; probes: number } | { isReady: false; why: string };

export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  async queryFn(): Promise<Readiness> {
    try {
      const { data } = await call<One<{ probes: number }>>('GET', '/readyz');
      return { isReady: true, probes: data.probes };
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 503) return { isReady: false, why: error.message };
      throw error;
    }
  },
  refetchInterval: LIVE_MS,
});

/** Control planes, database and queues: none of them has events. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: async ({ signal }) => (await read<One<InstallationHealth>>('/v1/admin/health', {}, signal)).data,
  refetchInterval: LIVE_MS,
});

/** null when the metrics are not for this browser: they are for this host only, or need a token. */
export const metricsQuery = queryOptions({
  queryKey: ['metrics'],
  async queryFn({ signal }): Promise<ReadonlyMap<MetricName, number> | null> {
    const answer = await fetch(apiUrl('/metrics'), { signal }).catch(() => null);
    return answer?.ok === true ? metricValues(await answer.text()) : null;
  },
  refetchInterval: ({ state }) => (state.data === null ? false : LIVE_MS),
});
