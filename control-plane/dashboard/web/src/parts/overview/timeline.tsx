import { Link } from '@tanstack/react-router';
import { pageOf } from '../../api/page-of.ts';
import type { Incident } from '../../api/types.ts';
import { Said } from '../../components/said.tsx';
import { Time } from '../../components/time/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import { happened, repeated } from './happened/happened.ts';
import { words } from './happened/texts/texts.ts';
import { outageSentence } from './outage-sentence.ts';
import type { Change, Outage, Recent } from './recent.ts';

/** What happened lately, the newest first: what was wrong, and below it what people changed. */
export function Timeline({ recent: { outages, changes, hasMore } }: { recent: Recent }) {
  const isEmpty = outages.length === 0 && changes.length === 0;
  return (
    <section className="panel">
      <h2>{texts.overview.timeline}</h2>
      {isEmpty ? <p className="soft">{hasMore ? texts.overview.onlyRecords : texts.overview.quiet}</p> : null}
      <ol className="rows">
        {outages.map((outage) => (
          <li key={outage.newest.id} className="timeline-line">
            <span className="timeline-time">
              <Time at={outage.newest.started_at} />
            </span>
            <OutageLine outage={outage} />
          </li>
        ))}
      </ol>
      {outages.length > 0 && changes.length > 0 ? <h3>{words.changes}</h3> : null}
      <ol className="rows">
        {changes.map((change) => (
          <li key={change.newest.id} className="timeline-line">
            <span className="timeline-time">
              <Time at={change.newest.at} />
            </span>
            <ChangeLine change={change} />
          </li>
        ))}
      </ol>
      {hasMore ? (
        <p>
          {texts.overview.andMore} <Link to="/incidents">{texts.overview.allIncidents}</Link> ·{' '}
          <Link to="/audit">{texts.frame.auditLog}</Link>
        </p>
      ) : null}
    </section>
  );
}

function OutageLine({ outage }: { outage: Outage }) {
  const { newest, together, hasMore } = outage;
  const { id, monitor_name, resource } = newest;
  return (
    <span>
      {together === null ? (
        <Link to={`/incidents/${id}`}>
          <bdi className="two-lines strong">{monitor_name ?? resource.name}</bdi>
        </Link>
      ) : (
        <Link to="/incidents" className="strong">
          {texts.overview.together.monitors({ count: monitorsOf(together), hasMore })}
        </Link>
      )}
      <span className="two-lines">
        <Said words={outageSentence(outage, words.outages)} />
      </span>
    </span>
  );
}

const monitorsOf = (incidents: readonly Incident[]): number =>
  new Set(incidents.map(({ resource }) => resource.id)).size;

function ChangeLine({ change }: { change: Change }) {
  const { newest: line, objects, times, hasMore } = change;
  const { resource, type } = line;
  if (objects > 1) return <span className="two-lines">{repeated(line, objects, hasMore, words)}</span>;
  // What was deleted has no page any more.
  const to = type.endsWith('.deleted') ? null : pageOf(resource);
  const said = times > 1 ? words.often(happened(line, words), times, hasMore) : happened(line, words);
  // The name of a bulk change is what it does, in words of the API.
  const isNamed = resource.type === 'monitor_bulk' || said.startsWith(resource.name.slice(0, NAME_CHARS));
  return (
    <span>
      {isNamed ? null : <bdi className="two-lines strong">{resource.name}</bdi>}
      <span className="two-lines">{to === null ? said : <Link to={to}>{said}</Link>}</span>
    </span>
  );
}

/** Messages shorten long names. */
const NAME_CHARS = 40;
