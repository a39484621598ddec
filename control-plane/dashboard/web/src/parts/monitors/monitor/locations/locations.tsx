import { useInfiniteQuery } from '@tanstack/react-query';
import type { Monitor, Result } from '../../../../api/types.ts';
import { StatusMark } from '../../../../components/status-mark.tsx';
import { Since } from '../../../../components/time/time.tsx';
import { texts } from '../../../../texts/app/texts.ts';
import { checkErrorText } from '../../../../texts/check-errors/check-error.ts';
import { responseTime } from '../../../../texts/format.ts';
import { useCity } from '../../location-list.tsx';
import { resultsQuery } from '../queries.ts';
import { words } from '../texts/texts.ts';
import { PhaseBar } from './phases.tsx';
import { shownResult } from './shown-result.ts';

/** What each location sees, and where its latest check spent its time. */
export function Locations({ monitor }: { monitor: Monitor }) {
  const city = useCity();
  const results = useInfiniteQuery(resultsQuery(monitor.id)).data?.pages[0]?.data ?? [];
  const latest = new Map<string, Result>();
  for (const result of results) if (!latest.has(result.location)) latest.set(result.location, result);
  const longestMs = Math.max(1, ...[...latest.values()].map(totalMs));
  return (
    <section className="panel section" id="locations" tabIndex={-1}>
      <h2>{texts.monitor.locations}</h2>
      <ul className="rows">
        {monitor.location_status.map(({ location, status, response_time_ms, error, checked_at }) => {
          const result = shownResult(latest.get(location), { status, checked_at });
          const at = result?.checked_at ?? checked_at;
          const tookMs = result === undefined ? response_time_ms : result.response_time_ms;
          return (
            <li key={location} className="location">
              <span className="location-name">
                {city(location)} <span className="mono soft">{location}</span>
              </span>
              <span className="location-state">
                {tookMs === null || status !== 'up' ? null : <span className="strong">{responseTime(tookMs)}</span>}{' '}
                <StatusMark state={status} />
              </span>
              {error === null ? null : <span className="location-detail wrap">{checkErrorText(error)}</span>}
              <span className="location-detail soft">
                {at === null ? words.locations.never : <Since at={at} wrap={words.locations.checked} />}
              </span>
              {result === undefined || totalMs(result) === 0 ? null : <PhaseBar {...{ result, longestMs }} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function totalMs({ timings }: Result): number {
  return Object.values(timings).reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
}
