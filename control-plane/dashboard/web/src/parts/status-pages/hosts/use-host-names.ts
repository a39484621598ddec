import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { One, StatusPage } from '../../../api/types.ts';
import { hostsQuery } from '../queries.ts';

/** Returns what replaces the host names of a page. */
export function useHostNames({ id }: Pick<StatusPage, 'id'>, onChanged: (page: StatusPage) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (host_names: readonly string[]) =>
      (await call<One<StatusPage>>('PATCH', apiPath`/v1/status-pages/${id}`, { host_names })).data,
    onSuccess(changed) {
      queries.setQueryData(hostsQuery(id).queryKey, changed);
      queries.setQueryData(['status-page', id], changed);
      void queries.invalidateQueries({ queryKey: ['status-pages'] });
      onChanged(changed);
    },
  });
}
