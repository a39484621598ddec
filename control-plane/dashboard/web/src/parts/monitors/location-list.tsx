import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { locationsQuery } from '../../api/queries.ts';
import type { Monitor } from '../../api/types.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { checkErrorText } from '../../texts/check-errors/check-error.ts';
import { responseTime } from '../../texts/format.ts';

/** Returns the name of the city of a location. */
export function useCity(): (code: string) => string {
  const { data } = useQuery(locationsQuery);
  return useCallback((code) => data?.find((location) => location.code === code)?.city ?? code, [data]);
}

/** What each location sees. */
export function LocationList({ monitor }: { monitor: Monitor }) {
  const city = useCity();
  return (
    <ul className="rows">
      {monitor.location_status.map(({ location, status, response_time_ms, error }) => (
        <li key={location} className="row">
          <span className="row-main">
            {city(location)} <span className="mono soft">{location}</span>
            {error === null ? null : <span className="row-detail wrap">{checkErrorText(error)}</span>}
          </span>
          <span className="row-side">
            {response_time_ms === null || status !== 'up' ? '' : responseTime(response_time_ms)}
          </span>
          <StatusMark state={status} />
        </li>
      ))}
    </ul>
  );
}
