import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StatusPage } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { texts as frame } from '../../texts/app/texts.ts';
import { Address } from './address.tsx';
import { statusPagesQuery } from './queries.ts';
import { PageMark } from './state.tsx';
import { texts } from './texts/texts.ts';
import './status-pages.css';

export function StatusPagesPage() {
  const { data, error, refetch } = useQuery(statusPagesQuery);
  const mayWrite = useMayWrite();
  if (data === undefined) return <UnreadPage error={error} retry={() => void refetch()} />;
  const create = (
    <Button component={Link} to="/status-pages/new">
      {texts.create}
    </Button>
  );
  if (data.rows.length === 0) {
    return (
      <>
        <PageHead title={frame.frame.statusPages} sentence={texts.none} />
        <section className="panel empty">
          <p>{texts.empty}</p>
          {mayWrite ? create : null}
        </section>
      </>
    );
  }
  return (
    <>
      <PageHead
        title={frame.frame.statusPages}
        sentence={texts.count(data.rows.length)}
        actions={mayWrite ? create : undefined}
      />
      <ul className="panel rows" aria-label={frame.frame.statusPages}>
        {data.rows.map((page) => (
          <PageRow key={page.id} page={page} />
        ))}
      </ul>
    </>
  );
}

function PageRow({ page }: { page: StatusPage }) {
  const count = page.groups.reduce((sum, { components }) => sum + components.length, 0);
  return (
    <li className="status-row">
      <div className="row-main">
        <Link to="/status-pages/$pageId" params={{ pageId: page.id }} className="two-lines strong">
          <bdi>{page.title}</bdi>
        </Link>
        <p className="row-detail wrap">
          <PageMark page={page} quiet={false} /> · {texts.components(count)} · {texts.visibility[page.visibility]}
        </p>
      </div>
      <Address url={page.url} />
    </li>
  );
}
