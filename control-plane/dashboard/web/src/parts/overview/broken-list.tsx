import { Link } from '@tanstack/react-router';
import { Said } from '../../components/said.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { LinkSince } from '../../components/time/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import { type Broken, brokenTogether, type Cut, mayHaveMore } from './broken.ts';

/** More rows than this do not help anybody who was woken up; the list of incidents has all. */
const ROWS_MAX = 8;

interface BrokenListProps {
  broken: readonly Broken[];
  cut: Cut;
}

export function BrokenList({ broken, cut }: BrokenListProps) {
  const groups = brokenTogether(broken);
  const left = groups.slice(ROWS_MAX).flat().length;
  return (
    <section className="panel">
      <h2>{texts.overview.broken}</h2>
      <ul className="rows">
        {groups.slice(0, ROWS_MAX).map((group) => (
          <li key={group[0]?.key}>
            <BrokenRow group={group} hasMore={mayHaveMore(group, broken, cut)} />
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <p>
          <Link to="/incidents" search={{}}>
            {texts.overview.more(left)}
          </Link>
        </p>
      ) : null}
    </section>
  );
}

/** Something that is broken, or the monitors that one outage took down. */
function BrokenRow({ group, hasMore }: { group: readonly Broken[]; hasMore: boolean }) {
  const [first] = group;
  if (first === undefined) return null;
  const { name, detail, severity, isAcknowledged, isSilenced, incidentId, monitorId, error } = first;
  const isOne = group.length === 1;
  const to = !isOne ? '/incidents' : incidentId === null ? `/monitors/${monitorId}` : `/incidents/${incidentId}`;
  const since = group.reduce((earliest, one) => (one.since < earliest ? one.since : earliest), first.since);
  return (
    <Link to={to} className="row">
      <StatusMark state={isSilenced ? 'silenced' : severity} quiet />
      <span className="row-main">
        <strong className="two-lines">
          {isOne ? <bdi>{name}</bdi> : texts.overview.together.monitors({ count: group.length, hasMore })}
        </strong>
        <span className="row-detail two-lines">
          <Said
            words={isOne ? detail : [`${texts.overview.together.down} ${texts.overview.reported(reported(error))}`]}
            isInLink
          />
        </span>
      </span>
      <span className="row-side">
        <LinkSince at={since} wrap={texts.overview.since} />
        {isSilenced ? <span className="row-detail">{texts.status.silenced}</span> : null}
        {isAcknowledged ? <span className="row-detail">{texts.status.acknowledged}</span> : null}
      </span>
    </Link>
  );
}

const reported = (error: string | null): string => texts.errors[error ?? ''] ?? error ?? '';
