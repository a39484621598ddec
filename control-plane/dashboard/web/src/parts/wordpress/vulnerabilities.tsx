import type { SiteCheck, SiteWithChecks } from '../../api/types.ts';
import { ExternalLink } from '../../components/external-link.tsx';
import { Since } from '../../components/time/time.tsx';
import { PluginActions } from './plugin-actions.tsx';
import { texts } from './texts/texts.ts';

type Vulnerabilities = NonNullable<SiteWithChecks['vulnerabilities']>;

interface VulnerabilitiesProps {
  siteId: string;
  vulnerabilities: Vulnerabilities;
  /** The newest change of a plugin of the site. */
  job: SiteCheck['fix'];
  /** Whether the person may change the site, and Picket Bridge is there. */
  mayChange: boolean;
}

/** The vulnerable plugins of a site, with the notices that the licences of the records demand, and the age of the feed. */
export function Vulnerabilities({ siteId, vulnerabilities, job, mayChange }: VulnerabilitiesProps) {
  const { found, total, sources, as_of } = vulnerabilities;
  if (found.length === 0) return null;
  const words = texts.vulnerabilities;
  const notices = [...new Map(found.flatMap((one) => one.notices).map((notice) => [notice.text, notice])).values()];
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <ul className="rows">
        {found.map((one, index) => (
          <li key={`${one.slug} ${one.id}`} className="row site-check">
            <div className="row-main">
              <strong>
                <bdi>{`${one.plugin} ${one.version}`}</bdi>
              </strong>
              <span className="site-evidence wrap">
                {one.url === null ? (
                  <bdi>{one.title}</bdi>
                ) : (
                  <ExternalLink url={one.url}>
                    <bdi>{one.title}</bdi>
                  </ExternalLink>
                )}
                {one.cve === null || one.title.includes(one.cve) ? null : <bdi>{one.cve}</bdi>}
              </span>
              <span className="site-evidence wrap">
                {one.fixed_in === null ? words.unfixed : words.fixedIn(one.fixed_in)}
                {one.active ? null : ` ${words.inactive}`}
              </span>
            </div>
            {mayChange && found.findIndex(({ slug }) => slug === one.slug) === index ? (
              <PluginActions siteId={siteId} plugin={one} job={job} />
            ) : null}
          </li>
        ))}
      </ul>
      {total > found.length ? <p className="note">{words.more(total - found.length)}</p> : null}
      <p className="note wrap">
        {sources.map((source) => words.source[source]).join(', ')} · <Since at={as_of} wrap={texts.ago} />
      </p>
      {notices.map(({ text, license_url }) => (
        <p key={text} className="note wrap">
          {license_url === null ? (
            <bdi>{text}</bdi>
          ) : (
            <ExternalLink url={license_url}>
              <bdi>{text}</bdi>
            </ExternalLink>
          )}
        </p>
      ))}
    </section>
  );
}
