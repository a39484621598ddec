import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { EmailDomainWithAreas } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Gone } from '../../components/page/gone.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { Area } from './area.tsx';
import { domainQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import './email-domains.css';

export function EmailDomainPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: domain, error, refetch } = useQuery(domainQuery(id));
  const mayWrite = useMayWrite();
  if (domain === undefined) {
    return (
      <UnreadPage
        key={id}
        error={error}
        retry={() => void refetch()}
        gone={<Gone text={texts.one.notFound} to="/email-domains" label={texts.one.toList} />}
      />
    );
  }
  return (
    <>
      <PageHead
        title={domain.name}
        sentence={texts.one.score(domain.score)}
        tone={domain.status === 'failing' ? 'warning' : 'idle'}
        actions={mayWrite ? <Actions domain={domain} /> : undefined}
      />
      <div className="stack">
        {domain.areas.map((area) => (
          <Area key={area.area} area={area} />
        ))}
      </div>
    </>
  );
}

function Actions({ domain: { id, name } }: { domain: EmailDomainWithAreas }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const check = useMutation({
    mutationFn: () => call('POST', apiPath`/api/v1/email-domains/${id}/check`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['email-domain', id] }),
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE', apiPath`/api/v1/email-domains/${id}`),
    async onSuccess() {
      await navigate({ to: '/email-domains' });
      queries.removeQueries({ queryKey: ['email-domain', id] });
      for (const queryKey of [['email-domains'], ['billing']]) void queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <>
      <Button loading={check.isPending} onClick={() => check.mutate()}>
        {texts.one.check}
      </Button>
      <ConfirmButton label={texts.one.delete} title={texts.one.deleteTitle(name)} action={remove}>
        {texts.one.deleteText}
      </ConfirmButton>
      <ActionProblem error={check.error} />
    </>
  );
}
