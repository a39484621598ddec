import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { SiteWithChecks } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Gone } from '../../components/page/gone.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { Since } from '../../components/time/time.tsx';
import { Checks } from './checks.tsx';
import { Connect } from './connect.tsx';
import { History } from './history.tsx';
import { isInMotion, siteQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import { Vulnerabilities } from './vulnerabilities.tsx';
import './wordpress.css';

export function SitePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: site, error, refetch } = useQuery(siteQuery(id));
  const mayWrite = useMayWrite();
  if (site === undefined) {
    return (
      <UnreadPage
        key={id}
        error={error}
        retry={() => void refetch()}
        gone={<Gone text={texts.one.notFound} to="/wordpress" label={texts.one.toList} />}
      />
    );
  }
  const isConnected = site.status === 'connected' || site.status === 'silent';
  const isFailing = site.checks.some(({ status }) => status === 'failing');
  return (
    <>
      <PageHead
        title={site.name}
        sentence={sentenceOf(site)}
        tone={isFailing ? 'warning' : 'idle'}
        actions={mayWrite ? <Actions site={site} isConnected={isConnected} /> : undefined}
      />
      <div className="stack">
        {isConnected || !mayWrite ? null : <Connect id={id} isAgain={site.status === 'disconnected'} />}
        {site.status === 'waiting' ? null : (
          <>
            {site.home?.status === 'failing' ? (
              <p className="note warning">{texts.one.homeFails(site.home.evidence)}</p>
            ) : null}
            <Checks siteId={id} checks={site.checks} mayChange={mayWrite && isConnected} />
            {site.vulnerabilities === null ? null : (
              <Vulnerabilities
                siteId={id}
                vulnerabilities={site.vulnerabilities}
                job={site.checks.find((check) => check.id === 'vulnerable-plugins')?.fix ?? null}
                mayChange={mayWrite && isConnected}
              />
            )}
            <div className="columns">
              <History key={motionOf(site)} id={id} />
              <About site={site} />
            </div>
          </>
        )}
      </div>
    </>
  );
}

/** The history is read again when a job has moved on. */
const motionOf = ({ checks }: SiteWithChecks) =>
  checks.map(({ fix }) => (fix === null ? '' : `${fix.job_id} ${fix.status}`)).join();

function sentenceOf({ status, checks }: SiteWithChecks): string {
  if (status !== 'connected') return texts.one[status];
  const count = (wanted: string) => checks.filter((check) => check.status === wanted).length;
  const failing = count('failing');
  return failing > 0
    ? texts.one.failing(failing, count('unknown'))
    : texts.one.passing(count('passing'), count('unknown'));
}

function Actions({ site, isConnected }: { site: SiteWithChecks; isConnected: boolean }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { id, name } = site;
  const harden = useMutation({
    mutationFn: () => call('POST', apiPath`/api/v1/wp/admin/${id}/harden-all`, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: ['site', id] }),
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE', apiPath`/api/v1/wp/admin/sites/${id}`),
    async onSuccess() {
      await navigate({ to: '/wordpress' });
      queries.removeQueries({ queryKey: ['site', id] });
      for (const queryKey of [['sites'], ['billing']]) void queries.invalidateQueries({ queryKey });
    },
  });
  const mayHarden = site.checks.some(
    ({ fixable, manual, status }) => fixable && manual === null && status !== 'passing',
  );
  return (
    <>
      {isConnected && mayHarden ? (
        <Button loading={harden.isPending || isInMotion(site)} onClick={() => harden.mutate()}>
          {texts.one.hardenAll}
        </Button>
      ) : null}
      <ConfirmButton label={texts.one.delete} title={texts.one.deleteTitle(name)} action={remove}>
        {texts.one.deleteText}
      </ConfirmButton>
      <ActionProblem error={harden.error} />
    </>
  );
}

function About({ site }: { site: SiteWithChecks }) {
  const { facts } = texts;
  const undo = site.undo_before_plugins;
  const rows = [
    [facts.wordpress, site.wordpress_version],
    [facts.php, site.php_version],
    [facts.server, site.server],
    [facts.plugin, site.plugin_version],
  ] as const;
  return (
    <section className="panel">
      <h2>{texts.about}</h2>
      <p className="wrap">
        <bdi>{site.url}</bdi>
      </p>
      {site.proven_at === null ? <p className="note warning">{texts.one.unproven}</p> : null}
      <dl className="facts">
        {rows.map(([label, value]) => (
          <div key={label} className="fact">
            <dt>{label}</dt>
            <dd>
              <bdi>{value ?? '–'}</bdi>
            </dd>
          </div>
        ))}
        <div className="fact">
          <dt>{texts.emergency.title}</dt>
          <dd>{texts.emergency[undo?.status ?? 'unknown']}</dd>
        </div>
        <div className="fact">
          <dt>{facts.seen}</dt>
          <dd>{site.seen_at === null ? '–' : <Since at={site.seen_at} wrap={texts.ago} />}</dd>
        </div>
      </dl>
      <p className="soft wrap">{undo?.status === 'failing' ? <bdi>{undo.evidence}</bdi> : texts.emergency.meaning}</p>
    </section>
  );
}
