import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { StatusPage, StatusPageIncident } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { forgetEdit, useForgotten } from '../../../components/form/use-draft.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { Said } from '../../../components/said.tsx';
import { toast } from '../../../components/toasts.tsx';
import { list } from '../../../texts/format.ts';
import { NoSuchPage } from '../no-such-page.tsx';
import { incidentQuery, statusPageQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { EditAbout } from './edit-about.tsx';
import { choicesOf } from './input.ts';
import { PostUpdate, updateDraftOf } from './post-update.tsx';
import { Updates } from './updates.tsx';
import '../status-pages.css';

export function PageIncidentPage() {
  const { pageId = '', incidentId: id = '' } = useParams({ strict: false }) as { pageId?: string; incidentId?: string };
  const { data: page } = useQuery(statusPageQuery(pageId));
  const { data: incident, error, refetch } = useQuery(incidentQuery(pageId, id));
  const mayWrite = useMayWrite();
  const path = apiPath`/v1/status-pages/${pageId}/incidents/${id}`;
  useForgotten(mayWrite ? null : updateDraftOf(id));
  if (incident === undefined || page === undefined)
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={<NoSuchPage path={path} />} />;
  const words = texts.incidents;
  const { state, started_at: started, resolved_at: resolved } = incident;
  return (
    <>
      <PageHead
        title={incident.title}
        sentence={
          <Said
            words={(time) =>
              resolved === null
                ? words.since(words.states[state], time(started))
                : words.resolvedAt(time(started), time(resolved))
            }
          />
        }
        actions={mayWrite ? <DeleteIncident {...{ incident, pageId, path }} /> : undefined}
      />
      <div className="stack">
        <p className="wrap">
          {words.on} <Link to={`/status-pages/${pageId}`}>{page.title}</Link>. <Affected page={page} of={incident} />
        </p>
        {mayWrite ? <PostUpdate key={`${id} ${incident.updates.length}`} {...{ incident, path, pageId }} /> : null}
        <Updates {...{ incident, path, mayWrite }} />
        {mayWrite ? <EditAbout key={incident.updated_at} {...{ incident, page, path }} /> : null}
      </div>
    </>
  );
}

function Affected({ page, of }: { page: StatusPage; of: StatusPageIncident }) {
  const words = texts.incidents;
  const names = choicesOf(page).flatMap(({ id, name }) => (of.component_ids.includes(id) ? [name] : []));
  if (names.length === 0) return words.affectsNothing;
  // After it is resolved, its components have their own state again.
  const isShown = of.impact !== 'none' && of.state !== 'resolved';
  return words.affects(list(names), isShown ? words.impacts[of.impact] : null);
}

interface DeleteIncidentProps {
  incident: StatusPageIncident;
  pageId: string;
  path: string;
}

function DeleteIncident({ incident: { id, title }, pageId, path }: DeleteIncidentProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const words = texts.incidents;
  const remove = useMutation({
    mutationFn: () => call('DELETE', path),
    async onSuccess() {
      toast({ text: words.deleted(title), undo: null });
      await navigate({ to: '/status-pages/$pageId', params: { pageId } });
      forgetEdit(queries, path);
      queries.removeQueries({ queryKey: ['status-page-incident', id] });
      void queries.invalidateQueries({ queryKey: ['status-page-incidents', pageId] });
    },
  });
  return (
    <ConfirmButton label={texts.delete} title={texts.deleteTitle(title)} action={remove}>
      <p>{words.deleteHelp}</p>
    </ConfirmButton>
  );
}
