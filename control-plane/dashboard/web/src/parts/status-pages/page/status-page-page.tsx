import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { apiPath } from '../../../api/path.ts';
import type { StatusPage } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { editOf, useForgotten } from '../../../components/form/use-draft.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { Address } from '../address.tsx';
import { IncidentsPanel } from '../incidents/incidents-panel.tsx';
import { NoSuchPage } from '../no-such-page.tsx';
import { publicStateQuery, statusPageQuery } from '../queries.ts';
import { PageMark } from '../state.tsx';
import { texts } from '../texts/texts.ts';
import { ComponentsPanel } from './components-panel.tsx';
import { DeletePage } from './delete-page.tsx';
import { SubscribersPanel } from './subscribers-panel.tsx';
import '../status-pages.css';

export function StatusPagePage() {
  const { pageId: id = '' } = useParams({ strict: false }) as { pageId?: string };
  const { data: page, error, refetch } = useQuery(statusPageQuery(id));
  const mayWrite = useMayWrite();
  const path = apiPath`/v1/status-pages/${id}`;
  useForgotten(mayWrite ? null : editOf(path));
  if (page === undefined)
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={<NoSuchPage path={path} />} />;
  return (
    <>
      <PageHead
        title={page.title}
        mark={<PageMark page={page} quiet />}
        sentence={<StateSentence page={page} />}
        actions={
          <>
            <Button component="a" href={page.url} target="_blank" rel="noreferrer noopener" variant="default">
              {texts.open}
            </Button>
            {mayWrite ? (
              <>
                <Button variant="default" component={Link} to={`/status-pages/${id}/edit`}>
                  {texts.edit}
                </Button>
                <DeletePage page={page} />
              </>
            ) : null}
          </>
        }
      />
      <div className="stack">
        <section className="panel">
          <h2>{texts.address}</h2>
          <Address url={page.url} />
          {page.hosts.flatMap(({ name, url, verified_at: at }) =>
            at === null ? [] : [<Address key={name} url={url} />],
          )}
          <p className="row-detail wrap">{texts.seenBy[page.visibility]}</p>
        </section>
        <IncidentsPanel page={page} mayWrite={mayWrite} />
        <ComponentsPanel page={page} mayWrite={mayWrite} />
        <SubscribersPanel page={page} mayWrite={mayWrite} />
      </div>
    </>
  );
}

function StateSentence({ page }: { page: StatusPage }) {
  const { data } = useQuery(publicStateQuery(page));
  if (page.visibility === 'password') return texts.stateHiddenSentence;
  return data == null ? texts.stateUnread : texts.overallSentence[data.status.state];
}
