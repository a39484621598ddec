import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { Dependency, DependencySuggestion, Monitor } from '../../api/types.ts';

/** 1,000 of each: enough for choosing. */
const PAGES_MAX = 5;
const RARE_MS = 60_000;

/** The dependencies of a monitor or of its tags, and those on it. */
export const dependenciesQuery = (monitorId: string) =>
  queryOptions({
    queryKey: ['dependencies', monitorId],
    queryFn: ({ signal }) => readAll<Dependency>('/v1/dependencies', { monitor_id: monitorId }, PAGES_MAX, signal),
  });

export const suggestionsQuery = queryOptions({
  queryKey: ['dependencies', 'suggestions'],
  queryFn: async ({ signal }) =>
    (await read<{ data: DependencySuggestion[] }>('/v1/dependencies/suggestions', {}, signal)).data,
  staleTime: RARE_MS,
});

export const choicesQuery = queryOptions({
  queryKey: ['monitors', 'dependencies'],
  queryFn: ({ signal }) => readAll<Monitor>('/v1/monitors', {}, PAGES_MAX, signal),
  staleTime: RARE_MS,
});
