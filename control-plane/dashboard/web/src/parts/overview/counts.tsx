import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { MonitorTotals } from '../../api/types.ts';
import { Explained } from '../../components/time/explained.tsx';
import { texts } from '../../texts/app/texts.ts';
import { number, observed, percent } from '../../texts/format.ts';
import type { Counts } from './state-sentence.ts';

const STATUSES = ['up', 'degraded', 'down', 'paused', 'unknown'] as const;
const HOURS_30D = 720;

/** Everything that is watched, in a few lines. */
export function CountsPanel({ totals, counts }: { totals: MonitorTotals; counts: Counts }) {
  const words = texts.overview;
  const { servers, offline, targets, listed, unknown } = counts;
  return (
    <section className="panel" aria-label={words.watched}>
      <ul className="counts">
        <li>{totals.monitors === 0 ? words.noMonitors : <Monitors totals={totals} />}</li>
        {totals.uptime_30d === null ? null : (
          <li className="soft">
            <Explained text={texts.monitor.observedHelp}>
              {words.uptime(percent(totals.uptime_30d), observed(totals.coverage_30d, HOURS_30D))}
            </Explained>
          </li>
        )}
        {servers === 0 ? null : (
          <Line to="/servers" all={words.serverCount(servers)}>
            <Part to="/servers" search={{ status: 'offline' }} count={offline.count} words={words.offline(offline)} />
          </Line>
        )}
        {targets === 0 ? null : (
          <Line to="/blacklists" all={words.targetCount(targets)}>
            {listed.count === 0 && unknown.count >= targets ? null : (
              <Part to="/blacklists" search={{ status: 'listed' }} count={listed.count} words={words.listed(listed)} />
            )}
            {unknown.count === 0 ? null : (
              <Part
                to="/blacklists"
                search={{ status: 'unknown' }}
                count={unknown.count}
                words={words.unknown(unknown)}
              />
            )}
          </Line>
        )}
      </ul>
    </section>
  );
}

function Monitors({ totals: { monitors, by_status } }: { totals: MonitorTotals }) {
  return (
    <>
      <Link to="/monitors" className="count">
        {texts.overview.monitorCount(monitors)}
      </Link>
      <span className="count-parts">
        {STATUSES.filter((status) => status === 'up' || by_status[status] > 0).map((status) => (
          <Part
            {...{ key: status, to: '/monitors', search: { status }, count: by_status[status] }}
            words={`${number(by_status[status])} ${texts.overview.counts[status]}`}
          />
        ))}
      </span>
    </>
  );
}

function Line({ to, all, children }: { to: string; all: string; children: ReactNode }) {
  return (
    <li>
      <Link to={to} className="count">
        {all}
      </Link>
      <span className="count-parts">{children}</span>
    </li>
  );
}

interface PartProps {
  to: string;
  search: Record<string, string>;
  count: number;
  words: string;
}

/** A number that leads to its rows, unless there are none. */
function Part({ to, search, count, words }: PartProps) {
  return (
    <span>
      {count === 0 ? (
        words
      ) : (
        <Link to={to} search={search}>
          {words}
        </Link>
      )}
    </span>
  );
}
