import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result } from '../../../api/types.ts';
import { StatusMark } from '../../../components/status-mark.tsx';
import { SecondTime } from '../../../components/time/time.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { checkErrorText } from '../../../texts/check-errors/check-error.ts';
import { responseTime } from '../../../texts/format.ts';
import { useCity } from '../location-list.tsx';
import { phasesText } from './locations/phases.tsx';
import { resultsQuery } from './queries.ts';
import { words } from './texts/texts.ts';

/** What people see at first; the rest of the page of the API is behind the button. */
const ROWS_AT_FIRST = 20;

/** Every check of the monitor, newest first. */
export function Results({ id }: { id: string }) {
  const list = useInfiniteQuery(resultsQuery(id));
  const { isSuccess, hasNextPage, isFetchingNextPage } = list;
  const [isWhole, setWhole] = useState(false);
  const all = newestFirst(list.data?.pages.flatMap((page) => page.data) ?? []);
  const data = isWhole ? all : all.slice(0, ROWS_AT_FIRST);
  const showOlder = () => {
    if (isWhole) void list.fetchNextPage();
    else setWhole(true);
  };
  const city = useCity();
  const { time, location, result, response, phases } = texts.monitor.columns;
  return (
    <section className="panel section" id="results" tabIndex={-1}>
      <h2>{texts.monitor.results}</h2>
      {isSuccess && data.length === 0 ? <p className="soft">{texts.monitor.noResults}</p> : null}
      {data.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="table-scroll" tabIndex={0} aria-label={texts.monitor.results}>
          <table>
            <thead>
              <tr>
                {[time, location, result].map((label) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
                <th scope="col" className="right">
                  {response}
                </th>
                <th scope="col">{phases}</th>
              </tr>
            </thead>
            <tbody>
              {data.map((one) => (
                <tr key={one.id}>
                  <td className="nowrap">
                    <SecondTime at={one.checked_at} />
                  </td>
                  <td className="nowrap">{city(one.location)}</td>
                  <td className="result">
                    <Outcome result={one} />
                  </td>
                  <td className="right nowrap">{responseTime(one.response_time_ms)}</td>
                  <td className="soft nowrap">{phasesText(one)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {all.length > data.length || hasNextPage ? (
        <div className="results-more">
          <Button variant="default" size="compact-sm" onClick={showOlder} loading={isFetchingNextPage}>
            {words.results.older}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

/** In the order of the times that are shown: the API has the order in which results arrived. */
function newestFirst(results: readonly Result[]): Result[] {
  return [...results].sort((a, b) => Date.parse(b.checked_at) - Date.parse(a.checked_at));
}

function Outcome({ result: { status, error, final, http_status } }: { result: Result }) {
  return (
    <>
      <StatusMark state={status} />
      {http_status === null || error !== null ? null : <span className="soft"> {http_status}</span>}
      {final ? null : <span className="soft"> · {texts.monitor.retried}</span>}
      {error === null ? null : <span className="row-detail wrap">{checkErrorText(error)}</span>}
    </>
  );
}
