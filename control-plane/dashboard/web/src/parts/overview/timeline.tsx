import { Link } from '@tanstack/react-router';
import { pageOf } from '../../api/page-of.ts';
import type { TimelineLine } from '../../api/types.ts';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import type { Recent } from './recent.ts';

/** What happened lately, the newest first. */
export function Timeline({ recent: { lines, hasMore } }: { recent: Recent }) {
  return (
    <section className="panel">
      <h2>{texts.overview.timeline}</h2>
      {lines.length > 0 ? null : <p className="soft">{hasMore ? texts.overview.onlyRecords : texts.overview.quiet}</p>}
      <ol className="rows">
        {lines.map((line) => (
          <li key={line.id} className="timeline-line">
            <span className="timeline-time">
              <Time at={line.at} />
            </span>
            <Message line={line} />
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

function Message({ line: { resource, message, type, actor } }: { line: TimelineLine }) {
  // What was deleted has no page any more.
  const to = type.endsWith('.deleted') ? null : pageOf(resource);
  const isNamed = message.startsWith(resource.name.slice(0, NAME_CHARS));
  const said = actor === 'system' || message.includes(actor) ? message : `${message} ${actor}`;
  return (
    <span>
      {isNamed ? null : <bdi className="two-lines strong">{resource.name}</bdi>}
      <span className="two-lines">{to === null ? said : <Link to={to}>{said}</Link>}</span>
    </span>
  );
}

/** Messages shorten long names. */
const NAME_CHARS = 40;
