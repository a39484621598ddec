import { useQuery } from '@tanstack/react-query';
import { UnreadPart } from '../../components/page/unread-page.tsx';
import { Time } from '../../components/time/time.tsx';
import { siteJobsQuery } from './queries.ts';
import { texts } from './texts/texts.ts';

/** What was done on a site, newest first. */
export function History({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(siteJobsQuery(id));
  if (data === undefined) return <UnreadPart error={error} retry={() => void refetch()} />;
  return (
    <section className="panel">
      <h2>{texts.history}</h2>
      {data.length === 0 ? <p className="soft">{texts.noHistory}</p> : null}
      <ul className="rows">
        {data.map(
          ({ id: job, kind, check, plugin, status, error: failed, note, created_at, before_plugins: isEarly }) => (
            <li key={job} className="row">
              <div className="row-main wrap">
                {texts.kind[kind]} · {plugin === null ? texts.check[check] : <bdi>{plugin}</bdi>}: {texts.job[status]}
                {(failed ?? note) === null ? null : (
                  <span className="site-evidence soft">
                    <bdi>{failed ?? note}</bdi>
                  </span>
                )}
                {isEarly ? <span className="site-evidence soft">{texts.beforePlugins}</span> : null}
              </div>
              <span className="row-side">
                <Time at={created_at} />
              </span>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
