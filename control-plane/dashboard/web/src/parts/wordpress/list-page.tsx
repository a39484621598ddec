import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { HardeningCenter } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { CheckMark } from './marks.tsx';
import { hardeningQuery } from './queries.ts';
import { SiteForm } from './site-form.tsx';
import { texts } from './texts/texts.ts';
import './wordpress.css';

type Row = HardeningCenter['sites'][number];

export function SitesPage() {
  const { data, error, refetch } = useQuery(hardeningQuery);
  const mayWrite = useMayWrite();
  if (data === undefined) return <UnreadPage error={error} retry={() => void refetch()} />;
  if (data.sites.length === 0) return <Empty mayWrite={mayWrite} />;
  return (
    <>
      <PageHead
        title={texts.title}
        sentence={sentenceOf(data.summary)}
        tone={data.summary.failing > 0 ? 'warning' : 'idle'}
        actions={
          mayWrite ? (
            <Button component={Link} to="/wordpress/new">
              {texts.add}
            </Button>
          ) : undefined
        }
      />
      <section className="panel list-panel">
        <div className="list-head site-columns" aria-hidden="true">
          {[texts.columns.site, texts.columns.failing, texts.columns.score].map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
        <ul aria-label={texts.title}>
          {worstFirst(data.sites).map((site) => (
            <li key={site.id}>
              <SiteRow site={site} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function sentenceOf({ sites, failing, unknown }: HardeningCenter['summary']): string {
  if (sites === 0) return texts.noneConnected;
  return failing > 0 ? texts.failing(failing, sites) : texts.notFailing(sites, unknown);
}

const failingOf = ({ checks }: Row) => checks.filter(({ status }) => status === 'failing');

function worstFirst(sites: readonly Row[]): Row[] {
  return [...sites].sort((one, other) => failingOf(other).length - failingOf(one).length);
}

function SiteRow({ site }: { site: Row }) {
  const failing = failingOf(site);
  // A site of which not everything is measured is not shown as passing.
  const isPassing = site.status === 'connected' && site.checks.every(({ status }) => status === 'passing');
  return (
    <Link to={`/wordpress/${site.id}`} className="list-row site-columns site-row">
      <span className="list-name">
        <CheckMark status={failing.length > 0 ? 'failing' : isPassing ? 'passing' : 'unknown'} quiet />
        <span className="list-names">
          <bdi className="cut strong">{site.name}</bdi>
          <span className="cut soft">{site.status === 'connected' ? site.url : texts.one[site.status]}</span>
        </span>
      </span>
      <span>{failing.length === 0 ? texts.noFailing : failing.map(({ id }) => texts.check[id]).join(', ')}</span>
      <span title={texts.scoreMeaning}>{texts.score(site.score)}</span>
    </Link>
  );
}

/** What the page is for, and the one next step. */
function Empty({ mayWrite }: { mayWrite: boolean }) {
  return (
    <>
      <PageHead title={texts.empty.title} sentence={texts.empty.lead} />
      {mayWrite ? (
        <SiteForm />
      ) : (
        <section className="panel empty">
          <p>{texts.empty.viewer}</p>
        </section>
      )}
    </>
  );
}
