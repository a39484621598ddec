import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { SiteCheck, SiteWithChecks } from '../../api/types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { isOpenJob, siteJobsQuery } from './queries.ts';
import { texts } from './texts/texts.ts';

type Plugin = Pick<
  NonNullable<SiteWithChecks['vulnerabilities']>['found'][number],
  'plugin' | 'slug' | 'version' | 'active'
>;

interface PluginActionsProps {
  siteId: string;
  plugin: Plugin;
  /** The newest change of a plugin of the site: only one at a time is possible. */
  job: SiteCheck['fix'];
}

/** Updates or deactivates a vulnerable plugin after asking, and activates again what was deactivated. */
export function PluginActions({ siteId, plugin, job }: PluginActionsProps) {
  const { slug, plugin: name, active } = plugin;
  const words = texts.vulnerabilities;
  const { data: jobs = [] } = useQuery(siteJobsQuery(siteId));
  const update = useChange(siteId, apiPath`/api/v1/wp/admin/${siteId}/plugins/${slug}/update`, { consent: true });
  const deactivate = useChange(siteId, apiPath`/api/v1/wp/admin/${siteId}/plugins/${slug}/deactivate`, {
    consent: true,
  });
  const restore = useChange(siteId, apiPath`/api/v1/wp/admin/${siteId}/plugins/${slug}/restore`, {});
  if (job !== null && isOpenJob(job)) {
    return job.plugin === slug ? (
      <Button variant="default" loading>
        {words.working}
      </Button>
    ) : null;
  }
  const spoken = <span className="only-spoken"> {name}</span>;
  const last = jobs.find((one) => one.plugin === slug && one.status === 'verified');
  return (
    <div className="page-actions">
      <ConfirmButton
        variant="filled"
        label={
          <>
            {words.update}
            {spoken}
          </>
        }
        confirmLabel={words.update}
        title={words.updateTitle(name)}
        action={update}
      >
        {words.updateText}
      </ConfirmButton>
      {active ? (
        <ConfirmButton
          label={
            <>
              {words.deactivate}
              {spoken}
            </>
          }
          confirmLabel={words.deactivate}
          title={words.deactivateTitle(name)}
          action={deactivate}
        >
          {words.deactivateText}
        </ConfirmButton>
      ) : null}
      {!active && last?.kind === 'deactivate_plugin' ? (
        <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
          {words.activate}
          {spoken}
        </Button>
      ) : null}
      <ActionProblem error={restore.error} />
    </div>
  );
}

function useChange(siteId: string, path: string, body: object) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST', path, body),
    onSettled: () => queries.invalidateQueries({ queryKey: ['site', siteId] }),
  });
}
