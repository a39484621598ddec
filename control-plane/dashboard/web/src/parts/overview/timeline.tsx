import { Link } from '@tanstack/react-router';
import { pageOf } from '../../api/page-of.ts';
import type { TimelineLine } from '../../api/types.ts';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';

/**
 * Sign-ins and probes are in the audit log; here they would hide what changed. What a person did to an incident, and the
 * status that an incident follows from, are in the lines of the incident.
 */
const LEFT_OUT = /^audit\.(?:auth|probe|location|alert|api_key)\.|^monitor\.status_changed$/;
const LINES_MAX = 12;

/** What happened lately, the newest first. */
export function Timeline({ lines }: { lines: readonly TimelineLine[] }) {
  const shown = lines.filter(({ type }) => !LEFT_OUT.test(type)).slice(0, LINES_MAX);
  return (
    <section className="panel">
      <h2>{texts.overview.timeline}</h2>
      {shown.length === 0 ? <p className="soft">{texts.overview.quiet}</p> : null}
      <ol className="rows">
        {shown.map((line) => (
          <li key={line.id} className="timeline-line">
            <span className="timeline-time">
              <Time at={line.at} />
            </span>
            <Message line={line} />
          </li>
        ))}
      </ol>
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
