import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { billingQuery } from '../../api/queries.ts';
import type { One, StatusPage } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { useForgotten } from '../../components/form/use-draft.ts';
import { useKeptForm } from '../../components/form/use-kept-form.ts';
import { NotAllowed } from '../../components/page/not-allowed.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { toast } from '../../components/toasts.tsx';
import { emptyPage, type PageInput, pageBody } from './form/input.ts';
import { PageFields } from './form/page-fields.tsx';
import { pageErrors } from './problems.ts';
import { pagesPath } from './queries.ts';
import { texts } from './texts/texts.ts';
import './status-pages.css';

const DRAFT = 'status-page';

export function NewStatusPagePage() {
  const mayWrite = useMayWrite();
  useForgotten(mayWrite ? null : DRAFT);
  const quota = useQuery(billingQuery).data?.quotas.find(({ name }) => name === 'status_pages');
  if (!mayWrite) return <NotAllowed title={texts.create} />;
  const limit = quota?.limit ?? null;
  const isFull = limit !== null && quota !== undefined && quota.used >= limit;
  return (
    <>
      <PageHead title={texts.create} sentence={isFull ? texts.planFull(limit) : texts.createSentence} />
      {isFull ? <PlanIsFull /> : <NewPage />}
    </>
  );
}

/** In place of the form, so that nobody fills it for nothing. */
function PlanIsFull() {
  return (
    <section className="panel empty">
      <p>{texts.planFullHelp}</p>
      <div className="page-actions">
        <Button component={Link} to="/settings/billing">
          {texts.toBilling}
        </Button>
        <Button variant="default" component={Link} to="/status-pages">
          {texts.toList}
        </Button>
      </div>
    </section>
  );
}

function NewPage() {
  const begins = emptyPage(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const { form, forget } = useKeptForm<PageInput>(DRAFT, begins, false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async () => (await call<One<StatusPage>>('POST', pagesPath, pageBody(form.values))).data,
    async onSuccess(page) {
      forget();
      toast({ text: texts.created(page.title), undo: null });
      queries.setQueryData(['status-page', page.id], page);
      await navigate({ to: '/status-pages/$pageId', params: { pageId: page.id } });
      for (const queryKey of [['status-pages'], ['billing']]) void queries.invalidateQueries({ queryKey });
    },
    onError: (error) => form.setErrors(pageErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: texts.create, submit: texts.create, action: create, cancel: '/status-pages' }}
      cancelled={forget}
      onSubmit={() => create.mutate()}
    >
      <PageFields form={form} hasPassword={false} />
    </FormPanel>
  );
}
