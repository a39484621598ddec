import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call, isNotFound } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { apiPath } from '../../../api/path.ts';
import type { One, StatusPage, StatusPageIncident } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { FormPanel } from '../../../components/form/form-panel.tsx';
import { useForgotten } from '../../../components/form/use-draft.ts';
import { useKeptForm } from '../../../components/form/use-kept-form.ts';
import { NotAllowed } from '../../../components/page/not-allowed.tsx';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { toast } from '../../../components/toasts.tsx';
import { NoSuchPage } from '../no-such-page.tsx';
import { statusPageQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { AffectedFields, TitleField, UpdateFields } from './fields.tsx';
import { emptyIncident } from './input.ts';
import '../status-pages.css';

const draftOf = (pageId: string) => `incident of ${pageId}`;

export function NewPageIncidentPage() {
  const { pageId: id = '' } = useParams({ strict: false }) as { pageId?: string };
  const { data: page, error, refetch } = useQuery(statusPageQuery(id));
  const mayWrite = useMayWrite();
  useForgotten(mayWrite && !isNotFound(error) ? null : draftOf(id));
  if (page === undefined) {
    const gone = <NoSuchPage path={apiPath`/v1/status-pages/${id}`} />;
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={gone} />;
  }
  const title = texts.incidents.createOn(page.title);
  if (!mayWrite) return <NotAllowed title={title} />;
  return (
    <>
      <PageHead title={title} sentence={texts.incidents.createSentence} />
      <NewIncident key={id} page={page} />
    </>
  );
}

function NewIncident({ page }: { page: StatusPage }) {
  const { form, forget } = useKeptForm(draftOf(page.id), emptyIncident, false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async () => {
      const { title, text, ...rest } = form.values;
      const body = { ...rest, title: title.trim(), text: text.trim() };
      const path = apiPath`/v1/status-pages/${page.id}/incidents`;
      return (await call<One<StatusPageIncident>>('POST', path, body)).data;
    },
    async onSuccess(incident) {
      forget();
      toast({ text: texts.incidents.created(incident.title), undo: null });
      queries.setQueryData(['status-page-incident', incident.id], incident);
      void queries.invalidateQueries({ queryKey: ['status-page-incidents', page.id] });
      await navigate({
        to: '/status-pages/$pageId/incidents/$incidentId',
        params: { pageId: page.id, incidentId: incident.id },
      });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: texts.incidents.create, submit: texts.incidents.publish, action: create }}
      cancel={`/status-pages/${page.id}`}
      cancelled={forget}
      onSubmit={() => create.mutate()}
    >
      <TitleField form={form} />
      <UpdateFields form={form} />
      <AffectedFields form={form} page={page} />
    </FormPanel>
  );
}
